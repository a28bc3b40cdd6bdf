"""A physical board as data: the one source for print, camera, page, lights and simulation.

Millimetres; x east, y south, z up; the origin is the board's centre; angles in degrees clockwise as seen from above.
A board is made of sheets (the base, tiles, rings, cards), each with its picture as a list of shapes in the sheet's own
frame: origin at the sheet's centre, drawn for angle 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from math import cos, dist, radians, sin
from typing import Any

from engine.face import FaceSet

Point = tuple[float, float]
Colour = str
"""`#rrggbb`."""

DICTIONARY = "DICT_4X4_250"
"""The ArUco dictionary of all fiducials; every game has its own ids, so that boards can be told apart."""
FAMILY = {"DICT_4X4_50": 50, DICTIONARY: 250}
"""The dictionaries that begin with the same squares, and how many squares each has."""
NEAR = 0.5
"""Millimetres from a site to the middle of the ring that marks it: drawings are rounded."""
FIDUCIAL_IDS = range(FAMILY[DICTIONARY])


def turned(point: Point, angle: float, about: Point = (0.0, 0.0)) -> Point:
    """A point after a clockwise turn (seen from above, y south)."""
    c, s = cos(radians(angle)), sin(radians(angle))
    x, y = point[0] - about[0], point[1] - about[1]
    return (about[0] + c * x - s * y, about[1] + s * x + c * y)


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle, filled, outlined or both."""

    at: Point
    radius: float
    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline. `rounding` widens it by that much all round, which rounds its corners."""

    points: tuple[Point, ...]
    fill: Colour | None = None
    stroke: Colour | None = None
    width: float = 0.0
    rounding: float = 0.0


@dataclass(frozen=True, slots=True)
class Line:
    """A stroke through points, with round ends."""

    points: tuple[Point, ...]
    stroke: Colour
    width: float


@dataclass(frozen=True, slots=True)
class Sector:
    """A piece of a ring between two radii, from one angle clockwise to another (0 is north)."""

    at: Point
    inner: float
    outer: float
    start: float
    end: float
    fill: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """One line of lettering, centred on its place."""

    at: Point
    text: str
    size: float
    fill: Colour
    angle: float = 0.0
    bold: bool = False


@dataclass(frozen=True, slots=True)
class Fiducial:
    """An ArUco fiducial: `size` is the side of its black square; it needs a light margin of one cell."""

    at: Point
    id: int
    size: float
    angle: float = 0.0


Shape = Disc | Polygon | Line | Sector | Text | Fiducial


@dataclass(frozen=True)
class Sheet:
    """A flat part of the board. Its picture covers `size` exactly; what lies outside the outline is cut away."""

    name: str
    size: Point
    at: Point
    z: float
    outline: tuple[Polygon | Disc, ...]
    """What is left after cutting: the first shape, minus those that follow."""
    art: tuple[Shape, ...]
    pivot: Point | None = None
    angle: float = 0.0
    turns: int = 1
    """Number of positions the sheet can be turned to; 1 if it is fixed."""

    @property
    def centre(self) -> Point:
        """What it turns about."""
        return self.at if self.pivot is None else self.pivot

    def angle_at(self, turn: float) -> float:
        """The angle of a position; fractions while it is being turned."""
        return self.angle + turn * 360 / self.turns

    def to_table(self, point: Point, turn: float = 0) -> Point:
        """Where a point of the sheet's own frame lies on the table when the sheet is in this position."""
        flat = (point[0] + self.at[0], point[1] + self.at[1])
        return turned(flat, self.angle_at(turn), self.centre)


@dataclass(frozen=True, slots=True)
class Site:
    """A named place where pieces stand; it stays where it is when a sheet turns."""

    name: str
    at: Point
    sheet: str
    z: float
    angle: float = 0.0
    """How a card on this site is turned."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing that stands on the board: an upright cylinder."""

    name: str
    diameter: float
    height: float
    colour: Colour
    shape: str = "cylinder"


@dataclass(frozen=True, slots=True)
class Patch:
    """A printed disc of a known colour on the base, for measuring the light."""

    at: Point
    radius: float
    colour: Colour


@dataclass(frozen=True, slots=True)
class Print:
    """What is printed on a field: so many pips on a ground of this colour."""

    pips: int
    colour: str


@dataclass(frozen=True)
class DiceDesign:
    """How the dice of cards are drawn: dark pips on a light round in a square of the die's colour; millimetres."""

    radius: float
    """Of the round."""
    side: float
    """Of the square."""
    pip: float
    """The radius of a pip."""
    pips: Mapping[int, tuple[Point, ...]]
    """Where the pips of each number are on a card's first die; every other one is turned with its place, so that a card
    looks alike whichever way it lies."""
    colours: Mapping[str, Colour]
    light: Colour
    """Of the round."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the deck: its dice, clockwise from the north-west one of its picture."""

    dice: tuple[Print, ...]
    big: bool


@dataclass(frozen=True, slots=True)
class CameraRange:
    """Camera positions for which reading is promised to work."""

    distance: tuple[float, float] = (500.0, 800.0)
    tilt: tuple[float, float] = (0.0, 40.0)
    hfov: tuple[float, float] = (55.0, 78.0)
    size: tuple[int, int] = (1280, 720)


@dataclass(frozen=True)
class Board:
    """Everything physical about one game's table."""

    game: str
    sheets: tuple[Sheet, ...]
    sites: Mapping[str, Site]
    pieces: Mapping[str, Piece]
    faces: FaceSet
    """All that a site can show."""
    counts: Mapping[str, int]
    """How many of each piece the game needs."""
    readers: tuple[str, ...] = ()
    """What must be read from a picture of it, by the names of vision's readers: `stacks`, `pawns`, `dice` …"""
    patches: tuple[Patch, ...] = ()
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For every seat's colour the sites of a row in which its player counts pieces; they are no part of a position."""
    fields: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Where cards with dice lie: for every sheet the sites of its dice, clockwise from the north-west one."""
    design: DiceDesign | None = None
    """How their dice are drawn."""
    deck: Mapping[str, Card] = field(default_factory=dict)
    """What is on each of these cards, if that is known."""
    camera: CameraRange = CameraRange()
    version: int = 1
    """Of the print. A board that must change gets another, and the eye reads both."""

    @cached_property
    def by_name(self) -> Mapping[str, Sheet]:
        return {sheet.name: sheet for sheet in self.sheets}

    @property
    def base(self) -> Sheet:
        return self.sheets[0]

    @cached_property
    def fiducials(self) -> tuple[Fiducial, ...]:
        """The fiducials on the fixed base, in table coordinates."""
        return tuple(shape for shape in self.base.art if isinstance(shape, Fiducial))

    @cached_property
    def cards(self) -> frozenset[str]:
        """The sheets that lie on the table only where a face says so."""
        return frozenset(face.sheet for face in self.faces.values() if face.sheet)

    @cached_property
    def counting(self) -> frozenset[str]:
        """The sites of all rows."""
        return frozenset(site for row in self.rows.values() for site in row)

    @cached_property
    def turnable(self) -> tuple[Sheet, ...]:
        return tuple(sheet for sheet in self.sheets if sheet.turns > 1)

    @cached_property
    def rings(self) -> tuple[tuple[Disc, Disc], ...]:
        """The light rings that mark sites: each a light disc, and the dark one painted over it; as their sheets have
        them."""
        return tuple(
            (outer, inner)
            for sheet in self.sheets
            for outer, inner in pairwise(sheet.art)
            if isinstance(outer, Disc) and isinstance(inner, Disc) and outer.at == inner.at
            if outer.radius > inner.radius and outer.fill is not None and inner.fill is not None
            if any(
                site.sheet == sheet.name and dist(sheet.to_table(outer.at), site.at) < NEAR
                for site in self.sites.values()
            )
        )

    def record(self) -> dict[str, Any]:
        """The board as `board.json` holds it."""
        return {
            "version": self.version,
            "game": self.game,
            "sheets": [_sheet_record(sheet) for sheet in self.sheets],
            "sites": {
                name: {"at": _rounded(site.at), "sheet": site.sheet, "z": site.z}
                | ({"angle": site.angle} if site.angle else {})
                for name, site in self.sites.items()
            },
            "pieces": {
                name: {
                    "shape": piece.shape,
                    "diameter": piece.diameter,
                    "height": piece.height,
                    "colour": piece.colour,
                }
                for name, piece in self.pieces.items()
            },
            "camera": {
                "distance": list(self.camera.distance),
                "tilt": list(self.camera.tilt),
                "hfov": list(self.camera.hfov),
                "size": list(self.camera.size),
            },
            "stacks": {face.name: list(face.pieces) for face in self.faces.lawful if face.pieces},
            "cards": {
                face.name: {"sheet": face.sheet, "angle": face.angle} for face in self.faces.lawful if face.sheet
            },
            "counts": dict(self.counts),
            **self._dice_record(),
            "fiducials": {
                "dictionary": _smallest_dictionary(self.fiducials),
                "markers": [
                    {"id": mark.id, "at": _rounded(mark.at), "size": mark.size, "angle": mark.angle}
                    for mark in self.fiducials
                ],
            },
            "patches": [
                {"at": _rounded(patch.at), "radius": patch.radius, "colour": patch.colour} for patch in self.patches
            ],
        }

    def _dice_record(self) -> dict[str, Any]:
        """What cards with dice there are, and how they are drawn."""
        if self.design is None:
            return {}
        dice = {
            name: {"dice": [{"pips": die.pips, "colour": die.colour} for die in card.dice], "big": card.big}
            for name, card in self.deck.items()
        }
        return {
            "deck": dice,
            "dice": _design_record(self.design),
            "fields": {name: list(fields) for name, fields in self.fields.items()},
        }


def _design_record(design: DiceDesign) -> dict[str, Any]:
    return asdict(design) | {"pips": {str(number): list(map(_rounded, at)) for number, at in design.pips.items()}}


def _sheet_record(sheet: Sheet) -> dict[str, Any]:
    record: dict[str, Any] = {
        "name": sheet.name,
        "image": f"{sheet.name}.png",
        "size": _rounded(sheet.size),
        "at": _rounded(sheet.at),
        "angle": sheet.angle,
        "z": sheet.z,
    }
    if sheet.pivot is not None:
        record["pivot"] = _rounded(sheet.pivot)
    if sheet.turns > 1:
        record["turns"] = sheet.turns
    return record


def _smallest_dictionary(fiducials: Sequence[Fiducial]) -> str:
    """The one that OpenCV finds these fiducials in with the fewest mistaken for them."""
    highest = max((mark.id for mark in fiducials), default=0)
    return next(name for name, size in FAMILY.items() if highest < size)


def _rounded(numbers: Sequence[float]) -> list[float]:
    return [round(number, 4) for number in numbers]
