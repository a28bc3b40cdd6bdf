"""A sheet's picture as light."""

from __future__ import annotations

from collections import OrderedDict

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Sheet
from hardware.printing.raster import Painter, SheetPicture
from hardware.virtual.painting.colour import linear

Texture = NDArray[np.float32]
"""(height, width, 4), linear blue, green and red times alpha, and alpha; in 0…1."""

INK, PAPER = 0.035, 0.88
"""Share of the light that the blackest and the whitest print reflect."""


_COLOURS = 3


def texture(picture: SheetPicture) -> Texture:
    """A picture as light, its colours weighted by alpha, so that it may be scaled and turned."""
    # No ink absorbs all light and no paper reflects all of it.
    light = (INK + (PAPER - INK) * linear(np.arange(256) / 255)).astype(np.float32)
    shares = np.arange(256, dtype=np.float32) / 255
    table = np.asarray(np.stack([light] * _COLOURS + [shares], axis=-1)[None], np.float32)
    found = np.asarray(cv2.LUT(picture, table), np.float32)
    found[..., :_COLOURS] *= found[..., _COLOURS:]
    return found


class Shelf:
    """The textures that were used last, at full and at half size: renderers of one board need not each make them."""

    def __init__(self, most: int) -> None:
        """`most`: bytes that they may take up."""
        self._most, self._taken = most, 0
        self._kept: OrderedDict[tuple[Painter, Sheet], list[Texture]] = OrderedDict()

    def levels(self, painter: Painter, sheet: Sheet) -> list[Texture]:
        key = (painter, sheet)
        if key not in self._kept:
            full = texture(painter(sheet))
            height, width = full.shape[:2]
            half = cv2.resize(full, ((width + 1) // 2, (height + 1) // 2), interpolation=cv2.INTER_AREA)
            self._kept[key] = [full, np.asarray(half, np.float32)]
            self._taken += _size(self._kept[key])
        self._kept.move_to_end(key)
        found = self._kept[key]
        while self._taken > self._most:
            self._taken -= _size(self._kept.popitem(last=False)[1])
        return found


def _size(levels: list[Texture]) -> int:
    return sum(level.nbytes for level in levels)


SHELF = Shelf(160 << 20)
