"""The referee at one table: `step(table, event)` gives the table afterwards, with what there is to say.

A picture counts once it has stood unchanged, with no hand over the board, for a few frames. A legal action is accepted
as soon as that is so; what no legal action explains is called illegal only after a grace, because it may be half done.
Time comes with the events.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine.referee.evidence import Evidence, is_certain
from engine.referee.explain import GOOD, Explanation, explain, stand_after
from engine.referee.news import Plain
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.state import TICK, Patience, Seen, Settling, Table
from engine.referee.verdicts import accept, choose, decide, refuse, steady, undo

__all__ = ["Patience", "Seen", "Table", "accept", "choose", "step", "undo"]

MISTAKEN = 3.0
"""How much, beyond all doubt, one level may speak against an action after which another one was played, or of what was
only carried along."""


def step(table: Table, event: Seen) -> Table:
    """The table after an event."""
    table = replace(table, news=(), moved=event.seconds if event.restless else table.moved)
    if table.closed:
        return table
    if event.reading is None:
        return _unseen(table, event.seconds)
    if table.lost:
        table = replace(table, lost=False, news=(Plain("found"),))
    table = replace(_covered(table, event.seconds, event.reading), last_seen=event.seconds)
    if _hand_over(table, event.seconds):
        return replace(table, settling=None, glimpsed=_glimpse(table, event.reading) or table.glimpsed)
    evidence = Evidence(event.reading, table.stand, table.habit, table.unsure)
    ranked = explain(table.match.position, table.stand, evidence, table.stands[:-1], table.leads)
    ranked = [each for each in ranked if each.to_ply is not None or each.actions not in table.denied]
    best = choose(ranked)
    shown = stand_after(table.match.position, table.stand, best, table.stands)
    denied = evidence.denied_level(table.stand, shown)
    # Who plays on has seen nothing wrong in what was played before, and a sheet that turns makes nothing taller: rather
    # the eye has mistaken one level.
    sound = len(best.actions) > 1 or shown.turns != table.stand.turns
    excused = denied if sound and denied <= MISTAKEN else 0.0
    reachable = evidence.strain(shown) - excused <= GOOD and denied == excused
    if not reachable and (best.actions or best.to_ply is not None):
        reachable = evidence.doubts_one_level(table.stand, shown, GOOD)
    picture = shown if reachable else evidence.picture(table.stand)
    least = best.surprise if reachable else evidence.surprise(picture)
    if event.reading.moving:
        # What moved may have been the hand as it left: the picture is the first of a row, no more.
        return replace(table, settling=_counted(Settling(picture, event.seconds), reachable))
    settling = _explained(_settled_on(table, evidence, picture, least, event.seconds), best, event.seconds)
    settling = _counted(settling, reachable)
    table, waited = replace(table, settling=settling), event.seconds - settling.since
    if settling.frames < table.patience.frames and waited < table.patience.seconds - TICK:
        return table
    if not table.habit.taught and evidence.is_same_but_for_levels(table.stand):
        return steady(table, evidence)
    calm = event.seconds - table.moved
    if not reachable:
        return refuse(table, evidence, waited, calm)
    if not _is_reliable(settling, table.patience, waited):
        return table
    return decide(table, evidence, ranked, best, event.seconds - settling.best_since, calm)


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


def _unseen(table: Table, seconds: float) -> Table:
    if table.lost or seconds - table.last_seen < table.patience.blink:
        return replace(table, settling=None)
    return replace(table, lost=True, settling=None, covered={}, news=(Plain("lost"),))


def _covered(table: Table, seconds: float, reading: Reading) -> Table:
    """Which sites something is over, and since when. A board that is covered anywhere else counts as one more site.

    A site that was covered a moment ago, and is again, is at the rim of what lies there if that was left lying and
    nothing has moved since, or if it is still over the other sites that it came to at the same time.
    """
    now = reading.hidden or (frozenset([""]) if reading.covered else frozenset())
    bared = {site: when for site, when in table.bared.items() if seconds - when[1] < table.patience.lying}
    stays = {site: since for site, since in table.covered.items() if site in now}
    back = {
        site: since
        for site, (since, until) in bared.items()
        if (until > table.moved and until - since >= table.patience.lying) or _of_one(since, stays, table.patience)
    }
    covered = {site: stays.get(site, back.get(site, seconds)) for site in now}
    bared |= {site: (since, seconds) for site, since in table.covered.items()}
    return replace(table, covered=covered, bared={site: when for site, when in bared.items() if site not in now})


def _of_one(since: float, stays: Mapping[str, float], patience: Patience) -> bool:
    """Whether what covered a site since then came together with what is over others all the time."""
    return any(abs(since - other) < patience.blink for other in stays.values())


def _hand_over(table: Table, seconds: float) -> bool:
    """Whether something over the board is still to be waited for: a thing left lying is not."""
    fresh = [since for since in table.covered.values() if seconds - since < table.patience.lying - TICK]
    if len(fresh) == 1 and len(table.covered) > 1:
        # One site more than those under a thing left lying is rather at its rim than under a hand.
        return seconds - fresh[0] < table.patience.rim - TICK
    return bool(fresh)


def _glimpse(table: Table, reading: Reading) -> tuple[str, int] | None:
    """The one sheet that certainly lies otherwise than it stood, if all others certainly lie as they did."""
    if table.unsure or not all(is_certain(values) for values in reading.sheets.values()):
        return None
    lie = {name: (reading.turn(name)[0], len(values)) for name, values in reading.sheets.items()}
    turned = [(name, turn) for name, (turn, count) in lie.items() if (turn - table.stand.turns.get(name, 0)) % count]
    return turned[0] if len(turned) == 1 else None


def _settled_on(table: Table, evidence: Evidence, picture: Stand, least: float, seconds: float) -> Settling:
    """The row of like pictures with this one; a picture that the one before explains as well is like it."""
    before = table.settling
    if before is not None and _alike(before.picture, picture, evidence, least, table.patience.margin):
        return replace(before, frames=before.frames + 1)
    return Settling(picture, seconds)


def _alike(known: Stand, picture: Stand, evidence: Evidence, least: float, margin: float) -> bool:
    if known == picture:
        return True
    return evidence.strain(known) <= GOOD and evidence.surprise(known) - least < margin
