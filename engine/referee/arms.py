"""From which side each player's arm comes, learned from one action after the other: it tells whose a card may be."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from math import hypot

from engine.board import Point

LEARNED = 3
"""So many of a player's last arms must be known before they tell anything. By hand."""
OWN, FOREIGN = 0.6, 0.0
"""Cosines of the angle between an arm and what is usual for a player: nearer than the first (53°) it may be that
player's, farther than the second (90°) it is not. By hand: across a large mat one player's arms differ by up to 60°."""


@dataclass(frozen=True)
class Arms:
    """The directions, as unit vectors, from which the last arms of each seat came."""

    sides: Mapping[int, tuple[Point, ...]] = field(default_factory=dict)

    def taught(self, seat: int, side: Point) -> Arms:
        """The same with one more arm of this seat."""
        return Arms({**self.sides, seat: (*self.sides.get(seat, ()), side)[-LEARNED:]})

    def forgetting(self, seats: Collection[int | None]) -> Arms:
        """The same without those of these seats."""
        return Arms({seat: known for seat, known in self.sides.items() if seat not in seats})

    def whose(self, side: Point, mover: int) -> int | None:
        """The other seat whose arm this was, if it certainly was not the mover's and may be no third player's."""
        along = {seat: _along(side, known) for seat, known in self.sides.items() if len(known) == LEARNED}
        if along.get(mover, 1.0) > FOREIGN:
            return None
        own = [seat for seat, cosine in along.items() if cosine > OWN]
        return own[0] if len(own) == 1 else None


def _along(side: Point, known: tuple[Point, ...]) -> float:
    """The cosine of the angle between this direction and the mean of those."""
    x, y = sum(x for x, _ in known), sum(y for _, y in known)
    return (x * side[0] + y * side[1]) / (hypot(x, y) or 1.0)
