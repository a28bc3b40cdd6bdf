"""A card that is held up beside the board: what is said of it, by how much help was agreed to."""

from __future__ import annotations

import pytest

from engine.core import COLOURS
from engine.match import Match
from engine.referee.table import Table
from engine.registry import find_game
from firmware.coaching.coach import Coach
from firmware.coaching.shown_card import ShownCard
from firmware.coaching.thinker import Thinker
from firmware.log.match.seating import Seating

RULES = find_game("triominos").configure()
POSITION = RULES.start(2, {"racks": None, "first": "123", "pot": None})


def told(card: str, level: str, language: str = "en") -> tuple[str, tuple[str, ...]]:
    shown = ShownCard.of(POSITION, card, level)
    return shown.told(language), shown.sites


def test_at_legality_it_is_only_said_whether_it_fits() -> None:
    assert told("112", "legality") == ("Card 112: it fits.", ())


def test_at_targets_the_cells_are_pointed_at() -> None:
    text, sites = told("123", "targets")
    assert text.startswith("Card 123: it is already on the table (0,0)")
    text, sites = told("112", "targets")
    assert text == "Card 112: it fits in one place."
    assert sites == ("1,0",)
    assert all(f"{face}@1,0" in map(str, POSITION.legal()) for face in ("211",))


def test_the_joker_fits_everywhere() -> None:
    text, sites = told("J", "targets")
    assert text == "Joker: it fits in 3 places."
    assert set(sites) == {"1,0", "-1,0", "0,1"}


def test_with_hints_the_best_place_and_what_it_earns_is_told_too() -> None:
    text, _ = told("J", "hints")
    assert text.startswith("Joker: it fits in 3 places. Best here: ")
    assert "Chips earned: 1." in text


def test_what_fits_nowhere_is_said() -> None:
    assert told("555", "targets") == ("Card 555: it fits nowhere now.", ())
    assert told("555", "targets", "de")[0] == "Karte 555: passt gerade nirgends."


class Silent(Thinker):
    """Is never asked anything here."""

    def __init__(self) -> None:
        pass

    def answer(self) -> None:
        return None

    def forget(self) -> None:
        pass


@pytest.fixture
def coach() -> Coach:
    return Coach(Silent(), Seating.parse("2"), 1)


def test_the_coach_points_at_it_until_it_is_taken_away(coach: Coach) -> None:
    table = Table.begin(Match.begin(RULES, 2, POSITION.setup()), {})
    coach.follow(table)
    coach.show(table, "112")
    assert coach.sites() == ("1,0",)
    record = coach.record()
    assert record is not None
    assert (record["kind"], record["texts"]["en"]) == ("told", "Card 112: it fits in one place.")
    coach.show(table, None)
    assert coach.record() is None


def test_who_agreed_to_no_help_gets_none(coach: Coach) -> None:
    table = Table.begin(Match.begin(RULES, 2, POSITION.setup()), {})
    coach.follow(table)
    coach.agreed = coach.agreed.change({"seat": 0, "level": "off", "hints": 0})
    coach.show(table, "112")
    assert coach.record() is None


def test_what_a_card_earned_is_told_to_whom(coach: Coach) -> None:
    table = Table.begin(Match.begin(RULES, 2, POSITION.setup()), {})
    coach.follow(table)
    coach.follow(Table.begin(table.match.play(RULES.parse("211@1,0")), {}))
    record = coach.record()
    assert record is not None
    assert record["texts"]["en"] == f"{COLOURS[0].capitalize()}: Chips earned: 1."
