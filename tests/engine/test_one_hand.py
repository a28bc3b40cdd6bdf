"""One visit of one hand is one player's; but a quick second player is not accused, nor is anybody who plays on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tabletop import Tabletop, named

from engine.core import Position
from engine.face import spelled
from engine.games.rings.rules import RingsPosition
from engine.referee.explain import by_one_player
from engine.registry import find_game

SOUTH, NORTH, WEST = ["c5", "b5"], ["c1", "b1"], ["c7", "b7"]
SITES = {"a2": "red", "c6": "yellow", "b4": "red", "a7": "yellow"}
ACTIONS = {"two rings": ("a>", "b<"), "a pawn and a ring": ("+c8", "a>")}
RULE = {"two rings": "turn.two", "a pawn and a ring": "two-actions"}


class Board:
    """A table at which hands come and go; what lies on it need not be what was accepted."""

    def __init__(self, players: int = 2) -> None:
        self.table = Tabletop(find_game("rings").configure(), players, {"sites": SITES})
        self.before = self.position = self.table.table.position
        self.free(1.0)

    def free(self, seconds: float) -> list[object]:
        return named(self.table.show(spelled(self.position.faces()), seconds))

    def hand(self, over: Sequence[str], seconds: float = 0.3) -> list[object]:
        return named(self.table.show(spelled(self.position.faces()), seconds, True, over, restless=True))

    def does(self, text: str, over: Sequence[str]) -> list[object]:
        """An action by the hand that is over the board."""
        action = self.table.rules.parse(text)
        self.position = self.position.play(action)
        for name, steps in action.turns.items():
            self.table.turns[name] += steps
        return self.hand(over)

    def one_visit(self, *texts: str, over: Sequence[str] = SOUTH) -> list[object]:
        said = self.hand(over)
        for text in texts:
            said += self.does(text, over)
        return said

    def puts_back(self) -> None:
        self.hand(SOUTH)
        self.position = self.before
        self.table.turns = dict.fromkeys(self.table.turns, 0)
        self.hand(SOUTH)


@pytest.mark.parametrize("what", ACTIONS)
def test_what_one_hand_did_in_one_visit_was_one_player(what: str) -> None:
    board = Board()
    assert board.one_visit(*ACTIONS[what]) == []
    assert board.free(1.4) == [], "it may still be put right"
    assert board.free(0.4) == [RULE[what]]
    assert board.free(6.0) == [], "once"
    board.puts_back()
    assert board.free(0.5) == ["restored"]
    board.one_visit("a<")
    assert board.free(0.5) == ["a<"]


@pytest.mark.parametrize("what", ACTIONS)
@pytest.mark.parametrize("other", [NORTH, WEST], ids=["opposite", "beside"])
def test_a_quick_second_player_reaches_over_another_rim(what: str, other: list[str]) -> None:
    first, second = ACTIONS[what]
    board = Board()
    board.one_visit(first)
    board.hand(other)
    board.does(second, other)
    assert board.free(0.5) == [first, second]


@pytest.mark.parametrize("other", [NORTH, NORTH[:1]], ids=["an arm", "fingers"])
def test_two_hands_over_the_board_together_are_two(other: list[str]) -> None:
    board = Board()
    board.one_visit("a>")
    board.hand([*SOUTH, *other])
    board.does("b<", [*SOUTH, *other])
    assert board.free(0.5) == ["a>", "b<"]


def test_a_hand_that_goes_over_the_opposite_rim_was_another() -> None:
    board = Board()
    board.one_visit("a>", "b<")
    board.hand(NORTH)
    assert board.free(0.5) == ["a>", "b<"]


def test_a_hand_moves_aside_with_the_ring_that_it_turns() -> None:
    board = Board()
    board.one_visit("a>", "b<")
    board.hand(WEST)
    assert board.free(2.0) == ["turn.two"]


def test_while_a_ring_turns_nobody_can_tell_where_the_hand_is() -> None:
    board = Board()
    board.hand(SOUTH)
    board.hand([f"c{number}" for number in range(1, 9)])
    board.does("c>", SOUTH)
    board.does("a<", SOUTH)
    assert board.free(2.0) == ["turn.two"]


def test_a_hand_that_was_not_seen_coming_accuses_nobody() -> None:
    board = Board()
    board.does("a>", SOUTH)
    board.does("b<", SOUTH)
    assert board.free(0.5) == ["a>", "b<"]


def test_an_accepted_action_ends_the_visit_to_which_it_belongs() -> None:
    board = Board()
    board.one_visit("a>")
    assert board.table.table.watch.visit is not None
    assert board.free(0.5) == ["a>"]
    assert board.table.table.watch.visit is None


@pytest.mark.parametrize("seen", [True, False], ids=["free", "unseen"])
def test_a_board_that_was_free_or_out_of_sight_may_have_seen_another_hand(seen: bool) -> None:
    board = Board()
    board.one_visit("a>")
    if seen:
        board.free(0.2)
    else:
        board.table.seconds += 0.4
    board.one_visit("b<")
    assert board.free(0.5) == ["a>", "b<"]


def test_a_hand_of_which_nobody_saw_whence_it_came_accuses_nobody() -> None:
    board = Board()
    board.one_visit("a>", "b<", over=["a4", "a5"])
    assert board.free(0.5) == ["a>", "b<"]


def test_a_visit_that_began_before_the_last_action_was_clear_accuses_nobody() -> None:
    board = Board()
    board.one_visit("a>")
    board.free(0.2)
    board.one_visit("b<")
    board.hand(SOUTH)
    assert board.free(0.5) == ["a>", "b<"]


def test_a_piece_of_the_next_player_was_put_there_by_the_next_player() -> None:
    board = Board()
    board.one_visit("a>", "+c8")
    assert board.free(0.5) == ["a>", "+c8"]


@pytest.mark.parametrize("stood", [0.2, 0.5, 1.0, 3.0])
def test_who_plays_on_shows_what_happened_however_short_each_picture_stood(stood: float) -> None:
    board = Board()
    board.one_visit("a>", "b<")
    said = board.free(stood)
    assert said == (["turn.two"] if stood > 1.5 else [])
    board.one_visit("+c1")
    assert board.free(0.6) == ["a>", "b<", "+c1"]


def test_a_hand_that_comes_again_for_nothing_changes_no_verdict() -> None:
    board = Board()
    board.one_visit("a>", "b<")
    assert board.free(2.0) == ["turn.two"]
    board.hand(NORTH)
    assert board.free(4.0) == []
    board.puts_back()
    assert board.free(0.5) == ["restored"]


def test_a_second_ring_turned_back_leaves_the_first_action() -> None:
    board = Board()
    board.one_visit("a>", "b<")
    assert board.free(2.0) == ["turn.two"]
    board.hand(SOUTH)
    board.position = board.before.play(board.table.rules.parse("a>"))
    board.table.turns["ring-b"] += 1
    board.hand(SOUTH)
    assert board.free(0.5) == ["a>"]


def test_where_the_same_player_goes_on_both_actions_are_his(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Board().position
    course = tuple(map(position.rules.parse, ("a>", "b<")))
    assert by_one_player(position, course)
    once = RingsPosition.after

    def again(self: RingsPosition, action: object) -> Position:
        return replace(once(self, action), seat=self.seat)  # type: ignore[arg-type, type-var]

    monkeypatch.setattr(RingsPosition, "after", again)
    other = replace(position, seat=1)  # type: ignore[type-var]
    assert not by_one_player(other, course)
