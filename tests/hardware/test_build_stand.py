"""The tubes of the list are long enough for every view that a board promises, and the stand is never in the picture."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.board import Board
from engine.registry import all_games, find_game
from firmware.commands.cli import main
from hardware.build.plan import good_distances
from hardware.build.sizes import modules, sizes
from hardware.build.stand import BESIDE, lead, limits, mounting, ribbon, tubes
from hardware.virtual.camera import Camera, Pose

BOARDS = {game.name: game for game in all_games()}


def board_of(name: str) -> Board:
    rules = find_game(name).configure()
    seats = max(rules.game.seats)
    return rules.game.board(seats, rules.deal(seats, Random(0)))


@pytest.mark.parametrize("game", BOARDS)
def test_every_promised_view_can_be_built(game: str) -> None:
    board = board_of(game)
    for module in modules().values():
        for tilt in np.linspace(*board.camera.tilt, 9):
            for distance in np.linspace(*board.camera.distance, 7):
                stand = mounting(module, float(distance), float(tilt), board.base.size[1])
                assert stand.is_built, (module.name, distance, tilt)
                assert stand.edge >= board.base.size[1] / 2 + BESIDE


def test_a_lens_too_wide_has_no_view() -> None:
    assert good_distances(board_of("memento-tuos"), Pose(hfov=modules()["3-wide"].hfov)) is None


def test_straight_down_from_800_mm_is_the_highest() -> None:
    high, long = limits()
    stand = mounting(modules()["3"], 800.0, 0.0, 364.0)
    assert 800 < stand.arm <= high
    assert stand.reach <= long
    assert not mounting(modules()["3"], 900.0, 0.0, 364.0).is_built, "and more would not be built"


@pytest.mark.parametrize("tilt", [0.0, 25.0, 40.0])
@pytest.mark.parametrize("name", ["2", "3"])
def test_the_stand_is_not_in_the_picture(name: str, tilt: float) -> None:
    """The upright stands behind the camera, or outside its view; the tubes over it are above the lens."""
    board, module = board_of("memento-tuos"), modules()[name]
    span = good_distances(board, Pose(tilt=tilt, hfov=module.hfov))
    assert span is not None
    for distance in span:
        pose = Pose(distance=distance, tilt=tilt, hfov=module.hfov)
        stand = mounting(module, distance, tilt, board.base.size[1])
        camera = Camera.at(pose)
        # The picture's lower side is where the camera leans to: there the stand is.
        behind = stand.edge + sizes()["table"]["tube_at"] - sizes()["tube"]["outer"] / 2
        spots = camera.near([(0.0, behind, z) for z in np.linspace(-2, min(stand.arm, 0.8 * distance), 8)])
        seen = (spots[:, 1] >= 0) & (spots[:, 1] < pose.size[1]) & (np.abs(spots[:, 0] - 640) < 640)
        assert not seen.any()


def test_tubes_are_sawn_from_what_is_sold() -> None:
    for one in tubes():
        assert sum(one) + 4 * (len(one) - 1) <= sizes()["tube"]["stock"]
    assert sorted(long for one in tubes() for long in one) == [80.0, 500.0, 1000.0]


def test_cable_and_wires_of_a_metre_are_long_enough() -> None:
    for name in ("memento-tuos", "rings"):
        board, module = board_of(name), modules()["3"]
        for tilt in (0.0, 25.0, 40.0):
            span = good_distances(board, Pose(tilt=tilt, hfov=module.hfov))
            assert span is not None
            stand = mounting(module, span[0] + 20, tilt, board.base.size[1])
            assert ribbon(stand) <= 1000
            assert 200 < lead(stand, board.base.size[1]) <= 1000, "jumper wires of 20 cm would not reach the bar"


def test_the_command_tells_how_to_build_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera-plan", "--module", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["module"] == "2"
    assert told["refereed"] is True
    assert told["stand"]["long_enough"] is True
    assert told["camera"]["hfov"] == pytest.approx(62.2)
    assert main(["doctor", "--camera-plan", "--module", "3-wide"]) == 1
    assert "outside what is promised" in capsys.readouterr().out
    assert main(["doctor", "--camera-plan", "--module", "4"]) == 2
    assert "unknown camera '4'; there are: 3, 3-wide, 2" in capsys.readouterr().err


def test_the_plan_says_what_is_refereed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["doctor", "--camera-plan", "--game", "rings"]) == 0
    assert "rings can be refereed by camera" in capsys.readouterr().out
    monkeypatch.setattr("firmware.doctor.plan.can_follow", lambda game: False)
    main(["doctor", "--camera-plan", "--game", "rings"])
    assert "rings cannot be refereed by camera yet; these can: " in capsys.readouterr().out


def test_the_sizes_are_part_of_what_is_installed() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    assert "build/*.toml" in project["tool"]["setuptools"]["package-data"]["hardware"]
