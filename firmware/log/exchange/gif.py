"""An animation of a match as a GIF, from the same scene as the SVG: one picture per action."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from io import BytesIO

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from engine.board import Board, Point, Sheet, Text, turned
from firmware.log.exchange.svg import CAPTION, INK, SECONDS, fixed, stack
from firmware.log.match.record import Moment
from hardware.printing.fonts import REGULAR, font_file
from hardware.printing.raster import SCALE, SheetPicture, rasterise

WIDTH = 480
"""Pixels."""
COLOURS = 64
"""Number of colours in the palette shared by all pictures: few and not dithered, so that still parts compress well."""
LAST = 3.0
"""Seconds the last picture stays."""
SMALLEST = 8.0
"""Pixels: the smallest letters of a caption."""
_FINER = 2
_SHIFT = 4
_SPARSE = 4
"""The palette is chosen from pictures so many times smaller."""

Pixels = NDArray[np.uint8]


def film_gif(board: Board, moments: Sequence[Moment]) -> bytes:
    """The animation of a match."""
    studio = Studio(board, below=CAPTION)
    pictures = [Image.fromarray(studio.captioned(moment)) for moment in moments]
    palette = _palette(pictures)
    frames = [picture.quantize(palette=palette, dither=Image.Dither.NONE) for picture in pictures]
    times = [round(1000 * SECONDS)] * (len(frames) - 1) + [round(1000 * LAST)]
    out = BytesIO()
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0, optimize=False)
    return out.getvalue()


def _palette(pictures: Sequence[Image.Image]) -> Image.Image:
    """Colours that suit the first picture, the last, and some in between: every few pixels tell as much as all."""
    chosen = [pictures[k].reduce(_SPARSE) for k in sorted({round(k * (len(pictures) - 1) / 3) for k in range(4)})]
    width, height = chosen[0].size
    strip = Image.new("RGB", (width, height * len(chosen)))
    for k, picture in enumerate(chosen):
        strip.paste(picture, (0, k * height))
    return strip.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2)


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(REGULAR)), size)


class Studio:
    """Draws a board at twice the size and shrinks it; what does not move is drawn once."""

    def __init__(self, board: Board, across: int = WIDTH, below: float = 0.0) -> None:
        """`across` is the picture's width in pixels, `below` the millimetres of room below the board."""
        self.board = board
        width, height = board.base.size
        self.scale = across * _FINER / width
        self.size = (across * _FINER, round((height + below) * self.scale / _FINER) * _FINER)
        self._sheets: dict[str, SheetPicture] = {}
        self._grounds: dict[tuple[int, ...], Pixels] = {}

    def captioned(self, moment: Moment) -> Pixels:
        """With the moment's caption in the room below, in a font that knows the letters of people's names."""
        image = Image.fromarray(self.picture(moment))
        size = 0.7 * CAPTION * self.scale / _FINER
        while (font := _font(round(size))).getlength(moment.caption) > 0.96 * image.width and size > SMALLEST:
            size *= 0.9
        x, y = self._pixel((0.0, self.board.base.size[1] / 2 + CAPTION / 2))
        ImageDraw.Draw(image).text((x / _FINER, y / _FINER), moment.caption, INK, font, anchor="mm")
        return np.array(image)

    def picture(self, moment: Moment) -> Pixels:
        """Red, green and blue."""
        image = self._ground(moment).copy()
        for site, face in moment.faces.items():
            if site not in self.board.sites:
                continue
            if face.sheet:
                place = self.board.sites[site]
                self._lay(image, self.board.by_name[face.sheet], place.at, place.angle + face.angle)
                continue
            for shape in stack(self.board, site, face):
                if isinstance(shape, Text):
                    self._write(image, shape)
                else:
                    self._disc(image, shape.at, shape.radius + shape.width / 2, INK)
                    self._disc(image, shape.at, shape.radius - shape.width / 2, shape.fill or INK)
        width, height = self.size
        small = cv2.resize(image, (width // _FINER, height // _FINER), interpolation=cv2.INTER_AREA)
        return np.ascontiguousarray(small[..., ::-1])

    def _ground(self, moment: Moment) -> Pixels:
        """The sheets as they lie."""
        sheets = fixed(self.board)
        turns = [moment.turns.get(sheet.name, 0) % sheet.turns for sheet in sheets]
        key = tuple(turns)
        if key not in self._grounds:
            image = np.full((self.size[1], self.size[0], 3), 255, np.uint8)
            for sheet, turn in zip(sheets, turns, strict=True):
                self._lay(image, sheet, sheet.to_table((0.0, 0.0), turn), sheet.angle_at(turn))
            self._grounds[key] = image
        return self._grounds[key]

    def _lay(self, image: Pixels, sheet: Sheet, at: Point, angle: float) -> None:
        if sheet.name not in self._sheets:
            drawn, shrink = rasterise(sheet), self.scale / SCALE
            self._sheets[sheet.name] = np.asarray(
                cv2.resize(drawn, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8
            )
        picture = self._sheets[sheet.name]
        height, width = picture.shape[:2]
        corners = [(0.0, 0.0), (width, 0.0), (0.0, height), (width, height)]
        scale = (sheet.size[0] / width, sheet.size[1] / height)
        offsets = [turned(((x - width / 2) * scale[0], (y - height / 2) * scale[1]), angle) for x, y in corners]
        spots = np.array([self._pixel((at[0] + x, at[1] + y)) for x, y in offsets], np.float32)
        low = np.maximum(np.floor(spots.min(axis=0)).astype(int), 0)
        high = np.minimum(np.ceil(spots.max(axis=0)).astype(int) + 1, self.size)
        if (high <= low).any():
            return
        move = cv2.getAffineTransform(np.array(corners[:3], np.float32), spots[:3] - low.astype(np.float32))
        size = (int(high[0] - low[0]), int(high[1] - low[1]))
        laid = cv2.warpAffine(picture, move, size, flags=cv2.INTER_LINEAR).astype(np.float32)
        share = laid[..., 3:] / 255
        part = image[low[1] : high[1], low[0] : high[0]]
        part[:] = np.rint(part * (1 - share) + laid[..., :3] * share).astype(np.uint8)

    def _pixel(self, point: Point) -> Point:
        width, height = self.board.base.size
        return ((point[0] + width / 2) * self.scale - 0.5, (point[1] + height / 2) * self.scale - 0.5)

    def _disc(self, image: Pixels, at: Point, radius: float, colour: str) -> None:
        x, y = (round(value * (1 << _SHIFT)) for value in self._pixel(at))
        reach = round(radius * self.scale * (1 << _SHIFT))
        cv2.circle(image, (x, y), reach, _bgr(colour), -1, cv2.LINE_AA, _SHIFT)

    def _write(self, image: Pixels, text: Text) -> None:
        font, thick = cv2.FONT_HERSHEY_SIMPLEX, 4 if text.bold else 2
        size = text.size * self.scale * 0.7 / 22
        (width, height), _ = cv2.getTextSize(text.text, font, size, thick)
        x, y = self._pixel(text.at)
        cv2.putText(
            image,
            text.text,
            (round(x - width / 2), round(y + height / 2)),
            font,
            size,
            _bgr(text.fill),
            thick,
            cv2.LINE_AA,
        )


def _bgr(colour: str) -> tuple[int, int, int]:
    return (int(colour[5:7], 16), int(colour[3:5], 16), int(colour[1:3], 16))
