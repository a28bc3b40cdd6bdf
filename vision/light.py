"""The light on the table: white balance and brightness, told by how the board's own print looks in it.

Colours are taken as reflectances: what a place sends divided by what a white place there would send.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Floats, Image
from vision.scenery import TO_LINEAR, Map

ROUNDS = 4
BRIGHTEST = 2.0
"""Of white: the largest reflectance that a balanced picture can show; glare can be brighter than paper."""
STIFF = (1e-6, 0.5, 0.5, 2.0, 2.0, 2.0)
"""Weights that hold the terms of the light's slope near 0."""
FAINTEST = 1e-4
"""Of white: what is darker is not told apart."""
LOGS: Floats = np.log(TO_LINEAR.astype(float) + FAINTEST)
"""Log of the linear light of the 256 values of a picture."""
STEPS = 64.0
"""Steps of a brightness gain of 1."""
FROM_CODE: Map = ((np.arange(256) / 255) ** 2 * BRIGHTEST).astype(np.float32)
"""Reflectances of the 256 values of a balanced picture: coded as roots, so that dark tones keep their detail."""
LEAST_FAIR = 100
"""Places that must be neither too bright nor too dark for the picture; if they are fewer, all count."""
TINT_BIN, TINT_BINS = 0.06, 81
"""Steps in which the light's colour is first sought (log ratio to green), and how many there are."""
CLIPPED = 250
"""Value of a picture that stands for as much or more."""
FLOOR = 0.012
"""Of white: what stray light and noise add to every colour; it keeps the colour of black from meaning anything."""


@dataclass(frozen=True, eq=False)
class Light:
    """What a white place sends, as linear blue, green, red: one colour, its brightness changing over the board."""

    balance: Floats
    """Blue, green and red of white, green being 1."""
    slope: Floats
    """Log brightness over the board as a polynomial of second order in x and y (in units of 100 mm)."""

    def normalise(self, flat: Image, terms: Floats) -> Image:
        """A flat picture as coded reflectances (see FROM_CODE): as if white light fell on it evenly.

        `terms` (see `terms_of`) are those of the middles of its cells.
        """
        logs = terms @ self.slope
        middle = float(logs.mean())
        gains = np.rint(np.clip(np.exp((middle - logs) / 2) * STEPS, 1, 255)).astype(np.uint8)
        spread = cv2.resize(gains, (flat.shape[1], flat.shape[0]), interpolation=cv2.INTER_LINEAR)
        white = self.balance * np.exp(middle)
        tables = np.rint(255 * np.sqrt(np.minimum(1.0, TO_LINEAR / white[:, None] / BRIGHTEST))).astype(np.uint8)
        channels = cv2.split(flat)
        coded = (cv2.LUT(channel, table) for channel, table in zip(channels, tables, strict=True))
        even = [np.asarray(cv2.multiply(channel, spread, scale=1 / STEPS), np.uint8) for channel in coded]
        # Where a channel is at the picture's limit it may have been any brighter: it counts as no less than the others.
        clipped = [cv2.inRange(channel, np.array(CLIPPED), np.array(255)) for channel in channels]
        if any(cv2.countNonZero(mask) for mask in clipped):
            top = cv2.max(cv2.max(even[0], even[1]), even[2])
            for channel, mask in zip(even, clipped, strict=True):
                cv2.copyTo(top, mask, channel)
        return np.asarray(cv2.merge(even), dtype=np.uint8)


def terms_of(places: Floats) -> Floats:
    """Of places on the board, millimetres: the terms of the polynomial that is the light's log brightness there."""
    x, y = places[..., 0] / 100, places[..., 1] / 100
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


@dataclass(frozen=True, eq=False)
class Plain:
    """Places whose print is even and always the same, hardly ever under a piece: by them the light is told."""

    pixels: npt.NDArray[np.intp]
    """Of the flat picture, counted row by row."""
    terms: Floats
    """Of where they are on the board (see `terms_of`)."""
    colours: Floats
    """What is printed there, linear."""

    @cached_property
    def logs(self) -> Floats:
        return np.asarray(np.log(self.colours + FAINTEST))


def estimate(flat: Image, plain: Plain) -> Light:
    """The light that makes the expected colours look like those seen, in most of the plain places.

    Places where a shadow, a hand or a piece is count less and less (they fit worse than most).
    """
    values = flat.reshape(-1, 3).take(plain.pixels, axis=0)
    ratio = LOGS[values] - plain.logs
    terms = plain.terms
    tint = ratio - ratio[:, 1:2]
    # A clipped channel tells nothing of the light's colour.
    fair = (values.max(axis=1) < CLIPPED - 5) & (values.min(axis=1) > 0)
    if fair.sum() < LEAST_FAIR:
        fair = np.ones(len(values), dtype=bool)
    balance = _commonest(tint[fair])
    weight = fair * plain.colours[:, 1] * (np.exp(-added(((tint - balance) / 0.15) ** 2) / 2) + 1e-6)
    slope = np.zeros(6)
    slope[0] = np.quantile(ratio[fair, 1], 0.6)
    current = weight
    for _ in range(ROUNDS):
        miss = ratio[:, 1] - terms @ slope
        # Shadows are much commoner than glare: what is darker than the fit is left out sooner.
        current = weight * np.exp(-((miss / np.where(miss < 0, 0.35, 0.5)) ** 2) / 2)
        weighted = (terms * current[:, None]).T
        slope = np.linalg.solve(weighted @ terms + np.diag(STIFF), weighted @ ratio[:, 1])
    close = (current > 0.2 * weight) & fair
    if close.sum() > 20:
        near = close & (np.abs(tint - balance).max(axis=1) < 3 * TINT_BIN)
        balance = np.median(tint[near if near.sum() > 20 else close], axis=0)
    return Light(np.exp(balance), slope)


def _commonest(tints: Floats) -> Floats:
    """The tint that most places share: print in one light agrees, a sleeve or a hand does not."""
    places = np.clip(np.rint(tints[:, ::2] / TINT_BIN).astype(int) + TINT_BINS // 2, 0, TINT_BINS - 1)
    counts = np.bincount(places[:, 0] * TINT_BINS + places[:, 1], minlength=TINT_BINS**2).astype(np.float32)
    smooth = cv2.GaussianBlur(counts.reshape(TINT_BINS, TINT_BINS), (0, 0), 1.5)
    blue, red = np.unravel_index(int(smooth.argmax()), smooth.shape)
    return np.array([blue - TINT_BINS // 2, 0.0, red - TINT_BINS // 2]) * TINT_BIN


def chroma(reflectance: npt.NDArray[np.floating]) -> Floats:
    """Shares of blue, green and red; the same in shade and in light."""
    lifted = reflectance + FLOOR
    return np.asarray(lifted / added(lifted)[..., None], dtype=float)


def added(colours: npt.NDArray[np.floating]) -> Floats:
    """Blue, green and red added up; many times faster than a sum over so short an axis."""
    return np.asarray(colours @ np.ones(3, colours.dtype))
