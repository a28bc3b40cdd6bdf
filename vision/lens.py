"""The lens: OpenCV's model with one focal length in each direction and radial distortion."""

from __future__ import annotations

from dataclasses import dataclass
from math import radians, tan

import numpy as np

from vision.frame import Floats


class LensError(ValueError):
    """The lens does not belong to the picture."""


@dataclass(frozen=True)
class Lens:
    """Focal lengths and centre in pixels of a picture of this size; terms that are missing are 0."""

    size: tuple[int, int]
    fx: float
    fy: float
    cx: float
    cy: float
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    @classmethod
    def guess(cls, size: tuple[int, int], hfov: float, k1: float = 0.0) -> Lens:
        """A plain lens with this horizontal field of view, in degrees."""
        focal = size[0] / 2 / tan(radians(hfov) / 2)
        return cls(size, focal, focal, (size[0] - 1) / 2, (size[1] - 1) / 2, k1)

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for a picture of another size, or turned on its side."""
        if size == self.size:
            return self
        if (size[0] < size[1]) != (self.size[0] < self.size[1]):
            raise LensError(f"the lens is for {self.size[0]}x{self.size[1]} pictures, not {size[0]}x{size[1]}")
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        return Lens(
            size, self.fx * sx, self.fy * sy, self.cx * sx, self.cy * sy, self.k1, self.k2, self.p1, self.p2, self.k3
        )

    @property
    def matrix(self) -> Floats:
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]])

    @property
    def distortion(self) -> Floats:
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3])
