"""Finding the printed markers in a picture: from scratch, or again where they were a moment ago."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from vision.frame import Floats, Image

Corners = Mapping[int, Floats]
"""For each marker id its four corners in the picture, clockwise from its own top left, sub-pixel."""


@dataclass(frozen=True)
class Found:
    """The markers of a picture; `twice` are ids seen at more than one place."""

    corners: Corners
    twice: frozenset[int] = frozenset()


@cache
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 4
    parameters.cornerRefinementMaxIterations = 20
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary)), parameters)


def _detect(grey: Image, dictionary: str) -> tuple[list[Floats], list[int]]:
    """OpenCV's markers, whichever of its two interfaces this version has."""
    if hasattr(cv2.aruco, "ArucoDetector"):
        corners, ids, _ = _detector(dictionary).detectMarkers(grey)
    else:
        parameters = cv2.aruco.DetectorParameters_create()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        book = cv2.aruco.Dictionary_get(getattr(cv2.aruco, dictionary))
        corners, ids, _ = cv2.aruco.detectMarkers(grey, book, parameters=parameters)
    if ids is None:
        return [], []
    return [np.asarray(four, dtype=float).reshape(4, 2) for four in corners], [int(each) for each in np.ravel(ids)]


def find_markers(grey: Image, dictionary: str) -> Found:
    """All markers of a dictionary in a grey picture. Of an id that is seen twice the larger one is kept."""
    corners: dict[int, Floats] = {}
    twice = set()
    for four, marker in zip(*_detect(grey, dictionary), strict=True):
        if marker in corners:
            twice.add(marker)
            if _area(four) <= _area(corners[marker]):
                continue
        corners[marker] = four
    return Found(corners, frozenset(twice))


def follow_markers(grey: Image, expected: Corners, reach: float) -> Corners:
    """Markers that are still where they are expected, within `reach` pixels: their corners, found anew.

    A marker whose corners moved in different ways, or whose border is no longer dark inside and light outside, is
    left out: something covers it.
    """
    if not expected:
        return {}
    ids = list(expected)
    before = np.concatenate([expected[marker] for marker in ids]).astype(np.float32)
    height, width = grey.shape
    window = max(2, round(reach))
    inside = np.all((before > window + 1) & (before < np.array([width, height]) - window - 2), axis=1)
    after = before.reshape(-1, 1, 2).copy()
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    if not inside.all():
        after[~inside] = (window + 2, window + 2)
    cv2.cornerSubPix(grey, after, (window, window), (-1, -1), criteria)
    found: dict[int, Floats] = {}
    for number, marker in enumerate(ids):
        part = slice(4 * number, 4 * number + 4)
        four, was = after[part, 0].astype(float), before[part].astype(float)
        shift = four - was
        if inside[part].all() and np.ptp(shift, axis=0).max() < reach and _looks_like_a_marker(grey, four):
            found[marker] = four
    return found


def _looks_like_a_marker(grey: Image, four: Floats) -> bool:
    """Dark just inside each corner, clearly lighter just outside."""
    middle = four.mean(axis=0)
    inner = _values(grey, middle + (four - middle) * 0.86)
    outer = _values(grey, middle + (four - middle) * 1.14)
    return bool((outer > inner * 1.25 + 6).all())


def _values(grey: Image, points: Floats) -> Floats:
    x, y = np.rint(points).astype(int).T
    height, width = grey.shape
    return grey[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)].astype(float)


def _area(four: Floats) -> float:
    return float(cv2.contourArea(four.astype(np.float32)))
