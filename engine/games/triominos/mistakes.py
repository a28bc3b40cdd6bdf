"""Mistakes at a real Triominos table, recognised from what lies there now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from engine.core import Refusal
from engine.face import Face
from engine.games.triominos.actions import Place, Swap, read_site
from engine.games.triominos.cards import CARD_OF
from engine.games.triominos.faces import ASKEW
from engine.games.triominos.lattice import Cell, site

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition


def diagnose(position: TriominosPosition, seen: Mapping[str, Face]) -> Iterator[Refusal]:
    """The rules broken if the table now looks like this, most telling first."""
    before = position.faces()
    gone = [cell for cell in before if cell not in seen]
    new = [cell for cell in seen if cell not in before]
    changed = [cell for cell in before if cell in seen and before[cell] != seen[cell]]
    lay = {face.sheet: cell for cell, face in before.items()}
    moved = {lay[seen[cell].sheet]: cell for cell in (*new, *changed) if seen[cell].sheet in lay}
    # A card that is elsewhere now, or gone, was taken up; one that is seen twice is from another set.
    taken = [cell for cell in lay.values() if cell in gone or (cell in moved and moved[cell] in (cell, *new, *changed))]
    taken = [cell for cell in taken if seen.get(cell) != before[cell]]
    joker = None if position.table.joker is None else site(position.table.joker)
    swapped = [cell for cell in changed if seen[cell].sheet not in lay]
    laid = [cell for cell in new if seen[cell].sheet not in lay or lay[seen[cell].sheet] not in taken]
    if len(swapped) + len(laid) > 1:
        yield _refuse("place.two", (*swapped, *laid))
    elif swapped and seen[swapped[0]].kind != ASKEW and not [cell for cell in taken if cell != swapped[0]]:
        yield from position.refusals(Swap(seen[swapped[0]].name, _cell(swapped[0])))
    elif taken and taken != [joker]:
        yield _refuse("place.taken", (*taken, *(moved[cell] for cell in taken if moved.get(cell, cell) != cell)))
    elif laid or swapped:
        yield from _laid(position, (*laid, *swapped)[0], seen)
    elif taken:
        yield _refuse("place.taken", taken)


def _laid(position: TriominosPosition, cell: str, seen: Mapping[str, Face]) -> Iterable[Refusal]:
    face = seen[cell]
    if face.kind == ASKEW:
        return (_refuse("place.side", (cell,)),)
    if position.table.faces.get(_cell(cell)) is None and face.name in CARD_OF:
        return position.refusals(Place(face.name, _cell(cell)))
    return (_refuse("place.side", (cell,)),)


def _cell(name: str) -> Cell:
    cell = read_site(name)
    assert cell is not None
    return cell


def _refuse(rule: str, cells: Iterable[str]) -> Refusal:
    sites = tuple(cells)
    return Refusal(rule, sites, {"sites": ", ".join(sites)})
