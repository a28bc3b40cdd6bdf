"""The three rings in plain text."""

from __future__ import annotations

from math import cos, radians, sin
from typing import TYPE_CHECKING

from engine.canvas import Label, picture
from engine.core import COLOURS
from engine.games.rings.cells import NAMES, RINGS

if TYPE_CHECKING:
    from engine.games.rings.rules import RingsPosition

_COLUMNS, _ROWS = 9, 3
"""From one ring to the next."""


def draw(position: RingsPosition) -> str:
    """Radius 1 at the top, clockwise; a free cell shows its name, a pawn its colour: `b3=R`, or `b3=R*` if spent."""
    faces = position.faces()
    labels: list[Label] = [(*_place(cell, 0.5), "·") for cell in range(24)]
    for cell, name in enumerate(NAMES):
        spent = "*" if position.spent >> cell & 1 else ""
        labels.append((*_place(cell), f"{name}={faces[name].kind[0].upper()}{spent}" if name in faces else name))
    last = "none" if position.last_turned is None else RINGS[position.last_turned]
    reserve = "  ".join(f"{colour} {count}" for colour, count in zip(COLOURS, position.reserve, strict=False))
    return f"{picture(labels)}\n\nin reserve: {reserve}; ring turned last: {last}; * spent"


def _place(cell: int, further: float = 0.0) -> tuple[float, float]:
    """Where a cell is drawn, or a place further clockwise on its ring, in parts of a radius."""
    ring, radius = divmod(cell, 8)
    angle = radians(45 * (radius + further))
    return (ring + 1) * _COLUMNS * sin(angle), -(ring + 1) * _ROWS * cos(angle)
