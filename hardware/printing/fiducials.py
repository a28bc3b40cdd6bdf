"""The squares by which a camera finds a board."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray


@cache
def fiducial_cells(dictionary: str, number: int) -> NDArray[np.uint8]:
    """The cells of a fiducial with its dark border: 1 for light, 0 for dark."""
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    # OpenCV 4.7 renamed it.
    name = "generateImageMarker" if hasattr(cv2.aruco, "generateImageMarker") else "drawMarker"
    cells = getattr(cv2.aruco, name)(words, number, int(words.markerSize) + 2)
    return np.asarray(cells // 255, np.uint8)
