"""Rings by hand: for every sentence of the rules page an example worked out on paper."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import comb
from random import Random
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import (
    COLOURS,
    IllegalActionError,
    InvalidActionError,
    InvalidSetupError,
    Outcome,
    Pass,
    Position,
    UnknownNameError,
)
from engine.face import spelled
from engine.games.rings.actions import Move, Place, Turn
from engine.games.rings.cells import NAMES
from engine.games.rings.rules import RingsPosition
from engine.registry import find_game

GAME = find_game("rings")
CODES = {
    *(
        "place.occupied",
        "place.two",
        "place.no-reserve",
        "place.flying",
        "turn.too-far",
        "turn.same-ring",
        "turn.flying",
    ),
    *("turn.two", "move.not-neighbour", "move.occupied", "move.foreign", "capture.missing", "capture.too-many"),
    *("capture.own", "capture.no-line", "capture.spent", "two-actions", "not-your-turn", "game-over", "unknown"),
}
"""The rules page's list."""


def lay(
    red: str = "", yellow: str = "", green: str = "", *, options: dict[str, object] | None = None, **more: object
) -> RingsPosition:
    """Two players, or three where green pawns are given; `spent` as a text, all else as in a set-up."""
    sites = {
        cell: colour for colour, cells in zip(COLOURS, (red, yellow, green), strict=False) for cell in cells.split()
    }
    if "spent" in more:
        more["spent"] = str(more["spent"]).split()
    position = GAME.configure(options=options).start(3 if green else 2, {"sites": sites, **more})
    assert isinstance(position, RingsPosition)
    return position


def legal(position: Position, start: str = "") -> set[str]:
    """The legal actions whose text starts so."""
    return {text for text in map(str, position.legal()) if text.startswith(start)}


def play(position: RingsPosition, *texts: str) -> RingsPosition:
    for text in texts:
        position = position.play(position.rules.parse(text))
    return position


def refused(position: RingsPosition, text: str) -> list[str]:
    """The codes for which this action is refused."""
    return [refusal.rule for refusal in position.refusals(position.rules.parse(text))]


def spent(position: RingsPosition) -> str:
    return " ".join(position.view(None)["spent"])


def on_track(position: RingsPosition, colour: str) -> str:
    return " ".join(sorted(cell for cell, face in spelled(position.faces()).items() if face == colour))


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return len(position.legal())
    return sum(perft(position.after(action), depth - 1) for action in position.legal())


def start(players: int = 2) -> Position:
    return GAME.configure().start(players, {})


# "2–4 players, 10 pawns each."


@pytest.mark.parametrize("players", [2, 3, 4])
def test_two_to_four_players_with_ten_pawns_each(players: int) -> None:
    assert start(players).view(None)["reserve"] == [10] * players
    assert start(players).seat == 0


@pytest.mark.parametrize("players", [1, 5])
def test_no_other_number_of_players(players: int) -> None:
    with pytest.raises(InvalidSetupError):
        start(players)


def test_24_cells_in_order_rings_from_the_inside_radii_clockwise() -> None:
    assert " ".join(NAMES) == "a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8 c1 c2 c3 c4 c5 c6 c7 c8"


def test_counts_by_arithmetic() -> None:
    # 24 cells, 3 rings × 2 ways.
    assert perft(start(), 1) == 24 + 3 * 2
    # After a pawn 23 cells and all turns; after a turn 24 cells and the two other rings.
    assert perft(start(), 2) == 24 * (23 + 6) + 6 * (24 + 4)
    # Pawn moves: the cells have 3, 4, 3 neighbours by ring, 80 in all; over all places of the other pawn each of the
    # 80 ways is barred once in 23.
    both_placed = 24 * 23 * (22 + 6) + 80 * 22
    placed_turned, turned_placed = 6 * (24 * (23 + 4) + 80), 6 * 24 * (23 + 4)
    assert perft(start(), 3) == both_placed + placed_turned + turned_placed + 6 * 4 * (24 + 4)


# Turn: place


def test_place_a_pawn_from_the_reserve_on_a_free_cell() -> None:
    position = lay("b3", "c4")
    assert legal(position, "+") == {f"+{cell}" for cell in NAMES if cell not in ("b3", "c4")}
    after = play(position, "+a1")
    assert spelled(after.faces()) == {"a1": "red", "b3": "red", "c4": "yellow"}
    assert after.reserve == (8, 9)


def test_no_place_without_a_reserve() -> None:
    assert not legal(lay("a1 a3 a5 b1 b3", "c4", reserve=[0, 9]), "+")


# Turn: turn


@pytest.mark.parametrize(
    ("text", "after"),
    [("b>", "a8 b1 b2 c1"), ("b<", "a8 b7 b8 c1"), ("a>", "a1 b1 b8 c1"), ("c<", "a8 b1 b8 c8")],
)
def test_turn_by_one_radius_either_way_carries_the_pawns_to_other_names(text: str, after: str) -> None:
    turned = play(lay("a8 b1 b8", "c1"), text)
    assert " ".join(sorted(turned.faces())) == after


def test_the_ring_turned_last_by_anybody_waits_until_another_ring_has_been_turned() -> None:
    turned = play(lay(), "b>")
    assert legal(turned, "b") == set()
    assert {"a>", "a<", "c>", "c<"} < legal(turned)
    placed = play(turned, "+b1", "+c1")
    assert legal(placed, "b") == {"b1-a1", "b1-b2", "b1-b8"}
    freed = play(placed, "c<")
    assert {"b>", "b<"} < legal(freed)
    assert not {"c>", "c<"} & legal(freed)


def test_turning_an_empty_ring_is_legal_and_bars_it() -> None:
    turned = play(lay("b3", "b4"), "c>")
    assert spelled(turned.faces()) == {"b3": "red", "b4": "yellow"}
    assert turned.view(None)["last_turned"] == "c"


def test_a_turn_names_the_sheet_it_turns() -> None:
    parse = GAME.configure().parse
    assert parse("b>").turns == {"ring-b": 1}
    assert parse("a<xc4").turns == {"ring-a": -1}
    assert parse("+b3").turns == {}


# Turn: move


@pytest.mark.parametrize(
    ("pawn", "targets"),
    [("a1", "a2 a8 b1"), ("b1", "a1 b2 b8 c1"), ("c8", "b8 c1 c7"), ("b5", "a5 b4 b6 c5")],
)
def test_move_to_a_neighbour_on_the_ring_or_on_the_next_ring_and_no_diagonals(pawn: str, targets: str) -> None:
    assert legal(lay(pawn, "a4"), pawn) == {f"{pawn}-{target}" for target in targets.split()}


def test_move_an_own_pawn_to_a_free_cell_only() -> None:
    position = lay("b1 b2", "c1 a4")
    assert legal(position, "b1") == {"b1-a1", "b1-b8"}
    assert not legal(position, "c1")
    assert on_track(play(position, "b1-a1"), "red") == "a1 b2"


# Flying


def test_flying_with_an_empty_reserve_and_four_pawns_moves_anywhere_and_nothing_else() -> None:
    position = lay("a1 a4 b2 c6", "c1", reserve=[0, 9])
    free = [cell for cell in NAMES if cell not in position.faces()]
    moves = {f"{pawn}-{cell}" for pawn, cell in product(("a1", "a4", "b2", "c6"), free)}
    assert legal(position) == moves
    assert len(moves) == 4 * 19
    assert position.view(None)["flying"] is True


@pytest.mark.parametrize(("red", "reserve"), [("a1 a4 b2 c6 c8", 0), ("a1 a4 b2 c6", 1), ("a1 a4 b2", 1)])
def test_no_flying_with_five_pawns_or_with_a_reserve(red: str, reserve: int) -> None:
    position = lay(red, "c1", reserve=[reserve, 9])
    assert {"b>", "a<"} < legal(position)
    assert "a1-c5" not in legal(position)
    assert legal(position, "a1") == {"a1-a2", "a1-a8", "a1-b1"}


def test_flying_off_gives_the_three_actions_whatever_the_number_of_pawns() -> None:
    position = lay("a1 a4 b6", "c1", reserve=[0, 9], options={"flying": False})
    assert legal(position) == {
        *("a>", "a<", "b>", "b<", "c>", "c<"),
        *("a1-a2", "a1-a8", "a1-b1", "a4-a3", "a4-a5", "a4-b4", "b6-b5", "b6-b7", "b6-a6", "b6-c6"),
    }


def full_track(last_turned: str | None = None) -> RingsPosition:
    """Red has four pawns, two of them with a third at c2; the others fill the track."""
    red = "a1 b1 c2 a5"
    rest = [cell for cell in NAMES if cell not in red.split()]
    return lay(red, " ".join(rest[:10]), " ".join(rest[10:]), reserve=[0, 0, 0], last_turned=last_turned)


def test_flying_with_no_free_cell_is_exactly_the_ring_turns() -> None:
    position = full_track()
    # c< brings c2 to c1, a radius line: one of ten pawns from each of two opponents.
    assert {text for text in legal(position) if "x" not in text} == {"a>", "a<", "b>", "b<", "c>"}
    assert len(legal(position, "c<x")) == 10 * 10
    assert len(legal(position)) == 105
    assert legal(full_track(last_turned="c")) == {"a>", "a<", "b>", "b<"}


def test_a_pass_never_occurs() -> None:
    assert refused(lay(), "--") == ["unknown"]
    assert refused(full_track(), "--") == ["unknown"]


# Lines


@pytest.mark.parametrize("radius", range(1, 9))
def test_a_radius_line_is_the_three_cells_of_one_radius(radius: int) -> None:
    far = f"b{(radius + 3) % 8 + 1}"
    for pawn, others in (("a", "bc"), ("b", "ac"), ("c", "ab")):
        position = lay(" ".join(f"{ring}{radius}" for ring in others), far)
        assert legal(position, f"+{pawn}{radius}") == {f"+{pawn}{radius}x{far}"}


@pytest.mark.parametrize("line", ["a1 a2 a3", "b7 b8 b1", "c8 c1 c2"])
def test_a_ring_line_is_three_consecutive_cells_of_one_ring(line: str) -> None:
    for last in line.split():
        position = lay(" ".join(cell for cell in line.split() if cell != last), "b5")
        assert legal(position, f"+{last}") == {f"+{last}xb5"}


@pytest.mark.parametrize("red", ["a1 a3", "a2 b2", "a1 b2"])
def test_three_pawns_otherwise_near_are_no_line(red: str) -> None:
    assert legal(lay(red, "b5"), "+c3") == {"+c3"}


def test_a_line_counts_only_when_all_its_pawns_are_the_movers() -> None:
    assert legal(lay("a1 a2 b4", "a4 c4 c6"), "+a3") == {"+a3xa4", "+a3xc4", "+a3xc6"}
    assert legal(lay("a1", "a2 b3 c3"), "+a3") == {"+a3"}


def test_an_old_line_of_either_kind_does_not_count_again() -> None:
    position = lay("a1 b1 c1 c4 c5 c6 b6", "a7")
    assert legal(position, "+a3") == {"+a3"}
    assert legal(position, "b6-b7") == {"b6-b7"}


def test_the_moved_pawn_is_no_longer_where_it_came_from() -> None:
    assert legal(lay("a2 a3", "c6"), "a2-a1") == {"a2-a1"}
    assert legal(lay("a2 a3 a8", "c6"), "a8-a1") == {"a8-a1xc6"}


def test_a_radius_line_made_by_a_turn_counts() -> None:
    assert legal(lay("a1 b8 c1", "b4"), "b") == {"b>xb5", "b<", "b8-b7", "b8-b1xb4", "b8-a8", "b8-c8"}


def test_three_pawns_parted_and_brought_together_by_moves_make_a_new_line() -> None:
    position = play(lay("a1 b1 c1", "c6 b5"), "b1-b2", "+a4")
    assert legal(position, "b2-b1") == {"b2-b1xa4", "b2-b1xb5", "b2-b1xc6"}


def test_three_pawns_parted_and_brought_together_by_turns_make_a_new_line() -> None:
    """b> takes b1 away to radius 2; a> and c> bring the other two after it."""
    position = play(lay("a1 b1 c1", "c6 b5"), "b>", "+a5", "a>", "+a4")
    assert legal(position, "c>") == {"c>xa4", "c>xa6", "c>xb6", "c>xc7"}
    assert legal(position, "c<") == {"c<"}


def test_turning_never_makes_a_ring_line() -> None:
    position = lay("a1 a2 a3 b4", "c6", reserve=[5, 9])
    assert {"a>", "a<", "b>", "b<", "c>", "c<"} < legal(position)
    assert spent(play(position, "a>")) == ""


def test_one_turn_makes_up_to_three_radius_lines_and_takes_for_each_of_them() -> None:
    position = lay("a1 b1 c2 a3 b3 c4 a5 b5 c6", "a2 a4 b2 b4 c8", "a6 a7", reserve=[1, 0, 1])
    found = legal(position, "c<")
    assert len(found) == comb(5, 3) * 1
    assert "c<xa2,a4,a6,a7,b2" in found
    assert "c<xa6,a7,b2,b4,c7" in found


# Spent ends


def test_the_two_ends_of_a_ring_line_are_spent_and_the_middle_is_not() -> None:
    for last in ("a1", "a2", "a3"):
        red = " ".join(cell for cell in ("a1", "a2", "a3") if cell != last)
        assert spent(play(lay(red, "b5"), f"+{last}xb5")) == "a1 a3"


def test_a_radius_line_spends_nobody() -> None:
    assert spent(play(lay("a1 b1", "b5"), "+c1xb5")) == ""
    assert spent(play(lay("a1 b8 c1", "b5"), "b>xb6")) == ""


@pytest.mark.parametrize("text", ["+a4", "+b3", "b>", "b1-b2", "c4-b4"])
def test_a_spent_pawn_is_in_no_new_line_of_either_kind(text: str) -> None:
    """a3 is spent: ring line a3 a4 a5; radius line a3 b3 c3 by placing; nor a1 b1 c1 by a turn; nor by a move."""
    position = {
        "+a4": lay("a3 a5", "c7", spent="a3"),
        "+b3": lay("a3 c3", "c7", spent="a3"),
        "b>": lay("a3 b2 c3", "c7", spent="b2"),
        "b1-b2": lay("a2 c2 b1", "c7", spent="c2"),
        "c4-b4": lay("b2 b3 c4", "c7", spent="b2"),
    }[text]
    assert legal(position, text) == {text}
    unspent = RingsPosition(position.rules, 2, 0, position.pawns, position.reserve)
    assert all("x" in found for found in legal(unspent, text))


def test_the_middle_pawn_can_be_in_another_line_at_once() -> None:
    position = play(lay("a1 a2 b2", "b5 b6"), "+a3xb5", "+b8")
    assert legal(position, "+c2") == {"+c2xb6", "+c2xb8"}


def test_carried_by_a_turning_ring_is_not_moved() -> None:
    position = play(lay("a3 b4 c4", "c7", spent="a3"), "a>")
    assert spent(position) == "a4"
    assert "x" not in "".join(legal(lay("a3 b4 c4", "c7", spent="a3"), "a>"))


def test_only_moving_itself_ends_being_spent() -> None:
    assert spent(play(lay("a3 b5", "c7", spent="a3"), "a3-a4")) == ""
    assert spent(play(lay("a3 b5 c1", "c7", spent="a3", reserve=[0, 9]), "a3-c8")) == ""
    assert spent(play(lay("a3 b5", "c7", spent="a3"), "b5-b6")) == "a3"
    assert spent(play(lay("a3 b5", "c7", spent="a3"), "+a2")) == "a3"


def test_the_moved_pawn_loses_its_mark_first_and_can_be_in_a_line_made_by_that_very_move() -> None:
    position = lay("a3 b2 c2", "c7", spent="a3")
    assert legal(position, "a3-a2") == {"a3-a2xc7"}
    ring = play(lay("b1 b2 a3", "c7", spent="a3"), "a3-b3xc7")
    assert spent(ring) == "b1 b3"


def test_a_ring_line_and_a_radius_line_at_once_are_two_lines() -> None:
    position = lay("a1 a2 b3 c3", "c5 c6 c7")
    assert legal(position, "+a3") == {"+a3xc5,c6", "+a3xc5,c7", "+a3xc6,c7"}
    assert spent(play(position, "+a3xc5,c6")) == "a1 a3"


# Which ring line


@pytest.mark.parametrize(
    ("red", "marks", "clockwise", "counter"),
    [
        ("a1 a2 a4 a5", "", "a1 a3", "a3 a5"),
        ("a1 a2 a4", "", "a1 a3", "a2 a4"),
        ("a2 a4 a5", "", "a2 a4", "a3 a5"),
        ("a1 a2 a4 a5", "a1", "a1 a2 a4", "a1 a3 a5"),
        ("a1 a2 a4 a5", "a2", "a2 a3 a5", "a2 a3 a5"),
        ("a1 a2 a4 a5", "a5", "a1 a3 a5", "a2 a4 a5"),
    ],
)
def test_the_first_ring_line_counts_and_no_other(red: str, marks: str, clockwise: str, counter: str) -> None:
    """A pawn on a3: lines from a1, a2, a3 in this order, or mirrored in the order a5, a4, a3."""
    for choice, ends in (("first-clockwise", clockwise), ("first-counterclockwise", counter)):
        position = lay(red, "c5 c6", spent=marks, options={"ring_line_choice": choice})
        assert legal(position, "+a3") == {"+a3xc5", "+a3xc6"}
        assert spent(play(position, "+a3xc5")) == ends


def test_the_order_goes_on_round_the_ring() -> None:
    for choice, ends in (("first-clockwise", "c1 c7"), ("first-counterclockwise", "c1 c3")):
        position = lay("c7 c8 c2 c3", "a5", options={"ring_line_choice": choice})
        assert spent(play(position, "+c1xa5")) == ends


# Capture


def test_one_pawn_of_each_opponent_at_the_movers_choice_compulsory() -> None:
    position = lay("a1 a2", "b4 b5", "c6 c7 c8")
    wanted = {f"+a3x{yellow},{green}" for yellow, green in product(("b4", "b5"), ("c6", "c7", "c8"))}
    assert legal(position, "+a3") == wanted


def test_opponents_without_a_pawn_on_the_track_give_none_and_their_reserve_is_never_touched() -> None:
    position = lay("a1 a2", "", "c6")
    assert legal(position, "+a3") == {"+a3xc6"}
    assert play(position, "+a3xc6").reserve == (7, 10, 9)


def test_two_lines_take_all_there_is_if_there_are_fewer() -> None:
    position = lay("a1 a2 b3 c3", "c5", "c6 c7 c8")
    assert legal(position, "+a3") == {"+a3xc5,c6,c7", "+a3xc5,c6,c8", "+a3xc5,c7,c8"}


def test_taken_pawns_leave_the_match_with_their_marks() -> None:
    position = play(lay("a1 a2", "b5 b6", spent="b5"), "+a3xb5")
    assert on_track(position, "yellow") == "b6"
    assert position.view(None)["taken"] == [0, 1]
    assert spent(position) == "a1 a3"


def test_players_who_are_out_are_taken_from_too() -> None:
    position = lay("a1 a2", "b5 b7", "c6", reserve=[8, 0, 9])
    assert position.view(None)["out"] == [1]
    assert legal(position, "+a3") == {"+a3xb5,c6", "+a3xb7,c6"}


def test_with_no_opponent_on_the_track_the_line_counts_without_an_x() -> None:
    position = lay("a1 a2")
    assert legal(position, "+a3") == {"+a3"}
    assert spent(play(position, "+a3")) == "a1 a3"


def test_lines_made_for_others_count_for_nobody() -> None:
    position = lay("c6 a4", "a1 b8 c1")
    assert legal(position, "b>") == {"b>"}
    after = play(position, "b>")
    assert on_track(after, "yellow") == "a1 b1 c1"
    assert legal(after, "+a2") == {"+a2"}


# End


def test_a_player_with_two_pawns_or_less_is_out_at_once_his_pawns_stay_and_he_is_skipped() -> None:
    position = play(lay("a1 a2", "b5 b7", "c6", reserve=[8, 1, 9]), "+a3xb5,c6")
    assert position.view(None)["out"] == [1]
    assert on_track(position, "yellow") == "b7"
    assert position.seat == 2
    assert play(position, "+c6").seat == 0


def test_a_player_with_three_pawns_is_not_out() -> None:
    position = play(lay("a1 a2", "b5 b7", "c6", reserve=[8, 2, 9]), "+a3xb5,c6")
    assert position.view(None)["out"] == []
    assert position.seat == 1


def test_the_last_player_left_wins() -> None:
    position = play(lay("a1 a2", "b5 b6 b8", reserve=[8, 0]), "+a3xb6")
    assert position.outcome == Outcome((0,), "last")
    assert position.outcome.record() == {"winner": 0, "by": "last"}
    assert position.seat is None
    assert position.legal() == ()
    assert on_track(position, "yellow") == "b5 b8"


# Notation


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("+b3", Place(10)),
        ("b>", Turn(1, True)),
        ("b<", Turn(1, False)),
        ("b3-b4", Move(10, 11)),
        ("+b3xa1,c4", Place(10, 1 << 0 | 1 << 19)),
        ("c<xa8", Turn(2, False, 1 << 7)),
        ("a1-c8xb1,b2", Move(0, 23, 3 << 8)),
        ("--", Pass()),
    ],
)
def test_canonical_texts_are_read_and_written(text: str, action: object) -> None:
    assert GAME.configure().parse(text) == action
    assert str(action) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "+", "b3", "+d1", "+a0", "+a9", "+A1", " +a1", "+a1 ", "b", "b>>", "d>", "b3-", "b3-b9", "b3xb4", "+b3x"),
        *("+b3xc4,a1", "+b3xa1,a1", "+b3xa1,", "+b3x,a1", "+b3xa1xc4", "+b3xa2,a10", "+b3,c4", "---", "+b3\n"),
    ],
)
def test_anything_else_is_not_an_action(text: str) -> None:
    with pytest.raises(InvalidActionError):
        GAME.configure().parse(text)


def test_taken_cells_as_they_stand_after_the_turn_in_cell_order_not_by_opponent() -> None:
    position = lay("a1 b8 c1", "b3 c8", "a4 b4")
    assert legal(position, "b>") == {"b>xa4,b4", "b>xa4,c8", "b>xb4,b5", "b>xb5,c8"}
    after = play(position, "b>xb4,b5")
    assert spelled(after.faces()) == {"a1": "red", "b1": "red", "c1": "red", "c8": "yellow", "a4": "green"}


def test_the_setup_is_empty_and_there_are_no_variants() -> None:
    rules = GAME.configure()
    assert (GAME.title, rules.variant, rules.house_rules) == ("Trois Anneaux", None, {})
    assert rules.deal(2, Random(0)) == {}
    assert rules.options == {"flying": True, "ring_line_choice": "first-clockwise"}
    with pytest.raises(UnknownNameError):
        GAME.configure("complex")


# At a real table

BROKEN = [
    (lay("b3", "c4"), "+c4", ["place.occupied"]),
    (lay("b3", "c4"), "+b3xc4", ["place.occupied"]),
    (lay("a1 a3 a5 b1 b3", "c4", reserve=[0, 9]), "+c6", ["place.no-reserve"]),
    (lay("a1 a3 a5 b1", "c4", reserve=[0, 9]), "+c6", ["place.flying", "place.no-reserve"]),
    (lay("b3", "c4", last_turned="b"), "b<", ["turn.same-ring"]),
    (lay("a1 a3 a5 b1", "c4", reserve=[0, 9]), "b<", ["turn.flying"]),
    (lay("a1 a3 a5 b1", "c4", reserve=[0, 9], last_turned="b"), "b>", ["turn.flying", "turn.same-ring"]),
    (full_track(last_turned="b"), "b>", ["turn.same-ring"]),
    (lay("b3", "c4"), "b3-c4", ["move.occupied", "move.not-neighbour"]),
    (lay("b3 b4", "c4"), "b3-b4", ["move.occupied"]),
    (lay("b3", "c4"), "b3-a4", ["move.not-neighbour"]),
    (lay("a3", "c4"), "a3-c3", ["move.not-neighbour"]),
    (lay("b3", "c4"), "c4-c5", ["move.foreign"]),
    (lay("b3", "c4"), "c4-c6xb3", ["move.foreign", "move.not-neighbour", "capture.no-line"]),
    (lay("a1 a3 a5 b1", "c4", reserve=[0, 9]), "a1-c4", ["move.occupied"]),
    (lay("b3", "c4"), "a1-a2", ["unknown"]),
    (lay("b3", "c4"), "b3-b3", ["unknown"]),
    (lay("a1 a2", "c4 c5"), "+a3", ["capture.missing"]),
    (lay("a1 a2", "c4 c5", "c7"), "+a3", ["capture.missing", "capture.missing"]),
    (lay("a1 a2 b3 c3", "c4 c5"), "+a3xc4", ["capture.missing"]),
    (lay("a1 a2", "c4 c5"), "+a3xc4,c5", ["capture.too-many"]),
    (lay("a1 a2", "c4 c5", "c7"), "+a3xc4,c5", ["capture.too-many", "capture.missing"]),
    (lay("a1 a2", "c4 c5"), "+a3xa1", ["capture.own", "capture.missing"]),
    (lay("a1 a2", "c4 c5"), "+a3xa3,c4", ["capture.own"]),
    (lay("a1 a2", "c4 c5"), "+a3xb7,c4", ["unknown"]),
    (lay("a1 a2", "c4 c5"), "+a3xb7", ["capture.missing", "unknown"]),
    (lay("a1 a2", "c4 c5"), "+a4xc4", ["capture.no-line"]),
    (lay("a1 a2", "c4 c5"), "+a4xa1", ["capture.no-line", "capture.own"]),
    (lay("a1 a2 a3", "c4 c5"), "a>xc4", ["capture.no-line"]),
    (lay("a1 b1 c1", "c4 c5"), "+a4xc4", ["capture.no-line"]),
    (lay("a1 a2", "c4 c5", spent="a2"), "+a3xc4", ["capture.spent", "capture.no-line"]),
    (lay("a1 b8 c1", "c4 c5", spent="b8"), "b>xc4", ["capture.spent", "capture.no-line"]),
    (lay("a1 b1", "c4 c5", spent="b1"), "+c1xc4", ["capture.spent", "capture.no-line"]),
    (lay("a1 a2 b3 c3", "c4 c5", spent="b3"), "+a3xc4,c5", ["capture.spent", "capture.too-many"]),
    (lay("a1 a2 a4 a5", "c4 c5", spent="a5"), "+a3xc4,c5", ["capture.too-many"]),
    (lay("a1 a2", "c4 c5", last_turned="b"), "b>xc4", ["turn.same-ring", "capture.no-line"]),
]


@pytest.mark.parametrize(("position", "text", "codes"), BROKEN, ids=[f"{text}-{codes[0]}" for _, text, codes in BROKEN])
def test_every_rule_broken_most_telling_first(position: RingsPosition, text: str, codes: list[str]) -> None:
    assert refused(position, text) == codes
    with pytest.raises(IllegalActionError):
        play(position, text)


def test_refusals_name_sites_and_facts_that_fill_their_sentence() -> None:
    for position, text, _ in BROKEN:
        for refusal in position.refusals(position.rules.parse(text)):
            sentence = GAME.sentences[refusal.rule].format(**refusal.facts)
            assert refusal.sites
            # A ring is named by its letter, an impossible action by its text.
            if refusal.rule not in {"turn.same-ring", "turn.flying", "unknown"}:
                assert all(site in sentence for site in refusal.sites)


def test_the_facts_of_a_missing_capture_and_of_a_spent_line() -> None:
    position = lay("a1 a2 b3 c3", "c4 c5 c6", "b7", reserve=[6, 7, 9])
    (missing,) = position.refusals(position.rules.parse("+a3xb7,c4"))
    assert (missing.sites, dict(missing.facts)) == (
        ("c4", "c5", "c6"),
        {"sites": "c4, c5, c6", "colour": "yellow", "number": 1, "wanted": 2},
    )
    position = lay("a1 a2", "c4", spent="a1")
    claimed = position.refusals(position.rules.parse("+a3xc4"))[0]
    assert (claimed.sites, claimed.facts["spent"]) == (("a1", "a2", "a3"), "a1")


def test_out_of_turn_and_after_the_end() -> None:
    position = lay("b3", "c4")
    assert [r.rule for r in position.refusals(position.rules.parse("+a1"), by=1)] == ["not-your-turn"]
    over = play(lay("a1 a2", "b5 b6 b8", reserve=[8, 0]), "+a3xb6")
    assert refused(over, "+c1") == ["game-over"]


def test_there_is_a_sentence_for_every_code_of_the_page_and_no_other() -> None:
    assert set(GAME.sentences) == set(CODES)
    known = {"sites", "number", "wanted", "colour", "ring", "spent", "action"}
    for sentence in GAME.sentences.values():
        assert {name for _, name, _, _ in Formatter().parse(sentence) if name} <= known


# Set-ups, view, picture


@pytest.mark.parametrize(
    "setup",
    [
        *({"pawns": {}}, {"sites": ["b3"]}, {"sites": {"d1": "red"}}, {"sites": {"a1": "green"}}),
        *({"sites": {"a1": ["red"]}}, {"sites": dict.fromkeys(NAMES[:11], "red")}),
        *({"reserve": [10]}, {"reserve": [10, -1]}, {"reserve": [10, True]}, {"reserve": "many"}),
        *({"sites": {"a1": "red"}, "reserve": [10, 10]}, {"reserve": [10, 2]}, {"reserve": [10, 2], "seat": 1}),
        *({"spent": ["a1"]}, {"spent": "a1"}, {"spent": [["a1"]]}),
        *({"last_turned": "d"}, {"last_turned": 1}, {"last_turned": ""}),
        *({"seat": 2}, {"seat": True}, {"seat": None}),
    ],
)
def test_a_setup_that_describes_no_table_is_refused_in_one_line(setup: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetupError) as caught:
        GAME.configure().start(2, setup)
    assert "\n" not in str(caught.value)


def test_a_setup_laid_by_hand() -> None:
    sites = {"b3": "red", "c4": "yellow"}
    setup = {"sites": sites, "reserve": [9, 4], "spent": ["b3"], "last_turned": "b", "seat": 1}
    position = GAME.configure().start(2, setup)
    assert position.setup() == setup
    assert {key: position.view(0)[key] for key in setup} == setup
    assert (position.view(0)["taken"], position.view(0)["result"]) == ([0, 5], None)


def test_the_picture_shows_names_pawns_and_marks() -> None:
    words = lay("b3", "c4", spent="b3", last_turned="c").draw().split()
    assert {"b3=R*", "c4=Y"} < set(words)
    assert all(words.count(cell) == (cell not in ("b3", "c4")) for cell in NAMES)
    lines = lay().draw().splitlines()
    assert lines[0].strip() == "c1"
    assert [word for line in lines if "a3" in line for word in line.split()] == ["c7", "b7", "a7", "a3", "b3", "c3"]
    assert lines[-1].startswith("in reserve: red 10  yellow 10")


# Whatever is played


@settings(max_examples=60, deadline=None)
@given(players=st.sampled_from((2, 3, 4)), seed=st.integers(0, 2**32), flying=st.booleans())
def test_what_never_changes_in_any_match(players: int, seed: int, flying: bool) -> None:
    pick = Random(seed)
    rules = GAME.configure(options={"flying": flying})
    position = rules.start(players, {})
    for _ in range(120):
        if not (actions := position.legal()):
            assert position.outcome is not None
            break
        view = position.view(None)
        counts = Counter(view["sites"].values())
        assert all(counts[COLOURS[seat]] + view["reserve"][seat] + view["taken"][seat] == 10 for seat in range(players))
        assert set(view["spent"]) <= set(view["sites"])
        assert position.seat not in view["out"]
        assert len({str(action) for action in actions}) == len(actions)
        assert rules.start(players, json.loads(json.dumps(position.setup()))) == position
        # Takes are preferred: otherwise few random matches come to their end.
        position = position.play(pick.choice([action for action in actions if "x" in str(action)] or actions))


CELLS = st.sampled_from(range(24))
TAKEN = st.sets(CELLS, max_size=3).map(lambda cells: sum(1 << cell for cell in cells))
ACTIONS = st.one_of(
    st.builds(Place, CELLS, TAKEN),
    st.builds(Turn, st.sampled_from(range(3)), st.booleans(), TAKEN),
    st.builds(Move, CELLS, CELLS, TAKEN),
)


@st.composite
def positions(draw: st.DrawFn) -> RingsPosition:
    """A crowded track, so that lines and spent pawns are common."""
    track = draw(st.lists(st.sampled_from(["", "red", "red", "yellow", "green"]), min_size=24, max_size=24))
    sites: dict[str, str] = {}
    for cell, colour in zip(NAMES, track, strict=True):
        if colour and list(sites.values()).count(colour) < 10:
            sites[cell] = colour
    counts = Counter(sites.values())
    reserve = [draw(st.integers(0, 10 - counts[colour])) for colour in COLOURS[:3]]
    playing = [seat for seat in range(3) if counts[COLOURS[seat]] + reserve[seat] > 2]
    if len(playing) < 2:
        reserve, playing = [10 - counts[colour] for colour in COLOURS[:3]], [0, 1, 2]
    setup = {
        "sites": sites,
        "reserve": reserve,
        "spent": [cell for cell in sites if draw(st.integers(0, 3)) == 0],
        "last_turned": draw(st.sampled_from([None, "a", "b", "c"])),
        "seat": draw(st.sampled_from(playing)),
    }
    position = GAME.configure().start(3, setup)
    assert isinstance(position, RingsPosition)
    return position


@settings(max_examples=300, deadline=None)
@given(position=positions(), action=ACTIONS)
def test_an_action_is_refused_exactly_when_it_is_not_legal(
    position: RingsPosition, action: Place | Turn | Move
) -> None:
    found = position.legal()
    broken = [refusal.rule for refusal in position.objections(action)]
    assert (action in found) == (not broken)
    assert set(broken) <= set(CODES)
    for one in found[:: max(1, len(found) // 50)]:
        assert list(position.objections(one)) == []
        assert position.rules.parse(str(one)) == one
