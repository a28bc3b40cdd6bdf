"""What a settled picture means: an action, an undo, nothing, a question, something half done, a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core import Action
from engine.referee.blame import blame
from engine.referee.doubts import (
    as_glimpsed,
    has_rivals,
    is_behind,
    is_half_hidden,
    is_half_way,
    whole_in_sight,
)
from engine.referee.evidence import UNTAUGHT, Evidence
from engine.referee.explain import GOOD, Explanation, Lead, follow, is_unfinished
from engine.referee.news import Accepted, Ended, Illegal, Plain, Unclear, Undone, Unfinished
from engine.referee.stands import Stand
from engine.referee.state import TICK, Table
from engine.referee.unseen import unseen_before

MOST_LEADS = 16
"""So many courses of things are kept open at most while a picture is unclear."""
ALIKE = 0.5
"""Explanations that differ by less are equally good."""
HALF_DONE, BUSY = 2.5, 0.5
"""By so much must a half-done action explain a picture better than a whole one: less while a hand is at work."""


def choose(ranked: Sequence[Explanation]) -> Explanation:
    """The best explanation; where an undo is no better than nothing or an action, that was it."""
    best = ranked[0]
    if best.to_ply is None:
        return best
    alike = [each for each in ranked if each.surprise - best.surprise < ALIKE]
    plain = [each for each in alike if each.to_ply is None]
    return plain[0] if plain else max(alike, key=lambda each: each.to_ply or 0)


def decide(
    table: Table, evidence: Evidence, ranked: Sequence[Explanation], best: Explanation, waited: float, calm: float
) -> Table:
    """What a settled picture that something legal explains means."""
    close = [each for each in ranked if each.surprise - best.surprise < table.patience.margin]
    nothing = any(each.to_ply is None and not each.actions for each in close)
    if nothing and (best.to_ply is not None or not best.actions):
        return steady(table, evidence)
    busy = min(waited, calm) < table.patience.calm - TICK
    undone = best.to_ply is not None
    if best.to_ply is not None:
        played = [each for each in close if each.actions]
        if not played:
            # A hand at work that takes a piece away may be about to put another one down; and where two earlier
            # positions differ by what the eye is not sure of, it must look again.
            waits = calm < table.patience.calm - TICK or has_rivals(table, evidence, best.to_ply, close)
            return table if waits else undo(table, best.to_ply)
        best, close = played[0], played
    if any(each.actions == table.rejected for each in close if each.actions):
        # What people have taken back was not it: it may have been another action, or else it is for them to say.
        others = dict.fromkeys(each.actions for each in close if each.actions and each.actions != table.rejected)
        return _ask(table, tuple(others)) if others else table
    best, *close = as_glimpsed(table, evidence, best, close)
    courses = tuple(dict.fromkeys(each.actions for each in (best, *close) if len(each.actions) == len(best.actions)))
    if busy and (len(courses) > 1 or len(best.actions) > 1):
        # While a hand is at work beside the board, what is unclear, or looks like two actions, is rather half done.
        return table
    _, then = follow(table.match.position, table.stand, best.actions)
    unseen = then.turns == table.stand.turns and evidence.misses(table.stand, then)
    unseen = unseen or (is_half_hidden(table, evidence, best, then) and not whole_in_sight(table, evidence, courses))
    if undone or nothing or unseen or is_half_way(table, evidence, best, BUSY if busy else HALF_DONE):
        # It may as well be nothing, an undo, or another action half done: a moment may make it clear, else people must.
        table = _wondering(table, courses)
        grace = table.patience.grace / (2 if is_behind(table, evidence, best, then) else 1)
        return table if waited < grace - TICK else _ask(table, courses)
    return _ask(table, courses) if len(courses) > 1 else _accept_seen(table, best.actions, evidence)


def _wondering(table: Table, courses: tuple[Lead, ...]) -> Table:
    """The table while it is open which of these courses was taken."""
    assert table.settling is not None
    puzzled = table.puzzled if set(courses) & set(table.leads) else table.settling.since
    return replace(table, leads=courses[:MOST_LEADS], puzzled=puzzled)


def accept(table: Table, actions: Sequence[Action], evidence: Evidence | None = None, inferred: int = 0) -> Table:
    """The table once these legal actions have been played, one after the other; the first `inferred` were not seen."""
    match, stands, news = table.match, list(table.stands), list(table.news)
    unseen = range(match.ply, match.ply + inferred)
    for action in actions:
        seat = match.position.seat
        assert seat is not None
        news.append(Accepted(match.ply, seat, action, match.ply in unseen))
        match = match.play(action)
        turns = dict(stands[-1].turns)
        for name, steps in action.turns.items():
            turns[name] = turns.get(name, 0) + steps
        stands.append(Stand(match.position.faces(), turns))
    if match.position.outcome is not None:
        news.append(Ended(match.position.outcome))
    habit = UNTAUGHT if evidence is None else evidence.habit(stands[-1])
    table = replace(_fresh(table), match=match, stands=tuple(stands), inferred=table.inferred.union(unseen))
    return replace(table, news=tuple(news), habit=habit, rejected=())


def _accept_seen(table: Table, course: Lead, evidence: Evidence) -> Table:
    return accept(table, course, evidence, unseen_before(table.match.position, course))


def undo(table: Table, to_ply: int) -> Table:
    """The table back at an earlier position of the match. What followed only from what is undone goes with it."""
    while to_ply - 1 in table.inferred:
        to_ply -= 1
    return replace(
        _fresh(table),
        match=table.match.undo(to_ply),
        stands=table.stands[: to_ply + 1],
        inferred=frozenset(ply for ply in table.inferred if ply < to_ply),
        news=(*table.news, Undone(to_ply)),
        habit=UNTAUGHT,
        rejected=(),
    )


def _fresh(table: Table) -> Table:
    """Nothing has been said about the position that stands now."""
    table = replace(table, asked=frozenset(), denied=frozenset(), leads=())
    return replace(table, half_done=None, told=(), troubled=False, settling=None)


def steady(table: Table, evidence: Evidence) -> Table:
    """The table shows the last accepted position: this is how the eye sees it."""
    table = _certain(table, evidence)
    table = replace(table, rejected=(), leads=(), asked=frozenset(), denied=frozenset())
    table = replace(table, half_done=None, glimpsed=None, habit=evidence.habit(table.stand))
    if not table.troubled:
        return table
    return replace(table, troubled=False, told=(), news=(*table.news, Plain("restored")))


def _certain(table: Table, evidence: Evidence) -> Table:
    """The table once it is seen how sheets lie that were unsure: before, they lay so or turned from so."""
    if not evidence.certain:
        return table
    by = {name: turn - table.stand.turns.get(name, 0) for name, turn in evidence.certain.items()}
    stands = tuple(
        Stand(stand.faces, {**stand.turns, **{name: stand.turns.get(name, 0) + steps for name, steps in by.items()}})
        for stand in table.stands
    )
    return replace(table, stands=stands, unsure=table.unsure - by.keys())


def _ask(table: Table, courses: tuple[Lead, ...]) -> Table:
    position = table.match.position
    actions = tuple(dict.fromkeys(course[unseen_before(position, course)] for course in courses))
    table = replace(table, leads=courses[:MOST_LEADS])
    if table.asked == frozenset(actions):
        return table
    return replace(table, asked=frozenset(actions), troubled=True, news=(*table.news, Unclear(actions)))


def refuse(table: Table, evidence: Evidence, waited: float, calm: float) -> Table:
    """What a settled picture that nothing legal explains means: half done for a while, then a mistake."""
    assert table.settling is not None
    picture = table.settling.picture
    if any(_still(known, evidence) for known in table.told):
        return table
    # A hand beside the board may be about to finish it, unless people have said what it is not.
    busy = calm < table.patience.calm - TICK and not table.denied
    if waited < table.patience.grace - TICK or busy:
        if table.half_done is not None and _still(table.half_done, evidence):
            return table
        if not is_unfinished(table.match.position, table.stand, evidence):
            return table
        half_done = Unfinished(evidence.differing(table.stand))
        return replace(table, half_done=picture, troubled=True, news=(*table.news, half_done))
    if 2 * table.settling.explained > table.settling.frames:
        # Something legal explains most of these pictures: an eye that wavers proves no mistake.
        return table
    refusals = blame(table.match.position, table.stand, evidence)
    news = (*table.news, Illegal(table.match.position.seat, refusals))
    return replace(table, told=(*table.told, picture), troubled=True, news=news)


def _still(known: Stand, evidence: Evidence) -> bool:
    """Whether the table may still show this picture."""
    return evidence.strain(known) <= GOOD
