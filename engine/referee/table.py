"""The referee at one table: `step(table, event)` gives the table afterwards, with what there is to say.

A picture counts once it has stood unchanged, with no hand over the board, for a few frames. A legal action is accepted
as soon as that is so; what no legal action explains is called illegal only after a grace, because it may be half done.
Time comes with the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.referee.changes import accept, steady, undo
from engine.referee.evidence import Evidence, is_certain
from engine.referee.explain import GOOD, Explanation, explain, stand_after
from engine.referee.news import Plain
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.state import TICK, Patience, Seen, Settling, Table
from engine.referee.unseen import unseen_before
from engine.referee.verdicts import Case, choose, decide, refuse

__all__ = ["Patience", "Seen", "Table", "accept", "choose", "step", "undo"]

MISTAKEN = 3.0
"""How much, beyond all doubt, one level may speak against an action after which another one was played, or of what was
only carried along."""


def step(table: Table, event: Seen) -> Table:
    """The table after an event."""
    table = replace(table, news=()).with_watch(moved=event.seconds if event.restless else table.watch.moved)
    if table.closed:
        return table
    if event.reading is None:
        return _out_of_sight(table, event.seconds)
    if table.watch.lost:
        table = table.with_watch(lost=False).saying(Plain("found"))
    table = _covered(table, event.seconds, event.reading).with_watch(last_seen=event.seconds)
    if _hand_over(table, event.seconds):
        glimpsed = _glimpse(table, event.reading) or table.watch.glimpsed
        return table.with_watch(settling=None, glimpsed=glimpsed)
    return _look(table, event.reading, event.seconds)


def _look(table: Table, reading: Reading, seconds: float) -> Table:
    """The table once a picture was weighed that no hand is over."""
    evidence = Evidence(reading, table.stand, table.accepted.habit, table.accepted.unsure)
    ranked = explain(table.position, table.stand, evidence, table.stands[:-1], table.said.leads)
    ranked = [each for each in ranked if each.to_ply is not None or each.actions not in table.heard.denied]
    best = choose(ranked)
    shown = stand_after(table.position, table.stand, best, table.stands)
    reachable = _is_reachable(table, evidence, best, shown)
    picture = shown if reachable else evidence.picture(table.stand)
    if reading.moving:
        # What moved may have been the hand as it left: the picture is the first of a row, no more.
        return table.with_watch(settling=_counted(Settling(picture, seconds), reachable))
    least = best.surprise if reachable else evidence.surprise(picture)
    settling = _explained(_settled_on(table, evidence, picture, least, seconds), best, seconds)
    settling = _counted(settling, reachable)
    table, waited = table.with_watch(settling=settling), seconds - settling.since
    if settling.frames < table.patience.frames and waited < table.patience.seconds - TICK:
        return table
    if not table.accepted.habit.taught and evidence.is_same_but_for_levels(table.stand):
        return steady(table, evidence)
    calm = seconds - table.watch.moved
    if not reachable:
        return refuse(table, evidence, waited, calm)
    if not _is_reliable(settling, table.patience, waited):
        return table
    return decide(Case(table, evidence, ranked, best, seconds - settling.best_since, calm))


def _is_reachable(table: Table, evidence: Evidence, best: Explanation, shown: Stand) -> bool:
    """Whether the best explanation is any good.

    Who plays on has seen nothing wrong in what was played before, and a sheet that turns makes nothing taller: rather
    the eye has mistaken one level.
    """
    denied = evidence.denied_level(table.stand, shown)
    seen = len(best.actions) - unseen_before(table.position, best.actions)
    sound = seen > 1 or shown.turns != table.stand.turns
    excused = denied if sound and denied <= MISTAKEN else 0.0
    if evidence.strain(shown) - excused <= GOOD and denied == excused:
        return True
    is_change = bool(best.actions) or best.to_ply is not None
    return is_change and evidence.doubts_one_level(table.stand, shown, GOOD)


def _explained(settling: Settling, best: Explanation, seconds: float) -> Settling:
    course = (best.actions, best.to_ply)
    return settling if settling.best == course else replace(settling, best=course, best_since=seconds)


def _counted(settling: Settling, reachable: bool) -> Settling:
    if not reachable:
        return replace(settling, lately=0)
    return replace(settling, explained=settling.explained + 1, lately=settling.lately + 1)


def _is_reliable(settling: Settling, patience: Patience, waited: float) -> bool:
    """Whether something legal explains all pictures of the row, or the last ones, or in the end most: one is a whim."""
    if settling.lately >= min(settling.frames, patience.frames):
        return True
    return waited >= patience.grace - TICK and 2 * settling.explained > settling.frames


def _out_of_sight(table: Table, seconds: float) -> Table:
    if table.watch.lost or seconds - table.watch.last_seen < table.patience.blink:
        return table.with_watch(settling=None)
    return table.with_watch(lost=True, settling=None, covered={}).saying(Plain("lost"))


def _covered(table: Table, seconds: float, reading: Reading) -> Table:
    """Which sites something is over, and since when. A board that is covered anywhere else counts as one more site.

    A site that was covered a moment ago, and is again, is at the rim of what lies there if that was left lying and
    nothing has moved since, or if it is still over the other sites that it came to at the same time.
    """
    now = reading.hidden or (frozenset([""]) if reading.covered else frozenset())
    bared = {site: when for site, when in table.watch.bared.items() if seconds - when[1] < table.patience.lying}
    stays = {site: since for site, since in table.watch.covered.items() if site in now}
    moved, patience = table.watch.moved, table.patience
    back = {
        site: since
        for site, (since, until) in bared.items()
        if (until > moved and until - since >= patience.lying) or _of_one(since, stays, patience)
    }
    covered = {site: stays.get(site, back.get(site, seconds)) for site in now}
    bared |= {site: (since, seconds) for site, since in table.watch.covered.items()}
    return table.with_watch(covered=covered, bared={site: when for site, when in bared.items() if site not in now})


def _of_one(since: float, stays: Mapping[str, float], patience: Patience) -> bool:
    """Whether what covered a site since then came together with what is over others all the time."""
    return any(abs(since - other) < patience.blink for other in stays.values())


def _hand_over(table: Table, seconds: float) -> bool:
    """Whether something over the board is still to be waited for: a thing left lying is not."""
    fresh = [since for since in table.watch.covered.values() if seconds - since < table.patience.lying - TICK]
    if len(fresh) == 1 and len(table.watch.covered) > 1:
        # One site more than those under a thing left lying is rather at its rim than under a hand.
        return seconds - fresh[0] < table.patience.rim - TICK
    return bool(fresh)


def _glimpse(table: Table, reading: Reading) -> tuple[str, int] | None:
    """The one sheet that certainly lies otherwise than it stood, if all others certainly lie as they did."""
    if table.accepted.unsure or not all(is_certain(values) for values in reading.sheets.values()):
        return None
    lie = {name: (reading.turn(name)[0], len(values)) for name, values in reading.sheets.items()}
    turned = [(name, turn) for name, (turn, count) in lie.items() if (turn - table.stand.turns.get(name, 0)) % count]
    return turned[0] if len(turned) == 1 else None


def _settled_on(table: Table, evidence: Evidence, picture: Stand, least: float, seconds: float) -> Settling:
    """The row of like pictures with this one; a picture that the one before explains as well is like it."""
    before = table.watch.settling
    if before is not None and _alike(before.picture, picture, evidence, least, table.patience.margin):
        return replace(before, frames=before.frames + 1)
    return Settling(picture, seconds)


def _alike(known: Stand, picture: Stand, evidence: Evidence, least: float, margin: float) -> bool:
    if known == picture:
        return True
    return evidence.strain(known) <= GOOD and evidence.surprise(known) - least < margin
