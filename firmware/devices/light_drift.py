"""Whether the light on the table is still the one for which a camera was locked."""

from __future__ import annotations

from collections import deque
from statistics import median

import numpy as np

from vision.frame import Image

FACTOR = 1.4
"""How much brighter or darker, in linear light. From half as much again on, a piece or two is misread
(docs/cameras.md)."""
SECONDS = 3.0
"""How long it must have been so: a hand over the lens is gone by then."""
COARSE = 16
"""One pixel in so many of a row, and of a column, tells how bright a picture is."""
GAMMA = 2.2
DARK = 1e-3
"""What counts as no light at all."""


class LightDrift:
    """Compares what comes with how bright it was when the camera was locked."""

    def __init__(self) -> None:
        self._locked: float | None = None
        self._seen: deque[tuple[float, float]] = deque()
        """When, and how bright."""

    def lock(self) -> None:
        """The pictures from now on are those of a camera that was just locked."""
        self._locked = None
        self._seen.clear()

    def is_over(self, bgr: Image, seconds: float) -> bool:
        """Whether the light has been another one for a while; asked for every picture."""
        self._seen.append((seconds, brightness(bgr)))
        if seconds - self._seen[0][0] < SECONDS:
            return False
        while seconds - self._seen[0][0] > SECONDS:
            self._seen.popleft()
        if self._locked is None:
            self._locked = median(value for _, value in self._seen)
        ratios = [value / self._locked for _, value in self._seen]
        return min(ratios) > FACTOR or max(ratios) < 1 / FACTOR


def brightness(bgr: Image) -> float:
    """How bright most of a picture is, in linear light."""
    level = float(np.median(bgr[::COARSE, ::COARSE].max(axis=2))) / 255
    return max(DARK, float(level**GAMMA))
