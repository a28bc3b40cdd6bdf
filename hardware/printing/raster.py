"""A sheet as pixels, quickly: the picture that the eye expects to see and that the virtual table shows.

It draws the same shapes as the PDF pages, without a PDF.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import ceil

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Picture
from PIL import ImageDraw, ImageFont

from engine.board import DICTIONARY, Disc, Fiducial, Line, Point, Polygon, Sector, Shape, Sheet, Text, turned
from hardware.printing.fiducials import fiducial_cells
from hardware.printing.fonts import BOLD, CAP_HEIGHT, REGULAR, font_file

SheetPicture = NDArray[np.uint8]
"""(height, width, 4), blue, green, red and alpha as in a PNG; it covers the sheet's size exactly."""
Painter = Callable[[Sheet], SheetPicture]

SCALE = 4
"""Pixels a mm of a finished picture."""
_FINER = 2
_SHIFT = 4
_EM = 120
"""Pixels in which an em of lettering is drawn before it is laid on a sheet."""


def rasterise(sheet: Sheet) -> SheetPicture:
    """The sheet's picture at `SCALE` pixels a mm."""
    width, height = (ceil(side * SCALE) for side in sheet.size)
    canvas = _Canvas(sheet.size, (width * _FINER, height * _FINER))
    art = np.full((height * _FINER, width * _FINER, 3), 255, np.uint8)
    for shape in sheet.art:
        canvas.draw(art, shape)
    kept = np.zeros((height * _FINER, width * _FINER), np.uint8)
    for number, shape in enumerate(sheet.outline):
        canvas.fill(kept, shape, 255 if number == 0 else 0)
    # Each alone: together they would take twice the memory, more than the rest of the program at a table.
    small = [cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA) for fine in (art, kept)]
    return np.asarray(cv2.merge(small), np.uint8)


class _Canvas:
    """Millimetres of a sheet to pixels; the first pixel's centre lies half a pixel inside the edge."""

    def __init__(self, size: Point, pixels: tuple[int, int]) -> None:
        self.size = size
        self.scale = (pixels[0] / size[0], pixels[1] / size[1])

    def pixel(self, point: Point) -> Point:
        x, y = ((point[k] + self.size[k] / 2) * self.scale[k] - 0.5 for k in (0, 1))
        return (x, y)

    def fixed(self, points: Sequence[Point]) -> NDArray[np.int32]:
        spots = np.array([self.pixel(point) for point in points]) * (1 << _SHIFT)
        return np.asarray(np.rint(spots), np.int32)

    def length(self, mm: float) -> int:
        return max(1, round(mm * self.scale[0]))

    def fill(self, image: NDArray[np.uint8], shape: Polygon | Disc, value: float | tuple[int, int, int]) -> None:
        colour = (value,) * 3 if isinstance(value, (int, float)) else value
        if isinstance(shape, Disc):
            self._disc(image, shape.at, shape.radius, colour)
            return
        spots = self.fixed(shape.points)
        cv2.fillPoly(image, [spots], colour, cv2.LINE_AA, _SHIFT)
        if shape.rounding:
            for k, corner in enumerate(shape.points):
                self._disc(image, corner, shape.rounding, colour)
                band = _band(corner, shape.points[k - 1], shape.rounding)
                cv2.fillConvexPoly(image, self.fixed(band), colour, cv2.LINE_AA, _SHIFT)

    def draw(self, image: NDArray[np.uint8], shape: Shape) -> None:
        match shape:
            case Disc() | Polygon():
                if shape.fill is not None:
                    self.fill(image, shape, _bgr(shape.fill))
                if shape.stroke is not None:
                    self._outline(image, shape, _bgr(shape.stroke))
            case Line():
                spots = self.fixed(shape.points)
                cv2.polylines(image, [spots], False, _bgr(shape.stroke), self.length(shape.width), cv2.LINE_AA, _SHIFT)
            case Sector():
                steps = np.linspace(shape.start, shape.end, 2 + int(abs(shape.end - shape.start)))
                outer = [turned((0.0, -shape.outer), angle) for angle in steps]
                inner = [turned((0.0, -shape.inner), angle) for angle in steps[::-1]]
                spots = self.fixed([(x + shape.at[0], y + shape.at[1]) for x, y in outer + inner])
                cv2.fillPoly(image, [spots], _bgr(shape.fill), cv2.LINE_AA, _SHIFT)
            case Fiducial():
                self._fiducial(image, shape)
            case Text():
                self._text(image, shape)

    def _disc(self, image: NDArray[np.uint8], at: Point, radius: float, colour: Sequence[float]) -> None:
        x, y = self.fixed([at])[0]
        reach = round(radius * self.scale[0] * (1 << _SHIFT))
        cv2.circle(image, (int(x), int(y)), reach, colour, -1, cv2.LINE_AA, _SHIFT)

    def _outline(self, image: NDArray[np.uint8], shape: Disc | Polygon, colour: tuple[int, int, int]) -> None:
        width = self.length(shape.width)
        if isinstance(shape, Polygon):
            cv2.polylines(image, [self.fixed(shape.points)], True, colour, width, cv2.LINE_AA, _SHIFT)
            return
        x, y = self.fixed([shape.at])[0]
        reach = round(shape.radius * self.scale[0] * (1 << _SHIFT))
        cv2.circle(image, (int(x), int(y)), reach, colour, width, cv2.LINE_AA, _SHIFT)

    def _fiducial(self, image: NDArray[np.uint8], shape: Fiducial) -> None:
        cell = 40
        fine = np.kron(fiducial_cells(DICTIONARY, shape.id), np.full((cell, cell), 255, np.uint8))
        self._stamp(image, fine, np.full_like(fine, 255), shape.at, shape.angle, shape.size / fine.shape[0])

    def _text(self, image: NDArray[np.uint8], shape: Text) -> None:
        font = _font(BOLD if shape.bold else REGULAR)
        wide, high = ceil(font.getlength(shape.text)), 2 * _EM
        mask = Picture.new("L", (wide, high))
        line = high / 2 + CAP_HEIGHT / 2 * _EM
        ImageDraw.Draw(mask).text((wide / 2, line), shape.text, 255, font, anchor="ms")
        ink = np.full((high, wide, 3), _bgr(shape.fill), np.uint8)
        self._stamp(image, ink, np.asarray(mask, np.uint8), shape.at, shape.angle, shape.size / _EM)

    def _stamp(
        self,
        image: NDArray[np.uint8],
        print_: NDArray[np.uint8],
        mask: NDArray[np.uint8],
        at: Point,
        angle: float,
        mm_per_pixel: float,
    ) -> None:
        """Lay a small picture of its own scale on the sheet, centred and turned."""
        height, width = mask.shape

        def corner(x: float, y: float) -> Point:
            dx, dy = turned(((x - (width - 1) / 2) * mm_per_pixel, (y - (height - 1) / 2) * mm_per_pixel), angle)
            return self.pixel((at[0] + dx, at[1] + dy))

        corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
        to = np.array([corner(x, y) for x, y in corners], np.float32)
        left, top = (max(0, int(edge) - 1) for edge in to.min(axis=0))
        right = min(image.shape[1], ceil(to[:, 0].max()) + 2)
        bottom = min(image.shape[0], ceil(to[:, 1].max()) + 2)
        if right <= left or bottom <= top:
            return
        part, size = (slice(top, bottom), slice(left, right)), (right - left, bottom - top)
        turn = cv2.getAffineTransform(np.array(corners[:3], np.float32), to[:3] - np.array((left, top), np.float32))
        # OpenCV shrinks without a filter: blur first by what one pixel of the sheet covers.
        blur = max(0.3, 0.4 / (mm_per_pixel * self.scale[0]))
        cover = cv2.warpAffine(cv2.GaussianBlur(mask, (0, 0), blur), turn, size, flags=cv2.INTER_LINEAR)
        laid = cv2.warpAffine(
            cv2.GaussianBlur(print_, (0, 0), blur), turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        share = cover[..., None].astype(np.float32) / 255
        over = laid.astype(np.float32)
        over = over if over.ndim == 3 else over[..., None]
        image[part] = np.rint(image[part] * (1 - share) + over * share).astype(np.uint8)


@cache
def _font(name: str) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), _EM)


def _bgr(colour: str) -> tuple[int, int, int]:
    return (int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16))


def _band(one: Point, other: Point, half: float) -> list[Point]:
    """The rectangle that reaches `half` to both sides of a line."""
    along = np.array(other) - np.array(one)
    across = half * np.array([-along[1], along[0]]) / max(float(np.hypot(*along)), 1e-9)
    corners = [np.array(one) + across, np.array(other) + across, np.array(other) - across, np.array(one) - across]
    return [(float(x), float(y)) for x, y in corners]
