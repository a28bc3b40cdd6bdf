"""The light on the table: white balance and brightness, told by how the board's own print looks in it.

Colours are taken as reflectances: what a place sends divided by what a white place there would send.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.board_plane import TO_LINEAR, Map, Mask, Part
from vision.frame import Floats, Image

ROUNDS = 4
BRIGHTEST = 2.0
"""Of white: the largest reflectance that a balanced picture can show; glare can be brighter than paper."""
STIFF = (1e-6, 0.5, 0.5, 2.0, 2.0, 2.0)
"""Weights that hold the terms of the light's slope near 0."""
FAINTEST = 1e-4
"""Of white: what is darker is not told apart."""
LOGS: Floats = np.log(TO_LINEAR.astype(float) + FAINTEST)
"""Log of the linear light of the 256 values of a picture."""
STEPS = np.float32(64)
"""Steps of a brightness gain of 1."""
FROM_CODE: Map = ((np.arange(256) / 255) ** 2 * BRIGHTEST).astype(np.float32)
"""Reflectances of the 256 values of a balanced picture: coded as roots, so that dark tones keep their detail."""
LEAST_FAIR = 100
"""Places that must be neither too bright nor too dark for the picture; if they are fewer, all count."""
TINT_BIN, TINT_BINS = 0.06, 81
"""Steps in which the light's colour is first sought (log ratio to green), and how many there are."""
DARK = 0.07
"""Of white: print that has less of a channel is dark in it."""
CLIPPED = 250
"""Value of a picture that stands for as much or more."""
FLOOR = 0.012
"""Of white: what stray light and noise add to every colour; it keeps the colour of black from meaning anything."""


@dataclass(frozen=True, eq=False)
class Illumination:
    """What a white place sends, as linear blue, green, red: one colour, its brightness changing over the board."""

    balance: Floats
    """Blue, green and red of white, green being 1."""
    slope: Floats
    """Log brightness over the board as a polynomial of second order in x and y (in units of 100 mm)."""
    contrast: float = 1.0
    """What the picture makes of light: its linear values are light to this power."""
    paleness: float = 1.0
    """How many times deeper its colours must be made."""

    def normalise(self, flat: Image, terms: Map, part: Part, onto: Image | None = None) -> Image:
        """A flat picture as coded reflectances (see FROM_CODE): as if white light fell on it evenly.

        `terms` (6, rows, columns; see `terms_of`) are those of the middles of its cells. But for a part it is black, or
        what it is laid `onto`.
        """
        logs = (self.slope.astype(np.float32) @ terms.reshape(6, -1)).reshape(terms.shape[1:])
        middle = float(logs.mean())
        gains = np.rint(np.clip(np.exp((np.float32(middle) - logs) / 2) * STEPS, 1, 255)).astype(np.uint8)
        spread = np.ascontiguousarray(cv2.resize(gains, flat.shape[1::-1], interpolation=cv2.INTER_LINEAR)[part])
        white = self.balance * np.exp(middle)
        reflected = TO_LINEAR ** np.float32(1 / self.contrast) / white[:, None]
        tables = np.rint(255 * np.sqrt(np.minimum(1.0, reflected / BRIGHTEST))).astype(np.uint8)
        channels = cv2.split(flat[part])
        coded = (cv2.LUT(channel, table) for channel, table in zip(channels, tables, strict=True))
        even = [np.asarray(cv2.multiply(channel, spread, scale=1 / float(STEPS)), np.uint8) for channel in coded]
        # Where a channel is at the picture's limit it may have been any brighter: it counts as no less than the others.
        if max(int(channel.max()) for channel in channels) >= CLIPPED:
            top = cv2.max(cv2.max(even[0], even[1]), even[2])
            for channel, seen in zip(even, channels, strict=True):
                cv2.copyTo(top, cv2.inRange(seen, np.array(CLIPPED), np.array(255)), channel)
        codes = np.zeros_like(flat) if onto is None else onto.copy()
        cv2.merge(even, dst=codes[part])
        if self.paleness != 1:
            codes[part] = cv2.transform(codes[part], self._deepening())
        return codes

    def _deepening(self) -> Floats:
        """What makes colours deeper and leaves greys as they are."""
        return np.asarray(self.paleness * np.eye(3) + (1 - self.paleness) / 3)


def terms_of(places: Floats) -> Floats:
    """Of places on the board, millimetres: the terms of the polynomial that is the light's log brightness there."""
    x, y = places[..., 0] / 100, places[..., 1] / 100
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)


@dataclass(frozen=True, eq=False)
class PlainPrint:
    """Places whose print is even and always the same, hardly ever under a piece: by them the light is told."""

    pixels: npt.NDArray[np.intp]
    """Of the flat picture, counted row by row."""
    terms: Floats
    """(6, places): of where they are on the board (see `terms_of`)."""
    logs: Floats
    """(3, places): what is printed there, as logs of linear light (see LOGS)."""
    greens: Floats
    """The linear green of it."""
    fair: Mask
    """Which of them tell the light's colour: over print that is dark in one channel gloss has the last word."""

    @classmethod
    def of(cls, pixels: npt.NDArray[np.intp], places: Floats, colours: Floats) -> PlainPrint:
        """These pixels of the flat picture, at these places, printed in these linear colours."""
        terms = np.ascontiguousarray(terms_of(places).T)
        logs = np.ascontiguousarray(np.log(colours + FAINTEST).T)
        return cls(pixels, terms, logs, colours[:, 1].copy(), colours.min(axis=1) > DARK)


def estimate(flat: Image, plain: PlainPrint, contrast: float = 1.0) -> Illumination:
    """The light that makes the expected colours look like those seen, in most of the plain places.

    Places where a shadow, a hand or a piece is count less and less (they fit worse than most).
    """
    values = np.ascontiguousarray(flat.reshape(-1, 3).take(plain.pixels, axis=0).T)
    ratio = LOGS[values] / contrast - plain.logs
    green, tint = ratio[1], ratio[::2] - ratio[1]
    # A clipped channel tells nothing of the light's colour.
    fair = plain.fair & (values.max(axis=0) < CLIPPED - 5) & (values.min(axis=0) > 0)
    if fair.sum() < LEAST_FAIR:
        fair = np.ones(len(fair), dtype=bool)
    common = _commonest(tint[:, fair])
    off = tint - common[:, None]
    weight = fair * plain.greens * (np.exp(-((off / 0.15) ** 2).sum(axis=0) / 2) + 1e-6)
    slope = np.zeros(6)
    slope[0] = np.quantile(green[fair], 0.6)
    current = weight
    for _ in range(ROUNDS):
        miss = green - slope @ plain.terms
        # Shadows are much commoner than glare: what is darker than the fit is left out sooner.
        current = weight * np.exp(-((miss / np.where(miss < 0, 0.35, 0.5)) ** 2) / 2)
        weighted = plain.terms * current
        slope = np.linalg.solve(weighted @ plain.terms.T + np.diag(STIFF), weighted @ green)
    close = (current > 0.2 * weight) & fair
    if close.sum() > 20:
        near = close & (np.abs(off).max(axis=0) < 3 * TINT_BIN)
        common = np.median(tint[:, near if near.sum() > 20 else close], axis=1)
    return Illumination(np.exp(np.array([common[0], 0.0, common[1]])), slope, contrast)


def _commonest(tints: Floats) -> Floats:
    """The tint (blue and red against green) that most places share: print in one light agrees, a sleeve does not."""
    places = np.clip(np.rint(tints / TINT_BIN).astype(int) + TINT_BINS // 2, 0, TINT_BINS - 1)
    counts = np.bincount(places[0] * TINT_BINS + places[1], minlength=TINT_BINS**2).astype(np.float32)
    smooth = cv2.GaussianBlur(counts.reshape(TINT_BINS, TINT_BINS), (0, 0), 1.5)
    best = np.array(np.unravel_index(int(smooth.argmax()), smooth.shape))
    return np.asarray((best - TINT_BINS // 2) * TINT_BIN)


def chroma(reflectance: npt.NDArray[np.floating]) -> Floats:
    """Shares of blue, green and red; the same in shade and in light."""
    lifted = reflectance + FLOOR
    return np.asarray(lifted / added(lifted)[..., None], dtype=float)


def added(colours: npt.NDArray[np.floating]) -> Floats:
    """Blue, green and red added up; many times faster than a sum over so short an axis."""
    return np.asarray(colours @ np.ones(3, colours.dtype))
