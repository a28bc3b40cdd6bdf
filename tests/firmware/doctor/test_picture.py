"""Test pictures judged: a good one of the virtual table, and the same spoiled in one way after the other."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from engine.board import Board
from engine.registry import find_game
from firmware.doctor.facts import PictureFacts
from firmware.doctor.findings import Verdict
from firmware.doctor.picture import (
    check_board,
    check_colours,
    check_light,
    check_place,
    check_sharpness,
    judge,
    picture_findings,
)
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene
from vision.frame import Frame, Image

BOARDS = [find_game(name).board(2, {}) for name in ("memento-tuos", "rings")]


@cache
def picture(board: int, **pose: float) -> Image:
    scene = Scene(BOARDS[board], pose=replace(Pose(), **pose))
    return np.asarray(Renderer(BOARDS[board]).render(scene).bgr, dtype=np.uint8)


def seen(image: Image, boards: list[Board] = BOARDS) -> PictureFacts:
    return judge(Frame(image), boards, None)


def verdicts(found: PictureFacts) -> dict[str, str]:
    return {finding.check: finding.verdict.value for finding in picture_findings(found)}


ALL_WELL = dict.fromkeys(("board", "place", "sharpness", "light", "colours"), "pass")


@pytest.mark.parametrize("board", [0, 1])
@pytest.mark.parametrize(("distance", "tilt", "hfov"), [(620, 20, 66), (790, 39, 77), (560, 0, 66)])
def test_within_the_promised_range_all_is_well(board: int, distance: float, tilt: float, hfov: float) -> None:
    found = seen(picture(board, distance=distance, tilt=tilt, hfov=hfov))
    assert verdicts(found) == ALL_WELL
    assert found.game == BOARDS[board].game
    assert found.pose is not None
    assert found.pose[0] == pytest.approx(distance, rel=0.02)
    assert found.pose[1] == pytest.approx(tilt, abs=1.5)


def test_an_edge_is_as_wide_as_it_was_blurred() -> None:
    """A Gaussian of sigma s spreads an edge so that it rises from a fifth to four fifths within 1.68 s."""
    sharp = picture(1, distance=620, tilt=20)
    own = seen(sharp).blur
    for sigma in (1.0, 1.5, 2.0):
        expected = 1.683 * np.hypot(sigma, own / 1.683)
        assert seen(cv2.GaussianBlur(sharp, (0, 0), sigma)).blur == pytest.approx(expected, rel=0.15)


def test_a_picture_out_of_focus() -> None:
    found = seen(cv2.GaussianBlur(picture(1, distance=620, tilt=20), (0, 0), 3.0))
    assert check_sharpness(found).verdict is not Verdict.PASS
    assert "Focus" in check_sharpness(found).todo


def test_a_dark_room() -> None:
    dark = (picture(0, distance=620, tilt=20) * 0.22).astype(np.uint8)
    assert check_light(seen(dark)).verdict is not Verdict.PASS
    assert "lamp" in check_light(seen(dark)).todo


def test_an_overexposed_picture() -> None:
    bright = np.clip(picture(0, distance=620, tilt=20).astype(float) * 1.8, 0, 255).astype(np.uint8)
    assert check_light(seen(bright)).verdict is Verdict.WARN


def test_light_of_one_colour_alone_hides_the_colours() -> None:
    image = picture(0, distance=620, tilt=20)
    sodium = cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    found = seen(sodium)
    assert check_colours(found).verdict is Verdict.WARN
    assert ("red", "grey") in found.confused


def test_a_board_that_is_cut_off() -> None:
    image = picture(0, distance=620, tilt=20)
    found = seen(np.ascontiguousarray(image[:, 420:]))
    assert check_board(found).verdict is Verdict.FAIL


def test_too_far_away_and_too_steep() -> None:
    found = seen(picture(0, distance=1000, tilt=52))
    finding = check_place(found)
    assert finding.verdict is Verdict.WARN
    assert "lower" in finding.todo
    assert "steeply" in finding.todo
    assert "higher" in check_place(replace(found, pose=(300.0, 10.0))).todo


def test_a_table_without_a_board() -> None:
    found = seen(np.full((720, 1280, 3), 120, np.uint8))
    assert verdicts(found) == {"board": "warn"}


def test_so_few_pixels_that_cells_are_lost() -> None:
    found = seen(picture(0, distance=620, tilt=20))
    assert check_sharpness(replace(found, cell=2.0)).verdict is Verdict.FAIL
    assert check_sharpness(replace(found, cell=2.5, blur=0.5)).verdict is Verdict.WARN


def test_markers_hidden_by_things_on_the_table() -> None:
    image = picture(0, distance=620, tilt=20).copy()
    image[:250] = 60
    assert check_board(seen(image)).verdict is not Verdict.PASS
