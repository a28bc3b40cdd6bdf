"""What no camera sees: it is inserted where the table shows that it must have happened, and nowhere else."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from tabletop import Tabletop, named

from engine.core import Game, Position
from engine.face import spelled
from engine.referee.unseen import unseen, unseen_courses
from engine.referee.wishes import declare, take_back
from engine.registry import all_games, find_game

LOCKED = {"R1": "red3", "R2": "red3", "R4": "red3", "R7": "red1"}
"""Yellow can neither enter, for one stone is left, nor turn, if red has just done so."""


def barred() -> Tabletop:
    """Yellow can only pass."""
    table = Tabletop.of("memento-tuos", LOCKED, seat=1, just_turned=True, turned=[0])
    table.show(table.faces)
    return table


def acted(news: list[dict[str, Any]]) -> list[tuple[int, str, bool]]:
    return [(each["seat"], each["action"], "inferred" in each) for each in news if each["event"] == "action"]


def shown(table: Tabletop, position: Position) -> list[dict[str, Any]]:
    return table.show(spelled(position.faces()))


def out_of_turn(position: Position, seat: int) -> Position:
    """The table after a visible action of a player who did not wait for his turn."""
    other = position.turned_to(seat)
    return other.after(next(action for action in other.legal() if action not in unseen(other)))


# Memento: a pass where nothing can be done


def test_a_pass_that_must_have_been_is_told_before_the_action_that_shows_it() -> None:
    table = barred()
    news = table.show(table.changed(R7=None, R5="red1"))
    assert acted(news) == [(1, "--", True), (0, "R7-R5", False)]
    assert [each["ply"] for each in news] == [0, 1]
    assert news[0]["inferred"] is True


def test_a_pass_that_was_told_is_not_inferred() -> None:
    table = barred()
    table.table = declare(table.table, "--")
    assert acted(table.table.records()) == [(1, "--", False)]
    assert acted(table.show(table.changed(R7=None, R5="red1"))) == [(0, "R7-R5", False)]


def test_what_followed_only_from_an_action_goes_when_that_is_undone() -> None:
    table = barred()
    start = table.faces
    table.show(table.changed(R7=None, R5="red1"))
    assert table.show(start, 1.0) == [{"event": "undo", "to_ply": 0}]


def test_what_people_have_told_stays_when_the_next_action_is_undone() -> None:
    table = barred()
    start = table.faces
    table.table = declare(table.table, "--")
    table.show(table.changed(R7=None, R5="red1"))
    assert table.show(start, 1.0) == [{"event": "undo", "to_ply": 1}]


def test_what_people_take_back_is_not_inferred_again() -> None:
    table = barred()
    after = table.changed(R7=None, R5="red1")
    table.show(after)
    table.table = take_back(table.table)
    assert table.table.match.ply == 0
    assert acted(table.show(after, 3.0)) == []


def test_half_an_action_after_a_pass_is_waited_for() -> None:
    table = barred()
    assert named(table.show(table.changed(R7=None), 1.0)) == ["unfinished"]


def test_whoever_can_act_has_not_passed() -> None:
    """Yellow may enter: red who acts instead is out of turn."""
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L1": "yellow1"}, seat=1)
    table.show(table.faces)
    news = table.show(table.changed(T1=None, T7="red1"), 3.0)
    assert (acted(news), named(news)[-1]) == ([], "move.foreign")


# Dimenticato: a wrong call, or a pass


def dimenticato(seed: int) -> Tabletop:
    """Three players, and red, whose turn it is, may call rightly or wrongly."""
    rules, dice = find_game("dimenticato").configure(), Random(seed)
    position = rules.start(3, rules.deal(3, dice))
    while position.seat or not any(str(action).endswith(":?") for action in position.legal()):
        position = position.after(dice.choice(position.legal()))
    table = Tabletop(rules, 3, position.setup())
    table.show(table.faces)
    return table


@pytest.mark.parametrize("seed", range(4))
def test_a_wrong_call_is_inferred_when_the_next_player_moves(seed: int) -> None:
    table = dimenticato(seed)
    position = table.table.match.position
    news = acted(shown(table, out_of_turn(position, 1)))
    assert news[0] == (0, min(map(str, unseen(position))), True), "the first of all that are alike"
    assert [(seat, inferred) for seat, _, inferred in news[1:]] == [(1, False)]


def test_the_fewest_are_inferred_and_one_for_each_player_at_most() -> None:
    table = dimenticato(0)
    assert max(len(course) for course, _ in unseen_courses(table.table.match.position)) == 2
    news = acted(shown(table, out_of_turn(table.table.match.position, 2)))
    assert [(seat, inferred) for seat, _, inferred in news] == [(0, True), (1, True), (2, False)]


# Triominos: a purchase or a pass


def triominos(**more: object) -> Tabletop:
    """A table on which nobody has told the referee what is on the racks."""
    position = {"table": {"0,0": "134"}, "chips": [4, 4], "seat": 0, "passes": 0, "joker": None, "turns_left": None}
    hidden = {"rack_sizes": [6, 6], "pot_size": 23}
    setup = {"racks": None, "first": "134", "pot": None, "position": position | hidden | more}
    table = Tabletop(find_game("triominos").configure(), 2, setup)
    table.show(table.faces)
    return table


def test_whose_the_joker_is_tells_who_laid_it() -> None:
    table = triominos(joker=1)
    assert acted(table.show(table.changed(**{"1,0": "JJJ"}))) == [(0, "buy", True), (1, "JJJ@1,0", False)]


def test_a_card_that_anybody_may_have_is_of_the_player_to_move() -> None:
    table = triominos()
    assert acted(table.show(table.changed(**{"1,0": "JJJ"}))) == [(0, "JJJ@1,0", False)]


# Every game


@pytest.mark.parametrize("game", [pytest.param(game, id=game.name) for game in all_games()])
def test_nothing_is_inferred_where_something_visible_explains_the_table(game: Game) -> None:
    rules, dice = game.configure(), Random(7)
    table = Tabletop(rules, 2, rules.deal(2, dice))
    table.show(table.faces)
    for _ in range(6):
        position = table.table.match.position
        seen = [action for action in position.legal() if action not in unseen(position)]
        if not seen:
            break
        action = dice.choice(seen)
        for name, steps in action.turns.items():
            table.turns[name] += steps
        news = shown(table, position.after(action))
        assert not [each for each in news if "inferred" in each]
        if not acted(news):
            table.table = declare(table.table, str(action))


def test_games_in_which_everything_is_seen_have_nothing_to_infer() -> None:
    position = find_game("rings").configure().start(2, {})
    assert unseen(position) == ()
    assert list(unseen_courses(position)) == []
