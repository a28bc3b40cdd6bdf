"""Random mistakes for a Triominos table, one function for each kind on the rules page that a camera can see."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from engine.core import Action, Position
from engine.face import Face
from engine.games.triominos.actions import Place, Swap
from engine.games.triominos.board import ACROSS, DOWN
from engine.games.triominos.cards import CARD_OF, CARDS, JOKER
from engine.games.triominos.faces import FACES
from engine.games.triominos.lattice import Cell, around, corners, sides, site
from engine.games.triominos.rules import TriominosPosition
from engine.slips import Slip, changed


def _table(position: Position) -> TriominosPosition:
    assert isinstance(position, TriominosPosition)
    return position


def _unseen(position: TriominosPosition) -> list[str]:
    """The ways in which the cards that nobody has seen may lie."""
    return [face for face, card in CARD_OF.items() if card not in position.table.places and card != JOKER]


def _near(position: TriominosPosition) -> list[Cell]:
    """Free cells of the mat about the cards on it."""
    table = position.table
    about = {cell for lying in table.faces for corner in corners(lying) for cell in around(corner)}
    return sorted(cell for cell in about - table.faces.keys() if abs(cell[0]) <= ACROSS and abs(cell[1]) <= DOWN)


def wrong_corner(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    tries = [Place(face, cell) for face in _unseen(table) for cell in table.table.frontier & set(_near(table))]
    return _refused(table, tries, "place.corner", random)


def no_side(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    far = [cell for cell in _near(table) if cell not in table.table.frontier]
    return _refused(table, [Place(face, cell) for face in _unseen(table) for cell in far], "place.side", random)


def askew(position: Position, random: Random) -> Slip | None:
    """A card across the lattice, beside the others."""
    table = _table(position)
    about = {one for cell in table.table.faces for side in sides(cell) for one in (side, *sides(side))}
    free = [cell for cell in _near(table) if cell not in about]
    cards = [card for card in CARDS if card not in table.table.places]
    if not free or not cards:
        return None
    face = FACES[f"{random.choice(cards)}/"]
    return Slip(("place.side",), changed(table.faces(), {site(random.choice(free)): face}))


def moved(position: Position, random: Random) -> Slip | None:
    """A card that lay on the table is laid elsewhere."""
    table = _table(position)
    cells = [cell for cell, face in table.table.faces.items() if CARD_OF[face] != JOKER]
    free = [cell for cell in _near(table) if cell in table.table.frontier]
    if len(cells) < 2 or not free:
        return None
    source = random.choice(cells)
    changes = {site(source): None, site(random.choice(free)): FACES[table.table.faces[source]]}
    return Slip(("place.taken",), changed(table.faces(), changes))


def taken_away(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    cells = [cell for cell, face in table.table.faces.items() if CARD_OF[face] != JOKER]
    return Slip(("place.taken",), changed(table.faces(), {site(random.choice(cells)): None}))


def two_cards(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    first = _placings(table)
    if not first:
        return None
    then = table.after(random.choice(first))
    if then.outcome is not None:
        return None
    second = _placings(then)
    return Slip(("place.two",), then.after(random.choice(second)).faces()) if second else None


def swap_no_joker(position: Position, random: Random) -> Slip | None:
    """A card put in the place of another that is not the joker."""
    table = _table(position)
    cells = [cell for cell, face in table.table.faces.items() if CARD_OF[face] != JOKER]
    tries = [Swap(face, cell) for face in _unseen(table) for cell in cells]
    return _refused(table, tries, "swap.not-joker", random)


def swap_no_fit(position: Position, random: Random) -> Slip | None:
    table = _table(position)
    cell = table.table.joker
    return None if cell is None else _refused(table, [Swap(face, cell) for face in _unseen(table)], "swap.fit", random)


def _placings(position: TriominosPosition) -> list[Action]:
    free = set(_near(position))
    return [action for action in position.legal() if isinstance(action, Place) and action.cell in free]


def _refused(position: TriominosPosition, tries: Sequence[Place | Swap], rule: str, random: Random) -> Slip | None:
    """A random one of these that breaks this rule, carried out anyway."""
    for action in random.sample(tries, min(60, len(tries))):
        refusals = [each.rule for each in position.refusals(action) if each.rule != "place.card"]
        if refusals and refusals[0] == rule:
            faces: dict[str, Face | None] = {site(action.cell): FACES[action.face]}
            return Slip((rule,), changed(position.faces(), faces))
    return None


MAKERS = (wrong_corner, no_side, askew, moved, taken_away, two_cards, swap_no_joker, swap_no_fit)
