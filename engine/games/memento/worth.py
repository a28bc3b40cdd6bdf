"""Evaluation of a Memento position for search: how well each player stands, and who wins at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Action
from engine.games.memento.actions import Enter, Move, Split
from engine.games.memento.points import ENTRIES, MIDDLES, TRIANGLES, bits

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition

PATTERNS = (*TRIANGLES, MIDDLES)
"""Own figures on all points of one of these win."""

# Learned from matches of the program against itself: how much each of these changed the odds of winning, a hundred for
# a factor of e. Figures that stand on winning points are in each other's way, and in reach, until they win.
FIGURE, DOUBLE, TRIPPLE, TO_MOVE = 74, 33, 93, 30
OUTER, INNER, ON_MIDDLES = (0, -22, -63, -62, 0), (0, -44, -74, -64, 0), (0, 3, 12, 54, 0)
"""What so many figures on the four points that win are worth, on an outer triangle, the inner one, and the middles."""


def worth(position: MementoPosition) -> tuple[int, ...]:
    """Figures and their heights, and how they stand."""
    doubles, tripples, seat = position.doubles, position.tripples, position.seat
    top, left, right, inner, middles = PATTERNS
    return tuple(
        [
            FIGURE * own.bit_count()
            + DOUBLE * (own & doubles).bit_count()
            + TRIPPLE * (own & tripples).bit_count()
            + OUTER[(own & top).bit_count()]
            + OUTER[(own & left).bit_count()]
            + OUTER[(own & right).bit_count()]
            + INNER[(own & inner).bit_count()]
            + ON_MIDDLES[(own & middles).bit_count()]
            + (TO_MOVE if number == seat else 0)
            for number, own in enumerate(position.figures)
        ]
    )


def winning(position: MementoPosition) -> Action | None:
    """An action that wins at once. A turn never does: it keeps middles and medians among themselves."""
    own = position.figures[position.mover]
    for pattern in PATTERNS:
        missing = pattern & ~own
        # More than half of a pattern can only be filled by a Tripple that falls into three.
        lacking = missing.bit_count()
        if lacking < 3 or (lacking == 3 and own & ~pattern & position.tripples):
            action = _filling(position, own, pattern, missing)
            if action is not None:
                return action
    return _beating_the_last(position, own)


def _filling(position: MementoPosition, own: int, pattern: int, missing: int) -> Action | None:
    """One action that puts own figures on all missing points and takes none off the pattern."""
    occupied = position.occupied
    lacking = missing.bit_count()
    if lacking > 1 and missing & occupied:
        return None
    targets, height = position.rules.ways.targets, position.height
    spare = position.spare_markers(position.mover)
    for origin in bits(own & ~pattern):
        tall = height(origin)
        if missing & ~targets(origin, tall, occupied):
            continue
        if lacking == 1:
            return Move(origin, missing.bit_length() - 1, bool(missing & occupied))
        if tall >= lacking and spare >= lacking - 1:
            parts = [(point, 1) for point in bits(missing)]
            if tall > lacking:
                parts[0] = (parts[0][0], 2)
            return Split(origin, tuple(parts))
    if lacking < 3 and spare >= 2 and not missing & (occupied | ~ENTRIES) and position.supply >= 2:
        free = ENTRIES & ~occupied & ~missing
        points = [*bits(missing), *bits(free & -free)][:2]
        if len(points) == 2:
            return Enter((min(points), max(points)))
    return None


def _beating_the_last(position: MementoPosition, own: int) -> Action | None:
    """The capture of the last opposing figure."""
    foreign = position.occupied & ~own
    if foreign.bit_count() != 1 or position.entered != (1 << position.players) - 1:
        return None
    occupied = position.occupied
    for origin in bits(own):
        if position.rules.ways.targets(origin, position.height(origin), occupied) & foreign:
            return Move(origin, foreign.bit_length() - 1, True)
    return None
