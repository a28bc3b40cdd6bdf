"""The lens: OpenCV's model with a focal length in each direction and radial distortion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan, degrees, hypot, radians, tan

import numpy as np

from vision.frame import Floats

FOCAL = 0.1, 100.0
"""Focal lengths as multiples of the picture's longer side: from wider than any lens to the view of a telescope."""
BENT = 2.0
"""No term of the distortion moves a corner of the picture by more than this many times its distance from the centre."""


class LensError(ValueError):
    """The lens does not belong to the picture."""


@dataclass(frozen=True)
class Lens:
    """Focal lengths and centre in pixels of a picture of this size; missing terms are 0."""

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
    def guess(cls, size: tuple[int, int], view: float, k1: float = 0.0) -> Lens:
        """A plain lens with this field of view along the longer side of the picture, in degrees."""
        focal = max(size) / 2 / tan(radians(view) / 2)
        return cls(size, focal, focal, (size[0] - 1) / 2, (size[1] - 1) / 2, k1)

    @property
    def view(self) -> float:
        """The field of view along the longer side of the picture, in degrees."""
        focal = self.fx if self.size[0] >= self.size[1] else self.fy
        return 2 * degrees(atan(max(self.size) / 2 / focal))

    def flaw(self) -> str:
        """Why no real lens can be like this; empty if one can."""
        longest, (low, high) = max(self.size), FOCAL
        if not all(low * longest <= focal <= high * longest for focal in (self.fx, self.fy)):
            return f"fx and fy must be between {low:g} and {high:g} times the longer side of the picture"
        if not all(-side <= at <= 2 * side for at, side in zip((self.cx, self.cy), self.size, strict=True)):
            return "cx and cy must be in the picture, or not far from it"
        far = hypot(self.size[0] / 2 / self.fx, self.size[1] / 2 / self.fy)
        terms = {"k1": far**2, "k2": far**4, "k3": far**6, "p1": far, "p2": far}
        for name, share in terms.items():
            if not abs(getattr(self, name)) * share <= BENT:
                return f"{name} would bend the picture beyond recognition"
        return ""

    def scaled(self, size: tuple[int, int]) -> Lens:
        """The same lens for a picture of another size; with another shape it shows more or less along its shorter side,
        as cameras do."""
        if size == self.size:
            return self
        if (size[0] < size[1]) != (self.size[0] < self.size[1]):
            raise LensError(
                f"the lens is for {self.size[0]}x{self.size[1]} pictures, not {size[0]}x{size[1]}: "
                "turn the camera back, or calibrate the lens again"
            )
        by = max(size) / max(self.size)
        # Measured from the picture's middle; the middle of its first pixel is at 0.
        cx, cy = (
            (at + 0.5 - old / 2) * by + new / 2 - 0.5
            for at, old, new in zip((self.cx, self.cy), self.size, size, strict=True)
        )
        return replace(self, size=size, fx=self.fx * by, fy=self.fy * by, cx=cx, cy=cy)

    @property
    def matrix(self) -> Floats:
        return np.array([[self.fx, 0, self.cx], [0, self.fy, self.cy], [0, 0, 1]])

    @property
    def distortion(self) -> Floats:
        return np.array([self.k1, self.k2, self.p1, self.p2, self.k3])
