"""The Triominos table: a mat with a faint triangular lattice, rows for chips round it, and 36 cards to cut out.

Cards have no place of their own on the mat: a sheet is written down with its middle at the origin and lies where a
position puts it, its middle on the site, turned by the angle of its face and that of the site together. So that the
middle of a card is the middle of its picture, the picture reaches as far below it as above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import sqrt

from engine.board import (
    Board,
    CameraRange,
    Disc,
    Fiducial,
    Line,
    Patch,
    Piece,
    Point,
    Polygon,
    Shape,
    Sheet,
    Site,
    Text,
    turned,
)
from engine.core import COLOURS
from engine.games.triominos.cards import CARDS, JOKER
from engine.games.triominos.faces import CHIP, FACES
from engine.games.triominos.lattice import FIRST, Cell, Vertex, corners, is_up, site
from engine.games.triominos.purse import PLACES, START, place, row

SIDE = 32.0
"""Of a cell of the lattice."""
ROW = SIDE * sqrt(3) / 2
ACROSS, DOWN = 10, 6
"""How far from the first card the lattice reaches: of 1,000 matches that were played at random 993 stay on it."""
GAP = 0.4
"""From the edge of a card to the edge of its cell, so that cards fit side by side easily."""
ROUNDING = 1.2
THICKNESS = 2.0
FIDUCIALS = range(37, 49)
FIDUCIAL = 24.0
_WITH_MARGIN = FIDUCIAL + FIDUCIAL / 3
"""A fiducial is six cells wide; one more on each side stays light."""
BASE = ((ACROSS + 1) * SIDE + 2 * _WITH_MARGIN, (2 * DOWN + 1) * ROW + 2 * _WITH_MARGIN)
CAMERA = CameraRange(distance=(520.0, 760.0), tilt=(0.0, 35.0))
"""Nearer than 520 mm no promised lens shows the whole mat; farther than 760 mm the corners of a card are too small."""

CHIP_PIECE = Piece(CHIP, 16.0, 3.0, "#6c2fb0")
PITCH = 18.5
"""From one chip's place to the next."""

INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f6efe0", "#efe6d2", "#8a8a8a", "#ffffff"
FAINT, TINT, FIRST_TINT = "#c9bd9f", "#e4dac3", "#cfc1a0"
SEATS = dict(zip(COLOURS, ("#d0202e", "#f4c20d", "#17853b", "#1f55c4"), strict=True))
VALUES = {"1": "#f7d038", "2": "#b5121b", "3": "#1b4ca8", "4": "#2e9e63", "5": "#d86fb4"}
"""The colour that goes with each number: far apart in hue for the camera, and so unlike in lightness that eyes which
cannot tell red from green tell them apart as well."""
_DIGITS = dict.fromkeys(VALUES, WHITE) | {"1": INK, "5": INK}

_RADIUS = SIDE / sqrt(3) - 2 * GAP
"""From the middle of a card to the points of its triangle."""
_CORNERS = tuple(turned((0.0, -_RADIUS), 120 * k) for k in range(3))
_MIDDLES = tuple(turned((0.0, -_RADIUS / 2), 60 + 120 * k) for k in range(3))
_ROOM = _RADIUS * sqrt(3) / 2 / (1 + sqrt(3))
"""The radius of the circle that fits into a third of a card, which is a kite."""


def build_board(players: int) -> Board:
    """The table is the same for any number of players."""
    cells = [(x, y) for y, x in product(range(-DOWN, DOWN + 1), range(-ACROSS, ACROSS + 1))]
    lattice = [Site(site(cell), _middle(cell), "base", 0.0, 0.0 if is_up(cell) else 180.0) for cell in cells]
    return Board(
        game="triominos",
        sheets=(_base(cells), *map(_card, CARDS)),
        sites={each.name: each for each in (*lattice, *_chip_sites())},
        pieces={CHIP: CHIP_PIECE},
        faces=FACES,
        counts={CHIP: PLACES * len(COLOURS)},
        readers=("cards", "chips"),
        patches=_PATCHES,
        rows={colour: row(seat) for seat, colour in enumerate(COLOURS)},
        camera=CAMERA,
    )


def _chip_sites() -> Iterator[Site]:
    """A row in front of each seat: red sits in the south, the others follow clockwise; each counts from its left."""
    for seat, colour in enumerate(COLOURS):
        for number in range(1, PLACES + 1):
            along = (number - (PLACES + 1) / 2) * PITCH
            yield Site(
                place(colour, number), turned((along, _RIM[1] if seat % 2 == 0 else _RIM[0]), 90.0 * seat), "base", 0.0
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
    rim, rounding = 1.3, 1.0
    # A kite has an incircle, so that shrinking it towards that circle's middle leaves a rim of even width.
    heart = (0.0, 2 * _ROOM - _RADIUS)
    kite = _scaled((_CORNERS[0], _MIDDLES[0], (0.0, 0.0), _MIDDLES[2]), 1 - (rim + rounding) / _ROOM, heart)
    return [
        Polygon(tuple(turned(point, 120 * turn) for point in kite), fill=VALUES[value], rounding=rounding),
        Text(turned(heart, 120 * turn), value, 8.0, _DIGITS[value], angle=120.0 * turn, bold=True),
    ]


def _joker_art() -> list[Shape]:
    """A star in every corner, on a dark ground: it stands for any value."""
    rays = tuple(turned((0.0, -4.3 if k % 2 == 0 else -1.9), 36 * k) for k in range(10))
    heart = 2 * _ROOM - _RADIUS
    star = tuple((x, y + heart) for x, y in rays)
    return [Polygon(tuple(turned(point, 120 * turn) for point in star), fill=IVORY) for turn in range(3)]


def _scaled(points: Sequence[Point], factor: float, about: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    return tuple((about[0] + factor * (x - about[0]), about[1] + factor * (y - about[1])) for x, y in points)


# The mat


def _base(cells: Sequence[Cell]) -> Sheet:
    ground = Polygon(_box(*BASE), fill=PAPER)
    art: list[Shape] = [ground]
    art += [Polygon(_triangle(cell), fill=TINT) for cell in cells if is_up(cell)]
    art.append(Polygon(_triangle(FIRST), fill=FIRST_TINT))
    art += [Line((_vertex(one), _vertex(other)), FAINT, 0.5) for one, other in sorted(_edges(cells))]
    for seat, colour in enumerate(COLOURS):
        art += _row(colour, seat)
    art += [Fiducial(at, number, FIDUCIAL) for number, at in zip(FIDUCIALS, _FIDUCIAL_PLACES, strict=True)]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in _PATCHES]
    return Sheet("base", BASE, (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


def _row(colour: str, seat: int) -> Iterator[Shape]:
    """The places for a seat's chips; those that are taken when a match starts are filled with its colour."""
    sites = [each for each in _chip_sites() if each.name.startswith(colour)]
    for number, each in enumerate(sites):
        yield Disc(each.at, 7.0, fill=WHITE, stroke=SEATS[colour], width=1.2)
        if number < START:
            yield Disc(each.at, 2.2, fill=SEATS[colour])


def _edges(cells: Sequence[Cell]) -> set[tuple[Vertex, Vertex]]:
    """Every side of a cell once, though two cells share it."""
    edges = set()
    for cell in cells:
        points = corners(cell)
        edges |= {(min(pair), max(pair)) for pair in pairwise((*points, points[0]))}
    return edges


def _box(width: float, height: float) -> tuple[Point, ...]:
    return tuple((x * width / 2, y * height / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


_RIM = tuple(side / 2 - _WITH_MARGIN / 2 for side in BASE)
"""How far from the mat's middle the strips round the lattice have theirs: chips, fiducials and colours lie there."""
_BESIDE = PLACES / 2 * PITCH + _WITH_MARGIN / 2
"""From the middle of a row of chips to the middle of the fiducial beside it."""
# In every corner, and at both ends of every row of chips: cards never lie there, and no hand covers all of them.
_FIDUCIAL_PLACES: tuple[Point, ...] = tuple(
    at
    for x, y in product((-1, 1), (-1, 1))
    for at in ((x * _RIM[0], y * _RIM[1]), (x * _BESIDE, y * _RIM[1]), (x * _RIM[0], y * _BESIDE))
)
_FREE = (_BESIDE + min(_RIM)) / 2
_REFERENCE = (WHITE, GREY, INK, *VALUES.values())
# Between those fiducials: two colours each, and every colour on two sides of the mat that are far from each other.
_GAPS = tuple((side, end) for side in range(4) for end in (-1, 1))
_PATCHES = tuple(
    Patch(turned((end * (_FREE + way * 6.5), _RIM[1] if side % 2 == 0 else _RIM[0]), 90.0 * side), 5.5, colour)
    for (side, end), pair in zip(_GAPS, (*(range(k, k + 2) for k in (0, 2, 4, 6)),) * 2, strict=True)
    for way, colour in zip((-1, 1), (_REFERENCE[k] for k in pair), strict=True)
)
