"""Why an action is not legal in Triominos: the rules it breaks, most telling first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.core import Action, Fact, Pass, Refusal, Word
from engine.games.triominos.actions import PASS, Buy, Place, Swap
from engine.games.triominos.cards import CARD_OF, FREE, JOKER_FACE, matches
from engine.games.triominos.lattice import Cell, around, corners, sides, site
from engine.games.triominos.words import LIES_ALREADY, NO_SUCH_CARD, NOT_IN_RACK

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition


def objections(position: TriominosPosition, action: Action) -> Iterator[Refusal]:
    """The rules that this action breaks."""
    match action:
        case Place():
            return _placing(position, action)
        case Swap():
            return _swapping(position, action)
        case Buy():
            return _buying(position)
        case Pass():
            return _passing(position)
        case _:
            return iter(())


def _refuse(rule: str, *cells: Cell, **facts: Fact) -> Refusal:
    sites = tuple(map(site, cells))
    return Refusal(rule, sites, {"sites": ", ".join(sites)} | facts)


def _placing(position: TriominosPosition, action: Place) -> Iterator[Refusal]:
    table, cell, face = position.table, action.cell, action.face
    taken = cell in table.faces
    yield from _empty_rack(position, action)
    if taken:
        yield _refuse("place.taken", cell, card=face)
    yield from _no_card(position, action)
    if taken:
        return
    if not any(side in table.faces for side in sides(cell)):
        yield _refuse("place.side", cell, card=face)
    asked = table.asked(cell)
    if not matches(face, asked):
        yield _refuse(
            "place.corner", cell, *_clashing(position, action), card=face, wanted=asked, clash=_clash(face, asked)
        )


def _swapping(position: TriominosPosition, action: Swap) -> Iterator[Refusal]:
    table, cell, face = position.table, action.cell, action.face
    yield from _empty_rack(position, action)
    if cell != table.joker:
        yield _refuse("swap.not-joker", cell, card=face)
    yield from _no_card(position, action)
    asked = table.asked(cell)
    if cell == table.joker and not matches(face, asked):
        yield _refuse(
            "swap.fit", cell, *_clashing(position, action), card=face, wanted=asked, clash=_clash(face, asked)
        )


def _empty_rack(position: TriominosPosition, action: Place | Swap) -> Iterator[Refusal]:
    if not position.racks[position.mover]:
        yield _refuse("place.empty-rack", action.cell, card=action.face)


def _no_card(position: TriominosPosition, action: Place | Swap) -> Iterator[Refusal]:
    """Not a card of the set, or one that is somewhere else than in the mover's rack."""
    face, cell = action.face, action.cell
    card = CARD_OF.get(face)
    lies = None if card is None else position.table.places.get(card)
    if card is None:
        yield _refuse("place.card", cell, card=face, reason=Word(NO_SUCH_CARD))
    elif lies is not None and lies != cell:
        yield _refuse("place.card", cell, lies, card=face, reason=Word(LIES_ALREADY))
    elif lies is None and position.racks[position.mover] and card not in position.candidates(position.mover):
        # Only the cell is named: where a hidden card really is stays hidden.
        yield _refuse("place.card", cell, card=face, reason=Word(NOT_IN_RACK))


def _clash(face: str, asked: str) -> str:
    """Each corner of a card with the value that it meets instead: `2 ≠ 3`."""
    pairs = zip(face, asked, strict=True)
    return ", ".join(f"{value} ≠ {want}" for value, want in pairs if want not in (value, FREE))


def _clashing(position: TriominosPosition, action: Place | Swap) -> list[Cell]:
    """The cards that show another value at a corner of the card laid."""
    faces = position.table.faces
    asked = position.table.asked(action.cell)
    found: dict[Cell, None] = {}
    for vertex, value, want in zip(corners(action.cell), action.face, asked, strict=True):
        if value != want and want != FREE:
            near = (cell for cell in around(vertex) if cell != action.cell)
            found |= {cell: None for cell in near if faces.get(cell, JOKER_FACE) != JOKER_FACE}
    return list(found)


def _buying(position: TriominosPosition) -> Iterator[Refusal]:
    if not position.pot:
        yield _refuse("buy.empty-pot")
    if not position.chips[position.mover]:
        yield _refuse("buy.no-chip")


def _passing(position: TriominosPosition) -> Iterator[Refusal]:
    if PASS not in position.legal():
        # What could be played is not said: it would reveal the rack.
        yield _refuse("pass.could-play")
