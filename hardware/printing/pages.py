"""The document to print: cover, parts true to scale with cut lines, discs for the pieces, and the lens chart."""

from __future__ import annotations

from collections import Counter
from io import BytesIO

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from engine.board import Board, Disc, Point, Polygon, Text
from engine.words import say
from hardware.printing import chart
from hardware.printing.art import begin_page, clip_to_box, draw_sheet, draw_text, kept, new_canvas, write
from hardware.printing.cover import NO_NOTES, CoverText, draw_cover
from hardware.printing.frame import (
    INK,
    INSET,
    RULE_SOUTH,
    SOFT,
    draw_crop_marks,
    draw_cross,
    draw_edge_marks,
    draw_heading,
    draw_map,
    draw_number,
    draw_rule,
    draw_seams,
    spoken,
)
from hardware.printing.layout import PAPERS, Page, Placement, area, plan, plan_caps, reach
from hardware.printing.paths import Box, outline


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


CAPS, CHART = _("discs to stick on the pieces"), _("lens chart")
PIECE_OF = _("{part}, page {label}")
CUT = 0.15
"""Width of a cut line."""


def print_pages(board: Board, title: str, paper: str, language: str, notes: CoverText = NO_NOTES) -> bytes:
    """The whole document as a PDF file."""
    parts, caps = plan(board, paper), plan_caps(board, paper)
    total = 1 + len(parts) + len(caps) + 1
    size = PAPERS[paper]
    file = BytesIO()
    canvas = new_canvas(file, title)

    def finish(size: Point) -> None:
        draw_number(canvas, size, canvas.getPageNumber(), total, language)
        draw_rule(canvas, size, language)
        canvas.showPage()

    begin_page(canvas, size)
    draw_cover(canvas, board, title, parts, paper, language, notes)
    finish(size)
    for page in (*parts, *caps):
        begin_page(canvas, page.size)
        _draw_page(canvas, page, language)
        draw_heading(canvas, page.size, title, _page_name(page, language))
        finish(page.size)
    begin_page(canvas, size)
    _draw_chart_page(canvas, size)
    draw_heading(canvas, size, title, say(CHART, language))
    finish(size)
    canvas.save()
    return file.getvalue()


def _page_name(page: Page, language: str) -> str:
    if page.tile is not None:
        return say(PIECE_OF, language, part=spoken(page.parts[0].sheet.name, language), label=page.tile.label)
    if page.parts[0].cap:
        return say(CAPS, language)
    names = [spoken(part.sheet.name, language) for part in page.parts]
    return ", ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}"


def _draw_page(canvas: Canvas, page: Page, language: str) -> None:
    for part in page.parts:
        _draw_part(canvas, part)
        if page.tile is not None:
            draw_crop_marks(canvas, part.on_page, reach(page.size))
            draw_seams(canvas, part, page.tile, reach(page.size), language)
            draw_map(canvas, page.size, page.tile)
        else:
            _draw_marks(canvas, part, reach(page.size))
    if page.tile is None:
        _draw_names(canvas, page, language)


def _draw_part(canvas: Canvas, part: Placement) -> None:
    """A sheet, or its window, with the line to cut along."""
    with kept(canvas):
        clip_to_box(canvas, part.on_page)
        canvas.translate(*part.origin)
        draw_sheet(canvas, part.sheet)
        for hole in part.sheet.outline[1:]:
            if isinstance(hole, Disc):
                draw_cross(canvas, hole.at)
    with kept(canvas):
        # Half of a cut line on the edge of the window lies outside it.
        west, north, east, south = part.on_page
        clip_to_box(canvas, (west - CUT, north - CUT, east + CUT, south + CUT))
        canvas.translate(*part.origin)
        canvas.setStrokeColor(HexColor(INK))
        canvas.setLineWidth(CUT)
        for shape in part.sheet.outline:
            canvas.drawPath(outline(canvas, shape), stroke=1, fill=0)


def _draw_marks(canvas: Canvas, part: Placement, within: Box) -> None:
    """How the straight cuts of a whole part run."""
    edge = part.sheet.outline[0]
    if isinstance(edge, Polygon):
        with kept(canvas):
            x, y = part.origin
            canvas.translate(x, y)
            draw_edge_marks(canvas, edge, (within[0] - x, within[1] - y, within[2] - x, within[3] - y))


def _draw_names(canvas: Canvas, page: Page, language: str) -> None:
    """The name under each part; of the discs for one kind of piece, under the first of the last row."""
    for name, count in Counter(part.sheet.name for part in page.parts).items():
        alike = [part for part in page.parts if part.sheet.name == name]
        part = min(alike, key=lambda part: (-part.at[1], part.at[0]))
        west, _north, east, south = part.on_page
        edge = part.sheet.outline[0]
        if isinstance(edge, Polygon):
            # A picture may reach farther than the part: a triangle's is centred on where it turns.
            south = part.origin[1] + max(y for _x, y in edge.points) + edge.rounding
        told = f"{count} × {spoken(name, language)}" if part.cap else spoken(name, language)
        draw_text(canvas, Text(((west + east) / 2, south + 3.4), told, 3.2, SOFT))


def _draw_chart_page(canvas: Canvas, size: Point) -> None:
    west, north, east, south = area(size)
    with kept(canvas):
        canvas.translate((west + east - chart.SIZE[0]) / 2, (north + south - chart.SIZE[1]) / 2)
        chart.draw_chart(canvas)
    told = f"ChArUco {chart.COLUMNS} × {chart.ROWS} · {chart.SQUARE:g} mm · {chart.CHART_DICTIONARY}"
    write(canvas, (size[0] - INSET, size[1] - RULE_SOUTH), told, 2.8, SOFT, from_right=True)
