"""Actions that are half done: what a table may show between one position and the next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, product

from engine.core import Action, Position
from engine.face import EMPTY, Face
from engine.referee.evidence import DOUBT, WORST, Evidence
from engine.referee.explain import GOOD, effects
from engine.referee.stands import Effect, Stand
from engine.referee.unseen import unseen_courses


def is_unfinished(position: Position, stand: Stand, evidence: Evidence) -> bool:
    """Whether what was seen is on the way to a legal action, perhaps after others that no camera can see: every site it
    changes shows what it did before, what it will show, or something in between."""
    now = evidence.strain(stand)
    movers = chain((position,), (then for _, then in unseen_courses(position)))
    return any(strain <= GOOD for then in movers for _, strain in _on_the_way(then, stand, evidence, now, _excess))


def half_way(position: Position, stand: Stand, evidence: Evidence) -> float:
    """The surprise of the best half-done legal action."""
    now = evidence.surprise(stand)
    return min((surprise for _, surprise in _on_the_way(position, stand, evidence, now, _whole)), default=now)


def half_of_others(position: Position, stand: Stand, evidence: Evidence, action: Action) -> float:
    """The same for every action but this one."""
    now = evidence.surprise(stand)
    ways = _on_the_way(position, stand, evidence, now, _whole)
    return min((surprise for effect, surprise in ways if effect.action != action), default=now)


def _on_the_way(
    position: Position, stand: Stand, evidence: Evidence, now: float, weight: Callable[[float], float]
) -> Iterator[tuple[Effect, float]]:
    """For every legal action, how badly what was seen fits any state on the way to it."""
    ways: dict[tuple[Face, Face], tuple[Face, ...]] = {}
    for effect in effects(position):
        shown: list[list[tuple[float, Face]]] = []
        for site, face in effect.changes:
            if (costs := evidence.sites.get(site)) is None:
                continue
            known = stand.faces.get(site, EMPTY)
            if (known, face) not in ways:
                ways[known, face] = (known, face, *position.rules.between(known, face))
            here = weight(costs.get(known, WORST))
            shown.append([(weight(costs.get(each, WORST)) - here, each) for each in ways[known, face]])
        total = now + _least(shown, stand, effect)
        for name, steps in effect.turns:
            turn = stand.turns.get(name, 0)
            total += min(0.0, weight(evidence.sheet(name, turn + steps)) - weight(evidence.sheet(name, turn)))
        yield effect, total


def _least(sites: Sequence[Sequence[tuple[float, Face]]], stand: Stand, effect: Effect) -> float:
    """The lowest cost of faces on the way to an action, one for each of its visible sites; the first two faces of each
    site are those before and after the action."""
    cheapest = tuple(min(faces) for faces in sites)
    cost = sum(each for each, _ in cheapest)
    if cost >= 0.0:
        return cost
    stock = _Stock(stand, effect)
    if stock.suffices(cheapest, sites):
        return cost
    if effect.turns:
        # A sheet carries along what stands on it, without anything between.
        return sum(min(faces[:2])[0] for faces in sites)
    return min(sum(each for each, _ in way) for way in product(*sites) if stock.suffices(way, sites))


class _Stock:
    """The pieces an action works with: half way through there are no more of any than there were or will be."""

    def __init__(self, stand: Stand, effect: Effect) -> None:
        before = [stand.faces.get(site, EMPTY) for site, _ in effect.changes]
        then = [face for _, face in effect.changes]
        self.most = _parts(before) | _parts(then)
        self.carrying = {part for face in (*before, *then) for part in face.parts[:-1]}

    def suffices(self, way: Sequence[tuple[float, Face]], sites: Sequence[Sequence[tuple[float, Face]]]) -> bool:
        used = _parts(face for _, face in way)
        extra = {part for part, count in used.items() if count > self.most[part]}
        if not extra:
            return True
        # A piece that carries others may be put down before the one it replaces is taken away.
        ends = all(face in (faces[0][1], faces[1][1]) for (_, face), faces in zip(way, sites, strict=True))
        return ends and extra <= self.carrying


def _parts(faces: Iterable[Face]) -> Counter[str]:
    return Counter(chain.from_iterable(face.parts for face in faces))


def _whole(cost: float) -> float:
    return cost


def _excess(cost: float) -> float:
    return max(0.0, cost - DOUBT)
