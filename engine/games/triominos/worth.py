"""Evaluation of a Triominos position for search: how well each player stands, and who wins at once."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from engine.core import Action
from engine.games.triominos.cards import fitting

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition

CHIP, PLAYABLE, STUCK = 100, 25, -15


@lru_cache(maxsize=256)
def _cards(asked: str) -> frozenset[str]:
    """The cards that fit where these values are asked for."""
    return frozenset(card for _, card in fitting(asked))


def worth(position: TriominosPosition) -> tuple[int, ...]:
    """Chips, and which cards of the rack fit somewhere."""
    table = position.table
    fits = frozenset().union(*[_cards(table.asked(cell)) for cell in table.frontier])
    found = []
    for seat, chips in enumerate(position.chips):
        rack = position.racks[seat]
        playable = len(fits.intersection(rack))
        found.append(CHIP * chips + PLAYABLE * playable + STUCK * (len(rack) - playable))
    return tuple(found)


def winning(position: TriominosPosition) -> Action | None:
    """The last action of the match, if it can be one that leaves the mover with the most chips."""
    if position.turns_left != 1 and position.passes != position.players - 1:
        return None
    for action in position.legal():
        outcome = position.after(action).outcome
        if outcome is not None and outcome.winners == (position.seat,):
            return action
    return None
