"""Which part of the board goes where on which page: pure geometry, nothing is drawn here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from string import ascii_uppercase

from engine.board import Board, Disc, Piece, Point, Sheet
from hardware.printing.paths import Box
from hardware.printing.seams import divide, pages_for

PAPERS: dict[str, Point] = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
SIDE, HEAD, FOOT = 5.0, 18.0, 24.0
"""Margins: what printers cannot reach, and room for the heading above, for a name and the rule below."""
LETTER_SIDE = 6.4
"""Printers for US paper leave a quarter of an inch."""
GAP = 9.0
"""Between two parts on a page: room for crop marks and a name."""
CAP_GAP, CAP_ROW_GAP = 2.4, 7.0


@dataclass(frozen=True)
class Placement:
    """A sheet, or the window of it that a page can hold, with its north-west corner at a place on the page."""

    sheet: Sheet
    window: Box
    at: Point
    cap: bool = False
    """Whether it is a disc for a piece and not a part of the board."""

    @property
    def size(self) -> Point:
        west, north, east, south = self.window
        return (east - west, south - north)

    @property
    def on_page(self) -> Box:
        return (self.at[0], self.at[1], self.at[0] + self.size[0], self.at[1] + self.size[1])

    @property
    def origin(self) -> Point:
        """Where the sheet's centre lies on the page (or off it)."""
        return (self.at[0] - self.window[0], self.at[1] - self.window[1])


@dataclass(frozen=True)
class Tile:
    """The place of a page in a part that is spread over several pages."""

    column: int
    row: int
    columns: int
    rows: int

    @property
    def label(self) -> str:
        return f"{ascii_uppercase[self.row]}{self.column + 1}"

    def neighbour(self, right: int, down: int) -> str | None:
        """The label of the page beside this one, if there is one."""
        column, row = self.column + right, self.row + down
        if column not in range(self.columns) or row not in range(self.rows):
            return None
        return Tile(column, row, self.columns, self.rows).label


@dataclass(frozen=True)
class Page:
    """One page of parts."""

    size: Point
    parts: tuple[Placement, ...]
    tile: Tile | None = None


def plan(board: Board, paper: str) -> tuple[Page, ...]:
    """The pages with all sheets of a board, large ones first in the board's order, then those that fit on a page."""
    sizes = _orientations(paper)
    small = [sheet for sheet in board.sheets if any(_fits(sheet, area(size)) for size in sizes)]
    large = [sheet for sheet in board.sheets if sheet not in small]
    pages = [page for sheet in large for page in _spread(sheet, sizes)]
    return (*pages, *_packed(small, sizes, GAP))


def plan_caps(board: Board, paper: str) -> tuple[Page, ...]:
    """Pages with a disc to stick on top of every piece, in its colour; every kind of piece in rows of its own."""
    size = PAPERS[paper]
    room = area(size)
    rows: list[list[Sheet]] = []
    for name, count in board.counts.items():
        cap = _cap(board.pieces[name])
        a_row = max(1, int((room[2] - room[0] + CAP_GAP) / (cap.size[0] + CAP_GAP)))
        lines = ceil(count / a_row)
        rows += [[cap] * (count * (k + 1) // lines - count * k // lines) for k in reversed(range(lines))]
    pages: list[Page] = []
    while rows:
        held = 1
        while held < len(rows) and _height(rows[: held + 1], CAP_ROW_GAP) <= room[3] - room[1]:
            held += 1
        pages.append(Page(size, tuple(_stand(rows[:held], room, (CAP_GAP, CAP_ROW_GAP), cap=True))))
        rows = rows[held:]
    return tuple(pages)


def area(size: Point) -> Box:
    """What a page offers to the parts."""
    side = reach(size)[0]
    return (side, HEAD, size[0] - side, size[1] - FOOT)


def reach(size: Point) -> Box:
    """What printers can print on of a page."""
    side = LETTER_SIDE if sorted(size) == sorted(PAPERS["letter"]) else SIDE
    return (side, side, size[0] - side, size[1] - side)


def _orientations(paper: str) -> tuple[Point, Point]:
    width, height = PAPERS[paper]
    return ((width, height), (height, width))


def _fits(sheet: Sheet, room: Box) -> bool:
    return sheet.size[0] <= room[2] - room[0] and sheet.size[1] <= room[3] - room[1]


def _cap(piece: Piece) -> Sheet:
    disc = Disc((0.0, 0.0), piece.diameter / 2, fill=piece.colour)
    return Sheet(piece.name, (piece.diameter, piece.diameter), (0.0, 0.0), 0.0, outline=(disc,), art=(disc,))


def _spread(sheet: Sheet, sizes: Sequence[Point]) -> Iterator[Page]:
    """A part larger than the paper, on as few pages as can be."""

    def pages(size: Point) -> int:
        room = area(size)
        return pages_for(sheet.size[0], room[2] - room[0]) * pages_for(sheet.size[1], room[3] - room[1])

    size = min(sizes, key=pages)
    room = area(size)
    columns = divide(sheet, 0, room[2] - room[0])
    rows = divide(sheet, 1, room[3] - room[1])
    for row, (north, south) in enumerate(rows):
        for column, (west, east) in enumerate(columns):
            at = ((room[0] + room[2] - east + west) / 2, (room[1] + room[3] - south + north) / 2)
            part = Placement(sheet, (west, north, east, south), at)
            yield Page(size, (part,), Tile(column, row, len(columns), len(rows)))


def _packed(sheets: Iterable[Sheet], sizes: Sequence[Point], gap: float) -> Iterator[Page]:
    """Parts that fit on a page, as many on each as it holds."""
    left = sorted(sheets, key=lambda sheet: -sheet.size[1])
    while left:
        shelves, size = max(
            ((_shelves(left, area(size), gap), size) for size in sizes), key=lambda choice: sum(map(len, choice[0]))
        )
        parts = tuple(_stand(shelves, area(size), (gap, gap)))
        placed = {id(part.sheet) for part in parts}
        left = [sheet for sheet in left if id(sheet) not in placed]
        yield Page(size, parts)


def _shelves(sheets: Sequence[Sheet], room: Box, gap: float) -> list[list[Sheet]]:
    """Rows of parts, the tallest first, as many as there is room for."""
    across, down = room[2] - room[0], room[3] - room[1]
    shelves: list[list[Sheet]] = []
    used = 0.0
    for sheet in (sheet for sheet in sheets if _fits(sheet, room)):
        if shelves and sum(other.size[0] + gap for other in shelves[-1]) + sheet.size[0] <= across:
            shelves[-1].append(sheet)
        elif used + sheet.size[1] <= down:
            shelves.append([sheet])
            used += sheet.size[1] + gap
    return shelves


def _stand(shelves: Sequence[list[Sheet]], room: Box, gaps: Point, cap: bool = False) -> Iterator[Placement]:
    """The rows in the middle of the page; one that is shorter than the like above it begins where that one does."""
    gap, row_gap = gaps
    y = (room[1] + room[3] - _height(shelves, row_gap)) / 2
    x = before = None
    for shelf in shelves:
        width = sum(sheet.size[0] + gap for sheet in shelf) - gap
        if x is None or before is None or shelf[0].size != before[-1].size or len(shelf) > len(before):
            x = (room[0] + room[2] - width) / 2
        before = shelf
        along = x
        for sheet in shelf:
            across, down = sheet.size
            yield Placement(sheet, (-across / 2, -down / 2, across / 2, down / 2), (along, y), cap)
            along += across + gap
        y += shelf[0].size[1] + row_gap


def _height(shelves: Sequence[list[Sheet]], gap: float) -> float:
    return sum(shelf[0].size[1] + gap for shelf in shelves) - gap
