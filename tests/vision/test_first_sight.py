"""A board is sought in a picture half as wide first; in the whole one only if that is not enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest
from pictured import showing

from engine.board import DICTIONARY, Board
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.scene import Arm, Scene
from vision.find import board_finder
from vision.find.fiducials import FoundFiducials, find_fiducials, spot_fiducials
from vision.frame import Frame
from vision.look import BoardNotFoundError, Eye

Photograph = Callable[[Scene], Frame]
PLACES = np.array([(x, y, z) for x in (-150.0, 0.0, 150.0) for y in (-130.0, 130.0) for z in (0.0, 60.0)])


def table(board: Board, arms: tuple[Arm, ...] = ()) -> Scene:
    seen_from = Pose(distance=700, tilt=20, direction=100, hfov=64)
    return replace(showing(board, {"T1": "red1"}, seed=3), pose=seen_from, arms=arms)


def grey(frame: Frame) -> np.ndarray:
    return np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def misses(eye: Eye, frame: Frame, scene: Scene) -> float:
    """Pixels by which places of the board, and above it, are seen elsewhere than they are."""
    seen = eye.look(frame).pose.project(PLACES)
    return float(np.linalg.norm(seen - Camera.at(scene.pose).project(PLACES), axis=1).max())


def test_markers_are_spotted_where_they_are(board: Board, photograph: Photograph) -> None:
    picture = grey(photograph(table(board)))
    spotted, found = spot_fiducials(picture, DICTIONARY).corners, find_fiducials(picture, DICTIONARY).corners
    assert spotted.keys() >= {mark.id for mark in board.fiducials}
    assert max(float(np.abs(spotted[fiducial] - found[fiducial]).max()) for fiducial in found) < 0.5


def test_first_sight_is_enough_for_a_board_in_the_picture(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("sought in the whole picture")

    monkeypatch.setattr(board_finder, "find_fiducials", never)
    assert misses(eye, photograph(table(board)), table(board)) < 1.0


def test_fiducials_that_first_sight_missed_are_looked_for_where_they_must_be(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = sorted(mark.id for mark in board.fiducials)
    few = every[: len(every) // 2 + 1]

    def some(picture: np.ndarray, dictionary: str, ids: frozenset[int], *_: object) -> FoundFiducials:
        found = spot_fiducials(picture, dictionary, ids)
        return FoundFiducials({fiducial: four for fiducial, four in found.corners.items() if fiducial in few})

    monkeypatch.setattr(board_finder, "spot_fiducials", some)
    assert sorted(eye.look(photograph(table(board))).pose.fiducials) == every


def test_a_board_of_which_first_sight_shows_too_little_is_sought_in_the_whole_picture(
    board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = sorted(mark.id for mark in board.fiducials)

    def astray(picture: np.ndarray, dictionary: str, ids: frozenset[int], *_: object) -> FoundFiducials:
        found = spot_fiducials(picture, dictionary, ids).corners
        return FoundFiducials({fiducial: found[fiducial] + 30.0 for fiducial in every[: len(every) // 3]})

    monkeypatch.setattr(board_finder, "spot_fiducials", astray)
    assert misses(eye, photograph(table(board)), table(board)) < 1.0


def test_a_hand_over_half_of_the_markers_costs_no_accuracy(board: Board, eye: Eye, photograph: Photograph) -> None:
    scene = table(board, arms=(Arm(grip=(-40.0, 60.0, 40.0), comes_from=250.0, sleeve="#35507a"),))
    assert misses(eye, photograph(scene), scene) < 2.0


def test_a_smaller_board_beside_it_is_a_second_one(board: Board, eye: Eye, photograph: Photograph) -> None:
    scene = table(board)
    picture = photograph(scene).bgr.copy()
    corners = np.array([(x, y, 0.0) for x in (-200.0, 200.0) for y in (-182.0, 182.0)])
    (left, top), (right, bottom) = (
        edge(Camera.at(scene.pose).project(corners), axis=0).astype(int).tolist() for edge in (np.min, np.max)
    )
    small = cv2.resize(picture[top:bottom, left:right], None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    picture[: small.shape[0], : small.shape[1]] = small
    with pytest.raises(BoardNotFoundError):
        eye.look(Frame(picture))
