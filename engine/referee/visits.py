"""One visit of one hand: whoever reaches over the board does all that changes until the hand is gone again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from math import hypot

from engine.board import Board, Point

UNSEEN = 0.35
"""Seconds between two pictures in which one hand may go and another come unseen."""
ARRIVING = 0.35
"""Seconds after it first touched a place in which a hand is still near the rim that it reached over. By hand."""
OUTER = 0.5
"""Share of the way from the board's centre to its outermost place from which a place tells on which side it is. By
hand."""
TOGETHER = 0.7
"""How much what an arm touches lies in one direction: 1 if all of it does, 0 if it lies about the centre. By hand."""
SAME_SIDE, OTHER_SIDE = 0.15, -0.5
"""Cosines of angles between two directions. Wider than the first (81°) may be another arm, for at a square table the
next player's is at 90°; wider than the second (120°) is another one. By hand."""


@dataclass(frozen=True)
class Places:
    """Where a board's sites are, as far as that tells from which side an arm reaches over it."""

    outer: Mapping[str, Point]
    """The direction of every site that is far enough from the centre, as a unit vector."""
    turning: tuple[frozenset[str], ...]
    """The sites on each turnable sheet."""

    def side(self, touched: Iterable[str]) -> Point | None:
        """In which direction these outer sites lie; None if in several."""
        return _direction(self.outer[site] for site in touched)

    def stirs(self, touched: frozenset[str]) -> bool:
        """Whether a sheet may be turning: then what moves there says nothing about where the arm is."""
        return any(2 * len(sites & touched) > len(sites) for sites in self.turning)


@lru_cache(maxsize=8)
def places(make: Callable[[int], Board], players: int) -> Places:
    """Those of the board that this makes for so many players."""
    board = make(players)
    far = {name: hypot(*site.at) for name, site in board.sites.items()}
    least = OUTER * max(far.values(), default=0.0)
    outer = {
        name: (site.at[0] / far[name], site.at[1] / far[name])
        for name, site in board.sites.items()
        if far[name] > least
    }
    turning = (
        frozenset(site.name for site in board.sites.values() if site.sheet == sheet.name) for sheet in board.turnable
    )
    return Places(outer, tuple(turning))


@dataclass(frozen=True)
class Glance:
    """What one picture tells of what is over the board."""

    seconds: float
    hidden: frozenset[str]
    """The sites that it covers."""
    moving: frozenset[str]
    """The sites about which something moves."""
    lies: tuple[int, ...]
    """How the turnable sheets seem to lie."""
    is_changed: bool
    """Whether the table shows something else than the last accepted position."""


@dataclass(frozen=True)
class HandVisit:
    """Something over the board in one picture after the other, without a free board between."""

    until: float
    """When it was seen last."""
    is_certain: bool = True
    """Whether it began at the last accepted position, no picture is missing, and nothing says that it is two hands."""
    arrived: float | None = None
    """When it was first seen on one side of the board …"""
    side: Point | None = None
    """… and on which."""
    strayed: tuple[int, ...] | None = None
    """How the sheets lay when it seemed to be elsewhere: as a hand that goes, or as the next one that comes. If another
    sheet is turned then, it was the next one."""
    is_seen_later: bool = False
    """Whether it was seen on its side once the table had changed."""
    is_over: bool = False
    """Whether the board has been free since."""

    @property
    def is_one_hand(self) -> bool:
        """Whether it certainly was one hand: it stayed on the side on which it came. Two players' hands may follow on
        one another, or be over the board together, but they come from different sides."""
        return self.is_certain and self.is_seen_later

    def seen(self, where: Places, glance: Glance) -> HandVisit:
        """The same with one more picture."""
        is_certain = self.is_certain and glance.seconds - self.until <= UNSEEN
        is_certain = is_certain and self.strayed in (None, glance.lies)
        visit = replace(self, until=glance.seconds, is_certain=is_certain)
        if where.stirs(glance.hidden | glance.moving):
            return visit
        # What moves may be what the hand has moved; what is covered is under it.
        touched = where.outer.keys() & glance.hidden or where.outer.keys() & glance.moving
        if not touched:
            return visit
        side = where.side(touched)
        if visit.side is None or visit.arrived is None:
            begins = is_certain and side is not None and not glance.is_changed
            return replace(visit, side=side, arrived=glance.seconds, is_certain=begins)
        along = 0.0 if side is None else visit.side[0] * side[0] + visit.side[1] * side[1]
        if along < SAME_SIDE:
            return replace(visit, strayed=glance.lies, is_certain=is_certain and along > OTHER_SIDE)
        if glance.is_changed:
            return replace(visit, is_seen_later=True)
        if side is not None and glance.seconds - visit.arrived <= ARRIVING:
            # Little of an arm is seen at first.
            return replace(visit, side=_direction((visit.side, side)))
        return visit


def _direction(vectors: Iterable[Point]) -> Point | None:
    """The direction that these unit vectors have in common."""
    many = list(vectors)
    x, y = sum(x for x, _ in many), sum(y for _, y in many)
    length = hypot(x, y)
    return (x / length, y / length) if many and length >= TOGETHER * len(many) else None
