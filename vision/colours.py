"""What a pixel looks like and what it could be: marker, stone or printed board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.board import Board
from vision.frame import Floats, Image
from vision.light import Light, chroma
from vision.pose import Pose
from vision.scenery import TO_LINEAR, Map, Scenery, linear

SPREAD = 0.05
"""How far (in shares of blue, green and red) a colour is usually from its own."""
PALEST, DEEPEST, EDGE = 0.42, 1.1, 0.1
"""A glossy marker mirrors white light: its colour may be paler than its own by so much, hardly deeper; soft limits."""
SHADE, SHADES = -0.2, 0.6
"""Log brightness against what is expected: darker rather than lighter, and by how much it varies."""
STRANGE = 0.12
"""Density of what is none of the known things."""
QUIETEST, LOUDEST = -4.0, 1.2
"""The most that one pixel may say against and for something."""

PRINT, STONE, MARKER = -2, -1, 0
"""What may be wanted at a point: the printed board, a stone, or a marker (its number and up)."""


@dataclass(frozen=True, eq=False)
class Sight:
    """A picture with all that is needed to look at places of the board in it."""

    bgr: Image
    pose: Pose
    light: Light
    scenery: Scenery
    expected: Map
    """Linear colours of the empty board, flat."""

    def pixels(self, points: Floats) -> tuple[Floats, Floats]:
        """For points (n, 3) of the board the nearest pixels (n, 2), cut to the picture, and whether they are in it."""
        spots = np.rint(self.pose.project(points)).astype(np.intp)
        height, width = self.bgr.shape[:2]
        cut = np.clip(spots, 0, (width - 1, height - 1))
        return cut, (cut == spots).all(axis=1)

    def reflectances(self, pixels: Floats, places: Floats) -> Floats:
        """Colours (blue, green, red) of pixels against white in the light of these places of the board."""
        white = self.light.balance * self.light.brightness(places)[:, None]
        return TO_LINEAR[self.bgr[pixels[:, 1], pixels[:, 0]]] / white

    def ground(self, points: Floats) -> Floats:
        """The expected colour of the board where the ray through each point meets it."""
        eye, level = self.pose.eye, self.scenery.level
        steps = (eye[2] - level) / (eye[2] - points[:, 2])
        places = eye[:2] + (points[:, :2] - eye[:2]) * steps[:, None]
        spots = np.rint(self.scenery.to_flat(places)).astype(np.intp)
        width, height = self.scenery.size
        cut = np.clip(spots, 0, (width - 1, height - 1))
        return self.expected[cut[:, 1], cut[:, 0]]

    def window(self, x: int, y: int, side: int) -> Image | None:
        """A square of the picture; None if it is not wholly in it."""
        height, width = self.bgr.shape[:2]
        if x < 0 or y < 0 or x + side > width or y + side > height:
            return None
        return self.bgr[y : y + side, x : x + side]

    def scale(self, at: Floats, z: Floats | float) -> Floats:
        """Pixels a millimetre across the line of sight, at places (…, 2) of a height."""
        away = np.sqrt(((at - self.pose.eye[:2]) ** 2).sum(axis=-1) + (self.pose.eye[2] - z) ** 2)
        return self.pose.lens.fx / away

    def slant(self, at: Floats, z: Floats | float) -> Floats:
        """How much flatter a horizontal thing looks there: the cosine of the angle it is seen under."""
        level = np.sqrt(((at - self.pose.eye[:2]) ** 2).sum(axis=-1))
        down = self.pose.eye[2] - z
        return down / np.sqrt(level**2 + down**2)


class Palette:
    """The colours of a board's pieces, and how well a look fits them."""

    def __init__(self, board: Board, prefix: str) -> None:
        pieces = [piece for name, piece in board.pieces.items() if name.startswith(prefix)]
        self.colours = np.array([linear(piece.colour) for piece in pieces])
        towards = chroma(self.colours) - 1 / 3
        self.depths = np.linalg.norm(towards, axis=1)
        self.ways = towards / self.depths[:, None]
        self.stone = linear(board.pieces["stone"].colour) if "stone" in board.pieces else np.full(3, 0.5)

    def markers(self, seen: Floats) -> Floats:
        """For looks (n, 3) the density of each marker's colour (n, markers), in any shade and as pale as gloss makes it."""
        off = chroma(seen) - 1 / 3
        along = off @ self.ways.T
        across = np.maximum((off**2).sum(axis=1)[:, None] - along**2, 0.0)
        depth = along / self.depths
        outside = np.maximum(np.maximum(PALEST - depth, depth - DEEPEST), 0.0) / EDGE
        return np.exp(-0.5 * (across / SPREAD**2 + outside**2))

    def speak(self, seen: Floats, ground: Floats, wanted: Floats) -> Floats:
        """For every look how much it speaks for what is wanted there against anything else it could be."""
        markers = self.markers(seen)
        stone = fits(seen, self.stone)
        printed = fits(seen, ground)
        mine = np.where(wanted == PRINT, printed, stone)
        numbered = wanted >= MARKER
        mine[numbered] = markers[numbered, wanted[numbered]]
        anything = (printed + stone + markers.max(axis=1) + STRANGE) / 4
        return np.clip(np.log((mine + 0.02) / (anything + 0.02)), QUIETEST, LOUDEST)


def fits(seen: Floats, wanted: Floats, shade: float = SHADE, shades: float = SHADES) -> Floats:
    """Density of a look if this is what is there, in any shade."""
    off = ((chroma(seen) - chroma(wanted)) ** 2).sum(axis=-1) / SPREAD**2
    darker = np.log((seen.sum(axis=-1) + 0.03) / (wanted.sum(axis=-1) + 0.03))
    return np.exp(-0.5 * (off + ((darker - shade) / shades) ** 2))
