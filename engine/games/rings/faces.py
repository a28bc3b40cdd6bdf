"""What a cell of the three rings can show: a pawn."""

from __future__ import annotations

from engine.core import COLOURS
from engine.face import Face, FaceSet

FACES = FaceSet(Face(colour, colour, pieces=(f"pawn-{colour}",)) for colour in COLOURS)
BY_SEAT = FACES.lawful
"""The pawn of each seat."""
