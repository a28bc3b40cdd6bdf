"""Strokes and lettering that stand out on any picture."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.face import BARE, EMPTY, Face
from vision.frame import Floats, Image

Ink = tuple[int, int, int]
"""Blue, green and red."""

SURE = 0.9
"""A reading less likely than this is drawn as unsure."""
WHITE, BLACK, AMBER, GREEN, WOOD = (255, 255, 255), (20, 20, 20), (0, 170, 255), (70, 200, 60), (160, 200, 220)
LINE = 16.0
"""Pixels from one line of lettering to the next."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def ink_of(board: Board, kind: str) -> Ink:
    """The colour of the piece that a kind is recognised by, or that of wood."""
    top = board.faces.tops.get(kind)
    if top is None:
        return WOOD
    colour = board.pieces[top].colour
    return (int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16))


def in_words(face: Face) -> str:
    """A face as people name it: `red 2`, `stones 3`, `empty`."""
    if face == EMPTY:
        return "empty"
    return ("stones" if face.kind == BARE else face.kind) + (f" {face.level}" if face.level else "")


def stroke(picture: Image, points: Floats, ink: Sequence[int], closed: bool = True, width: int = 2) -> None:
    """A line with a dark edge."""
    for colour, thick in ((BLACK, width + 2), (ink, width)):
        cv2.polylines(picture, [fixed(points)], closed, colour, thick, cv2.LINE_AA, 4)


def dashes(picture: Image, points: Floats, ink: Sequence[int], width: int = 2) -> None:
    """A broken line round a shape of many points."""
    cv2.polylines(picture, [fixed(points)], True, BLACK, width + 2, cv2.LINE_AA, 4)
    for start in range(0, len(points), 4):
        cv2.polylines(picture, [fixed(points[start : start + 3])], False, ink, width, cv2.LINE_AA, 4)


def cross(picture: Image, ring: Floats, ink: Sequence[int]) -> None:
    """A cross within a ring of 24 points."""
    for one, other in ((3, 15), (9, 21)):
        cv2.polylines(picture, [fixed(ring[[one, other]])], False, BLACK, 4, cv2.LINE_AA, 4)
        cv2.polylines(picture, [fixed(ring[[one, other]])], False, ink, 1, cv2.LINE_AA, 4)


def label(picture: Image, at: Floats, text: str, size: float, ink: Sequence[int], centred: bool = True) -> None:
    """Lettering on a dark plate."""
    (width, height), below = cv2.getTextSize(text, FONT, size, 1)
    x, y = int(at[0] - (width / 2 if centred else 0)), int(at[1])
    cv2.rectangle(picture, (x - 3, y - height - 3), (x + width + 3, y + below), BLACK, cv2.FILLED)
    cv2.putText(picture, text, (x, y), FONT, size, ink, 1, cv2.LINE_AA)


def caption(picture: Image, text: str) -> None:
    """What the whole picture shows, in its lower left corner."""
    label(picture, np.array([10.0, picture.shape[0] - 12.0]), text, 0.5, WHITE, centred=False)


def fixed(points: Floats) -> npt.NDArray[np.int32]:
    """Points in sixteenths of a pixel, which OpenCV takes for smooth drawing."""
    return np.rint(points * 16).astype(np.int32)
