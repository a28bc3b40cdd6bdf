"""The first page: the board as it will stand on the table, what it is made of, and how to make it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.colors import HexColor
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from engine.board import Board, CameraRange, Disc, Piece, Point, Polygon, Sheet
from engine.words import say
from hardware.printing.art import (
    clip_to_outline,
    draw,
    draw_line,
    draw_sheet,
    kept,
    text_width,
    write,
)
from hardware.printing.fonts import BOLD, LIGHT, REGULAR
from hardware.printing.frame import FAINT, INK, SOFT, spoken
from hardware.printing.layout import PAPERS, Page
from hardware.printing.paths import Box, outline


def _(text: str) -> str:
    """Marks a text for the catalogues."""
    return text


SUBTITLE = _("The board to print, cut out and play on")
BACKLIT = _("The board to print for lights underneath: rings of bare paper")
REFEREED = _("A camera can referee this game: {command}")
NOT_REFEREED = _("No camera can referee this game yet: play it on the page or in the terminal.")
PAGE_AT = _("The table's page:")
PARTS, STEPS = _("What you need"), _("How to build it")
PAGE, PAGES, TO_PRINT, TO_FIND = _("page {pages}"), _("pages {pages}"), _("To print"), _("To buy or make")
PIECE_SIZE = _("Ø {diameter} mm, {height} mm high")
PRINT = _("Print all pages at 100 %, on matt paper. Check on every page that the ruler is 100 mm long.")
JOIN = _(
    "Parts on several pages: cut each page along its left and upper edge, put it on the strip with its letter and"
    " number so that the pictures meet, and glue it down. First join the pages of each row, then the rows."
)
MOUNT = _("Glue the base onto flat card or board, and cut it out.")
THICK = _(
    "Glue the other parts onto stiff card or plywood, {height} mm thick in total. Cut them out along their edges."
)
TURN = _("Place them on the base as in the drawing. They must turn freely; do not glue them.")
LAY = _("Place them on the base as in the drawing.")
SHUFFLE = _(
    "Before each match shuffle the small cards and lay them on their places, whichever way they turn; the big ones"
    " lie on the places of their colour."
)
CAMERA = _(
    "Camera: {near} to {far} mm away, up to {tilt}° off straight down, {width} × {height} pixels or more; all of the"
    " base must be in the picture."
)
CAPS = _("Plain wooden pieces will do: cut out the coloured discs and stick one on top of each.")
LENS = _(
    "Glue the lens chart onto something flat and stiff. Use it once to set up the camera: magister calibrate lens."
)

_LEFT, _RIGHT, _EDGE = 15.0, 108.0, 195.0
_NARROW = 3.3
_PIECE_SCALE, _PIECE_ROOM = 0.19, 4.8
_NAME_ROOM = 30.0
_FOOT = 276.0
_CODE = 22.0
DRAWING: Box = (30.0, 46.0, 180.0, 165.0)


@dataclass(frozen=True)
class CoverText:
    """What the cover says beyond the board itself."""

    refereed: bool | None = None
    """Whether a camera can referee the game; None: not said."""
    address: str = ""
    """Where the table's page is found on the home network, as a code for phones."""
    backlit: bool = False


NO_NOTES = CoverText()


def draw_cover(
    canvas: Canvas,
    board: Board,
    title: str,
    pages: Sequence[Page],
    paper: str,
    language: str,
    notes: CoverText = NO_NOTES,
) -> None:
    """Designed for A4, and the same but larger or smaller on other paper."""
    with kept(canvas):
        (width, height), (wide, high) = PAPERS[paper], PAPERS["a4"]
        factor = min(width / wide, height / high)
        canvas.translate((width - factor * wide) / 2, 0)
        canvas.scale(factor, factor)
        write(canvas, (_LEFT, 29.0), title, 13.0, INK, LIGHT)
        write(canvas, (_LEFT, 36.5), say(BACKLIT if notes.backlit else SUBTITLE, language), 4.4, SOFT)
        _draw_notes(canvas, board, notes, language)
        draw_assembled(canvas, board, DRAWING)
        _draw_parts(canvas, board, pages, language)
        _draw_steps(canvas, board, any(page.tile for page in pages), language)


def _draw_notes(canvas: Canvas, board: Board, notes: CoverText, language: str) -> None:
    """Whether a camera can referee it, and where its page is."""
    if notes.refereed is not None:
        told = say(REFEREED if notes.refereed else NOT_REFEREED, language, command=f"magister run --game {board.game}")
        write(canvas, (_LEFT, 42.0), told, 3.3, SOFT)
    if notes.address:
        _draw_code(canvas, (_EDGE - _CODE, 12.0), notes.address)
        write(canvas, (_EDGE - _CODE - 2.5, 24.0), say(PAGE_AT, language), 3.0, SOFT, from_right=True)
        write(canvas, (_EDGE - _CODE - 2.5, 28.5), notes.address, 3.3, INK, from_right=True)


def _draw_code(canvas: Canvas, at: Point, address: str) -> None:
    """A QR code, `_CODE` wide without its margin."""
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(address)
    code.make()
    cells = code.modules
    cell = _CODE / len(cells)
    path = canvas.beginPath()
    for row, line in enumerate(cells):
        for column, dark in enumerate(line):
            if dark:
                path.rect(at[0] + column * cell, at[1] + row * cell, cell, cell)
    canvas.setFillColor(HexColor(INK))
    canvas.drawPath(path, stroke=0, fill=1)


def draw_assembled(canvas: Canvas, board: Board, room: Box) -> None:
    """All sheets where they lie on the table before a match, as large as the room allows."""
    lying = [sheet for sheet in board.sheets if sheet.name not in board.cards]
    bounds = _bounds(board)
    scale = min((room[2] - room[0]) / (bounds[2] - bounds[0]), (room[3] - room[1]) / (bounds[3] - bounds[1]))
    with kept(canvas):
        canvas.translate((room[0] + room[2]) / 2, (room[1] + room[3]) / 2)
        canvas.scale(scale, scale)
        canvas.translate(-(bounds[0] + bounds[2]) / 2, -(bounds[1] + bounds[3]) / 2)
        for z in sorted({sheet.z for sheet in lying}):
            level = [sheet for sheet in lying if sheet.z == z]
            # Cards in one pile have one shadow.
            for sheet in {(sheet.at, sheet.size): sheet for sheet in level}.values():
                _draw_shadow(canvas, sheet)
            for sheet in level:
                _draw_lying(canvas, sheet)


def _bounds(board: Board) -> Box:
    corners = [
        sheet.to_table((x * sheet.size[0] / 2, y * sheet.size[1] / 2))
        for sheet in board.sheets
        for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    xs, ys = zip(*corners, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def _to_table(canvas: Canvas, sheet: Sheet) -> None:
    canvas.translate(*sheet.to_table((0.0, 0.0)))
    canvas.rotate(sheet.angle_at(0))


def _draw_shadow(canvas: Canvas, sheet: Sheet) -> None:
    with kept(canvas):
        canvas.translate(1.6, 2.2)
        _to_table(canvas, sheet)
        clip_to_outline(canvas, sheet)
        canvas.setFillColorRGB(0, 0, 0, alpha=0.28)
        canvas.drawPath(outline(canvas, sheet.outline[0]), stroke=0, fill=1)


def _draw_lying(canvas: Canvas, sheet: Sheet) -> None:
    with kept(canvas):
        _to_table(canvas, sheet)
        draw_sheet(canvas, sheet)
        canvas.setStrokeColorRGB(0, 0, 0, alpha=0.35)
        canvas.setLineWidth(0.4)
        for shape in sheet.outline:
            canvas.drawPath(outline(canvas, shape), stroke=1, fill=0)


def _draw_parts(canvas: Canvas, board: Board, pages: Sequence[Page], language: str) -> None:
    y = DRAWING[3] + 14.0
    _draw_title(canvas, (_LEFT, y), say(PARTS, language), _RIGHT - 9.0)
    y += 6.0
    write(canvas, (_LEFT, y), say(TO_PRINT, language), _NARROW, SOFT, BOLD)
    for sheet, name, size, where in _sheet_rows(board, pages, language):
        y += 6.4
        _draw_small(canvas, (_LEFT + 3.5, y - 1.1), sheet)
        write(canvas, (_LEFT + 9.0, y), name, _NARROW, INK)
        write(canvas, (_LEFT + 62.0, y), size, _NARROW, SOFT, from_right=True)
        write(canvas, (_RIGHT - 9.0, y), where, _NARROW, SOFT, from_right=True)
    y += 8.0
    if board.counts:
        write(canvas, (_LEFT, y), say(TO_FIND, language), _NARROW, SOFT, BOLD)
    for name, count in board.counts.items():
        piece = board.pieces[name]
        size = say(PIECE_SIZE, language, diameter=f"{piece.diameter:g}", height=f"{piece.height:g}")
        y += 5.6
        _draw_piece(canvas, (_LEFT + 3.5, y - 1.1), piece)
        write(canvas, (_LEFT + 9.0, y), f"{count} × {spoken(name, language)}", _NARROW, INK)
        write(canvas, (_RIGHT - 9.0, y), size, _NARROW, SOFT, from_right=True)


def _sheet_rows(board: Board, pages: Sequence[Page], language: str) -> Iterator[tuple[Sheet, str, str, str]]:
    """Name, size and pages of the sheets, those of one kind and size together."""
    groups: dict[tuple[str, Point], list[Sheet]] = {}
    for sheet in board.sheets:
        groups.setdefault((sheet.name.split("-")[0], sheet.size), []).append(sheet)
    for (_kind, size), sheets in groups.items():
        names = [sheet.name for sheet in sheets]
        told = ", ".join([spoken(names[0], language), *(name.partition("-")[2] for name in names[1:])])
        if text_width(told, _NARROW) > _NAME_ROOM:
            told = f"{len(names)} × {spoken(names[0], language)} … {names[-1].partition('-')[2]}"
        # The cover is the first page.
        on = [k for k, page in enumerate(pages, start=2) if any(part.sheet.name in names for part in page.parts)]
        where = say(PAGES if on[1:] else PAGE, language, pages=f"{on[0]}–{on[-1]}" if on[1:] else f"{on[0]}")
        yield sheets[0], told, f"{round(size[0], 1):g} × {round(size[1], 1):g} mm", where


def _draw_small(canvas: Canvas, middle: Point, sheet: Sheet) -> None:
    """A sheet as a picture of itself."""
    with kept(canvas):
        canvas.translate(*middle)
        scale = 5.4 / max(sheet.size)
        canvas.scale(scale, scale)
        draw_sheet(canvas, sheet)


def _draw_piece(canvas: Canvas, middle: Point, piece: Piece) -> None:
    """A small cylinder seen from the side and a little from above."""
    x, y = middle
    scale = min(_PIECE_SCALE, _PIECE_ROOM / (piece.height + 0.4 * piece.diameter))
    radius, height = piece.diameter / 2 * scale, piece.height * scale
    shade = "#" + "".join(f"{int(piece.colour[k : k + 2], 16) * 3 // 5:02x}" for k in (1, 3, 5))
    with kept(canvas):
        canvas.translate(x, y + height / 2)
        canvas.scale(1, 0.4)
        side = ((-radius, -height / 0.4), (radius, -height / 0.4), (radius, 0.0), (-radius, 0.0))
        draw(canvas, [Disc((0.0, 0.0), radius, shade), Polygon(side, fill=shade)])
        draw(canvas, [Disc((0.0, -height / 0.4), radius, piece.colour)])


def _draw_steps(canvas: Canvas, board: Board, spread: bool, language: str) -> None:
    top = DRAWING[3] + 14.0
    _draw_title(canvas, (_RIGHT, top), say(STEPS, language), _EDGE)
    steps = list(_steps(board, spread, language))
    # Some languages need more words: use smaller text rather than run into the ruler.
    for size in (_NARROW, 3.0, 2.7):
        split = [simpleSplit(step, REGULAR, size, _EDGE - _RIGHT - 6.0) for step in steps]
        if top + sum(len(lines) * 1.28 + 0.54 for lines in split) * size <= _FOOT:
            break
    y = top + 1.0
    for number, lines in enumerate(split, start=1):
        y += 1.8 * size
        write(canvas, (_RIGHT, y), str(number), size, SOFT, BOLD)
        for k, line in enumerate(lines):
            write(canvas, (_RIGHT + 6.0, y + k * 1.28 * size), line, size, INK)
        y += (len(lines) - 1) * 1.28 * size


def _steps(board: Board, spread: bool, language: str) -> Iterator[str]:
    yield say(PRINT, language)
    if spread:
        yield say(JOIN, language)
    yield say(MOUNT, language)
    solid = [sheet.z for sheet in board.sheets if sheet.z > 0]
    if solid:
        yield say(THICK, language, height=f"{max(solid):g}")
    if board.turnable:
        yield say(TURN, language)
    elif board.fields:
        yield say(SHUFFLE, language)
        yield _camera(board.camera, language)
    elif len({sheet.at for sheet in board.sheets[1:]}) > 1:
        yield say(LAY, language)
    if board.counts:
        yield say(CAPS, language)
    yield say(LENS, language)


def _camera(where: CameraRange, language: str) -> str:
    """What the camera must be like to read what is printed on cards."""
    (near, far), (width, height) = where.distance, where.size
    tilt = f"{where.tilt[1]:g}"
    return say(CAMERA, language, near=f"{near:g}", far=f"{far:g}", tilt=tilt, width=width, height=height)


def _draw_title(canvas: Canvas, at: Point, text: str, edge: float) -> None:
    write(canvas, at, text, 5.0, INK, BOLD)
    draw_line(canvas, ((at[0], at[1] + 1.8), (edge, at[1] + 1.8)), FAINT, 0.25)
