"""What a point of Memento's board can show: stacks of stones with a marker on top, or without."""

from __future__ import annotations

from collections.abc import Iterator

from engine.core import COLOURS
from engine.face import BARE, Face, FaceSet
from engine.games.memento.points import TALLEST

HIGHEST = 2 * TALLEST
"""Stones of the highest stack there can be: one Tripple put on another, before three stones are taken off."""


def _declared() -> Iterator[Face]:
    for colour in COLOURS:
        for stones in range(1, HIGHEST + 1):
            pieces = ("stone",) * stones + (f"marker-{colour}",)
            yield Face(f"{colour}{stones}", colour, stones, pieces, lawful=stones <= TALLEST)
    for stones in range(1, HIGHEST + 1):
        yield Face(str(stones), BARE, stones, ("stone",) * stones, lawful=False)


FACES = FaceSet(_declared())
FIGURES = tuple(tuple(FACES.of(colour, stones) for stones in range(1, HIGHEST + 1)) for colour in COLOURS)
"""For every seat its figures, the lowest first."""


def seat_of(face: Face) -> int | None:
    """Whose marker lies on a stack; None for nobody's."""
    return None if face.kind == BARE else COLOURS.index(face.kind)
