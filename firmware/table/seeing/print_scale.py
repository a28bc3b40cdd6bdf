"""Whether the cards were printed at another scale than the board they lie on: somebody chose "fit to page"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from engine.core import Game, Json
from engine.referee.news import Accepted
from engine.referee.table import Table

if TYPE_CHECKING:
    from vision.look import Eye, Look

FEW = 6
"""So many cards must have been measured: one alone may be off by 2 %."""
ENOUGH = 20
"""Cards after which no more are measured."""
AT_ONCE = 3
"""Most cards that are measured after one action: each takes as long as a frame."""
OFF = 0.02
"""Share by which the cards must be larger or smaller: "fit to page" makes it 3 % and more."""


@dataclass(frozen=True, slots=True)
class OtherScale:
    """The cards are not printed at the board's scale."""

    percent: int
    """By how much they are larger, or (below 0) smaller."""

    def record(self, game: Game) -> Json:
        which = "large" if self.percent > 0 else "small"
        text = f"the cards are about {abs(self.percent)} % too {which} for this board: print both at 100 %"
        return {"event": "scale", "percent": self.percent, "text": text}


def percent_off(sizes: Collection[float]) -> int | None:
    """By how much cards of these sizes are too large (or, below 0, too small); None if they are not, or if too few of
    them were measured to tell."""
    off = median(sizes) - 1 if len(sizes) >= FEW else 0.0
    return round(100 * off) if abs(off) >= OFF else None


class PrintScale:
    """Measures the cards as they are laid."""

    def __init__(self) -> None:
        self.percent: int | None = None
        """By how much the cards are larger (or, below 0, smaller) than the board, if that was said."""
        self._sizes: dict[tuple[str, str], float] = {}
        """By site and face."""
        self._tries: Counter[tuple[str, str]] = Counter()
        """How often each was to be measured: one that is never clearly in sight keeps no other one waiting."""

    def follow(self, table: Table, eye: Eye, look: Look | None) -> list[OtherScale]:
        """Keep up with the table; what there is to say, once in a match."""
        is_new = any(isinstance(news, Accepted) for news in table.news)
        if look is None or not is_new or self.percent is not None:
            return []
        self._measure(table, eye, look)
        self.percent = percent_off(self._sizes.values())
        return [] if self.percent is None else [OtherScale(self.percent)]

    def _measure(self, table: Table, eye: Eye, look: Look) -> None:
        cards = {(site, face.name): face for site, face in table.stand.faces.items() if face.sheet and face.lawful}
        new = sorted((card for card in cards if card not in self._sizes), key=self._tries.__getitem__)
        for site, name in new[: min(AT_ONCE, ENOUGH - len(self._sizes))]:
            self._tries[site, name] += 1
            size = eye.card_size(look, site, cards[site, name])
            if size is not None:
                self._sizes[site, name] = size
