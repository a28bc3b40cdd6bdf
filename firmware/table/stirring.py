"""What moves from picture to picture: anywhere, and over the board, where no piece need be near."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.find.pose import BoardPose
from vision.frame import Frame

SMALL = (160, 90)
"""A picture made so small, noise averages out."""
STIRRED, NOISY = 8.0, 8.0
"""Steps of 255 by which a small pixel must change for something to have moved, and how many times the usual change."""
SHARE = 0.003
"""Of all small pixels so many change if something moves that matters …"""
OVER = 3
"""… and so many of those that show the board if it is over that: the tip of a finger, or its shadow."""

Mask = npt.NDArray[np.bool_]


class Stirring:
    """Remembers the picture before."""

    def __init__(self) -> None:
        self._small: npt.NDArray[np.int16] | None = None
        self._changed: Mask = np.zeros(SMALL[::-1], dtype=bool)

    def see(self, frame: Frame) -> bool:
        """Whether something moves anywhere in the picture."""
        small = cv2.resize(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), SMALL, interpolation=cv2.INTER_AREA)
        before, self._small = self._small, np.asarray(small, dtype=np.int16)
        if before is None:
            return False
        change = self._small - before
        far = np.abs(change - np.median(change))
        self._changed = far > max(STIRRED, NOISY * float(np.median(far)))
        return bool(self._changed.mean() > SHARE)

    def is_over(self, board: Board, pose: BoardPose, frame: Frame) -> bool:
        """Whether something moves over the board in the picture that was seen last."""
        wide, deep = board.base.size
        corners = [(side * wide / 2, end * deep / 2, 0.0) for side, end in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        height, width = frame.bgr.shape[:2]
        seen = pose.project(np.array(corners)) * (SMALL[0] / width, SMALL[1] / height)
        board_here = np.zeros(SMALL[::-1], dtype=np.uint8)
        cv2.fillConvexPoly(board_here, np.rint(seen).astype(np.int32), 1)
        return int(np.count_nonzero(self._changed & (board_here > 0))) >= OVER
