"""What surrounds the parts on every page: heading, ruler, crop marks, glue strips, a map of the pages."""

from __future__ import annotations

from itertools import product

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from engine.board import Disc, Point, Polygon, Text
from engine.words import say
from hardware.printing.art import draw, draw_line, draw_text, kept, text_width, write
from hardware.printing.fonts import BOLD
from hardware.printing.layout import SIDE, Placement, Tile
from hardware.printing.paths import Box, box, corners_of
from hardware.printing.seams import OVERLAP

INK, SOFT, FAINT, PAPER = "#23292e", "#6d7278", "#c9cbce", "#ffffff"
RULE = 100.0
RULE_SOUTH = 8.0
"""From the rule's foot to the edge of the page."""
INSET = SIDE + 3.0
SHORTEST_MARK = 1.5


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


PRINT_AT_100 = _("Print at 100 %: this ruler is 100 mm long.")
PAGE_OF = _("page {number} of {total}")
GLUE, CUT_HERE = _("glue {page} here"), _("cut here, glue on {page}")
BASE = _("base")
"""What every game calls its lowest sheet; what the others are called is told by the game."""


def spoken(name: str, language: str) -> str:
    """The name of a sheet or piece for people: `marker-red` is "marker red"."""
    return " ".join(say(word, language) for word in name.split("-"))


def draw_heading(canvas: Canvas, size: Point, game: str, part: str) -> None:
    write(canvas, (INSET, 10.5), game, 4.2, INK, BOLD)
    write(canvas, (INSET + text_width(game, 4.2, BOLD) + 3.0, 10.5), part, 4.2, SOFT)


def draw_number(canvas: Canvas, size: Point, number: int, total: int, language: str) -> None:
    text = say(PAGE_OF, language, number=number, total=total)
    write(canvas, (size[0] - INSET, 10.5), text, 3.6, SOFT, from_right=True)


def draw_rule(canvas: Canvas, size: Point, language: str) -> None:
    """A scale of exactly 100 mm between its outer edges, and what it is for."""
    x, y = INSET, size[1] - RULE_SOUTH
    canvas.setFillColor(HexColor(INK))
    for k in range(0, 10, 2):
        canvas.drawPath(box(canvas, (x + 10 * k, y - 2.2, x + 10 * (k + 1), y)), stroke=0, fill=1)
    # The frame's line lies inside the 100 mm.
    canvas.drawPath(box(canvas, (x, y - 0.2, x + RULE, y)), stroke=0, fill=1)
    canvas.drawPath(box(canvas, (x, y - 2.2, x + RULE, y - 2.0)), stroke=0, fill=1)
    canvas.drawPath(box(canvas, (x + RULE - 0.2, y - 2.2, x + RULE, y)), stroke=0, fill=1)
    write(canvas, (x, y - 3.6), say(PRINT_AT_100, language), 3.2, INK)
    write(canvas, (x + RULE + 1.5, y), "100 mm", 2.8, SOFT)


def draw_crop_marks(canvas: Canvas, bounds: Box, within: Box, length: float = 3.0) -> None:
    """Where the straight cuts run, beside the corners, as far as printers reach."""
    west, north, east, south = bounds
    for (x, dx), (y, dy) in product(((west, -1), (east, 1)), ((north, -1), (south, 1))):
        _draw_mark(canvas, (x + dx * 1.2, y), (x + dx * (1.2 + length), y), within)
        _draw_mark(canvas, (x, y + dy * 1.2), (x, y + dy * (1.2 + length)), within)


def _draw_mark(canvas: Canvas, near: Point, far: Point, within: Box) -> None:
    """A mark, cut off where no printer reaches; too short a rest is left out, the cut line itself is printed."""
    west, north, east, south = within
    x, y = min(max(far[0], west), east), min(max(far[1], north), south)
    is_inside = west <= near[0] <= east and north <= near[1] <= south
    if is_inside and abs(x - near[0]) + abs(y - near[1]) >= SHORTEST_MARK:
        draw_line(canvas, (near, (x, y)), INK, 0.15)


def draw_edge_marks(canvas: Canvas, edge: Polygon, within: Box, length: float = 3.0) -> None:
    """Where the cuts along the straight sides of a part run, beyond where the sides meet, as far as printers reach."""
    for _corner, before, after, (x, y) in corners_of(edge):
        for dx, dy in ((-before[1], before[0]), (after[1], -after[0])):
            near, far = 1.2, 1.2 + length
            if _is_in(within, (x + far * dx, y + far * dy)):
                draw_line(canvas, ((x + near * dx, y + near * dy), (x + far * dx, y + far * dy)), INK, 0.15)


def _is_in(within: Box, at: Point) -> bool:
    return within[0] <= at[0] <= within[2] and within[1] <= at[1] <= within[3]


def draw_cross(canvas: Canvas, at: Point, reach: float = 4.0) -> None:
    """The centre of a circle that is cut away, for the compass."""
    x, y = at
    draw_line(canvas, ((x - reach, y), (x + reach, y)), SOFT, 0.15)
    draw_line(canvas, ((x, y - reach), (x, y + reach)), SOFT, 0.15)
    draw(canvas, [Disc(at, reach / 3, stroke=SOFT, width=0.15)])


def draw_seams(canvas: Canvas, part: Placement, tile: Tile, within: Box, language: str) -> None:
    """Where the page is cut and glued on those before it, and the strips that the next ones will lie on."""
    west, north, east, south = part.on_page
    middle = ((west + east) / 2, (north + south) / 2)
    for label, ends, at, angle in (
        (tile.neighbour(-1, 0), ((west, north), (west, south)), (west - 2.2, middle[1]), -90.0),
        (tile.neighbour(0, -1), ((west, north), (east, north)), (middle[0], north - 2.2), 0.0),
    ):
        if label is not None:
            with kept(canvas):
                canvas.setDash(2, 1.5)
                draw_line(canvas, ends, INK, 0.2)
            draw_text(canvas, Text(at, say(CUT_HERE, language, page=label), 2.8, SOFT, angle=angle))
    # The first 2 mm of a strip stay as they are, so that no seam shows.
    for label, strip, angle in (
        (tile.neighbour(1, 0), (east - OVERLAP + 2, north, east, south), 90.0),
        (tile.neighbour(0, 1), (west, south - OVERLAP + 2, east, south), 0.0),
    ):
        if label is not None:
            _draw_strip(canvas, strip, say(GLUE, language, page=label), angle)
            x, y = (east - OVERLAP, south - OVERLAP)
            ticks = (((x, north), (x, north - 4)), ((x, south), (x, south + 4))) if angle else ()
            ticks = ticks or (((west, y), (west - 4, y)), ((east, y), (east + 4, y)))
            for near, far in ticks:
                _draw_mark(canvas, near, far, within)


def _draw_strip(canvas: Canvas, strip: Box, text: str, angle: float) -> None:
    west, north, east, south = strip
    with kept(canvas):
        canvas.setFillColor(HexColor(PAPER), alpha=0.82)
        canvas.drawPath(box(canvas, strip), stroke=0, fill=1)
    with kept(canvas):
        canvas.clipPath(box(canvas, strip), stroke=0, fill=0)
        reach = south - north + east - west
        for k in range(int(reach / 4) + 1):
            draw_line(canvas, ((west + 4 * k, north), (west + 4 * k - reach, north + reach)), FAINT, 0.2)
    for part in (1 / 6, 1 / 2, 5 / 6):
        along = (west + east) / 2 if angle else west + (east - west) * part
        down = north + (south - north) * part if angle else (north + south) / 2
        half = text_width(text, 3.4) / 2 + 2
        across, upright = (2.4, half) if angle else (half, 2.4)
        ground = ((along - across, down - upright), (along + across, down - upright))
        corners = (*ground, (along + across, down + upright), (along - across, down + upright))
        draw(canvas, [Polygon(corners, fill=PAPER)])
        draw_text(canvas, Text((along, down), text, 3.4, INK, angle=angle))


def draw_map(canvas: Canvas, size: Point, tile: Tile) -> None:
    """Where this page lies among those of its part."""
    cell = 5.0
    east, south = size[0] - INSET, size[1] - RULE_SOUTH
    west, north = east - cell * 1.3 * tile.columns, south - cell * tile.rows
    for row, column in product(range(tile.rows), range(tile.columns)):
        here = (row, column) == (tile.row, tile.column)
        x, y = west + column * cell * 1.3, north + row * cell
        corners = ((x, y), (x + cell * 1.3, y), (x + cell * 1.3, y + cell), (x, y + cell))
        draw(canvas, [Polygon(corners, fill=INK if here else PAPER, stroke=SOFT, width=0.2)])
        label = Tile(column, row, tile.columns, tile.rows).label
        middle = (x + cell * 0.65, y + cell / 2)
        draw_text(canvas, Text(middle, label, 2.6, PAPER if here else SOFT, bold=here))
