"""What a camera shows of a card: its print in linear light, as soft as a picture from far away."""

from __future__ import annotations

import cv2
import numpy as np

from engine.board import Sheet
from vision.flatten.colour import TO_LINEAR
from vision.frame import Floats, Image
from vision.readers.cards.settings import SOFT


def soft_colours(sheet: Sheet, picture: Image, points: Floats, blur: float = SOFT.blur) -> Floats:
    """The linear colours (n, 3) seen at points (n, 2) of a sheet that is printed like this: blue, green, red and
    alpha. `blur`: millimetres, one sigma."""
    high, wide = picture.shape[:2]
    scale = np.array([wide, high]) / sheet.size
    cover = picture[..., 3].astype(np.float32) / 255
    sigma = blur * float(scale.mean())
    # What lies round a card is not known: its own colours reach as far as the blur.
    ink = cv2.GaussianBlur(
        TO_LINEAR[picture[..., :3]] * cover[..., None], (0, 0), sigma, borderType=cv2.BORDER_CONSTANT
    )
    share = cv2.GaussianBlur(cover, (0, 0), sigma, borderType=cv2.BORDER_CONSTANT)
    soft = ink / np.maximum(share, 1e-3)[..., None]
    column, row = ((points + np.array(sheet.size) / 2) * scale - 0.5).astype(np.float32).T[:, None]
    return np.asarray(cv2.remap(soft, column, row, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)[0], float)
