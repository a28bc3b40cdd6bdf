"""Steps as movement: where the hand is at every moment, what it holds, and what is on the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import hypot, sin

import numpy as np

from engine.board import Board, Colour, Point, turned
from engine.face import Face
from hardware.virtual.acting.script import ASIDE, BANK, Carry, Layout, Pieces, Step, TurnSheet, lying_angle
from hardware.virtual.camera import Camera
from hardware.virtual.sample import bearing_of
from hardware.virtual.scene import SKINS, Arm, LooseCard, Lying, Scene, SpacePoint, Stack, height_of

WAIT_HEIGHT = 120.0
"""How high a hand is when it comes into sight, mm."""
BETWEEN = 7.0
"""How far off the middle of a cell a card is laid that is to lie on none, mm."""
ASIDE_BY = 60.0
"""How far aside, and how high, a piece is held that was lifted to look under it, mm."""
GRASP_DEPTH = 6.0
"""How far below the top of what they hold the fingertips are, mm."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Whose hand it is and how it moves."""

    comes_from: float = 180.0
    skin: Colour = SKINS[1]
    sleeve: Colour | None = None
    bare: float = 60.0
    left: bool = False
    speed: float = 520.0
    """Speed along its path, mm/s."""
    sloppy: float = 0.6
    """Roughly how far it misses the middle of a site, mm."""
    outside: float = 700.0
    """Distance from the board's centre at which it is out of sight, mm."""

    def asides(self, board: Board) -> dict[str, Point]:
        """Where it lays things down: on the table, on its own side of the board."""
        far = max(board.base.size) / 2 + 45
        return {place: bearing_of(self.comes_from + turn, far) for place, turn in zip(ASIDE, (-14, 14), strict=True)}

    def bank(self, board: Board) -> SpacePoint:
        return (*bearing_of(self.comes_from, max(board.base.size) / 2 + 150), 30.0)


@dataclass(frozen=True)
class Stroke:
    """A smooth movement of the hand, or a moment of rest; nothing on the table changes except a turning sheet."""

    seconds: float
    layout: Layout
    start: SpacePoint
    end: SpacePoint
    arc: float = 0.0
    """How much higher the path is in the middle, mm."""
    held: Pieces = ()
    grasp: tuple[float, float] = (1.0, 1.0)
    turning: tuple[str, float, float] | None = None
    """A sheet that turns meanwhile: its name, and the positions it turns from and to."""
    gone: bool = False
    """Whether the hand is away."""
    asides: Mapping[str, Point] = field(default_factory=dict)
    card: float | None = None
    """If a card is held: how far it is turned, degrees clockwise."""


class Visit:
    """One visit of a hand: it comes, takes its steps one after the other, and goes."""

    def __init__(self, board: Board, layout: Layout, hand: Hand, random: np.random.Generator) -> None:
        self.board, self.hand, self.layout = board, hand, layout
        self._random = random
        self._asides = hand.asides(board)
        self._at: SpacePoint = (*bearing_of(hand.comes_from, hand.outside), WAIT_HEIGHT)
        self._card: float | None = None
        """How the card in the hand is turned, if there is one."""
        self.strokes: list[Stroke] = []

    def do(self, steps: Sequence[Step]) -> Visit:
        for step in steps:
            if isinstance(step, TurnSheet):
                self._turn(step)
            else:
                self._carry(step)
        return self

    def hover(self, seconds: float, over: Point = (0.0, 0.0), height: float = 90.0) -> Visit:
        """Stay above a place, undecided."""
        self._go((*over, height), grasp=(0.8, 0.8))
        x, y, z = self._at
        for number in range(max(1, round(seconds / 0.6))):
            sway = 8 * sin(2.1 * number + 1)
            self._go((x + sway, y - sway / 2, z + sway / 3), seconds=0.6, grasp=(0.8, 0.8))
        return self

    def lift(self, site: str, seconds: float) -> Visit:
        """Take up what stands on a site, hold it aside for so long, and put it back."""
        pieces = self.layout.piles[site].pieces
        self._go(self._grip(site, self.layout, ()), grasp=(0.75, 1.0))
        self.layout, pieces = self.layout.taken(site, len(pieces))
        x, y = bearing_of(self.hand.comes_from, ASIDE_BY)
        at = self.board.sites[site].at
        self._go((at[0] + x, at[1] + y, ASIDE_BY + height_of(self.board, pieces)), pieces)
        self._rest(seconds, pieces)
        self._go(self._grip(site, self.layout, pieces), pieces)
        off, lean = self._miss()
        self.layout = self.layout.put(site, pieces, off, lean)
        self._rest(0.06, ())
        return self

    def leave(self) -> list[Stroke]:
        """Go away; the strokes of the whole visit."""
        self._go((*bearing_of(self.hand.comes_from, self.hand.outside), WAIT_HEIGHT), grasp=(1.0, 0.8))
        return self.strokes

    def _carry(self, step: Carry) -> None:
        pieces = step.pieces or self.layout.piles[step.source].pieces[-step.count :]
        self._go(self._grip(step.source, self.layout, pieces if step.source == BANK else ()), grasp=(0.75, 1.0))
        self._card = self._angle_of(step, pieces)
        if step.source != BANK:
            self.layout, pieces = self.layout.taken(step.source, step.count)
        self._rest(0.1, pieces)
        self._go(self._grip(step.target, self.layout, pieces), pieces)
        self._rest(0.08, pieces)
        off, lean = self._miss()
        twist = self._twist(step.card)
        if step.card is not None and not step.card.lawful:
            off = bearing_of(float(self._random.uniform(0, 360)), BETWEEN)
        self.layout = self.layout.put(step.target, pieces, off, lean, step.card, twist)
        self._card = None
        self._rest(0.06, ())

    def _angle_of(self, step: Carry, pieces: Pieces) -> float | None:
        """How a card is turned while it is carried: as it is going to lie, or as it lay."""
        if step.card is not None:
            return lying_angle(self.board, step.target, step.card)
        pile = self.layout.piles.get(step.source)
        if pile is not None and pile.card is not None:
            return lying_angle(self.board, step.source, pile.card)
        return 0.0 if pieces[0] in self.board.cards else None

    def _twist(self, card: Face | None) -> float:
        """How far off its angle a card is laid; one that belongs on no cell is laid across the lattice."""
        if card is None:
            return 0.0
        if not card.lawful:
            return float(self._random.uniform(25, 35) * self._random.choice((-1, 1)))
        return float(np.clip(self._random.normal(0, 2.5 * self.hand.sloppy), -6, 6))

    def _turn(self, step: TurnSheet) -> None:
        sheet = self.board.by_name[step.sheet]
        hold = self._hold(step.sheet)
        now = float(self.layout.turns.get(step.sheet, 0))
        x, y = hold
        self._go((x, y, sheet.z + 10), grasp=(0.6, 0.35))
        self._rest(0.15, ())
        # A wide turn takes several grips, because a wrist cannot follow it all the way.
        angle = step.steps * 360 / sheet.turns
        reaches = max(1, round(abs(angle) / 45))
        for number in range(reaches):
            share = step.steps / reaches
            turn = (now + number * share, now + (number + 1) * share)
            end = turned(hold, share * 360 / sheet.turns, sheet.centre)
            seconds = 0.25 + 0.006 * abs(angle) / reaches
            stroke = Stroke(seconds, self.layout, (*hold, sheet.z + 10), (*end, sheet.z + 10), grasp=(0.35, 0.35))
            self._add(replace(stroke, turning=(step.sheet, *turn)))
            self._at = (*end, sheet.z + 10)
            if number < reaches - 1:
                back = Stroke(0.25, self.layout, self._at, (*hold, sheet.z + 10), arc=12, grasp=(0.35, 0.35))
                self._add(replace(back, turning=(step.sheet, turn[1], turn[1])))
                self._at = (*hold, sheet.z + 10)
        self.layout = self.layout.carried(step.sheet, step.steps)
        self._rest(0.1, ())

    def _hold(self, sheet: str) -> Point:
        """Where a hand takes hold of a sheet: beside its site nearest to the hand, away from pieces."""
        x, y, _ = self._at
        sites = [site for site in self.board.sites.values() if site.sheet == sheet]
        free = [site for site in sites if site.name not in self.layout.piles] or sites
        return min(free, key=lambda site: hypot(site.at[0] - x, site.at[1] - y)).at

    def _grip(self, place: str, layout: Layout, held: Pieces) -> SpacePoint:
        """Where the fingers are when they hold the top piece of a place, or put down there what they hold."""
        if place == BANK:
            x, y, z = self.hand.bank(self.board)
            return (x, y, max(z, height_of(self.board, held) - GRASP_DEPTH))
        site = self.board.sites.get(place)
        x, y = site.at if site else self._asides[place]
        foot = site.z if site else 0.0
        pile = layout.piles.get(place)
        top = foot + (height_of(self.board, pile.pieces) if pile else 0.0) + height_of(self.board, held)
        return (x, y, top - _depth(self.board, held or (pile.pieces if pile else ())))

    def _go(
        self, to: SpacePoint, held: Pieces = (), seconds: float | None = None, grasp: tuple[float, float] = (1.0, 1.0)
    ) -> None:
        way = hypot(to[0] - self._at[0], to[1] - self._at[1])
        high = max(self._at[2], to[2])
        arc = min(60.0, max(30.0, way * 0.3)) + max(0.0, 50 + height_of(self.board, held) - high) * (way > 5)
        time = seconds if seconds is not None else max(0.3, (way + arc) / self.hand.speed)
        self._add(Stroke(time, self.layout, self._at, to, arc if way > 5 else 10.0, held, grasp))
        self._at = to

    def _rest(self, seconds: float, held: Pieces) -> None:
        self._add(Stroke(seconds, self.layout, self._at, self._at, 0.0, held))

    def _add(self, stroke: Stroke) -> None:
        self.strokes.append(replace(stroke, asides=self._asides, card=self._card if stroke.held else None))

    def _miss(self) -> tuple[Point, Point]:
        off, lean = self._random.normal(0, self.hand.sloppy, 2), self._random.normal(0, 0.25 * self.hand.sloppy, 2)
        return (float(off[0]), float(off[1])), (float(lean[0]), float(lean[1]))


def out_of_sight(camera: Camera, comes_from: float) -> float:
    """How far from the board's centre a hand from this side is out of the picture, mm."""
    size = np.array(camera.size)
    for far in range(200, 1400, 20):
        tips = [
            (*bearing_of(comes_from + turn, far - 40), z)
            for turn in (-8, 0, 8)
            for z in (WAIT_HEIGHT - 30, WAIT_HEIGHT + 70)
        ]
        spots = camera.near(tips)
        if not np.any(np.all((spots > 0) & (spots < size), axis=1)):
            return float(far)
    return 1400.0


def still(layout: Layout, seconds: float) -> Stroke:
    """The table with nobody near it."""
    return Stroke(seconds, layout, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), gone=True, asides=Hand().asides(layout.board))


def scene_at(base: Scene, stroke: Stroke, share: float, hand: Hand) -> Scene:
    """The scene once this share of a stroke is done, with the camera, light and table of the base scene."""
    layout = stroke.layout
    turns: dict[str, Lying] = {name: Lying(float(turn)) for name, turn in layout.turns.items()}
    stacks, cards = list(layout.stacks(stroke.asides)), list(layout.cards())
    eased = share**3 * (10 - 15 * share + 6 * share * share)
    if stroke.turning is not None:
        sheet, start, end = stroke.turning
        turn = start + (end - start) * eased
        lift = 4.0 if start != end else 0.0
        turns[sheet] = Lying(turn, lift * min(1.0, 6 * share, 6 * (1 - share)))
        stacks = list(_on_turning(stacks, layout, sheet, turn, turns[sheet].lift))
    if stroke.gone:
        return replace(base, stacks=tuple(stacks), loose=tuple(cards), sheets=turns, arms=())
    x, y = (a + (b - a) * eased for a, b in zip(stroke.start[:2], stroke.end[:2], strict=True))
    z = stroke.start[2] + (stroke.end[2] - stroke.start[2]) * eased + stroke.arc * 4 * eased * (1 - eased)
    if stroke.held:
        foot = z + _depth(base.board, stroke.held) - height_of(base.board, stroke.held)
        if stroke.card is None:
            stacks.append(Stack(stroke.held, (x, y), foot))
        else:
            cards.append(LooseCard(stroke.held[0], (x, y), stroke.card, foot))
    grasp = stroke.grasp[0] + (stroke.grasp[1] - stroke.grasp[0]) * eased
    pieces = base.board.pieces
    width = max((pieces[piece].diameter for piece in stroke.held if piece in pieces), default=22.0)
    arm = Arm((x, y, z), hand.comes_from, grasp, width, hand.skin, hand.sleeve, hand.bare, hand.left)
    return replace(base, stacks=tuple(stacks), loose=tuple(cards), sheets=turns, arms=(arm,))


def _depth(board: Board, held: Pieces) -> float:
    """How far below the top of it the fingertips hold something: a card lies flat under them."""
    return 0.0 if held and held[-1] in board.cards else GRASP_DEPTH


def _on_turning(stacks: Sequence[Stack], layout: Layout, sheet: str, turn: float, lift: float) -> Iterator[Stack]:
    """Stacks on a sheet that is being turned move with it, and stand on no site meanwhile."""
    whole = layout.board.by_name[sheet]
    angle = (turn - layout.turns.get(sheet, 0)) * 360 / whole.turns
    for stack in stacks:
        if stack.site is not None and layout.board.sites[stack.site].sheet == sheet:
            at, lean = turned(stack.at, angle, whole.centre), turned(stack.lean, angle)
            yield Stack(stack.pieces, at, stack.z + lift, lean, stack.site if angle == 0 else None)
        else:
            yield stack
