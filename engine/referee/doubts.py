"""Reasons to wait: when the best explanation of a settled picture may still not be what happened."""

from __future__ import annotations

from collections.abc import Sequence

from engine.referee.evidence import Evidence
from engine.referee.explain import Explanation, Lead, follow
from engine.referee.halfway import half_of_others, half_way
from engine.referee.stands import Stand
from engine.referee.state import Table


def as_glimpsed(
    table: Table, evidence: Evidence, best: Explanation, close: Sequence[Explanation]
) -> Sequence[Explanation]:
    """The best explanation and those as good, leaving out consecutive turns in another order than the one seen."""
    if table.watch.glimpsed is None or len(best.actions) < 2:
        return (best, *close)
    name, turn = table.watch.glimpsed
    count, lay = len(evidence.sheets.get(name, (0,))), table.stand.turns.get(name, 0)

    def is_seen(actions: Lead) -> bool:
        return not all(action.turns for action in actions) or (
            name in actions[0].turns and (lay + actions[0].turns[name] - turn) % count == 0
        )

    return [each for each in (best, *close) if len(each.actions) > 1 and is_seen(each.actions)] or (best, *close)


def has_rivals(table: Table, evidence: Evidence, to_ply: int, close: Sequence[Explanation]) -> bool:
    """Whether other earlier positions that look different where the eye can see explain the table equally well."""
    stands = [table.stands[each.to_ply] for each in close if each.to_ply is not None]
    return any(evidence.tells_apart(table.stands[to_ply], stand) for stand in stands)


def is_half_way(table: Table, evidence: Evidence, best: Explanation, better: float) -> bool:
    """Whether another action, half done, explains the picture better."""
    if best.surprise <= better:
        return False
    return best.surprise - half_way(table.position, table.stand, evidence) > better


def is_half_hidden(table: Table, evidence: Evidence, best: Explanation, then: Stand) -> bool:
    """Whether part of an action would be hidden, and the visible part may be half of another action."""
    if not best.actions or not evidence.conceals(table.stand, then):
        return False
    if len(best.actions) > 1:
        return True
    others = half_of_others(table.position, table.stand, evidence, best.actions[0])
    return others - best.surprise < table.patience.margin


def is_behind(table: Table, evidence: Evidence, best: Explanation, then: Stand) -> bool:
    """Whether part of what was played is under something left lying, so that waiting will not make it clear: a hand has
    come and gone and everything looks as before, or one of two actions was played there and no half-done action
    explains the other."""
    if not evidence.conceals(table.stand, then):
        return False
    if table.watch.settling is not None and table.said.puzzled < table.watch.settling.since:
        return True
    if len(best.actions) < 2:
        return False
    half = half_way(table.position, table.stand, evidence)
    return half - best.surprise > table.patience.margin


def whole_in_sight(table: Table, evidence: Evidence, courses: Sequence[Lead]) -> bool:
    """Whether one of these courses would be in full view: then that one is done, or another one."""
    stands = (follow(table.position, table.stand, course)[1] for course in courses)
    return any(not evidence.conceals(table.stand, then) for then in stands)
