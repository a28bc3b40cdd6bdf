"""What an action of Dimenticato does, in the game's words: for hints and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import COLOURS, Action, Remark, Word
from engine.games.dimenticato.actions import Move, Open
from engine.games.dimenticato.setup import FIGURES

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition


def remarks(position: DimenticatoPosition, action: Action) -> Iterator[Remark]:
    """Most telling first."""
    if not isinstance(action, Open | Move):
        return
    seat, target = position.mover, position.site(action.target)
    plan = position.plan
    if (owner := position.owner(target)) is not None:
        facts = {"colour": Word(COLOURS[owner]), "site": plan.names[target]}
        yield Remark("beats", (plan.names[target],), facts, owner)
    if plan.block_owner(target) == seat:
        come = (position.after(action).figures[seat] & plan.blocks[seat] & ~position.unopened).bit_count()
        yield Remark("home", (plan.names[target],), {"number": come, "all": FIGURES})
    elif owner is None and position.dice.of_colour[seat] >> target & 1:
        yield Remark("safe", (plan.names[target],), {"site": plan.names[target]})
