"""The referee at one table: `step(table, event)` gives the table afterwards, with what there is to say.

A picture counts once it has stood unchanged, with no hand over the board, for a few frames. A legal action is accepted
as soon as that is so; what no legal action explains is called illegal only after a grace period, because it may be half
done. Time comes with the events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from engine.face import EMPTY
from engine.referee.changes import MOST_LEADS, accept, steady, undo
from engine.referee.evidence import DOUBT, Evidence, is_certain
from engine.referee.explain import GOOD, Explanation, explain, stand_after
from engine.referee.lifting import noticed, put_back
from engine.referee.news import Plain
from engine.referee.payments import settle_up
from engine.referee.purse import parted
from engine.referee.reading import Reading, gathered, without_moving
from engine.referee.stands import Stand, changed
from engine.referee.state import TICK, Patience, Seen, Settling, Table
from engine.referee.unseen import unseen_before
from engine.referee.verdicts import Case, choose, decide, refuse
from engine.referee.visits import Glance, HandVisit, places
from engine.referee.waiting import waiting

__all__ = ["Patience", "Seen", "Table", "accept", "choose", "step", "undo"]

MISTAKEN = 3.0
"""How far, beyond doubt, one level may contradict an action if another was played after it, or if the piece was only
carried along."""


def step(table: Table, event: Seen) -> Table:
    """The table after an event."""
    table = replace(table, news=()).with_watch(moved=event.seconds if event.restless else table.watch.moved)
    if table.closed:
        return table
    if event.reading is None:
        return _out_of_sight(table, event.seconds)
    if table.watch.lost:
        table = table.with_watch(lost=False).saying(Plain("found"))
    reading, counts = parted(event.reading, table.position)
    table = _covered(table, event.seconds, reading).with_watch(last_seen=event.seconds)
    table = replace(table, purse=table.purse.seen(counts, event.seconds))
    table = noticed(table, reading)
    is_hand = _hand_over(table, event.seconds, event.restless or bool(reading.moving))
    table = _visited(table, reading, event.seconds)
    if is_hand:
        glimpsed = _glimpse(table, reading) or table.watch.glimpsed
        return waiting(_left_open(table).with_watch(settling=None, glimpsed=glimpsed), event.seconds)
    return waiting(settle_up(_look(table, reading, event.seconds), event.seconds), event.seconds)


def _visited(table: Table, reading: Reading, seconds: float) -> Table:
    """The table with what this picture tells of what is over the board."""
    visit, fresh = table.watch.visit, frozenset(_newly_covered(table, seconds))
    if not fresh and not reading.moving:
        return table if visit is None else table.with_watch(visit=replace(visit, is_over=True))
    moving = reading.moving - {""}
    if visit is None or visit.is_over:
        if not fresh and not moving:
            # Something stirs at the rim.
            return table
        visit = HandVisit(seconds)
    elif not visit.is_certain:
        return table
    evidence = Evidence(reading, table.stand, table.accepted.habit, table.accepted.unsure)
    is_changed = evidence.strain(table.stand) > GOOD
    lies = tuple(reading.turn(name)[0] for name in sorted(reading.sheets))
    where = places(table.match.rules.game.bare_board, table.position.players)
    return table.with_watch(visit=visit.seen(where, Glance(seconds, fresh, moving, lies, is_changed)))


def _left_open(table: Table) -> Table:
    """A hand has cut a row of pictures short. If they show an action, a later picture that shows more may show what was
    played after it."""
    settling = table.watch.settling
    if settling is None or settling.best is None or not settling.lately or table.said.asked:
        return table
    actions, _ = settling.best
    leads = tuple(dict.fromkeys((actions, *table.said.leads)))
    return table.with_said(leads=leads[:MOST_LEADS]) if actions else table


def _look(table: Table, reading: Reading, seconds: float) -> Table:
    """The table after weighing a picture with no hand over the board."""
    weighed, row = _in_a_row(table, reading, seconds)
    if reading.moving:
        # What moved may have been the hand as it left: the picture is the first of a row, no more.
        return table.with_watch(settling=_counted(row, weighed.reachable))
    settling = _counted(_explained(row, weighed.best, seconds), weighed.reachable)
    table, waited = table.with_watch(settling=settling), seconds - settling.since
    if settling.frames < table.patience.frames and waited < table.patience.seconds - TICK:
        return table
    evidence = weighed.evidence
    if not table.accepted.habit.taught and evidence.is_same_but_for_levels(table.stand):
        return put_back(table, evidence) or steady(table, evidence)
    calm = seconds - table.watch.moved
    if not weighed.reachable:
        return refuse(table, evidence, waited, calm)
    if not _is_reliable(settling, table.patience, waited):
        return table
    return decide(Case(table, evidence, weighed.ranked, weighed.best, seconds - settling.best_since, calm))


@dataclass(frozen=True)
class Weighed:
    """One picture, or several like ones together, and what explains them."""

    evidence: Evidence
    ranked: Sequence[Explanation]
    best: Explanation
    reachable: bool
    """Whether the best is any good."""
    picture: Stand
    """What the table shows: what the best explanation says, if it is good."""
    least: float
    """The surprise of that."""


def _weigh(table: Table, reading: Reading) -> Weighed:
    evidence = Evidence(reading, table.stand, table.accepted.habit, table.accepted.unsure)
    ranked = explain(table.position, table.stand, evidence, table.stands[:-1], table.said.leads)
    ranked = [each for each in ranked if each.to_ply is not None or each.actions not in table.heard.denied]
    best = choose(ranked)
    shown = stand_after(table.position, table.stand, best, table.stands)
    if _is_reachable(table, evidence, best, shown):
        return Weighed(evidence, ranked, best, True, shown, best.surprise)
    picture = evidence.picture(table.stand)
    return Weighed(evidence, ranked, best, False, picture, evidence.surprise(picture))


def _in_a_row(table: Table, reading: Reading, seconds: float) -> tuple[Weighed, Settling]:
    """A picture and the row of like ones that it belongs to; a new one if it is not like those before it.

    A picture that is not like them by itself may be together with them: a site that wavers breaks no row, unless it is
    one that was touched. What was changed must be seen in every picture.
    """
    before, alone = table.watch.settling, _weigh(table, reading)
    if before is not None and not reading.moving:
        together = gathered(before.reading, before.frames, reading)
        row = replace(before, reading=together, frames=before.frames + 1)
        if (picture := _alike(before, alone, table.patience.margin)) is not None:
            return alone, replace(row, picture=picture, evidence=alone.evidence)
        weighed = _weigh(table, together)
        picture = _alike(before, weighed, table.patience.margin)
        if picture is not None and _shows_changes(table, before.evidence, alone.evidence, picture):
            return weighed, replace(row, picture=picture, evidence=weighed.evidence)
    return alone, Settling(alone.picture, without_moving(reading), alone.evidence, seconds)


def _alike(before: Settling, now: Weighed, margin: float) -> Stand | None:
    """What a row of pictures shows together with one more, if that may show the same as they do."""
    if before.picture == now.picture or _may_show(now.evidence, before.picture, now.least, margin):
        return before.picture
    least = before.evidence.surprise(before.picture)
    return now.picture if _may_show(before.evidence, now.picture, least, margin) else None


def _may_show(evidence: Evidence, stand: Stand, least: float, margin: float) -> bool:
    """Whether a picture may also show this stand, if its best explanation leaves this much surprise."""
    return evidence.strain(stand) <= GOOD and evidence.surprise(stand) - least < margin


def _shows_changes(table: Table, before: Evidence, now: Evidence, picture: Stand) -> bool:
    """Whether one picture shows what changed on the table as well as those before it do."""
    faces = {site: picture.faces.get(site, EMPTY) for site in changed(table.stand, picture)}
    return all(now.site(site, face) <= max(DOUBT, before.site(site, face)) for site, face in faces.items())


def _is_reachable(table: Table, evidence: Evidence, best: Explanation, shown: Stand) -> bool:
    """Whether the best explanation is any good.

    Whoever plays on has seen nothing wrong with the last action, and turning a sheet makes no piece taller: it is more
    likely that the eye has misread one level.
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
    """Whether something legal explains all pictures of the row, or the last few, or after a while most of them: one
    alone may be chance."""
    if settling.lately >= min(settling.frames, patience.frames):
        return True
    return waited >= patience.grace - TICK and 2 * settling.explained > settling.frames


def _out_of_sight(table: Table, seconds: float) -> Table:
    table = table.with_watch(settling=None, visit=None)
    if table.watch.lost or seconds - table.watch.last_seen < table.patience.blink:
        return table
    return table.with_watch(wait=None, lost=True, covered={}).saying(Plain("lost"))


def _covered(table: Table, seconds: float, reading: Reading) -> Table:
    """Which sites something covers, and since when. A board that is covered anywhere else counts as one more site.

    A site that was covered a moment ago, and is again, is at the rim of something left lying if nothing has moved
    since, or if that thing still covers the other sites that it reached at the same time. What moves is no thing left
    lying: its time begins anew.
    """
    now = reading.hidden or (frozenset([""]) if reading.covered else frozenset())
    moved, patience = table.watch.moved, table.patience
    bared = _lately_bared(table, seconds)
    stays = {
        site: seconds if site in reading.moving and seconds - since < patience.lying - TICK else since
        for site, since in table.watch.covered.items()
        if site in now
    }
    back = {
        site: since
        for site, (since, until) in bared.items()
        if _lay_still(since, until, moved, patience) or _of_one(since, stays, patience)
    }
    covered = {site: stays.get(site, back.get(site, seconds)) for site in now}
    bared |= {site: (since, seconds) for site, since in table.watch.covered.items()}
    return table.with_watch(covered=covered, bared={site: when for site, when in bared.items() if site not in now})


def _lately_bared(table: Table, seconds: float) -> dict[str, tuple[float, float]]:
    """The sites that were covered a moment ago, with the beginning and end of that time."""
    return {site: when for site, when in table.watch.bared.items() if seconds - when[1] < table.patience.lying}


def _lay_still(since: float, until: float, moved: float, patience: Patience) -> bool:
    """Whether what covered a site had lain there for long, and nothing has moved since it was seen bare."""
    return until > moved and until - since >= patience.lying


def _of_one(since: float, stays: Mapping[str, float], patience: Patience) -> bool:
    """Whether what covered a site since then arrived together with what still covers others."""
    return any(abs(since - other) < patience.blink for other in stays.values())


def _hand_over(table: Table, seconds: float, moving: bool) -> bool:
    """Whether to wait for something over the board: not for a thing left lying, nor for what covers a single site while
    nothing moves, because a hand covers more than one and cannot come unseen."""
    fresh = _newly_covered(table, seconds)
    if len(fresh) == 1 and len(table.watch.covered) > 1:
        # One more site beside a thing left lying is more likely at its rim than under a hand.
        return seconds - min(fresh.values()) < table.patience.rim - TICK
    return len(fresh) > 1 or (bool(fresh) and (moving or "" in table.watch.covered))


def _newly_covered(table: Table, seconds: float) -> dict[str, float]:
    """The sites that something covers, and since when, but for those under a thing left lying."""
    recent = table.patience.lying - TICK
    return {site: since for site, since in table.watch.covered.items() if seconds - since < recent}


def _glimpse(table: Table, reading: Reading) -> tuple[str, int] | None:
    """The one sheet that has certainly changed its position, if all others certainly have not."""
    if table.accepted.unsure or not all(is_certain(values) for values in reading.sheets.values()):
        return None
    lie = {name: (reading.turn(name)[0], len(values)) for name, values in reading.sheets.items()}
    turned = [(name, turn) for name, (turn, count) in lie.items() if (turn - table.stand.turns.get(name, 0)) % count]
    return turned[0] if len(turned) == 1 else None
