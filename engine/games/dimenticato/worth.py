"""Evaluation of a Dimenticato position for search: how well each player stands, and who wins at once."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.core import Action
from engine.games.dimenticato.plan import Plan, bits

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition

STEP, OUT, HOME, SAFE, AT_THE_DOOR = 8, 30, 100, 6, 10


@cache
def _progress(plan: Plan, seat: int) -> tuple[int, ...]:
    """For every field of the track what a figure of this seat has gained there: the nearer its own card, the more."""
    cards, big = len(plan.cards), plan.big[seat]
    found = []
    for card in plan.card_of:
        ahead = (big - card) % cards
        found.append(OUT + 2 * STEP * (cards - ahead) + (AT_THE_DOOR if ahead == 0 else 0))
    return tuple(found)


def worth(position: DimenticatoPosition) -> tuple[int, ...]:
    """How far every figure has come, and whether it can be captured there."""
    plan, track, of_colour = position.plan, position.plan.track, position.dice.of_colour
    home = OUT + 2 * STEP * len(plan.cards) + HOME
    found = []
    for seat, own in enumerate(position.figures):
        progress = _progress(plan, seat)
        come = own & plan.blocks[seat] & ~position.unopened
        found.append(
            home * come.bit_count()
            + SAFE * (own & of_colour[seat]).bit_count()
            + sum([progress[field] for field in bits(own & track)])
        )
    return tuple(found)


def winning(position: DimenticatoPosition) -> Action | None:
    """The last figure's way home, if it has one."""
    seat = position.mover
    block = position.plan.blocks[seat]
    if position.unopened & block or (position.figures[seat] & block).bit_count() != 3:
        return None
    for action in position.legal():
        if position.after(action).outcome is not None:
            return action
    return None
