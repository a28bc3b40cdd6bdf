"""Finding the printed fiducials in a picture: from scratch, or again where they were a moment ago."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np

from vision.find.settings import FIND, FindSettings
from vision.frame import Floats, Image

Corners = Mapping[int, Floats]
"""For each fiducial id, its four corners in the picture to sub-pixel accuracy, clockwise from its own top left."""


@dataclass(frozen=True)
class FoundFiducials:
    """The fiducials in a picture; `twice` are ids seen in more than one place."""

    corners: Corners
    twice: frozenset[int] = frozenset()


Ids = frozenset[int]


@cache
def _detector(dictionary: str, ids: Ids | None, reach: int) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = reach
    parameters.cornerRefinementMaxIterations = 20
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.ArucoDetector(_only(words, ids), parameters)


def _only(words: Any, ids: Ids | None) -> Any:  # noqa: ANN401 - OpenCV's dictionary, which two versions name differently
    """A dictionary of only these words, in the order of their ids."""
    if ids is not None:
        words.bytesList = words.bytesList[sorted(ids)]
    return words


def _detect(grey: Image, dictionary: str, ids: Ids | None, reach: int) -> tuple[list[Floats], list[int]]:
    """The fiducials OpenCV finds, whichever of its two interfaces this version has."""
    detect = _detect_since_4_7 if hasattr(cv2.aruco, "ArucoDetector") else _detect_before_4_7
    corners, words, _ = detect(grey, dictionary, ids, reach)
    if words is None:
        return [], []
    numbers = [int(each) for each in np.ravel(words)]
    if ids is not None:
        known = sorted(ids)
        numbers = [known[number] for number in numbers]
    return [np.asarray(four, dtype=float).reshape(4, 2) for four in corners], numbers


def _detect_since_4_7(grey: Image, dictionary: str, ids: Ids | None, reach: int) -> tuple[Any, Any, Any]:
    corners, words, rejected = _detector(dictionary, ids, reach).detectMarkers(grey)
    return corners, words, rejected


def _detect_before_4_7(grey: Image, dictionary: str, ids: Ids | None, reach: int) -> tuple[Any, Any, Any]:
    old: Any = cv2.aruco
    parameters = old.DetectorParameters_create()
    parameters.cornerRefinementMethod = old.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = reach
    words = _only(old.Dictionary_get(getattr(old, dictionary)), ids)
    found: tuple[Any, Any, Any] = old.detectMarkers(grey, words, parameters=parameters)
    return found


def find_fiducials(
    grey: Image, dictionary: str, ids: Ids | None = None, settings: FindSettings = FIND
) -> FoundFiducials:
    """The fiducials of a dictionary in a grey picture, or only those with one of these ids: searching for fewer means
    fewer false finds. If an id is seen twice, the larger one is kept."""
    corners: dict[int, Floats] = {}
    twice = set()
    for four, fiducial in zip(*_detect(grey, dictionary, ids, settings.refine_reach), strict=True):
        if fiducial in corners:
            other = corners[fiducial]
            apart = float(np.linalg.norm(four.mean(axis=0) - other.mean(axis=0)))
            if apart > settings.two_apart * max(_area(four), _area(other)) ** 0.5:
                twice.add(fiducial)
            if _area(four) <= _area(other):
                continue
        corners[fiducial] = four
    return FoundFiducials(corners, frozenset(twice))


def spot_fiducials(
    grey: Image, dictionary: str, ids: Ids | None = None, settings: FindSettings = FIND
) -> FoundFiducials:
    """The fiducials that are large enough to be seen in a picture half as wide and high, which is much faster; their
    corners are given for the whole picture."""
    height, width = grey.shape
    small: Image = np.asarray(cv2.resize(grey, (width // 2, height // 2), interpolation=cv2.INTER_AREA), dtype=np.uint8)
    found = find_fiducials(small, dictionary, ids, settings)
    if not found.corners:
        return found
    start = (np.stack(list(found.corners.values())) + 0.5) * (width / (width // 2), height / (height // 2)) - 0.5
    corners = _refined(grey, start, settings.refine_reach)
    return FoundFiducials(dict(zip(found.corners, corners, strict=True)), found.twice)


def follow_fiducials(grey: Image, expected: Corners, reach: int, settings: FindSettings = FIND) -> Corners:
    """Fiducials that are still where they are expected, within `reach` pixels: their corners, found again.

    A fiducial whose corners moved in different ways, or whose border is no longer dark inside and light outside, is
    left out: something covers it.
    """
    height, width = grey.shape
    near = {
        fiducial: four
        for fiducial, four in expected.items()
        if (four > reach + 2).all() and (four < np.array([width, height]) - reach - 3).all()
    }
    if not near:
        return {}
    before = np.stack(list(near.values()))
    after = _refined(grey, before, reach)
    shifts = after - before
    together = np.ptp(shifts, axis=1).max(axis=1) < reach / 2
    middles = after.mean(axis=1, keepdims=True)
    shares = settings.border_inside, settings.border_outside
    inner, outer = (_values(grey, middles + (after - middles) * share) for share in shares)
    bordered = np.asarray(outer > inner * settings.border_ratio + settings.border_step).all(axis=1)
    kept = np.flatnonzero(together & bordered).tolist()
    ids = list(near)
    return {ids[number]: after[number] for number in kept}


def _refined(grey: Image, corners: Floats, reach: int) -> Floats:
    """Corners (n, 4, 2), found again within this many pixels."""
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    start = corners.reshape(-1, 1, 2).astype(np.float32)
    after = cv2.cornerSubPix(grey, start, (reach, reach), (-1, -1), criteria)
    return np.asarray(after, dtype=float).reshape(-1, 4, 2)


def _values(grey: Image, points: Floats) -> Floats:
    spots = np.rint(points).astype(int)
    height, width = grey.shape
    return np.asarray(grey[np.clip(spots[..., 1], 0, height - 1), np.clip(spots[..., 0], 0, width - 1)], dtype=float)


def _area(four: Floats) -> float:
    return float(cv2.contourArea(four.astype(np.float32)))
