"""The light on the table: white balance and brightness, judged by how the board's own print looks in it.

Colours are treated as reflectances: the light from a place divided by what a white place there would send.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.flatten.colour import BRIGHTEST, CLIPPED, LOGS, TO_LINEAR
from vision.flatten.plain_print import PlainPrint
from vision.flatten.rectifier import FlatPart
from vision.flatten.settings import LIGHT, IlluminationSettings
from vision.frame import Floats, Image, Map

GAIN_STEPS = np.float32(64)
"""Steps in which a brightness gain of 1 is stored: a byte holds gains up to four."""


@dataclass(frozen=True, eq=False)
class Illumination:
    """The light that a white place sends, as linear blue, green, red: one colour, with a brightness that varies over
    the board."""

    balance: Floats
    """Blue, green and red of white, green being 1."""
    slope: Floats
    """Log brightness over the board as a polynomial of second order in x and y (in units of 100 mm)."""
    contrast: float = 1.0
    """What the picture makes of light: its linear values are light raised to this power."""
    paleness: float = 1.0
    """By what factor its colours must be deepened."""

    def normalise(self, flat: Image, terms: Map, part: FlatPart, onto: Image | None = None) -> Image:
        """A flat picture as coded reflectances (see FROM_CODE): as if white light fell on it evenly.

        `terms` (6, rows, columns; see `terms_of`) are those of the middles of its cells. Outside the part it is black,
        or what it is laid `onto`.
        """
        logs = (self.slope.astype(np.float32) @ terms.reshape(6, -1)).reshape(terms.shape[1:])
        middle = float(logs.mean())
        gains = np.rint(np.clip(np.exp((np.float32(middle) - logs) / 2) * GAIN_STEPS, 1, 255)).astype(np.uint8)
        spread = np.ascontiguousarray(cv2.resize(gains, flat.shape[1::-1], interpolation=cv2.INTER_LINEAR)[part])
        white = self.balance * np.exp(middle)
        reflected = TO_LINEAR ** np.float32(1 / self.contrast) / white[:, None]
        tables = np.rint(255 * np.sqrt(np.minimum(1.0, reflected / BRIGHTEST))).astype(np.uint8)
        channels = cv2.split(flat[part])
        coded = (cv2.LUT(channel, table) for channel, table in zip(channels, tables, strict=True))
        even = [np.asarray(cv2.multiply(channel, spread, scale=1 / float(GAIN_STEPS)), np.uint8) for channel in coded]
        # A channel at the picture's limit may really be brighter: it counts as no less than the others.
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
        """The matrix that makes colours deeper and leaves greys as they are."""
        return np.asarray(self.paleness * np.eye(3) + (1 - self.paleness) / 3)


def estimate(
    flat: Image, plain: PlainPrint, contrast: float = 1.0, settings: IlluminationSettings = LIGHT
) -> Illumination:
    """The light that makes the expected colours look like those seen, in most of the plain places.

    Places under a shadow, a hand or a piece fit worse than most, and count less and less.
    """
    values = np.ascontiguousarray(flat.reshape(-1, 3).take(plain.pixels, axis=0).T)
    ratio = LOGS[values] / contrast - plain.logs
    green, tint = ratio[1], ratio[::2] - ratio[1]
    # A clipped channel says nothing about the light's colour.
    fair = plain.fair & (values.max(axis=0) < CLIPPED - settings.clear_of_clipped) & (values.min(axis=0) > 0)
    if fair.sum() < settings.least_fair:
        fair = np.ones(len(fair), dtype=bool)
    common = _commonest(tint[:, fair], settings)
    off = tint - common[:, None]
    weight = fair * plain.greens * (np.exp(-((off / settings.tint_spread) ** 2).sum(axis=0) / 2) + 1e-6)
    slope = np.zeros(6)
    slope[0] = np.quantile(green[fair], settings.first_guess)
    current = weight
    for _ in range(settings.rounds):
        miss = green - slope @ plain.terms
        # Shadows are much more common than glare: what is darker than the fit is left out sooner.
        current = weight * np.exp(-((miss / np.where(miss < 0, settings.shadow, settings.glare)) ** 2) / 2)
        weighted = plain.terms * current
        slope = np.linalg.solve(weighted @ plain.terms.T + np.diag(settings.stiff), weighted @ green)
    close = (current > settings.close * weight) & fair
    if close.sum() > settings.least_close:
        near = close & (np.abs(off).max(axis=0) < settings.tint_near * settings.tint_bin)
        common = np.median(tint[:, near if near.sum() > settings.least_close else close], axis=1)
    return Illumination(np.exp(np.array([common[0], 0.0, common[1]])), slope, contrast)


def _commonest(tints: Floats, settings: IlluminationSettings) -> Floats:
    """The tint (blue and red against green) that most places share: print in one light agrees, a sleeve does not."""
    step, count = settings.tint_bin, settings.tint_bins
    places = np.clip(np.rint(tints / step).astype(int) + count // 2, 0, count - 1)
    counts = np.bincount(places[0] * count + places[1], minlength=count**2).astype(np.float32)
    smooth = cv2.GaussianBlur(counts.reshape(count, count), (0, 0), settings.tint_blur)
    best = np.array(np.unravel_index(int(smooth.argmax()), smooth.shape))
    return np.asarray((best - count // 2) * step)
