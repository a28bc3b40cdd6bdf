"""What shadows say of heights: the lamp is one, stacks are many, and each has its say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from pictured import showing

from engine.board import Board
from firmware.bench.vision import draw_scene
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Light, Scene
from vision.flatten.flat_view import FlatView
from vision.frame import Frame
from vision.look import Eye
from vision.readers.stacks.cast_shadows import explained, with_shadows
from vision.readers.stacks.settings import RULER, SHADOWS

Photograph = Callable[[Scene], Frame]


@pytest.mark.parametrize(
    ("seed", "site", "stack"),
    [
        (94178, "R6", "green2"),
        (94426, "R1", "green3"),
        (95032, "I6", "red3"),
        (94374, "T7", "yellow1"),
        (94304, "L3", "red2"),
        (101102, "L6", "green3"),
    ],
    ids=["sure already", "a long one", "across a black disc", "among others", "slanting", "under fingers"],
)
def test_a_shadow_in_sight_says_nothing_against_the_true_height(
    seed: int, site: str, stack: str, board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[np.ndarray] = []

    def spy(values: np.ndarray, feet: np.ndarray, body: object, view: FlatView, *rest: object) -> np.ndarray:
        told = with_shadows(values, feet, body, view, *rest)  # type: ignore[arg-type]
        at = view.sites[list(board.sites).index(site)]
        said.append((told - values)[np.linalg.norm(feet - at, axis=1).argmin()])
        return told

    monkeypatch.setattr("vision.readers.stacks.heights.with_shadows", spy)
    # They are asked though all is clear.
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    scene, faces, _ = draw_scene(board, seed)
    assert faces[site].name == stack, "another scene than this seed used to draw: choose one that shows as much"
    eye.look(photograph(scene))
    true = faces[site].level - 1
    assert said[-1][true] > np.delete(said[-1][:3], true).max() - 1.0


@pytest.mark.parametrize("bearing", [7.5, 52.5, 97.5])
def test_long_shadows_are_followed_in_any_direction(
    bearing: float, board: Board, eye: Eye, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other stacks, whose heights are known, tell the lamp."""
    said: list[float] = []
    faces = {"I7": "red3", "T7": "blue1", "L7": "blue2", "R7": "blue3"}

    def spy(values: np.ndarray, feet: np.ndarray, body: object, view: FlatView, *rest: object) -> np.ndarray:
        away = np.linalg.norm(feet[:, None] - view.sites, axis=-1)
        heights = [int(faces[list(board.sites)[number]][-1]) - 1 for number in away.argmin(axis=1)]
        asked = np.where(np.arange(values.shape[1]) == np.array(heights)[:, None], 0.0, -9.0)
        asked[(number := int(away[:, list(board.sites).index("I7")].argmin()))] = 0.0
        told = with_shadows(asked, feet, body, view, *rest)[number]  # type: ignore[arg-type]
        said.append(told[2] - np.delete(told, 2).max())
        return values

    monkeypatch.setattr("vision.readers.stacks.heights.with_shadows", spy)
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    monkeypatch.setattr("vision.readers.stacks.cast_shadows.SHADOWS", replace(SHADOWS, loudest=50.0))
    turn, (x, y) = np.deg2rad(bearing), board.sites["I7"].at
    light = Light(lamp=(x - 440 * np.cos(turn), y - 440 * np.sin(turn), 440.0), radius=10.0, ambient=0.3)
    pose = Pose(distance=700, tilt=0.0, hfov=68)
    eye.look(photograph(replace(showing(board, faces), pose=pose, light=light)))
    assert said[-1] > 3.0


def test_one_stack_does_not_choose_the_lamp() -> None:
    """What is dark about it may be a hand's shadow; then it says nothing of its height either."""
    said = np.zeros((2, 1, 3, 1), np.float32)
    said[0, 0, 1] = 100.0
    each, mended = explained(np.array([[0.0, -1.0, -2.0]]), said)
    assert mended[0, 0, 0] - mended[1, 0, 0] == pytest.approx(SHADOWS.captured, abs=0.01)
    assert each[1, 0, :, 0] - each[1, 0, 0, 0] == pytest.approx(np.array([0.0, -1.0, -2.0]), abs=0.01)
