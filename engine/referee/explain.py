"""Which legal action explains what was seen: every candidate is weighed, none is guessed.

A candidate's surprise is how much less likely it makes the reading than the best that could stand on each site, added
up over the sites and turnable sheets. Hidden sites do not count either way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.core import Action, Position
from engine.face import EMPTY, Faces
from engine.referee.evidence import Evidence
from engine.referee.stands import Effect, Stand, Turns, after
from engine.referee.unseen import unseen_courses

__all__ = [
    "Effect",
    "Evidence",
    "Explanation",
    "Lead",
    "Stand",
    "effects",
    "explain",
    "follow",
]

FIRSTS = 8
"""How many first actions are tried when two in a row may have been played."""
GOOD = 1.5
"""An explanation that strains the evidence more than this does not count."""

Lead = tuple[Action, ...]
"""Actions that may have been played since the last accepted position: an earlier picture left it open."""


@dataclass(frozen=True)
class Explanation:
    """A course of events that would show what was seen: some actions (none: nothing happened), or an undo."""

    surprise: float
    actions: tuple[Action, ...] = ()
    to_ply: int | None = None
    """For an undo: the number of actions that still stand."""


@lru_cache(maxsize=128)
def effects(position: Position) -> tuple[Effect, ...]:
    """What every legal action changes; actions that change nothing visible are left out."""
    before = position.faces()
    found = []
    for action in position.legal():
        then = position.after(action).faces()
        changes = tuple((site, EMPTY) for site in before if site not in then)
        changes += tuple((site, face) for site, face in then.items() if before.get(site) != face)
        if changes or action.turns:
            found.append(Effect(action, changes, tuple(action.turns.items())))
    return tuple(found)


@lru_cache(maxsize=128)
def _by_action(position: Position) -> dict[Action, Effect]:
    return {effect.action: effect for effect in effects(position)}


def explain(
    position: Position,
    stand: Stand,
    evidence: Evidence,
    earlier: Sequence[Stand] = (),
    leads: Iterable[Lead] = (),
) -> list[Explanation]:
    """Everything that may have happened, the best explanation first.

    First come: nothing, every legal action, every earlier stand of the match, and whatever an earlier unclear picture
    left open. If none of these is any good, one more action is added to what was left open, for what a picture has
    shown comes before what none has; then two actions in a row; and last, an action after others that no camera can
    see.
    """
    now = evidence.surprise(stand)
    found = [Explanation(now)]
    singles = [Explanation(now + evidence.change(stand, effect), (effect.action,)) for effect in effects(position)]
    found += singles
    found += [Explanation(evidence.surprise(then), to_ply=ply) for ply, then in enumerate(earlier)]
    courses = [(lead, *follow(position, stand, lead)) for lead in leads]
    found += [Explanation(evidence.surprise(there), lead) for lead, _, there in courses if len(lead) > 1]

    def is_good() -> bool:
        best = min(found, key=lambda each: each.surprise)
        return evidence.strain(stand_after(position, stand, best, earlier)) <= GOOD

    if not is_good():
        for lead, then, there in courses:
            seen = evidence.surprise(there)
            found += [Explanation(seen + evidence.change(there, each), (*lead, each.action)) for each in effects(then)]
        if not is_good():
            if not position.rules.game.anonymous:
                found += _two_in_a_row(position, stand, evidence, singles)
            found += _turned_after(position, stand, evidence)
            if not is_good():
                found += _after_unseen(position, stand, evidence, now)
    return sorted(found, key=lambda each: each.surprise)


def _after_unseen(position: Position, stand: Stand, evidence: Evidence, now: float) -> list[Explanation]:
    """An action after as few as possible that no camera can see; the first of those that explain it."""
    for lead, then in unseen_courses(position):
        found = [Explanation(now + evidence.change(stand, each), (*lead, each.action)) for each in effects(then)]
        best = min(found, key=lambda each: each.surprise, default=None)
        if best is not None and evidence.strain(follow(position, stand, best.actions)[1]) <= GOOD:
            return found
    return []


def follow(position: Position, stand: Stand, actions: Iterable[Action]) -> tuple[Position, Stand]:
    """Position and table once these legal actions have been played."""
    for action in actions:
        effect = _by_action(position).get(action)
        stand = stand if effect is None else after(stand, effect)
        position = position.after(action)
    return position, stand


def stand_after(position: Position, stand: Stand, course: Explanation, earlier: Sequence[Stand]) -> Stand:
    """What the table shows if this is what happened."""
    return follow(position, stand, course.actions)[1] if course.to_ply is None else earlier[course.to_ply]


def _two_in_a_row(
    position: Position, stand: Stand, evidence: Evidence, singles: Sequence[Explanation]
) -> Iterator[Explanation]:
    by_action = _by_action(position)
    for first in sorted(singles, key=lambda each: each.surprise)[:FIRSTS]:
        action = first.actions[0]
        between, then = after(stand, by_action[action]), position.after(action)
        touched = {site for site, _ in by_action[action].changes}
        # Only a second action that changes what fits worst can explain it.
        for effect in _by_place(then).get(evidence.worst(between), ()):
            if _only_undoes(stand, by_action[action], effect) or _moves_on(stand, by_action[action], effect):
                continue
            last = after(between, effect)
            if effect.turns and not _shows((stand, last), evidence, touched | {site for site, _ in effect.changes}):
                continue
            yield Explanation(first.surprise + evidence.change(between, effect), (action, effect.action))


def _only_undoes(stand: Stand, first: Effect, second: Effect) -> bool:
    """Whether a second action would only undo what the first one visibly did: then the first is simply unfinished.

    A sheet that was turned stays turned, though, even if a piece then walks back on it; but a piece that it carried to
    where it should be taken off may still stand there.
    """
    if second.turns:
        return False
    if first.turns:
        then = after(stand, first).faces
        return all(face != EMPTY and _took(stand.faces, then, face.kind) for _, face in second.changes)
    touched = {site for site, _ in first.changes}
    return all(site in touched and face == stand.faces.get(site, EMPTY) for site, face in second.changes)


def _moves_on(stand: Stand, first: Effect, second: Effect) -> bool:
    """Whether a second action would at once take up what the first one has put somewhere: nobody has seen it there. A
    sheet that turns puts nothing anywhere, it carries what stands on it along."""
    if first.turns:
        return False
    put = {site for site, face in first.changes if face != EMPTY and site not in stand.faces}
    if any(site in put and face == EMPTY for site, face in second.changes):
        return True
    # Nor has anybody seen what is captured where it came to, and set back to where it came from.
    then = dict(second.changes)
    left = [site for site, face in first.changes if face == EMPTY]
    return put <= then.keys() and bool(left) and all(then.get(site) == stand.faces.get(site, EMPTY) for site in left)


def _took(before: Faces, then: Faces, what: str) -> bool:
    """Whether there are fewer of a kind than before."""
    return sum(face.kind == what for face in then.values()) < sum(face.kind == what for face in before.values())


def _turned_after(position: Position, stand: Stand, evidence: Evidence) -> Iterator[Explanation]:
    """Any action, and then one sheet turned, which carried along what was put on it."""
    turned = evidence.turned(stand)
    if len(turned) == 1:
        name, steps = next(iter(turned.items()))
        turns = {**stand.turns, name: stand.turns.get(name, 0) + steps}
        for actions, faces, touched in _carried(position, name, steps):
            last = Stand(faces, turns)
            if _shows((stand, last), evidence, touched):
                yield Explanation(evidence.surprise(last), actions)


def _shows(stands: Iterable[Stand], evidence: Evidence, touched: Iterable[str]) -> bool:
    """Whether something is in sight, before or after, on what was touched: what nothing shows explains no turn."""
    seen = [site for site in touched if site in evidence.sites]
    return any(site in stand.faces for stand in stands for site in seen)


@lru_cache(maxsize=8)
def _carried(position: Position, name: str, steps: int) -> tuple[tuple[Lead, Faces, frozenset[str]], ...]:
    """For every legal action that turns nothing: the table after the next player has turned this sheet as well, and the
    sites that both changed."""
    found: list[tuple[Lead, Faces, frozenset[str]]] = []
    for effect in effects(position):
        if effect.turns:
            continue
        then = position.after(effect.action)
        for turn in (action for action in then.legal() if action.turns == {name: steps}):
            before, faces = then.faces(), then.after(turn).faces()
            carried = {site for site in before.keys() | faces.keys() if before.get(site) != faces.get(site)}
            touched = frozenset(carried | {site for site, _ in effect.changes})
            found.append(((effect.action, turn), faces, touched))
    return tuple(found)


@lru_cache(maxsize=128)
def _by_place(position: Position) -> dict[str, list[Effect]]:
    """For every site and sheet the actions that change it."""
    found: dict[str, list[Effect]] = {}
    for effect in effects(position):
        for place, _ in (*effect.changes, *effect.turns):
            found.setdefault(place, []).append(effect)
    return found


def played_twice(position: Position, seen: Faces, turned: Turns) -> bool:
    """Whether the same player may have played two actions in one turn that lead to what is seen."""
    mover = position.seat
    for first in _touching(position, seen, turned):
        then = _with_turn(position.after(first.action), mover)
        left = {name: steps for name, steps in turned.items() if (name, steps) not in first.turns}
        for second in _touching(then, seen, left):
            if then.after(second.action).faces() == seen and dict(second.turns) == left:
                return True
    return False


def by_one_player(position: Position, course: Lead) -> bool:
    """Whether the player who did the first of these actions may have done the others as well, though it was others'
    turn: nothing that they leave on the table shows whose they are."""
    mover, then = position.seat, position
    for number, action in enumerate(course):
        effect = _by_action(then).get(action)
        if effect is None or (number and (then.seat == mover or not _has_effect(then, mover, effect))):
            return False
        then = then.after(action)
    return len(course) > 1


def _has_effect(position: Position, seat: int | None, wanted: Effect) -> bool:
    """Whether a player could change the same, if it was that one's turn."""
    own = effects(_with_turn(position, seat))
    return any(set(each.changes) == set(wanted.changes) and each.turns == wanted.turns for each in own)


def _with_turn(position: Position, seat: int | None) -> Position:
    """The same position as if it was this player's turn."""
    return replace(position, seat=seat, outcome=None)  # type: ignore[type-var]


def _touching(position: Position, seen: Faces, turned: Turns) -> Iterator[Effect]:
    """Legal actions that change only sites that differ from what is seen, and turn only what was turned."""
    before = position.faces()
    differing = {site for site in before.keys() | seen.keys() if before.get(site) != seen.get(site)}
    for effect in effects(position):
        if all(turned.get(name) == steps for name, steps in effect.turns) and (
            effect.turns or all(site in differing for site, _ in effect.changes)
        ):
            yield effect
