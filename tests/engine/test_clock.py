"""The clock as a value: what is charged, what a turn brings, what taking back gives back, and how it is written."""

from __future__ import annotations

import pytest

from engine.clock import Clock, TimeControl, on_clock
from engine.core import GameError


def clock(text: str, players: int = 2, **more: frozenset[int]) -> Clock:
    return Clock.begin(TimeControl.parse(text), players, **more)


@pytest.mark.parametrize("text", ["10", "0.5", "10+5", "1.5d3", "600+600", "10,ends", "3+2,ends"])
def test_a_clock_is_written_as_it_is_read(text: str) -> None:
    assert str(TimeControl.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "0", "ten", "10+", "10+5+5", "10 + 5", "-3", "601", "10+601", "10;5", "1e3", "10,end"]
)
def test_what_is_no_clock_is_refused(text: str) -> None:
    with pytest.raises(GameError):
        TimeControl.parse(text)


def test_the_first_action_starts_it_and_costs_nobody_time() -> None:
    begun = clock("10+5")
    assert not begun.charges(0)
    played = begun.played(0, 1)
    assert played.hands.left == (600, 600), "no time was charged for it, and none is given for it"
    assert played.charges(1)


def test_an_increment_comes_at_the_end_of_a_turn_not_after_each_of_its_actions() -> None:
    at_turn = clock("10+5").played(0, 1).spend(1, 20)
    assert at_turn.played(1, 1).hands.left == (600, 580)
    assert at_turn.played(1, 1).spend(1, 3).played(1, 0).hands.left == (600, 582)


def test_a_delay_is_free_anew_in_every_turn_and_not_saved_up() -> None:
    at_turn = clock("10d5").played(0, 1)
    assert at_turn.spend(1, 3).hands.left == (600, 600)
    long = at_turn.spend(1, 3).spend(1, 4)
    assert long.hands.left == (600, 598)
    assert long.played(1, 0).spend(0, 5.5).hands.left == (599.5, 598)
    assert at_turn.spend(1, 1).played(1, 0).spend(0, 6).hands.left == (599, 600), "what is left of it does not add up"


def test_taking_back_gives_everybody_the_time_of_then() -> None:
    first = clock("10+5").played(0, 1)
    third = first.spend(1, 60).played(1, 0).spend(0, 30).played(0, 1).spend(1, 7)
    assert third.hands.left == (575, 538)
    assert third.undone(2).hands == first.spend(1, 60).played(1, 0).hands
    assert third.undone(1).hands == first.hands
    assert third.undone(0).hands.left == (600, 600)
    assert not third.undone(0).is_started, "it waits for the first action again"
    assert third.undone(1).spend(1, 10).played(1, 0).undone(1).hands == first.hands


def test_a_position_set_by_hand_gives_no_time_back_and_plies_count_anew() -> None:
    placed = clock("10+5").played(0, 1).spend(1, 60).placed()
    assert placed.hands.left == (600, 540)
    assert placed.charges(0)
    assert placed.spend(0, 9).played(0, 1).undone(0).hands.left == (600, 540)


def test_it_goes_on_below_zero() -> None:
    out = clock("1").played(0, 1).spend(1, 61.5)
    assert out.is_out(1)
    assert not out.is_out(0)
    assert out.played(1, 0).hands.left == (60, -1.5)


def test_the_program_has_no_time_and_gets_none() -> None:
    against = clock("10+5", untimed=frozenset([1])).played(0, 1)
    assert not against.charges(1)
    assert against.played(1, 0).hands.left == (600, 600)


def test_time_never_runs_backwards() -> None:
    assert clock("10").played(0, 1).spend(1, -5).hands.left == (600, 600)


def test_what_the_log_has_is_what_was_shown() -> None:
    shown = clock("10d5", 3).played(0, 1).spend(1, 12.5)
    assert shown.record() == {"set": "10d5", "left": [600, 592.5, 600], "free": 0}
    assert clock("10d5", 3).showing(shown.record()).hands == shown.hands
    for broken in ({}, {"left": [1, 2]}, {"left": [1, 2, "3"]}, {"left": 5}, {"left": [1, 2, 3], "free": "x"}):
        with pytest.raises(GameError):
            shown.showing(broken)


def test_the_same_again_for_another_match() -> None:
    assert clock("10+5").played(0, 1).spend(1, 9).anew() == clock("10+5")


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(600, "10:00"), (592.3, "9:53"), (0.1, "0:01"), (0, "0:00"), (-0.5, "0:00"), (-12, "−0:12"), (3900, "1:05:00")],
)
def test_time_as_clocks_show_it(seconds: float, text: str) -> None:
    assert on_clock(seconds) == text
