"""A hand on the board is seen for what it is, and lamps and shadows are not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from engine.board import Board
from firmware.bench.vision import draw_scene
from hardware.virtual.painting.render import Rendered
from hardware.virtual.scene import Light, Scene
from vision.frame import Frame
from vision.look import Eye
from vision.readers.stacks import heights
from vision.readers.stacks.foreign_objects import find_foreign_objects
from vision.readers.stacks.joint_likelihood import with_slip
from vision.readers.stacks.reader import StackReader
from vision.readers.stacks.settings import RULER

Render = Callable[[Scene], Rendered]


def things(scene: Scene, eye: Eye, render: Render, monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, ...]:
    """Where things are seen, and where they are: in the flat picture, where the board is and no stack."""
    asked: list[tuple[np.ndarray, ...]] = []

    def spy(view: object, fronts: np.ndarray) -> np.ndarray:
        asked.append((find_foreign_objects(view, fronts), fronts.copy()))  # type: ignore[arg-type]
        return asked[-1][0]

    monkeypatch.setattr(heights, "find_foreign_objects", spy)
    # They are asked though all is clear.
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))
    picture = render(scene)
    look = eye.look(Frame(picture.bgr))
    found, fronts = asked[-1]
    covered = np.repeat((255 * picture.covered).astype(np.uint8)[..., None], 3, axis=2)
    there = eye.flattener.rectifier.flatten(covered, look.pose, eye.flattener.rectifier.laid(look.pose))[..., 0] > 128
    board = eye.plane.known & (fronts == 0)
    return found & board, there & board


@pytest.mark.parametrize("seed", [100246, 100392, 101102, 101180, 105178])
def test_a_hand_is_found_and_little_else(
    seed: int, board: Board, eye: Eye, render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = draw_scene(board, seed)[0]
    assert scene.arms
    found, there = things(scene, eye, render, monkeypatch)
    assert (found & there).sum() > 0.5 * there.sum(), "a grey sleeve over grey shade is not"
    assert (found & ~there).sum() < 0.4 * there.sum(), "its edge and its own shadow"


@pytest.mark.parametrize("seed", [100028, 100128, 102644, 103036])
@pytest.mark.parametrize(
    "light",
    [
        Light(lamp=(-330.0, 240.0, 520.0), radius=12.0, ambient=0.15, kelvin=2700, room_kelvin=6500),
        Light(lamp=(300.0, 100.0, 600.0), radius=40.0, ambient=0.3, kelvin=6500, room_kelvin=2700),
    ],
    ids=["warm lamp, cold room", "cold lamp, warm room"],
)
def test_neither_shadows_nor_light_of_two_colours_are_things(
    seed: int, light: Light, board: Board, eye: Eye, render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = replace(draw_scene(board, seed)[0], light=light)
    assert len(scene.stacks) >= 3, "what casts no shadow shows nothing"
    found, there = things(scene, eye, render, monkeypatch)
    assert not there.any()
    assert not found.any()


def test_what_lies_before_a_stack_says_nothing_of_its_side(
    board: Board, eye: Eye, render: Render, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fingers are as brown as stones: without a word about them a stack behind them would be higher."""
    assert len(board.sites) < heights.THING, "no stack is taken for a thing"
    assert isinstance(eye.readers["stacks"], StackReader)
    told: list[np.ndarray] = []

    def spy(sides: np.ndarray, *rest: np.ndarray) -> np.ndarray:
        told.append(sides)
        return with_slip(sides, *rest)

    scene = draw_scene(board, 100392)[0]
    assert scene.arms
    monkeypatch.setattr(heights, "with_slip", spy)
    things(scene, eye, render, monkeypatch)
    heard = told[-1]
    monkeypatch.setattr(heights, "find_foreign_objects", lambda _, fronts: np.zeros(fronts.shape, bool))
    eye.look(Frame(render(scene).bgr))
    assert told[-1].shape == heard.shape
    assert np.abs(told[-1] - heard).max() > 0.3
