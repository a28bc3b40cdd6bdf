"""Which rule was broken when the eye is in doubt: the likeliest picture that has a name, mere counts last."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest
from tabletop import doubted, read

from engine.core import Proof, Refusal
from engine.match import Match
from engine.referee.blame import blame
from engine.referee.evidence import Evidence
from engine.referee.stands import Stand
from engine.registry import find_game

RULES = find_game("memento-tuos").configure()
FULL = {"T1": "red2", "T4": "red1", "L4": "red1", "L1": "yellow1", "L6": "yellow3", "R4": "yellow3"}
"""All eleven stones of two players."""


def blamed(
    before: Mapping[str, str],
    after: Mapping[str, str],
    turned: Mapping[str, int] | None = None,
    *,
    seat: int = 0,
    **doubts: dict[str, float],
) -> Refusal:
    """What is said first if the table showed one thing and now shows another, with doubts about some sites."""
    match = Match.begin(RULES, 2, {"sites": before, "seat": seat})
    seen = doubted(read(RULES.game.board(2, {}), after, turned or {}), **doubts)
    return blame(match.position, Stand(match.rules.game.faces.read(before), {}), Evidence(seen))[0]


def moved(before: Mapping[str, str], origin: str, target: str, face: str) -> dict[str, str]:
    return {site: seen for site, seen in before.items() if site != origin} | {target: face}


def test_a_stack_misread_by_a_stone_is_no_stone_too_many() -> None:
    after = moved(FULL, "T1", "R7", "red3")
    assert blamed(FULL, after).rule == "stones.too-many"
    assert blamed(FULL, after, R7={"red2": -1.0}).rule == "move.bend"


def test_a_colour_misread_is_no_marker_too_many() -> None:
    all_reds = dict.fromkeys(["T1", "T4", "T5", "L4", "L5", "R4", "R5", "I4", "I5"], "red1")
    before = all_reds | {"L1": "yellow1"}
    after = moved(before, "L1", "I7", "red1")
    assert blamed(before, after, seat=1).rule == "markers.too-many"
    assert blamed(before, after, seat=1, I7={"yellow1": -1.0}).rule == "move.too-far"


def test_of_pictures_that_only_count_the_likeliest_is_told() -> None:
    refusal = blamed(FULL, FULL | {"T4": "red3"}, T4={"red4": -1.0})
    assert (refusal.rule, refusal.facts["number"]) == ("stones.too-many", 13)


def test_what_may_be_as_it_was_is_taken_for_what_it_was() -> None:
    before = {"T1": "red1", "I1": "yellow1", "L1": "red1"}
    after = before | {"T7": "red1", "R7": "red1"}
    doubtful = {"L1": {"red2": 2.0}}
    assert blamed(before, after, **doubtful).rule == "enter.middle"


def test_the_likelier_of_two_names_is_given() -> None:
    """That a height was misread is likelier than that a figure changed which nobody need have touched."""
    before = {"T1": "red1", "L5": "yellow1", "I3": "yellow1"}
    after = moved(before, "T1", "R6", "red2")
    assert blamed(before, after, I3={"red2": -0.5}).rule == "split.single"
    assert blamed(before, after, I3={"red2": -0.5}, R6={"red1": -1.0}).rule == "move.too-far"


@pytest.mark.parametrize("seen", ["red1", "red2", "red3"])
def test_a_figure_that_walked_too_far_is_named_whatever_its_height_seems_to_be(seen: str) -> None:
    before = {"T1": "red1", "L5": "yellow1"}
    refusal = blamed(before, moved(before, "T1", "R6", seen))
    assert (refusal.rule, refusal.sites) == ("move.too-far", ("T1", "R6"))
    assert blamed(before, moved(before, "T1", "R6", "yellow1")).rule != "move.too-far", "another marker"


def test_where_a_figure_was_entered_comes_before_how_high_it_seems_to_be() -> None:
    before = {"T1": "red1"}
    assert blamed(before, before | {"I3": "red2", "R4": "red1"}).rule == "enter.inner"
    assert blamed(before, before | {"R1": "red2", "R4": "red1"}).rule == "enter.height"


def test_what_nobody_can_name_says_where() -> None:
    before = {"T1": "red1", "L1": "yellow1"}
    refusal = blamed(before, {"T1": "yellow1", "L1": "red1"})
    assert (refusal.rule, refusal.sites, refusal.facts) == ("unknown", ("T1", "L1"), {"sites": "T1, L1"})
    turned = blamed(before, before, {"tile-T": 1})
    assert (turned.rule, turned.facts["sites"]) == ("unknown", "tile-T"), "turned under its figures"


def test_after_the_end_nothing_is_played() -> None:
    rules = find_game("rings").configure()
    match, dice = Match.begin(rules, 2, {}), Random(3)
    while match.position.outcome is None:
        match = match.play(dice.choice(sorted(match.position.legal(), key=str)))
    faces = match.position.faces()
    site = next(iter(faces))
    reading = read(rules.game.board(2, {}), {other: face.name for other, face in faces.items() if other != site}, {})
    assert blame(match.position, Stand(faces, {}), Evidence(reading)) == (Refusal("game-over", (site,)),)


def test_a_height_misread_elsewhere_hides_no_mistake() -> None:
    before = {"T1": "red1", "L1": "yellow1"}
    entered = {"T7": "red1", "T5": "red1"}
    refusal = blamed(before, before | entered | {"L1": "yellow3"})
    assert (refusal.rule, refusal.sites) == ("enter.middle", ("T7",))
    refusal = blamed(before, before | {"L1": "yellow3"})
    assert refusal.sites == ("L1",), "where it is all that differs it is told"
    assert blamed(before, before | entered | {"L1": "red1"}).rule == "unknown", "a colour is not so easily mistaken"


@pytest.mark.parametrize("cup", [("c5",), ("c5", "c6"), ("c6", "a8")], ids=["left", "both", "come to"])
def test_a_ring_turned_against_the_rules_is_named_though_a_cup_hides_a_pawn(cup: tuple[str, ...]) -> None:
    rules = find_game("rings").configure()
    before = {"a4": "red", "c5": "yellow", "c1": "red", "c2": "yellow"}
    match = Match.begin(rules, 2, {"sites": before, "last_turned": "c"})
    after = {"a4": "red", "c6": "yellow", "c2": "red", "c3": "yellow"}
    seen = read(rules.game.board(2, {}), after, {"ring-c": 1}, cup)
    assert (
        blame(match.position, Stand(match.rules.game.faces.read(before), {}), Evidence(seen))[0].rule
        == "turn.same-ring"
    )


def test_what_is_under_a_cup_makes_up_for_nothing_that_is_too_much() -> None:
    rules = find_game("rings").configure()
    before, after = {"a4": "red", "c5": "yellow"}, {"a4": "red", "c6": "yellow", "c2": "red", "b2": "red"}
    match = Match.begin(rules, 2, {"sites": before})
    seen = read(rules.game.board(2, {}), after, {"ring-c": 1}, ["c5", "a8"])
    assert blame(match.position, Stand(match.rules.game.faces.read(before), {}), Evidence(seen))[0].rule == "unknown"


def test_of_an_empty_table_there_is_nothing_to_say() -> None:
    assert blamed({}, {}).rule == "unknown"


def test_however_much_is_hidden_only_some_ways_are_tried() -> None:
    """Seven figures may be on any of 21 hidden sites: all ways to put them there would take for ever."""
    before = dict(zip(("T1", "T2", "T4", "T6", "L1", "L3", "L5"), ("red1", "red2", "yellow1") * 3, strict=False))
    match, board = Match.begin(RULES, 2, {"sites": before}), RULES.game.board(2, {})
    seen = read(board, {}, {"tile-R": 1}, [site for site in board.sites if site[0] in "TLI"])
    assert blame(match.position, Stand(match.rules.game.faces.read(before), {}), Evidence(seen))


def test_a_rule_that_only_counts_gives_way_to_one_that_names_a_deed() -> None:
    """The game says how much its rules prove: the referee knows none of their codes."""
    after = moved(FULL, "T1", "R7", "red3")
    assert blamed(FULL, after).proof is Proof.COUNT
    assert blamed(FULL, after, R7={"red2": -1.0}).proof is Proof.DEED
