"""Memento's rules, sentence by sentence of its rules page, on tables laid by hand.

The board is written out here once more, from the page: nothing is taken from the engine's own tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import chain, combinations, pairwise, product
from math import comb
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import COLOURS, InvalidSetupError, Outcome, Value
from engine.face import spelled
from engine.games.memento.rules import Memento, MementoPosition
from engine.perft import perft
from engine.registry import find_game

POINTS = tuple(f"{tile}{place}" for tile in "TLRI" for place in "1234567")
PLACES = tuple(point for point in POINTS if point[0] != "I" and point[1] != "7")
"""The 18 points to enter on."""
EXITS = {"T1", "L3", "R2", "I1", "I2", "I3"}
LEFT, RIGHT, BOTTOM = ("T3", "L1", "I2"), ("T2", "R1", "I3"), ("L2", "R3", "I1")
OPPOSITE = {"T1": BOTTOM, "L3": RIGHT, "R2": LEFT}
PASSAGES = ("closed", "step", "straight", "wide")

BIG_SIDES = ("T1 T5 T3 L1 L5 L3", "T1 T6 T2 R1 R6 R2", "L3 L4 L2 R3 R4 R2")
AXES = ("T1 T7 T4 I4 I7 I1", "L3 L7 L6 I6 I7 I3", "R2 R7 R5 I5 I7 I2")
SIDES_OF_I = ("I2 I4 I3", "I2 I6 I1", "I3 I5 I1")
INWARD_SIDES = ("T3 T4 T2", "L1 L6 L2", "R1 R5 R3")
OTHER_ALTITUDES = ("T2 T7 T5", "T3 T7 T6", "L1 L7 L4", "L2 L7 L5", "R1 R7 R4", "R3 R7 R6")
LINES = BIG_SIDES + AXES + SIDES_OF_I + INWARD_SIDES + OTHER_ALTITUDES

INSIDE_ONE = "14 15 16 24 25 26 34 35 36 17 27 37 47 57 67"
"""Every two places of a triangle that could be joined; corner k and median k+3 are not, see `INSIDE`."""
INSIDE = {
    frozenset((f"{tile}{a}", f"{tile}{b}"))
    for tile in "TLRI"
    for a, b in INSIDE_ONE.split()
    if (a, b) not in {("1", "4"), ("2", "5"), ("3", "6")}
}
LINKS = {frozenset(pair) for corners in (LEFT, RIGHT, BOTTOM) for pair in combinations(corners, 2)}
FACING = {frozenset(("T4", "I4")), frozenset(("L6", "I6")), frozenset(("R5", "I5"))}
BIG_TO_BIG = {frozenset(("T1", "L3")), frozenset(("T1", "R2")), frozenset(("L3", "R2"))}
BIG_TO_OPPOSITE = {frozenset((corner, point)) for corner, points in OPPOSITE.items() for point in points}
BETWEEN_CONSTELLATIONS = {
    frozenset(pair) for one, other in combinations((LEFT, RIGHT, BOTTOM), 2) for pair in product(one, other)
}
OFF_BOARD = BIG_TO_BIG | BIG_TO_OPPOSITE | BETWEEN_CONSTELLATIONS


@cache
def memento(**options: Value) -> Memento:
    rules = find_game("memento-tuos").configure(None, options)
    assert isinstance(rules, Memento)
    return rules


def lay(
    sites: Mapping[str, str], seat: int = 0, players: int = 2, setup: Mapping[str, Any] | None = None, **options: Value
) -> MementoPosition:
    """A table laid by hand, this seat to move."""
    return memento(**options).begin(players, {"sites": dict(sites), "seat": seat} | dict(setup or {}))


def singles(colour: str, points: str) -> dict[str, str]:
    return dict.fromkeys(points.split(), f"{colour}1")


def texts(position: MementoPosition) -> set[str]:
    actions = [str(action) for action in position.legal()]
    assert len(actions) == len(set(actions)), "the same text twice"
    return set(actions)


def entries(position: MementoPosition) -> set[str]:
    return {text for text in texts(position) if text[0] == "+"}


def turns(position: MementoPosition) -> set[str]:
    return {text for text in texts(position) if text[1] in "<>"}


def targets(position: MementoPosition, origin: str) -> set[str]:
    """Where the figure on this point can move, free or capturing."""
    return {text[3:] for text in texts(position) if text[:2] == origin and text[2] in "-x"}


def splits(position: MementoPosition, origin: str) -> set[str]:
    return {text for text in texts(position) if text.startswith(f"{origin}/")}


def walk(position: MementoPosition, line: str) -> list[MementoPosition]:
    """The positions before, between and after these actions."""
    positions = [position]
    for text in line.split():
        positions.append(positions[-1].play(position.rules.parse(text)))
    return positions


def play(position: MementoPosition, line: str) -> MementoPosition:
    return walk(position, line)[-1]


def faces(position: MementoPosition) -> dict[str, str]:
    return spelled(position.faces())


def points(text: str) -> set[str]:
    return set(text.split())


def in_point_order(parts: Iterable[str]) -> list[str]:
    return sorted(parts, key=lambda part: POINTS.index(part[-2:]))


def all_steps(**options: Value) -> set[frozenset[str]]:
    """Every neighbourhood of the board, as a lone Single walks it; each must hold both ways."""
    found = {(point, to) for point in POINTS for to in targets(lay({point: "red1"}, **options), point)}
    assert all((to, point) in found for point, to in found), "a step that cannot be taken back"
    return {frozenset(pair) for pair in found}


# Board


def test_four_triangles_of_seven_points_in_page_order() -> None:
    """The first Single may stand on any of the 28 points, T1…T7, L1…L7, R1…R7, I1…I7."""
    start = memento().begin(2, {})
    assert len(POINTS) == 4 * 7 == 28
    assert [str(action) for action in start.legal()] == [f"+{point}" for point in POINTS]


def test_a_place_keeps_its_name_when_a_triangle_is_turned() -> None:
    """What stood on T1 stands on T2 after a clockwise turn, and T1 is free to be entered again."""
    after = play(lay({"T1": "red1", "L1": "yellow1"}), "T>")
    assert faces(after) == {"T2": "red1", "L1": "yellow1"}
    assert "+T1,T3" in texts(after)


# Neighbours


def test_99_edges_counted_group_by_group() -> None:
    groups = (INSIDE, LINKS, FACING, BIG_TO_BIG, BIG_TO_OPPOSITE, BETWEEN_CONSTELLATIONS)
    assert [len(group) for group in groups] == [4 * 12, 3 * 3, 3, 3, 3 * 3, 27]
    assert len(set(chain.from_iterable(groups))) == 48 + 9 + 3 + 3 + 9 + 27 == 99, "the groups do not overlap"
    assert all_steps() == set(chain.from_iterable(groups))


@pytest.mark.parametrize("passage", PASSAGES)
@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("facing", [True, False])
def test_each_option_takes_its_own_edges_away_and_no_others(passage: str, links: bool, facing: bool) -> None:
    """`constellation_links` is worth 9 edges, `facing_medians` 3, `passage` closed 39; other passages nothing."""
    steps = all_steps(passage=passage, constellation_links=links, facing_medians=facing)
    assert len(steps) == 48 + 9 * links + 3 * facing + (0 if passage == "closed" else 39)
    want = INSIDE | (LINKS if links else set()) | (FACING if facing else set())
    assert steps == want | (set() if passage == "closed" else OFF_BOARD)


@pytest.mark.parametrize(
    ("point", "near"),
    [
        ("T1", "T5 T6 T7 L3 R2 L2 R3 I1"),
        ("T2", "T4 T6 T7 R1 I3 L3 T3 L1 I2 L2 R3 I1"),
        ("T4", "T2 T3 T7 I4"),
        ("T5", "T1 T3 T7"),
        ("T7", "T1 T2 T3 T4 T5 T6"),
        ("L2", "L4 L6 L7 R3 I1 T1 T3 L1 I2 T2 R1 I3"),
        ("L3", "L4 L5 L7 T1 R2 T2 R1 I3"),
        ("L6", "L1 L2 L7 I6"),
        ("R2", "R4 R6 R7 T1 L3 T3 L1 I2"),
        ("R5", "R1 R3 R7 I5"),
        ("I1", "I5 I6 I7 L2 R3 T1 T3 L1 I2 T2 R1 I3"),
        ("I7", "I1 I2 I3 I4 I5 I6"),
    ],
)
def test_neighbours_of_a_point_written_out(point: str, near: str) -> None:
    assert targets(lay({point: "red1"}), point) == points(near)


# Straight lines


@pytest.mark.parametrize("passage", PASSAGES)
def test_18_lines_and_which_close(passage: str) -> None:
    """Big sides, axes and the sides of I close in original and complex; the nine others never do."""
    assert [len(lines) for lines in (BIG_SIDES, AXES, SIDES_OF_I, INWARD_SIDES, OTHER_ALTITUDES)] == [3, 3, 3, 3, 6]
    lines = memento(passage=passage).ways.lines
    closing = BIG_SIDES + AXES + SIDES_OF_I if passage in ("straight", "wide") else ()
    assert len(lines) == len(LINES) == 18
    assert {(" ".join(POINTS[point] for point in line), closed) for line, closed in lines} == {
        (line, line in closing) for line in LINES
    }


@pytest.mark.parametrize("passage", PASSAGES)
@pytest.mark.parametrize("links", [True, False])
@pytest.mark.parametrize("facing", [True, False])
def test_a_lone_double_reaches_the_whole_of_its_lines(passage: str, links: bool, facing: bool) -> None:
    """On an empty board: its steps, its lines (half of a cut line that does not close), and in wide one step more."""
    for point in POINTS:
        slides: set[str] = set()
        for line in LINES:
            on_line = line.split()
            cut = (line in BIG_SIDES and not links) or (line in AXES and not facing)
            if cut and passage in ("closed", "step"):
                on_line = on_line[:3] if point in on_line[:3] else on_line[3:]
            if point in on_line:
                slides |= set(on_line)
        want = {to for to in POINTS if frozenset((point, to)) in INSIDE} | slides
        want |= {to for to in POINTS if frozenset((point, to)) in LINKS and links}
        want |= {to for to in POINTS if frozenset((point, to)) in FACING and facing}
        if passage != "closed":
            want |= {to for to in POINTS if frozenset((point, to)) in OFF_BOARD}
        if passage == "wide":
            want |= {to for out in slides & EXITS for to in EXITS if frozenset((out, to)) in OFF_BOARD}
        position = lay({point: "red2"}, passage=passage, constellation_links=links, facing_medians=facing)
        assert targets(position, point) == want - {point}


@pytest.mark.parametrize("line", BIG_SIDES + AXES)
def test_a_closed_line_goes_on_from_its_last_point_to_its_first(line: str) -> None:
    """Double on the second point, its third taken: the other three are reached only round the back."""
    first, second, third, *rest = line.split()
    sites = {second: "red2", third: "yellow1"}
    for passage in ("straight", "wide"):
        assert {first, third, *rest} <= targets(lay(sites, passage=passage), second)
    for passage in ("closed", "step"):
        assert {first, third} <= targets(lay(sites, passage=passage), second)
        assert not targets(lay(sites, passage=passage), second) & set(rest)


@pytest.mark.parametrize("line", OTHER_ALTITUDES)
@pytest.mark.parametrize("passage", PASSAGES)
def test_the_other_altitudes_never_close(line: str, passage: str) -> None:
    """With the middle taken there is no way round from the median to the corner of its altitude."""
    corner, middle, median = line.split()
    position = lay({median: "red2", middle: "yellow1"}, passage=passage)
    assert middle in targets(position, median)
    assert corner not in targets(position, median)


def test_a_slide_on_a_closed_line_ends_before_the_own_point() -> None:
    """The Double goes round all of T1 T5 T3 L1 L5 L3 but never onto T1, and no figure ever onto its own point."""
    for passage, height in product(PASSAGES, "123"):
        assert all(
            point not in targets(lay({point: f"red{height}"}, passage=passage), point) for point in ("T1", "I1", "T7")
        )
    # Both ways are taken: each is captured, and nothing between them is reached.
    position = lay({"T1": "red2", "T5": "yellow1", "L5": "yellow1"})
    assert targets(position, "T1") == points("T5 L3 L5  T6 T2 R1 R6 R2  T7 T4 I4 I7 I1  L2 R3")


@pytest.mark.parametrize(
    ("passage", "cut", "whole"),
    [
        ("closed", "T1 T7 T2 T3", "T1 T7 T2 T3 I4 I7 I1"),
        ("step", "T1 T7 T2 T3", "T1 T7 T2 T3 I4 I7 I1"),
        ("straight", "T1 T7 T2 T3 I1 I7 I4", "T1 T7 T2 T3 I4 I7 I1"),
        ("wide", "T1 T7 T2 T3 I1 I7 I4 L3 R2 I2 I3", "T1 T7 T2 T3 I4 I7 I1 L3 R2 I2 I3"),
    ],
)
def test_without_facing_medians_an_axis_is_cut_between_third_and_fourth(passage: str, cut: str, whole: str) -> None:
    """The Double on T4: cut, the line is T1 T7 T4 alone, or ONE open line I4 I7 I1 T1 T7 T4 where it closes."""
    assert targets(lay({"T4": "red2"}, passage=passage, facing_medians=False), "T4") == points(cut)
    assert targets(lay({"T4": "red2"}, passage=passage), "T4") == points(whole)


@pytest.mark.parametrize("passage", ["straight", "wide"])
def test_a_cut_line_that_closes_is_one_open_line(passage: str) -> None:
    """I4 I7 I1 T1 T7 T4: from T4 all lies beyond T1, and I4 has no way on to T4."""
    barred = lay({"T4": "red2", "T1": "yellow1"}, passage=passage, facing_medians=False)
    assert targets(barred, "T4") == points("T7 T1 T2 T3")
    taken = lay({"T4": "red2", "I7": "yellow1"}, passage=passage, facing_medians=False)
    assert {"I1", "I7"} <= targets(taken, "T4")
    assert "I4" not in targets(taken, "T4")
    whole = lay({"T4": "red2", "I7": "yellow1"}, passage=passage)
    assert {"I1", "I7", "I4"} <= targets(whole, "T4")


@pytest.mark.parametrize(
    ("passage", "cut", "whole"),
    [
        ("closed", "", "L1 I2 L5 L3"),
        ("step", "R2 R1 I3 L2 R3 I1", "R2 R1 I3 L2 R3 I1 L1 I2 L5 L3"),
        ("straight", "R2 R1 I3 L2 R3 I1 L3 L5 L1", "R2 R1 I3 L2 R3 I1 L1 I2 L5 L3"),
        ("wide", "R2 R1 I3 L2 R3 I1 L3 L5 L1", "R2 R1 I3 L2 R3 I1 L1 I2 L5 L3"),
    ],
)
def test_without_constellation_links_a_big_side_is_cut_likewise(passage: str, cut: str, whole: str) -> None:
    """The Double on T3: within T it has T1 T5, T2 T4 and T6 T7 always; L only round the back if at all."""
    inside = points("T1 T5 T2 T4 T6 T7")
    assert targets(lay({"T3": "red2"}, passage=passage, constellation_links=False), "T3") == inside | points(cut)
    assert targets(lay({"T3": "red2"}, passage=passage), "T3") == inside | points(whole)


def test_a_cut_big_side_is_left_over_its_closing_step_only() -> None:
    """L1 L5 L3 T1 T5 T3: a figure on T1 bars the Double on T3 from all of L."""
    barred = lay({"T3": "red2", "T1": "yellow1"}, constellation_links=False)
    assert targets(barred, "T3") == points("T1 T5 T2 T4 T6 T7 R2 R1 I3 L2 R3 I1")


# Passage


@pytest.mark.parametrize("height", [1, 2, 3])
def test_closed_has_no_off_board_steps_at_all_for_any_figure(height: int) -> None:
    position = lay({"T1": f"red{height}"}, passage="closed")
    slides = "T3 L1 L5 L3 T2 R1 R6 R2 T4 I4 I7 I1" if height == 2 else ""
    assert targets(position, "T1") == points("T5 T6 T7") | points(slides)
    assert not {"L2", "R3"} & targets(position, "T1")


def test_step_has_off_board_steps_but_no_slide_goes_on_through_one() -> None:
    """From T1 over the edge to L3 and no further; from T5 to T1 and no further."""
    position = lay({"T1": "red2", "T5": "yellow1"}, passage="step")
    assert targets(position, "T1") == points("T5  T6 T2 R1 R6 R2  T7 T4 I4 I7 I1  L3 L2 R3")
    position = lay({"T5": "red2", "T3": "yellow1"}, passage="step")
    assert targets(position, "T5") == points("T1 T3 T7 T2")


def test_straight_lets_a_slide_go_on_through_an_off_board_step_of_its_own_line() -> None:
    """From T5 over T1 and the edge to L3 L5 L1, but not to R2 or I1, which are on other lines."""
    position = lay({"T5": "red2", "T3": "yellow1"}, passage="straight")
    assert targets(position, "T5") == points("T1 T3 T7 T2 L3 L5 L1")
    assert targets(lay({"T5": "red2", "T1": "yellow1", "T3": "yellow1"}), "T5") == points("T1 T3 T7 T2")


@pytest.mark.parametrize(
    ("taken", "more"),
    [
        ("", "L3 R2 I1 I3"),  # over T1: L3, R2, I1; over L3: T1, R2, I3
        ("L3", "L3 R2 I1"),  # over T1 only
        ("T1", "L3 R2 I3"),  # over L3 only
        ("T1 L3", "L3"),  # an exit must itself be free
    ],
)
def test_wide_may_end_with_one_off_board_step_from_a_free_exit_point(taken: str, more: str) -> None:
    """The Double on T5: its lines give T1 T3 L1 L5 L3 and T7 T2; never L2, R3, … (no exits), nor anything beyond."""
    position = lay({"T5": "red2"} | singles("yellow", taken), passage="wide")
    assert targets(position, "T5") == points("T1 T3 L1 L5 T7 T2") | points(more)
    assert targets(lay({"T5": "red2"} | singles("yellow", taken), passage="straight"), "T5") == points(
        "T1 T3 L1 L5 T7 T2 L3"
    )


def test_wide_needs_a_way_over_free_points_to_the_exit() -> None:
    position = lay({"T5": "red2", "T1": "yellow1", "L5": "yellow1"}, passage="wide")
    assert targets(position, "T5") == points("T1 T3 L1 L5 T7 T2")


def test_wide_may_capture_at_the_end_of_the_last_step() -> None:
    position = lay({"T5": "red2", "I1": "yellow1", "R2": "red1"}, passage="wide")
    assert {"T5xI1", "T5xR2", "T5-I3"} <= texts(position)
    assert faces(play(position, "T5xI1")) == {"I1": "red3", "R2": "red1"}
    assert not {"T5xI1", "T5xR2", "T5-I3"} & texts(
        lay({"T5": "red2", "I1": "yellow1", "R2": "red1"}, passage="straight")
    )


def test_wide_never_leads_back_onto_the_own_point() -> None:
    """T1 slides to L3, R2 and I1, each an off-board neighbour of T1; from them it gains I2 and I3, not T1."""
    lines, steps = "T5 T3 L1 L5 L3 T6 T2 R1 R6 R2 T7 T4 I4 I7 I1", "L2 R3"
    assert targets(lay({"T1": "red2"}, passage="wide"), "T1") == points(f"{lines} {steps} I2 I3")
    assert targets(lay({"T1": "red2"}, passage="straight"), "T1") == points(f"{lines} {steps}")


def test_wide_does_not_help_singles_and_tripples() -> None:
    for height in (1, 3):
        assert targets(lay({"T5": f"red{height}"}, passage="wide"), "T5") == points("T1 T3 T7")


AFTER_OPENING = "+T1 +L1,L5 +T5,T6 L1xL5 T5xT1 L5-L1"


@pytest.mark.parametrize(
    ("off", "passage", "one", "two"),
    [
        (None, "closed", 142, 18264),
        (None, "step", 180, 35369),
        (None, "straight", 234, 47505),
        (None, "wide", 267, 55083),
        ("constellation_links", "closed", 141, 15353),
        ("constellation_links", "step", 179, 28629),
        ("constellation_links", "straight", 219, 37918),
        ("constellation_links", "wide", 250, 44626),
        ("facing_medians", "closed", 124, 15244),
        ("facing_medians", "step", 159, 30354),
        ("facing_medians", "straight", 234, 47505),
        ("facing_medians", "wide", 267, 55083),
    ],
)
def test_counts_by_passage_agree_with_another_implementation(off: str | None, passage: str, one: int, two: int) -> None:
    rules = memento(passage=passage, **({off: False} if off else {}))
    position = play(rules.begin(2, {}), AFTER_OPENING)
    assert faces(position) == {"T1": "red2", "T6": "red1", "L1": "yellow2"}
    assert (perft(position, 1), perft(position, 2)) == (one, two)


@pytest.mark.parametrize(
    "sites", [{"T1": "red2", "T5": "yellow1"}, {"T7": "red2", "I3": "red2"}, {"L3": "red2", "L4": "yellow2"}]
)
def test_each_passage_allows_all_that_the_one_before_allows(sites: dict[str, str]) -> None:
    closed, step, straight, wide = (texts(lay(sites, passage=passage)) for passage in PASSAGES)
    assert closed < step <= straight < wide


# Variants


def test_variants_only_set_the_passage() -> None:
    tuos = find_game("memento-tuos")
    default = {"constellation_links": True, "facing_medians": True}
    assert tuos.configure("original").options == default | {"passage": "straight"}
    assert tuos.configure("complex").options == default | {"passage": "wide"}
    assert tuos.configure("simple").options == default | {"passage": "step"}
    assert tuos.configure().variant == "original"


def test_an_option_given_explicitly_wins_over_the_variant() -> None:
    rules = find_game("memento-tuos").configure("complex", {"passage": "closed", "facing_medians": False})
    assert rules.options == {"constellation_links": True, "facing_medians": False, "passage": "closed"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_memento_ludis_has_no_variants_and_equals_the_original(players: int) -> None:
    ludis, tuos = find_game("memento-ludis"), find_game("memento-tuos")
    assert not ludis.variants
    assert ludis.options == tuos.options
    assert ludis.configure().variant is None
    assert ludis.configure().options == tuos.configure("original").options
    line = f"+T1 {'+L1,L5 +T5,T6 +R1,R5'[: 7 * (players - 1)]}"
    one = ludis.configure().start(players, {})
    other = tuos.configure("original").start(players, {})
    assert isinstance(one, MementoPosition)
    assert isinstance(other, MementoPosition)
    assert texts(play(one, line)) == texts(play(other, line))


# Material


@pytest.mark.parametrize(("players", "stones"), [(2, 11), (3, 11), (4, 15)])
def test_stones_in_one_common_supply_and_nine_markers_each(players: int, stones: int) -> None:
    start = memento().begin(players, {})
    assert start.supply == start.view(None)["stones"] == stones
    assert start.view(None)["markers"] == [9] * players
    after = play(start, "+T1 +T2,T3")
    assert after.supply == stones - 3
    assert after.view(0)["markers"] == [8, 7] + [9] * (players - 2)


def test_a_figure_is_one_to_three_stones_under_one_marker() -> None:
    position = lay({"T1": "red1", "T2": "red2", "T3": "red3", "L1": "yellow3"})
    assert position.supply == 11 - (1 + 2 + 3 + 3)
    assert [position.spare_markers(seat) for seat in (0, 1)] == [9 - 3, 9 - 1]


@pytest.mark.parametrize("face", ["red0", "red4", "green1"])
def test_no_figure_is_flatter_or_taller_or_of_a_player_not_there(face: str) -> None:
    with pytest.raises(InvalidSetupError):
        lay({"T1": face})


# Turn: the first action


def test_counts_from_the_start() -> None:
    """28 first Singles. Then two on what is free of 18 places, or a triangle turned unless the Single is on its 7."""
    start = memento().begin(2, {})
    assert perft(start, 1) == 28
    assert perft(start, 2) == 18 * comb(17, 2) + 10 * comb(18, 2) + 24 * 2 == 4026


@pytest.mark.parametrize(("players", "count"), [(2, 493656), (3, 465156)])
def test_counts_from_the_start_agree_with_another_implementation(players: int, count: int) -> None:
    assert perft(memento().begin(players, {}), 3) == count


@pytest.mark.parametrize("point", ["T1", "L5", "R7", "I7", "I1"])
def test_the_first_action_is_one_single_on_any_point(point: str) -> None:
    """Middle points and the inner triangle too; it is seat 0 who puts it."""
    start = memento().begin(3, {})
    assert start.seat == 0
    after = play(start, f"+{point}")
    assert faces(after) == {point: "red1"}
    assert after.seat == 1


def test_only_the_first_action_of_the_match_is_one_single() -> None:
    """Seat 1 has no figure yet either, but enters two (or turns)."""
    after = play(memento().begin(2, {}), "+T1")
    assert texts(after) == {f"+{a},{b}" for a, b in combinations(PLACES[1:], 2)} | {"T>", "T<"}


def test_turns_go_clockwise_round_the_seats() -> None:
    positions = walk(memento().begin(4, {}), "+T1 +L1,L5 +T5,T6 +R1,R5 T1-T7")
    assert [position.seat for position in positions] == [0, 1, 2, 3, 0, 1]


# 1. Enter two


def test_enter_two_singles_on_18_places() -> None:
    """Two different free points of T, L, R, not on a middle point."""
    position = lay({"I1": "red1", "I2": "yellow1"})
    assert len(PLACES) == 3 * 6 == 18
    assert entries(position) == {f"+{a},{b}" for a, b in combinations(PLACES, 2)}
    assert len(entries(position)) == comb(18, 2) == 153
    assert faces(play(position, "+T1,R6")) == {"I1": "red1", "I2": "yellow1", "T1": "red1", "R6": "red1"}


def test_enter_on_free_points_only() -> None:
    """A figure of whichever colour and height takes its place away; one on a middle point takes none."""
    position = lay({"T1": "red1", "L3": "yellow3", "T7": "red2"})
    free = [point for point in PLACES if point not in {"T1", "L3"}]
    assert entries(position) == {f"+{a},{b}" for a, b in combinations(free, 2)}


@pytest.mark.parametrize(("last", "supply", "ways"), [("yellow3", 2, comb(15, 2)), ("yellow2", 3, comb(15, 2))])
def test_enter_with_two_stones_in_the_supply(last: str, supply: int, ways: int) -> None:
    position = lay({"T1": "red3", "T2": "red3", "T3": last})
    assert position.supply == supply
    assert len(entries(position)) == ways


@pytest.mark.parametrize(("more", "supply"), [("red1", 1), ("red2", 0)])
def test_no_entry_with_fewer_than_two_stones(more: str, supply: int) -> None:
    position = lay({"T1": "red3", "T2": "red3", "T3": "yellow3", "L1": more})
    assert position.supply == supply
    assert entries(position) == set()


def test_the_supply_of_four_players_is_larger() -> None:
    position = lay({"T1": "red3", "T2": "red3", "T3": "yellow3", "L1": "green3", "L2": "blue1"}, players=4)
    assert position.supply == 15 - 13 == 2
    assert entries(position)


def test_enter_needs_two_own_markers_off_the_board() -> None:
    """Seven figures: two markers left. Eight: one left, and none may enter, though three stones are there."""
    seven = lay(singles("red", "I1 I2 I3 I4 I5 I6 T1") | {"T2": "yellow1"})
    assert (seven.spare_markers(0), seven.supply) == (2, 3)
    assert len(entries(seven)) == comb(16, 2)
    eight = lay(singles("red", "I1 I2 I3 I4 I5 I6 T1 I7") | {"T2": "yellow1"})
    assert (eight.spare_markers(0), eight.supply) == (1, 2)
    assert entries(eight) == set()
    foreign = lay(singles("red", "I1 I2 I3 I4 I5 I6 T1 I7") | {"T2": "yellow1"}, seat=1)
    assert len(entries(foreign)) == comb(16, 2), "the markers of others do not matter"


# 2. Turn


def test_a_clockwise_turn_takes_1_to_2_to_3_and_4_to_5_to_6() -> None:
    before = {"T1": "red1", "T2": "yellow2", "T4": "red3", "T5": "yellow1", "T7": "red2", "L1": "red1"}
    after = {"T2": "red1", "T3": "yellow2", "T5": "red3", "T6": "yellow1", "T7": "red2", "L1": "red1"}
    assert faces(play(lay(before), "T>")) == after
    assert faces(play(lay(after), "T<")) == before


@pytest.mark.parametrize("tile", "TLRI")
@pytest.mark.parametrize(
    ("text", "cycle"),
    [(">", "1 2 3 1"), (">", "4 5 6 4"), ("<", "1 3 2 1"), ("<", "4 6 5 4"), (">", "7 7"), ("<", "7 7")],
)
def test_every_triangle_turns_by_the_same_cycles(tile: str, text: str, cycle: str) -> None:
    """All on it goes along; the Double on another place only makes the turn a change."""
    places = cycle.split()
    for place, to in pairwise(places):
        other = "4" if place in "123" else "1"
        after = play(lay({f"{tile}{place}": "red1", f"{tile}{other}": "yellow2"}), f"{tile}{text}")
        assert spelled(after.faces()).get(f"{tile}{to}") == "red1"


def test_both_directions_of_every_triangle_that_a_turn_changes() -> None:
    assert turns(lay({"T1": "red1", "L4": "yellow1", "R7": "red1"})) == {"T>", "T<", "L>", "L<"}
    assert turns(lay({"R3": "red1", "I6": "yellow3"})) == {"R>", "R<", "I>", "I<"}


@pytest.mark.parametrize(
    ("sites", "changes"),
    [
        ({"T7": "red1"}, False),
        ({"T1": "red1", "T2": "red1", "T3": "red1"}, False),
        ({"T4": "red2", "T5": "red2", "T6": "red2", "T7": "yellow1"}, False),
        ({"T1": "red1", "T2": "red1", "T3": "red1", "T4": "red1", "T5": "red1", "T6": "red1"}, False),
        ({"T1": "red1", "T2": "red1"}, True),
        ({"T1": "red1", "T2": "red1", "T3": "yellow1"}, True),
        ({"T1": "red1", "T2": "red1", "T3": "red2"}, True),
        ({"T1": "red2", "T2": "red2", "T3": "red3"}, True),
        ({"T1": "red1", "T2": "red1", "T3": "red3"}, True),
        ({"T1": "red1", "T2": "red1", "T3": "red1", "T4": "red1"}, True),
    ],
)
def test_no_turn_if_no_point_changes_owner_or_height(sites: dict[str, str], changes: bool) -> None:
    assert turns(lay(sites)) == ({"T>", "T<"} if changes else set())


def test_no_turn_if_the_action_just_before_was_a_turn() -> None:
    """By whoever played it: the next player may turn no triangle, the one after him may."""
    position = play(lay({"T1": "red1", "L1": "yellow1", "R1": "green1"}, players=3), "T>")
    assert turns(position) == set()
    assert turns(play(position, "L1-L5")) == {f"{tile}{way}" for tile in "TLR" for way in "<>"}


def test_no_turn_if_the_own_last_action_was_a_turn() -> None:
    """Three players: red turned, two others acted since; red may not turn, but may again after another action."""
    position = play(lay({"T1": "red1", "L1": "yellow1", "R1": "green1"}, players=3), "T> L1-L5 R1-R5")
    assert position.seat == 0
    assert turns(position) == set()
    position = play(position, "T2-T6 L5-L1 R5-R1")
    assert position.seat == 0
    assert turns(position)


def test_two_players_turn_by_turn() -> None:
    """Red turns; yellow may not (just before); red may not (own last); yellow now may; red not (just before)."""
    positions = walk(lay({"T1": "red1", "L1": "yellow1"}), "T> L1-L5 T2-T6 L> T6-T2 L6-L2 T<")
    may = [bool(turns(position)) for position in positions]
    assert may == [True, False, False, True, False, False, True, False]


def test_the_turn_rule_survives_the_set_up() -> None:
    sites = {"T1": "red1", "L1": "yellow1"}
    assert turns(lay(sites, setup={"just_turned": True})) == set()
    assert turns(lay(sites, setup={"turned": [0]})) == set()
    assert turns(lay(sites, setup={"turned": [1]}))


# 3. Move


def test_a_single_moves_to_a_neighbour_only() -> None:
    position = lay({"T1": "red1", "T7": "yellow1", "L3": "red1"})
    assert targets(position, "T1") == points("T5 T6 T7 L3 R2 L2 R3 I1")
    assert {"T1-T5", "T1xT7", "T1xL3"} <= texts(position)
    assert faces(play(position, "T1-T5")) == {"T5": "red1", "T7": "yellow1", "L3": "red1"}


def test_a_double_slides_over_free_points_to_any_of_them_or_onto_the_first_occupied_one() -> None:
    position = lay({"L1": "red2", "L7": "yellow1", "L3": "red1", "L2": "yellow3"}, passage="closed")
    along_side = "T3 T5 T1 L5 L3"  # up to the end of the line; down to the own Single
    along_altitude = "L7"  # the yellow Single; L4 lies behind it
    along_inward_side = "L6 L2"  # the Tripple at the end
    assert targets(position, "L1") == points(f"{along_side} {along_altitude} {along_inward_side} I2")
    assert {"L1xL7", "L1xL3", "L1xL2", "L1-T1"} <= texts(position)
    assert faces(play(position, "L1-T1"))["T1"] == "red2"


def test_a_double_does_not_jump_from_a_middle_point() -> None:
    position = lay({"T7": "red2"})
    assert targets(position, "T7") == points("T1 T2 T3 T4 T5 T6 I4 I7 I1")


@pytest.mark.parametrize("passage", PASSAGES)
@pytest.mark.parametrize("facing", [True, False])
@pytest.mark.parametrize(
    ("middle", "jumps"),
    [("T7", "L7 R7 I7 L3 R2"), ("L7", "T7 R7 I7 T1 R2"), ("R7", "T7 L7 I7 T1 L3"), ("I7", "T7 L7 R7 T1 L3 R2")],
)
def test_a_tripple_on_a_middle_point_jumps(passage: str, facing: bool, middle: str, jumps: str) -> None:
    """To any other middle point or any big corner; no off-board step, so no option affects it."""
    own = {f"{middle[0]}{place}" for place in range(1, 7)}
    position = lay({middle: "red3"}, passage=passage, facing_medians=facing, constellation_links=facing)
    assert targets(position, middle) == own | points(jumps)


def test_a_tripple_jumps_whatever_lies_between_and_may_capture() -> None:
    between = singles("yellow", "I4 I5 I6 I2 T4 L6")
    position = lay({"I7": "red3", "T7": "red1"} | between)
    assert {"I7xT7", "I7-L7", "I7-R7", "I7-T1", "I7-L3", "I7-R2"} <= texts(position)
    assert "I7xL3" in texts(lay({"I7": "red3", "L3": "yellow2"}))


@pytest.mark.parametrize(("point", "near"), [("T1", "T5 T6 T7 L3 R2 L2 R3 I1"), ("T5", "T1 T3 T7")])
def test_a_tripple_elsewhere_only_steps(point: str, near: str) -> None:
    assert targets(lay({point: "red3"}), point) == points(near)


def test_only_own_figures_move() -> None:
    position = lay({"T1": "red1", "L3": "yellow3", "R2": "yellow2"})
    assert {text[:2] for text in texts(position) if text[0] != "+" and text[1] not in "<>"} == {"T1"}


# Captures


@pytest.mark.parametrize("beaten", [1, 2, 3])
@pytest.mark.parametrize("mover", [1, 2, 3])
@pytest.mark.parametrize("colour", ["red", "yellow"])
def test_a_capture_adds_up_and_above_three_exactly_three_stones_go_back(mover: int, beaten: int, colour: str) -> None:
    """2→2, 3→3, 4→1, 5→2, 6→3; the beaten marker returns to its owner, whoever that is."""
    height = {2: 2, 3: 3, 4: 1, 5: 2, 6: 3}[mover + beaten]
    before = lay({"T1": f"red{mover}", "T5": f"{colour}{beaten}", "L4": "yellow1"})
    after = play(before, "T1xT5")
    assert faces(after) == {"T5": f"red{height}", "L4": "yellow1"}
    assert after.supply - before.supply == (3 if mover + beaten > 3 else 0) == mover + beaten - height
    if colour == "red":
        assert (before.view(None)["markers"], after.view(None)["markers"]) == ([7, 8], [8, 8])
    else:
        assert (before.view(None)["markers"], after.view(None)["markers"]) == ([8, 7], [8, 8])


def test_a_figure_lands_as_tall_as_it_is_on_a_free_point() -> None:
    for height in "123":
        after = play(lay({"T1": f"red{height}", "L4": "yellow1"}), "T1-T5")
        assert faces(after) == {"T5": f"red{height}", "L4": "yellow1"}


def test_stones_that_came_back_can_enter_again() -> None:
    """Eleven stones on the board; after 3 + 3 → 3 there are three in the supply, and yellow enters."""
    position = lay({"T1": "red3", "T5": "red3", "L1": "yellow3", "L2": "yellow2"})
    assert position.supply == 0
    after = play(position, "T1xT5")
    assert after.supply == 3
    assert entries(after)


# 4. Split


def test_a_double_splits_into_two_singles() -> None:
    """From T7 it could move to nine free points, so there are C(9, 2) pairs; its own point is free afterwards."""
    position = lay({"T7": "red2", "L4": "yellow1"})
    reach = in_point_order(points("T1 T2 T3 T4 T5 T6 I1 I4 I7"))
    assert splits(position, "T7") == {f"T7/{a},{b}" for a, b in combinations(reach, 2)}
    assert len(splits(position, "T7")) == comb(9, 2) == 36
    after = play(position, "T7/T1,I7")
    assert faces(after) == {"T1": "red1", "I7": "red1", "L4": "yellow1"}
    assert (after.supply, after.spare_markers(0)) == (position.supply, position.spare_markers(0) - 1)


def test_a_tripple_splits_into_double_and_single_or_three_singles() -> None:
    """From T7 it could move to 6 + 5 free points: 11 × 10 ordered pairs and C(11, 3) triples."""
    position = lay({"T7": "red3", "L4": "yellow1"})
    reach = in_point_order(points("T1 T2 T3 T4 T5 T6 L3 L7 R2 R7 I7"))
    pairs = set(chain.from_iterable((f"T7/2{a},{b}", f"T7/{a},2{b}") for a, b in combinations(reach, 2)))
    triples = {f"T7/{a},{b},{c}" for a, b, c in combinations(reach, 3)}
    assert (len(pairs), len(triples)) == (11 * 10, comb(11, 3))
    assert splits(position, "T7") == pairs | triples
    assert faces(play(position, "T7/2T1,T4")) == {"T1": "red2", "T4": "red1", "L4": "yellow1"}
    assert faces(play(position, "T7/T1,2T4")) == {"T1": "red1", "T4": "red2", "L4": "yellow1"}
    after = play(position, "T7/T1,T4,T5")
    assert faces(after) == {"T1": "red1", "T4": "red1", "T5": "red1", "L4": "yellow1"}
    assert (after.supply, after.spare_markers(0)) == (position.supply, position.spare_markers(0) - 2)


def test_a_single_does_not_split() -> None:
    assert splits(lay({"T7": "red1"}), "T7") == set()


def test_a_split_is_on_free_points_only() -> None:
    """The Tripple on T5 could move to T1, T3, T7; with one of them taken only the pairs on the others remain."""
    assert splits(lay({"T5": "red3", "T3": "red1"}), "T5") == {"T5/2T1,T7", "T5/T1,2T7"}
    assert splits(lay({"T5": "red3", "T3": "yellow1"}), "T5") == {"T5/2T1,T7", "T5/T1,2T7"}
    assert splits(lay({"T5": "red3", "T3": "yellow1", "T1": "yellow1"}), "T5") == set()


def test_parts_go_where_the_whole_figure_could_and_their_own_ways_do_not_matter() -> None:
    """Singles on L7 and I4, which no Single on T7 reaches; and no part slides where the Tripple cannot."""
    assert "T7/2T1,L7" in texts(lay({"T7": "red3"}))
    assert "T7/T1,L7" not in texts(lay({"T7": "red2"}))
    assert "T7/T1,I4" in texts(lay({"T7": "red2"}))
    assert not any("I4" in text for text in splits(lay({"T7": "red3"}), "T7"))


def test_parts_do_not_block_each_other() -> None:
    """T5 lies on the way from T1 to T3 and L1, and yet both can be reached."""
    position = lay({"T1": "red2"}, passage="closed")
    assert {"T1/T3,T5", "T1/T5,L1", "T1/T3,L3"} <= texts(position)
    assert faces(play(position, "T1/T3,T5")) == {"T3": "red1", "T5": "red1"}


def test_the_board_counts_as_it_stands_before_the_split() -> None:
    """A figure on T5 bars the way to T3, whatever the other part does."""
    position = lay({"T1": "red2", "T5": "yellow1"}, passage="step")
    assert not any("T3" in text or "T5" in text for text in splits(position, "T1"))
    assert len(splits(position, "T1")) == comb(13, 2), "T6 T2 R1 R6 R2, T7 T4 I4 I7 I1, L3 L2 R3"


def test_the_own_point_is_no_place_for_a_part() -> None:
    for height in "23":
        assert not any("T5" in text[3:] for text in splits(lay({"T5": f"red{height}"}), "T5"))


@pytest.mark.parametrize(
    ("others", "spare", "pairs", "triples"), [(6, 2, 110, 165), (7, 1, 110, 0), (8, 0, 0, 0), (5, 3, 110, 165)]
)
def test_a_tripple_needs_one_spare_marker_for_two_parts_and_two_for_three(
    others: int, spare: int, pairs: int, triples: int
) -> None:
    """The other figures stand where the Tripple on T7 cannot go, so all 11 points are free."""
    away = "L1 L2 L4 L5 R1 R3 R4 R5"[: 3 * others]
    position = lay({"T7": "red3"} | singles("red", away))
    assert position.spare_markers(0) == spare
    found = splits(position, "T7")
    assert sum(text.count(",") == 1 for text in found) == pairs
    assert sum(text.count(",") == 2 for text in found) == triples


@pytest.mark.parametrize(("others", "ways"), [(7, 36), (8, 0)])
def test_a_double_needs_one_spare_marker(others: int, ways: int) -> None:
    position = lay({"T7": "red2"} | singles("red", "L1 L2 L4 L5 R1 R3 R4 R5"[: 3 * others]))
    assert len(splits(position, "T7")) == ways


def test_a_split_needs_no_stone_of_the_supply() -> None:
    position = lay({"T7": "red3", "T1": "red3", "L1": "yellow3", "L2": "yellow2"})
    assert position.supply == 0
    assert splits(position, "T7")


# Pass

LOCKED = {"R1": "red3", "R2": "red3", "R4": "red3", "R7": "red1"}
"""Ten of eleven stones, all red: who is not on the board cannot enter."""


def test_pass_only_when_there_is_no_legal_action() -> None:
    """Yellow has not entered, one stone is left, and red has just turned."""
    position = lay(LOCKED, seat=1, setup={"just_turned": True, "turned": [0]})
    assert texts(position) == {"--"}
    after = play(position, "--")
    assert (after.seat, faces(after), after.outcome) == (0, LOCKED, None)


def test_no_pass_where_anything_is_possible() -> None:
    assert texts(lay(LOCKED, seat=1)) == {"R>", "R<"}
    assert "--" not in texts(lay(LOCKED))
    assert "--" not in texts(lay({"T1": "red1"}))
    assert "--" not in texts(memento().begin(2, {}))
    fewer = {"R1": "red3", "R2": "red3", "R3": "red3"}
    assert texts(lay(fewer, seat=1, setup={"just_turned": True})) == {
        f"+{a},{b}" for a, b in combinations([place for place in PLACES if place not in fewer], 2)
    }


def test_a_pass_counts_as_an_action_just_before() -> None:
    """Red is barred by its own last turn only: after the pass nothing bars a red who did not turn himself."""
    barred = lay(LOCKED, seat=1, setup={"just_turned": True, "turned": [0]})
    assert turns(play(barred, "--")) == set()
    assert turns(play(lay(LOCKED, seat=1, setup={"just_turned": True}), "--")) == {"R>", "R<"}


def test_a_pass_counts_as_the_own_last_action() -> None:
    """Yellow turned, had to pass, and may then turn again."""
    position = lay(LOCKED, seat=1, setup={"turned": [1]})
    assert texts(position) == {"--"}
    after = play(position, "-- R7-R3")
    assert after.seat == 1
    assert texts(after) == {"R<", "R>"}


# End: out


def test_a_player_who_has_had_figures_and_has_none_is_out_at_once() -> None:
    """Red takes yellow's only figure: green is next, and yellow is never asked again."""
    position = lay({"T1": "red1", "T5": "yellow1", "R1": "green1"}, players=3)
    after = play(position, "T1xT5")
    assert after.view(None)["out"] == [1]
    assert (after.seat, after.outcome) == (2, None)
    after = play(after, "R1-R5")
    assert after.seat == 0
    after = play(after, "T5-T3 R5-R1")
    assert (after.seat, after.view(None)["out"]) == (0, [1])


def test_out_players_are_skipped_one_after_another() -> None:
    position = lay({"T1": "red1", "R1": "blue1"}, players=4, setup={"entered": [0, 1, 2, 3]})
    assert play(position, "T1-T5").seat == 3
    assert play(position, "T1-T5 R1-R5").seat == 0


def test_a_player_with_a_figure_left_is_not_out() -> None:
    after = play(lay({"T1": "red1", "T5": "yellow1", "L3": "yellow1"}), "T1xT5")
    assert (after.seat, after.outcome, after.view(None)["out"]) == (1, None, [])


def test_seat_0_losing_his_first_single_is_out() -> None:
    """Three players: red turns his only Single towards yellow, who takes it; red never enters again."""
    position = play(memento().begin(3, {}), "+T1 +T5,L5 +R5,R6 T>")
    assert faces(position) == {"T2": "red1", "T6": "yellow1", "L5": "yellow1", "R5": "green1", "R6": "green1"}
    after = play(position, "T6xT2")
    assert (after.view(None)["out"], after.seat, after.outcome) == ([0], 2, None)
    assert play(after, "R6-R1").seat == 1


def test_seat_0_losing_his_first_single_of_two_players_loses() -> None:
    after = play(memento().begin(2, {}), "+T1 +T5,L5 T1-T7 T5xT7")
    assert after.outcome == Outcome((1,), "last")


def test_a_player_who_has_not_yet_entered_is_not_out() -> None:
    """Yellow takes red's first Single while green has turned instead of entering: no `last`, green is next."""
    position = play(memento().begin(3, {}), "+T1 +T5,L5 T> T2-T7 T6xT7")
    assert (position.view(None)["out"], position.outcome, position.seat) == ([0], None, 2)
    assert entries(position)
    after = play(position, "+R1,R2")
    assert (after.seat, after.outcome) == (1, None)


def test_an_own_capture_never_puts_the_mover_out() -> None:
    after = play(lay({"T1": "red1", "T5": "red1", "L1": "yellow1"}), "T1xT5")
    assert (after.outcome, after.view(None)["out"]) == (None, [])


# End: wins


@pytest.mark.parametrize("heights", ["1111", "3121"])
def test_win_by_middles(heights: str) -> None:
    """Own figures on T7, L7, R7, I7, of any heights."""
    a, b, c, d = heights
    sites = {"T7": f"red{a}", "L7": f"red{b}", "R7": f"red{c}", "I4": f"red{d}", "T1": "yellow1"}
    after = play(lay(sites), "I4-I7")
    assert after.outcome == Outcome((0,), "middles")
    assert (after.seat, list(after.legal())) == (None, [])
    assert after.view(None)["result"] == {"winner": 0, "by": "middles"}


def test_no_win_by_three_middles_or_a_foreign_one() -> None:
    after = play(lay({"T7": "red1", "L7": "red1", "R7": "yellow1", "I4": "red1"}), "I4-I7")
    assert after.outcome is None


@pytest.mark.parametrize("tile", "TLRI")
def test_win_by_triangle(tile: str) -> None:
    """Own figures on 4, 5, 6 and 7 of one triangle, I included, any heights."""
    sites = {f"{tile}4": "red1", f"{tile}5": "red3", f"{tile}6": "red2", f"{tile}1": "red1"}
    yellow = "L3" if tile == "T" else "T1"
    after = play(lay(sites | {yellow: "yellow1"}), f"{tile}1-{tile}7")
    assert after.outcome == Outcome((0,), "triangle")
    assert (after.seat, list(after.legal())) == (None, [])


@pytest.mark.parametrize("missing", "4567")
def test_no_triangle_with_a_point_missing_or_foreign(missing: str) -> None:
    rest = {f"T{place}": "red1" for place in "4567" if place != missing}
    assert play(lay(rest | {"L1": "red1", "R1": "yellow1"}), "L1-L5").outcome is None
    assert play(lay(rest | {"L1": "red1", f"T{missing}": "yellow1"}), "L1-L5").outcome is None


def test_corners_and_middle_are_no_triangle() -> None:
    sites = singles("red", "T1 T2 T3 L1") | {"R1": "yellow1", "T5": "red1"}
    assert play(lay(sites), "T5-T7").outcome is None


def test_a_triangle_can_be_won_by_entering_splitting_and_capturing() -> None:
    """After EACH action."""
    assert play(lay({"T4": "red1", "T7": "red1", "L1": "yellow1"}), "+T5,T6").outcome == Outcome((0,), "triangle")
    split = lay({"T5": "red1", "T6": "red1", "T2": "red2", "L1": "yellow1"})
    assert play(split, "T2/T4,T7").outcome == Outcome((0,), "triangle")
    capture = lay({"T5": "red1", "T6": "red1", "T7": "red1", "T2": "red1", "T4": "yellow1", "L1": "yellow1"})
    assert play(capture, "T2xT4").outcome == Outcome((0,), "triangle")


def test_win_by_last() -> None:
    """Every other player is out: of two the other one, of four all three."""
    after = play(lay({"T1": "red1", "T5": "yellow1"}), "T1xT5")
    assert after.outcome == Outcome((0,), "last")
    four = lay({"T1": "green1", "T5": "yellow1"}, seat=2, players=4, setup={"entered": [0, 1, 2, 3]})
    assert play(four, "T1xT5").outcome == Outcome((2,), "last")
    left = lay({"T1": "green1", "T5": "yellow1", "L1": "blue1"}, seat=2, players=4, setup={"entered": [0, 1, 2, 3]})
    assert (play(left, "T1xT5").outcome, play(left, "T1xT5").seat) == (None, 3)


def test_middles_come_before_triangle() -> None:
    """T7 completes both at once."""
    sites = singles("red", "T4 T5 T6 L7 R7 I7 T1") | {"L1": "yellow1"}
    assert play(lay(sites), "T1-T7").outcome == Outcome((0,), "middles")


def test_middles_come_before_last() -> None:
    sites = singles("red", "L7 R7 I7 T1") | {"T7": "yellow1"}
    assert play(lay(sites), "T1xT7").outcome == Outcome((0,), "middles")


def test_triangle_comes_before_last() -> None:
    sites = singles("red", "T5 T6 T7 T2") | {"T4": "yellow1"}
    assert play(lay(sites), "T2xT4").outcome == Outcome((0,), "triangle")


def test_only_the_mover_wins() -> None:
    """Yellow's four middles, laid by hand, count when yellow has acted, not when red has."""
    position = lay(singles("yellow", "T7 L7 R7 I7 T1") | {"L3": "red1"})
    after = play(position, "L3-L5")
    assert (after.outcome, after.seat) == (None, 1)
    assert play(after, "T1-T6").outcome == Outcome((1,), "middles")
    position = lay(singles("yellow", "I4 I5 I6 I7 T1") | {"L3": "red1"})
    assert play(position, "L3-L5").outcome is None
    assert play(position, "L3-L5 T1-T6").outcome == Outcome((1,), "triangle")


def test_a_table_laid_by_hand_is_not_over_before_an_action() -> None:
    assert lay(singles("red", "T7 L7 R7 I7") | {"L3": "yellow1"}).outcome is None


# What is seen


def test_nothing_is_hidden() -> None:
    position = lay({"T1": "red2", "T5": "yellow1"}, setup={"just_turned": True})
    want = {
        "seat": 0,
        "sites": {"T1": "red2", "T5": "yellow1"},
        "stones": 8,
        "markers": [8, 8],
        "out": [],
        "turn_barred": True,
        "result": None,
    }
    assert position.view(None) == position.view(0) == position.view(1) == want


def test_the_picture_shows_every_point_once() -> None:
    picture = lay({"T1": "red2", "I7": "yellow3"}).draw()
    assert sorted(re.findall(r"(?<!=)\b[TLRI][1-7]\b", picture)) == sorted(POINTS)
    assert "T1=R2" in picture
    assert "I7=Y3" in picture
    assert picture.splitlines()[-1] == "in supply: 6 stones; spare markers: red 8  yellow 8"


def test_a_turn_names_its_sheet_of_the_board() -> None:
    rules = memento()
    assert [rules.parse(text).turns for text in ("T>", "I<", "T1-T5")] == [{"tile-T": 1}, {"tile-I": -1}, {}]


# Properties

fair = settings(max_examples=200, deadline=None, derandomize=True, database=None)


@st.composite
def tables(draw: st.DrawFn) -> MementoPosition:
    """Any table that can be laid: figures within the stones and markers there are, somebody to move."""
    players = draw(st.sampled_from((2, 3, 4)))
    stones = 15 if players == 4 else 11
    sites: dict[str, str] = {}
    owners: list[int] = []
    for point in draw(st.lists(st.sampled_from(POINTS), min_size=1, max_size=15, unique=True)):
        owner, height = draw(st.integers(0, players - 1)), draw(st.integers(1, 3))
        if height <= stones and owners.count(owner) < 9:
            sites[point] = f"{COLOURS[owner]}{height}"
            owners.append(owner)
            stones -= height
    seat = draw(st.integers(0, players - 1))
    entered = {*owners} | draw(st.sets(st.integers(0, players - 1)).map(lambda seats: seats - {seat}))
    setup = {
        "entered": sorted(entered),
        "turned": sorted(draw(st.sets(st.integers(0, players - 1)))),
        "just_turned": draw(st.booleans()),
    }
    options: dict[str, Value] = {
        "passage": draw(st.sampled_from(PASSAGES)),
        "constellation_links": draw(st.booleans()),
        "facing_medians": draw(st.booleans()),
    }
    return lay(sites, seat, players, setup, **options)


def heights(position: MementoPosition) -> list[int]:
    return [face.level for face in position.faces().values()]


def figures(position: MementoPosition) -> list[int]:
    found = [face.name for face in position.faces().values()]
    return [sum(face.startswith(colour) for face in found) for colour in COLOURS[: position.players]]


def check_accounts(before: MementoPosition, text: str, after: MementoPosition) -> None:
    """Stones and markers on the board change by exactly what this action does, and the rest is off the board."""
    seat = before.seat
    assert seat is not None
    stones = figures_change = 0
    beaten: int | None = None
    if text[0] == "+":
        stones = figures_change = len(text[1:].split(","))
    elif "/" in text:
        figures_change = text.count(",")
    elif "x" in text:
        both = before.faces()[text[:2]].level + before.faces()[text[3:]].level
        stones = -3 if both > 3 else 0
        beaten = COLOURS.index(before.faces()[text[3:]].kind)
    want = figures(before)
    want[seat] += figures_change
    if beaten is not None:
        want[beaten] -= 1
    assert figures(after) == want
    assert sum(heights(after)) == sum(heights(before)) + stones
    assert set(heights(after)) <= {1, 2, 3}
    assert after.supply == (15 if after.players == 4 else 11) - sum(heights(after)) >= 0
    assert after.view(None)["markers"] == [9 - number for number in want]
    assert max(want) <= 9


@fair
@given(tables(), st.data())
def test_stones_and_markers_are_conserved_by_any_action(position: MementoPosition, data: st.DataObject) -> None:
    kinds: dict[str, list[str]] = {}
    for text in sorted(texts(position)):
        kinds.setdefault(re.sub("[^-+x/<>,]", "", text), []).append(text)
    for kind in sorted(kinds):
        text = data.draw(st.sampled_from(kinds[kind]))
        check_accounts(position, text, play(position, text))


@settings(fair, max_examples=40)
@given(st.sampled_from((2, 3, 4)), st.lists(st.integers(0, 2**32), min_size=40, max_size=40))
def test_stones_and_markers_are_conserved_in_a_match(players: int, choices: list[int]) -> None:
    position = memento().begin(players, {})
    for choice in choices:
        if position.outcome is not None:
            break
        actions = position.legal()
        text = str(actions[choice % len(actions)])
        after = play(position, text)
        check_accounts(position, text, after)
        assert text != "--", "a pass cannot happen from the start position"
        position = after


def turned(position: MementoPosition, text: str) -> MementoPosition:
    """The table after this turn, laid again, so that the same player may turn once more."""
    again = faces(play(position, text))
    return lay(again, position.seat or 0, position.players)


@fair
@given(tables(), st.sampled_from("TLRI"), st.sampled_from("<>"))
def test_three_turns_and_a_turn_back_restore_the_table(position: MementoPosition, tile: str, way: str) -> None:
    start = lay(faces(position), position.seat or 0, position.players)
    text, back = tile + way, tile + (">" if way == "<" else "<")
    if text not in texts(start):
        assert back not in texts(start), "a turn changes something exactly when the turn back does"
        return
    one = turned(start, text)
    two = turned(one, text)
    assert faces(one) != faces(start) != faces(two)
    assert faces(turned(two, text)) == faces(start)
    assert faces(turned(one, back)) == faces(start)
    assert faces(two) == faces(turned(start, back))


MIRROR = {
    tile + place: onto + other
    for tile, onto in zip("TLRI", "TRLI", strict=True)
    for place, other in zip("1234567", "1324657", strict=True)
}
"""Left and right exchanged."""
ROTATION = {
    tile + place: onto + {"1": "2", "2": "3", "3": "1", "4": "5", "5": "6", "6": "4", "7": "7"}[place]
    for tile, onto in zip("TRLI", "RLTI", strict=True)
    for place in "1234567"
}
"""The whole board turned clockwise by 120°: T1 comes to R2."""
SYMMETRIES = (MIRROR, ROTATION)


@pytest.mark.parametrize("symmetry", SYMMETRIES, ids=["mirror", "rotation"])
def test_the_page_is_symmetric(symmetry: dict[str, str]) -> None:
    """Each group of neighbours and each row of the table of lines is its own image."""
    assert sorted(symmetry) == sorted(symmetry.values()) == sorted(POINTS)
    for group in (INSIDE, LINKS, FACING, BIG_TO_BIG, BIG_TO_OPPOSITE, BETWEEN_CONSTELLATIONS):
        assert {frozenset(symmetry[point] for point in pair) for pair in group} == group
    for row in (BIG_SIDES, AXES, SIDES_OF_I, INWARD_SIDES, OTHER_ALTITUDES):
        lines = {min(line, line[::-1]) for line in (tuple(text.split()) for text in row)}
        images = {tuple(symmetry[point] for point in line) for line in lines}
        assert {min(line, line[::-1]) for line in images} == lines


def image(text: str, symmetry: dict[str, str]) -> str:
    """The same action on the other side of the board."""
    if text[1] in "<>":
        tile = symmetry[f"{text[0]}7"][0]
        return tile + (text[1] if symmetry is ROTATION else "><"["<>".index(text[1])])
    moved = re.sub("[TLRI][1-7]", lambda found: symmetry[found[0]], text)
    if text[0] == "+" or text[2:3] == "/":
        cut = 1 if text[0] == "+" else 3
        return moved[:cut] + ",".join(in_point_order(moved[cut:].split(",")))
    return moved


@fair
@given(tables(), st.sampled_from(SYMMETRIES), st.data())
def test_the_rules_are_the_same_on_every_side_of_the_board(
    position: MementoPosition, symmetry: dict[str, str], data: st.DataObject
) -> None:
    def shown(sites: Mapping[str, str]) -> dict[str, str]:
        return {symmetry[point]: face for point, face in sites.items()}

    other = position.rules.begin(position.players, position.setup() | {"sites": shown(spelled(position.faces()))})
    actions = sorted(texts(position))
    assert sorted(image(text, symmetry) for text in actions) == sorted(texts(other))
    text = data.draw(st.sampled_from(actions))
    after, other_after = play(position, text), play(other, image(text, symmetry))
    assert shown(spelled(after.faces())) == faces(other_after)
    assert (after.seat, after.outcome) == (other_after.seat, other_after.outcome)
