"""The guided set-up at the virtual table: what is missing is told, and all is well when it is."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from pictured import showing

from engine.registry import find_game
from firmware.settings.eyes import make_eye
from firmware.table.beginning.checks import check_table
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from vision.frame import Frame
from vision.look import Eye


@cache
def eye(game: str = "memento-tuos") -> Eye:
    return make_eye(find_game(game).board(2, {}))


@cache
def renderer(game: str) -> Renderer:
    return Renderer(find_game(game).board(2, {}))


def seen(game: str = "memento-tuos", faces: dict[str, str] | None = None, pose: Pose | None = None) -> Frame:
    board = find_game(game).board(2, {})
    scene = replace(showing(board, faces or {}), pose=pose or Pose(distance=650))
    return Frame(renderer(game).render(scene).bgr)


def problems(frame: Frame) -> dict[str, str]:
    checks, _ = check_table(eye(), frame, {})
    return {check.name: check.problem for check in checks if check.problem}


def test_a_table_that_is_ready_has_no_problem() -> None:
    checks, look = check_table(eye(), seen(), {})
    seen_well = ["sharpness", "glare", "colours"]
    assert [check.name for check in checks] == ["light", "board", "fiducials", "distance", "tilt", *seen_well, "pieces"]
    assert all(check.record()["ok"] for check in checks)
    assert look is not None
    assert checks[3].facts["millimetres"] == pytest.approx(650, abs=20)


def test_pieces_that_stand_already_are_named() -> None:
    checks, _ = check_table(eye(), seen(faces={"T1": "red1", "L4": "yellow2"}), {})
    assert sorted(checks[-1].facts["sites"]) == ["L4", "T1"]
    names = {"T1": "red1", "L4": "yellow2"}
    fits, _ = check_table(eye(), seen(faces=names), eye().board.faces.read(names))
    assert not fits[-1].problem


@pytest.mark.parametrize(
    ("pose", "wanted"),
    [
        (Pose(distance=1150), {"distance": "far"}),
        (Pose(distance=700, tilt=52), {"tilt": "tilted"}),
    ],
)
def test_a_camera_that_stands_badly_is_told(pose: Pose, wanted: dict[str, str]) -> None:
    found = problems(seen(pose=pose))
    assert {name: found.get(name) for name in wanted} == wanted


def test_a_dark_room_is_told() -> None:
    frame = seen()
    assert problems(Frame((frame.bgr * 0.12).astype(np.uint8)))["light"] == "dark"


def test_a_board_that_is_not_there_is_told_from_another_ones() -> None:
    assert problems(Frame(np.full((720, 1280, 3), 140, np.uint8))) == {"board": "missing"}
    checks, look = check_table(eye(), seen("rings"), {})
    assert look is None
    assert (checks[1].problem, checks[1].facts["game"]) == ("other", "rings")


def test_a_mat_for_more_players_is_no_other_games() -> None:
    game = find_game("dimenticato")
    lying = game.bare_board(3)
    frame = Frame(Renderer(lying).render(replace(showing(lying, {}), pose=Pose(distance=640))).bgr)
    checks, look = check_table(make_eye(game.bare_board(2)), frame, {})
    assert look is None
    assert checks[1].problem == "seats"


def test_covered_marks_are_counted() -> None:
    frame = seen()
    hidden = frame.bgr.copy()
    hidden[:, : hidden.shape[1] // 2 - 40] = 90
    told = problems(Frame(hidden))
    assert "covered" in told.values()
