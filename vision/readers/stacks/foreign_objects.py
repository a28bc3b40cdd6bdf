"""What lies on the board that is no stack: a hand, a sleeve.

Somewhere its colour is clearly not that of the print, over more than the width of a stack; from there it reaches as far
as the colour is not quite that of the print.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.flatten.colour import FROM_CODE, added, chroma
from vision.flatten.flat_view import FlatView
from vision.frame import Image, Mask

CERTAIN, WIDE = 0.17, 11
"""How far, in shares of blue, green and red, it is off the print's colour, and over how many cells each way: a stack's
shadow, which is coloured if lamp and room have light of two colours, is not so wide …"""
PERHAPS, NARROW = 0.1, 3
"""… and over how many it goes on as long as it is so far off."""
EDGE = 3
"""Cells: what is beside it may be half of it."""


def find_foreign_objects(view: FlatView, fronts: Image) -> Mask:
    """Where, in the flat picture, there is such a thing; where a stack stands in front (`fronts` is not 0) nobody
    asks."""
    cell = view.plane.cell
    seen = FROM_CODE.take(np.asarray(_coarse(view.codes, cell), np.uint8))
    printed = np.square(_coarse(cv2.sqrt(view.expected), cell), dtype=np.float32)
    off = added((chroma(seen) - chroma(printed)) ** 2)
    asked = view.plane.known[::cell, ::cell] & (_widened(fronts, EDGE)[::cell, ::cell] == 0)
    certain = _opened((off > CERTAIN**2) & asked, WIDE)
    _, parts = cv2.connectedComponents(certain | _opened((off > PERHAPS**2) & asked, NARROW))
    found = np.isin(parts, np.unique(parts[certain > 0])).astype(np.uint8)
    return np.asarray(cv2.resize(_widened(found, EDGE), view.plane.size, interpolation=cv2.INTER_NEAREST) > 0)


def _coarse(picture: cv2.typing.MatLike, cell: int) -> cv2.typing.MatLike:
    return cv2.resize(picture, None, fx=1 / cell, fy=1 / cell, interpolation=cv2.INTER_AREA)


def _opened(mask: Mask, cells: int) -> Image:
    """What of a mask is so wide."""
    kernel = np.ones((cells, cells), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)


def _widened(mask: Image, cells: int) -> Image:
    return np.asarray(cv2.dilate(mask, np.ones((cells, cells), np.uint8)), np.uint8)
