"""What a settled picture means: an action, an undo, nothing, a question, something half done, a mistake."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from engine.core import Refusal
from engine.referee.blame import UNKNOWN, blame
from engine.referee.changes import accept, ask, offer, retell, steady, undo, wonder
from engine.referee.doubts import as_glimpsed, has_rivals, is_behind, is_half_hidden, is_half_way, whole_in_sight
from engine.referee.evidence import Evidence
from engine.referee.explain import GOOD, Explanation, Lead, by_one_player, follow
from engine.referee.halfway import is_unfinished
from engine.referee.lifting import is_lifted, put_back
from engine.referee.news import Illegal, Unfinished
from engine.referee.purse import earner, whose
from engine.referee.stands import Stand
from engine.referee.state import TICK, Reached, Table
from engine.referee.stories import MOST, find_stories, is_clear, mended
from engine.referee.story import Story
from engine.referee.unseen import unseen_before, unseen_courses

ALIKE = 0.5
"""Explanations that differ by less than this are equally good."""
HALF_DONE, BUSY = 2.5, 0.5
"""How much better than a finished action a half-done one must explain a picture; less while a hand is at work."""


def choose(ranked: Sequence[Explanation]) -> Explanation:
    """The best explanation; where an undo fits no better than an action, or than nothing at all, the other is taken."""
    best = ranked[0]
    if best.to_ply is None:
        return best
    alike = [each for each in ranked if each.surprise - best.surprise < ALIKE]
    plain = [each for each in alike if each.to_ply is None]
    return plain[0] if plain else max(alike, key=lambda each: each.to_ply or 0)


@dataclass(frozen=True)
class Case:
    """A settled picture that something legal explains."""

    table: Table
    evidence: Evidence
    ranked: Sequence[Explanation]
    """All explanations, the best first …"""
    best: Explanation
    """… and the one that was chosen."""
    waited: float
    """How many seconds it has been the best."""
    calm: float
    """Seconds since something last moved in the picture."""

    @property
    def stood(self) -> float:
        """How many seconds it has stood, whatever explained it best."""
        settling = self.table.watch.settling
        return self.waited if settling is None else self.waited + settling.best_since - settling.since

    @cached_property
    def close(self) -> list[Explanation]:
        """The explanations that are hardly worse than the best."""
        return [each for each in self.ranked if each.surprise - self.best.surprise < self.table.patience.margin]

    @property
    def may_be_nothing(self) -> bool:
        return any(each.to_ply is None and not each.actions for each in self.close)

    @property
    def is_undo(self) -> bool:
        return self.best.to_ply is not None

    @property
    def is_busy(self) -> bool:
        """Whether a hand is at work beside the board, or was a moment ago."""
        return min(self.waited, self.calm) < self.table.patience.calm - TICK

    @cached_property
    def played(self) -> Sequence[Explanation]:
        """If actions explain it: the best and those as good, without what a glimpse rules out."""
        close = [each for each in self.close if each.actions] if self.is_undo else self.close
        return as_glimpsed(self.table, self.evidence, close[0] if self.is_undo else self.best, close)

    @cached_property
    def courses(self) -> tuple[Lead, ...]:
        """The courses that may have been played, likeliest first: all as long as the first."""
        actions = [each.actions for each in self.played]
        return tuple(dict.fromkeys(each for each in actions if len(each) == len(actions[0])))

    @cached_property
    def then(self) -> Stand:
        """What the table shows if the likeliest course was played."""
        return follow(self.table.position, self.table.stand, self.courses[0])[1]


Rule = Callable[[Case], Table | None]
"""Gives the table if the rule knows what the picture means, or None to leave it to the next rule."""


def nothing_happened(case: Case) -> Table | None:
    """The table looks as it did, and nothing but an earlier position explains it better."""
    if case.may_be_nothing and (case.is_undo or not case.best.actions):
        return put_back(case.table, case.evidence) or steady(case.table, case.evidence)
    return None


def was_taken_back(case: Case) -> Table | None:
    """An earlier position is back, and no action explains that as well.

    A hand that takes a piece away may be about to put another one down; and if two earlier positions differ only in
    what the eye is not sure of, it must look again, and in the end people have to say.
    """
    table, to_ply = case.table, case.best.to_ply
    if to_ply is None or any(each.actions for each in case.close):
        return None
    if case.calm < table.patience.calm - TICK:
        return table
    if has_rivals(table, case.evidence, to_ply, case.close):
        plies = [each.to_ply for each in case.close if each.to_ply is not None]
        is_patient = case.waited < table.patience.baffled - TICK
        return table if is_patient else offer(table, tuple(Story(ply, ()) for ply in plies[:MOST]))
    return undo(table, to_ply)


def was_rejected(case: Case) -> Table | None:
    """It cannot be what people have just taken back: perhaps it was another action, or else they have to say."""
    rejected, close = case.table.heard.rejected, [each.actions for each in case.close if each.actions]
    if rejected not in close:
        return None
    others = tuple(dict.fromkeys(actions for actions in close if actions != rejected))
    return ask(case.table, others) if others else case.table


def hand_is_at_work(case: Case) -> Table | None:
    """While a hand is at work beside the board, what is unclear or looks like two actions is probably half done."""
    several = len(case.courses) > 1 or len(case.courses[0]) > 1
    return case.table if case.is_busy and several else None


def may_be_another_thing(case: Case) -> Table | None:
    """It may just as well be nothing, an undo, or half of another action: time may tell, or else people must."""
    if not (case.is_undo or case.may_be_nothing or _is_out_of_sight(case) or _is_half_done(case)):
        return None
    table, grace = wonder(case.table, case.courses), case.table.patience.grace
    if is_behind(table, case.evidence, case.played[0], case.then):
        grace /= 2
    return table if case.waited < grace - TICK else ask(table, case.courses)


def _is_out_of_sight(case: Case) -> bool:
    """Whether part of what was played does not show: it looks unchanged, or is under something."""
    table, evidence, then = case.table, case.evidence, case.then
    if then.turns == table.stand.turns and evidence.misses(table.stand, then):
        return True
    half_hidden = is_half_hidden(table, evidence, case.played[0], then)
    return half_hidden and not whole_in_sight(table, evidence, case.courses)


def _is_half_done(case: Case) -> bool:
    return is_half_way(case.table, case.evidence, case.played[0], BUSY if case.is_busy else HALF_DONE)


def was_one_hand(case: Case) -> Table | None:
    """One visit of one hand is one player's: two actions that this player may have done alone, though the second was
    the next player's turn, are a mistake. Whoever plays on shows that there were two players after all."""
    table, courses = case.table, case.courses
    told = {story.actions for story in table.said.stories if story.to_ply == table.match.ply}
    if told.issuperset(courses) and any(_still(known, case.evidence) for known in table.said.told):
        return _baffled(table, case.evidence, case.waited)
    visit = table.watch.visit
    if visit is None or not visit.is_one_hand:
        return None
    if not all(by_one_player(table.position, course) for course in courses):
        return None
    if case.stood < table.patience.grace - TICK or case.is_busy:
        return wonder(table, courses)
    stories = tuple(Story(table.match.ply, course) for course in courses)[:MOST]
    return _called(table, case.then, stories, blame(table.position, table.stand, case.evidence))


def is_ambiguous(case: Case) -> Table | None:
    """More than one course explains it: ask the people, who know which it was."""
    return ask(case.table, case.courses) if len(case.courses) > 1 else None


def was_anothers(case: Case) -> Table | None:
    """Another player's row grew by just what the action earns: those between have passed, or it was out of turn."""
    table, position, changes = case.table, case.table.position, case.table.purse.changes
    if not changes or not table.purse.in_play or len(case.courses[0]) > 1:
        return None
    (action,) = case.courses[0]
    seat = whose(position, action, changes)
    if seat is None:
        return None
    actions = earner(position, action, changes)
    if actions is not None:
        return accept(table, actions, case.evidence, len(actions) - 1)
    if case.waited < table.patience.grace - TICK or any(_still(known, case.evidence) for known in table.said.told):
        return table
    sites = case.evidence.differing(table.stand)
    refusals = tuple(replace(each, sites=sites) for each in position.refusals(action, by=seat))
    told = table.with_said(told=(*table.said.told, case.then), troubled=True)
    return told.saying(Illegal(position.seat, refusals))


def was_played(case: Case) -> Table:
    """One course explains it: that was played."""
    course = case.courses[0]
    played = accept(case.table, course, case.evidence, unseen_before(case.table.position, course))
    return _by_its_arm(case.table, played) if len(course) == 1 else played


def _by_its_arm(before: Table, played: Table) -> Table:
    """The table when one action was accepted, with what the arm tells of whose it was. It holds nothing up: who sit
    side by side reach over from anywhere."""
    visit, position = before.watch.visit, before.position
    side = visit.side if visit is not None and visit.is_one_hand else None
    if side is None or position.seat is None:
        return played
    arms, reached = before.accepted.arms, None
    seat = arms.whose(side, position.seat)
    if seat is not None and position.rules.game.anonymous and not before.purse.in_play:
        action = played.match.actions[-1]
        leads = [lead for lead, then in unseen_courses(position) if then.seat == seat and action in then.legal()]
        stories = tuple(Story(before.match.ply, (*lead, action)) for lead in leads if len(lead) == len(leads[0]))
        reached = Reached(seat, stories[:MOST]) if stories else None
    return replace(played, accepted=replace(played.accepted, arms=arms.taught(position.seat, side), reached=reached))


RULES: tuple[Rule, ...] = (
    nothing_happened,
    was_taken_back,
    was_rejected,
    hand_is_at_work,
    may_be_another_thing,
    was_one_hand,
    is_ambiguous,
    was_anothers,
    was_played,
)
"""Tried in this order; the last always decides."""


def decide(case: Case) -> Table:
    """What a settled picture means if something legal explains it: the first rule that has an answer decides."""
    return next(table for rule in RULES if (table := rule(case)) is not None)


def refuse(table: Table, evidence: Evidence, waited: float, calm: float) -> Table:
    """What a settled picture means if nothing legal explains it: half done for a while, then a mistake."""
    settling = table.watch.settling
    assert settling is not None
    if any(_still(known, evidence) for known in table.said.told):
        return _baffled(table, evidence, waited)
    told = mended(table.match, table.stands, evidence, table.accepted.inferred)
    if is_clear(told, table.match.ply, table.patience.margin) and calm >= table.patience.calm - TICK:
        return retell(table, told[0].story, evidence)
    # A hand beside the board may be about to finish it, unless people have denied an action.
    busy = calm < table.patience.calm - TICK and not table.heard.denied
    if waited < table.patience.grace - TICK or busy or is_lifted(table, table.stand, evidence):
        return _wait_for_the_rest(table, evidence, settling.picture)
    if 2 * settling.explained > settling.frames:
        # Something legal explains most of these pictures: an eye that wavers is no proof of a mistake.
        return table
    return _found_back(table, evidence, settling.picture)


def _found_back(table: Table, evidence: Evidence, picture: Stand) -> Table:
    """A mistake, unless people have played on from a story, or only a story explains it. People who play on have seen
    nothing wrong, so it was no mistake. But what a mistake of the game explains is a mistake, even where a story would
    explain it too.
    """
    match, said = table.match, table.said
    # Who has denied what the referee thought of knows better than it what has happened.
    is_told = bool(table.heard.denied)
    told = [] if is_told else find_stories(match, table.stands, evidence, table.accepted.inferred, said.stories)
    is_played_on = bool(told) and any(told[0].story.continues(story) for story in said.stories)
    refusals = blame(table.position, table.stand, evidence)
    is_unknown = refusals[0].rule == UNKNOWN
    if (is_played_on or is_unknown) and is_clear(told, match.ply, table.patience.margin):
        return retell(table, told[0].story, evidence)
    stories = tuple(each.story for each in told)
    if is_played_on:
        return offer(table.with_said(told=(*said.told, picture)), stories)
    return _called(table, picture, stories, refusals)


def _called(table: Table, picture: Stand, stories: tuple[Story, ...], refusals: Sequence[Refusal]) -> Table:
    """The table when this picture is called a mistake; if no rule names it, these stories are offered in time."""
    is_baffled = refusals[0].rule == UNKNOWN
    said = table.with_said(told=(*table.said.told, picture), troubled=True, stories=stories, is_baffled=is_baffled)
    return said.saying(Illegal(table.position.seat, tuple(refusals)))


def _baffled(table: Table, evidence: Evidence, waited: float) -> Table:
    """A mistake that no rule names still stands: people may know what has happened."""
    is_last = _still(table.said.told[-1], evidence)
    if not (is_last and table.said.is_baffled) or waited < table.patience.baffled - TICK:
        return table
    return offer(table, table.said.stories)


def _wait_for_the_rest(table: Table, evidence: Evidence, picture: Stand) -> Table:
    """The table while something may be half done: this is said once, if it is on the way to a legal action."""
    if table.said.half_done is not None and _still(table.said.half_done, evidence):
        return table
    if not is_unfinished(table.position, table.stand, evidence):
        return table
    said = table.with_said(half_done=picture, troubled=True)
    return said.saying(Unfinished(evidence.differing(table.stand)))


def _still(known: Stand, evidence: Evidence) -> bool:
    """Whether the table may still show this picture."""
    return evidence.strain(known) <= GOOD
