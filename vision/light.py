"""The light on the table: white balance and brightness, told by how the board's own print looks in it.

Colours are taken as reflectances: what a place sends divided by what a white place there would send.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Floats, Image
from vision.scenery import TO_LINEAR, Map

ROUNDS = 4
BRIGHTEST = 2.0
"""Of white: the largest reflectance that a balanced picture can show; glare can be brighter than paper."""
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

    def brightness(self, places: Floats) -> Floats:
        """Linear green of white at places on the board, millimetres."""
        return np.asarray(np.exp(_terms(np.asarray(places)) @ self.slope), dtype=float)

    def normalise(self, flat: Image, places: Floats) -> Image:
        """A flat picture as coded reflectances (see FROM_CODE): as if white light fell on it evenly.

        `places` are the middles of its cells.
        """
        field = self.brightness(places)
        middle = float(np.exp(np.mean(np.log(field))))
        white = self.balance * middle
        table = 255 * np.sqrt(np.minimum(1.0, TO_LINEAR[:, None] / white / BRIGHTEST))
        coded = cv2.LUT(flat, np.rint(table).astype(np.uint8)[None])
        gains = np.rint(np.clip(np.sqrt(middle / field) * STEPS, 1, 255)).astype(np.uint8)
        spread = cv2.resize(gains, (flat.shape[1], flat.shape[0]), interpolation=cv2.INTER_LINEAR)
        even = np.asarray(cv2.multiply(coded, cv2.cvtColor(spread, cv2.COLOR_GRAY2BGR), scale=1 / STEPS), np.uint8)
        return _whiten(even, flat)


def _whiten(even: Image, flat: Image) -> Image:
    """Where a channel is at the picture's limit it may have been any brighter: it counts as no less than the others."""
    if cv2.minMaxLoc(flat.reshape(len(flat), -1))[1] < CLIPPED:
        return even
    channels = cv2.split(flat)
    clipped = [cv2.inRange(channel, np.array(CLIPPED), np.array(255)) for channel in channels]
    shares = cv2.split(even)
    top = cv2.max(cv2.max(shares[0], shares[1]), shares[2])
    raised = [cv2.copyTo(top, mask, share.copy()) for mask, share in zip(clipped, shares, strict=True)]
    return np.asarray(cv2.merge(raised), dtype=np.uint8)


def _terms(places: Floats) -> Floats:
    x, y = places[..., 0] / 100, places[..., 1] / 100
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


@dataclass(frozen=True, eq=False)
class Plain:
    """Places whose print is even and always the same, hardly ever under a piece: by them the light is told."""

    pixels: npt.NDArray[np.intp]
    """Of the flat picture, counted row by row."""
    places: Floats
    """Where they are on the board, millimetres."""
    colours: Floats
    """What is printed there, linear."""


def estimate(flat: Image, plain: Plain) -> Light:
    """The light that makes the expected colours look like those seen, in most of the plain places.

    Places where a shadow, a hand or a piece is count less and less (they fit worse than most).
    """
    values = flat.reshape(-1, 3)[plain.pixels]
    seen = TO_LINEAR[values].astype(float)
    wanted = plain.colours
    ratio = np.log((seen + 1e-4) / (wanted + 1e-4))
    terms = _terms(plain.places)
    tint = ratio - ratio[:, 1:2]
    # A clipped channel tells nothing of the light's colour.
    fair = (values.max(axis=1) < CLIPPED - 5) & (values.min(axis=1) > 0)
    if fair.sum() < LEAST_FAIR:
        fair = np.ones(len(seen), dtype=bool)
    balance = _commonest(tint[fair])
    weight = fair * wanted[:, 1] * (np.exp(-(((tint - balance) / 0.15) ** 2).sum(axis=1) / 2) + 1e-6)
    slope = np.zeros(6)
    slope[0] = np.quantile(ratio[fair, 1], 0.6)
    current = weight
    for _ in range(ROUNDS):
        miss = ratio[:, 1] - terms @ slope
        # Shadows are much commoner than glare: what is darker than the fit is left out sooner.
        current = weight * np.exp(-((miss / np.where(miss < 0, 0.35, 0.5)) ** 2) / 2)
        normal = (terms * current[:, None]).T @ terms + np.diag([1e-6, 0.5, 0.5, 2.0, 2.0, 2.0])
        slope = np.linalg.solve(normal, (terms * current[:, None]).T @ ratio[:, 1])
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
    return np.asarray(lifted / lifted.sum(axis=-1, keepdims=True), dtype=float)
