"""The cards on the table, and what follows from where they lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.games.triominos.cards import CARD_OF, FREE, JOKER, JOKER_FACE
from engine.games.triominos.lattice import Cell, Vertex, around, corners, sides


@dataclass(frozen=True, slots=True)
class LaidCards:
    """The cards on the table. Immutable: laying a card returns a new one."""

    faces: Mapping[Cell, str] = field(default_factory=dict)
    """For every filled cell its corner values, clockwise from the apex."""
    places: Mapping[str, Cell] = field(default_factory=dict, compare=False)
    """Where each card lies."""
    values: Mapping[Vertex, str] = field(default_factory=dict, compare=False)
    """The value of every vertex that has one; the joker gives none."""
    frontier: frozenset[Cell] = field(default=frozenset(), compare=False)
    """Free cells that share a side with a card."""

    def __hash__(self) -> int:
        return hash(frozenset(self.faces.items()))

    @property
    def joker(self) -> Cell | None:
        return self.places.get(JOKER)

    def asked(self, cell: Cell) -> str:
        """The values at the vertices of a cell, clockwise from its apex: `?43` if the apex is free."""
        one, two, three = corners(cell)
        get = self.values.get
        return get(one, FREE) + get(two, FREE) + get(three, FREE)

    def lay(self, cell: Cell, face: str) -> LaidCards:
        """The table with a card laid on a free cell, or put in the place of the joker."""
        faces = {**self.faces, cell: face}
        places = {**self.places, CARD_OF[face]: cell}
        if self.faces.get(cell) == JOKER_FACE:
            del places[JOKER]
        values = self.values
        if face != JOKER_FACE:
            values = {**values, **dict(zip(corners(cell), face, strict=True))}
        frontier = (self.frontier - {cell}).union([side for side in sides(cell) if side not in faces])
        return LaidCards(faces, places, values, frontier)

    def bonus(self, cell: Cell) -> int:
        """Extra chips for filling this free cell: one for each hexagon that it closes, or one for a bridge."""
        near = [side in self.faces for side in sides(cell)]
        if sum(near) == 1:
            opposite = corners(cell)[near.index(True)]
            return int(any(other in self.faces for other in around(opposite)))
        return sum(all(other == cell or other in self.faces for other in around(corner)) for corner in corners(cell))
