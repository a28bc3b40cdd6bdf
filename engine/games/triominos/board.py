"""The Triominos table: a mat with a faint triangular lattice, and 36 triangular cards to cut out.

Cards have no place of their own on the mat: a sheet is written down with its middle at the origin and lies where a
position puts it, its middle on the site, turned by the angle of its face and that of the site together. So that the
middle of a card is the middle of its picture, the picture reaches as far below it as above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import sqrt

from engine.board import Board, Disc, Fiducial, Line, Patch, Point, Polygon, Shape, Sheet, Site, Text, turned
from engine.games.triominos.cards import CARDS, JOKER
from engine.games.triominos.faces import FACES
from engine.games.triominos.lattice import FIRST, Cell, Vertex, corners, is_up, site

SIDE = 40.0
"""Of a cell of the lattice."""
ROW = SIDE * sqrt(3) / 2
GAP = 0.4
"""From the edge of a card to the edge of its cell, so that cards fit side by side easily."""
ROUNDING = 1.6
THICKNESS = 2.0
BASE = (420.0, 360.0)
FIDUCIALS = range(37, 49)
FIDUCIAL = 36.0
EDGE = 2.0
"""The outermost strip of the mat, where no card lies."""

INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#8a8a8a", "#ffffff"
FAINT, TINT, FIRST_TINT = "#d5c9ae", "#e9dfc8", "#dccfb2"
VALUES = {"1": "#f0b90f", "2": "#c9252f", "3": "#2560c0", "4": "#1f8a45", "5": "#cc68a6"}
"""The colour that goes with each number: far apart in hue, and not all of one lightness."""
_DIGITS = dict.fromkeys(VALUES, WHITE) | {"1": INK}

_RADIUS = SIDE / sqrt(3) - 2 * GAP
"""From the middle of a card to the points of its triangle."""
_CORNERS = tuple(turned((0.0, -_RADIUS), 120 * k) for k in range(3))
_MIDDLES = tuple(turned((0.0, -_RADIUS / 2), 60 + 120 * k) for k in range(3))
_ROOM = _RADIUS * sqrt(3) / 2 / (1 + sqrt(3))
"""The radius of the circle that fits into a third of a card, which is a kite."""


def build_board(players: int) -> Board:
    """The table is the same for any number of players."""
    cells = [(x, y) for y, x in product(range(-5, 6), range(-10, 11)) if _lies_free((x, y))]
    return Board(
        game="triominos",
        sheets=(_base(cells), *map(_card, CARDS)),
        sites={
            site(cell): Site(site(cell), _middle(cell), "base", 0.0, 0.0 if is_up(cell) else 180.0) for cell in cells
        },
        pieces={},
        faces=FACES,
        counts={},
        readers=("cards", "chips"),
        patches=_PATCHES,
    )


# The lattice


def _vertex(vertex: Vertex) -> Point:
    """A vertex on the table: the row of the first card runs through the middle of the mat."""
    return (vertex[0] * SIDE / 2, (vertex[1] - 0.5) * ROW)


def _triangle(cell: Cell) -> tuple[Point, ...]:
    return tuple(map(_vertex, corners(cell)))


def _middle(cell: Cell) -> Point:
    points = _triangle(cell)
    return (sum(x for x, _ in points) / 3, sum(y for _, y in points) / 3)


def _lies_free(cell: Cell) -> bool:
    """Whether a card on this cell lies on the mat and covers neither fiducial nor patch."""
    triangle = _triangle(cell)
    width, height = BASE
    on_mat = all(abs(x) <= width / 2 - EDGE and abs(y) <= height / 2 - EDGE for x, y in triangle)
    return on_mat and not any(_overlap(triangle, square) for square in _keep_clear())


def _keep_clear() -> Iterator[tuple[Point, ...]]:
    for at in _FIDUCIAL_PLACES:
        yield _square(at, _WITH_MARGIN / 2)
    for patch in _PATCHES:
        yield _square(patch.at, patch.radius + 1)


def _overlap(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether a cell and an upright square share more than their edges: no line along a side of either parts them."""
    for across, down in ((1.0, 0.0), (0.0, 1.0), (sqrt(3) / 2, 0.5), (sqrt(3) / 2, -0.5)):
        first = [across * x + down * y for x, y in one]
        second = [across * x + down * y for x, y in other]
        if max(first) <= min(second) or max(second) <= min(first):
            return False
    return True


# Cards


def _card(card: str) -> Sheet:
    shrunk = (_RADIUS - 2 * ROUNDING) / _RADIUS
    outline = Polygon(_scaled(_CORNERS, shrunk), fill=INK if card == JOKER else IVORY, rounding=ROUNDING)
    art = _joker_art() if card == JOKER else [shape for turn, value in enumerate(card) for shape in _third(value, turn)]
    return Sheet(
        f"card-{card}",
        (SIDE - 2 * GAP * sqrt(3), 2 * _RADIUS),
        (0.0, 0.0),
        THICKNESS,
        outline=(outline,),
        art=(outline, *art),
    )


def _third(value: str, turn: int) -> list[Shape]:
    """The corner with a value: as large a patch of its colour as a card has room for, and the number in it."""
    rim, rounding = 1.1, 1.2
    # A kite has an incircle, so that shrinking it towards that circle's middle leaves a rim of even width.
    heart = (0.0, 2 * _ROOM - _RADIUS)
    kite = _scaled((_CORNERS[0], _MIDDLES[0], (0.0, 0.0), _MIDDLES[2]), 1 - (rim + rounding) / _ROOM, heart)
    return [
        Polygon(tuple(turned(point, 120 * turn) for point in kite), fill=VALUES[value], rounding=rounding),
        Text(turned(heart, 120 * turn), value, 11.0, _DIGITS[value], angle=120.0 * turn, bold=True),
    ]


def _joker_art() -> list[Shape]:
    """A star on a dark ground, with all the colours round it."""
    rays = tuple(turned((0.0, -9.5 if k % 2 == 0 else -3.9), 36 * k) for k in range(10))
    art: list[Shape] = [Polygon(_scaled(_CORNERS, 0.82), stroke=IVORY, width=0.8), Polygon(rays, fill=IVORY)]
    lights = [(0.0, -14.0), (7.2, 7.6), (13.2, 7.4), (-7.2, 7.6), (-13.2, 7.4)]
    art += [Disc(at, 2.2, fill=colour) for at, colour in zip(lights, VALUES.values(), strict=True)]
    return art


def _scaled(points: Sequence[Point], factor: float, about: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    return tuple((about[0] + factor * (x - about[0]), about[1] + factor * (y - about[1])) for x, y in points)


# The mat


def _base(cells: Sequence[Cell]) -> Sheet:
    width, height = BASE
    ground = Polygon(_box(width, height), fill=PAPER)
    art: list[Shape] = [ground]
    art += [Polygon(_triangle(cell), fill=TINT) for cell in cells if is_up(cell)]
    art.append(Polygon(_triangle(FIRST), fill=FIRST_TINT))
    art += [Line((_vertex(one), _vertex(other)), FAINT, 0.5) for one, other in sorted(_edges(cells))]
    art += [Fiducial(at, number, FIDUCIAL) for number, at in zip(FIDUCIALS, _FIDUCIAL_PLACES, strict=True)]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in _PATCHES]
    return Sheet("base", BASE, (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


def _edges(cells: Sequence[Cell]) -> set[tuple[Vertex, Vertex]]:
    """Every side of a cell once, though two cells share it."""
    edges = set()
    for cell in cells:
        points = corners(cell)
        edges |= {(min(pair), max(pair)) for pair in pairwise((*points, points[0]))}
    return edges


def _box(width: float, height: float) -> tuple[Point, ...]:
    return tuple((x * width / 2, y * height / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _square(at: Point, half: float) -> tuple[Point, ...]:
    return tuple((at[0] + x, at[1] + y) for x, y in _box(2 * half, 2 * half))


_WITH_MARGIN = FIDUCIAL + FIDUCIAL / 3
"""A fiducial is six cells wide; one more on each side stays light."""
_FAR = tuple(side / 2 - EDGE - _WITH_MARGIN / 2 for side in BASE)
# Three fiducials in every corner leave the mat free where a pattern that starts in its middle grows; the reference
# colours lie north and south of the last whole row of the lattice.
_FIDUCIAL_PLACES: tuple[Point, ...] = tuple(
    (x * (_FAR[0] - across * _WITH_MARGIN), y * (_FAR[1] - down * _WITH_MARGIN))
    for x, y in product((-1, 1), (-1, 1))
    for across, down in ((0, 0), (1, 0), (0, 1))
)
_REFERENCE = (WHITE, GREY, INK, *VALUES.values())
_PATCHES = tuple(
    Patch((24.0 * (number - 3.5), side * 167.0), 8.0, colour)
    for side in (-1, 1)
    for number, colour in enumerate(_REFERENCE)
)
