"""Dimenticato's board: a card for every place of the track, laid round the hole of a mat with fiducials.

The mat is a grid of card-sized cells: the track, the hole in it, and one cell more all round, where the start blocks
reach out. What cards leave free of it carries the fiducials and the reference colours, whatever the plan. The mat alone
says what the fields are called and which way the track runs: cards carry dice and are shuffled.

A die is an ivory round, just as wide as a figure's foot, on a square of the die's colour: ivory means that nobody
stands there, and whoever stands there covers all the pips.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import hypot
from string import ascii_uppercase

from engine.board import (
    Board,
    Card,
    DiceDesign,
    Disc,
    Fiducial,
    Patch,
    Piece,
    Point,
    Polygon,
    Print,
    Shape,
    Sheet,
    Site,
    Text,
    turned,
)
from engine.core import COLOURS, Json
from engine.face import FaceSet
from engine.games.dimenticato.faces import BY_SEAT
from engine.games.dimenticato.plan import DEFAULT_PLANS, STARTS, STEPS, Place, Plan, bits
from engine.games.dimenticato.setup import FIGURES

FIELD = 28.0
CARD = 2 * FIELD
GAP = 2.0
"""Between two cards: so they may lie a little askew."""
ROUNDING = 3.0
THICKNESS = 1.5
EDGE = 9.0
"""What the mat has beyond the outermost cells: there it says what columns and rows are called."""
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
UNKNOWN = "#86725b"
"""For the square of a die of which nobody knows the colour: as dark as they are."""
INK, IVORY, PAPER, GREY, WHITE = "#23292e", "#f3ead6", "#efe6d2", "#8a8a8a", "#ffffff"

FOOT = 10.0
"""The radius of a figure, and of the disc it covers."""
_CORNER_PIPS = ((-5.1, -5.1), (5.1, 5.1), (-5.1, 5.1), (5.1, -5.1))
DESIGN = DiceDesign(
    radius=FOOT,
    side=25.0,
    pip=2.25,
    pips={
        1: ((0.0, 0.0),),
        2: _CORNER_PIPS[:2],
        3: ((0.0, 0.0), *_CORNER_PIPS[:2]),
        4: _CORNER_PIPS,
        5: ((0.0, 0.0), *_CORNER_PIPS),
        6: tuple((x, y) for x in (-3.9, 3.9) for y in (-6.0, 0.0, 6.0)),
    },
    colours=DIE_COLOURS,
    light=IVORY,
)

Quartet = tuple[Print | None, ...]
"""The dice of a card, clockwise from the north-west one; None where nobody knows what is there."""
_BLANK: Quartet = (None,) * 4


def mat_board(players: int) -> Board:
    """The mat of the usual plan, and on it cards of which nobody knows what is on them."""
    plan = Plan(*DEFAULT_PLANS[players])
    return _board(plan, [_BLANK] * len(plan.cards))


def lay_out(bare: Board, setup: Json) -> Board:
    """The cards of a set-up on its mat, which is another one if the set-up has a plan of its own."""
    plan = Plan(setup["width"], setup["height"], tuple(setup["big"]))
    fields = {name: Print(die["pips"], die["colour"]) for name, die in setup["fields"].items()}
    return _board(plan, [tuple(fields[name] for name in names) for names in plan.quartets])


def _board(plan: Plan, dice: Sequence[Quartet]) -> Board:
    mat = _Mat(plan)
    seats = COLOURS[: len(plan.big)]
    figures = [Piece(f"figure-{colour}", 2 * FOOT, 24.0, FIGURE_COLOURS[colour]) for colour in seats]
    cards = [_card(plan, card, quartet) for card, quartet in enumerate(dice)]
    known = {number: tuple(die for die in quartet if die is not None) for number, quartet in enumerate(dice)}
    return Board(
        game="dimenticato",
        sheets=(_base(mat), *cards),
        sites={
            name: Site(name, _at(plan, place), cards[_card_of(plan, number)].name, THICKNESS)
            for number, (name, place) in enumerate(zip(plan.names, plan.places, strict=True))
        },
        pieces={figure.name: figure for figure in figures},
        faces=FaceSet(BY_SEAT[: len(seats)]),
        counts={figure.name: FIGURES for figure in figures},
        readers=("figures", "dice"),
        patches=mat.patches,
        fields={cards[number].name: names for number, names in enumerate(plan.quartets)},
        design=DESIGN,
        deck={cards[number].name: Card(four, number in plan.big) for number, four in known.items() if four},
    )


def _at(plan: Plan, place: Place) -> Point:
    """The middle of a field on the table."""
    return ((place[0] + 0.5 - plan.width) * FIELD, (place[1] + 0.5 - plan.height) * FIELD)


def fields_near(plan: Plan, at: Point) -> tuple[str, ...]:
    """The names of the fields beside a place on the table: all that touch it, or else the nearest one."""
    far = {
        name: hypot(at[0] - x, at[1] - y)
        for name, (x, y) in ((n, _at(plan, p)) for n, p in zip(plan.names, plan.places, strict=True))
    }
    near = sorted((name for name in far if far[name] < FIELD), key=far.__getitem__)
    return tuple(near[:2]) or (min(far, key=far.__getitem__),)


def _card_of(plan: Plan, number: int) -> int:
    seat = plan.block_owner(number)
    return plan.card_of[number] if seat is None else plan.big[seat]


# Cards


def _card(plan: Plan, card: int, dice: Quartet) -> Sheet:
    """A card, drawn as it lies on the table; a big one reaches out as far as its start block."""
    cells = _cells_of(plan, card)
    middles = [_middle(plan, cell) for cell in cells]
    at = (sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles))
    size = (max(x for x, _ in middles) - at[0]) * 2 + CARD - GAP, (max(y for _, y in middles) - at[1]) * 2 + CARD - GAP
    seat = COLOURS[plan.big.index(card)] if card in plan.big else None
    outline = _block((0.0, 0.0), size, fill=GROUNDS[seat] if seat else GROUND, rounding=ROUNDING)
    art: list[Shape] = [outline]

    def local(point: Point) -> Point:
        return (point[0] - at[0], point[1] - at[1])

    centre = local(middles[0])
    for quarter, (die, corner) in enumerate(zip(dice, _CORNERS, strict=True)):
        place = (centre[0] + corner[0] * FIELD / 2, centre[1] + corner[1] * FIELD / 2)
        art += _die(place, die, quarter)
    if seat:
        starts = [plan.places[number] for number in bits(plan.blocks[COLOURS.index(seat)])]
        facing = 180.0 + 90 * plan.forward[card]
        art += _starts([local(_at(plan, place)) for place in starts], seat, facing)
    return Sheet(f"card-{card}", size, at, THICKNESS, outline=(outline,), art=tuple(art))


_CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1))
"""Where the dice of a card are, clockwise from the north-west one."""


def _die(at: Point, die: Print | None, quarter: int) -> list[Shape]:
    """One field: the colour as a square, and the pips on a round in it, turned with its place on the card. Of a die
    that nobody knows there is only the round."""
    square = _block(at, (DESIGN.side,) * 2, fill=UNKNOWN if die is None else DIE_COLOURS[die.colour], rounding=ROUNDING)
    pips = () if die is None else DESIGN.pips[die.pips]
    places = ((at[0] + x, at[1] + y) for x, y in (turned(point, 90.0 * quarter) for point in pips))
    return [square, Disc(at, FOOT, fill=IVORY), *(Disc(place, DESIGN.pip, fill=INK) for place in places)]


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
        fill = GROUNDS[COLOURS[plan.big.index(card)]] if card in plan.big else "#cfc4ab"
        art += [_block(at, (CARD, CARD), fill=fill, rounding=ROUNDING) for at in slots]
    art += _margin(plan)
    if max(plan.width, plan.height) > SMALLEST:
        art += _emblem()
    art += [
        Fiducial(_middle(plan, cell), number, FIDUCIAL) for number, cell in zip(FIDUCIALS, mat.marked, strict=False)
    ]
    art += [Disc(patch.at, patch.radius, fill=patch.colour, stroke=INK, width=0.4) for patch in mat.patches]
    return Sheet("base", mat.size, (0.0, 0.0), 0.0, outline=(ground,), art=tuple(art))


def _margin(plan: Plan) -> Iterator[Shape]:
    """Along every side what its columns or rows are called, as seen from there, and which way the track runs."""
    for side in range(4):
        across = side % 2 == 0
        count, far = (plan.width, plan.height) if across else (plan.height, plan.width)
        out = (far / 2 + 1) * CARD + EDGE / 2 - 0.5

        def placed(along: float, aside: float, out: float = out, side: int = side) -> Point:
            return turned((along, aside - out), 90.0 * side)

        for field in range(2 * count):
            along = (field + 0.5 - count) * FIELD
            # On the far sides one counts the other way.
            number = field if side < EAST_AND_NORTH else 2 * count - 1 - field
            name = ascii_uppercase[number].lower() if across else str(number + 1)
            yield Text(placed(along, 0.0), name, 5.4, INK, angle=90.0 * side + 180.0, bold=True)
        for gap in range(1, count):
            along = (gap - count / 2) * CARD
            tip = ((along - 2.0, -2.0), (along + 2.2, 0.0), (along - 2.0, 2.0))
            yield Polygon(tuple(placed(*point) for point in tip), fill=INK)


EAST_AND_NORTH = 2
"""The sides, counted clockwise from the north one, that run as letters and numbers do."""


def _emblem() -> Iterator[Shape]:
    """The name in the middle of the hole, legible from two sides, in a ring that runs clockwise."""
    yield Disc((0.0, 0.0), 24.0, stroke=INK, width=0.8)
    for k in range(4):
        yield Polygon(tuple(turned(point, 90 * k) for point in ((-2.4, -26.6), (2.8, -24.0), (-2.4, -21.4))), fill=INK)
    for angle in (0.0, 180.0):
        yield Text(turned((0.0, 5.0), angle), "Dimenticato", 5.2, INK, angle=angle, bold=True)
