"""What an action of Memento does, in the game's words: for hints and comments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import COLOURS, Action, Remark, Word
from engine.games.memento.actions import Move
from engine.games.memento.points import MIDDLES, NAMES, TALLEST, TILES, TRIANGLES
from engine.games.memento.refusals import FIGURES

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition


def remarks(position: MementoPosition, action: Action) -> Iterator[Remark]:
    """Most telling first."""
    seat = position.mover
    if isinstance(action, Move) and action.captures:
        yield from _capture(position, action)
    before, after = position.figures[seat], position.after(action).figures[seat]
    middles = (after & MIDDLES).bit_count()
    if middles >= 2 and middles > (before & MIDDLES).bit_count():
        yield Remark("middles", (), {"number": middles})
    for tile, triangle in zip(TILES, TRIANGLES, strict=True):
        held = (after & triangle).bit_count()
        if held >= 2 and held > (before & triangle).bit_count():
            yield Remark("triangle", (), {"number": held, "tile": tile})


def _capture(position: MementoPosition, action: Move) -> Iterator[Remark]:
    owner = position.owner(action.target)
    assert owner is not None
    site = NAMES[action.target]
    height = position.height(action.target)
    facts = {"figure": FIGURES[height - 1], "colour": Word(COLOURS[owner]), "site": site}
    if owner == position.mover:
        together = height + position.height(action.origin)
        if together <= TALLEST:
            yield Remark("joins", (site,), {"figure": FIGURES[together - 1], "site": site})
    else:
        yield Remark("takes", (site,), facts, owner)
        if position.figures[owner].bit_count() == 1:
            yield Remark("out", (), {"colour": Word(COLOURS[owner])}, owner)
    if height + position.height(action.origin) > TALLEST:
        yield Remark("stones", (site,))
