"""Why Memento refuses an action: every code of its rules page that an action text can express, and its sentences."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any

import pytest

from engine.core import GameError, IllegalActionError, InvalidActionError, InvalidSetupError, Refusal, Value, Word
from engine.games.memento.words import SENTENCES
from engine.perft import perft
from engine.registry import find_game
from engine.words import sentence

GAME = find_game("memento-tuos")

EXPRESSIBLE = {
    *("enter.count", "enter.middle", "enter.inner", "enter.occupied", "enter.no-stones", "enter.no-markers"),
    *("turn.previous-turned", "turn.twice", "turn.no-change"),
    *("move.foreign", "move.too-far", "move.bend", "move.blocked", "move.off-board"),
    *("split.occupied", "split.unreachable", "split.origin", "split.no-markers", "split.single", "stones.too-many"),
    *("not-your-turn", "game-over", "unknown"),
}
SEEN_ONLY = {"enter.height", "turn.two", "capture.height", "capture.marker", "markers.too-many", "two-actions"}
"""No action is written so: only the board can show it."""
TILE_T = ("T1", "T2", "T3", "T4", "T5", "T6", "T7")
EIGHT = dict.fromkeys(("L1", "L2", "L4", "L5", "R1", "R3", "R4", "R5"), "red1")
"""Eight red Singles where no figure on T7 goes over the board."""


def refused(
    sites: Mapping[str, str],
    text: str,
    seat: int = 0,
    players: int = 2,
    by: int | None = None,
    setup: Mapping[str, Any] | None = None,
    **options: Value,
) -> tuple[Refusal, ...]:
    """The refusals of this action on a table laid by hand; none exactly if it is legal and in turn."""
    rules = GAME.configure(None, options)
    position = rules.start(players, {"sites": dict(sites), "seat": seat} | dict(setup or {}))
    action = rules.parse(text)
    refusals = position.refusals(action, by)
    legal = action in position.legal() and by in (None, seat)
    assert bool(refusals) != legal
    for refusal in refusals:
        assert sentence(GAME, refusal).count("{") == 0
    if not legal and by is None:
        with pytest.raises(IllegalActionError) as caught:
            position.play(action)
        assert caught.value.refusals == refusals
        assert str(caught.value) == f"{text} is not legal: {', '.join(refusal.rule for refusal in refusals)}"
    return refusals


def codes(refusals: tuple[Refusal, ...]) -> list[str]:
    return [refusal.rule for refusal in refusals]


def check(refusals: tuple[Refusal, ...], rule: str, sites: tuple[str, ...], **facts: object) -> None:
    """Exactly this one refusal, with the sites said and shown, and these facts."""
    assert refusals == (Refusal(rule, sites, {"sites": ", ".join(sites)} | facts),)


# Entering

TABLE = {"T1": "red1", "L3": "yellow1"}


def test_entered_only_one_figure() -> None:
    check(refused(TABLE, "+T2"), "enter.count", ("T2",), number=1, wanted=2)


def test_entered_more_than_two_figures() -> None:
    check(refused(TABLE, "+T2,T3,L1"), "enter.count", ("T2", "T3", "L1"), number=3, wanted=2)


def test_began_with_more_than_one_figure() -> None:
    check(refused({}, "+T1,L3"), "enter.count", ("T1", "L3"), number=2, wanted=1)


def test_entered_on_a_middle_point() -> None:
    check(refused(TABLE, "+T7,L1"), "enter.middle", ("T7",))
    check(refused(TABLE, "+T7,L7"), "enter.middle", ("T7", "L7"))


def test_entered_on_the_inner_triangle() -> None:
    check(refused(TABLE, "+L1,I2"), "enter.inner", ("I2",))
    check(refused(TABLE, "+I1,I2"), "enter.inner", ("I1", "I2"))


def test_entered_on_the_inner_middle_which_is_both() -> None:
    middle, inner = refused(TABLE, "+L1,I7")
    check((middle,), "enter.middle", ("I7",))
    check((inner,), "enter.inner", ("I7",))


def test_entered_where_a_figure_stands() -> None:
    check(refused(TABLE, "+T1,T2"), "enter.occupied", ("T1",))
    check(refused(TABLE, "+T1,L3"), "enter.occupied", ("T1", "L3"))


@pytest.mark.parametrize(("last", "left"), [("red1", 1), ("red2", 0)])
def test_entered_without_stones_in_the_supply(last: str, left: int) -> None:
    sites = {"T1": "red3", "T2": "red3", "T3": "yellow3", "L1": last}
    check(refused(sites, "+L4,L5"), "enter.no-stones", ("L4", "L5"), number=left)


def test_entered_without_own_markers() -> None:
    check(refused(EIGHT | {"L3": "yellow1"}, "+T1,T2"), "enter.no-markers", ("T1", "T2"), number=1)


def test_everything_wrong_with_entering_is_said_in_order() -> None:
    """Nine red Singles and a yellow Double: no stone and no marker left for three on I7, L3 and T1."""
    sites = EIGHT | {"T1": "red1", "L3": "yellow2"}
    refusals = refused(sites, "+T1,L3,I7")
    assert codes(refusals) == [
        "enter.count",
        "enter.middle",
        "enter.inner",
        "enter.occupied",
        "enter.no-stones",
        "enter.no-markers",
    ]
    assert [refusal.sites for refusal in refusals] == [
        ("T1", "L3", "I7"),
        ("I7",),
        ("I7",),
        ("T1", "L3"),
        ("T1", "L3", "I7"),
        ("T1", "L3", "I7"),
    ]
    assert [refusal.facts.get("number") for refusal in refusals] == [3, None, None, None, 0, 0]


# Turning


def test_turned_though_the_previous_player_turned() -> None:
    check(refused(TABLE, "T>", setup={"just_turned": True}), "turn.previous-turned", TILE_T, tile="T")


def test_turned_twice_in_a_row() -> None:
    check(refused(TABLE, "T<", setup={"turned": [0]}), "turn.twice", TILE_T, tile="T")


def test_turned_without_a_change() -> None:
    check(refused({"T7": "red1"}, "T>"), "turn.no-change", TILE_T, tile="T")
    check(refused({"T7": "red1"}, "I<"), "turn.no-change", ("I1", "I2", "I3", "I4", "I5", "I6", "I7"), tile="I")


def test_everything_wrong_with_turning_is_said_in_order() -> None:
    refusals = refused({"T7": "red1"}, "T>", setup={"just_turned": True, "turned": [0, 1]})
    assert codes(refusals) == ["turn.previous-turned", "turn.twice", "turn.no-change"]


# Moving


@pytest.mark.parametrize("text", ["L3-L5", "L3xT1"])
def test_moved_a_foreign_figure(text: str) -> None:
    check(refused(TABLE, text), "move.foreign", ("L3",), colour=Word("yellow"))


def test_moved_a_foreign_figure_and_too_far() -> None:
    foreign, far = refused(TABLE, "L3-L1")
    check((foreign,), "move.foreign", ("L3",), colour=Word("yellow"))
    check((far,), "move.too-far", ("L3", "L1"), figure=Word("Single"))


@pytest.mark.parametrize(
    ("face", "text", "figure"),
    [
        ("red1", "T1-T3", "Single"),
        ("red1", "T1-T4", "Single"),
        ("red1", "T1xR1", "Single"),
        ("red3", "T1-T3", "Tripple"),
        ("red3", "T1-L7", "Tripple"),
    ],
)
def test_moved_a_single_or_tripple_too_far(face: str, text: str, figure: str) -> None:
    refusals = refused({"T1": face, "R1": "yellow1"}, text)
    check(refusals, "move.too-far", ("T1", text[3:]), figure=Word(figure))


def test_moved_a_single_too_far_and_through_a_figure() -> None:
    """T3 lies behind T5; the way round over L3 is taken too."""
    far, blocked = refused({"T1": "red1", "T5": "yellow1", "L5": "red1"}, "T1-T3")
    check((far,), "move.too-far", ("T1", "T3"), figure=Word("Single"))
    check((blocked,), "move.blocked", ("T5", "L5"), figure=Word("Single"))


@pytest.mark.parametrize("text", ["T1-L7", "T1-I5", "T1-L4"])
def test_moved_a_double_round_a_bend(text: str) -> None:
    check(refused({"T1": "red2"}, text), "move.bend", ("T1", text[3:]), figure=Word("Double"))


def test_moved_a_double_through_a_figure() -> None:
    """A closed line has two ways: one figure in the way of each is named."""
    blocked = refused({"T1": "red2", "T5": "yellow1", "L5": "red1"}, "T1-T3")
    check(blocked, "move.blocked", ("T5", "L5"), figure=Word("Double"))
    blocked = refused({"T2": "red2", "T7": "yellow3"}, "T2-T5")
    check(blocked, "move.blocked", ("T7",), figure=Word("Double"))
    sites = {"T1": "red2", "T5": "yellow1", "L1": "yellow1", "L3": "yellow1"}
    blocked = refused(sites, "T1xL1", passage="closed")
    check(blocked, "move.blocked", ("T5",), figure=Word("Double"))


def test_moved_a_double_through_a_figure_is_legal_the_other_way_round() -> None:
    assert refused({"T1": "red2", "T5": "yellow1"}, "T1-T3") == ()


@pytest.mark.parametrize(
    ("face", "text", "passage", "figure"),
    [
        ("red1", "T1-L3", "closed", "Single"),
        ("red3", "T1-I1", "closed", "Tripple"),
        ("red2", "T1-L2", "closed", "Double"),
        ("red2", "T1-I2", "closed", "Double"),
        ("red2", "T1-I2", "step", "Double"),
        ("red2", "T1-I2", "straight", "Double"),
    ],
)
def test_moved_over_an_edge_that_is_not_open(face: str, text: str, passage: str, figure: str) -> None:
    check(refused({"T1": face}, text, passage=passage), "move.off-board", ("T1", text[3:]), figure=Word(figure))


def test_slid_on_through_an_off_board_step() -> None:
    """From T5 over T1 to L5: only `straight` and `wide` let the slide go on; on the board T3 is in the way."""
    sites = {"T5": "red2", "T3": "yellow1"}
    for passage in ("closed", "step"):
        blocked, over_the_edge = refused(sites, "T5-L5", passage=passage)
        check((blocked,), "move.blocked", ("T3",), figure=Word("Double"))
        check((over_the_edge,), "move.off-board", ("T5", "L5"), figure=Word("Double"))
    for passage in ("straight", "wide"):
        assert refused(sites, "T5-L5", passage=passage) == ()


@pytest.mark.parametrize(("option", "text"), [("constellation_links", "T3-L1"), ("facing_medians", "T4-I4")])
def test_stepped_where_the_option_joins_nothing(option: str, text: str) -> None:
    sites = {text[:2]: "red1"}
    assert refused(sites, text) == ()
    far = refused(sites, text, **{option: False})
    check(far, "move.too-far", (text[:2], text[3:]), figure=Word("Single"))


@pytest.mark.parametrize(
    "text",
    [
        "T5-T1",  # nothing stands there
        "T5/T1,T3",
        "T1-T1",  # never back onto its own point
        "T1xT1",
        "T1xT5",  # nothing to capture
        "T7-T1",  # written as if T1 were free
        "--",  # something is possible
    ],
)
def test_what_no_rule_of_the_page_names_is_unknown(text: str) -> None:
    refusals = refused({"T1": "red1", "T7": "red1", "L3": "yellow1"}, text)
    assert refusals == (Refusal("unknown", (), {"action": text}),)
    assert sentence(GAME, refusals[0]) == f"{text} is not possible here."


@pytest.mark.parametrize(("text", "code"), [("--", "unknown"), ("T1-T5", "unknown"), ("T>", "turn.no-change")])
def test_the_match_begins_with_a_single(text: str, code: str) -> None:
    assert codes(refused({}, text)) == [code]


# Splitting


def test_split_onto_an_occupied_point() -> None:
    check(refused({"T5": "red2", "T1": "yellow1"}, "T5/T1,T7"), "split.occupied", ("T1",))
    check(refused({"T5": "red3", "T1": "red1", "T3": "red1"}, "T5/2T1,T3"), "split.occupied", ("T1", "T3"))


def test_split_onto_a_point_out_of_reach() -> None:
    check(refused({"T5": "red3"}, "T5/T1,2L7"), "split.unreachable", ("L7",), figure=Word("Tripple"))
    check(refused({"T5": "red2"}, "T5/T4,L7"), "split.unreachable", ("T4", "L7"), figure=Word("Double"))
    edge = refused({"T1": "red2"}, "T1/T5,L2", passage="closed")
    check(edge, "split.unreachable", ("L2",), figure=Word("Double"))


def test_split_and_left_a_part_behind() -> None:
    check(refused({"T5": "red2"}, "T5/T1,T5"), "split.origin", ("T5",), figure=Word("Double"))
    check(refused({"T5": "red3"}, "T5/T1,2T5"), "split.origin", ("T5",), figure=Word("Tripple"))


def test_split_and_left_a_stone_behind() -> None:
    check(refused({"T5": "red3"}, "T5/T1,T3"), "split.origin", ("T5",), figure=Word("Tripple"))


def test_split_into_more_stones_than_there_were() -> None:
    check(refused({"T5": "red3"}, "T5/2T1,2T3"), "stones.too-many", ("T1", "T3"), number=4, wanted=3)
    check(refused({"T5": "red2"}, "T5/2T1,T3"), "stones.too-many", ("T1", "T3"), number=3, wanted=2)
    check(refused({"T5": "red2"}, "T5/T1,T3,T7"), "stones.too-many", ("T1", "T3", "T7"), number=3, wanted=2)


def test_split_without_spare_markers() -> None:
    """One Tripple among eight figures: one marker for two parts, none for a third. Among nine: none at all."""
    seven = {point: face for point, face in EIGHT.items() if point != "L1"}
    assert refused(seven | {"T7": "red3"}, "T7/2T1,T2") == ()
    three = refused(seven | {"T7": "red3"}, "T7/T1,T2,T3")
    check(three, "split.no-markers", ("T1", "T2", "T3"), number=1, wanted=2)
    check(refused(EIGHT | {"T7": "red2"}, "T7/T1,T2"), "split.no-markers", ("T1", "T2"), number=0, wanted=1)


def test_split_a_single() -> None:
    check(refused(TABLE, "T1/T5,T6"), "split.single", ("T1",))


def test_split_a_foreign_figure() -> None:
    sites = {"T1": "red1", "L3": "yellow2", "R2": "yellow1"}
    check(refused(sites, "L3/L4,L5"), "move.foreign", ("L3",), colour=Word("yellow"))
    assert codes(refused(sites, "R2/R4,R6")) == ["move.foreign", "split.single"]


def test_everything_wrong_with_splitting_is_said_in_order() -> None:
    """Nine red figures: the Double on T7 stays, is taken for three stones, lands on one of them and too far away."""
    refusals = refused(EIGHT | {"T7": "red2"}, "T7/T7,L4,R6")
    assert codes(refusals) == [
        "split.origin",
        "stones.too-many",
        "split.occupied",
        "split.unreachable",
        "split.no-markers",
    ]
    assert [refusal.sites for refusal in refusals] == [
        ("T7",),
        ("T7", "L4", "R6"),
        ("L4",),
        ("L4", "R6"),
        ("T7", "L4", "R6"),
    ]


# Turn order and the end


def test_played_out_of_turn() -> None:
    """What would be legal for red is refused to yellow for the turn alone."""
    out_of_turn = Refusal("not-your-turn", (), {"colour": Word("red")})
    assert refused(TABLE, "T1-T5", by=1) == (out_of_turn,)
    assert refused(TABLE, "+T2,T3", by=1) == (out_of_turn,)
    assert refused(TABLE, "L3-L5", seat=1, by=0) == (Refusal("not-your-turn", (), {"colour": Word("yellow")}),)
    assert refused(TABLE, "T1-T5", by=0) == ()


def test_out_of_turn_is_said_alone() -> None:
    """What else might be wrong is judged as the mover's action, and would be wrong to say of another's."""
    assert codes(refused(TABLE, "T1-T3", by=1)) == ["not-your-turn"]
    assert codes(refused(TABLE, "+T7", by=1)) == ["not-your-turn"]


@pytest.mark.parametrize("text", ["L1-L5", "T5-T1", "T>", "+L1,L2", "--"])
@pytest.mark.parametrize("by", [None, 0, 1])
def test_touched_the_board_after_the_end(text: str, by: int | None) -> None:
    """The end alone is said, whoever plays whatever."""
    rules = GAME.configure()
    position = rules.start(2, {"sites": {"T1": "red1", "T5": "yellow1"}})
    position = position.play(rules.parse("T1xT5"))
    assert position.refusals(rules.parse(text), by) == (Refusal("game-over"),)
    with pytest.raises(IllegalActionError, match="game-over"):
        position.play(rules.parse(text))
    assert perft(position, 1) == 0


# Legal actions


@pytest.mark.parametrize("passage", ["closed", "step", "straight", "wide"])
@pytest.mark.parametrize(
    ("sites", "setup"),
    [
        ({}, {}),
        ({"T1": "red2", "T5": "yellow1", "L7": "red3", "I4": "red1"}, {}),
        ({"T7": "red3", "I7": "red2", "T1": "yellow3", "L1": "yellow1"}, {}),
        ({"T1": "red3", "R1": "red3", "I5": "yellow3", "L1": "yellow2"}, {"just_turned": True}),
    ],
)
def test_legal_actions_are_not_refused(sites: dict[str, str], setup: dict[str, Any], passage: str) -> None:
    position = GAME.configure(None, {"passage": passage}).start(2, {"sites": sites} | setup)
    assert position.legal()
    for action in position.legal():
        assert position.refusals(action) == ()
        assert not list(position.objections(action))


# Sentences


def test_every_code_of_the_page_has_a_sentence() -> None:
    assert SENTENCES.keys() == EXPRESSIBLE | SEEN_ONLY
    assert len(EXPRESSIBLE) + len(SEEN_ONLY) == 29
    assert GAME.sentences == find_game("memento-ludis").sentences == SENTENCES


SAID = [
    (TABLE, "+T2", {}, "Figures entered on T2: 1; there must be exactly 2."),
    (TABLE, "+T7,L1", {}, "A new figure may not enter on a middle point (T7)."),
    (TABLE, "+L1,I2", {}, "A new figure may not enter on the inner triangle (I2)."),
    (TABLE, "+T1,T2", {}, "A new figure may not enter where a figure already stands (T1)."),
    (
        {"T1": "red3", "T2": "red3", "T3": "yellow3", "L1": "red1"},
        "+L4,L5",
        {},
        "There are not enough stones in the supply to enter (1 left).",
    ),
    (EIGHT | {"L3": "yellow1"}, "+T1,T2", {}, "The player does not have enough markers to enter (1 left)."),
    (
        TABLE,
        "T>",
        {"just_turned": True},
        "Triangle T may not be turned: the previous action was a turn.",
    ),
    (TABLE, "T>", {"turned": [0]}, "Triangle T may not be turned: this player's last action was also a turn."),
    (TABLE, "I>", {}, "Turning triangle I would change nothing."),
    (TABLE, "L3-L5", {}, "The figure on L3 belongs to yellow."),
    (TABLE, "T1-T3", {}, "The Single cannot go that far (T1, T3)."),
    (
        {"T1": "red2"},
        "T1-L7",
        {},
        "The Double slides only in a straight line; this path bends (T1, L7).",
    ),
    ({"T2": "red2", "T7": "yellow3"}, "T2-T5", {}, "The stack on T7 is in the way."),
    ({"T1": "red2"}, "T1-I2", {}, "The Double may not go over the edge of the board here (T1, I2)."),
    ({"T5": "red2", "T1": "yellow1"}, "T5/T1,T7", {}, "A figure may only split onto free points; T1 is occupied."),
    ({"T5": "red3"}, "T5/T1,2L7", {}, "The Tripple could not move to L7, so no part of it can go there."),
    (
        {"T5": "red2"},
        "T5/T1,T5",
        {},
        "When the Double splits, its own point T5 must be left empty, with no stone behind.",
    ),
    (EIGHT | {"T7": "red2"}, "T7/T1,T2", {}, "Spare markers needed for this split: 1; there are 0."),
    (TABLE, "T1/T5,T6", {}, "The Single on T1 cannot be split."),
    ({"T5": "red3"}, "T5/2T1,2T3", {}, "There are 4 stones where there can be only 3 (T1, T3)."),
    (TABLE, "T1-T1", {}, "T1-T1 is not possible here."),
]


@pytest.mark.parametrize(("sites", "text", "setup", "said"), SAID)
def test_the_sentence_of_each_refusal(sites: dict[str, str], text: str, setup: dict[str, Any], said: str) -> None:
    (refusal,) = refused(sites, text, setup=setup)
    assert sentence(GAME, refusal) == said


def test_the_sentences_of_turn_order_and_the_end() -> None:
    (turn,) = refused(TABLE, "T1-T5", by=1)
    assert sentence(GAME, turn) == "It is red's turn."
    assert sentence(GAME, Refusal("game-over")) == "The match is over."


def test_each_code_that_an_action_can_express_is_said_above() -> None:
    met = {refusal.rule for sites, text, setup, _ in SAID for refusal in refused(sites, text, setup=setup)}
    assert met | {"not-your-turn", "game-over"} == EXPRESSIBLE


@pytest.mark.parametrize("rule", sorted(SEEN_ONLY))
def test_what_only_the_board_can_show_asks_for_known_facts(rule: str) -> None:
    """No action is written so: the table's watcher fills in where, how many, and how many there should be."""
    asked = {name for _, name, _, _ in Formatter().parse(SENTENCES[rule]) if name is not None}
    assert asked <= {"sites", "number", "wanted"}
    facts = {"sites": "T1, T5", "number": 4, "wanted": 1}
    assert "{" not in sentence(GAME, Refusal(rule, ("T1", "T5"), facts))


# Notation


@pytest.mark.parametrize(
    "text",
    [
        *("+T1", "+T1,L3", "+T1,L3,I7", "T>", "I<", "T1-T5", "T1xT5", "T1-T1", "--"),
        *("T7/T1,T4", "T7/2T1,T4", "T7/T1,2T4", "T7/T1,T4,T5", "T7/2T1,2T4", "T7/T1,T7"),
    ],
)
def test_a_canonical_text_is_read_and_printed_as_it_was(text: str) -> None:
    assert str(GAME.configure().parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "-", "---", "+", "/", "T", "T1", "pass", "–", "——"),
        *("+L3,T1", "+T2,T1", "+T1,T1", "+T1,", "+,T1", "+T1 ,L3", "+T1, L3", "+T1+L3", "T1,L3", "+2T1", "+T1,L3,L3"),
        *("+T0", "+T8", "+A1", "+T", "+T11", "+t1"),
        *("T>>", "T><", "T^", "t>", ">T", "T1>", "A>", "TL>"),
        *("t1-t5", " T1-T5", "T1-T5 ", "T1 - T5", "T1-T5\n", "T1-T8", "T0-T1", "T1-", "-T5", "T1--T5", "T1-T5-T3"),
        *("T1XT5", "T1*T5", "T1:T5", "2T1-T5", "T1-2T5", "T1-T5,T3", "T1-T5 T>"),
        *("T7/T4,T1", "T7/T1", "T7/", "/T1,T4", "T7/T1,T1", "T7/2T1,T1", "T7/T1,T1,T4", "T7/T1,T4,T5,T6"),
        *("T7/3T1", "T7/3T1,T4", "T7/1T1,T4", "T7/2T4,T1", "T7/T1;T4", "T7/T1, T4", "2T7/T1,T4", "T7/22T1,T4"),
        *("T1–T5", "T1−T5", "T1×T5", "Т1-Т5", "T１-T5", "＋T1", "T¹-T5", "T٣-T5", "T›", "T1-T5\u200b", "\u00a0T>"),
    ],
)
def test_what_is_not_canonical_is_not_an_action(text: str) -> None:
    with pytest.raises(InvalidActionError, match="is not an action of Memento"):
        GAME.configure().parse(text)


def test_the_message_shows_the_text_and_how_actions_look() -> None:
    with pytest.raises(InvalidActionError, match=r"^'\+L3,T1' is not an action of Memento \(such as \+T1,L3 .*\)$"):
        GAME.configure().parse("+L3,T1")


# Bad set-ups


@pytest.mark.parametrize(
    ("setup", "message"),
    [
        ([], "the set-up must be a JSON object, not list"),
        ({"board": {}}, "a Memento set-up has no 'board', only entered, just_turned, seat, sites, turned"),
        ({"sites": []}, "'sites' must say what stands on which point"),
        ({"sites": None}, "'sites' must say what stands on which point"),
        ({"sites": {"T8": "red1"}}, "there is no point 'T8'"),
        ({"sites": {"t1": "red1"}}, "there is no point 't1'"),
        ({"sites": {"T1": "red4"}}, "T1 cannot hold 'red4' with 2 players"),
        ({"sites": {"T1": "red0"}}, "T1 cannot hold 'red0' with 2 players"),
        ({"sites": {"T1": "red"}}, "T1 cannot hold 'red' with 2 players"),
        ({"sites": {"T1": "pink1"}}, "T1 cannot hold 'pink1' with 2 players"),
        ({"sites": {"T1": "green1"}}, "T1 cannot hold 'green1' with 2 players"),
        ({"sites": {"T1": 1}}, "T1 cannot hold 1 with 2 players"),
        ({"sites": {"T1": ["red1"]}}, r"T1 cannot hold \['red1'\] with 2 players"),
        ({"sites": {"T1": "red\n1"}}, r"T1 cannot hold 'red\\n1' with 2 players"),
        (
            {"sites": {"T1": "red3", "T2": "red3", "T3": "red3", "L1": "red3"}},
            "12 stones on the board, but there are 11",
        ),
        ({"sites": EIGHT | {"T1": "red1", "T2": "red1"}}, "A player has only 9 markers"),
        ({"sites": {"T1": "red1"}, "entered": [1]}, "a player with figures must be among the 'entered'"),
        ({"sites": {}, "seat": 2}, "the seat to move must be 0 to 1, not 2"),
        ({"sites": {}, "seat": -1}, "the seat to move must be 0 to 1, not -1"),
        ({"sites": {}, "seat": True}, "the seat to move must be 0 to 1, not True"),
        ({"sites": {}, "seat": "red"}, "the seat to move must be 0 to 1, not 'red'"),
        ({"sites": {}, "seat": 0, "entered": [0]}, "red is out and cannot be to move"),
        ({"sites": {}, "entered": [2]}, "'entered' must be a list of seats from 0 to 1"),
        ({"sites": {}, "entered": 0}, "'entered' must be a list of seats from 0 to 1"),
        ({"sites": {}, "turned": ["red"]}, "'turned' must be a list of seats from 0 to 1"),
        ({"sites": {}, "turned": [True]}, "'turned' must be a list of seats from 0 to 1"),
        ({"sites": {}, "just_turned": 1}, "'just_turned' must be true or false"),
    ],
)
def test_a_set_up_that_describes_no_table_is_refused_in_one_line(setup: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSetupError, match=message) as caught:
        GAME.configure().start(2, setup)
    assert isinstance(caught.value, GameError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("players", [0, 1, 5])
def test_memento_is_for_two_to_four(players: int) -> None:
    with pytest.raises(InvalidSetupError, match=f"memento-tuos is for 2, 3, 4 players, not {players}"):
        GAME.configure().start(players, {})


def test_a_larger_table_takes_what_a_smaller_one_refuses() -> None:
    """15 stones and four colours with four players; 16 are too many again."""
    sites = {"T1": "red3", "T2": "yellow3", "T3": "green3", "L1": "blue3", "L2": "blue3"}
    assert GAME.configure().start(4, {"sites": sites}).view(None)["stones"] == 0
    with pytest.raises(InvalidSetupError, match="16 stones on the board, but there are 15"):
        GAME.configure().start(4, {"sites": sites | {"L3": "red1"}})


def test_nine_figures_are_not_too_many() -> None:
    position = GAME.configure().start(2, {"sites": EIGHT | {"T1": "red1"}})
    assert position.view(None)["markers"] == [0, 9]
