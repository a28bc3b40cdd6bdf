"""The program at the table: only what it wants counts in its seat, and hints come step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from place import Place

from engine.core import GameError
from engine.match import Match
from engine.referee.news import Unclear
from engine.referee.table import accept
from engine.words import LANGUAGES
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of


@pytest.fixture
def place() -> Iterator[Place]:
    place = Place()
    yield place
    place.sitting.close()


def test_it_says_what_it_wants_in_the_colours_of_the_table(place: Place) -> None:
    news = place.shown("+T1")
    assert [event["event"] for event in news] == ["action", "advice"]
    assert news[1]["text"] == f"Blue plays {place.wanted}. Please make this move on the board."
    told = state_of(place.sitting)["advice"]
    assert told["action"] == place.wanted
    assert set(told["texts"]) == set(LANGUAGES)
    assert told["texts"]["de"].startswith("Blau spielt ")
    assert told["sites"]
    assert place.sitting.playing is not None
    assert place.coach.sites() == tuple(told["sites"]), "the lights on the board show it too"


def test_only_what_it_wants_is_accepted(place: Place) -> None:
    place.shown("+T1")
    wanted, other = place.wanted, place.other()
    before = dict(place.eye.seen)
    news = place.shown(other)
    assert [event["event"] for event in news] == ["illegal"], "once, however long it stands"
    assert news[0]["text"] == f"Blue plays {wanted}, not {other}. Please undo that on the board and play {wanted}."
    assert place.match.ply == 1
    place.eye.seen = before
    assert [event["event"] for event in place.look()] == ["restored"]
    assert [event["event"] for event in place.shown(wanted)] == ["action"]
    assert str(place.match.actions[-1]) == wanted


def test_the_page_is_told_in_the_colours_of_the_table(place: Place) -> None:
    place.shown("+T1")
    other = place.other()
    place.shown(other)
    event = state_of(place.sitting)["recent"][-1]
    assert event["refusals"][0]["facts"] == {"colour": {"word": "blue"}, "wanted": place.wanted, "action": other}


def test_a_wrong_action_put_right_without_going_back(place: Place) -> None:
    place.shown("+T1")
    place.shown(place.other())
    news = place.shown(place.wanted)
    assert [event["event"] for event in news] == ["action"]
    assert place.match.ply == 2


def test_nothing_counts_in_its_seat_while_it_thinks(place: Place) -> None:
    place.thinker.slow = True
    place.shown("+T1")
    assert state_of(place.sitting)["advice"]["texts"]["en"] == "Blue is thinking."
    legal = sorted(map(str, place.match.position.legal()))
    assert place.shown(legal[0]) == []
    place.thinker.slow = False
    assert [event["event"] for event in place.look()] == ["advice", "illegal"]
    assert place.match.ply == 1


def test_its_action_is_never_taken_for_granted_when_two_come_at_once(place: Place) -> None:
    place.thinker.slow = True
    news = place.shown("+T1", "+L4,R4")
    assert [event.get("action") for event in news] == ["+T1"]
    assert place.match.ply == 1


def test_nobody_can_say_that_something_else_was_played(place: Place) -> None:
    place.shown("+T1")
    with pytest.raises(GameError, match="blue plays"):
        grant(place.sitting, "answer", {"action": place.other()})
    grant(place.sitting, "answer", {"action": place.wanted})
    assert place.match.ply == 2


def test_hints_come_step_by_step_and_are_counted() -> None:
    place = Place(computers="")
    grant(place.sitting, "assist", {"seat": 0, "level": "hints", "hints": 1})
    assert grant(place.sitting, "hint", {}) == ({}, [])
    news = place.look(1)
    assert [event["event"] for event in news] == ["advice"]
    assert state_of(place.sitting)["advice"]["step"] == "nudge"
    assert state_of(place.sitting)["assist"][0]["hints"] == 0
    steps = [place.coach.text()]
    for _ in range(2):
        grant(place.sitting, "hint", {})
        steps.append(place.coach.text())
    assert steps[2] == place.coach.hint.text()  # type: ignore[union-attr]
    assert len(set(steps)) == 3
    place.shown("+T1")
    assert state_of(place.sitting)["advice"] is None, "a hint is for one position"
    place.sitting.close()


def test_who_has_no_hints_left_is_told_so() -> None:
    place = Place(computers="")
    grant(place.sitting, "assist", {"seat": 0, "level": "hints", "hints": 0})
    with pytest.raises(GameError, match="no hints left"):
        grant(place.sitting, "hint", {})
    assert place.press("hint")[0]["text"] == "this player has no hints left"
    grant(place.sitting, "assist", {"seat": 0, "level": "off", "hints": 5})
    assert place.press("hint")[0]["text"] == "this player plays without hints"


def test_the_button_gives_a_hint_unless_it_was_agreed_otherwise() -> None:
    place = Place(computers="")
    assert place.press("hint") == []
    assert place.look(1)[0]["text"].startswith("Look at ")
    assert place.press("hint")[0]["text"].startswith("It is about ")
    assert place.press("hint")[0]["text"].startswith("Play ")
    assert state_of(place.sitting)["assist"][0] == {"level": "hints", "hints": 2}


def test_no_hint_in_the_programs_own_turn(place: Place) -> None:
    place.shown("+T1")
    assert place.press("hint")[0]["text"] == "it is the program's turn"


def test_who_asks_twice_while_it_thinks_pays_once() -> None:
    place = Place(computers="")
    grant(place.sitting, "assist", {"seat": 0, "level": "hints", "hints": 2})
    place.thinker.slow = True
    for _ in range(2):
        assert grant(place.sitting, "hint", {}) == ({}, [])
    place.thinker.slow = False
    assert [event["event"] for event in place.look(1)] == ["advice"]
    assert state_of(place.sitting)["assist"][0]["hints"] == 1
    place.sitting.close()


def test_the_page_hears_of_every_step() -> None:
    place = Place(computers="")
    grant(place.sitting, "assist", {"seat": 0, "level": "hints", "hints": 1})
    grant(place.sitting, "hint", {})
    place.look(1)
    assert place.changed()
    for _ in range(2):
        assert not place.changed()
        grant(place.sitting, "hint", {})
        assert place.changed()
    place.sitting.close()


def test_it_does_not_play_every_turn_by_the_same_dice(place: Place) -> None:
    seeds = []
    for _ in range(2):
        place.thinker.slow = True
        place.shown(str(place.match.position.legal()[0]))
        assert place.thinker.question is not None
        seeds.append(place.thinker.question.seed)
        place.thinker.slow = False
        place.look(1)
        place.shown(place.wanted)
    assert len(set(seeds)) == 2


def test_in_a_match_that_is_over_it_wants_nothing(place: Place) -> None:
    place.thinker.slow = True
    place.shown("+T1")
    grant(place.sitting, "draw", {})
    place.thinker.slow = False
    assert place.look() == []
    assert state_of(place.sitting)["advice"] is None
    assert place.sitting.playing is not None
    assert place.coach.sites() == ()


def test_of_two_that_may_have_been_played_it_was_what_it_wants(place: Place) -> None:
    place.shown("+T1")
    before = place.table
    wanted, other = (before.match.rules.parse(text) for text in (place.wanted, place.other()))
    unsure = replace(before, news=(Unclear((other, wanted)),))
    held = place.coach.hold(before, unsure)
    assert [str(action) for action in held.match.actions] == ["+T1", place.wanted]
    others = replace(before, news=(Unclear((other, before.match.rules.parse("T>"))),))
    assert place.coach.hold(before, others) is others


def test_what_it_wanted_elsewhere_does_not_count(place: Place) -> None:
    """The position was set by hand a moment ago: it has not thought about this one yet."""
    place.shown("+T1")
    before = place.table
    wanted = before.match.rules.parse(place.wanted)
    elsewhere = before.match.positions[0].rules.start(2, {"sites": {"I1": "red1"}, "seat": 1})
    match = Match(before.match.rules, (elsewhere,), ())
    moved = replace(before, accepted=replace(before.accepted, match=match))
    assert wanted in elsewhere.legal()
    held = place.coach.hold(moved, accept(moved, [wanted]))
    assert held.match.ply == 0
    assert held.news == ()
