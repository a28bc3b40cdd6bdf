"""Dimenticato at the table: the set-up is read from it, and what figures cover stays a secret while a match goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from page_table import PaperEye
from quick_thinker import QuickThinker
from tabletop import SURE

from engine.board import Board, Print
from engine.core import COLOURS, GameError, IllegalActionError, Json
from engine.face import spelled
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.lessons import lessons_of
from engine.match import Match
from engine.referee.table import Table
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.table.beginning.plans import MatchPlan, read_plan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.deeds import ask_for_hint, correct
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of, trace_of
from vision.frame import Frame

GAME = find_game("dimenticato")
RULES = GAME.configure()
PICTURE = np.full((180, 320, 3), 120, np.uint8)
EVERY = [Print(pips, colour) for pips in range(1, 7) for colour in COLOURS]


class CardTable:
    """A sitting in front of a paper eye and cards."""

    def __init__(self, setup: Json, known: bool = False) -> None:
        self.seconds, self.setup = 0.0, setup
        self.eye: PaperEye
        gear = Gear(NoLights(), random=Random(4), thinker=QuickThinker())
        gear.make_eye = self._make_eye
        self.sitting = Sitting(gear, "paper")
        self.sitting.play(MatchPlan(RULES, Seating.parse("2")), setup=setup if known else None)
        self.eye.seen = spelled(RULES.start(2, setup).faces())
        self.eye.dice = {
            name: {die: 0.0 if die == Print(told["pips"], told["colour"]) else SURE for die in EVERY}
            for name, told in setup["fields"].items()
        }

    def _make_eye(self, board: Board, _: object) -> Any:  # noqa: ANN401 - stands in for an eye
        self.eye = PaperEye(board)
        return self.eye

    def look(self, frames: int = 8) -> list[dict[str, Any]]:
        news: list[dict[str, Any]] = []
        for _ in range(frames):
            news += [said.record() for said in self.sitting.attend(Frame(PICTURE, self.seconds))]
            self.seconds += 0.1
        return news


@pytest.fixture
def setup() -> Json:
    return RULES.deal(2, Random(8))


def in_progress(seed: int = 3) -> DimenticatoPosition:
    """A match of two in which several figures stand on dice, and red may call."""
    random = Random(seed)
    position = RULES.start(2, RULES.deal(2, random))
    while position.seat != 0 or position.opening() or len(position.legal()) < 3:  # type: ignore[attr-defined] # of this game
        position = position.after(random.choice(list(position.legal())))
    assert isinstance(position, DimenticatoPosition)
    return position


def test_the_set_up_is_read_from_the_table(setup: Json) -> None:
    table = CardTable(setup)
    assert state_of(table.sitting)["view"] == {}, "what was dealt beforehand is not what lies there"
    assert trace_of(table.sitting) is None
    assert table.look() == [{"t": 0.2, "event": "setup", "setup": setup}]
    trace = trace_of(table.sitting)
    assert trace is not None
    assert trace["setup"] == setup


def test_a_die_in_doubt_is_told_on_the_page(setup: Json) -> None:
    table = CardTable(setup)
    true = Print(**setup["fields"]["a1"])
    other = next(die for die in EVERY if die != true)
    table.eye.dice = {**table.eye.dice, "a1": {true: 0.0, other: 0.0}}
    assert table.look() == []
    survey = state_of(table.sitting)["survey"]
    assert [flaw["rule"] for flaw in survey["flaws"]] == ["setup.unsure"]
    grant(table.sitting, "setup", {"told": {"a1": survey["doubts"]["a1"][0]}})
    (begun,) = table.look()
    assert begun["setup"]["fields"]["a1"] == survey["doubts"]["a1"][0]
    with pytest.raises(SpokenError, match="already begun"):
        grant(table.sitting, "setup", {"told": {}})


def test_the_page_hears_that_it_was_set_up_but_not_how(setup: Json) -> None:
    table = CardTable(setup)
    table.look()
    (told,) = state_of(table.sitting)["recent"]
    assert told["event"] == "setup"
    assert "setup" not in {name for name in told if name != "event"}


def test_nothing_that_the_page_is_told_depends_on_a_covered_die() -> None:
    position = in_progress()
    states = []
    for seed in range(6):
        then = position.redeal(None, Random(seed))
        table = CardTable(position.setup(), known=True)
        playing = table.sitting.playing
        assert playing is not None
        playing.table = Table.begin(Match(RULES, (then,)), {})
        states.append(json.dumps(state_of(table.sitting), sort_keys=True))
    assert len(set(states)) == 1
    dice = {json.dumps(position.redeal(None, Random(seed)).setup()) for seed in range(6)}
    assert len(dice) > 1, "dealing anew must change something, or this proves nothing"


def test_a_number_that_was_revealed_is_to_be_remembered() -> None:
    position = in_progress()
    call = next(action for action in position.legal() if str(action).endswith("?"))
    table = CardTable(position.setup(), known=True)
    playing = table.sitting.playing
    assert playing is not None
    playing.table = Table.begin(Match(RULES, (position,)).play(call), {})
    assert "known" in playing.match.position.view(None)
    assert "known" not in state_of(table.sitting)["view"]


def test_there_are_no_hints() -> None:
    table = CardTable(in_progress().setup(), known=True)
    table.eye.seen = spelled(in_progress().faces())
    table.look()
    grant(table.sitting, "assist", {"seat": 0, "level": "hints", "hints": 3})
    with pytest.raises(SpokenError, match="no hints"):
        ask_for_hint(table.sitting)


def test_a_number_told_is_kept_and_a_wrong_one_ends_the_turn() -> None:
    position = in_progress()
    move = next(action for action in position.legal() if ":" in str(action) and not str(action).endswith("?"))
    site, number = str(move)[: str(move).index(":")], int(str(move)[str(move).index(":") + 1])
    table = CardTable(position.setup(), known=True)
    table.eye.seen = spelled(position.faces())
    table.look()
    right = correct(table.sitting, "call", {"site": site, "number": number})
    assert [said.record()["event"] for said in right] == ["call"]
    wrong = correct(table.sitting, "call", {"site": site, "number": number % 6 + 1})
    assert [said.record()["event"] for said in wrong] == ["call", "action"]
    assert wrong[1].record()["action"] == f"{site}:?"
    with pytest.raises(IllegalActionError):
        correct(table.sitting, "call", {"site": site, "number": 1})


def test_a_position_set_by_hand_keeps_the_dice() -> None:
    position = in_progress()
    table = CardTable(position.setup(), known=True)
    table.eye.seen = spelled(position.faces())
    table.look()
    faces = spelled(position.faces())
    site = next(name for name, face in faces.items() if face == "red" and "@" not in name)
    free = next(name for name in position.plan.names[: position.plan.size] if name not in faces)
    moved = {name: face for name, face in faces.items() if name != site} | {free: "red"}
    grant(table.sitting, "position", {"sites": moved, "seat": 1})
    assert table.sitting.playing is not None
    now = table.sitting.playing.match.position
    assert isinstance(now, DimenticatoPosition)
    assert (now.dice, now.seat, spelled(now.faces())) == (position.dice, 1, moved)


def test_the_colours_are_those_of_the_mat() -> None:
    with pytest.raises(SpokenError, match="red, yellow"):
        Sitting(Gear(NoLights()), "paper").play(MatchPlan(RULES, Seating.parse("green,red")))
    plan = read_plan(
        {"game": "dimenticato", "players": [{"colour": "red"}, {"colour": "yellow", "name": "Ada"}], "first": 1},
        Random(1),
    )
    assert [(player.colour, player.name) for player in plan.seating.players] == [("red", "Ada"), ("yellow", "yellow")]


def wished(name: str) -> Json:
    lesson = next(each for each in lessons_of(GAME) if each.name == name)
    return {"game": "dimenticato", "name": name, "players": lesson.players, "setup": lesson.setup}


def test_a_lesson_in_which_figures_cover_dice_is_for_the_page() -> None:
    with pytest.raises(GameError, match="on the page"):
        grant(Sitting(Gear(NoLights()), "paper"), "lesson", wished("call"))


def test_a_lesson_that_begins_at_home_is_done_with_whatever_cards_lie_there(setup: Json) -> None:
    table = CardTable(setup)
    grant(table.sitting, "lesson", wished("leave"))
    table.eye.seen = HOME
    table.eye.dice = {
        name: {die: 0.0 if die == Print(told["pips"], told["colour"]) else SURE for die in EVERY}
        for name, told in setup["fields"].items()
    }
    table.look(3)
    table.sitting.phase = "playing"
    assert [each["event"] for each in table.look()] == ["setup"]
    playing = table.sitting.playing
    assert playing is not None
    assert playing.lesson == "dimenticato/leave"
    table.eye.seen = {site: face for site, face in HOME.items() if site != "red@1"} | {"e1": "red"}
    assert [each.get("action") for each in table.look()] == ["@1-e1"]


HOME = {f"{colour}@{number}": colour for colour in ("red", "yellow") for number in range(1, 5)}


def test_what_is_said_of_a_number_that_may_be_said() -> None:
    """The page offers the figures of whoever may call, once all of his have been out."""
    position = in_progress()
    table = CardTable(position.setup(), known=True)
    playing = table.sitting.playing
    assert playing is not None
    playing.table = Table.begin(Match(RULES, (position,)), {})
    assert position.names(position.figures[0] & position.plan.track) == state_of(table.sitting)["callable"]
    fresh = CardTable(RULES.deal(2, Random(8)), known=True)
    assert state_of(fresh.sitting)["callable"] == []


def test_another_reading_of_the_same_cards_waits_for_three_alike(setup: Json) -> None:
    """A die that flickers is not taken at a glance."""
    table = CardTable(setup)
    other = replace(Print(**setup["fields"]["a1"]), pips=setup["fields"]["a1"]["pips"] % 6 + 1)
    assert table.look(2) == []
    table.eye.dice = {**table.eye.dice, "a1": {die: 0.0 if die == other else 3 * SURE for die in EVERY}}
    assert table.look(1) == []
