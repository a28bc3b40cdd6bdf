"""How much help a player has is agreed, kept and used up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from page_table import PaperEye
from tabletop import read

from engine.core import GameError
from engine.match import Match
from engine.registry import find_game
from firmware.coaching.help import Agreement, Help, lifted, targets
from firmware.devices.chain import TARGET
from firmware.devices.lights import NoLights
from firmware.devices.signals import Rgb
from firmware.log.match.seating import Seating
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.wishes import grant
from vision.frame import Frame


def test_everybody_is_shown_where_a_figure_may_go_unless_agreed_otherwise() -> None:
    usual = Agreement.usual(3)
    assert usual.records() == [{"level": "targets", "hints": 3}] * 3
    agreed = usual.change({"seat": 1, "level": "off", "hints": 0})
    assert agreed.records()[1] == {"level": "off", "hints": 0}
    assert usual.records()[1]["level"] == "targets", "an agreement is a value"


def test_hints_are_used_up() -> None:
    helped = Agreement((Help("hints", 2), Help("targets", 5)))
    helped = helped.after_hint(0).after_hint(0)
    assert helped.seats[0].hints == 0
    with pytest.raises(GameError, match="no hints left"):
        helped.after_hint(0)
    with pytest.raises(GameError, match="without hints"):
        helped.after_hint(1)


@pytest.mark.parametrize(
    "payload",
    [
        {"seat": 2, "level": "off", "hints": 0},
        {"seat": True, "level": "off", "hints": 0},
        {"seat": 0, "level": "much", "hints": 0},
        {"seat": 0, "level": "hints", "hints": 100},
        {"seat": 0, "level": "hints", "hints": -1},
        {},
    ],
)
def test_nonsense_is_refused(payload: dict[str, Any]) -> None:
    with pytest.raises(GameError):
        Agreement.usual(2).change(payload)


def test_a_level_says_whether_targets_are_shown() -> None:
    helped = Agreement((Help("off"), Help("legality"), Help("targets"), Help("hints")))
    assert [helped.shows(seat) for seat in (0, 1, 2, 3, None)] == [False, False, True, True, False]


def test_a_figure_in_the_hand_is_one_that_is_gone_while_nothing_else_changed() -> None:
    board = find_game("memento-tuos").board(2, {})
    names = {"T1": "red2", "L3": "yellow1"}
    faces = board.faces.read(names)
    assert lifted(faces, read(board, names, {})) is None
    assert lifted(faces, read(board, {"L3": "yellow1"}, {})) == "T1"
    assert lifted(faces, read(board, {"L3": "yellow1", "T5": "red2"}, {})) is None
    assert lifted(faces, read(board, {}, {})) is None


def test_where_a_lifted_figure_may_go() -> None:
    position = find_game("memento-tuos").configure().start(2, {"sites": {"T1": "red1", "L3": "yellow1"}})
    assert {"T5", "T6", "T7", "L3", "R2", "I1"} <= set(targets(position, "T1"))
    assert targets(position, "L3") == (), "a foreign figure goes nowhere"


class PaperChain:
    """A chain of lights on paper."""

    def __init__(self) -> None:
        self.value: Mapping[str, Rgb] = {}

    def show(self, colours: Mapping[str, Rgb]) -> None:
        self.value = dict(colours)


@pytest.mark.parametrize("helped", [True, False])
def test_the_lights_show_where_a_lifted_figure_may_go(helped: bool) -> None:
    rules = find_game("memento-tuos").configure()
    eye, chain = PaperEye(rules.game.board(2, {})), PaperChain()
    match = Match.begin(rules, 2, {"sites": {"T1": "red1", "L3": "yellow1"}})
    gear = Gear(NoLights(), make_eye=lambda board, lens: eye, open_chain=lambda board: chain)  # type: ignore[arg-type,return-value]
    sitting = Sitting(gear, "paper")
    sitting.play(MatchPlan(rules, Seating.parse("2")), setup={"sites": {"T1": "red1", "L3": "yellow1"}})
    grant(sitting, "assist", {"seat": 0, "level": "targets" if helped else "legality"})
    picture = np.zeros((360, 640, 3), np.uint8)
    for number in range(12):
        eye.seen = {"T1": "red1", "L3": "yellow1"} if number < 6 else {"L3": "yellow1"}
        sitting.attend(Frame(picture, number / 10))
    lit = {site for site, colour in chain.value.items() if colour == TARGET}
    assert lit == (set(targets(match.position, "T1")) if helped else set())
