"""Memento's board: four triangles to cut out, on a base with fiducials and reference colours.

A tile is the triangle of its corner points widened by a margin, so that a stone on a corner stands inside it; the
medians are the middles of that triangle's sides, and so every straight line of the rules is straight on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import sqrt

from engine.board import Board, Disc, Fiducial, Line, Patch, Piece, Point, Polygon, Shape, Sheet, Site, Text, turned
from engine.core import COLOURS
from engine.games.memento.faces import FACES
from engine.games.memento.points import NAMES, TILES, stones_for

CORNER = 76.0
"""From a tile's middle to its corner points."""
MARGIN = 15.0
"""From the outer points to the edge of the tile: a stone and a little more."""
GAP = 4.0
"""Between two tiles, so that each can be lifted and turned."""
THICKNESS = 3.0
BASE = (400.0, 364.0)
FIDUCIALS = range(13)

MARKER_COLOURS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4"}
GROUNDS = {"T": "#4f6b64", "L": "#5a5f7d", "R": "#66566f", "I": "#7b4f52"}
"""Muted and darker than the stones, so that a stack stands out from every side."""
INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#8a8a8a", "#ffffff"

_APART = CORNER + 2 * MARGIN + GAP
_INNER = (0.0, 24.0)
PIVOTS: dict[str, Point] = {
    "T": (_INNER[0], _INNER[1] - _APART),
    "L": (_INNER[0] - _APART * sqrt(3) / 2, _INNER[1] + _APART / 2),
    "R": (_INNER[0] + _APART * sqrt(3) / 2, _INNER[1] + _APART / 2),
    "I": _INNER,
}
# The seven places round a tile's middle, apex up: corners 1 2 3, medians 4 5 6 opposite to them, middle.
_CORNERS = tuple(turned((0.0, -CORNER), 120 * k) for k in range(3))
_PLACES: tuple[Point, ...] = (*_CORNERS, *(turned((0.0, CORNER / 2), 120 * k) for k in range(3)), (0.0, 0.0))


def build_board(game: str, title: str, players: int) -> Board:
    """The board of one of the Memento games: they differ only in name, and it is the same for any players."""
    markers = {f"marker-{colour}": Piece(f"marker-{colour}", 24.0, 3.0, MARKER_COLOURS[colour]) for colour in COLOURS}
    return Board(
        game=game,
        sheets=(_base(title), *(_tile(tile) for tile in TILES)),
        sites={name: Site(name, _site(name), f"tile-{name[0]}", THICKNESS) for name in NAMES},
        pieces={"stone": Piece("stone", 28.0, 22.0, "#d9c7a3")} | markers,
        faces=FACES,
        counts={"stone": stones_for(4)} | dict.fromkeys(markers, 9),
        readers=("stacks",),
        patches=_PATCHES,
    )


def _upside(tile: str) -> int:
    return 180 if tile == "I" else 0


def _site(name: str) -> Point:
    tile, place = name[0], _PLACES[int(name[1]) - 1]
    x, y = turned(place, _upside(tile))
    return (PIVOTS[tile][0] + x, PIVOTS[tile][1] + y)


def _tile(tile: str) -> Sheet:
    """One triangle; its picture's centre lies off its pivot, because a triangle is not as high above as below."""
    width = CORNER * sqrt(3) + 2 * MARGIN
    height = CORNER * 1.5 + 2 * MARGIN
    offset = turned((0.0, -CORNER / 4), _upside(tile))

    def local(point: Point) -> Point:
        x, y = turned(point, _upside(tile))
        return (x - offset[0], y - offset[1])

    outline = Polygon(tuple(map(local, _CORNERS)), fill=GROUNDS[tile], rounding=MARGIN)
    pivot = PIVOTS[tile]
    return Sheet(
        name=f"tile-{tile}",
        size=(width, height),
        at=(pivot[0] + offset[0], pivot[1] + offset[1]),
        pivot=pivot,
        z=THICKNESS,
        turns=3,
        outline=(outline,),
        art=(outline, *_tile_art(local)),
    )


Local = Callable[[Point], Point]


def _tile_art(local: Local) -> list[Shape]:
    corners, medians, middle = _PLACES[:3], _PLACES[3:6], _PLACES[6]
    lines = [(corners[k], corners[k - 2]) for k in range(3)] + [(corners[k], medians[k]) for k in range(3)]
    art: list[Shape] = [Line((local(one), local(other)), IVORY, 1.4) for one, other in lines]
    art += _turn_marks(local)
    for place in (*corners, *medians, middle):
        art.append(Disc(local(place), 12.6, fill=IVORY))
        art.append(Disc(local(place), 11.4, fill=INK))
    return art


def _turn_marks(local: Local) -> list[Shape]:
    """What tells the camera how the tile lies: towards its corners a light, a dark and no arrow, along its edges
    a light, a dark and no band. Pieces and hands hide some of them, hardly ever all."""
    art: list[Shape] = []
    for k, tone in enumerate((IVORY, INK)):
        arrow = ((0.0, -56.0), (12.0, -26.0), (-12.0, -26.0))
        edge = ((-44.0, 50.0), (44.0, 50.0), (44.0, 45.0), (-44.0, 45.0))
        art.append(Polygon(tuple(local(turned(point, 120 * k)) for point in arrow), fill=tone))
        art.append(Polygon(tuple(local(turned(point, 120 * k)) for point in edge), fill=tone))
    return art


def _base(title: str) -> Sheet:
    x, y = BASE[0] / 2, BASE[1] / 2
    ground = Polygon(((-x, -y), (x, -y), (x, y), (-x, y)), fill=PAPER)
    art: list[Shape] = [ground]
    for tile in TILES:
        x, y = PIVOTS[tile]
        places = [turned(corner, _upside(tile)) for corner in _CORNERS]
        slot = tuple((x + px, y + py) for px, py in places)
        art.append(Polygon(slot, fill="#cfc4ab", rounding=MARGIN + 1))
    art += [Fiducial(at, number, 36.0) for number, at in zip(FIDUCIALS, _FIDUCIAL_PLACES, strict=True)]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in _PATCHES]
    first, second = title.split()
    art.append(Text((-62.0, -105.0), first, 11.0, INK, angle=-60, bold=True))
    art.append(Text((62.0, -105.0), second, 11.0, INK, angle=60, bold=True))
    return Sheet("base", BASE, (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


def _mirrored(points: Iterable[Point]) -> list[Point]:
    """These points, each with its mirror image east of the middle."""
    return [twin for x, y in points for twin in ((x, y), (-x, y))]


# Fiducials and patches fill what the big triangle leaves free of the base, and the strip south of it.
_FIDUCIAL_PLACES = (
    *_mirrored(((-174.0, -156.0), (-112.0, -156.0), (-174.0, -64.0), (-174.0, 28.0))),
    *((float(x), 158.0) for x in (-174, -87, 0, 87, 174)),
)
_REFERENCE = (WHITE, GREY, INK, *MARKER_COLOURS.values())
_PATCHES = tuple(
    Patch((side * x, y), 8.0, colour)
    for side in (-1, 1)
    for colour, (x, y) in zip(
        _REFERENCE,
        ((132, -112), (132, -90), (132, -68), (132, -46), (110, -112), (110, -90), (110, -68)),
        strict=True,
    )
) + tuple(
    Patch((x + dx, 158.0), 8.0, colour)
    for x in (-130.5, -43.5, 43.5, 130.5)
    for dx, colour in ((-10.0, WHITE), (10.0, GREY))
)
