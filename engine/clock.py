"""A chess clock that nobody presses, as a value: what has passed and what was played come in as arguments."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core import GameError, Json
from engine.spoken import SpokenError

LONGEST = 600.0
"""Minutes that a player can be given; and seconds that a turn can bring."""
_WRITTEN = re.compile(r"(\d{1,3}(?:\.\d{1,2})?)(?:([+d])(\d{1,3}))?(,ends)?")


@dataclass(frozen=True, slots=True)
class TimeControl:
    """How much time there is. As text `10+5`: ten minutes, and five seconds more after every turn; `10d5`: the first
    five seconds of every turn are free; `10+5,ends`: whoever runs out of time has lost."""

    minutes: float
    increment: float = 0.0
    delay: float = 0.0
    ends: bool = False

    def __post_init__(self) -> None:
        if not 0 < self.minutes <= LONGEST or max(self.increment, self.delay) > LONGEST:
            raise SpokenError("a clock allows {most} minutes at most, and {most} seconds a turn", most=round(LONGEST))

    def __str__(self) -> str:
        turn = f"+{self.increment:g}" if self.increment else f"d{self.delay:g}" if self.delay else ""
        return f"{self.minutes:g}{turn}{',ends' if self.ends else ''}"

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read what `str` writes; raises `SpokenError`."""
        found = _WRITTEN.fullmatch(text.strip())
        if found is None:
            raise SpokenError(
                "{text} is not a clock setting: write 10, 10+5 or 10d5, with ,ends if time decides", text=text[:40]
            )
        minutes, kind, seconds, ends = found.groups()
        turn = float(seconds or 0)
        return cls(float(minutes), turn if kind == "+" else 0.0, turn if kind == "d" else 0.0, bool(ends))


@dataclass(frozen=True, slots=True)
class Hands:
    """What a clock shows: the seconds each seat has left (less than none, where play goes on without), and how much of
    this turn's delay is left."""

    left: tuple[float, ...]
    free: float = 0.0

    def spent(self, seat: int, seconds: float) -> Hands:
        free = min(self.free, seconds)
        return Hands(_added(self.left, seat, free - seconds), self.free - free)


@dataclass(frozen=True)
class Clock:
    """A clock in a match. It starts with the first action, so setting up costs nobody time."""

    control: TimeControl
    hands: Hands
    past: tuple[Hands, ...]
    """What it showed when the thinking about each ply began."""
    untimed: frozenset[int] = frozenset()
    """Seats whose time is not counted: those of the program."""
    is_placed: bool = False
    """Whether the position was set by hand: then play has started, though there is no action yet."""
    is_paused: bool = False

    @classmethod
    def begin(cls, control: TimeControl, players: int, untimed: frozenset[int] = frozenset()) -> Clock:
        hands = Hands((60 * control.minutes,) * players, control.delay)
        return cls(control, hands, (hands,), untimed)

    @property
    def is_started(self) -> bool:
        return self.is_placed or len(self.past) > 1

    def anew(self) -> Clock:
        """The same clock for another match."""
        return Clock.begin(self.control, len(self.hands.left), self.untimed)

    def charges(self, seat: int | None) -> bool:
        """Whether this seat's time runs while it is to move."""
        return seat is not None and seat not in self.untimed and self.is_started and not self.is_paused

    def spend(self, seat: int, seconds: float) -> Clock:
        return replace(self, hands=self.hands.spent(seat, max(seconds, 0.0)))

    def is_out(self, seat: int) -> bool:
        return self.hands.left[seat] <= 0

    def played(self, mover: int, following: int | None) -> Clock:
        """An action was accepted. The increment comes when the turn ends, not after each of its actions."""
        hands = self.hands
        if mover != following:
            gains = self.control.increment if self.is_started and mover not in self.untimed else 0.0
            hands = Hands(_added(hands.left, mover, gains), self.control.delay)
        return replace(self, hands=hands, past=(*self.past, hands))

    def undone(self, to_ply: int) -> Clock:
        """Actions were taken back: everybody has the time again that they had when the first of these began."""
        past = self.past[: to_ply + 1]
        return replace(self, hands=past[-1], past=past)

    def placed(self) -> Clock:
        """The position was set by hand: plies count from 0 again, and nobody gets time back."""
        hands = Hands(self.hands.left, self.control.delay)
        return replace(self, hands=hands, past=(hands,), is_placed=True)

    # In the log

    def record(self) -> Json:
        """What it shows, for the log: every line there has it."""
        told: Json = {"set": str(self.control), "left": [round(left, 2) for left in self.hands.left]}
        return told | ({"free": round(self.hands.free, 2)} if self.control.delay else {})

    def showing(self, record: Mapping[str, Any]) -> Clock:
        """The same with hands as recorded; raises `GameError` where they are not of this clock."""
        left, free = record.get("left"), record.get("free", 0.0)
        if not isinstance(left, list) or len(left) != len(self.hands.left) or not all(map(_is_number, (*left, free))):
            raise GameError("the clock's time is not complete")
        return replace(self, hands=Hands(tuple(map(float, left)), float(free)))


def _added(left: tuple[float, ...], seat: int, seconds: float) -> tuple[float, ...]:
    return tuple(each + seconds if place == seat else each for place, each in enumerate(left))


def _is_number(value: object) -> bool:
    return type(value) in (int, float)


def on_clock(seconds: float) -> str:
    """Time left as clocks show it: 1:05:00, 9:53, 0:07; what is beyond is −0:12. A second begun is shown whole."""
    whole = -int(-seconds // 1)
    minutes, rest = divmod(abs(whole), 60)
    sign = "−" if whole < 0 else ""
    return f"{sign}{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{sign}{minutes}:{rest:02}"
