"""The printed chart for the lens, and photos of it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from firmware.photos.calibrating import CHART
from vision.frame import Frame, Image

SIDE = 80
"""Pixels of a square of the drawn chart."""
MARGIN = 60
FOCAL = 985.5
View = tuple[tuple[float, float, float], tuple[float, float, float]]


@cache
def chart() -> Image:
    """The chart as it is printed, with a margin."""
    drawn = np.full((CHART.rows * SIDE, CHART.columns * SIDE), 255, np.uint8)
    drawn[np.add.outer(np.arange(CHART.rows), np.arange(CHART.columns)).repeat(SIDE, 0).repeat(SIDE, 1) % 2 == 0] = 0
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, CHART.dictionary))
    size = round(SIDE * CHART.fiducial / CHART.square)
    for number, corners in CHART.fiducials().items():
        x, y = np.rint(corners[0] * SIDE / CHART.square).astype(int)
        drawn[y : y + size, x : x + size] = cv2.aruco.generateImageMarker(dictionary, number, size)
    return np.asarray(cv2.copyMakeBorder(drawn, *[MARGIN] * 4, cv2.BORDER_CONSTANT, value=[255]), np.uint8)


def photo(chart: Image, view: View) -> Frame:
    """The chart as a camera there sees it."""
    rotation = cv2.Rodrigues(np.array(view[0]))[0]
    scale = CHART.square / SIDE
    middle = np.array([CHART.columns, CHART.rows]) * CHART.square / 2
    first = -MARGIN * scale - middle
    on_chart = np.array([[scale, 0, first[0]], [0, scale, first[1]], [0, 0, 1]])
    lens = np.array([[FOCAL, 0, 639.5], [0, FOCAL, 359.5], [0, 0, 1]])
    way = lens @ np.column_stack([rotation[:, 0], rotation[:, 1], view[1]]) @ on_chart
    seen = cv2.warpPerspective(chart, way, (1280, 720), flags=cv2.INTER_AREA, borderValue=[200])
    return Frame(np.asarray(cv2.cvtColor(cv2.GaussianBlur(seen, (0, 0), 0.7), cv2.COLOR_GRAY2BGR), np.uint8))
