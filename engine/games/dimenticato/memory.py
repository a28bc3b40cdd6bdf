"""How well the players remembered: every number that was called, and how long ago its die had last been seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from engine.core import Action, Position, Recollection
from engine.games.dimenticato.actions import Move, WrongCall
from engine.games.dimenticato.rules import DimenticatoPosition


def recollections(positions: Sequence[Position], actions: Sequence[Action]) -> Iterator[Recollection]:
    """The calls of a match, in order; `positions` are one more than actions."""
    for ply, action in enumerate(actions):
        position = positions[ply]
        if isinstance(action, Move | WrongCall):
            assert isinstance(position, DimenticatoPosition)
            site = position.site(action.origin)
            yield Recollection(ply, position.mover, action.origin, isinstance(action, Move), _ago(positions, ply, site))


def _ago(positions: Sequence[Position], ply: int, site: int) -> int:
    """How many actions ago everybody could see this die, or was told its number."""
    for ago in count():
        if ago > ply:
            return ago
        position = positions[ply - ago]
        assert isinstance(position, DimenticatoPosition)
        before = positions[ply - ago - 1] if ago < ply else None
        if not position.covered >> site & 1:
            return ago
        told = position.known & ~(before.known if isinstance(before, DimenticatoPosition) else 0)
        if told >> site & 1:
            return ago
    raise AssertionError
