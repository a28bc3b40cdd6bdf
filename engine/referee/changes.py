"""What a verdict makes of the table: actions accepted or undone, nothing happened, a question asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.core import Action
from engine.referee.evidence import UNTAUGHT, Evidence
from engine.referee.explain import Lead
from engine.referee.news import Accepted, Ended, Plain, Unclear, Undone
from engine.referee.stands import Stand
from engine.referee.state import AlreadySaid, Heard, Table
from engine.referee.story import Story
from engine.referee.unseen import unseen_before

MOST_LEADS = 16
"""How many courses of action are kept open at most while a picture is unclear."""


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
    course = replace(
        table.accepted,
        match=match,
        stands=tuple(stands),
        inferred=table.accepted.inferred.union(unseen),
        habit=UNTAUGHT if evidence is None else evidence.habit(stands[-1]),
        reached=None,
    )
    return replace(_fresh(table), accepted=course, news=tuple(news))


def undo(table: Table, to_ply: int) -> Table:
    """The table back at an earlier position of the match. Actions inferred only from what is undone go with it."""
    while to_ply - 1 in table.accepted.inferred:
        to_ply -= 1
    course = replace(
        table.accepted,
        match=table.match.undo(to_ply),
        stands=table.stands[: to_ply + 1],
        inferred=frozenset(ply for ply in table.accepted.inferred if ply < to_ply),
        habit=UNTAUGHT,
        arms=table.accepted.arms.forgetting({position.seat for position in table.match.positions[to_ply:-1]}),
        reached=None,
    )
    return replace(_fresh(table), accepted=course).saying(Undone(to_ply))


def retell(table: Table, story: Story, evidence: Evidence | None = None) -> Table:
    """The table after all of a story: what was taken back, and what was played instead."""
    if story.to_ply < table.match.ply:
        table = undo(table, story.to_ply)
    return accept(table, story.actions, evidence, unseen_before(table.position, story.actions))


def _fresh(table: Table) -> Table:
    """Nothing has been said about the position that stands now."""
    fresh = replace(table, said=AlreadySaid(puzzled=table.said.puzzled), heard=Heard(closed=table.closed))
    return fresh.with_watch(settling=None, lifted={}, visit=None)


def steady(table: Table, evidence: Evidence) -> Table:
    """The table shows the last accepted position: remember how the eye sees it."""
    table = _certain(table, evidence)
    said = AlreadySaid(told=table.said.told, troubled=table.said.troubled, puzzled=table.said.puzzled)
    table = replace(table, said=said, heard=Heard(closed=table.closed)).with_watch(glimpsed=None, lifted={})
    table = replace(table, accepted=replace(table.accepted, habit=evidence.habit(table.stand)))
    if not table.said.troubled:
        return table
    return table.with_said(troubled=False, told=()).saying(Plain("restored"))


def _certain(table: Table, evidence: Evidence) -> Table:
    """The table once doubtful sheets have been seen clearly: their earlier positions follow from how they lie now."""
    if not evidence.certain:
        return table
    by = {name: turn - table.stand.turns.get(name, 0) for name, turn in evidence.certain.items()}
    stands = tuple(
        Stand(stand.faces, {**stand.turns, **{name: stand.turns.get(name, 0) + steps for name, steps in by.items()}})
        for stand in table.stands
    )
    return replace(table, accepted=replace(table.accepted, stands=stands, unsure=table.accepted.unsure - by.keys()))


def ask(table: Table, courses: tuple[Lead, ...]) -> Table:
    """The table after asking people which of these courses was taken; they are asked only once."""
    actions = tuple(dict.fromkeys(course[unseen_before(table.position, course)] for course in courses))
    table = table.with_said(leads=courses[:MOST_LEADS])
    if table.said.asked == frozenset(actions):
        return table
    return table.with_said(asked=frozenset(actions), troubled=True).saying(Unclear(actions))


def offer(table: Table, stories: tuple[Story, ...]) -> Table:
    """The table after asking people which of these stories is true; they are asked only once."""
    if not stories or table.said.asked == frozenset(stories):
        return table
    return table.with_said(asked=frozenset(stories), stories=stories, troubled=True).saying(Unclear(stories))


def wonder(table: Table, courses: tuple[Lead, ...]) -> Table:
    """The table while it is undecided which of these courses was taken."""
    assert table.watch.settling is not None
    known = set(courses) & set(table.said.leads)
    return table.with_said(
        leads=courses[:MOST_LEADS], puzzled=table.said.puzzled if known else table.watch.settling.since
    )
