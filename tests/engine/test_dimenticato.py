"""Dimenticato, sentence by sentence of its rules page, on plans worked out by hand.

The 5×5 plan of four players: red's big card holds e1 f1 e2 f2, the cards before it c and d, after it g and h; i1 j1 i2
j2 are the top-right corner card, and yellow's big card holds i5 j5 i6 j6. The lanes of the top side are rows 1 (outer)
and 2 (inner).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import (
    COLOURS,
    IllegalActionError,
    InvalidActionError,
    InvalidSetupError,
    Json,
    Outcome,
    Position,
    Rules,
    UnknownNameError,
)
from engine.face import spelled
from engine.games.dimenticato.plan import DEFAULT_PLANS, Plan, bits
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.registry import find_game

GAME = find_game("dimenticato")
RULES = GAME.configure()
ONE_LAP = GAME.configure(options={"extra_lap": False})
HOME = "@1* @2* @3* @4*"

CODES = {
    *("move.count", "move.bends", "move.backward", "move.corner", "move.own", "move.safe", "move.foreign"),
    *("setback.wrong", "setback.missing", "setback.impossible", "start.foreign"),
    *("opening.count", "opening.card", "opening.first", "goal.occupied", "call.wrong"),
    *("two-actions", "not-your-turn", "game-over", "unknown"),
}
Measures = tuple[int, int, tuple[int, ...]]


def plain_setup(players: int = 4, dice: Mapping[str, str] | None = None, plan: Measures | None = None) -> Json:
    """All dice blue ones, but for those given as `{"g1": "4 red"}`."""
    laid = Plan(*(plan or DEFAULT_PLANS[players]))
    fields: dict[str, object] = {name: {"pips": 1, "colour": "blue"} for name in laid.names[: laid.size]}
    for name, die in (dice or {}).items():
        pips, _, colour = die.partition(" ")
        assert name in fields
        fields[name] = {"pips": int(pips), "colour": colour or "blue"}
    return {"width": laid.width, "height": laid.height, "big": list(laid.big), "fields": fields}


def started(players: int, setup: Json, rules: Rules = RULES) -> DimenticatoPosition:
    position = rules.start(players, setup)
    assert isinstance(position, DimenticatoPosition)
    return position


def table(
    players: int = 4,
    dice: Mapping[str, str] | None = None,
    *,
    seat: int = 0,
    known: Sequence[str] = (),
    rules: Rules = RULES,
    plan: Measures | None = None,
    **figures: str,
) -> DimenticatoPosition:
    """A position in progress: `red="g1 @1 @2*"`, with a star on a figure that has not been out; others are at home."""
    sites: dict[str, str] = {}
    unopened: list[str] = []
    for colour in COLOURS[:players]:
        for text in figures.pop(colour, HOME).split():
            name = text.rstrip("*")
            name = f"{colour}{name}" if name.startswith("@") else name
            sites[name] = colour
            unopened += [name] * text.endswith("*")
    assert not figures
    position = {"sites": sites, "unopened": unopened, "known": list(known), "seat": seat}
    return started(players, plain_setup(players, dice, plan) | {"position": position}, rules)


def start(players: int = 4, seed: int = 1) -> DimenticatoPosition:
    return started(players, RULES.deal(players, Random(seed)))


def texts(position: Position, prefix: str = "") -> str:
    """The legal actions that begin so, as one sorted line without the beginning."""
    return " ".join(sorted(str(action)[len(prefix) :] for action in position.legal() if str(action).startswith(prefix)))


def line(words: str) -> str:
    return " ".join(sorted(words.split()))


def codes(position: Position, text: str, by: int | None = None) -> list[str]:
    return [refusal.rule for refusal in position.refusals(RULES.parse(text), by)]


def play(position: DimenticatoPosition, *actions: str) -> DimenticatoPosition:
    for text in actions:
        position = position.play(RULES.parse(text))
    return position


def from_field(origin: str, number: int, *, rules: Rules = RULES, colour: str = "red", home: str = "@1 @2 @3") -> str:
    """Where a lone figure gets to with its number; its fellows are in the goal unless told otherwise."""
    seat = COLOURS.index(colour)
    position = table(4, {origin: str(number)}, seat=seat, rules=rules, plan=None, **{colour: f"{origin} {home}"})
    return texts(position, f"{origin}:{number}-")


# Plan


@pytest.mark.parametrize(
    ("players", "width", "height", "cards", "fields", "big"),
    [(2, 3, 3, 8, 32, [1, 5]), (3, 5, 3, 12, 48, [1, 5, 9]), (4, 5, 5, 16, 64, [2, 6, 10, 14])],
)
def test_the_plan_that_is_dealt(
    players: int, width: int, height: int, cards: int, fields: int, big: Sequence[int]
) -> None:
    setup = RULES.deal(players, Random(0))
    assert (setup["width"], setup["height"], setup["big"], len(setup["fields"])) == (width, height, big, fields)
    plan = started(players, setup).plan
    assert (len(plan.cards), plan.size) == (cards, fields)
    assert not plan.corners & set(big)


def test_positions_run_clockwise_from_the_top_left_card() -> None:
    assert Plan(3, 3, (1, 5)).cards == ((0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1))
    assert Plan(3, 3, (1, 5)).corners == {0, 2, 4, 6}
    assert Plan(5, 3, (1, 5, 9)).corners == {0, 4, 6, 10}


def test_fields_are_named_by_column_and_row_and_the_hole_has_none() -> None:
    names = Plan(3, 3, (1, 5)).names[:32]
    assert names[:6] == ("a1", "b1", "c1", "d1", "e1", "f1")
    assert names[-1] == "f6"
    assert set(names).isdisjoint({"c3", "d3", "c4", "d4"})
    assert len(set(names)) == 32


@pytest.mark.parametrize(
    ("seat", "beside"),
    [(0, "@1 f1 @2 e1"), (1, "@1 j6 @2 j5"), (2, "@1 e10 @2 f10"), (3, "@1 a5 @2 a6")],
)
def test_start_fields_lie_against_the_outer_edge_forward_first(seat: int, beside: str) -> None:
    """`@1` and `@2` touch the track, forward and rear; `@3` and `@4` are the outer row behind them."""
    plan = Plan(*DEFAULT_PLANS[4])

    def place(text: str) -> tuple[int, int]:
        return plan.places[plan.index[f"{COLOURS[seat]}{text}" if text.startswith("@") else text]]

    one, front, two, rear = (place(text) for text in beside.split())
    three, four = place("@3"), place("@4")
    outward = (one[0] - front[0], one[1] - front[1])
    assert abs(outward[0]) + abs(outward[1]) == 1
    assert (two[0] - rear[0], two[1] - rear[1]) == outward
    assert (three[0] - one[0], three[1] - one[1]) == outward
    assert (four[0] - two[0], four[1] - two[1]) == outward
    assert one not in plan.places[: plan.size]
    forward = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}[seat]
    assert (one[0] - two[0], one[1] - two[1]) == forward


@pytest.mark.parametrize(
    ("players", "width", "height", "big", "allowed"),
    [
        (3, 4, 4, (1, 5, 9), False),  # corners 0 3 6 9
        (3, 4, 4, (0, 4, 8), False),
        (3, 4, 4, (2, 6, 10), False),
        (3, 4, 4, (3, 7, 11), False),
        (3, 3, 5, (1, 5, 9), True),  # corners 0 2 6 8
        (3, 3, 5, (5, 9, 1), True),
        (3, 3, 5, (2, 6, 10), False),
        (4, 7, 3, (1, 5, 9, 13), True),
        (4, 7, 3, (2, 6, 10, 14), False),
        (4, 6, 4, (2, 6, 10, 14), True),  # corners 0 5 8 13
        (4, 6, 4, (1, 5, 9, 13), False),
        (2, 3, 3, (7, 3), True),
    ],
)
def test_other_rectangles_and_no_big_card_on_a_corner(
    players: int, width: int, height: int, big: tuple[int, ...], allowed: bool
) -> None:
    setup = plain_setup(players, plan=(width, height, big))
    if allowed:
        assert len(RULES.start(players, setup).legal()) == 20
    else:
        with pytest.raises(InvalidSetupError, match="corner"):
            RULES.start(players, setup)


def test_two_corners_close_together_on_a_flat_rectangle() -> None:
    """7×3, from n2 with a 6: down the short side, then west from n5 to k5, or from n6 (or n5 and l5) to l6."""
    position = table(4, {"n2": "6"}, plan=(7, 3, (1, 5, 9, 13)), red="n2 @1 @2 @3")
    assert texts(position, "n2:6-") == line("k5 l6")


@pytest.mark.parametrize("seed", range(5))
def test_the_default_deck(seed: int) -> None:
    """Each card has the four colours once; four numbers come 11 times, two 10 times, over all 16 cards."""
    position = start(4, seed)
    assert sorted(Counter(position.dice.pips).values()) == [10, 10, 11, 11, 11, 11]
    for players in (2, 3, 4):
        position = start(players, seed)
        assert max(Counter(position.dice.pips).values()) <= 11
        for fields in position.plan.card_fields:
            assert sorted(position.dice.colours[field] for field in bits(fields)) == [0, 1, 2, 3]


def test_cards_and_their_turn_are_shuffled_from_the_seed() -> None:
    assert RULES.deal(4, Random(7)) == RULES.deal(4, Random(7))
    assert RULES.deal(4, Random(7)) != RULES.deal(4, Random(8))
    assert len({start(2, seed).dice.colours[0] for seed in range(40)}) == 4
    rare = {number for seed in range(40) for number, times in Counter(start(4, seed).dice.pips).items() if times == 10}
    assert rare == {1, 2, 3, 4, 5, 6}


def test_options_and_no_variants() -> None:
    assert (GAME.title, dict(GAME.variants)) == ("Dimenticato", {})
    assert RULES.options == {"extra_lap": True}
    assert RULES.variant is None
    with pytest.raises(UnknownNameError):
        GAME.configure("original")


# Direction


@pytest.mark.parametrize(
    ("origin", "reached"),
    [("c1", "d1 c2"), ("c2", "d2 c1"), ("j3", "j4 i3"), ("i3", "i4 j3"), ("h10", "g10 h9"), ("a8", "a7 b8")],
)
def test_clockwise_forward_or_sideways_never_backward(origin: str, reached: str) -> None:
    """The top side runs east, right south, bottom west, left north."""
    assert from_field(origin, 1) == line(reached)


@pytest.mark.parametrize(
    ("origin", "reached"),
    [
        ("i1", "j1 i2"),
        ("j1", "j2"),
        ("i2", "j2 i3"),
        ("j2", "j3"),
        ("j9", "j10 i9"),
        ("i10", "h10"),
        ("b10", "a10 b9"),
        ("a10", "a9"),
        ("a9", "a8"),
        ("a2", "a1 b2"),
        ("b2", "b1 c2"),
        ("b1", "c1"),
    ],
)
def test_a_corner_card_leads_only_on_in_the_directions_of_its_two_sides(origin: str, reached: str) -> None:
    assert from_field(origin, 1) == line(reached)


def test_the_card_where_a_step_starts_decides_which_steps_there_are() -> None:
    """From h2, on a side card, north is sideways to h1; from i2, on the corner card, it is no step at all."""
    assert from_field("h2", 1) == line("h1 i2")
    assert from_field("i2", 2) == line("j3 i4")
    assert from_field("h1", 2) == line("j1 i2")


def test_on_a_corner_card_a_change_of_direction_is_a_right_turn() -> None:
    """h1 h2 i2 i1 would turn left on i2; along a side the same way (c1 c2 d2 d1) is legal."""
    assert "d1" in from_field("c1", 3).split()
    assert from_field("h1", 3) == line("j2 i3")
    assert codes(table(red="h1 @1 @2 @3", dice={"h1": "3"}), "h1:3-i1") == ["move.corner", "move.count"]


def test_after_the_corner_card_a_left_turn_is_possible_again() -> None:
    """i2 i3 j3 turns left on i3, a card of the right side; so does i1 i2 i3 j3."""
    position = table(red="i2 @1 @2 @3", dice={"i2": "4"})
    assert texts(position, "i2:4-") == line("i6 j5 i4")


@pytest.mark.parametrize(
    ("number", "reached"),
    [(1, "d1 c2"), (2, "e1 d2"), (3, "f1 e2 d1"), (4, "g1 f2 e1"), (5, "h1 g2 f1"), (6, "i1 h2 g1")],
)
def test_a_move_has_at_most_two_changes_of_direction(number: int, reached: str) -> None:
    """Straight on; one lane change; from three on, out to the other lane and back. Nothing with three or more turns."""
    # On yellow's way: the start fields against e and f are not his.
    assert from_field("c1", number, colour="yellow") == line(reached)


def test_no_turn_by_180_degrees_and_no_field_twice() -> None:
    """With a 2 a figure cannot step sideways and back, with a 6 it cannot circle: its own field is never a landing."""
    for number in range(1, 7):
        for origin in ("c1", "i1", "i2", "a2", "e1", "f2"):
            assert origin not in from_field(origin, number).split()
    assert from_field("c1", 2) == line("e1 d2")


def test_figures_own_or_foreign_are_jumped_and_each_field_counts() -> None:
    free = table(red="c1 i9 @2 @3", dice={"c1": "4"})
    full = table(red="c1 d1 d2 @2", yellow="e2 c2 @1 @2", green="f1 @1 @2 @3", dice={"c1": "4"})
    assert texts(full, "c1:4-") == texts(free, "c1:4-") == line("g1 f2 e1 @1 @4")


def test_the_first_step_sets_the_direction_freely() -> None:
    """c1 c2 d2 e2 f2 f1 has two changes of direction: the first sideways step is none."""
    assert "f1" in from_field("c1", 5).split()


def test_steps_and_turns_inside_the_block_count() -> None:
    """From @4 the nearest field beyond is four steps away, and @4 @3 @1 f1 g1 g2 would be a third turn."""
    assert texts(table(red="@4* i1 i2 j1"), "@4-") == line("g1 g2 h1")
    assert texts(table(red="@1* i9 i10 j9"), "@1-") == line("g1 g2 h1 h2 i1 i2 j1")
    # In the goal: d1 e1 @2 @1 @3 turns three times, so a 4 gets to @3 only over f1 @1 or over @4.
    assert from_field("d1", 3, home="i1 i2 j1") == line("g1 f2 e1 @1 @4")
    assert from_field("d2", 4, home="i1 i2 j1") == line("h2 g1 f2 @1 @4")


def test_actions_differ_by_origin_landing_and_set_back_only() -> None:
    """g1 can be reached from @1 with two and with four fields: one action."""
    listed = [str(action) for action in start().legal()]
    assert listed.count("@1-g1") == 1
    assert len(set(listed)) == len(listed)


# Turn: the opening


def test_the_openings_counted_by_hand() -> None:
    """Fields 2 to 5 steps away beyond the big card: seven from @1, five from @2 and @3, three from @4."""
    position = start(4)
    assert texts(position, "@1-") == line("g1 h1 g2 i1 h2 j1 i2")
    assert texts(position, "@2-") == line("g1 h1 g2 i1 h2")
    assert texts(position, "@3-") == line("g1 h1 g2 i1 h2")
    assert texts(position, "@4-") == line("g1 h1 g2")
    assert len(position.legal()) == 7 + 5 + 5 + 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_first_round_count_is_a_power_of_twenty(players: int) -> None:
    """Nobody's opening reaches another's, so every player has his 20 ways."""
    positions = [start(players)]
    for seat in range(min(players, 3)):
        assert all(position.seat == seat for position in positions)
        positions = [position.after(action) for position in positions for action in position.legal()]
        assert len(positions) == 20 ** (seat + 1)


def test_next_to_a_corner_the_opening_turns_with_the_track() -> None:
    """3×3: d1 is red's last field; e1 f1 e2 f2 are the corner card and e3 the first of the right side."""
    assert texts(start(2), "@1-") == line("e1 f1 e2 f2 e3 f3 e4")


def test_while_a_figure_has_not_left_home_one_of_them_must_move() -> None:
    position = table(red="@4* @1 g1 c1", dice={"g1": "2", "c1": "2"})
    assert texts(position) == line("@4-g2 @4-h1")
    assert codes(position, "c1:2-e1") == ["opening.first"]
    assert codes(position, "@1-@2") == ["opening.first"]
    assert codes(position, "g1:?") == ["opening.first"]


def test_an_opening_ends_beyond_the_own_card_and_its_block() -> None:
    position = start()
    assert codes(position, "@1-f2") == ["opening.card"]
    assert codes(position, "@1-f1") == ["opening.card", "opening.count", "move.backward"]
    assert codes(table(red="@4* @1 g1 c1"), "@4-@2") == ["opening.card"]
    assert codes(table(red="@4* @1 g1 c1"), "@4-@1") == ["opening.card", "goal.occupied"]


def test_an_opening_is_two_to_five_fields_long() -> None:
    assert codes(start(), "@1-j2") == ["opening.count"]
    assert codes(start(), "@4-i1") == ["opening.count"]


def test_from_the_block_steps_go_inward_and_forward() -> None:
    """@2 e1 d1 would go backward."""
    assert codes(start(), "@2-d1") == ["move.backward"]


def test_without_a_landing_the_turn_is_played_as_later_ones_and_the_opening_goes_on() -> None:
    position = table(red="@4* g1 g2 h1", dice={"g1": "1", "g2": "6", "h1": "2"})
    assert texts(position, "@") == ""
    # g1: only g2 and h1, both own; but it may be named wrongly all the same.
    assert texts(position, "g1") == ":?"
    assert texts(position, "h1") == line(":2-j1 :2-i2 :?")
    later = play(position, "h1:2-j1", "@1-i7", "@1-d9", "@1-a4")
    assert texts(later) == "@4-h1"


def test_entering_the_goal_and_shifts_are_possible_while_an_unopened_figure_is_stuck() -> None:
    """Yellow figures on yellow g1 g2 h1 are safe, so @4 has no landing."""
    dice = {"g1": "1 yellow", "g2": "1 yellow", "h1": "1 yellow", "e1": "1"}
    position = table(red="@4* @1 @3 e1", yellow="g1 g2 h1 @1*", dice=dice)
    assert texts(position) == line("e1:1-@2 e1:1-f1 e1:1-e2 e1:? @1-@2 @3-@2")
    assert play(position, "e1:1-@2").outcome is None


# Turn: calls


def test_the_right_number_moves_exactly_that_many_fields() -> None:
    position = table(red="c1 @1 @2 @3", dice={"c1": "5"})
    assert {str(action)[3] for action in position.legal() if ":" in str(action)} == {"5", "?"}
    after = play(position, "c1:5-h1")
    assert spelled(after.faces())["h1"] == "red"
    assert "c1" not in after.faces()
    assert after.seat == 1


def test_a_wrong_number_ends_the_turn_and_is_known_to_all() -> None:
    position = table(red="c1 @1 @2 @3", dice={"c1": "5"})
    after = play(position, "c1:?")
    assert after.figures == position.figures
    assert after.seat == 1
    assert after.view(None)["known"] == {"c1": 5}
    assert position.view(0)["known"] == {}


def test_a_known_number_is_forgotten_when_the_figure_leaves_or_another_comes() -> None:
    dice = {"c1": "5", "d1": "3"}
    position = table(red="c1 @1 @2 @3", yellow="d1 @1 @2 @3", dice=dice, known=["c1", "d1"])
    assert play(position, "c1:5-h1").view(None)["known"] == {"d1": 3}
    beaten = table(red="c1 @1 @2 @3", yellow="d1 @1 @2 @3", dice={"c1": "1", "d1": "3"}, known=["c1", "d1"])
    assert play(beaten, "c1:1xd1>b2").view(None)["known"] == {}


def test_a_right_number_without_a_landing_is_not_offered() -> None:
    """e1 with a 6 and no extra lap: the block is too near for six steps with two turns."""
    position = table(red="e1 c1 @1 @2", dice={"e1": "6", "c1": "1"}, rules=ONE_LAP)
    assert texts(position, "e1") == ":?"
    assert texts(position, "c1") == line(":1-d1 :1-c2 :?")


# Turn: the goal


@pytest.mark.parametrize(
    ("number", "inside"),
    [(1, ""), (2, "@2"), (3, "@1 @4"), (4, "@2 @3"), (5, "@1 @4"), (6, "@3")],
)
def test_into_the_goal_by_exact_count_outward_or_along_either_way(number: int, inside: str) -> None:
    """From d1. 4: f1 @1 @2 or f1 @1 @3 or @2 @4 @3. 6: d2 e2 f2 f1 @1 @3; no third turn from @1 to @2."""
    reached = [text for text in from_field("d1", number, home="i1 i2 j1").split() if text.startswith("@")]
    assert " ".join(reached) == inside


def test_from_its_own_card_a_figure_steps_outward_and_foreign_ones_do_not() -> None:
    assert from_field("e1", 1, home="i1 i2 j1") == line("@2 f1 e2")
    assert from_field("f1", 1, home="i1 i2 j1") == line("@1 g1 f2")
    assert from_field("f2", 2, home="i1 i2 j1") == line("@1 h2 g1")
    assert from_field("e1", 1, colour="yellow") == line("f1 e2")
    assert from_field("e1", 3, colour="yellow") == line("h1 g2 f1")
    assert from_field("c1", 1, home="i1 i2 j1") == line("d1 c2")


def test_inside_the_goal_never_back() -> None:
    """f1 @1 @2 e1 would come back out."""
    position = table(red="f1 i1 i2 j1", dice={"f1": "3"})
    assert texts(position, "f1:3-") == line("h2 g1 @4")
    assert "move.backward" in codes(position, "f1:3-e1")


def test_figures_in_the_block_are_jumped_also_unopened_ones_and_the_landing_must_be_free() -> None:
    dice = {"g1": "1 yellow", "g2": "1 yellow", "h1": "1 yellow", "h2": "1 yellow", "i1": "1 yellow", "f1": "2"}
    position = table(red="f1 @1* @2 c1", yellow="g1 g2 h1 h2", dice=dice)
    # @1 could still open to i1 i2 j1: no call yet.
    assert texts(position, "f1") == ""
    stuck = table(red="f1 @4* @1 c1", yellow="g1 g2 h1 @1", dice=dice)
    assert texts(stuck, "f1:2-") == line("@2 @3")
    full = table(red="f1 @4* @3 c1", yellow="g1 g2 h1 @1", dice=dice)
    assert texts(full, "f1:2-") == "@2"
    assert codes(full, "f1:2-@3") == ["goal.occupied"]


def test_running_past_the_own_card_is_the_reading_extra_lap() -> None:
    assert from_field("d1", 4, home="i1 i2 j1") == line("@2 @3 h1 g2 f1")
    assert from_field("d1", 4, home="i1 i2 j1", rules=ONE_LAP) == line("@2 @3 f1")
    assert from_field("f2", 1, home="i1 i2 j1", rules=ONE_LAP) == "f1"
    assert from_field("e2", 1, home="i1 i2 j1", rules=ONE_LAP) == line("f2 e1")
    # Other big cards are like any card, and the opening leaves the own card by its nature.
    assert from_field("j6", 1, home="i1 i2 j1", rules=ONE_LAP) == line("j7 i6")
    assert len(ONE_LAP.start(4, plain_setup()).legal()) == 20
    assert codes(table(red="d1 @1 @2 @3", dice={"d1": "4"}, rules=ONE_LAP), "d1:4-h1") == ["unknown"]


def test_foreign_start_fields_are_neither_entered_nor_crossed() -> None:
    position = table(red="d1 @1 @2 @3", yellow="f1 e2 @1 @2", dice={"f1": "3", "e2": "2"}, seat=1)
    assert "@" not in texts(position, "f1:") + texts(position, "e2:")
    assert codes(position, "f1:3-e1") == ["move.backward", "start.foreign"]


# Turn: shifts and passing


def test_a_shift_goes_to_any_free_field_of_the_block() -> None:
    """Also inward (@3-@1), also diagonally (@4-@1) whatever stands between; it needs no number."""
    position = table(red="@4 @2 @3 c1", dice={"c1": "1"})
    assert texts(position, "@") == line("4-@1 2-@1 3-@1")
    after = play(position, "@4-@1")
    assert {site for site, colour in spelled(after.faces()).items() if colour == "red"} == {
        "red@1",
        "red@2",
        "red@3",
        "c1",
    }
    assert after.seat == 1


def test_only_a_figure_that_has_been_out_shifts() -> None:
    """@4 is stuck by three own figures; it may not be shifted, and there is nobody else in the block."""
    position = table(red="@4* g1 g2 h1", dice={"g1": "2", "g2": "2", "h1": "2"})
    assert texts(position, "@") == ""
    assert codes(position, "@4-@3") == ["opening.card"]


def test_pass_is_the_only_action_when_nothing_can_move_or_shift() -> None:
    """All four on the own card with sixes, and no extra lap."""
    dice = dict.fromkeys(("e1", "e2", "f1", "f2"), "6")
    position = table(red="e1 e2 f1 f2", dice=dice, rules=ONE_LAP)
    assert texts(position) == "--"
    assert codes(position, "e1:?") == ["unknown"]
    assert play(position, "--").seat == 1
    assert play(position, "--").view(None)["known"] == {}
    assert codes(table(red="e1 e2 f1 f2", dice=dice), "--") == ["unknown"]


def test_pass_also_when_the_unopened_figure_is_stuck() -> None:
    dice = {"e1": "6", "f1": "6", "e2": "6", "g1": "1 yellow", "g2": "1 yellow", "h1": "1 yellow"}
    position = table(red="@4* e1 f1 e2", yellow="g1 g2 h1 @1*", dice=dice, rules=ONE_LAP)
    assert texts(position) == "--"


def test_one_wrong_call_for_every_own_figure_on_the_track() -> None:
    dice = {"e1": "6", "f1": "6", "e2": "6"}
    position = table(red="e1 f1 e2 @1", dice=dice, rules=ONE_LAP)
    assert texts(position) == line("@1-@2 @1-@3 @1-@4 e1:? f1:? e2:?")


# Landing


def test_a_landing_is_free_or_beats_with_every_set_back_field() -> None:
    """g1 lies three steps from d1 straight on, and from e2 with one turn."""
    position = table(red="f1 @1 @2 @3", yellow="g1 @1 @2 @3", dice={"f1": "1"})
    assert texts(position, "f1:1") == line("xg1>d1 xg1>e2 -f2")
    after = play(position, "f1:1xg1>e2")
    assert spelled(after.faces())["g1"] == "red"
    assert spelled(after.faces())["e2"] == "yellow"
    assert "f1" not in after.faces()


def test_an_opening_may_beat() -> None:
    position = table(red="@4* i1 i2 j1", yellow="g1 @1 @2 @3")
    assert texts(position, "@4") == line("xg1>d1 xg1>e2 -g2 -h1")
    after = play(position, "@4xg1>e2")
    assert spelled(after.faces())["g1"] == "red"
    assert spelled(after.faces())["e2"] == "yellow"
    assert not after.unopened & after.plan.blocks[0]


def test_on_its_own_colour_a_figure_is_safe() -> None:
    safe = table(red="f1 @1 @2 @3", yellow="g1 @1 @2 @3", dice={"f1": "1", "g1": "2 yellow"})
    assert texts(safe, "f1:1") == "-f2"
    assert codes(safe, "f1:1xg1>d1") == ["move.safe"]
    other = table(red="f1 @1 @2 @3", yellow="g1 @1 @2 @3", dice={"f1": "1", "g1": "2 red"})
    assert texts(other, "f1:1") == line("xg1>d1 xg1>e2 -f2")


def test_the_set_back_field_must_be_free_but_the_own_origin_is() -> None:
    position = table(red="d1 @1 @2 @3", yellow="g1 e2 @2 @3", dice={"d1": "3"})
    assert texts(position, "d1:3x") == "g1>d1"
    after = play(position, "d1:3xg1>d1")
    assert spelled(after.faces())["d1"] == "yellow"
    assert spelled(after.faces())["g1"] == "red"
    blocked = table(red="f1 d1 @1 @3", yellow="g1 e2 @2 @3", dice={"f1": "1"})
    assert texts(blocked, "f1:1") == "-f2"
    assert codes(blocked, "f1:1xg1>d1") == ["setback.impossible"]


@pytest.mark.parametrize(
    ("target", "fields"),
    [
        ("i1", "f1 g2"),  # g2 h2 i2 i1 would turn left on the corner, g2 g1 h1 i1 is enough
        ("j1", "g1 h2"),
        ("i2", "f2 g1"),
        ("j2", "g2 h1"),
        ("j3", "h2 i1"),
        ("i3", "g2 h1 j1"),
        ("j4", "i2 j1"),
        ("h1", "e1 f2"),
    ],
)
def test_set_back_is_three_track_steps_with_one_turn_by_the_corner_rule(target: str, fields: str) -> None:
    """For a figure that has its big card elsewhere: green's."""
    position = table(red="c10 @1 @2 @3", green=f"{target} @1 @2 @3")
    assert " ".join(sorted(position.names(position.set_backs(position.site(target), 0)))) == line(fields)


@pytest.mark.parametrize(
    ("target", "fields"),
    [
        ("g1", ""),  # e2 is on red's own card, and d1 e1 f1 g1 passes over it
        ("h1", ""),  # e1 and f2 are on it
        ("i1", "g2"),  # f1 is on it
        ("g2", ""),
        ("e1", "b1 c2"),  # ends on it: the lap is done
        ("f1", "c1 d2"),
        ("f2", "c2 d1"),
    ],
)
def test_no_set_back_onto_or_over_the_own_big_card_but_a_way_may_end_on_it(target: str, fields: str) -> None:
    position = table(red=f"{target} @1 @2 @3", yellow="c10 @1 @2 @3", seat=1)
    assert " ".join(sorted(position.names(position.set_backs(position.site(target), 0)))) == line(fields)


def test_a_figure_without_set_back_field_cannot_be_beaten() -> None:
    position = table(yellow="c1 @1 @2 @3", red="g1 @1 @2 @3", dice={"c1": "4"}, seat=1)
    assert texts(position, "c1:4") == line("-f2 -e1")
    assert codes(position, "c1:4-g1") == ["setback.impossible"]


def test_figures_on_the_set_back_way_are_jumped() -> None:
    position = table(red="f1 @1 @2 e1", yellow="g1 e2 f2 @3", dice={"f1": "1", "e1": "6"})
    assert texts(position, "f1:1xg1>") == "d1"


def test_own_figures_are_never_beaten_and_there_is_no_duty_to_beat() -> None:
    position = table(red="f1 g1 @2 @3", yellow="f2 @1 @2 @3", dice={"f1": "1", "g1": "1"})
    assert texts(position, "f1:1") == line("-@1 xf2>c2 xf2>d1")
    assert codes(position, "f1:1-g1") == ["move.own"]
    assert line("-h1 -g2") == texts(position, "g1:1")


# End


def test_home_with_all_four_after_each_has_been_out() -> None:
    position = table(red="@1 @2 @3 e1", dice={"e1": "3"})
    ended = play(table(red="@1 @2 @3 e1", dice={"e1": "2"}), "e1:2-@4")
    assert ended.outcome == Outcome((0,), "home")
    assert ended.outcome.record() == {"winner": 0, "by": "home"}
    assert ended.seat is None
    assert ended.legal() == ()
    assert codes(ended, "--") == ["game-over"]
    assert play(position, "e1:?").outcome is None


# Notation


@pytest.mark.parametrize(
    "text",
    ["@4-g1", "@4xg1>e2", "g1:4-j2", "g1:4xj2>h1", "e2:2-@2", "g1:?", "@1-@2", "--", "z99:6xa1>b10", "@1-@1"],
)
def test_canonical_texts_are_read_and_printed_again(text: str) -> None:
    assert str(RULES.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", "-", "g1", "g1-j2", "g1:7-j2", "g1:0-j2", "g1:4", "g1:4-", "g01:4-j2", "g0:?", "G1:?", "g100:?", " g1:?"),
        *("g1:?\n", "g1:4xj2", "g1:4-j2>h1", "@4xg1", "@5-g1", "@0-@1", "@1:3-g1", "@1:?", "@1x@2>a1", "g1:2x@1>a1"),
        *("g1:4xj2>@1", "red@1-g1", "g1:٣-j2", "@1-g1,g2", "g1:??", "---", "e1:1-f1 "),
    ],
)
def test_other_texts_are_no_actions(text: str) -> None:
    with pytest.raises(InvalidActionError, match="not an action of Dimenticato"):
        RULES.parse(text)


def test_the_examples_of_the_page() -> None:
    """Four players, seat 0."""
    assert "@4-g1" in texts(start()).split()
    assert "@4xg1>e2" in texts(table(red=HOME, green="g1 @1 @2 @3")).split()
    position = table(red="g1 e2 @1 @3", green="j3 @1 @2 @3", dice={"g1": "4", "e2": "2"})
    assert {"g1:4-j2", "e2:2-@2", "g1:?", "@1-@2"} <= set(texts(position).split())
    beating = table(red="g1 e2 @1 @3", green="j2 @1 @2 @3", dice={"g1": "4", "e2": "2"})
    assert "g1:4xj2>h1" in texts(beating).split()


# Refusals


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("c1:5-d2", ["move.count"]),
        ("c1:5-e2", ["move.bends", "move.count", "move.backward"]),
        ("c1:5-h10", ["move.count"]),
        ("d1:3-a1", ["move.backward"]),
        ("d1:3-b1", ["move.backward", "move.count"]),
        ("d1:2-g2", ["call.wrong", "move.count"]),
        ("d1:4-h1", ["call.wrong", "setback.missing"]),
        ("d1:4xh1>g2", ["call.wrong", "setback.wrong"]),
        ("d1:4xh1>f2", ["call.wrong"]),
        ("d1:3-g1", ["move.safe", "setback.missing"]),
        ("c1:5-h1", ["setback.missing"]),
        ("c1:5xh1>f2", []),
        ("c1:5xh1>g1", ["setback.wrong"]),
        ("c1:5xh1>h1", ["setback.wrong"]),
        ("c1:5xg2>d2", ["unknown"]),  # nobody to beat there
        ("c1:1-d1", ["call.wrong", "move.own"]),
        ("h1:1-i1", ["move.foreign"]),
        ("h1:2-i1", ["move.foreign", "call.wrong", "move.count"]),
        ("h1:?", ["move.foreign"]),
        ("e1:1-@3", ["move.foreign", "start.foreign"]),
        ("f1:4-@2", ["unknown"]),
        ("c1:5-@2", ["goal.occupied"]),
        ("c1:5-z9", ["unknown"]),
        ("c1:5xh1>c3", ["unknown"]),
        ("z9:?", ["unknown"]),
        ("@1-@2", ["goal.occupied"]),
        ("@1-@1", ["unknown"]),
        ("@3-@4", ["unknown"]),
        ("@1-g2", ["move.backward"]),
        ("@1xh1>f2", ["move.backward"]),
        ("--", ["unknown"]),
        ("c1:5-c1", ["unknown"]),
    ],
)
def test_what_a_text_breaks(text: str, rules: list[str]) -> None:
    position = table(
        red="c1 d1 @1 @2",
        yellow="g1 h1 e1 @1",
        dice={"c1": "5", "d1": "3", "g1": "2 yellow", "h1": "1", "e1": "1"},
    )
    assert codes(position, text) == rules
    assert (not rules) == (RULES.parse(text) in position.legal())


def test_every_refusal_fills_its_sentence() -> None:
    position = table(red="c1 d1 @1 @2", yellow="g1 h1 e1 @1", dice={"c1": "5", "d1": "3", "g1": "2 yellow"})
    fields = ["c1", "d1", "g1", "h1", "e1", "a1", "i3", "z9"]
    tried = [f"{one}:{number}-{other}" for one in fields for other in (*fields, "@1", "@3") for number in (1, 3, 5)]
    tried += [f"{one}:5x{other}>g2" for one in fields for other in fields]
    tried += [f"@{number}-{other}" for number in (1, 3) for other in (*fields, "@2", "@4")]
    seen = set()
    for text in tried:
        for refusal in position.refusals(RULES.parse(text)):
            assert GAME.sentences[refusal.rule].format(**refusal.facts)
            assert set(refusal.sites) <= set(position.plan.names)
            seen.add(refusal.rule)
    assert seen <= CODES
    assert len(seen) >= 11


def test_sites_of_a_refusal_name_start_fields_with_their_colour() -> None:
    position = table(red="c1 d1 @1 @2", dice={"c1": "5"})
    (refusal,) = position.refusals(RULES.parse("c1:5-@2"))
    assert (refusal.rule, refusal.sites) == ("goal.occupied", ("red@2",))


def test_out_of_turn_and_illegal_play() -> None:
    position = start()
    assert codes(position, "@4-g1", by=2) == ["not-your-turn"]
    assert codes(position, "@4-g1", by=0) == []
    with pytest.raises(IllegalActionError, match=r"opening\.count"):
        position.play(RULES.parse("@1-j2"))


def test_there_is_a_sentence_for_every_code_of_the_page() -> None:
    about_the_set_up = {code for code in GAME.sentences if code.startswith("setup.")}
    assert set(GAME.sentences) - about_the_set_up == CODES
    assert len(GAME.brief) >= 5


# What is seen and what is hidden


def test_faces_name_the_start_fields_by_seat() -> None:
    faces = spelled(start(2).faces())
    assert faces == {f"{colour}@{number}": colour for colour in ("red", "yellow") for number in range(1, 5)}


def test_the_view_tells_dice_in_sight_figures_and_known_numbers_only() -> None:
    position = table(red="c1 @1 @2 @3", yellow="h1 @1 @2 @3*", dice={"c1": "5", "h1": "3", "a1": "6 red"}, known=["h1"])
    view = position.view(0)
    assert view["fields"]["a1"] == {"pips": 6, "colour": "red"}
    assert len(view["fields"]) == 64 - 2
    assert view["known"] == {"h1": 3}
    assert view["sites"]["c1"] == "red"
    assert "yellow@3" in view["unopened"]
    assert "red@1" not in view["unopened"]
    assert (view["seat"], view["result"]) == (0, None)
    json.dumps(view)


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_nobody_sees_the_dice_under_figures(viewer: int | None) -> None:
    """Whatever lies there, the view, the picture and a fresh deal are the same: nothing covered is looked at."""
    one = table(red="c1 h2 @2 @3", yellow="h1 @1 @2 @3", dice={"c1": "5", "h2": "1", "h1": "3"}, known=["h1"])
    dice = {"c1": "2 red", "h2": "6 green", "h1": "3 yellow"}
    other = table(red="c1 h2 @2 @3", yellow="h1 @1 @2 @3", dice=dice, known=["h1"])
    assert one != other
    assert one.view(viewer) == other.view(viewer)
    assert one.draw() == other.draw()
    assert one.redeal(viewer, Random(5)) == other.redeal(viewer, Random(5))


def test_known_numbers_are_drawn_and_covered_ones_are_not() -> None:
    position = table(red="c1 h2 @2 @3*", yellow="h1 @1 @2 @3", dice={"h1": "3", "a1": "6 green"}, known=["h1"])
    drawing = position.draw()
    assert "[Y3]" in drawing
    assert "6g" in drawing
    assert "(R)" in drawing
    assert drawing.count("[R]") == 3
    assert drawing.count("b") == 64 - 3 - 1 + 1
    assert drawing.endswith("to move: red")


@given(st.integers(2, 4), st.integers(0, 10**6), st.integers(0, 120))
@settings(max_examples=40, deadline=None)
def test_redeal_keeps_the_view_and_the_deck(players: int, seed: int, plies: int) -> None:
    position = wander(players, seed, plies)
    random = Random(seed)
    for viewer in (None, *range(players)):
        other = position.redeal(viewer, random)
        assert other.view(viewer) == position.view(viewer)
        assert replace(other, dice=position.dice) == position
        assert set(Counter(other.dice.pips).values()) <= set(range(12))
        for fields in position.plan.card_fields:
            assert sorted(other.dice.colours[field] for field in bits(fields)) == [0, 1, 2, 3]
        if players == 4:
            assert sorted(Counter(other.dice.pips).values()) == [10, 10, 11, 11, 11, 11]


def test_redeal_changes_every_covered_die_sooner_or_later_and_no_other() -> None:
    position = wander(2, 3, 30)
    covered = {field for field in range(32) if position.covered >> field & 1}
    assert covered
    deals = [position.redeal(None, Random(seed)).dice for seed in range(60)]
    known = {field for field in covered if position.known >> field & 1}
    changed = {field for dice in deals for field in range(32) if dice.pips[field] != position.dice.pips[field]}
    assert changed == covered - known
    # On a card with one covered field its colour follows from the three others.
    several = {
        field
        for fields in position.plan.card_fields
        if (fields & position.covered).bit_count() > 1
        for field in bits(fields & position.covered)
    }
    recoloured = {f for dice in deals for f in range(32) if dice.colours[f] != position.dice.colours[f]}
    assert recoloured == several


def test_redeal_of_dice_that_are_not_of_the_deck() -> None:
    position = table(red="c1 d1 @1 @2", dice={"c1": "5", "d1": "4"}, known=["d1"])
    deals = [position.redeal(0, Random(seed)) for seed in range(60)]
    assert all(deal.view(0) == position.view(0) for deal in deals)
    c1, d1 = position.site("c1"), position.site("d1")
    assert {deal.dice.pips[c1] for deal in deals} == {1, 2, 3, 4, 5, 6}
    assert {deal.dice.pips[d1] for deal in deals} == {4}
    assert {deal.dice.colours[d1] for deal in deals} == {0, 1, 2, 3}


# Properties


def wander(players: int, seed: int, plies: int) -> DimenticatoPosition:
    """A position some random actions into a match."""
    random = Random(seed)
    position = start(players, seed)
    for _ in range(plies):
        if position.outcome is not None:
            break
        position = position.after(random.choice(position.legal()))
    return position


@given(st.integers(2, 4), st.integers(0, 10**6), st.booleans())
@settings(max_examples=25, deadline=None)
def test_random_matches_keep_the_figures_and_their_places(players: int, seed: int, extra_lap: bool) -> None:
    rules = RULES if extra_lap else ONE_LAP
    random = Random(seed)
    position = started(players, rules.deal(players, random), rules)
    for _ in range(150):
        legal = position.legal()
        if position.outcome is not None:
            assert legal == ()
            break
        written = [str(action) for action in legal]
        assert len(set(written)) == len(written) > 0
        assert "--" not in written or written == ["--"]
        for action in legal:
            assert rules.parse(str(action)) == action
            assert not list(position.objections(action))
        position = position.after(random.choice(legal))
        faces = spelled(position.faces())
        assert Counter(faces.values()) == dict.fromkeys(COLOURS[:players], 4)
        assert all("@" not in site or site.startswith(colour) for site, colour in faces.items())
        assert sum(own.bit_count() for own in position.figures) == position.occupied.bit_count() == 4 * players
        assert not position.known & ~position.covered
        assert not position.unopened & ~position.occupied


@given(st.integers(2, 4), st.integers(0, 10**6), st.integers(0, 200), st.data())
@settings(max_examples=60, deadline=None)
def test_an_action_is_refused_exactly_if_it_is_not_legal(
    players: int, seed: int, plies: int, data: st.DataObject
) -> None:
    position = wander(players, seed, plies)
    plan = position.plan
    fields = st.sampled_from([*plan.names[: plan.size], "k11", "c3"])
    starts = st.sampled_from(["@1", "@2", "@3", "@4"])
    origins = st.sampled_from(position.names(position.covered) or ["a1"])
    number = st.integers(1, 6).map(str)
    landing = st.one_of(fields.map("-{}".format), st.builds("x{}>{}".format, fields, fields))
    for _ in range(20):
        text = data.draw(
            st.one_of(
                st.builds("{}{}".format, starts, landing),
                st.builds("{}:{}{}".format, origins, number, landing),
                st.builds("{}:{}-{}".format, origins, number, starts),
                st.builds("{}-{}".format, starts, starts),
                fields.map("{}:?".format),
                st.just("--"),
            )
        )
        action = RULES.parse(text)
        refusals = position.refusals(action)
        assert (refusals == ()) == (action in position.legal())
        assert {refusal.rule for refusal in refusals} <= CODES
        assert len({refusal.rule for refusal in refusals}) == len(refusals)
        for refusal in refusals:
            assert GAME.sentences[refusal.rule].format(**refusal.facts)


@given(st.integers(2, 4), st.integers(0, 10**6), st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_a_setup_makes_the_position_again(players: int, seed: int, plies: int) -> None:
    position = wander(players, seed, plies)
    if position.outcome is None:
        again = RULES.start(players, json.loads(json.dumps(position.setup())))
        assert again == position
        assert hash(again) == hash(position)
        assert isinstance(again, DimenticatoPosition)


def test_every_seat_sees_the_same_track_turned() -> None:
    """On the square plan of four each side is the top side turned: the same number of landings everywhere."""
    for number in range(1, 7):
        counts = [
            len(from_field(field, number, colour=colour, home="@1 @2 @3").split())
            for colour, field in zip(COLOURS, ("c1", "j3", "h10", "a8"), strict=True)
        ]
        assert len(set(counts)) == 1


# Set-ups


def test_the_start_is_written_as_the_page_says() -> None:
    setup = RULES.deal(3, Random(2))
    assert RULES.start(3, setup).setup() == setup
    assert set(setup) == {"width", "height", "big", "fields"}
    assert "position" in play(started(3, setup), "@4-e1").setup()


def broken(**changes: object) -> Json:
    return plain_setup() | changes


def with_die(die: object, field: str = "a1") -> Json:
    setup = plain_setup()
    setup["fields"][field] = die
    return setup


def in_progress(**changes: object) -> Json:
    position = table(red="c1 @1 @2 @3*", yellow="h1 @1 @2 @3").setup()
    position["position"] |= changes
    return position


def moved(**changes: str | None) -> Json:
    """The same with other figures; None takes one away."""
    sites = in_progress()["position"]["sites"] | {name.replace("_", "@"): colour for name, colour in changes.items()}
    return in_progress(sites={name: colour for name, colour in sites.items() if colour is not None})


@pytest.mark.parametrize(
    ("setup", "told"),
    [
        ({}, "needs 'big'"),
        (broken(colour="red"), "has no 'colour'"),
        (broken(width=2), "'width' must be"),
        (broken(width="5"), "'width' must be"),
        (broken(height=True), "'height' must be"),
        (broken(height=4), "14 cards; 4 players need 16"),
        (broken(big=[2, 6, 10]), "'big' must list"),
        (broken(big="2610"), "'big' must list"),
        (broken(big=[2, 6, 10, 16]), "'big' must list"),
        (broken(big=[2, 6, 10, True]), "'big' must list"),
        (broken(big=[2, 6, 14, 10]), "4 positions after"),
        (broken(big=[1, 6, 10, 14]), "4 positions after"),
        (broken(big=[0, 4, 8, 12]), "on a corner"),
        (broken(fields=[]), "'fields' gives each"),
        (broken(fields={}), "no die on a1"),
        (with_die({"pips": 1, "colour": "red"}, "c3"), "no field 'c3'"),
        (with_die({"pips": 7, "colour": "red"}), "1 to 6, not 7"),
        (with_die({"pips": 0, "colour": "red"}), "1 to 6, not 0"),
        (with_die({"pips": True, "colour": "red"}), "1 to 6, not True"),
        (with_die({"pips": 1, "colour": "pink"}), "not 'pink'"),
        (with_die({"pips": 1, "colour": None}), "not None"),
        (with_die({"pips": 1}), "must have 'pips' and 'colour'"),
        (with_die({"pips": 1, "colour": "red", "size": 2}), "must have 'pips' and 'colour'"),
        (with_die(3), "must have 'pips' and 'colour'"),
        (broken(position=[]), "'position' must be"),
        (broken(position={}), "needs 'sites'"),
        (in_progress(outcome=1), "has no 'outcome'"),
        (in_progress(sites=["c1"]), "'sites' must say"),
        (moved(c3="red"), "no field 'c3'"),
        (moved(d1="pink"), "cannot hold 'pink'"),
        (moved(red_4="yellow"), "another seat's start field red@4"),
        (moved(d1="red"), "red must have 4 figures, not 5"),
        (moved(c1=None), "red must have 4 figures, not 3"),
        (in_progress(seat=4), "seat to move"),
        (in_progress(seat=None), "seat to move"),
        (in_progress(unopened="red@1"), "'unopened' must be a list"),
        (in_progress(unopened=["c1"]), "'unopened' names 'c1'"),
        (in_progress(unopened=["red@4"]), "'unopened' names 'red@4'"),
        (in_progress(known=["a1"]), "'known' names 'a1'"),
        (in_progress(known=["red@1"]), "'known' names 'red@1'"),
        (in_progress(known=[["c1"]]), "'known' names"),
        (in_progress(unopened=[]), "green has come home"),
    ],
)
def test_a_bad_setup_is_refused_in_one_line(setup: Json, told: str) -> None:
    with pytest.raises(InvalidSetupError, match=r"^[^\n]*$") as refused:
        RULES.start(4, setup)
    assert told in str(refused.value)


def test_the_number_of_players_must_fit_the_plan() -> None:
    for players in (2, 3):
        with pytest.raises(InvalidSetupError, match="16 cards"):
            RULES.start(players, plain_setup(4))
    with pytest.raises(InvalidSetupError, match="players"):
        RULES.start(5, plain_setup(4))


def test_a_colour_that_does_not_play_has_no_figures() -> None:
    setup = table(2, red="a1 @1 @2 @3").setup()
    setup["position"]["sites"]["b1"] = "green"
    with pytest.raises(InvalidSetupError, match="'green' with 2 players"):
        RULES.start(2, setup)
