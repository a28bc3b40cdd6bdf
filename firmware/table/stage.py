"""What visitors of a simulated table may ask for: a hand that cheats, another lamp, a bump, a cup left on the board."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from engine.core import GameError, Json
from hardware.virtual.acting.show import TRICKS

MOST_ASKED = 3
"""Tricks that may wait: whoever presses ten times has not meant all ten."""


@dataclass
class Tricks:
    """The tricks asked for and not done yet, and whether a cup stands on the board."""

    asked: deque[str] = field(default_factory=deque)
    has_cup: bool = False

    def ask(self, trick: str) -> None:
        if trick not in TRICKS:
            raise GameError(f"there is no trick {trick!r}; there are: {', '.join(TRICKS)}")
        if len(self.asked) < MOST_ASKED:
            self.asked.append(trick)

    def next(self) -> str | None:
        """The trick to do now."""
        if not self.asked:
            return None
        trick = self.asked.popleft()
        if trick == "cup":
            self.has_cup = not self.has_cup
        return trick

    def clear(self) -> None:
        """Another table."""
        self.asked.clear()
        self.has_cup = False

    def record(self) -> Json:
        return {"tricks": list(TRICKS), "asked": list(self.asked), "cup": self.has_cup}
