"""Every named mistake made at the virtual table: pictures of it, the eye, the referee, and the rule's name."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

import pytest
from blunders import MEMENTO, RINGS, Case

from engine.board import Board
from engine.registry import find_game
from engine.slips import changed
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.settings.eyes import make_eye
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from hardware.virtual.acting.script import Layout
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Lying, Scene
from vision.frame import Frame, Image
from vision.look import Eye

POSE = Pose(distance=680, tilt=30, direction=200, hfov=68)
CASES = [
    pytest.param(game, case, id=f"{game}: {name}")
    for game, cases in (("memento-tuos", MEMENTO), ("rings", RINGS))
    for name, case in cases.items()
]


@cache
def table_of(game: str) -> tuple[Board, Renderer, Eye]:
    board = find_game(game).board(2, {})
    return board, Renderer(board), make_eye(board)


@lru_cache(maxsize=2)
def picture_of(game: str, faces: tuple[tuple[str, str], ...], turns: tuple[tuple[str, int], ...]) -> Image:
    board, renderer, _ = table_of(game)
    stacks = Layout.showing(board, board.faces.read(dict(faces)), sloppy=0.6).stacks({})
    sheets = {name: Lying(float(turn)) for name, turn in turns}
    return renderer.render(replace(Scene(board, stacks, sheets=sheets), pose=POSE)).bgr


def show(
    sitting: Sitting, game: str, faces: dict[str, str], turns: dict[str, int], start: float, seconds: float
) -> list:
    """The same picture for so long, seen three times a second."""
    bgr = picture_of(game, tuple(faces.items()), tuple(turns.items()))
    news = []
    for number in range(round(3 * seconds)):
        news += [said.record() for said in sitting.attend(Frame(bgr, start + number / 3))]
    return [event for event in news if event["event"] != "unfinished"]


@pytest.mark.parametrize(("game", "case"), CASES)
def test_a_mistake_is_seen_and_called_by_its_name(game: str, case: Case) -> None:
    sites, more, changes, turns, rule = case
    rules = find_game(game).configure()
    sitting = Sitting(Gear(NoLights(), make_eye=lambda board, lens: table_of(game)[2]), "paper")
    sitting.play(MatchPlan(rules, Seating.parse("2")), setup={"sites": sites, **more})
    assert show(sitting, game, sites, {}, 0.0, 1.0) == []
    news = show(sitting, game, changed(sites, changes), turns, 1.0, 2.4)
    assert [(event["event"], event.get("rule")) for event in news] == [("illegal", rule)]
    assert [event["event"] for event in show(sitting, game, sites, {}, 4.0, 1.4)] == ["restored"]
