"""Why an action is not legal in Memento: the rules it breaks, most telling first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from engine.core import COLOURS, Action, Fact, Proof, Refusal, Word
from engine.games.memento.actions import Enter, Move, Split, Turn
from engine.games.memento.points import INNER, MIDDLES, NAMES, TILES, bits

if TYPE_CHECKING:
    from engine.games.memento.rules import MementoPosition

FIGURES = (Word("Single"), Word("Double"), Word("Tripple"))


def objections(position: MementoPosition, action: Action) -> Iterator[Refusal]:
    """The rules that this action breaks."""
    match action:
        case Enter():
            return _entering(position, action)
        case Turn():
            return _turning(position, action)
        case Move():
            return _moving(position, action)
        case Split():
            return _splitting(position, action)
        case _:
            return iter(())


_PROOFS = {"split.single": Proof.MAYBE_TWO, "stones.too-many": Proof.COUNT, "markers.too-many": Proof.COUNT}


def refuse(rule: str, sites: Iterable[str], **facts: Fact) -> Refusal:
    """The refusal of something on these sites."""
    listed = tuple(sites)
    return Refusal(rule, listed, {"sites": ", ".join(listed)} | facts, _PROOFS.get(rule, Proof.DEED))


def _refuse(rule: str, points: int | Iterable[int] = (), **facts: Fact) -> Refusal:
    return refuse(rule, (NAMES[point] for point in (bits(points) if isinstance(points, int) else points)), **facts)


def _entering(position: MementoPosition, action: Enter) -> Iterator[Refusal]:
    wanted = 2 if position.entered else 1
    points = sum(1 << point for point in action.points)
    if len(action.points) != wanted:
        yield _refuse("enter.count", points, number=len(action.points), wanted=wanted)
    if not position.entered:
        return
    if middles := points & MIDDLES:
        yield _refuse("enter.middle", middles)
    if inner := points & INNER:
        yield _refuse("enter.inner", inner)
    if taken := points & position.occupied:
        yield _refuse("enter.occupied", taken)
    if position.supply < len(action.points):
        yield _refuse("enter.no-stones", points, number=position.supply)
    spare = position.spare_markers(position.mover)
    if spare < len(action.points):
        yield _refuse("enter.no-markers", points, number=spare)


def _turning(position: MementoPosition, action: Turn) -> Iterator[Refusal]:
    points = 127 << 7 * action.tile
    tile = TILES[action.tile]
    if position.just_turned:
        yield _refuse("turn.previous-turned", points, tile=tile)
    if position.turned >> position.mover & 1:
        yield _refuse("turn.twice", points, tile=tile)
    if not position.changes(action.tile):
        yield _refuse("turn.no-change", points, tile=tile)


def _foreign(position: MementoPosition, origin: int) -> Iterator[Refusal]:
    owner = position.owner(origin)
    if owner is not None and owner != position.mover:
        yield _refuse("move.foreign", [origin], colour=Word(COLOURS[owner]))


def _moving(position: MementoPosition, action: Move) -> Iterator[Refusal]:
    origin, target = action.origin, action.target
    if position.owner(origin) is None or origin == target:
        return
    yield from _foreign(position, origin)
    occupied, height = position.occupied, position.height(origin)
    ways = position.rules.ways
    if ways.targets(origin, height, occupied) >> target & 1:
        return
    figure = FIGURES[height - 1]
    straight = [ray[: ray.index(target)] for ray in ways.rays[origin] if target in ray]
    over_the_edge = ways.opened.targets(origin, height, occupied) >> target & 1
    if not over_the_edge and height != 2:
        yield _refuse("move.too-far", (origin, target), figure=figure)
    elif not over_the_edge and not straight:
        yield _refuse("move.bend", (origin, target), figure=figure)
    first_met = [next((point for point in way if occupied >> point & 1), None) for way in straight]
    if straight and None not in first_met:
        yield _refuse("move.blocked", sorted({point for point in first_met if point is not None}), figure=figure)
    if over_the_edge:
        yield _refuse("move.off-board", (origin, target), figure=figure)


def _splitting(position: MementoPosition, action: Split) -> Iterator[Refusal]:
    origin = action.origin
    if position.owner(origin) is None:
        return
    yield from _foreign(position, origin)
    height, occupied = position.height(origin), position.occupied
    figure = FIGURES[height - 1]
    parts = sum(1 << point for point, _ in action.parts)
    stones = sum(stones for _, stones in action.parts)
    if height == 1:
        yield _refuse("split.single", [origin])
        return
    if stones < height or parts >> origin & 1:
        yield _refuse("split.origin", [origin], figure=figure)
    if stones > height:
        yield _refuse("stones.too-many", parts, number=stones, wanted=height)
    elsewhere = parts & ~(1 << origin)
    if taken := elsewhere & occupied:
        yield _refuse("split.occupied", taken)
    if too_far := elsewhere & ~position.rules.ways.targets(origin, height, occupied):
        yield _refuse("split.unreachable", too_far, figure=figure)
    spare = position.spare_markers(position.mover)
    if spare < len(action.parts) - 1:
        yield _refuse("split.no-markers", parts, number=spare, wanted=len(action.parts) - 1)
