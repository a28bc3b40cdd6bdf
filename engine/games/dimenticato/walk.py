"""Paths along the track: where a figure can get to in a number of steps.

Figures are jumped and block no way, so all of this depends on the plan alone and is worked out once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from engine.games.dimenticato.plan import STEPS, Plan

OPENING_COUNTS = (2, 3, 4, 5)
NUMBERS = (1, 2, 3, 4, 5, 6)
BENDS = 2
SET_BACK_STEPS, SET_BACK_BENDS = 3, 1


@dataclass(frozen=True, slots=True)
class Gait:
    """How a figure may walk: by the rules, or with some of them lifted to find out which one a move broke."""

    seat: int | None = None
    """Whose start fields it may use; None: only the track."""
    opening: bool = False
    """Whether it comes out of its start fields; otherwise it may go into them."""
    lap: bool = True
    """Whether it may step forward off its own big card."""
    bends: int = BENDS
    backward: bool = False
    left: bool = False
    """Whether it may turn left on a corner card, also to the other lane as on a side."""
    foreign: bool = False
    """Whether it may cross the start fields of others."""


@cache
def reached(plan: Plan, gait: Gait, origin: int, count: int) -> int:
    """All sites that a figure can get to in exactly so many steps."""
    found = 0
    for path in paths(plan, gait, origin, count):
        found |= 1 << path[-1]
    return found


def paths(plan: Plan, gait: Gait, origin: int, count: int) -> Iterator[tuple[int, ...]]:
    """All ways of so many steps, each with its origin and its landing field."""

    def go(path: tuple[int, ...], heading: int | None, bends: int) -> Iterator[tuple[int, ...]]:
        if len(path) > count:
            yield path
            return
        for direction, target in _steps(plan, gait, path[-1]):
            # Turning round would lead back to the field before, so this also rules out every turn by 180°.
            if target in path:
                continue
            turns = heading not in (None, direction)
            if turns <= bends and _may_head(plan, gait, path[-1], heading, direction):
                yield from go((*path, target), direction, bends - turns)

    return go((origin,), None, gait.bends)


def _may_head(plan: Plan, gait: Gait, site: int, heading: int | None, direction: int) -> bool:
    """On a corner card every change of direction is a right turn."""
    if site >= plan.size or plan.card_of[site] not in plan.corners:
        return True
    if heading is None:
        return gait.backward or direction in plan.courses[plan.card_of[site]]
    return gait.left or direction in (heading, (heading + 1) % 4)


@cache
def _steps(plan: Plan, gait: Gait, site: int) -> tuple[tuple[int, int], ...]:
    """Direction and end of every step that may start here."""
    column, row = plan.places[site]
    ahead = ((way, plan.at.get((column + right, row + down))) for way, (right, down) in enumerate(STEPS))
    may_step = _from_track if site < plan.size else _from_block
    return tuple((way, end) for way, end in ahead if end is not None and may_step(plan, gait, site, way, end))


def _from_track(plan: Plan, gait: Gait, site: int, direction: int, end: int) -> bool:
    owner = plan.block_owner(end)
    if owner is not None and owner != gait.seat:
        return gait.foreign
    if owner is not None:
        return not gait.opening or gait.backward
    if not gait.lap and direction == _way_past_home(plan, gait.seat, site, end):
        return False
    card = plan.card_of[site]
    if gait.left and card in plan.corners and direction == (plan.forward[card] + 2) % 4:
        return True
    return gait.backward or direction in plan.courses[card]


def _way_past_home(plan: Plan, seat: int | None, site: int, end: int) -> int | None:
    """The direction in which a step from the seat's own card to another one begins another lap."""
    card = plan.card_of[site]
    if seat is None or card != plan.big[seat] or card == plan.card_of[end]:
        return None
    return plan.forward[card]


def _from_block(plan: Plan, gait: Gait, site: int, direction: int, end: int) -> bool:
    owner = plan.block_owner(site)
    if owner is None or owner != gait.seat:
        return gait.foreign
    forward = plan.forward[plan.big[owner]]
    inward = (forward + 1) % 4
    if gait.opening:
        return gait.backward or direction in (forward, inward)
    return gait.backward or direction != inward


@cache
def landings(plan: Plan, seat: int, lap: bool, origin: int, number: int) -> int:
    """Where a figure on the track gets to with its number: fields of the track and of its own block."""
    return reached(plan, Gait(seat, lap=lap), origin, number)


@cache
def openings(plan: Plan, seat: int, start: int) -> int:
    """Where a figure can leave home to: beyond its own big card."""
    found = 0
    for count in OPENING_COUNTS:
        found |= reached(plan, Gait(seat, opening=True), start, count)
    return found & plan.track & ~plan.card_fields[plan.big[seat]]


def set_backs(plan: Plan, target: int, seat: int) -> int:
    """The fields from which three steps lead a figure of this seat to the field on which it is captured."""
    return _all_set_backs(plan)[seat][target]


@cache
def _all_set_backs(plan: Plan) -> tuple[tuple[int, ...], ...]:
    """By seat, and field on which its figure is captured."""
    found = [[0] * plan.size for _ in plan.big]
    gait = Gait(bends=SET_BACK_BENDS)
    for field in range(plan.size):
        for path in paths(plan, gait, field, SET_BACK_STEPS):
            for seat, card in enumerate(plan.big):
                home = plan.card_fields[card]
                if not home >> field & 1 and not _passes(path, home):
                    found[seat][path[-1]] |= 1 << field
    return tuple(map(tuple, found))


def _passes(path: tuple[int, ...], card: int) -> bool:
    """Whether a way enters a card and leaves it again."""
    return not card >> path[-1] & 1 and any(card >> site & 1 for site in path[1:-1])
