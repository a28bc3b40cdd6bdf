"""What moves in the picture, and whether it moves over the board."""

from __future__ import annotations

import numpy as np
import pytest

from engine.registry import find_game
from vision.find.lens import Lens
from vision.find.pose import BoardPose
from vision.frame import Frame, Image
from vision.motion import NO_SITE, Motion

BOARD = find_game("rings").board(2, {})
STRAIGHT_DOWN = BoardPose(Lens.guess((1280, 720), 70.0), np.zeros(3), np.array([0.0, 0.0, 700.0]), 0.1, ())
EDGE = int(640 + BOARD.base.size[0] / 2 * STRAIGHT_DOWN.lens.fx / 700)
"""The column of the picture in which the board ends."""


def table(seed: int, noise: float = 6.0) -> Image:
    grain = np.random.default_rng(seed).normal(0.0, noise, (720, 1280, 3))
    return np.clip(120 + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("columns", "over"), [((EDGE - 24, EDGE), True), ((EDGE + 16, EDGE + 40), False), ((600, 640), True)]
)
def test_a_finger_over_the_margin_is_over_the_board_and_one_beside_it_is_not(
    columns: tuple[int, int], over: bool
) -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    assert not first.restless
    shown[340:380, columns[0] : columns[1]] = 40
    motion = Motion.of(Frame(shown), first)
    assert motion.is_over(BOARD, STRAIGHT_DOWN) == over


@pytest.mark.parametrize("noise", [2.0, 10.0, 40.0])
def test_noise_and_another_light_stir_nothing(noise: float) -> None:
    motion = None
    for seed, brighter in ((1, 0), (2, 0), (3, 12), (4, 12)):
        motion = Motion.of(Frame(table(seed, noise) + np.uint8(brighter)), motion)
        assert not motion.restless
        assert not motion.is_over(BOARD, STRAIGHT_DOWN)


def test_an_arm_beside_the_board_is_seen_but_not_over_it() -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    shown[:, :120] = 30
    motion = Motion.of(Frame(shown), first)
    assert motion.restless
    assert not motion.is_over(BOARD, STRAIGHT_DOWN)


def test_a_finger_is_seen_although_the_light_changes_with_it() -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    shown[340:380, 600:640] = 40
    shown += np.uint8(12)
    motion = Motion.of(Frame(shown), first)
    assert motion.is_over(BOARD, STRAIGHT_DOWN)


@pytest.mark.parametrize(("cells", "over"), [(2, False), (3, True)])
def test_a_crumb_is_no_finger(cells: int, over: bool) -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    shown[344:352, 600 : 600 + 8 * cells] = 40
    motion = Motion.of(Frame(shown), first)
    assert motion.is_over(BOARD, STRAIGHT_DOWN) == over


@pytest.mark.parametrize(("side", "restless"), [(48, False), (64, True)])
def test_a_fly_is_no_arm(side: int, restless: bool) -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    shown[80 : 80 + side, 80 : 80 + side] = 30
    assert Motion.of(Frame(shown), first).restless == restless


def test_pictures_of_another_shape_show_the_board_elsewhere() -> None:
    """Many cameras see three quarters as high as wide; the margin in front is then nearer to the picture's edge."""
    above = BoardPose(Lens.guess((960, 720), 60.0), np.zeros(3), np.array([0.0, 0.0, 700.0]), 0.1, ())
    edge = int(360 + BOARD.base.size[1] / 2 * above.lens.fy / 700)
    for rows, over in (((edge - 32, edge - 8), True), ((edge + 24, edge + 48), False)):
        first, shown = Motion.of(Frame(table(1)[:, :960].copy())), table(2)[:, :960].copy()
        shown[rows[0] : rows[1], 460:500] = 40
        motion = Motion.of(Frame(shown), first)
        assert motion.is_over(BOARD, above) == over


def test_what_moves_over_the_margin_is_near_no_site_and_noise_near_sites_moves_nothing() -> None:
    first, shown = Motion.of(Frame(table(1))), table(2)
    noise = Motion.of(Frame(shown), first)
    assert noise.moving(frozenset({"a1"}), BOARD, STRAIGHT_DOWN) == frozenset()
    shown[340:380, EDGE - 24 : EDGE] = 40
    hand = Motion.of(Frame(shown), first)
    assert hand.moving(frozenset(), BOARD, STRAIGHT_DOWN) == {NO_SITE}
    assert hand.moving(frozenset({"a1"}), BOARD, STRAIGHT_DOWN) == {"a1"}
