"""The board of the three rings: concentric rings that turn round a fixed hub, on a square base."""

from __future__ import annotations

from itertools import product

from engine.board import Board, Disc, Fiducial, Line, Patch, Piece, Point, Polygon, Sector, Shape, Sheet, Site, turned
from engine.core import COLOURS
from engine.games.rings.cells import NAMES
from engine.games.rings.faces import FACES

RADII = {"a": 48.0, "b": 86.0, "c": 124.0}
"""From the centre to the cells of each ring."""
WIDTH = 38.0
GAP = 0.8
"""Between two rings, so that they turn freely."""
THICKNESS = 3.0
BASE = 360.0
FIDUCIALS = range(13, 25)

PAWN_COLOURS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4"}
GROUNDS = {"a": "#7b4f52", "b": "#4f6b64", "c": "#5a5f7d"}
INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#8a8a8a", "#ffffff"

TONES = {"L": IVORY, "D": INK}
TURN_CODE = ("LLLL", "LLDD", "LDLD", "LDDL", "DLLD", "DDLL", "DDDD", "DLDL")
"""Quarters of the marks between the cells, clockwise: light or dark, first the two inside, then the two outside. Any
two marks differ in two quarters at least, so that one mark in sight tells how the ring lies."""
MARK_HALF_WIDTH = {"a": 6.0, "b": 11.0, "c": 14.0}
"""In degrees: what the cells leave free."""


def build_board(players: int) -> Board:
    """The board is the same for any number of players."""
    pawns = {f"pawn-{colour}": Piece(f"pawn-{colour}", 20.0, 18.0, PAWN_COLOURS[colour]) for colour in COLOURS}
    return Board(
        game="rings",
        sheets=(_base(), *(_ring(ring) for ring in RADII)),
        sites={name: Site(name, _cell(name), f"ring-{name[0]}", THICKNESS) for name in NAMES},
        pieces=pawns,
        faces=FACES,
        counts=dict.fromkeys(pawns, 10),
        readers=("pawns",),
        patches=_PATCHES,
    )


def _cell(name: str) -> Point:
    return turned((0.0, -RADII[name[0]]), 45 * (int(name[1]) - 1))


def _ring(ring: str) -> Sheet:
    middle = RADII[ring]
    outer, inner = middle + (WIDTH - GAP) / 2, middle - (WIDTH - GAP) / 2
    edge, hole = Disc((0.0, 0.0), outer, fill=GROUNDS[ring]), Disc((0.0, 0.0), inner)
    art: list[Shape] = [edge, Disc((0.0, 0.0), middle, stroke=IVORY, width=1.2)]
    for k, quarters in enumerate(TURN_CODE):
        angle, half = 45 * k + 22.5, MARK_HALF_WIDTH[ring]
        art.append(Sector((0.0, 0.0), middle - 8, middle + 8, angle - half, angle + half, TONES[quarters[0]]))
        for (near, first), tone in zip(product((middle - 8, middle), (angle - half, angle)), quarters, strict=True):
            if tone != quarters[0]:
                art.append(Sector((0.0, 0.0), near, near + 8, first, first + half, TONES[tone]))
    for k in range(8):
        spoke = (turned((0.0, -inner), 45 * k), turned((0.0, -outer), 45 * k))
        art.append(Line(spoke, IVORY, 1.2))
        cell = turned((0.0, -middle), 45 * k)
        art += [Disc(cell, 12.6, fill=IVORY), Disc(cell, 11.4, fill=INK)]
    return Sheet(
        f"ring-{ring}",
        (2 * outer, 2 * outer),
        (0.0, 0.0),
        THICKNESS,
        outline=(edge, hole),
        art=tuple(art),
        pivot=(0.0, 0.0),
        turns=8,
    )


def _base() -> Sheet:
    half = BASE / 2
    ground = Polygon(((-half, -half), (half, -half), (half, half), (-half, half)), fill=PAPER)
    outermost, hub = max(RADII.values()) + WIDTH / 2, min(RADII.values()) - WIDTH / 2
    art: list[Shape] = [
        ground,
        Disc((0.0, 0.0), outermost, fill="#cfc4ab"),
        Disc((0.0, 0.0), hub - 1, fill=IVORY),
        *(Line(((0.0, 0.0), turned((0.0, 2 - hub), 45 * k)), INK, 0.8) for k in range(8)),
        Disc((0.0, 0.0), 5.0, fill=INK),
    ]
    art += [Fiducial(at, number, 36.0) for number, at in zip(FIDUCIALS, _FIDUCIAL_PLACES, strict=True)]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in _PATCHES]
    return Sheet("base", (BASE, BASE), (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


# Three fiducials in every corner of the base, reference colours along its sides.
_FIDUCIAL_PLACES: tuple[Point, ...] = tuple(
    (x * across, y * down)
    for x, y in product((-1, 1), (-1, 1))
    for across, down in ((156.0, 156.0), (156.0, 104.0), (104.0, 156.0))
)
_REFERENCE = (WHITE, GREY, INK, *PAWN_COLOURS.values())
_PATCHES = tuple(
    Patch((side * 164.0, 20.0 * (number - 3)), 8.0, colour)
    for side in (-1, 1)
    for number, colour in enumerate(_REFERENCE)
) + tuple(
    Patch((20.0 * (number - 2), side * 164.0), 8.0, colour)
    for side in (-1, 1)
    for number, colour in enumerate((WHITE, GREY, INK, GREY, WHITE))
)
