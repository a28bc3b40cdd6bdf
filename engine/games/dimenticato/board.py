"""Dimenticato's board: a card for every place of the track, laid round the hole of a mat with fiducials.

The mat is a grid of card-sized cells: the track, the hole in it, and one cell more all round, where the start blocks
reach out. What cards leave free of it carries the fiducials and the reference colours, whatever the plan.

A die is an ivory round, just as wide as a figure's foot, on a square of the die's colour: ivory means that nobody
stands there, and whoever stands there covers all the pips.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from engine.board import Board, Disc, Fiducial, Line, Patch, Piece, Point, Polygon, Shape, Sheet, Site, Text, turned
from engine.core import COLOURS, Json
from engine.face import FaceSet
from engine.games.dimenticato.faces import BY_SEAT
from engine.games.dimenticato.plan import DEFAULT_PLANS, STARTS, STEPS, Place, Plan, bits
from engine.games.dimenticato.setup import FIGURES

FIELD = 28.0
CARD = 2 * FIELD
GAP = 1.0
"""Between two cards."""
ROUNDING = 3.0
THICKNESS = 1.5
EDGE = 4.0
"""What the mat has beyond the outermost cells."""
FIDUCIALS = range(25, 37)
"""Mats for fewer players use only the first of them."""
FIDUCIAL = 40.0
SMALLEST = 3
"""A plan of no more cards each way has a hole of one cell, which holds a fiducial."""
PATCHES = 4
"""Cells of the mat with reference colours."""

FIGURE_COLOURS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4"}
DIE_COLOURS = {"red": "#b4474b", "yellow": "#d8ab3c", "green": "#55875f", "blue": "#5272a6"}
"""Muted, so that a figure can be told from a die of its own colour."""
GROUNDS = {"red": "#6f3f42", "yellow": "#8d7238", "green": "#41604c", "blue": "#42547a"}
GROUND = "#57524b"
INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#8a8a8a", "#ffffff"

FOOT = 10.0
"""The radius of a figure, and of the disc it covers."""
_PIP = 2.2
_CORNER_PIPS = ((-5.0, -5.0), (5.0, 5.0), (-5.0, 5.0), (5.0, -5.0))
_PIPS: Mapping[int, tuple[Point, ...]] = {
    1: ((0.0, 0.0),),
    2: _CORNER_PIPS[:2],
    3: ((0.0, 0.0), *_CORNER_PIPS[:2]),
    4: _CORNER_PIPS,
    5: ((0.0, 0.0), *_CORNER_PIPS),
    6: tuple((x, y) for x in (-3.9, 3.9) for y in (-6.0, 0.0, 6.0)),
}


def mat_board(players: int) -> Board:
    """The mat of the usual plan, without its cards."""
    return _board(Plan(*DEFAULT_PLANS[players]), ())


def lay_out(bare: Board, setup: Json) -> Board:
    """The cards of a set-up on its mat, which is another one if the set-up has a plan of its own."""
    plan = Plan(setup["width"], setup["height"], tuple(setup["big"]))
    return _board(plan, [_card(plan, card, setup["fields"]) for card in range(len(plan.cards))])


def _board(plan: Plan, cards: Sequence[Sheet]) -> Board:
    mat = _Mat(plan)
    seats = COLOURS[: len(plan.big)]
    figures = [Piece(f"figure-{colour}", 2 * FOOT, 24.0, FIGURE_COLOURS[colour]) for colour in seats]
    return Board(
        game="dimenticato",
        sheets=(_base(mat), *cards),
        sites={
            name: Site(name, _at(plan, place), cards[_card_of(plan, number)].name if cards else "base", THICKNESS)
            for number, (name, place) in enumerate(zip(plan.names, plan.places, strict=True))
        },
        pieces={figure.name: figure for figure in figures},
        faces=FaceSet(BY_SEAT[: len(seats)]),
        counts={figure.name: FIGURES for figure in figures},
        readers=("figures", "dice"),
        patches=mat.patches,
    )


def _at(plan: Plan, place: Place) -> Point:
    """The middle of a field on the table."""
    return ((place[0] + 0.5 - plan.width) * FIELD, (place[1] + 0.5 - plan.height) * FIELD)


def _card_of(plan: Plan, number: int) -> int:
    seat = plan.block_owner(number)
    return plan.card_of[number] if seat is None else plan.big[seat]


# Cards


def _card(plan: Plan, card: int, fields: Mapping[str, Any]) -> Sheet:
    """A card, drawn as it lies on the table; a big one reaches out as far as its start block."""
    cells = _cells_of(plan, card)
    middles = [_middle(plan, cell) for cell in cells]
    at = (sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles))
    size = (max(x for x, _ in middles) - at[0]) * 2 + CARD - GAP, (max(y for _, y in middles) - at[1]) * 2 + CARD - GAP
    seat = COLOURS[plan.big.index(card)] if card in plan.big else None
    outline = _block((0.0, 0.0), size, fill=GROUNDS[seat] if seat else GROUND, rounding=ROUNDING)
    art: list[Shape] = [outline]
    facing = 180.0 + 90 * plan.forward[card]

    def local(point: Point) -> Point:
        return (point[0] - at[0], point[1] - at[1])

    centre = local(middles[0])
    for number in bits(plan.card_fields[card]):
        name, place = plan.names[number], local(_at(plan, plan.places[number]))
        art += _die(place, centre, name, fields[name], facing)
    art += _arrow(centre, plan.forward[card], card in plan.corners)
    if seat:
        starts = [plan.places[number] for number in bits(plan.blocks[COLOURS.index(seat)])]
        art += _starts([local(_at(plan, place)) for place in starts], seat, facing)
    return Sheet(f"card-{card}", size, at, THICKNESS, outline=(outline,), art=tuple(art))


def _die(at: Point, centre: Point, name: str, die: Mapping[str, Any], facing: float) -> list[Shape]:
    """One field: the colour as a square, the pips on a round in it, and the name in the corner of the card."""
    corner = (at[0] + (at[0] - centre[0]) * 0.68, at[1] + (at[1] - centre[1]) * 0.68)
    return [
        _block(at, (25.0, 25.0), fill=DIE_COLOURS[die["colour"]], rounding=ROUNDING),
        Disc(at, FOOT, fill=IVORY),
        *(Disc((at[0] + x, at[1] + y), _PIP, fill=INK) for x, y in _PIPS[die["pips"]]),
        Text(corner, name, 3.0, INK, angle=facing),
    ]


def _arrow(at: Point, forward: int, corner: bool) -> list[Shape]:
    """Where the track leads; on a corner card it comes from the side before and turns right."""

    def placed(*points: Point) -> tuple[Point, ...]:
        return tuple((at[0] + x, at[1] + y) for x, y in (turned(point, 90 * forward) for point in points))

    shaft: tuple[Point, ...] = ((-2.4, 4.6), (-2.4, -0.8), (1.0, -0.8)) if corner else ((-4.8, 0.0), (1.0, 0.0))
    level = shaft[-1][1]
    return [
        Disc(at, 7.0, fill=GROUND),
        Line(placed(*shaft), IVORY, 1.6),
        Polygon(placed((0.8, level - 2.8), (5.0, level), (0.8, level + 2.8)), fill=IVORY),
    ]


def _starts(places: Sequence[Point], seat: str, facing: float) -> list[Shape]:
    art: list[Shape] = []
    for place, name in zip(places, STARTS, strict=True):
        art += [Disc(place, 12.0, fill=FIGURE_COLOURS[seat]), Disc(place, FOOT, fill=IVORY)]
        art.append(Text(place, name.removeprefix("@"), 8.0, GROUNDS[seat], angle=facing))
    return art


def _block(at: Point, size: Point, fill: str, rounding: float) -> Polygon:
    x, y = size[0] / 2 - rounding, size[1] / 2 - rounding
    points = ((-x, -y), (x, -y), (x, y), (-x, y))
    return Polygon(tuple((at[0] + dx, at[1] + dy) for dx, dy in points), fill=fill, rounding=rounding)


# The mat


def _cells_of(plan: Plan, card: int) -> list[Place]:
    """The cells that a card covers: its own, and that of its start block."""
    column, row = plan.cards[card]
    if card not in plan.big:
        return [(column, row)]
    out = STEPS[(plan.forward[card] - 1) % 4]
    return [(column, row), (column + out[0], row + out[1])]


def _middle(plan: Plan, cell: Place) -> Point:
    return ((cell[0] + 0.5 - plan.width / 2) * CARD, (cell[1] + 0.5 - plan.height / 2) * CARD)


@dataclass(frozen=True)
class _Mat:
    """Which of the cells that cards leave free carries what."""

    plan: Plan

    @property
    def size(self) -> Point:
        return ((self.plan.width + 2) * CARD + 2 * EDGE, (self.plan.height + 2) * CARD + 2 * EDGE)

    @cached_property
    def corners(self) -> list[Place]:
        """The corners of the mat and those of the hole."""
        right, bottom = self.plan.width, self.plan.height
        outer = product((-1, right), (-1, bottom))
        inner = product(sorted({1, right - 2}), sorted({1, bottom - 2}))
        return [*outer, *inner]

    @cached_property
    def rim(self) -> list[Place]:
        """The free cells round the track, clockwise, without the corners."""
        covered = {cell for card in range(len(self.plan.cards)) for cell in _cells_of(self.plan, card)}
        right, bottom = self.plan.width, self.plan.height
        ring = (
            *((column, -1) for column in range(right)),
            *((right, row) for row in range(bottom)),
            *((column, bottom) for column in reversed(range(right))),
            *((-1, row) for row in reversed(range(bottom))),
        )
        return [cell for cell in ring if cell not in covered]

    @cached_property
    def marked(self) -> list[Place]:
        """The cells with a fiducial: all corners, and as many of the others as there are ids, but not most."""
        return [*self.corners, *_spread(self.rim, min(len(FIDUCIALS) - len(self.corners), len(self.rim) // 2))]

    @cached_property
    def patches(self) -> tuple[Patch, ...]:
        """Rosettes of the reference colours, white in the middle."""
        plain = [cell for cell in self.rim if cell not in self.marked]
        return tuple(
            Patch((x + dx, y + dy), 7.5, colour)
            for x, y in (_middle(self.plan, cell) for cell in _spread(plain, PATCHES))
            for (dx, dy), colour in zip(_ROSETTE, _REFERENCE, strict=True)
        )


_ROSETTE = ((0.0, 0.0), *(turned((0.0, -17.5), 60.0 * k) for k in range(6)))
_REFERENCE = (WHITE, INK, FIGURE_COLOURS["red"], FIGURE_COLOURS["yellow"], GREY, *list(FIGURE_COLOURS.values())[2:])


def _spread(cells: Sequence[Place], count: int) -> list[Place]:
    """This many of the cells, spread as evenly as possible."""
    return [cells[(2 * number + 1) * len(cells) // (2 * count)] for number in range(count)]


def _base(mat: _Mat) -> Sheet:
    plan = mat.plan
    ground = _block((0.0, 0.0), mat.size, fill=PAPER, rounding=0.0)
    art: list[Shape] = [ground]
    for card in range(len(plan.cards)):
        slots = (_middle(plan, cell) for cell in _cells_of(plan, card))
        art += [_block(at, (CARD, CARD), fill="#cfc4ab", rounding=ROUNDING) for at in slots]
    if max(plan.width, plan.height) > SMALLEST:
        art += _emblem()
    art += [
        Fiducial(_middle(plan, cell), number, FIDUCIAL) for number, cell in zip(FIDUCIALS, mat.marked, strict=False)
    ]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in mat.patches]
    return Sheet("base", mat.size, (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


def _emblem() -> Iterator[Shape]:
    """The name in the middle of the hole, legible from two sides, in a ring that runs clockwise."""
    yield Disc((0.0, 0.0), 24.0, stroke=INK, width=0.8)
    for k in range(4):
        yield Polygon(tuple(turned(point, 90 * k) for point in ((-2.4, -26.6), (2.8, -24.0), (-2.4, -21.4))), fill=INK)
    for angle in (0.0, 180.0):
        yield Text(turned((0.0, 5.0), angle), "Dimenticato", 5.2, INK, angle=angle, bold=True)
