"""A picture, checked once on the way in."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import cv2
import numpy as np
import numpy.typing as npt

Image: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float64]
Numbers: TypeAlias = npt.NDArray[np.intp]
Map: TypeAlias = npt.NDArray[np.float32]
Mask: TypeAlias = npt.NDArray[np.bool_]

SMALLEST, LARGEST = 120, 8192
"""Sides of a picture in pixels: with less there is nothing to read, with more it would not fit in memory."""


GLANCE = 4
"""Side, in pixels, of the squares whose averages show whether anything has changed at all."""


class PictureError(ValueError):
    """The picture cannot be used; the text says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, always 8-bit BGR, with the moment it was taken."""

    bgr: Image
    seconds: float = 0.0
    colourless: bool = False
    """Whether colours cannot be told apart, as with a hand on the lens or at night."""

    def __post_init__(self) -> None:
        if self.bgr.dtype != np.uint8 or self.bgr.ndim != 3 or self.bgr.shape[2] != 3:
            raise PictureError(f"expected (height, width, 3) uint8 BGR, got {self.bgr.shape} {self.bgr.dtype}")
        height, width = self.bgr.shape[:2]
        if min(height, width) < SMALLEST or max(height, width) > LARGEST:
            raise PictureError(
                f"a picture of {width}x{height} pixels cannot be read: its sides must be {SMALLEST} to {LARGEST}"
            )

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.bgr.shape[1], self.bgr.shape[0]

    @cached_property
    def glance(self) -> Image:
        """The picture, coarsely."""
        small = cv2.resize(self.bgr, None, fx=1 / GLANCE, fy=1 / GLANCE, interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)
