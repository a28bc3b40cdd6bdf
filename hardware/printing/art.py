"""Draws the shapes of `engine.board` on a PDF canvas, in millimetres with y to the south as the data has them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import BinaryIO

from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas

from engine.board import DICTIONARY, Colour, Disc, Fiducial, Line, Point, Polygon, Sector, Shape, Sheet, Text
from hardware.printing.fiducials import fiducial_cells
from hardware.printing.fonts import BOLD, CAP_HEIGHT, LIGHT, REGULAR, font_file
from hardware.printing.paths import Box, box, outline, polyline

BLACK, WHITE = "#000000", "#ffffff"
FILL_EVEN_ODD, FILL_NON_ZERO = 0, 1
_ROUND = 1
_FAR = 10_000.0


@cache
def _register_fonts() -> None:
    for name in (LIGHT, REGULAR, BOLD):
        pdfmetrics.registerFont(TTFont(name, str(font_file(name))))


def new_canvas(file: BinaryIO, title: str) -> Canvas:
    """An empty document, the same bytes whenever the same is drawn."""
    _register_fonts()
    canvas = Canvas(file, invariant=1, pageCompression=1)
    canvas.setTitle(title)
    canvas.setAuthor("Magister Ludi")
    canvas.setCreator("magister print")
    return canvas


def begin_page(canvas: Canvas, size: Point) -> None:
    """A page of this size in millimetres; from here the origin is its north-west corner."""
    width, height = size
    canvas.setPageSize((width * mm, height * mm))
    canvas.translate(0, height * mm)
    canvas.scale(mm, -mm)


@contextmanager
def kept(canvas: Canvas) -> Iterator[None]:
    """What is changed of the canvas's frame, clip and pens lasts only as long as this."""
    canvas.saveState()
    yield
    canvas.restoreState()


def draw_sheet(canvas: Canvas, sheet: Sheet) -> None:
    """A sheet's picture, cut to its outline, about the origin."""
    with kept(canvas):
        clip_to_outline(canvas, sheet)
        draw(canvas, sheet.art)


def clip_to_outline(canvas: Canvas, sheet: Sheet) -> None:
    kept_shape, *holes = sheet.outline
    canvas.clipPath(outline(canvas, kept_shape), stroke=0, fill=0, fillMode=FILL_NON_ZERO)
    for hole in holes:
        path = outline(canvas, hole)
        path.rect(-_FAR, -_FAR, 2 * _FAR, 2 * _FAR)
        canvas.clipPath(path, stroke=0, fill=0, fillMode=FILL_EVEN_ODD)


def clip_to_box(canvas: Canvas, bounds: Box) -> None:
    canvas.clipPath(box(canvas, bounds), stroke=0, fill=0, fillMode=FILL_NON_ZERO)


def draw(canvas: Canvas, shapes: Iterable[Shape]) -> None:
    """Shapes, the later over the earlier."""
    for shape in shapes:
        match shape:
            case Disc() | Polygon():
                _paint(canvas, shape, shape.fill, shape.stroke, shape.width)
            case Sector():
                _paint(canvas, shape, shape.fill, None, 0)
            case Line():
                draw_line(canvas, shape.points, shape.stroke, shape.width)
            case Text():
                draw_text(canvas, shape)
            case Fiducial():
                _place_fiducial(canvas, shape)


def _paint(
    canvas: Canvas, shape: Disc | Polygon | Sector, fill: Colour | None, stroke: Colour | None, width: float
) -> None:
    stroke = stroke if width > 0 else None
    if fill is not None:
        canvas.setFillColor(HexColor(fill))
    if stroke is not None:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(width)
        canvas.setLineJoin(_ROUND)
    path = outline(canvas, shape)
    canvas.drawPath(path, stroke=int(stroke is not None), fill=int(fill is not None), fillMode=FILL_NON_ZERO)


def draw_line(canvas: Canvas, points: tuple[Point, ...], colour: Colour, width: float) -> None:
    canvas.setStrokeColor(HexColor(colour))
    canvas.setLineWidth(width)
    canvas.setLineCap(_ROUND)
    canvas.setLineJoin(_ROUND)
    path = canvas.beginPath()
    polyline(path, points)
    canvas.drawPath(path, stroke=1, fill=0)


def draw_text(canvas: Canvas, text: Text) -> None:
    """Lettering whose capitals are centred on its place."""
    with kept(canvas):
        canvas.translate(*text.at)
        canvas.rotate(text.angle)
        canvas.scale(1, -1)
        canvas.setFillColor(HexColor(text.fill))
        canvas.setFont(BOLD if text.bold else REGULAR, text.size)
        canvas.drawCentredString(0, -CAP_HEIGHT / 2 * text.size, text.text)


def write(
    canvas: Canvas, at: Point, text: str, size: float, colour: Colour, font: str = REGULAR, *, from_right: bool = False
) -> None:
    """Lettering that begins (or ends) at a place on its baseline."""
    with kept(canvas):
        canvas.translate(*at)
        canvas.scale(1, -1)
        canvas.setFillColor(HexColor(colour))
        canvas.setFont(font, size)
        (canvas.drawRightString if from_right else canvas.drawString)(0, 0, text)


def text_width(text: str, size: float, font: str = REGULAR) -> float:
    _register_fonts()
    return float(pdfmetrics.stringWidth(text, font, size))


def _place_fiducial(canvas: Canvas, mark: Fiducial) -> None:
    with kept(canvas):
        canvas.translate(*mark.at)
        canvas.rotate(mark.angle)
        canvas.translate(-mark.size / 2, -mark.size / 2)
        draw_fiducial(canvas, DICTIONARY, mark.id, mark.size)


def draw_fiducial(canvas: Canvas, dictionary: str, number: int, size: float) -> None:
    """A fiducial as vector squares; its north-west corner is the origin."""
    cells = fiducial_cells(dictionary, number)
    cell = size / len(cells)
    canvas.setFillColor(HexColor(BLACK))
    canvas.drawPath(box(canvas, (0, 0, size, size)), stroke=0, fill=1)
    # One path for all light cells: cells painted one by one leave hairlines between them when they are rasterised.
    path = canvas.beginPath()
    for row, line in enumerate(cells):
        for column, light in enumerate(line):
            if light:
                path.rect(column * cell, row * cell, cell, cell)
    canvas.setFillColor(HexColor(WHITE))
    canvas.drawPath(path, stroke=0, fill=1, fillMode=FILL_NON_ZERO)
