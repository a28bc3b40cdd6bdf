"""Triominos at a real table: how a match begins, what the rows of chips tell, and which mistakes have a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine.core import Action
from engine.face import EMPTY, Face
from engine.games.triominos.actions import BUY, Place, Swap
from engine.games.triominos.cards import CARDS
from engine.games.triominos.slips import MAKERS
from engine.match import Match
from engine.referee.reading import Reading
from engine.referee.table import Seen, Table, step
from engine.referee.wishes import declare, take_back
from engine.registry import find_game

GAME = find_game("triominos")
RULES, FACES, BOARD = GAME.configure(), GAME.faces, GAME.board(4)
CHIP = FACES["chip"]


def reading(faces: dict[str, Face], chips: Iterable[int], hidden: Iterable[str] = ()) -> Reading:
    sites = {site: {faces.get(site, EMPTY): 0.0} for site in BOARD.sites if site not in BOARD.counting}
    counts = [*chips, 0, 0, 0, 0]
    for row, count in zip(RULES.rows(4), counts, strict=False):
        sites |= {site: {CHIP if number < count else EMPTY: 0.0} for number, site in enumerate(row)}
    covered = frozenset(hidden)
    return Reading({site: seen for site, seen in sites.items() if site not in covered}, {}, covered, bool(covered))


class Evening:
    """A table whose every look is certain: ten a second."""

    def __init__(
        self, players: int = 2, first: str = "341", chips: int = 4, setup: dict[str, Any] | None = None
    ) -> None:
        match = Match.begin(RULES, players, setup or {"racks": None, "first": first, "pot": None})
        self.table, self.seconds = Table.begin(match, {}), 0.0
        self.faces, self.chips = dict(match.position.faces()), [chips] * players
        self.hidden: tuple[str, ...] = ()
        self.wait(1.0)

    def words(self, seconds: float) -> list[dict[str, Any]]:
        """What is said meanwhile, with its sentences."""
        said = []
        for _ in range(round(seconds * 10)):
            self.seconds += 0.1
            self.table = step(self.table, Seen(self.seconds, reading(self.faces, self.chips, self.hidden)))
            said += self.table.records()
        return said

    def wait(self, seconds: float = 2.0) -> list[dict[str, Any]]:
        return [
            {name: told for name, told in each.items() if name not in ("text", "rules")} for each in self.words(seconds)
        ]

    @property
    def position(self) -> Any:  # noqa: ANN401 - a Triominos position
        return self.table.position

    def placing(self, plain: bool = True) -> Place:
        """A card that may be laid, and earns just one chip."""
        found = [action for action in self.position.legal() if isinstance(action, Place)]
        return next(each for each in found if not plain or self.position.table.bonus(each.cell) == 0)

    def show(self, action: Action) -> None:
        self.faces = dict(self.position.after(action).faces())


def action(ply: int, seat: int, what: Action, inferred: bool = False) -> dict[str, Any]:
    told: dict[str, Any] = {"event": "action", "ply": ply, "seat": seat, "action": str(what)}
    return told | ({"inferred": True} if inferred else {})


def test_a_card_is_laid_by_the_seat_to_move_at_once_and_its_chip_may_follow() -> None:
    evening = Evening()
    card = evening.placing()
    evening.show(card)
    assert evening.wait(0.5) == [action(0, 0, card)]
    evening.chips[0] += 1
    assert evening.wait(15) == []


def test_a_row_one_shorter_is_a_purchase_of_the_seat_to_move() -> None:
    evening = Evening()
    evening.chips[0] -= 1
    assert evening.wait() == [action(0, 0, BUY)]
    assert evening.position.chips == (3, 4)
    evening.chips[1] -= 1
    assert evening.wait() == [action(1, 1, BUY)]


def test_a_chip_put_back_takes_the_purchase_back() -> None:
    evening = Evening()
    evening.chips[0] -= 1
    evening.wait()
    evening.chips[0] += 1
    assert evening.wait() == [{"event": "undo", "to_ply": 0}]


def test_a_purchase_out_of_turn_is_told() -> None:
    evening = Evening()
    evening.chips[1] -= 1
    assert evening.wait() == [{"event": "illegal", "seat": 0, "rule": "not-your-turn", "sites": []}]
    assert evening.position.chips == (4, 4)


def test_nobody_buys_from_an_empty_pot() -> None:
    last = {"table": {"0,0": "341"}, "chips": [4, 4], "seat": 0, "passes": 0, "turns_left": 2, "joker": None}
    sizes = {"rack_sizes": [20, 15], "pot_size": 0}
    evening = Evening(setup={"racks": None, "first": "341", "pot": None, "position": last | sizes})
    evening.chips[0] -= 1
    assert [each["rule"] for each in evening.wait()] == ["buy.empty-pot"]


def test_what_is_due_is_told_once_and_holds_nothing_up() -> None:
    evening = Evening()
    card = evening.placing()
    evening.show(card)
    evening.wait(8)
    owed = {"event": "chips", "seat": 0, "seen": 4, "due": 5}
    assert evening.wait(4) == [owed]
    assert evening.wait(30) == []
    evening.chips[1] -= 1
    assert evening.wait()[0] == action(1, 1, BUY)
    evening.chips[0] += 1
    assert evening.wait(20) == []


def test_who_took_too_many_is_told_too_and_gives_back_without_buying() -> None:
    evening = Evening()
    evening.show(evening.placing())
    evening.chips[0] += 2
    evening.wait(1)
    assert evening.wait(12) == [{"event": "chips", "seat": 0, "seen": 6, "due": 5}]
    evening.chips[0] -= 1
    assert evening.wait(15) == []


def _stuck(players: int = 3) -> Evening:
    """Nobody has a chip: who can lay nothing passes."""
    position = {
        "table": {"0,0": "341"},
        "chips": [0] * players,
        "seat": 0,
        "passes": 0,
        "turns_left": None,
        "joker": None,
    }
    left = 35 - 6 * players
    sizes = {"rack_sizes": [6] * players, "pot_size": left}
    return Evening(players, setup={"racks": None, "first": "341", "pot": None, "position": position | sizes}, chips=1)


def test_whose_row_grows_laid_the_card_and_those_between_have_passed() -> None:
    evening = _stuck()
    card = evening.placing()
    evening.show(card)
    evening.chips[2] += 1
    said = evening.wait()
    assert [each["action"] for each in said] == ["--", "--", str(card)]
    assert [each["seat"] for each in said] == [0, 1, 2]
    assert [each.get("inferred", False) for each in said] == [True, True, False]


def test_whose_row_grows_a_little_later_laid_the_card_all_the_same() -> None:
    evening = _stuck()
    card = evening.placing()
    evening.show(card)
    assert evening.wait() == [action(0, 0, card)]
    evening.chips[1] += 1
    said = evening.wait()
    assert said[0] == {"event": "undo", "to_ply": 0}
    assert [each["action"] for each in said[1:]] == ["--", str(card)]
    assert said[-1]["seat"] == 1


def test_a_purchase_out_of_sight_is_told_with_the_card_after_it_once_the_rows_are_in_sight() -> None:
    evening = Evening()
    card = evening.placing()
    evening.hidden = (RULES.rows(4)[0][3],)
    evening.chips[0] -= 1
    assert evening.wait() == []
    evening.show(card)
    evening.chips[1] += 1
    assert evening.wait() == [action(0, 0, card)], "nobody can know better"
    evening.hidden = ()
    said = evening.wait()
    assert said[0] == {"event": "undo", "to_ply": 0}
    assert [(each["seat"], each["action"]) for each in said[1:]] == [(0, str(BUY)), (1, str(card))]
    assert [each.get("inferred", False) for each in said[1:]] == [True, False]
    assert evening.wait(20) == [], "all that is due is there"


def test_who_could_buy_has_not_passed_so_another_card_is_out_of_turn() -> None:
    evening = Evening()
    card = evening.placing()
    evening.show(card)
    evening.chips[1] += 1
    said = evening.wait(3)
    assert [each["rule"] for each in said] == ["not-your-turn"]
    assert said[0]["sites"] == [f"{card.cell[0]},{card.cell[1]}"]
    evening.faces = dict(evening.position.faces())
    evening.chips[1] -= 1
    assert evening.wait()[0] == {"event": "restored"}


def test_without_chips_on_the_mat_nothing_is_said_of_them() -> None:
    evening = Evening(chips=0)
    card = evening.placing()
    evening.show(card)
    assert evening.wait(15) == [action(0, 0, card)]


def test_two_cards_at_once_are_one_players_mistake() -> None:
    evening = Evening()
    one = evening.placing()
    then = evening.position.after(one)
    evening.faces = dict(then.after(next(each for each in then.legal() if isinstance(each, Place))).faces())
    assert [each["rule"] for each in evening.wait()] == ["place.two"]


HAND = ("-8,-4", "-7,-4", "-6,-4")


@pytest.mark.parametrize("seen", [0.2, 0.0], ids=["seen for a moment", "never seen alone"])
def test_two_cards_in_a_row_are_two_actions_if_the_first_was_seen_without_a_hand(seen: float) -> None:
    evening = Evening()
    one = evening.placing()
    evening.show(one)
    assert evening.wait(seen) == []
    evening.hidden = HAND
    assert evening.wait(0.4) == []
    then = evening.position.after(one)
    two = next(each for each in then.legal() if isinstance(each, Place))
    evening.faces, evening.hidden = dict(then.after(two).faces()), ()
    told = evening.wait()
    if seen:
        assert told == [action(0, 0, one), action(1, 1, two)]
    else:
        assert [each.get("rule") for each in told] == ["place.two"]


def test_glare_on_places_for_chips_holds_no_card_up() -> None:
    evening = Evening(chips=0)
    evening.hidden = ("green$11", "green$12")
    card = evening.placing()
    evening.show(card)
    assert evening.wait(0.5) == [action(0, 0, card)]


def test_a_card_between_cells_is_no_whole_side() -> None:
    evening = Evening()
    evening.faces = {**evening.faces, "2,0": FACES["555/"]}
    assert evening.wait() == [{"event": "illegal", "seat": 0, "rule": "place.side", "sites": ["2,0"]}]
    evening.faces = dict(evening.position.faces())
    assert evening.wait() == [{"event": "restored"}]


def test_a_joker_on_its_way_into_the_rack_is_no_mistake_yet() -> None:
    evening = Evening()
    joker = next(each for each in evening.position.legal() if str(each).startswith("JJJ"))
    evening.show(joker)
    evening.wait()
    full = dict(evening.faces)
    swap = next(each for each in evening.position.legal() if isinstance(each, Swap))
    evening.faces = {site: face for site, face in full.items() if face.name != "JJJ"}
    said = evening.wait(1.0)
    assert [each["event"] for each in said] in (["unfinished"], ["undo"]), "it lay there last, so it may be taken back"
    evening.faces = full
    evening.wait()
    evening.show(swap)
    assert evening.wait()[-1]["action"] == str(swap)


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_every_kind_of_mistake_is_named(make: Any) -> None:  # noqa: ANN401 - a maker of slips
    tried = 0
    for seed in range(30):
        dice = Random(seed)
        match = Match.begin(RULES, 2, RULES.deal(2, dice))
        for _ in range(dice.randrange(3, 9)):
            placings = [each for each in match.position.legal() if isinstance(each, Place)]
            match = match.play(dice.choice(placings or match.position.legal()))
        slip = make(match.position, dice)
        if slip is None:
            continue
        tried += 1
        named = list(match.position.witnessed().rules.diagnose(match.position.witnessed(), slip.faces, {}))
        assert named, (seed, slip)
        assert named[0].rule in slip.rules, (seed, slip)
    assert tried >= 3


def survey(faces: dict[str, Face], chips: Iterable[int], players: int = 2) -> Any:  # noqa: ANN401 - a survey
    return RULES.survey(players, [reading(faces, chips)], {})


def test_the_first_card_begins_the_match_as_it_lies() -> None:
    told = survey({"0,0": FACES["341"]}, (4, 4))
    assert told.setup == {"racks": None, "first": "341", "pot": None}
    assert told.told == {"first": "341"}
    position = RULES.start(2, told.setup)
    assert position.faces() == {"0,0": FACES["341"]}
    assert RULES.start(2, position.setup()) == position


def test_without_chips_the_page_counts_them() -> None:
    assert survey({"0,0": FACES["341"]}, (0, 0)).told == {"first": "341", "chips": "page"}


@pytest.mark.parametrize(
    ("faces", "chips", "rule"),
    [
        ({}, (4, 4), "setup.first"),
        ({"0,0": "JJJ"}, (4, 4), "setup.joker"),
        ({"0,0": "341", "3,3": "555"}, (4, 4), "setup.others"),
        ({"0,0": "341"}, (4, 3), "setup.chips"),
    ],
)
def test_what_is_not_ready_yet_is_said(faces: dict[str, str], chips: tuple[int, ...], rule: str) -> None:
    told = survey(FACES.read(faces), chips)
    assert told.setup is None
    assert [flaw.rule for flaw in told.flaws] == [rule]


def test_a_card_face_down_on_the_marked_cell_is_no_first_card() -> None:
    seen = reading({}, (4, 4))
    face_down = replace(seen, sites={site: read for site, read in seen.sites.items() if site != "0,0"})
    told = RULES.survey(2, [replace(face_down, hidden=frozenset({"0,0"}))], {})
    assert told.setup is None
    assert [flaw.rule for flaw in told.flaws] == ["setup.face-down"]


ALMOST_ROUND = {"0,0": "115", "1,0": "112", "2,0": "231", "2,1": "413", "1,1": "145"}
"""Five of the six cells round one point; 0,1 is free."""
ACROSS = {
    "0,0": "444",
    "0,1": "144",
    "1,1": "411",
    "1,0": "445",
    "2,0": "554",
    "3,0": "552",
    "4,0": "235",
    "4,1": "553",
}
"""A card on 3,1 touches 4,1 by a side, and 1,1 by the corner opposite."""


@pytest.mark.parametrize(
    ("cards", "rack", "what", "why"),
    [
        (ALMOST_ROUND, 6, "551@0,1", "the card on 0,1 closes a hexagon."),
        (ACROSS, 6, "551@3,1", "the card on 3,1 makes a bridge."),
        ({"0,0": "134"}, 1, "312@1,0", "it was the last card of the rack."),
    ],
    ids=["hexagon", "bridge", "last-card"],
)
def test_a_chip_forgotten_is_told_with_what_it_is_for(cards: dict[str, str], rack: int, what: str, why: str) -> None:
    state = {"table": cards, "chips": [4, 4], "seat": 0, "passes": 0, "turns_left": None, "joker": None}
    sizes = {"rack_sizes": [rack, 6], "pot_size": len(CARDS) - len(cards) - rack - 6}
    evening = Evening(setup={"racks": None, "first": cards["0,0"], "pot": None, "position": state | sizes})
    evening.show(RULES.parse(what))
    evening.chips[0] += 1
    said = [each for each in evening.words(12) if each["event"] == "chips"]
    assert [(each["seen"], each["due"]) for each in said] == [(5, 6)]
    assert said[0]["text"] == f"red may take 1 more from the bank: {why} 6 chips are due, 5 lie there."


@pytest.mark.parametrize("face", ["134", "341", "413"])
def test_a_card_that_lies_twice_is_called_with_both_places(face: str) -> None:
    evening = Evening(first="341")
    evening.faces["1,0"] = FACES[face]
    (said,) = evening.words(3)
    assert (said["event"], said["rule"], said["sites"]) == ("illegal", "place.card", ["1,0", "0,0"])
    assert said["text"].startswith(f"{face} cannot be laid: this card is already on the table (1,0, 0,0).")


def test_a_card_that_lies_twice_stops_no_later_card_once_it_is_gone() -> None:
    evening = Evening(first="341")
    evening.faces["1,0"] = FACES["134"]
    evening.wait(3)
    del evening.faces["1,0"]
    assert evening.wait() == [{"event": "restored"}]
    card = evening.placing()
    evening.show(card)
    assert evening.wait() == [action(0, 0, card)]


SIDES = {0: ("-1,-6", "0,-6", "1,-6"), 1: ("-1,6", "0,6", "1,6")}
"""What the arm of each of two players covers who sit opposite one another."""


def lay(evening: Evening, by: int) -> tuple[Place, list[dict[str, Any]]]:
    """A card that the arm of this player lays, and what is said."""
    card = evening.placing()
    evening.hidden = SIDES[by]
    said = evening.wait(0.4)
    evening.show(card)
    said += evening.wait(0.4)
    evening.hidden = ()
    return card, said + evening.wait(0.6)


def known_arms(chips: int = 0) -> Evening:
    """Each player has laid three cards, with an arm from the own side; it is the first one's turn."""
    evening = Evening(chips=chips)
    for ply in range(6):
        card, said = lay(evening, ply % 2)
        assert said == [action(ply, ply % 2, card)]
        assert evening.table.accepted.reached is None
    return evening


def test_an_arm_from_another_side_asks_kindly_what_nobody_told() -> None:
    evening = known_arms()
    card, said = lay(evening, 1)
    assert said == [action(6, 0, card)], "it holds nothing up"
    reached = evening.table.accepted.reached
    assert reached is not None
    assert reached.seat == 1
    assert [str(story) for story in reached.stories] == [f"from 6: buy {card}"]
    evening.table = declare(evening.table, f"from 6: buy {card}")
    told = evening.table.records()
    assert told == [{"event": "undo", "to_ply": 6}, action(6, 0, BUY, inferred=True), action(7, 1, card)]
    assert evening.table.accepted.reached is None
    card, said = lay(evening, 0)
    assert said == [action(8, 0, card)]
    assert evening.table.accepted.reached is None


def test_where_chips_lie_and_where_arms_come_from_anywhere_no_arm_tells_anything() -> None:
    evening = known_arms(chips=4)
    lay(evening, 1)
    assert evening.table.accepted.reached is None
    together = Evening(chips=0)
    for _ in range(8):
        lay(together, 0)
        assert together.table.accepted.reached is None


def test_what_is_asked_about_an_arm_is_forgotten_with_the_next_card() -> None:
    evening = known_arms()
    lay(evening, 1)
    assert evening.table.accepted.reached is not None
    card, said = lay(evening, 1)
    assert said == [action(7, 1, card)]
    assert evening.table.accepted.reached is None


@pytest.mark.parametrize("end", ["taken back", "bought"])
def test_what_is_asked_about_an_arm_goes_with_what_people_say(end: str) -> None:
    evening = known_arms()
    lay(evening, 1)
    assert evening.table.accepted.reached is not None
    assert evening.table.accepted.arms.sides.keys() == {0, 1}
    evening.table = take_back(evening.table) if end == "taken back" else declare(evening.table, "buy")
    assert evening.table.accepted.reached is None
    # Whose arm was taken back may not have been that player's.
    assert evening.table.accepted.arms.sides.keys() == ({1} if end == "taken back" else {0, 1})


def test_who_change_chairs_are_soon_asked_no_more() -> None:
    evening = known_arms()
    asked = []
    for ply in range(12):
        lay(evening, 1 - ply % 2)
        asked.append(evening.table.accepted.reached is not None)
    assert any(asked)
    assert not any(asked[6:])
