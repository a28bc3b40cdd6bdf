"""The light on the table: white balance and brightness, told by how the board's own print looks in it.

Colours are taken as reflectances: what a place sends divided by what a white place there would send.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import Floats, Image
from vision.scenery import PX_PER_MM, TO_LINEAR, Map, Mask, Scenery

CELL = 4
"""Pixels of the flat picture whose average is taken at once."""
FLOOR = 0.012
"""Of white: what stray light and noise add to every colour; it keeps the colour of black from meaning anything."""
ROUNDS = 4


@dataclass(frozen=True, eq=False)
class Light:
    """What a white place sends, as linear blue, green, red: one colour, its brightness changing over the board."""

    balance: Floats
    """Blue, green and red of white, green being 1."""
    slope: Floats
    """Log brightness over the board as a polynomial of second order in x and y (in units of 100 mm)."""

    def brightness(self, places: Floats) -> Floats:
        """Linear green of white at places on the board, millimetres."""
        return np.exp(_terms(np.asarray(places)) @ self.slope)


def _terms(places: Floats) -> Floats:
    x, y = places[..., 0] / 100, places[..., 1] / 100
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


def cells(flat: Map) -> Map:
    """The flat picture's average colours, cell by cell."""
    height, width = flat.shape[:2]
    return cv2.resize(flat, (width // CELL, height // CELL), interpolation=cv2.INTER_AREA)


def to_linear(flat: Image) -> Map:
    return cv2.LUT(flat, TO_LINEAR)


def cell_places(scenery: Scenery) -> Floats:
    """The middle of every cell on the board, millimetres."""
    width, height = scenery.size[0] // CELL, scenery.size[1] // CELL
    x, y = np.meshgrid((np.arange(width) + 0.5) * CELL - 0.5, (np.arange(height) + 0.5) * CELL - 0.5)
    return (np.dstack([x, y]) - (np.array(scenery.size) - 1) / 2) / PX_PER_MM


def estimate(seen: Map, expected: Map, places: Floats, usable: Mask) -> Light:
    """The light that makes the expected colours look like those seen, in most of the usable cells.

    Places where a shadow, a hand or a piece is count less and less (they fit worse than most).
    """
    bright = usable & (expected.min(axis=2) > 0.02)
    ratio = np.log((seen[bright] + 1e-4) / (expected[bright] + 1e-4))
    terms = _terms(places[bright])
    balance = np.median(ratio - ratio[:, 1:2], axis=0)
    weight = expected[bright][:, 1].astype(float)
    weight *= np.exp(-(((ratio - ratio[:, 1:2] - balance) / 0.15) ** 2).sum(axis=1) / 2) + 1e-6
    slope = np.zeros(6)
    slope[0] = np.median(ratio[:, 1])
    current = weight
    for _ in range(ROUNDS):
        miss = ratio[:, 1] - terms @ slope
        # Shadows are much commoner than glare: what is darker than the fit is left out sooner.
        current = weight * np.exp(-((miss / np.where(miss < 0, 0.35, 0.5)) ** 2) / 2)
        normal = (terms * current[:, None]).T @ terms + np.diag([1e-6, 0.5, 0.5, 2.0, 2.0, 2.0])
        slope = np.linalg.solve(normal, (terms * current[:, None]).T @ ratio[:, 1])
    close = current > 0.2 * weight
    if close.sum() > 20:
        balance = np.median((ratio - ratio[:, 1:2])[close], axis=0)
    return Light(np.exp(balance), slope)


def chroma(reflectance: Floats) -> Floats:
    """Shares of blue, green and red; the same in shade and in light."""
    lifted = reflectance + FLOOR
    return lifted / lifted.sum(axis=-1, keepdims=True)
