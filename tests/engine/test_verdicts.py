"""The rules by which a settled picture that something legal explains gets its meaning, each alone and in order."""

from __future__ import annotations

from dataclasses import replace

from tabletop import Tabletop, doubted, look, read

from engine.referee.evidence import Evidence
from engine.referee.explain import explain
from engine.referee.news import Accepted, Plain, Unclear, Undone
from engine.referee.reading import Reading
from engine.referee.verdicts import (
    RULES,
    Case,
    choose,
    decide,
    hand_is_at_work,
    is_ambiguous,
    may_be_another_thing,
    nothing_happened,
    was_played,
    was_rejected,
    was_taken_back,
)
from engine.referee.wishes import take_back

LONG = 9.0
"""Seconds: longer than any patience."""


def case_of(table: Tabletop, reading: Reading, waited: float = LONG, calm: float = LONG) -> Case:
    """A picture at a table where it has stood, and nothing moved, for so long."""
    look(table, replace(reading, moving=frozenset({""})), 1)
    seen = table.table
    evidence = Evidence(reading, seen.stand, seen.accepted.habit, seen.accepted.unsure)
    ranked = explain(seen.position, seen.stand, evidence, seen.stands[:-1], seen.said.leads)
    return Case(seen, evidence, ranked, choose(ranked), waited, calm)


def shown(table: Tabletop, **changes: str | None) -> Reading:
    return read(table.board, table.changed(**changes), table.turns)


def memento() -> Tabletop:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "T5": "red1", "L3": "yellow1"})
    table.show(table.faces)
    return table


def speaking(case: Case) -> str:
    """The first rule that knows what a picture means."""
    return next(rule.__name__ for rule in RULES if rule(case) is not None)


def test_nothing_happened_where_the_table_looks_as_it_did() -> None:
    table = memento()
    table.show(table.changed(T1=None, R7="red1"), 3.0)
    same = case_of(table, shown(table))
    after = nothing_happened(same)
    assert after is not None
    assert after.news == (Plain("restored"),)
    assert (speaking(same), decide(same)) == ("nothing_happened", after)
    assert nothing_happened(case_of(table, shown(table, T1=None, T6="red1"))) is None


def test_an_earlier_position_that_is_back_was_taken_back() -> None:
    table = memento()
    before = table.faces
    table.play("T1-T6")
    back = read(table.board, before, {})
    after = was_taken_back(case_of(table, back))
    assert after is not None
    assert after.news == (Undone(0),)
    assert was_taken_back(case_of(table, shown(table, L3=None, L5="yellow1"))) is None, "that is an action"


def test_a_hand_at_work_may_be_about_to_put_another_piece_down() -> None:
    table = memento()
    before = table.faces
    table.play("T1-T6")
    busy = case_of(table, read(table.board, before, {}), calm=0.0)
    assert was_taken_back(busy) is busy.table
    assert speaking(busy) == "was_taken_back"


def test_what_people_have_taken_back_is_not_brought_in_again() -> None:
    table = memento()
    table.play("T1-T6")
    played = read(table.board, table.faces, {})
    table.table = take_back(table.table)
    again = case_of(table, played)
    assert was_rejected(again) is again.table
    assert speaking(again) == "was_rejected"
    assert was_rejected(case_of(table, shown(table, T1=None, T7="red1"))) is None, "another one may be"


def turned_or_walked() -> tuple[Tabletop, Reading]:
    """A pawn is on the next cell of its ring, and nobody sees how the ring lies."""
    table = Tabletop.of("rings", {"a1": "red", "c5": "yellow"})
    table.show(table.faces)
    return table, read(table.board, table.changed(a1=None, a2="red"), {}, ["ring-a"])


def test_what_is_unclear_while_a_hand_is_at_work_is_rather_half_done() -> None:
    table, unclear = turned_or_walked()
    busy = case_of(table, unclear, waited=0.0)
    assert hand_is_at_work(busy) is busy.table
    assert speaking(busy) == "hand_is_at_work"
    assert hand_is_at_work(case_of(table, unclear)) is None
    assert hand_is_at_work(case_of(table, shown(table, b3="red"), waited=0.0)) is None, "this is clear"


def test_what_may_as_well_be_another_thing_is_waited_for_and_then_asked_about() -> None:
    """From above a Single that was captured on is a Double, or the figure that is gone is in somebody's hand."""
    table = Tabletop.of("memento-tuos", {"T1": "red1", "T5": "red1", "L3": "yellow1"})
    flat = {"T5": {"red2": -0.1}}
    look(table, doubted(read(table.board, table.faces, {}), **flat))
    gone = doubted(shown(table, T1=None), **flat)
    early = may_be_another_thing(case_of(table, gone, waited=0.5))
    late = may_be_another_thing(case_of(table, gone))
    assert early is not None
    assert late is not None
    assert early.news == ()
    assert [type(news) for news in late.news] == [Unclear]
    assert may_be_another_thing(case_of(table, shown(table, T1=None, T6="red1"))) is None


def test_more_than_one_course_is_for_people_to_say() -> None:
    table, unclear = turned_or_walked()
    case = case_of(table, unclear)
    after = is_ambiguous(case)
    assert after is not None
    (news,) = after.news
    assert isinstance(news, Unclear)
    assert (sorted(map(str, news.actions)), speaking(case)) == (["a1-a2", "a>"], "is_ambiguous")
    assert is_ambiguous(case_of(table, shown(table, b3="red"))) is None


def test_the_only_course_was_played() -> None:
    table = memento()
    case = case_of(table, shown(table, T1=None, T6="red1"))
    (news,) = was_played(case).news
    assert isinstance(news, Accepted)
    assert (str(news.action), speaking(case)) == ("T1-T6", "was_played")
