"""The pose that fits the fiducials best: Gauss-Newton on pose, swelling and, if it is not known, the lens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log, sqrt

import cv2
import numpy as np

from vision.find.lens import Lens
from vision.find.settings import FindSettings
from vision.frame import Floats

POSE, SWELLING, FOCAL, BEND, AXIS = slice(0, 6), 6, 7, 8, slice(9, 11)
"""Indices of what is fitted: rotation and place, pixels by which corners appear too far out, log focal length, k1,
centre."""
HELD = 6
"""From this index on, values are held near what is usual."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """Where the camera is, with what lens, and how well that is known."""

    lens: Lens
    rvec: Floats
    tvec: Floats
    noise: float
    """Pixels: how far corners are off, one sigma."""
    focal_doubt: float
    swelling: float


@dataclass(eq=False)
class PoseFit:
    """One fit: of corners `seen` in the picture (n, 2) to their `points` on the board (n, 3).

    Swelling: blur, ink and the picture's tone curve move all corners of dark squares the same way, inward or outward.
    How well corners are found differs from picture to picture, so the noise is taken from the fit itself.
    """

    points: Floats
    seen: Floats
    lens: Lens
    free_lens: bool
    """Whether the lens is fitted too."""
    settings: FindSettings

    def run(self, rvec: Floats, tvec: Floats) -> Fitted | None:
        """The fit from a start nearby; None if it diverges or puts the board behind the camera."""
        lens, settings = self.lens, self.settings
        self.outward = outward(self.seen)
        self.state = np.concatenate([rvec, tvec, [0.0, log(lens.fx), lens.k1, lens.cx, lens.cy]])
        self.count = len(self.state) if self.free_lens else FOCAL
        self.noise = settings.worst_fit
        cost = np.inf
        for number in range(settings.rounds):
            total = self._step(is_first=number == 0)
            if total is None:
                return None
            if number > 1 and abs(cost - total) < settings.settled * (1 + total):
                break
            cost = total
        if self.state[5] <= 0:
            return None
        doubt = sqrt(max(0.0, float(self.covariance[FOCAL, FOCAL]))) if self.free_lens else 0.0
        state = self.state
        return Fitted(self._lens(), state[:3].copy(), state[3:6].copy(), self.noise, doubt, float(state[SWELLING]))

    def _step(self, is_first: bool) -> float | None:
        """One step of the fit; gives the cost before it, or None if it diverges."""
        now, limit = self._lens(), self.settings.overflow
        pixels, slopes = cv2.projectPoints(self.points, self.state[:3], self.state[3:6], now.matrix, now.distortion)
        if not (np.abs(pixels).max() < limit and np.abs(slopes).max() < limit):
            return None
        miss = (self.seen - pixels.reshape(-1, 2) - self.state[SWELLING] * self.outward).ravel()
        if not is_first:
            self.noise = self._noise_of(miss)
        miss /= self.noise
        far = np.linalg.norm(miss.reshape(-1, 2), axis=1)
        weight = np.minimum(1.0, self.settings.huber / np.maximum(far, 1e-9)).repeat(2)
        jacobian = self._jacobian(np.asarray(slopes, dtype=float), now)
        weighted = jacobian * weight[:, None]
        normal, gradient = weighted.T @ jacobian, weighted.T @ miss
        off, held = self._held()
        normal[np.arange(HELD, self.count), np.arange(HELD, self.count)] += held
        gradient[HELD:] += off * held
        try:
            self.covariance = np.linalg.inv(normal)
        except np.linalg.LinAlgError:
            return None
        self.state[: self.count] += self.covariance @ gradient
        if not (np.abs(self.state).max() < limit and self.state[FOCAL] < log(limit)):
            return None
        return float((weight * miss**2).sum() + (off**2 * held).sum())

    def _noise_of(self, miss: Floats) -> float:
        """Pixels: how far corners are off, leaving out the worst, and no more than one step earlier."""
        freedom = max(4, len(miss) - self.count)
        spread = float((np.minimum(np.abs(miss), self.settings.huber * self.noise) ** 2).sum()) / freedom
        return max(self.settings.corner_noise, min(self.noise, sqrt(spread)))

    def _jacobian(self, slopes: Floats, now: Lens) -> Floats:
        """How each corner moves, in sigmas, with each fitted value."""
        columns = [slopes[:, POSE], self.outward.reshape(-1, 1)]
        if self.free_lens:
            columns += [slopes[:, 6:7] * now.fx + slopes[:, 7:8] * now.fy, slopes[:, 10:11], slopes[:, 8:10]]
        return np.hstack(columns) / self.noise

    def _held(self) -> tuple[Floats, Floats]:
        """How far swelling and lens are from the usual values, and how firmly they are held there."""
        settings, size = self.settings, self.lens.size
        usual = Lens.guess(size, settings.focal_prior)
        means = np.array([0.0, log(usual.fx), settings.bend_prior, usual.cx, usual.cy])
        axis = settings.axis_doubt * max(size)
        weights = 1 / np.array([settings.swelling, settings.focal_doubt, settings.bend_doubt, axis, axis]) ** 2
        return (means - self.state[HELD:])[: self.count - HELD], weights[: self.count - HELD]

    def _lens(self) -> Lens:
        """The lens as it is fitted so far."""
        if not self.free_lens:
            return self.lens
        focal, (cx, cy) = float(np.exp(self.state[FOCAL])), self.state[AXIS].tolist()
        return replace(self.lens, fx=focal, fy=focal, k1=float(self.state[BEND]), cx=cx, cy=cy)


def outward(seen: Floats) -> Floats:
    """For every corner (n, 2) of every fiducial, the direction away from the fiducial's middle."""
    fours = seen.reshape(-1, 4, 2)
    away = fours - fours.mean(axis=1, keepdims=True)
    length = np.maximum(np.linalg.norm(away, axis=2, keepdims=True), 1e-9)
    return np.asarray(away / length, dtype=float).reshape(-1, 2)
