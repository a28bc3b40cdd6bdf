"""Finding back: a short course from any accepted position explains the table, or people are asked."""

from __future__ import annotations

from typing import Any

import pytest
from tabletop import Tabletop, named

from engine.core import GameError
from engine.referee.wishes import declare, deny


def told(table: Tabletop) -> list[str]:
    return [str(action) for action in table.table.match.actions]


def rings(*actions: str) -> Tabletop:
    table = Tabletop.of("rings")
    for action in actions:
        table.play(action)
    return table


def times(news: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in news]


def test_two_actions_replaced_in_one_go_are_found_where_no_mistake_explains_them() -> None:
    table = rings("+a1", "+b1")
    news = table.show({"a3": "red", "c5": "yellow"}, 2.0)
    assert news == [
        {"event": "undo", "to_ply": 0},
        {"event": "action", "ply": 0, "seat": 0, "action": "+a3"},
        {"event": "action", "ply": 1, "seat": 1, "action": "+c5"},
    ]


def test_what_a_mistake_explains_is_a_mistake_until_people_play_on() -> None:
    """A yellow pawn moved by red is a mistake; if yellow took it back himself, red goes on and nobody objects."""
    table = rings("+a1", "+b1")
    assert named(table.show({"a1": "red", "c5": "yellow"}, 6.0)) == ["move.foreign"]
    news = table.show({"a1": "red", "c5": "yellow", "a5": "red"}, 2.0)
    assert named(news) == ["undo", "+c5", "+a5"]
    assert told(table) == ["+a1", "+c5", "+a5"]


def test_a_pawn_and_a_turn_in_one_go_are_taken_back_when_the_table_is_put_back() -> None:
    """A ring shows nobody's colour: who turned it, the one who placed the pawn or the next player, nobody can see."""
    table = rings("+a1", "+b1")
    before = table.faces
    table.turns["ring-c"] += 1
    assert named(table.show(table.changed(b5="red"), 2.0)) == ["+b5", "c>"]
    table.turns["ring-c"] -= 1
    table.show(before, 0.5, hand=True)
    assert table.show(before, 1.0) == [{"event": "undo", "to_ply": 2}]
    assert named(table.play("+a4")) == ["+a4"]


def test_a_mistake_put_back_is_no_story() -> None:
    table = rings("+a1", "+b1")
    table.show({"a1": "red", "c5": "yellow"}, 2.0)
    assert named(table.show(table.faces, 1.0)) == ["restored"]
    assert named(table.play("+a5")) == ["+a5"]
    assert told(table) == ["+a1", "+b1", "+a5"]


def test_where_several_stories_fit_people_are_asked_within_three_seconds() -> None:
    table = rings("+a1", "+b1", "+c1")
    shown = table.changed(a3="red", c5="yellow", b8="yellow")
    assert named(table.show(shown, 2.9)) == ["unknown"]
    news = table.show(shown, 0.4)
    assert times(news) == ["unclear"]
    stories = [{"to_ply": 3, "actions": ["+b8", "+a3", "+c5"]}, {"to_ply": 3, "actions": ["+c5", "+a3", "+b8"]}]
    assert news[0]["stories"] == stories
    assert news[0]["actions"] == ["from 3: +b8 +a3 +c5", "from 3: +c5 +a3 +b8"]
    assert table.show(shown, 5.0) == [], "once"
    table.table = declare(table.table, "from 3: +c5 +a3 +b8")
    assert told(table)[3:] == ["+c5", "+a3", "+b8"]
    assert table.show(shown, 3.0) == []


def test_a_question_about_stories_is_decided_by_playing_on() -> None:
    """In a recording nobody answers."""
    table = rings("+a1", "+b1", "+c1")
    shown = table.changed(a3="red", c5="yellow", b8="yellow")
    table.show(shown, 4.0)
    news = table.show(shown | {"a7": "red"}, 4.0)
    # In which order the yellow ones came nobody can see.
    assert times(news) == ["unclear"]
    assert {story["actions"][-1] for story in news[0]["stories"]} == {"+a7"}


def test_if_it_was_none_of_the_stories_it_stays_a_mistake() -> None:
    table = rings("+a1", "+b1", "+c1")
    shown = table.changed(a3="red", c5="yellow", b8="yellow")
    table.show(shown, 4.0)
    table.table = deny(table.table)
    assert table.show(shown, 5.0) == []
    with pytest.raises(GameError):
        declare(table.table, "from 3: +c5 +a3 +b8")


def test_what_was_only_inferred_is_not_where_a_story_begins() -> None:
    """Undoing goes back to before what was inferred, and so does the story."""
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.play("+L1,L2")
    assert named(table.show({"T1": "red1", "L4": "yellow1", "L5": "yellow1"}, 2.0)) == ["undo", "+L4,L5"]


@pytest.mark.parametrize("restless", [False, True])
def test_it_says_what_it_waits_for(restless: bool) -> None:
    table = rings("+a1")
    assert table.table.watch.wait is None
    table.show(table.faces, 0.5, hand=True, hidden=["b1", "b2"], restless=True)
    wait = table.table.watch.wait
    assert wait is not None
    assert (wait.why, wait.sites) == ("hand", ("b1", "b2"))
    # Two actions that look alike, while a hand is at work beside the board.
    table.show(table.changed(b1="yellow", c3="red"), 1.2, restless=restless)
    if restless:
        wait = table.table.watch.wait
        assert wait is not None
        assert (wait.why, wait.sites) == ("moving", ("b1", "c3"))
        assert table.seconds - wait.since > 1.5, "it has waited since the hand came"
        table.show(table.changed(b1="yellow", c3="red"), 0.5)
    assert told(table) == ["+a1", "+b1", "+c3"]
    assert table.table.watch.wait is None


def test_an_eye_that_wavers_is_waited_for_where_it_wavers() -> None:
    table = rings("+a1")
    for frame in range(20):
        table.show(table.changed(b1="yellow", **({"c3": "red"} if frame % 2 else {"c4": "red"})), 0.1)
    wait = table.table.watch.wait
    assert wait is not None
    assert wait.why == "wavering"
    assert "b1" in wait.sites
