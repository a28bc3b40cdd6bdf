"""Evaluation of a Rings position for search: how well each player stands, and who wins at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core import Action
from engine.games.rings.actions import Move, Place, Turn
from engine.games.rings.cells import ALL, OUT, completing

if TYPE_CHECKING:
    from engine.games.rings.rules import RingsPosition

PAWN, RESERVE, SPENT, OPEN_LINE = 100, -4, -12, 14
MOST_LINES = 3
"""Ten pawns fill no more than three radii, and a pawn placed or moved makes two lines at most."""


def worth(position: RingsPosition) -> tuple[int, ...]:
    """Pawns, less those that are spent or unused, and the free cells where one more pawn would make a line."""
    reserve, spent = position.reserve, position.spent
    free = ALL & ~position.occupied
    found = []
    for seat, own in enumerate(position.pawns):
        on_ring, on_radius = completing(own & ~spent)
        pawns = own.bit_count() + reserve[seat]
        found.append(
            PAWN * pawns
            + RESERVE * reserve[seat]
            + SPENT * (own & spent).bit_count()
            + OPEN_LINE * ((on_ring & free).bit_count() + (on_radius & free).bit_count())
        )
    return tuple(found)


def winning(position: RingsPosition) -> Action | None:
    """An action that wins at once: lines enough to leave nobody else more than two pawns."""
    for seat, own in enumerate(position.pawns):
        left = own.bit_count() + position.reserve[seat]
        if seat != position.mover and left > OUT and left - min(MOST_LINES, own.bit_count()) > OUT:
            return None
    for action in position.legal():
        assert isinstance(action, Place | Turn | Move)
        if action.taken and position.after(action).outcome is not None:
            return action
    return None
