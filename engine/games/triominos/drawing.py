"""The table of Triominos in plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engine.canvas import Label, picture
from engine.core import COLOURS
from engine.games.triominos.lattice import Cell, is_up, site

if TYPE_CHECKING:
    from engine.games.triominos.rules import TriominosPosition

_SCALE = 5
"""Columns of half a side, and rows of a card."""


def draw(position: TriominosPosition) -> str:
    """The cards as they lie, each with its cell's name, and what everybody has."""
    cards = sorted(position.table.faces.items())
    labels = [label for cell, _ in cards for label in _outline(cell)]
    labels += [label for cell, face in cards for label in _values(cell, face)]
    lines = [picture(labels), "", f"pot: {len(position.pot)} cards"]
    for seat, rack in enumerate(position.racks):
        turn = ", to play" if seat == position.seat else ""
        joker = ", with the joker" if seat == position.joker_with else ""
        lines.append(f"{COLOURS[seat]}: {len(rack)} cards{joker}, {position.chips[seat]} chips{turn}")
    if position.turns_left is not None:
        lines.append(f"turns left: {position.turns_left}")
    return "\n".join(lines)


def _place(cell: Cell, right: int, from_apex: int, text: str) -> Label:
    """A text in a cell: columns to the right of its middle, rows away from its apex."""
    x, y = cell
    down = from_apex if is_up(cell) else _SCALE - from_apex
    # Half a column more, because the picture wants the middle of a text.
    return x * _SCALE + right + 0.5, y * _SCALE + down, text


def _outline(cell: Cell) -> Iterator[Label]:
    left, right = ("/", "\\") if is_up(cell) else ("\\", "/")
    yield _place(cell, 0, _SCALE, "-" * (2 * _SCALE - 1))
    for column, row in ((0, 0), (-_SCALE, _SCALE), (_SCALE, _SCALE)):
        yield _place(cell, column, row, ".")
    for row in range(1, _SCALE):
        yield _place(cell, -row, row, left)
        yield _place(cell, row, row, right)


def _values(cell: Cell, face: str) -> Iterator[Label]:
    # Clockwise from the apex: to the right first if the apex is up, to the left first if it is down.
    inner = _SCALE - 2 if is_up(cell) else 2 - _SCALE
    yield _place(cell, 0, _SCALE - 2, site(cell))
    yield _place(cell, 0, 1, face[0])
    yield _place(cell, inner, _SCALE - 1, face[1])
    yield _place(cell, -inner, _SCALE - 1, face[2])
