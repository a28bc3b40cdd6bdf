"""Why an action is not legal in Dimenticato: the rules it breaks, most telling first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from engine.core import COLOURS, Action, Fact, Refusal, Word
from engine.games.dimenticato.actions import Move, Open, Shift, WrongCall
from engine.games.dimenticato.plan import Plan
from engine.games.dimenticato.walk import NUMBERS, OPENING_COUNTS, Gait, reached

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition

_LIFTED: dict[str, dict[str, Any]] = {
    "move.bends": {"bends": 99},
    "move.corner": {"left": True},
    "move.count": {},
    "opening.count": {},
    "move.backward": {"backward": True},
    "start.foreign": {"foreign": True},
    "unknown": {"lap": True},
}
"""For every rule about moving, the gait that breaks it, most telling first.

Another count is simpler than a detour backward. The page has no code for an extra lap.
"""
_COUNTED = {"move.count", "opening.count"}


def objections(position: DimenticatoPosition, action: Action) -> Iterator[Refusal]:
    """The rules that this action breaks."""
    if not isinstance(action, Open | Move | Shift | WrongCall):
        return
    if any(position.plan.find(text, position.mover) is None for text in action.sites):
        yield Refusal("unknown", (), {"action": str(action)})
        return
    origin = position.site(action.origin)
    owner = position.owner(origin)
    if owner is None or action.origin in action.sites[1:2]:
        return
    if owner != position.mover:
        yield _refuse(position, "move.foreign", origin, colour=Word(COLOURS[owner]))
    too_early = not position.unopened >> origin & 1 and position.opening()
    early = [_refuse(position, "opening.first", origin)] if too_early else []
    match action:
        case Open():
            yield from chain(early, _opening(position, action, origin))
        case Shift():
            yield from chain(early, _shifting(position, origin, position.site(action.target)))
        case Move():
            broken = _moving(position, action, origin, owner)
            # On somebody else's start field nobody may ever stand: that tells more than that it was too early.
            trespasses = position.plan.block_owner(position.site(action.target)) not in (None, owner)
            yield from chain(broken, early) if trespasses else chain(early, broken)
        case _:
            yield from early


def _refuse(position: DimenticatoPosition, rule: str, *sites: int, **facts: Fact) -> Refusal:
    names = tuple(position.plan.names[site] for site in sites)
    return Refusal(rule, names, {"sites": ", ".join(names)} | facts)


def _opening(position: DimenticatoPosition, action: Open, origin: int) -> Iterator[Refusal]:
    plan, seat, target = position.plan, position.mover, position.site(action.target)
    if not position.unopened >> origin & 1:
        yield _refuse(position, "move.backward", origin, target)
    else:
        if plan.card_fields[plan.big[seat]] >> target & 1:
            yield _refuse(position, "opening.card", origin, target)
        for rule in _astray(plan, Gait(seat, opening=True), origin, target, OPENING_COUNTS, "opening.count"):
            yield _refuse(position, rule, origin, target, action=str(action))
    yield from _landing(position, seat, origin, target, action.set_back)


def _shifting(position: DimenticatoPosition, origin: int, target: int) -> Iterator[Refusal]:
    if position.unopened >> origin & 1:
        yield _refuse(position, "opening.card", origin, target)
    yield from _landing(position, position.mover, origin, target, None)


def _moving(position: DimenticatoPosition, action: Move, origin: int, owner: int) -> Iterator[Refusal]:
    target = position.site(action.target)
    if position.dice.pips[origin] != action.number:
        yield _refuse(position, "call.wrong", origin, number=action.number)
    if position.plan.block_owner(target) not in (None, owner):
        yield _refuse(position, "start.foreign", origin, target)
    else:
        gait = Gait(owner, lap=position.rules.extra_lap)
        for rule in _astray(position.plan, gait, origin, target, (action.number,), "move.count"):
            yield _refuse(position, rule, origin, target, action=str(action), number=action.number)
    yield from _landing(position, owner, origin, target, action.set_back)


def _landing(
    position: DimenticatoPosition, seat: int, origin: int, target: int, set_back_text: str | None
) -> Iterator[Refusal]:
    """What forbids a figure of this seat to end on a site, however it got there."""
    beaten = position.owner(target)
    if beaten is None:
        return
    if position.plan.block_owner(target) is not None:
        yield _refuse(position, "goal.occupied", target)
        return
    if beaten == seat:
        yield _refuse(position, "move.own", target)
        return
    colour = Word(COLOURS[beaten])
    if position.is_safe(target):
        yield _refuse(position, "move.safe", target, colour=colour)
    fields = position.set_backs(target, origin)
    if not fields:
        yield _refuse(position, "setback.impossible", target, colour=colour)
    elif set_back_text is None:
        yield _refuse(position, "setback.missing", target, colour=colour)
    elif not fields >> (set_back := position.site(set_back_text)) & 1:
        yield _refuse(position, "setback.wrong", target, set_back, colour=colour)


@lru_cache(maxsize=1 << 14)
def _astray(
    plan: Plan, gait: Gait, origin: int, target: int, counts: tuple[int, ...], count_rule: str
) -> tuple[str, ...]:
    """The rules about moving that a figure broke to get there: each that alone explains it, else the fewest together.

    None, if there is a way by the rules.
    """

    def explained_by(broken: tuple[str, ...]) -> bool:
        lifted = {name: value for rule in broken for name, value in _LIFTED[rule].items()}
        tried = NUMBERS if count_rule in broken else counts
        return any(reached(plan, replace(gait, **lifted), origin, count) >> target & 1 for count in tried)

    rules = tuple(rule for rule in _LIFTED if rule == count_rule or rule not in _COUNTED)
    if not explained_by(rules):
        return (count_rule,)
    for size in range(len(rules)):
        if found := [broken for broken in combinations(rules, size) if explained_by(broken)]:
            if size == 1:
                return tuple(rule for (rule,) in found)
            # Going backward is plain to see, and next to nothing else is.
            return tuple(sorted(found[0], key=lambda rule: (rule == count_rule, rule != "move.backward")))
    return rules
