"""My First Triominos, sentence by sentence of its rules page; every example was worked out by hand on the lattice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core import IllegalActionError, InvalidActionError, InvalidSetupError, Outcome
from engine.face import spelled
from engine.games.triominos import GAMES
from engine.games.triominos.cards import CARD_OF, CARDS
from engine.games.triominos.lattice import around, corners, sides
from engine.games.triominos.rules import TriominosPosition
from engine.registry import find_game

RULES = GAMES[0].configure()
CODES = [
    *("place.corner", "place.side", "place.card", "place.taken", "place.two", "place.empty-rack"),
    *("swap.not-joker", "swap.fit", "buy.no-chip", "buy.empty-pot", "pass.could-play"),
    *("not-your-turn", "game-over", "unknown"),
]

ONE = {"0,0": "134"}
WITH_JOKER = {"0,0": "134", "1,0": "JJJ"}


def cards_at(text: str) -> dict[str, str]:
    """A table written as `0,0=134 1,0=312`."""
    return dict(pair.split("=") for pair in text.split())


RING = cards_at("0,0=115 1,0=112 2,0=231 2,1=413 1,1=145 0,1=551")
"""All six cells round the vertex 1,1: it shows 1, the corners round it show 1 2 3 4 5 5."""
TWO_RINGS = cards_at("0,0=444 0,1=144 1,1=411 1,0=445 2,0=554 3,0=552 4,0=235 4,1=553 3,1=551 2,1=145")
"""All cells round the vertices 1,1 and 3,1; they share the cells 2,0 and 2,1."""
THREE_RINGS = cards_at(
    "0,0=444 -1,0=434 -2,0=342 -2,1=224 -1,1=412 -1,2=221 0,2=112 1,2=111 1,1=411 2,1=145 2,0=554 1,0=445 0,1=144"
)
"""All cells round the three corners of 0,1."""


def start(players: int, setup: Mapping[str, Any]) -> TriominosPosition:
    position = RULES.start(players, setup)
    assert isinstance(position, TriominosPosition)
    return position


def laid(
    table: Mapping[str, str], *racks: str, pot: str | None = None, chips: list[int] | None = None, **more: object
) -> TriominosPosition:
    """A position in progress; cards that are not named are in the pot or, if that is named, in the last rack."""
    hands = [rack.split() for rack in racks]
    named = [CARD_OF[face] for face in table.values()] + [card for hand in hands for card in hand]
    rest = [card for card in CARDS if card not in named + (pot or "").split()]
    if pot is not None:
        hands[-1] += rest
    left = rest if pot is None else pot.split()
    position = {"table": dict(table), "chips": chips or [4] * len(racks), "seat": 0, "passes": 0, "joker": None}
    position |= {"turns_left": None if left else len(racks)} | more
    return start(len(racks), {"racks": hands, "first": table["0,0"], "pot": left, "position": position})


def unseen(table: Mapping[str, str], sizes: list[int], **more: object) -> TriominosPosition:
    """A position of a real table: only rack sizes are known, all other cards are in the pot."""
    pot = 36 - len(table) - sum(sizes)
    position = {"table": dict(table), "chips": [4] * len(sizes), "seat": 0, "passes": 0, "joker": None}
    position |= {"rack_sizes": sizes, "pot_size": pot, "turns_left": None if pot else len(sizes)} | more
    return start(len(sizes), {"racks": None, "first": table["0,0"], "pot": None, "position": position})


def play(position: TriominosPosition, *texts: str) -> TriominosPosition:
    for text in texts:
        position = position.play(RULES.parse(text))
    return position


def offered(position: TriominosPosition) -> set[str]:
    texts = [str(action) for action in position.legal()]
    assert len(set(texts)) == len(texts)
    return set(texts)


def codes(position: TriominosPosition, text: str) -> list[str]:
    return [refusal.rule for refusal in position.refusals(RULES.parse(text))]


def without(table: Mapping[str, str], *cells: str) -> dict[str, str]:
    return {cell: face for cell, face in table.items() if cell not in cells}


# The cards


def test_36_cards_a_joker_and_one_for_every_multiset() -> None:
    assert len(CARDS) == len(set(CARDS)) == 5 + 5 * 4 + 10 + 1 == 36
    assert [card for card in CARDS if card != "J"] == sorted(
        {"".join(sorted(values)) for values in product("12345", repeat=3)}
    )


def test_values_ascend_clockwise_one_handedness() -> None:
    """A triple lies in one way, a pair and three different values in three; half of 5·4·3 orders are no card."""
    assert len(CARD_OF) == 5 + 20 * 3 + 10 * 3 + 1
    assert [CARD_OF.get(face) for face in ("134", "341", "413", "143", "431", "314")] == ["134"] * 3 + [None] * 3


# The table


@pytest.mark.parametrize(
    ("cell", "vertices", "neighbours"),
    [
        ((0, 0), [(0, 0), (1, 1), (-1, 1)], {(-1, 0), (1, 0), (0, 1)}),
        ((1, 0), [(1, 1), (0, 0), (2, 0)], {(0, 0), (2, 0), (1, -1)}),
        ((-1, 0), [(-1, 1), (-2, 0), (0, 0)], {(-2, 0), (0, 0), (-1, -1)}),
        ((-1, -1), [(-1, -1), (0, 0), (-2, 0)], {(-2, -1), (0, -1), (-1, 0)}),
    ],
)
def test_up_and_down_cells_their_corners_and_side_neighbours(
    cell: tuple[int, int], vertices: list[tuple[int, int]], neighbours: set[tuple[int, int]]
) -> None:
    assert list(corners(cell)) == vertices
    assert set(sides(cell)) == neighbours
    for corner, side in zip(corners(cell), sides(cell), strict=True):
        assert corner not in corners(side)
        assert len(set(corners(cell)) & set(corners(side))) == 2


def test_six_cells_meet_in_a_vertex() -> None:
    assert set(around((1, 1))) == {(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)}
    assert all((1, 1) in corners(cell) for cell in around((1, 1)))


def test_the_first_card_lies_on_0_0_as_it_is_written() -> None:
    position = start(2, {"racks": None, "first": "134", "pot": None})
    assert spelled(position.faces()) == {"0,0": "134"}
    assert position.table.values == {(0, 0): "1", (1, 1): "3", (-1, 1): "4"}


def test_faces_are_corner_values_clockwise_from_the_apex() -> None:
    position = laid(ONE, "123 J", "555")
    assert spelled(play(position, "312@1,0").faces()) == {"0,0": "134", "1,0": "312"}
    assert spelled(play(position, "JJJ@1,0").faces()) == WITH_JOKER


def test_a_vertex_touched_only_by_the_joker_is_free() -> None:
    """On 2,0 only the left corner has a value, 3: 5 + 8 + 6 ways end in 3, one of them is the card that lies."""
    position = unseen(WITH_JOKER, [6, 6])
    on_it = {text for text in offered(position) if text.endswith("@2,0")}
    assert len(on_it) == 5 + 4 * 2 + 6 - 1
    assert {text[2] for text in on_it} == {"3"}


# Set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_six_cards_to_each_rack_four_chips_each_one_card_turned_up_the_rest_is_the_pot(players: int) -> None:
    position = start(players, RULES.deal(players, Random(players)))
    assert [len(rack) for rack in position.racks] == [6] * players
    assert position.chips == (4,) * players
    assert len(position.table.faces) == 1
    assert len(position.pot) == 36 - 6 * players - 1
    assert (position.seat, position.passes, position.turns_left, position.outcome) == (0, 0, None, None)


class Stacked(Random):
    """Shuffles the joker to the place from which the first card comes, and puts it back fifth."""

    def shuffle(self, x: Any) -> None:  # noqa: ANN401
        x.remove("J")
        x.insert(12, "J")

    def randrange(self, *_: Any, **__: Any) -> int:  # noqa: ANN401
        return 4


def test_a_joker_turned_up_is_put_back_at_a_random_place_and_another_one_drawn() -> None:
    setup = RULES.deal(2, Stacked())
    plain = [card for card in CARDS if card != "J"]
    assert setup["first"] == plain[12]
    assert setup["pot"] == [*plain[13:17], "J", *plain[17:]]
    assert not any(RULES.deal(4, Random(seed))["first"] == "J" for seed in range(200))


def test_a_deal_is_what_the_position_says_its_setup_is() -> None:
    setup = RULES.deal(3, Random(7))
    assert setup.keys() == {"racks", "first", "pot"}
    assert start(3, setup).setup() == json.loads(json.dumps(setup))


def test_no_options_no_variants() -> None:
    game = find_game("triominos")
    assert (game.title, game.options, dict(game.variants), game.seats) == ("My First Triominos", (), {}, (2, 3, 4))


# Place


def test_placements_on_the_first_card_by_hand() -> None:
    """Below 134 two corners are 4, 3: only 3 or 4 completes a card; left of it 1, 4 or 5; right of it 1, 2 or 3."""
    below, left, right = {"343@0,1", "443@0,1"}, {"411@-1,0", "441@-1,0", "451@-1,0"}, {"311@1,0", "312@1,0", "313@1,0"}
    joker = {"JJJ@0,1", "JJJ@-1,0", "JJJ@1,0"}
    position = start(2, {"racks": None, "first": "134", "pot": None})
    assert offered(position) == below | left | right | joker | {"buy"}


def test_placements_on_a_triple_by_hand() -> None:
    """Beside 111 there are 112 to 115, each in one turn, on three sides; the joker on three sides; buy."""
    position = start(4, {"racks": None, "first": "111", "pot": None})
    assert len(offered(position)) == 4 * 3 + 3 + 1


def test_place_only_what_is_in_the_rack() -> None:
    assert offered(laid(ONE, "123 334 555", "J")) == {"312@1,0", "343@0,1", "buy"}


def test_a_cell_must_be_free_and_share_a_side_and_every_set_corner_must_agree() -> None:
    """2,1 touches the ring's cards with two sides and three corners: only 413 fits there."""
    position = laid(without(RING, "2,1"), "134 133 J", "555")
    assert {text for text in offered(position) if text.endswith("@2,1")} == {"413@2,1", "JJJ@2,1"}
    assert not any(text.endswith("@0,0") for text in offered(position))


def test_the_joker_fits_everywhere() -> None:
    position = laid(RING, "J", "555")
    outside = {f"JJJ@{x},{y}" for x, y in [(-1, 0), (1, -1), (3, 0), (3, 1), (1, 2), (-1, 1)]}
    assert offered(position) == outside | {"buy"}


def test_a_card_placed_earns_one_chip_and_the_turn_goes_on() -> None:
    position = play(laid(ONE, "123 555", "J"), "312@1,0")
    assert (position.chips, position.racks[0], position.seat) == ((5, 4), ("555",), 1)


def test_a_hexagon_earns_one_more() -> None:
    position = laid(without(RING, "0,1"), "155 333", "J")
    assert play(position, "551@0,1").chips == (4 + 2, 4)


def test_two_hexagons_earn_two_more() -> None:
    position = laid(without(TWO_RINGS, "2,1"), "145 333", "J")
    assert play(position, "145@2,1").chips == (4 + 3, 4)


def test_three_hexagons_earn_three_more() -> None:
    position = laid(without(THREE_RINGS, "0,1"), "144 333", "J")
    assert play(position, "144@0,1").chips == (4 + 4, 4)


def test_a_bridge_earns_one_more() -> None:
    """3,1 has one side neighbour, 4,1; the corner opposite, 2,2, touches the card on 1,1."""
    position = laid(without(TWO_RINGS, "2,1", "3,1"), "155 333", "J")
    assert play(position, "551@3,1").chips == (4 + 2, 4)


def test_no_bridge_if_another_corner_than_the_opposite_one_touches() -> None:
    """2,1 has one side neighbour, 2,0; 0,0 and 1,0 touch it at 1,1, but nothing touches the corner opposite."""
    position = laid(without(RING, "2,1", "1,1", "0,1"), "134 333", "J")
    assert play(position, "413@2,1").chips == (5, 4)


def test_no_bridge_with_two_side_neighbours() -> None:
    """1,0 joins 0,0 and 2,0, and each of its corners touches a card, but 0,1 in the middle is still free."""
    position = laid(without(THREE_RINGS, "0,1", "1,0"), "445 333", "J")
    assert play(position, "445@1,0").chips == (5, 4)


def test_no_hexagon_while_one_of_six_is_free() -> None:
    position = laid(without(RING, "0,1", "1,1"), "145 333", "J")
    assert play(position, "145@1,1").chips == (5, 4)


def test_the_last_card_of_the_rack_earns_one_more() -> None:
    assert play(laid(ONE, "123", "J"), "312@1,0").chips == (4 + 2, 4)
    assert play(laid(without(RING, "0,1"), "155", "J"), "551@0,1").chips == (4 + 3, 4)
    assert play(laid(without(TWO_RINGS, "2,1"), "145", "J"), "145@2,1").chips == (4 + 4, 4)
    assert play(laid(without(TWO_RINGS, "2,1", "3,1"), "155", "J"), "551@3,1").chips == (4 + 3, 4)


def test_for_hexagons_and_bridges_the_joker_is_a_card_like_any_other() -> None:
    for lying in ("2,0", "1,1"):
        table = without(RING, "0,1") | {lying: "JJJ"}
        assert play(laid(table, "155 333", "222"), "551@0,1").chips == (4 + 2, 4)
    assert play(laid(without(RING, "0,1"), "J 333", "222"), "JJJ@0,1").chips == (4 + 2, 4)
    bridge = without(TWO_RINGS, "2,1", "3,1")
    assert play(laid(bridge, "J 333", "222"), "JJJ@3,1").chips == (4 + 2, 4)
    assert play(laid(bridge | {"1,1": "JJJ"}, "155 333", "222"), "551@3,1").chips == (4 + 2, 4)
    assert play(laid(bridge | {"4,1": "JJJ"}, "155 333", "222"), "551@3,1").chips == (4 + 2, 4)


def test_for_neighbours_the_joker_is_a_card_like_any_other() -> None:
    """2,0 shares a side with the joker alone."""
    assert play(laid(WITH_JOKER, "133 333", "222"), "313@2,0").chips == (5, 4)


def test_placements_with_the_same_corner_values_on_the_same_cell_are_one_action() -> None:
    """On 2,0, where the left corner must be 3: 133 lies in two ways, 333 in one."""
    position = laid(WITH_JOKER, "133 333", "222")
    assert {text for text in offered(position) if text.endswith("@2,0")} == {"133@2,0", "313@2,0", "333@2,0"}


# Swap


def test_swap_the_joker_for_a_rack_card_that_fits_its_cell() -> None:
    """The joker on 1,0 lies where 3, 1 and anything is asked."""
    position = laid(WITH_JOKER, "123 113 144 555", "222")
    assert {text for text in offered(position) if "~" in text} == {"312~1,0", "311~1,0"}


def test_after_a_swap_the_joker_is_in_the_rack_for_no_chip() -> None:
    position = play(laid(WITH_JOKER, "123 555", "222"), "312~1,0")
    assert (position.racks[0], position.chips, position.seat) == (("555", "J"), (4, 4), 1)
    assert spelled(position.faces()) == {"0,0": "134", "1,0": "312"}


def test_after_a_swap_the_free_corner_has_a_value() -> None:
    position = play(laid(WITH_JOKER, "123 555", "233 333", chips=[4, 0]), "312~1,0")
    assert offered(position) == {"233@2,0"}


def test_a_swap_never_empties_a_rack_and_earns_nothing_for_a_hexagon() -> None:
    position = play(laid(RING | {"0,1": "JJJ"}, "155", "222"), "551~0,1")
    assert (position.racks[0], position.chips) == (("J",), (4, 4))


def test_the_joker_can_be_laid_again_in_a_later_turn() -> None:
    position = play(laid(WITH_JOKER, "123 555", "222"), "312~1,0", "buy")
    assert "JJJ@0,1" in offered(position)
    assert play(position, "JJJ@0,1").joker_with is None


# Buy, pass, empty rack


def test_buy_pays_a_chip_draws_the_next_pot_card_and_turns_over() -> None:
    position = play(laid(ONE, "123", "J", pot="345 111"), "buy")
    assert (position.racks[0], position.pot, position.chips, position.seat) == (("123", "345"), ("111",), (3, 4), 1)


def test_buy_is_always_allowed_while_the_pot_is_not_empty_and_the_player_has_a_chip() -> None:
    assert offered(laid(ONE, "123", "J")) == {"312@1,0", "buy"}
    assert offered(laid(ONE, "123", "J", chips=[0, 4])) == {"312@1,0"}
    assert offered(laid(ONE, "123", "J", pot="")) == {"312@1,0"}


def test_pass_only_if_he_can_neither_place_nor_swap_nor_buy() -> None:
    assert offered(laid(ONE, "555", "J")) == {"buy"}
    assert offered(laid(ONE, "555", "J", chips=[0, 4])) == {"--"}
    assert offered(laid(ONE, "555", "J", pot="")) == {"--"}
    # 112 on the ring's 1,0 is the joker's place and fits nowhere else.
    swap_only = laid(RING | {"1,0": "JJJ"}, "112", "222", chips=[0, 4])
    assert "112~1,0" in offered(swap_only)
    assert "--" not in offered(swap_only)


def test_with_an_empty_rack_he_can_only_buy_else_pass() -> None:
    assert offered(laid(ONE, "", "J")) == {"buy"}
    assert offered(laid(ONE, "", "J", chips=[0, 4])) == {"--"}
    assert offered(laid(ONE, "", "J", pot="")) == {"--"}
    assert offered(unseen(ONE, [0, 5])) == {"buy"}


# End


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_the_last_pot_card_every_player_the_drawer_last_has_one_more_turn(players: int) -> None:
    racks = ["114 145", "334 344", "113 123", ""][:players]
    position = laid(ONE, *racks, pot="J", seat=1)
    assert position.turns_left is None
    position, seats = play(position, "buy"), []
    while position.outcome is None:
        seats.append(position.seat)
        position = position.play(position.legal()[0])
    assert seats == [(1 + turn) % players for turn in range(1, players + 1)]
    assert position.seat is None
    assert position.legal() == ()


def test_it_goes_on_while_the_pot_has_a_card() -> None:
    position = play(laid(ONE, "555", "444", pot="J 111"), "buy")
    assert (position.turns_left, position.outcome) == (None, None)
    assert play(position, "buy").turns_left == 2


def test_it_ends_after_as_many_passes_in_a_row_as_players_whoever_passed_first() -> None:
    position = play(laid(ONE, "555", "222", "155", chips=[0, 0, 0], seat=1), "--", "--")
    assert (position.outcome, position.passes, position.seat) == (None, 2, 0)
    assert play(position, "--").outcome is not None


def test_passes_not_in_a_row_do_not_count() -> None:
    position = play(laid(ONE, "123 555", "222", chips=[0, 0], passes=1), "312@1,0")
    assert (position.passes, position.outcome) == (0, None)
    assert play(position, "--").outcome is None
    assert play(laid(ONE, "555", "222", chips=[1, 0], passes=1), "buy").passes == 0
    assert play(laid(WITH_JOKER, "123", "222", chips=[1, 0], passes=1), "312~1,0").passes == 0


def test_most_chips_wins() -> None:
    position = play(laid(ONE, "555", "222", pot="", chips=[9, 14], turns_left=1), "--")
    assert position.outcome == Outcome((1,), "chips", (9, 14))
    assert position.outcome.record() == {"winner": 1, "by": "chips", "chips": [9, 14]}


def test_several_with_most_win_together() -> None:
    position = play(laid(ONE, "555", "222", "111", pot="", chips=[9, 4, 9], turns_left=1), "--")
    assert position.outcome is not None
    assert position.outcome.record() == {"winner": [0, 2], "by": "chips", "chips": [9, 4, 9]}


def test_the_last_turn_still_earns() -> None:
    position = play(laid(ONE, "123 555", "222", pot="", chips=[3, 4], turns_left=1), "312@1,0")
    assert position.outcome == Outcome((0, 1), "chips", (4, 4))


# Notation


@pytest.mark.parametrize("text", ["134@1,0", "143@-1,0", "555@-12,-7", "JJJ@1,0", "341~1,0", "buy", "--"])
def test_canonical_texts_round_trip(text: str) -> None:
    assert str(RULES.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("134@01,0", "134@-0,0", "134@1,-0", "134@+1,0", "134@1,00", "134@1", "134@1,0,0", "134@,0", "134@1.0,0"),
        *("136@1,0", "034@1,0", "13@1,0", "1345@1,0", "J@1,0", "JJ1@1,0", "JJJ~1,0", "jjj@1,0", "134@1,0x", "@1,0"),
        *("134~", "BUY", "Buy", "buy1", "-", "---", "pass", "١34@1,0", "134@١,0", "", " buy", "buy ", "buy\n"),
        *("134@1, 0", "134@1,0\n", f"134@{'9' * 5000},0"),
    ],
)
def test_anything_else_is_not_an_action(text: str) -> None:
    with pytest.raises(InvalidActionError, match="is not an action of My First Triominos"):
        RULES.parse(text)


# Refusals

LAID = laid({"0,0": "134", "1,0": "312"}, "113 144 J", "333", chips=[4, 4])
JOKER_LIES = laid(WITH_JOKER, "113 144", "333", chips=[0, 4])
EMPTY = laid(WITH_JOKER, "", "333")


@pytest.mark.parametrize(
    ("position", "text", "rules", "sites"),
    [
        (LAID, "144@0,1", ["place.corner"], ("0,1", "0,0", "1,0")),
        (LAID, "144@5,5", ["place.side"], ("5,5",)),
        (LAID, "JJJ@2,1", ["place.side"], ("2,1",)),
        (LAID, "144@2,1", ["place.side", "place.corner"], ("2,1",)),
        (LAID, "143@0,1", ["place.card"], ("0,1",)),
        (LAID, "134@-1,0", ["place.card", "place.corner"], ("-1,0", "0,0")),
        (LAID, "343@0,1", ["place.card"], ("0,1",)),
        (LAID, "144@0,0", ["place.taken"], ("0,0",)),
        (LAID, "341@0,0", ["place.taken"], ("0,0",)),
        (LAID, "143@1,0", ["place.taken", "place.card"], ("1,0",)),
        (JOKER_LIES, "JJJ@0,1", ["place.card"], ("0,1", "1,0")),
        (JOKER_LIES, "311@1,0", ["place.taken"], ("1,0",)),
        (EMPTY, "343@0,1", ["place.empty-rack"], ("0,1",)),
        (EMPTY, "144@0,1", ["place.empty-rack", "place.corner"], ("0,1",)),
        (EMPTY, "312~1,0", ["place.empty-rack"], ("1,0",)),
        (LAID, "113~0,0", ["swap.not-joker"], ("0,0",)),
        (LAID, "113~7,0", ["swap.not-joker"], ("7,0",)),
        (JOKER_LIES, "113~0,0", ["swap.not-joker"], ("0,0",)),
        (JOKER_LIES, "144~1,0", ["swap.fit"], ("1,0", "0,0")),
        (JOKER_LIES, "314~1,0", ["place.card"], ("1,0",)),
        (JOKER_LIES, "143~1,0", ["place.card", "swap.fit"], ("1,0",)),
        (JOKER_LIES, "312~1,0", ["place.card"], ("1,0",)),
        (JOKER_LIES, "buy", ["buy.no-chip"], ()),
        (laid(ONE, "123", "J", pot=""), "buy", ["buy.empty-pot"], ()),
        (laid(ONE, "123", "J", pot="", chips=[0, 4]), "buy", ["buy.empty-pot", "buy.no-chip"], ()),
        (LAID, "--", ["pass.could-play"], ()),
        (JOKER_LIES, "--", ["pass.could-play"], ()),
        (EMPTY, "--", ["pass.could-play"], ()),
    ],
)
def test_every_rule_broken_most_telling_first(
    position: TriominosPosition, text: str, rules: list[str], sites: tuple[str, ...]
) -> None:
    refusals = position.refusals(RULES.parse(text))
    assert [refusal.rule for refusal in refusals] == rules
    assert refusals[0].sites == sites
    for refusal in refusals:
        assert RULES.game.sentences[refusal.rule].format(**refusal.facts)
    with pytest.raises(IllegalActionError, match=rules[0]):
        play(position, text)


def test_a_refused_corner_says_what_is_asked() -> None:
    (refusal,) = LAID.refusals(RULES.parse("144@0,1"))
    assert (refusal.facts["card"], refusal.facts["wanted"]) == ("144", "?43")
    assert refusal.facts["clash"] == "4 ≠ 3", "the corner in which it differs, and what it meets there"


def test_out_of_turn_and_after_the_end() -> None:
    assert [refusal.rule for refusal in LAID.refusals(RULES.parse("buy"), by=1)] == ["not-your-turn"]
    over = play(laid(ONE, "555", "222", pot="", turns_left=1), "--")
    assert codes(over, "buy") == ["game-over"]


def test_every_code_of_the_page_has_its_sentence() -> None:
    own = [code for code in RULES.game.sentences if code.startswith(("setup.", "chips."))]
    assert [code for code in RULES.game.sentences if code not in own] == CODES
    assert len(RULES.game.brief) == 8


# What is hidden


def test_a_view_shows_table_chips_sizes_own_rack_and_nothing_hidden() -> None:
    position = laid(ONE, "113 J", "333", chips=[4, 7])
    view = position.view(0)
    public = [view.pop(key) for key in ("seat", "passes", "turns_left", "result")]
    assert public == [0, 0, None, None]
    hands = {"rack": ["113", "J"], "rack_sizes": [2, 1], "pot_size": 32, "joker": None}
    assert view == {"sites": {"0,0": "134"}, "chips": [4, 7]} | hands
    assert position.view(1)["rack"] == ["333"]
    assert position.view(None)["rack"] is None


def test_a_swapped_joker_is_known_to_everyone_until_it_is_laid() -> None:
    position = play(laid(WITH_JOKER, "123 555", "222"), "312~1,0")
    assert [position.view(viewer)["joker"] for viewer in (0, 1, None)] == [0, 0, 0]
    for seed in range(20):
        assert "J" in position.redeal(1, Random(seed)).racks[0]
        assert "J" in position.redeal(None, Random(seed)).racks[0]
    assert play(position, "buy", "JJJ@0,1").view(1)["joker"] is None


@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_no_view_leaks_what_is_hidden(players: int, seed: int) -> None:
    random = Random(seed)
    for position in random_match(players, random):
        for viewer in (None, *range(players)):
            other = position.redeal(viewer, random)
            assert other.view(viewer) == position.view(viewer)
            assert sorted([*other.pot, *sum(other.racks, ())]) == sorted([*position.pot, *sum(position.racks, ())])
            if viewer is not None:
                assert other.racks[viewer] == position.racks[viewer]


def test_a_redeal_changes_what_is_hidden() -> None:
    position = start(3, RULES.deal(3, Random(1)))
    other = position.redeal(0, Random(2))
    assert other.racks[1] != position.racks[1]
    assert other.racks[2] != position.racks[2]
    assert other.pot != position.pot
    assert other.redeal(0, Random(9)) == position.redeal(0, Random(9)), "what was hidden must not shine through"


# Unknown racks


def test_unknown_racks_keep_sizes_and_chips() -> None:
    position = play(start(2, {"racks": None, "first": "134", "pot": None}), "312@1,0", "buy")
    assert (position.chips, position.view(0)["rack_sizes"], position.view(0)["pot_size"]) == ((5, 3), [5, 7], 22)
    assert position.view(0)["rack"] is None
    assert position.redeal(0, Random(1)) == position


def test_unknown_racks_allow_every_card_not_seen_yet() -> None:
    position = play(start(2, {"racks": None, "first": "134", "pot": None}), "312@1,0")
    assert {"343@0,1", "JJJ@0,1", "233@2,0", "buy"} <= offered(position)
    assert codes(position, "123@2,0") == ["place.card", "place.corner"]
    assert not any(CARD_OF[text[:3]] in ("134", "123") for text in offered(position) if "@" in text)


def test_unknown_racks_allow_a_pass_to_who_cannot_buy() -> None:
    assert "--" not in offered(unseen(ONE, [6, 6]))
    for position in (unseen(ONE, [6, 6], chips=[0, 4]), unseen(ONE, [6, 29])):
        assert "buy" not in offered(position)
        assert {"--", "312@1,0"} <= offered(position)


def test_unknown_racks_know_a_swapped_joker() -> None:
    position = play(unseen(WITH_JOKER, [6, 6]), "312~1,0")
    assert position.joker_with == 0
    assert not any("JJJ" in text for text in offered(position))
    assert codes(position, "JJJ@0,1") == ["place.card"]
    position = play(position, "343@0,1")
    assert "JJJ@-1,0" in offered(position)
    assert "441@-1,0" in offered(position)


def test_unknown_racks_allow_no_pass_to_who_is_known_to_hold_the_joker() -> None:
    position = unseen(ONE, [3, 6], joker=0, chips=[0, 4])
    assert "--" not in offered(position)
    assert codes(position, "--") == ["pass.could-play"]
    assert "--" in offered(unseen(ONE, [3, 6], joker=1, chips=[0, 4]))


def test_a_rack_wholly_known_allows_only_that() -> None:
    assert offered(unseen(ONE, [1, 6], joker=0)) == {"JJJ@0,1", "JJJ@-1,0", "JJJ@1,0", "buy"}
    assert codes(unseen(ONE, [1, 6], joker=0), "312@1,0") == ["place.card"]
    # Nobody else has a card: all that is not on the table is in his rack, and some of it fits.
    assert "--" not in offered(unseen(ONE, [35, 0]))
    assert "--" not in offered(unseen(ONE, [34, 1], joker=1))
    assert "--" in offered(unseen(ONE, [33, 2], joker=1))


@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_a_referee_who_sees_no_rack_accepts_every_honest_match(players: int, seed: int) -> None:
    match = list(random_match(players, Random(seed)))
    blind = start(players, {"racks": None, "first": match[0].setup()["first"], "pot": None})
    for position, after in pairwise(match):
        assert start(players, blind.setup()) == blind
        assert set(map(str, position.legal())) <= offered(blind)
        action = next(action for action in position.legal() if position.after(action) == after)
        blind = blind.play(action)
        assert blind.view(None) == after.view(None)
    assert blind.outcome == match[-1].outcome


# Set-ups

DEAL = RULES.deal(2, Random(3))
NULLS = {"racks": None, "first": "134", "pot": None}
PROGRESS = play(laid(ONE, "123 J", "555 344"), "JJJ@1,0").setup()
BLIND = unseen(ONE, [5, 6]).setup()


def changed(setup: Mapping[str, Any], **position: object) -> dict[str, Any]:
    return {**setup, "position": {**setup["position"], **position}}


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        ({}, "there is no 'first'"),
        ({"first": "134"}, "there is no 'pot'"),
        ({"racks": None, "first": "134"}, "there is no 'pot'"),
        (DEAL | {"seed": 3}, "there can be no 'seed'"),
        (DEAL | {"first": None}, "'first' must be a card"),
        (NULLS | {"first": "JJJ"}, "'first' must be a card other than the joker"),
        (NULLS | {"first": "431"}, "'first' must be a card"),
        (DEAL | {"racks": None}, "both be known or both be null"),
        (DEAL | {"pot": None}, "both be known or both be null"),
        (DEAL | {"racks": DEAL["racks"][:1]}, "a list of 2 racks"),
        (DEAL | {"racks": {"0": []}}, "a list of 2 racks"),
        (DEAL | {"racks": ["134", "555"]}, "a list of cards"),
        (DEAL | {"pot": [*DEAL["pot"][1:], "431"]}, "a list of cards"),
        (DEAL | {"pot": [*DEAL["pot"][1:], 134]}, "a list of cards"),
        (DEAL | {"pot": DEAL["pot"][1:]}, "must be there once, not 0 times"),
        (DEAL | {"pot": [*DEAL["pot"], "J"]}, "the card J must be there once, not 2 times"),
        (
            {**DEAL, "racks": [[*DEAL["racks"][0], DEAL["pot"][0]], DEAL["racks"][1]], "pot": DEAL["pot"][1:]},
            "every rack must hold 6 cards",
        ),
        (DEAL | {"position": None}, "'position' must be a JSON object"),
        (DEAL | {"position": {}}, "there is no 'chips' in 'position'"),
        (changed(PROGRESS, rack_sizes=[6, 6]), "there can be no 'rack_sizes'"),
        (changed(PROGRESS, table=[]), "'table' must say"),
        (changed(PROGRESS, table={}), "the first card 134 must lie on 0,0"),
        (changed(PROGRESS, table={"0,0": "341"}), "the first card 134 must lie on 0,0"),
        (changed(PROGRESS, table={"0,0": "134", "01,0": "JJJ"}), "there is no cell '01,0'"),
        (changed(PROGRESS, table={"0,0": "134", "1,0": "J"}), "no card lies as 'J'"),
        (changed(PROGRESS, table={"0,0": "134", "2,0": "JJJ"}), "2,0 shares no side"),
        (changed(PROGRESS, table={"0,0": "134", "1,0": "321"}), "no card lies as '321'"),
        (changed(PROGRESS, table={"0,0": "134", "1,0": "123"}), "123 does not fit on 1,0"),
        (changed(PROGRESS, table={"0,0": "134", "1,0": "JJJ", "0,1": "JJJ"}), "the card J lies on the table twice"),
        (changed(PROGRESS, table={"0,0": "134"}), "the card J must be there once, not 0 times"),
        (changed(PROGRESS, chips=[4]), "'chips' must be a list of 2 numbers"),
        (changed(PROGRESS, chips=[4, -1]), "'chips' must be a list of 2 numbers"),
        (changed(PROGRESS, chips=[4, True]), "'chips' must be a list of 2 numbers"),
        (changed(PROGRESS, seat=2), "'seat' must be a number from 0 to 1"),
        (changed(PROGRESS, seat=None), "'seat' must be a number from 0 to 1"),
        (changed(PROGRESS, passes=2), "'passes' must be a number from 0 to 1"),
        (changed(PROGRESS, turns_left=2), "'turns_left' must be null"),
        (changed(PROGRESS, joker=0), "the joker cannot be in the rack of seat 0"),
        (changed(PROGRESS, joker=2), "'joker' must be null or the seat"),
        (changed(laid(ONE, "555", "J", pot="").setup(), turns_left=None), "'turns_left' must be a number from 1 to 2"),
        (changed(laid(ONE, "555", "J", pot="").setup(), turns_left=3), "'turns_left' must be a number from 1 to 2"),
        (changed(BLIND, rack_sizes=[5]), "'rack_sizes' must be a list of 2 numbers"),
        (changed(BLIND, rack_sizes=[5, 7]), "must hold the 35 cards that are not on the table, not 36"),
        (changed(BLIND, pot_size=-1), "'pot_size' must be a number from 0 to 35"),
        (changed(unseen(ONE, [0, 6]).setup(), joker=0), "the joker cannot be in the rack of seat 0"),
    ],
)
def test_anything_else_is_no_setup(setup: dict[str, Any], why: str) -> None:
    with pytest.raises(InvalidSetupError) as refused:
        RULES.start(2, setup)
    assert why in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_deal_is_for_its_number_of_players() -> None:
    with pytest.raises(InvalidSetupError, match="a list of 3 racks"):
        RULES.start(3, DEAL)


def test_a_position_that_only_differs_by_the_known_joker_is_written_down_too() -> None:
    position = unseen(ONE, [6, 6], joker=0)
    assert start(2, position.setup()) == position
    assert start(2, position.setup()) != unseen(ONE, [6, 6])


# Whatever is played


@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), blind=st.booleans())
@settings(max_examples=20, deadline=None)
def test_an_action_is_refused_exactly_if_it_is_not_legal(players: int, seed: int, blind: bool) -> None:
    random = Random(seed)
    position = random.choice(list(random_match(players, random))[:-1])
    if blind:
        setup = position.setup()
        sizes = {"rack_sizes": [len(rack) for rack in position.racks], "pot_size": len(position.pot)}
        known = setup.get(
            "position", unseen(ONE, [5] * players).setup()["position"] | {"table": spelled(position.faces())}
        )
        position = start(players, setup | {"racks": None, "pot": None, "position": known | sizes})
    legal = offered(position)
    for face, sign, x, y in product(("111", "123", "132", "455", "JJJ"), "@~", range(-3, 4), range(-3, 4)):
        if (face, sign) != ("JJJ", "~"):
            text = f"{face}{sign}{x},{y}"
            assert (codes(position, text) == []) == (text in legal)
            assert "unknown" not in codes(position, text)
    for action in position.legal():
        assert list(position.objections(action)) == []


def random_match(players: int, random: Random) -> Iterator[TriominosPosition]:
    position = start(players, RULES.deal(players, random))
    yield position
    while position.outcome is None:
        position = position.play(random.choice(position.legal()))
        yield position


def shown_at_vertices(position: TriominosPosition) -> dict[tuple[int, int], list[str]]:
    """For every vertex the values shown there, straight from the page's formula."""
    shown: dict[tuple[int, int], list[str]] = {}
    for (x, y), face in position.table.faces.items():
        up = (x + y) % 2 == 0
        vertices = [(x, y), (x + 1, y + 1), (x - 1, y + 1)] if up else [(x, y + 1), (x - 1, y), (x + 1, y)]
        for vertex, value in zip(vertices, face, strict=True):
            shown.setdefault(vertex, []).append(value)
    return shown


def earned(before: TriominosPosition, after: TriominosPosition) -> int:
    """The chips for the card that was laid, counted from the vertices: six values round one are a hexagon."""
    ((x, y),) = after.table.faces.keys() - before.table.faces.keys()
    up = (x + y) % 2 == 0
    old, new = shown_at_vertices(before), shown_at_vertices(after)
    near = [cell for cell in [(x - 1, y), (x + 1, y), (x, y + 1) if up else (x, y - 1)] if cell in before.table.faces]
    chips = 1 + (not after.racks[before.mover])
    chips += sum(len(new[vertex]) == 6 and len(old[vertex]) == 5 for vertex in new.keys() & old.keys())
    if len(near) == 1:
        # Opposite a left or right neighbour is a corner on the flat side of the card, else its apex.
        flat, apex = y + 1 if up else y, y if up else y + 1
        right = 1 if near[0] == (x - 1, y) else -1
        chips += ((x + right, flat) if near[0][1] == y else (x, apex)) in old
    return chips


@given(players=st.integers(2, 4), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_cards_chips_and_vertices_in_random_matches(players: int, seed: int) -> None:
    before: TriominosPosition | None = None
    for position in random_match(players, Random(seed)):
        lying = [CARD_OF[face] for face in position.table.faces.values()]
        assert sorted([*lying, *position.pot, *sum(position.racks, ())]) == sorted(CARDS)
        assert all(len(set(values) - {"J"}) <= 1 for values in shown_at_vertices(position).values())
        if position.outcome is None:
            again = start(players, json.loads(json.dumps(position.setup())))
            assert (again, hash(again), again.legal()) == (position, hash(position), position.legal())
        if before is not None and before.seat is not None:
            cards = len(position.table.faces) - len(before.table.faces)
            drawn = len(before.pot) - len(position.pot)
            change = [new - old for new, old in zip(position.chips, before.chips, strict=True)]
            assert not any(value for seat, value in enumerate(change) if seat != before.seat)
            assert change[before.seat] == (earned(before, position) if cards else -drawn)
        before = position


@given(players=st.integers(2, 4), seed=st.integers(0, 2**32), ply=st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_legal_is_exactly_what_the_page_allows(players: int, seed: int, ply: int) -> None:
    """Every cell near the table and every way a card can lie, tried one by one."""
    position = list(random_match(players, Random(seed)))[:-1][-ply - 1 :][0]
    faces, shown, seat = position.table.faces, shown_at_vertices(position), position.mover
    rack = position.racks[seat]
    expected = set()
    xs, ys = [x for x, _ in faces], [y for _, y in faces]
    for x, y in product(range(min(xs) - 2, max(xs) + 3), range(min(ys) - 2, max(ys) + 3)):
        up = (x + y) % 2 == 0
        near = [(x - 1, y), (x + 1, y), (x, y + 1) if up else (x, y - 1)]
        vertices = [(x, y), (x + 1, y + 1), (x - 1, y + 1)] if up else [(x, y + 1), (x - 1, y), (x + 1, y)]
        joker = faces.get((x, y)) == "JJJ"
        if not joker and ((x, y) in faces or not any(cell in faces for cell in near)):
            continue
        for card in set(rack):
            lying = "JJJ" if card == "J" else card
            for face in {(lying * 2)[turn : turn + 3] for turn in range(3)}:
                pairs = zip(vertices, face, strict=True)
                if all(face == "JJJ" or set(shown.get(vertex, [])) <= {value, "J"} for vertex, value in pairs):
                    expected.add(f"{face}{'~' if joker else '@'}{x},{y}")
    if position.pot and position.chips[seat]:
        expected.add("buy")
    assert offered(position) == (expected or {"--"})


# The picture


def test_the_picture_shows_cards_as_they_lie_and_only_what_a_spectator_sees() -> None:
    position = play(laid(WITH_JOKER, "123 555", "222"), "312~1,0")
    assert position.draw().splitlines() == [
        "     .---------.",
        "    /1\\1     2/",
        "   /   \\ 1,0 /",
        "  / 0,0 \\   /",
        " /4     3\\3/",
        ".---------.",
        "",
        "pot: 31 cards",
        "red: 2 cards, with the joker, 4 chips",
        "yellow: 1 cards, 4 chips, to play",
    ]
    assert position.draw() == position.redeal(None, Random(1)).draw()
    assert "J     J" in laid(WITH_JOKER, "123", "222").draw()
    assert "turns left: 2" in laid(ONE, "123", "222", pot="").draw()
