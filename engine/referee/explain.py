"""Which legal action explains what was seen: every candidate is weighed, none is guessed.

A candidate's surprise is how much less likely it makes the reading than the best that could stand on each site, added
up over the sites and turnable sheets. Hidden sites count for nobody.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.core import Action, Position
from engine.referee.reading import EMPTY, Reading

WORST = 14.0
"""The most that one site or sheet may surprise: a single misread site must not outweigh all others for ever."""
FIRSTS = 8
"""How many first actions are tried when two in a row may have been played."""

Faces = Mapping[str, str]
Turns = Mapping[str, int]


@dataclass(frozen=True)
class Stand:
    """What a table shows: the faces of its occupied sites and the positions of its turnable sheets."""

    faces: Faces
    turns: Turns


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action changes to the eye."""

    action: Action
    changes: tuple[tuple[str, str], ...]
    turns: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Explanation:
    """A course of things that would show what was seen: some actions (none: nothing happened), or an undo."""

    surprise: float
    actions: tuple[Action, ...] = ()
    to_ply: int | None = None
    """For an undo: the number of actions that still stand."""


@lru_cache(maxsize=128)
def effects(position: Position) -> tuple[Effect, ...]:
    """For every legal action what it changes; actions that change nothing visible are left out."""
    before = position.faces()
    found = []
    for action in position.legal():
        after = position.after(action).faces()
        changes = tuple((site, EMPTY) for site in before if site not in after)
        changes += tuple((site, face) for site, face in after.items() if before.get(site) != face)
        if changes or action.turns:
            found.append(Effect(action, changes, tuple(action.turns.items())))
    return tuple(found)


class Evidence:
    """A reading as costs: 0 for the likeliest face of a site, more for the others, up to WORST."""

    def __init__(self, reading: Reading) -> None:
        self.sites = {site: _costs(likelihoods) for site, likelihoods in reading.sites.items()}
        self.sheets = {name: _turn_costs(values) for name, values in reading.sheets.items()}

    def site(self, site: str, face: str) -> float:
        costs = self.sites.get(site)
        return 0.0 if costs is None else costs.get(face, WORST)

    def sheet(self, name: str, turn: int) -> float:
        costs = self.sheets.get(name)
        return 0.0 if costs is None else costs[turn % len(costs)]

    def surprise(self, stand: Stand) -> float:
        """How badly what was seen fits a table that stands so."""
        faces = stand.faces
        return sum(self.site(site, faces.get(site, EMPTY)) for site in self.sites) + sum(
            self.sheet(name, stand.turns.get(name, 0)) for name in self.sheets
        )

    def change(self, stand: Stand, effect: Effect) -> float:
        """By how much an action's effect would change the surprise."""
        faces, turns = stand.faces, stand.turns
        total = sum(self.site(site, face) - self.site(site, faces.get(site, EMPTY)) for site, face in effect.changes)
        for name, steps in effect.turns:
            turn = turns.get(name, 0)
            total += self.sheet(name, turn + steps) - self.sheet(name, turn)
        return total

    def differing(self, stand: Stand, limit: float = 3.0) -> tuple[str, ...]:
        """Sites that clearly do not show what stands there."""
        return tuple(site for site in self.sites if self.site(site, stand.faces.get(site, EMPTY)) > limit)


def _costs(likelihoods: Mapping[str, float]) -> dict[str, float]:
    best = max(likelihoods.values())
    return {face: min(WORST, best - value) for face, value in likelihoods.items()}


def _turn_costs(values: Sequence[float]) -> tuple[float, ...]:
    best = max(values)
    return tuple(min(WORST, best - value) for value in values)


def after(stand: Stand, effect: Effect) -> Stand:
    """The table once an action's effect has been carried out."""
    faces = dict(stand.faces)
    for site, face in effect.changes:
        if face == EMPTY:
            faces.pop(site, None)
        else:
            faces[site] = face
    turns = dict(stand.turns)
    for name, steps in effect.turns:
        turns[name] = turns.get(name, 0) + steps
    return Stand(faces, turns)


def explain(
    position: Position, stand: Stand, evidence: Evidence, earlier: Iterable[Stand] = (), good: float = 5.0
) -> list[Explanation]:
    """Everything that may have happened, the best explanation first.

    Weighed are: nothing, every legal action, every earlier stand of the match, and, only if none of these is as good as
    `good`, two actions in a row.
    """
    now = evidence.surprise(stand)
    found = [Explanation(now)]
    singles = [Explanation(now + evidence.change(stand, effect), (effect.action,)) for effect in effects(position)]
    found += singles
    found += [Explanation(evidence.surprise(then), to_ply=ply) for ply, then in enumerate(earlier)]
    if min(each.surprise for each in found) > good:
        found += _two_in_a_row(position, stand, evidence, singles)
    return sorted(found, key=lambda each: each.surprise)


def is_unfinished(position: Position, stand: Stand, evidence: Evidence, good: float) -> bool:
    """Whether what was seen is on the way to a legal action: every site it changes shows before, after or between."""
    now = evidence.surprise(stand)
    for effect in effects(position):
        surprise = now
        for site, face in effect.changes:
            before = stand.faces.get(site, EMPTY)
            way = {before, face, *position.rules.between(before, face)}
            surprise += min(evidence.site(site, each) for each in way) - evidence.site(site, before)
        for name, steps in effect.turns:
            turn = stand.turns.get(name, 0)
            surprise += min(0.0, evidence.sheet(name, turn + steps) - evidence.sheet(name, turn))
        if surprise <= good:
            return True
    return False


def _two_in_a_row(
    position: Position, stand: Stand, evidence: Evidence, singles: Sequence[Explanation]
) -> Iterator[Explanation]:
    by_action = {effect.action: effect for effect in effects(position)}
    for first in sorted(singles, key=lambda each: each.surprise)[:FIRSTS]:
        action = first.actions[0]
        between, then = after(stand, by_action[action]), position.after(action)
        touched = {site for site, _ in by_action[action].changes}
        for effect in effects(then):
            # A second action that undoes what the first one did to the eye is an unfinished first one.
            if any(site in touched and face == stand.faces.get(site, EMPTY) for site, face in effect.changes):
                continue
            yield Explanation(first.surprise + evidence.change(between, effect), (action, effect.action))


def played_twice(position: Position, seen: Faces, turned: Turns) -> bool:
    """Whether the same player may have played two actions in one turn that lead to what is seen."""
    mover = position.seat
    for first in _touching(position, seen, turned):
        then = replace(position.after(first.action), seat=mover, outcome=None)  # type: ignore[type-var]
        left = {name: steps for name, steps in turned.items() if (name, steps) not in first.turns}
        for second in _touching(then, seen, left):
            if then.after(second.action).faces() == seen and dict(second.turns) == left:
                return True
    return False


def _touching(position: Position, seen: Faces, turned: Turns) -> Iterator[Effect]:
    """Legal actions that change only sites that differ from what is seen, and turn only what was turned."""
    before = position.faces()
    differing = {site for site in before.keys() | seen.keys() if before.get(site) != seen.get(site)}
    for effect in effects(position):
        if all(turned.get(name) == steps for name, steps in effect.turns) and (
            effect.turns or all(site in differing for site, _ in effect.changes)
        ):
            yield effect
