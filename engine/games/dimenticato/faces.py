"""What a field of Dimenticato can show: a figure."""

from __future__ import annotations

from engine.core import COLOURS
from engine.face import Face, FaceSet

FACES = FaceSet(Face(colour, colour, pieces=(f"figure-{colour}",)) for colour in COLOURS)
BY_SEAT = FACES.lawful
"""The figure of each seat."""
