"""A camera whose pictures tell when they were taken: each bears a number, and the moment of each is kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

import cv2
import numpy as np

from vision.frame import Image

BITS, BLOCK = 12, 16
"""A number is written as a row of black and white squares of so many pixels in the corner, which survive a JPEG."""
QUALITY = 85


class Shutter:
    """Takes the pictures of a film at a steady rate, first the first one for a while, until a stream flows."""

    def __init__(self, film: Sequence[Image], fps: float, lead: int) -> None:
        self._jpegs = [_jpeg(stamped(film[max(0, number - lead)], number)) for number in range(lead + len(film))]
        self._fps, self._lead = fps, lead
        self._start = time.monotonic()
        self._next, self._lock = 0, Lock()
        self.taken: dict[int, float] = {}
        """When each was taken."""

    @property
    def is_over(self) -> bool:
        return self._next >= len(self._jpegs)

    def counts(self, number: int) -> bool:
        """Whether a picture is one of the film."""
        return number >= self._lead

    def take(self) -> bytes | None:
        """The next picture, when it is due; None after the last."""
        with self._lock:
            if self._next == 0:
                self._start = time.monotonic()
            if self.is_over:
                return None
            number, self._next = self._next, self._next + 1
            time.sleep(max(0.0, self._start + number / self._fps - time.monotonic()))
            self.taken[number] = time.monotonic()
            return self._jpegs[number]


def stamped(bgr: Image, number: int) -> Image:
    """A picture that bears a number."""
    marked = bgr.copy()
    for bit in range(BITS):
        marked[:BLOCK, bit * BLOCK : (bit + 1) * BLOCK] = 255 if number >> bit & 1 else 0
    return marked


def number_of(bgr: Image) -> int:
    """The number that a picture bears."""
    row = bgr[:BLOCK, : BITS * BLOCK].reshape(BLOCK, BITS, BLOCK * 3)
    return sum(1 << bit for bit in range(BITS) if row[4:12, bit].mean() > 127)


def _jpeg(bgr: Image) -> bytes:
    return np.asarray(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1]).tobytes()
