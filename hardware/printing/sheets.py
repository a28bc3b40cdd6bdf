"""A picture of every sheet, from the same drawing as the printed pages."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
from numpy.typing import NDArray
from PIL import Image
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from engine.board import Sheet
from hardware.printing.art import WHITE, clip_to_outline, draw, new_canvas
from hardware.printing.paths import box

PX_PER_MM = 8.0
"""About 200 dots an inch."""

Pixels = NDArray[np.uint8]


def sheet_png(sheet: Sheet, px_per_mm: float = PX_PER_MM) -> bytes:
    """The sheet as a PNG file that knows its scale."""
    file = BytesIO()
    dots = px_per_mm * 25.4
    Image.fromarray(sheet_pixels(sheet, px_per_mm)).save(file, "png", dpi=(dots, dots), compress_level=6)
    return file.getvalue()


def sheet_pixels(sheet: Sheet, px_per_mm: float = PX_PER_MM) -> Pixels:
    """Red, green, blue and alpha; the picture covers `size` exactly, and alpha is zero where it is cut away."""
    art = _rasterised(sheet, px_per_mm, lambda canvas: draw(canvas, sheet.art))
    alpha = _rasterised(sheet, px_per_mm, lambda canvas: _draw_outline(canvas, sheet))[:, :, 3]
    covered = art[:, :, 3:].astype(np.uint16)
    on_paper = (art[:, :, :3] * covered + 255 * (255 - covered) + 127) // 255
    return np.dstack((_bled(on_paper.astype(np.uint8), alpha), alpha))


def _draw_outline(canvas: Canvas, sheet: Sheet) -> None:
    clip_to_outline(canvas, sheet)
    across, down = sheet.size
    canvas.setFillColor(HexColor(WHITE))
    canvas.drawPath(box(canvas, (-across, -down, across, down)), stroke=0, fill=1)


def _rasterised(sheet: Sheet, px_per_mm: float, paint: Callable[[Canvas], None]) -> Pixels:
    """What is painted in the sheet's frame, in pixels on a transparent ground."""
    width, height = (max(1, round(side * px_per_mm)) for side in sheet.size)
    file = BytesIO()
    canvas = new_canvas(file, sheet.name)
    # The page is as many points wide as the picture has pixels, so that nothing is rounded but the picture's size.
    canvas.setPageSize((width, height))
    canvas.translate(width / 2, height / 2)
    canvas.scale(width / sheet.size[0], -height / sheet.size[1])
    paint(canvas)
    canvas.showPage()
    canvas.save()
    with pypdfium2.PdfDocument(file.getvalue()) as document:
        bitmap = document[0].render(scale=1, fill_color=(0, 0, 0, 0), rev_byteorder=True, maybe_alpha=False)
        return np.array(bitmap.to_numpy(), dtype=np.uint8)


def _bled(colours: Pixels, alpha: Pixels) -> Pixels:
    """The colours with those of the edge carried on outwards.

    A pixel on the edge is half paper; seen through its alpha it must show the part's own colour, without a fringe.
    """
    inside = (alpha == 255).astype(np.uint8)
    if inside.all() or not inside.any():
        return colours
    _, nearest = cv2.distanceTransformWithLabels(1 - inside, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    where = np.zeros(int(nearest.max()) + 1, dtype=np.intp)
    flat = np.flatnonzero(inside)
    where[nearest.ravel()[flat]] = flat
    return colours.reshape(-1, 3)[where[nearest]]
