"""The triangular lattice: cells, the corners they share, and what lies around.

A cell is up (apex north) if x + y is even, else down. Corners are counted clockwise from the apex.
"""

from __future__ import annotations

from functools import lru_cache

Cell = tuple[int, int]
Vertex = tuple[int, int]

FIRST: Cell = (0, 0)
"""Where the first card lies."""


def site(cell: Cell) -> str:
    """The cell's name, the same in every layer."""
    return f"{cell[0]},{cell[1]}"


def is_up(cell: Cell) -> bool:
    return (cell[0] + cell[1]) % 2 == 0


@lru_cache(maxsize=4096)
def corners(cell: Cell) -> tuple[Vertex, Vertex, Vertex]:
    """The vertices of a cell, clockwise from its apex."""
    x, y = cell
    if is_up(cell):
        return (x, y), (x + 1, y + 1), (x - 1, y + 1)
    return (x, y + 1), (x - 1, y), (x + 1, y)


@lru_cache(maxsize=4096)
def sides(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """The side neighbours of a cell, each at the place of the corner that it lies opposite to."""
    x, y = cell
    if is_up(cell):
        return (x, y + 1), (x - 1, y), (x + 1, y)
    return (x, y - 1), (x + 1, y), (x - 1, y)


@lru_cache(maxsize=4096)
def around(vertex: Vertex) -> tuple[Cell, ...]:
    """The six cells that meet in a vertex."""
    x, y = vertex
    return tuple((x + right, y + down) for down in (-1, 0) for right in (-1, 0, 1))
