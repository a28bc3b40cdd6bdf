"""What a phone sends, made into frames; and where in its own picture a place of the frame is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import UnidentifiedImageError

from vision.frame import Frame, PictureError

UNREADABLE = (UnidentifiedImageError, Pictures.DecompressionBombError, OSError, ValueError, SyntaxError)
"""What Pillow raises."""
MOST_PIXELS = 4096 * 3072
Place = tuple[float, float]


@dataclass(frozen=True)
class PhonePicture:
    """A frame, and how the phone was held."""

    frame: Frame
    upright: bool
    """Whether the phone stood upright: its picture was then laid on its side, so that the long side is always the
    lens's long side and a phone that is turned is no other camera."""

    def place(self, at: Sequence[float]) -> Place:
        """Where a place of the frame is in the phone's own picture, from 0 to 1."""
        width, height = self.frame.size
        u, v = float(at[0]) / width, float(at[1]) / height
        return (1 - v, u) if self.upright else (u, v)


def opened(jpeg: bytes, seconds: float) -> PhonePicture | None:
    """The picture in these bytes; None if it is none."""
    try:
        with Pictures.open(BytesIO(jpeg), formats=("JPEG",)) as file:
            if file.width * file.height > MOST_PIXELS:
                return None
        bgr = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
        if bgr is None:
            return None
        upright = bgr.shape[0] > bgr.shape[1]
        if upright:
            bgr = cv2.rotate(bgr, cv2.ROTATE_90_COUNTERCLOCKWISE)
        return PhonePicture(Frame(np.ascontiguousarray(bgr, dtype=np.uint8), seconds), upright)
    except (*UNREADABLE, cv2.error, PictureError):
        return None
