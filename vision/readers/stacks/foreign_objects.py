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
from vision.readers.stacks.settings import FOREIGN


def find_foreign_objects(view: FlatView, fronts: Image) -> Mask:
    """Where, in the flat picture, there is such a thing; where a stack stands in front (`fronts` is not 0) nobody
    asks."""
    cell = view.plane.cell
    seen = FROM_CODE.take(np.asarray(_coarse(view.codes, cell), np.uint8))
    printed = np.square(_coarse(cv2.sqrt(view.expected), cell), dtype=np.float32)
    off = added((chroma(seen) - chroma(printed)) ** 2)
    asked = view.plane.known[::cell, ::cell] & (_widened(fronts, FOREIGN.edge)[::cell, ::cell] == 0)
    certain = _opened((off > FOREIGN.certain**2) & asked, FOREIGN.wide)
    _, parts = cv2.connectedComponents(certain | _opened((off > FOREIGN.perhaps**2) & asked, FOREIGN.narrow))
    found = np.isin(parts, np.unique(parts[certain > 0])).astype(np.uint8)
    return np.asarray(cv2.resize(_widened(found, FOREIGN.edge), view.plane.size, interpolation=cv2.INTER_NEAREST) > 0)


def _coarse(picture: cv2.typing.MatLike, cell: int) -> cv2.typing.MatLike:
    return cv2.resize(picture, None, fx=1 / cell, fy=1 / cell, interpolation=cv2.INTER_AREA)


def _opened(mask: Mask, cells: int) -> Image:
    """The parts of a mask that are at least this wide."""
    kernel = np.ones((cells, cells), np.uint8)
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, kernel), np.uint8)


def _widened(mask: Image, cells: int) -> Image:
    return np.asarray(cv2.dilate(mask, np.ones((cells, cells), np.uint8)), np.uint8)
