"""The 24 cells of the three rings, and the lines through them.

Cells are numbered in page order (a1 … c8), eight a ring; a set of cells is an int with one bit each, so that a turn
is a rotation of eight bits and a line is a mask.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

RINGS = "abc"
NAMES = tuple(f"{ring}{radius}" for ring in RINGS for radius in range(1, 9))
INDEX = {name: cell for cell, name in enumerate(NAMES)}

ALL = (1 << 24) - 1
_FIRSTS = 0x010101
"""The cells of radius 1."""
_LASTS = 0x808080
"""The cells of radius 8."""

PAWNS = 10
"""Pawns of each player at the start."""
FLYING = 4
"""A player with an empty reserve flies with at most this many pawns on the track."""
OUT = 2
"""A player with no more pawns than this, on track and in reserve together, is out."""


def bits(cells: int) -> Iterator[int]:
    """The cells of a set, in page order."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest


def cell_set(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in set(cells))


def ring_cells(ring: int) -> int:
    return 255 << 8 * ring


def onward(cells: int) -> int:
    """Every cell of a set moved one radius clockwise, on all rings."""
    return (cells & ~_LASTS) << 1 | (cells & _LASTS) >> 7


def backward(cells: int) -> int:
    """Every cell of a set moved one radius counter-clockwise, on all rings."""
    return (cells & ~_FIRSTS) >> 1 | (cells & _FIRSTS) << 7


def turn_cells(cells: int, ring: int, clockwise: bool) -> int:
    """Where the pawns on a set of cells are after a ring turned by one radius."""
    carried = cells & ring_cells(ring)
    return cells ^ carried | (onward(carried) if clockwise else backward(carried))


def _around(cell: int) -> int:
    """Both cells beside it on its ring, and the cells of the next rings on its radius."""
    here = 1 << cell
    return (onward(here) | backward(here) | here << 8 | here >> 8) & ALL


NEIGHBOURS = tuple(_around(cell) for cell in range(24))
RADIUS_LINES = tuple(_FIRSTS << cell % 8 for cell in range(24))
"""For every cell the radius line through it."""


class RingLine(NamedTuple):
    """Three consecutive cells of one ring."""

    cells: int
    ends: int


def _ring_lines(cell: int) -> tuple[RingLine, ...]:
    first = backward(backward(1 << cell))
    lines = []
    for _ in range(3):
        last = onward(onward(first))
        lines.append(RingLine(first | onward(first) | last, first | last))
        first = onward(first)
    return tuple(lines)


RING_LINES = tuple(_ring_lines(cell) for cell in range(24))
"""For every cell p the ring lines that hold it: those that start, clockwise, at p-2, p-1 and p, in this order."""


def full_radii(cells: int) -> int:
    """The radii, as a set of eight, whose three cells are all in the set."""
    return cells & cells >> 8 & cells >> 16


def completing(cells: int) -> tuple[int, int]:
    """Where one more pawn completes a ring line with pawns on these cells, and where it completes a radius line."""
    behind, ahead = onward(cells), backward(cells)
    on_ring = behind & onward(behind) | behind & ahead | ahead & backward(ahead)
    inner, middle, outer = cells & 255, cells >> 8 & 255, cells >> 16
    return on_ring, middle & outer | (inner & outer) << 8 | (inner & middle) << 16
