"""The lens, from photos of the printed chart: a chessboard whose light squares carry fiducials."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import acos, degrees

import cv2
import numpy as np

from vision.find.fiducials import find_fiducials
from vision.find.lens import Lens
from vision.frame import Floats, Frame, Image

FEWEST_PHOTOS, FEWEST_CORNERS = 4, 12
WORST_FIT = 1.5
"""Pixels: a lens that explains its own photos worse than this cannot be trusted."""
MOST_DOUBT, LEAST_ASLANT = 0.02, 10.0
"""How uncertain (relative, one sigma) the photos may leave the focal length, and the angle in degrees at which at least
one of them must show the chart."""


class CalibrationError(ValueError):
    """The photos do not determine the lens; the text says what to do."""


@dataclass(frozen=True)
class LensChart:
    """A chessboard with a black north-west corner; fiducials are numbered along the rows of its light squares."""

    columns: int
    rows: int
    square: float
    """Side of a square, mm."""
    fiducial: float
    """Side of a fiducial, mm."""
    dictionary: str

    def fiducials(self) -> dict[int, Floats]:
        """For every fiducial, its four corners, clockwise from its own north-west."""
        light = [(x, y) for y in range(self.rows) for x in range(self.columns) if (x + y) % 2]
        edge = (self.square - self.fiducial) / 2
        steps = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * self.fiducial + edge
        return {number: np.array(cell) * self.square + steps for number, cell in enumerate(light)}

    def crossings(self) -> Floats:
        """The inner corners of the chessboard."""
        x, y = np.meshgrid(np.arange(1, self.columns), np.arange(1, self.rows))
        return np.column_stack([x.ravel(), y.ravel()]).astype(float) * self.square


@dataclass(frozen=True)
class Calibration:
    """A lens and how well it explains the photos."""

    lens: Lens
    fit: float
    """Pixels, root mean square."""
    photos: int


def calibrate_lens(frames: Iterable[Frame], chart: LensChart) -> Calibration:
    """The lens that took these photos of the chart, read one by one; photos without the chart are skipped."""
    sizes, views = set(), []
    for frame in frames:
        sizes.add(frame.size)
        if len(sizes) > 1:
            raise CalibrationError("the photos have different sizes; take them all with the camera as it will be used")
        if (view := seen_crossings(frame, chart)) is not None:
            views.append(view)
    if len(views) < FEWEST_PHOTOS:
        raise CalibrationError(
            f"the chart was found in {len(views)} photos, but {FEWEST_PHOTOS} are needed; "
            "take more from different angles, with the chart filling most of the picture"
        )
    flat = [np.column_stack([on_chart, np.zeros(len(on_chart))]).astype(np.float32) for on_chart, _ in views]
    seen = [in_picture.astype(np.float32).reshape(-1, 1, 2) for _, in_picture in views]
    size = next(iter(sizes))
    guess = Lens.guess(size, 66.0)
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    fit, matrix, bend, turned, _, doubts, *_ = cv2.calibrateCameraExtended(
        flat, seen, size, guess.matrix, np.zeros(5), flags=flags
    )
    if not np.isfinite(fit) or fit > WORST_FIT:
        raise CalibrationError(
            f"the photos do not agree (off by {fit:.1f} pixels); glue the chart onto something flat and hold it still"
        )
    k1, k2 = (float(term) for term in np.ravel(bend)[:2])
    (fx, _, cx), (_, fy, cy), _ = (map(float, row) for row in np.asarray(matrix))
    lens = Lens(size, fx, fy, cx, cy, k1, k2)
    # Photos that are all alike, or all taken from above, fit any lens.
    aslant = max(_tilt(np.asarray(each, dtype=float)) for each in turned)
    if aslant < LEAST_ASLANT or not np.ravel(doubts)[0] <= MOST_DOUBT * fx or lens.flaw():
        raise CalibrationError(
            "the photos are too similar to measure the lens; take them at an angle, from different sides"
        )
    return Calibration(lens, float(fit), len(views))


def _tilt(rvec: Floats) -> float:
    """Degrees between the camera's line of sight and the chart's normal."""
    return degrees(acos(min(1.0, abs(float(cv2.Rodrigues(rvec)[0][2, 2])))))


def seen_crossings(frame: Frame, chart: LensChart) -> tuple[Floats, Floats] | None:
    """The crossings of the chart that can be seen: on the chart in mm, and in the picture."""
    grey: Image = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    corners = chart.fiducials()
    found = {
        number: four for number, four in find_fiducials(grey, chart.dictionary).corners.items() if number in corners
    }
    if len(found) < 4:
        return None
    flat = np.concatenate([corners[number] for number in found])
    seen = np.concatenate(list(found.values()))
    on_chart, in_picture = [], []
    side = float(np.median([np.linalg.norm(four[1] - four[0]) for four in found.values()]))
    for crossing in chart.crossings():
        # A lens bends little from a crossing to the fiducials around it: they tell well enough where to look.
        near = np.linalg.norm(flat - crossing, axis=1) < 1.6 * chart.square
        if near.sum() < 8:
            continue
        way, _ = cv2.findHomography(flat[near], seen[near])
        if way is None:
            continue
        spot = np.asarray(way) @ np.array([*crossing, 1.0])
        spot = spot[:2] / spot[2]
        if (spot >= 0).all() and (spot <= np.array(frame.size) - 1).all():
            on_chart.append(crossing)
            in_picture.append(spot)
    if len(on_chart) < FEWEST_CORNERS:
        return None
    spots = np.array(in_picture, dtype=np.float32).reshape(-1, 1, 2)
    window = max(3, min(11, int(side / 4)))
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
    sharp = cv2.cornerSubPix(grey, spots.copy(), (window, window), (-1, -1), criteria).reshape(-1, 2)
    stayed = np.linalg.norm(sharp - spots.reshape(-1, 2), axis=1) < window
    if stayed.sum() < FEWEST_CORNERS:
        return None
    return np.array(on_chart)[stayed], np.asarray(sharp, dtype=float)[stayed]
