"""What a camera shows of a card: its print in linear light, as soft as a picture from far away."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Disc, Point, Polygon, Sheet, Text
from vision.flatten.colour import linear
from vision.frame import Floats, Image, Map
from vision.readers.cards.settings import SOFT

_FONT = cv2.FONT_HERSHEY_SIMPLEX


def soft_colours(sheet: Sheet, points: Floats) -> Floats:
    """The linear colours (n, 3) seen at points (n, 2) of a sheet, its lettering included."""
    reach = int(np.ceil(max(sheet.size) / 2)) + 1
    side = 2 * reach * SOFT.px_per_mm + 1
    picture, cover = np.zeros((side, side, 3), np.float32), np.zeros((side, side), np.float32)
    cover = np.maximum(cover, _mask(sheet.outline[0], side, reach))
    for shape in sheet.art:
        if isinstance(shape, Disc | Polygon | Text) and shape.fill is not None:
            picture[_mask(shape, side, reach) > 0] = linear(shape.fill)
    sigma = SOFT.blur * SOFT.px_per_mm
    # What lies round a card is not known: its own colours reach as far as the blur.
    ink = cv2.GaussianBlur(picture * cover[..., None], (0, 0), sigma)
    ink = ink / np.maximum(cv2.GaussianBlur(cover, (0, 0), sigma), 1e-3)[..., None]
    column, row = np.rint((points + reach) * SOFT.px_per_mm).astype(int).T
    return np.asarray(ink[row, column], float)


def _mask(shape: Disc | Polygon | Text, side: int, reach: int) -> Map:
    """Where (1) a shape is printed."""
    mask = np.zeros((side, side), np.uint8)
    match shape:
        case Disc():
            cv2.circle(mask, _pixels([shape.at], reach)[0].tolist(), round(shape.radius * SOFT.px_per_mm), 1, -1)
        case Polygon():
            outline = _pixels(shape.points, reach)
            cv2.fillPoly(mask, [outline], 1)
            if shape.rounding:
                cv2.polylines(mask, [outline], True, 1, max(1, round(2 * shape.rounding * SOFT.px_per_mm)))
        case Text():
            _write(mask, shape, reach)
    return mask.astype(np.float32)


def _write(mask: Image, text: Text, reach: int) -> None:
    """About the lettering that is printed: blur leaves little of what one type has and another has not."""
    high = SOFT.capital * text.size * SOFT.px_per_mm
    thick = max(1, round((SOFT.bold if text.bold else SOFT.plain) * text.size * SOFT.px_per_mm))
    (_, usual), _ = cv2.getTextSize(text.text, _FONT, 1.0, 1)
    scale = (high - thick) / usual
    (wide, tall), _ = cv2.getTextSize(text.text, _FONT, scale, thick)
    x, y = _pixels([text.at], reach)[0].tolist()
    upright = np.zeros_like(mask)
    cv2.putText(upright, text.text, (round(x - wide / 2), round(y + tall / 2)), _FONT, scale, 1, thick)
    turn = cv2.getRotationMatrix2D((float(x), float(y)), -text.angle, 1.0)
    mask[cv2.warpAffine(upright, turn, mask.shape[::-1], flags=cv2.INTER_NEAREST) > 0] = 1


def _pixels(points: Iterable[Point], reach: int) -> npt.NDArray[np.int32]:
    return np.asarray(np.rint((np.array(list(points)) + reach) * SOFT.px_per_mm), np.int32)
