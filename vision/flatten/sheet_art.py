"""The printed art of sheets, as it lies in the flat picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Sheet
from vision.flatten.colour import TO_LINEAR
from vision.flatten.settings import FlatSettings
from vision.frame import Floats, Image, Map

Pictures = Mapping[str, Image]
"""For each sheet its printed picture: blue, green, red and alpha, covering the sheet's size exactly."""


@dataclass(frozen=True, eq=False)
class SheetArt:
    """The art of a sheet in one position: where it lies in the flat picture, its colours and how much it covers."""

    x: int
    y: int
    colours: Map
    cover: Map

    def place(self, whole: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """The part of a flat picture where it lies."""
        high, wide = self.cover.shape
        return whole[self.y : self.y + high, self.x : self.x + wide]

    def draw(self, picture: Map) -> None:
        """Lay it over a flat picture."""
        part = self.place(picture)
        part[...] = cv2.blendLinear(self.colours, np.asarray(part, np.float32), self.cover, 1 - self.cover)


def soften(sheet: Sheet, picture: Image, settings: FlatSettings) -> Map:
    """A sheet's picture in linear light, about as sharp as a camera shows it."""
    shrink = max(1, round(picture.shape[1] / sheet.size[0] / (2 * settings.px_per_mm)))
    small = cv2.resize(_light(picture), None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), settings.art_blur * small.shape[1] / sheet.size[0]), np.float32)


def lay(art: Map, corners: Floats, size: tuple[int, int], margin: int) -> SheetArt:
    """Softened art in a flat picture of this size, given its north-west, north-east and south-west corners (3, 2)."""
    high, wide = art.shape[:2]
    own = [(-0.5, -0.5), (wide - 0.5, -0.5), (-0.5, high - 0.5)]
    every = np.vstack([corners, corners[1] + corners[2] - corners[0]])
    left, top = np.maximum(0, np.floor(every.min(axis=0))).astype(int)
    right, bottom = np.minimum(size, np.ceil(every.max(axis=0)) + 1).astype(int)
    way = cv2.getAffineTransform(np.array(own, dtype=np.float32), (corners - np.array((left, top))).astype(np.float32))
    laid = np.asarray(
        cv2.warpAffine(art, way, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR), dtype=np.float32
    )
    x, y, wide, high = cv2.boundingRect((laid[..., 3] > 0).astype(np.uint8))
    x, y, right, bottom = max(0, x - margin), max(0, y - margin), x + wide + margin, y + high + margin
    laid = laid[y:bottom, x:right]
    colours = np.asarray(laid[..., :3] / np.maximum(laid[..., 3:], np.float32(1e-3)), np.float32)
    return SheetArt(int(left) + x, int(top) + y, colours, np.ascontiguousarray(laid[..., 3]))


_SHARES = np.arange(256, dtype=np.float32) / 255
_LIGHT: Map = np.stack([TO_LINEAR, TO_LINEAR, TO_LINEAR, _SHARES], axis=-1)[None]


def _light(picture: Image) -> Map:
    """A picture in linear light, weighted by alpha, so that it may be scaled and turned."""
    light = np.asarray(cv2.LUT(picture, _LIGHT), np.float32)
    light[..., :3] *= light[..., 3:]
    return light
