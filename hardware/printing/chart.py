"""The lens chart: a ChArUco board whose fiducials come from a dictionary no game uses."""

from __future__ import annotations

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from hardware.printing.art import BLACK, draw_fiducial, kept
from hardware.printing.paths import box

COLUMNS, ROWS = 7, 9
"""An odd number of rows: the chart is then the same to OpenCV before and after it changed its pattern in 4.6."""
SQUARE, FIDUCIAL = 25.0, 18.0
CHART_DICTIONARY = "DICT_5X5_100"
SIZE = (COLUMNS * SQUARE, ROWS * SQUARE)


def draw_chart(canvas: Canvas) -> None:
    """The chart in millimetres; its north-west corner is the origin, which is a black square."""
    canvas.setFillColor(HexColor(BLACK))
    fiducial = 0
    for row in range(ROWS):
        for column in range(COLUMNS):
            x, y = column * SQUARE, row * SQUARE
            if (row + column) % 2 == 0:
                canvas.drawPath(box(canvas, (x, y, x + SQUARE, y + SQUARE)), stroke=0, fill=1)
                continue
            with kept(canvas):
                canvas.translate(x + (SQUARE - FIDUCIAL) / 2, y + (SQUARE - FIDUCIAL) / 2)
                draw_fiducial(canvas, CHART_DICTIONARY, fiducial, FIDUCIAL)
            fiducial += 1
