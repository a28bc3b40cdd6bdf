"""The board of Nine Fields: one sheet."""

from __future__ import annotations

from engine.board import Board, Disc, Fiducial, Line, Patch, Piece, Point, Polygon, Shape, Sheet, Site

from .rules import FACES, FIELDS, PAWNS

FIDUCIALS = range(49, 57)
"""Asked of the registry once (`magister.free_fiducials(8)`) and kept."""
SIDE, APART, EDGE = 284.0, 56.0, 114.0
COLOURS = {"red": "#d0202e", "yellow": "#f4c20d"}
INK, IVORY, PAPER, GROUND, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#5a5f7d", "#8a8a8a", "#ffffff"

_AROUND = tuple((x * EDGE, y * EDGE) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)
_PATCHES = tuple(
    Patch(at, 8.0, colour)
    for side in (-1, 1)
    for step, colour in ((-72.0, WHITE), (-48.0, GREY), (48.0, COLOURS["red"]), (72.0, COLOURS["yellow"]))
    for at in ((side * EDGE, step), (step, side * EDGE))
)


def build_board(players: int) -> Board:
    pawns = {f"pawn-{name}": Piece(f"pawn-{name}", 20.0, 18.0, colour) for name, colour in COLOURS.items()}
    sites = {name: Site(name, _at(name), "base", 0.0) for name in FIELDS}
    return Board(
        game="nine-fields",
        sheets=(Sheet("base", (SIDE, SIDE), (0.0, 0.0), 0.0, outline=(_square(SIDE, PAPER),), art=tuple(_art())),),
        sites=sites,
        pieces=pawns,
        faces=FACES,
        counts=dict.fromkeys(pawns, PAWNS),
        readers=("pawns",),
        patches=_PATCHES,
    )


def _at(name: str) -> Point:
    return (APART * ("abc".index(name[0]) - 1), APART * (int(name[1]) - 2))


def _square(side: float, fill: str) -> Polygon:
    half = side / 2
    return Polygon(((-half, -half), (half, -half), (half, half), (-half, half)), fill=fill)


def _art() -> list[Shape]:
    art: list[Shape] = [_square(SIDE, PAPER), _square(3 * APART, GROUND)]
    for step in (-0.5, 0.5):
        far = 1.5 * APART
        art.append(Line(((step * APART, -far), (step * APART, far)), IVORY, 1.2))
        art.append(Line(((-far, step * APART), (far, step * APART)), IVORY, 1.2))
    for name in FIELDS:
        art += [Disc(_at(name), 12.6, fill=IVORY), Disc(_at(name), 11.4, fill=INK)]
    art += [Fiducial(at, number, 36.0) for number, at in zip(FIDUCIALS, _AROUND, strict=True)]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in _PATCHES]
    return art
