"""Memento's board in plain text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.canvas import picture
from engine.core import COLOURS
from engine.games.memento.points import NAMES

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition

# Places in one triangle, apex up, as (right, down) with its height and half its base as units.
_PLACES = ((0.0, 0.0), (1.0, 1.0), (-1.0, 1.0), (0.0, 1.0), (-0.5, 0.5), (0.5, 0.5), (0.0, 0.66))
_GAP = 0.45
_SHIFT = {"T": (0.0, 0.0), "L": (-1.0 - _GAP, 1 + _GAP), "R": (1.0 + _GAP, 1 + _GAP), "I": (0.0, 2 + _GAP)}
_COLUMNS, _ROWS = 15, 8


def draw(position: MementoPosition) -> str:
    """The four triangles; a free point shows its name, a figure its colour and height: `T1=R2`."""
    faces = position.faces()
    labels = []
    for name in NAMES:
        tile, place = name[0], int(name[1]) - 1
        right, down = _PLACES[place]
        if tile == "I":
            right, down = -right, -down
        x, y = _SHIFT[tile][0] + right, _SHIFT[tile][1] + down
        face = faces.get(name)
        labels.append((x * _COLUMNS, y * _ROWS, f"{name}={face.kind[0].upper()}{face.level}" if face else name))
    markers = "  ".join(f"{COLOURS[seat]} {position.spare_markers(seat)}" for seat in range(position.players))
    return f"{picture(labels)}\n\nin supply: {position.supply} stones; spare markers: {markers}"
