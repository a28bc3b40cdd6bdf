"""How high stacks are: all of them together, and how far to trust it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import cv2
import numpy as np
import pytest
from pictured import seen, showing

from engine.board import Board
from engine.referee.reading import guess
from hardware.virtual.camera import Pose as CameraPose
from hardware.virtual.scene import PLAIN_LIGHT, Scene, on_site
from vision.flatten.colour import FLOOR, linear
from vision.frame import Frame
from vision.look import Eye
from vision.readers.blobs import Blob
from vision.readers.stacks.joint_likelihood import (
    SIZES,
    ApparentSizes,
    over_leans,
    possible_leans,
    with_size,
    with_slip,
)
from vision.readers.stacks.marker_claims import MarkerClaims, trusted
from vision.readers.stacks.settings import RULER, SIDES, TABLE
from vision.readers.stacks.stone_or_print import stone_or_print


def brute_force(each: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Shares of the heights of all stacks: every table and all their heights together. (tables, stacks, heights)"""
    shares = np.zeros(each.shape[1:])
    for number, odds in enumerate(table):
        for heights in product(range(each.shape[2]), repeat=each.shape[1]):
            weight = np.exp(odds + sum(each[number, stack, height] for stack, height in enumerate(heights)))
            for stack, height in enumerate(heights):
                shares[stack, height] += weight
    return shares / shares.sum(axis=1, keepdims=True)


def shares_of(values: np.ndarray) -> np.ndarray:
    return np.exp(values - np.logaddexp.reduce(values, axis=1)[:, None])


def test_a_stack_is_no_witness_for_itself() -> None:
    """How far off stacks stand, and how large their markers look, is told as if all was weighed together."""
    random = np.random.default_rng(4)
    sides, offsets = random.normal(size=(2, 3)), random.uniform(0.2, 3.0, (len(TABLE.leans), 2, 2))
    slips = np.array(TABLE.slips)[:, None, None, None]
    usual, shoved = (-(offsets**2) / 2 / far**2 - 2 * np.log(far) for far in (slips, TABLE.slips[-1]))
    slipped = np.logaddexp(np.log(1 - TABLE.shoved) + usual, np.log(TABLE.shoved) + shoved)
    on_none = np.full_like(slipped[..., :1], TABLE.stray)
    each = (sides + np.concatenate([slipped, on_none], axis=3)).reshape(-1, 2, 3)
    table = (np.log(TABLE.slip_odds)[:, None] - np.array(TABLE.leans) ** 2 / 2).ravel()
    told = np.logaddexp.reduce(with_slip(sides, offsets, np.zeros(2), np.array(TABLE.leans)), axis=0)
    assert shares_of(told) == pytest.approx(brute_force(each, table), rel=1e-6)

    near, larger = np.array([[0.01, 0.025, 0.04], [0.012, 0.03, 0.05]]), np.array([0.06, 0.07])
    noise = np.array([0.01, 0.02])
    off = larger[:, None] - near[:, None] - TABLE.size_spread * SIZES[:, None, None, None]
    spreads = ((1 - TABLE.size_odd, noise[:, None]), (TABLE.size_odd, TABLE.size_far))
    fits = sum(share * np.exp(-(off**2) / 2 / spread**2) / spread for share, spread in spreads)
    leaning = np.array([0.0, -1.5])
    table = (leaning - SIZES[:, None] ** 2 / 2).ravel()
    wanted = brute_force((sides + np.log(fits)).reshape(-1, 2, 3), table)
    values = sides + leaning[:, None, None]
    told = with_size(values, ApparentSizes(larger, noise), near)
    assert shares_of(np.logaddexp.reduce(told, axis=0)) == pytest.approx(wanted, rel=1e-6)


def test_where_a_marker_is_that_is_half_covered_tells_less() -> None:
    """Two stacks on their sites tell a careful table; a third one would stand off unless it is a stone higher."""
    offsets = np.array([[[0.1, 9.0], [0.2, 9.0], [3.0, 0.3]]])

    def says(covered: float) -> float:
        told = with_slip(np.zeros((3, 3)), offsets, np.array([0.0, 0.0, covered]), np.zeros(1))[0, 2]
        return float(told[1] - told[0])

    assert says(0.0) > says(1.0) > says(2.0) > 0


def test_the_place_of_a_marker_is_less_sure_the_more_of_it_is_covered(
    board: Board, eye: Eye, photograph: Callable[[Scene], Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[np.ndarray] = []

    def spy(sides: np.ndarray, offsets: np.ndarray, blurred: np.ndarray, leans: np.ndarray) -> np.ndarray:
        told.append(blurred)
        return with_slip(sides, offsets, blurred, leans)

    monkeypatch.setattr("vision.readers.stacks.heights.with_slip", spy)
    frame = photograph(replace(showing(board, {"T1": "red1", "I7": "blue1"}), light=PLAIN_LIGHT))
    seen = eye.look(frame).pose
    assert told.pop().tolist() == [0.0, 0.0]
    x, y = board.sites["I7"].at
    third = [(x + dx, y + dy, 27.0) for dx, dy in ((-20, 4), (20, 4), (20, 30), (-20, 30))]
    cv2.fillConvexPoly(frame.bgr, np.rint(seen.project(np.array(third))).astype(np.int32), (20, 20, 20))
    eye.look(frame)
    assert told.pop().tolist() == [0.0, pytest.approx(RULER.covered_off / 3, rel=0.4)]


def test_what_is_beside_a_stack_tells_its_light_only_if_it_is_print() -> None:
    stone, dim = linear("#d9c7a3"), 0.5
    paper, skin = np.array([0.7, 0.75, 0.8]), np.array([0.25, 0.35, 0.75])
    looks = np.array([stone] * 4 + [dim * paper] * 4)[None, None]
    ground = np.broadcast_to(paper, looks.shape)
    lit, covered = (np.broadcast_to(colour, looks.shape) for colour in (dim * paper, skin))
    usual = np.exp(SIDES.print_shade) * paper + (np.exp(SIDES.print_shade) - 1) * FLOOR

    def says(*flanks: np.ndarray) -> np.ndarray:
        return stone_or_print(looks, ground, np.stack(flanks), np.stack([ground, ground]), slice(0, 3))

    expected = says(lit, lit)
    assert (expected[..., :4] > 0).all()
    assert (expected[..., 4:] < 0).all()
    for one_covered in (says(lit, covered), says(covered, lit)):
        assert one_covered == pytest.approx(expected)
    both = np.broadcast_to(usual, looks.shape)
    assert says(covered, covered) == pytest.approx(says(both, both))


def test_sizes_tell_heights_but_not_whether_there_is_a_marker() -> None:
    values, near = np.array([[[-1.0, 0.0, -0.2, -9.0]]]), np.array([[0.03, 0.065, 0.1, -0.01]])

    def with_one(larger: float, noise: float = 0.012) -> np.ndarray:
        sizes = ApparentSizes(np.array([larger]), np.array([noise]))
        return over_leans(with_size(values, sizes, near), values)

    assert with_one(0.4).max() == 0.0, "much too large, but no less a marker"
    assert (with_one(np.nan) == values[0]).all()
    assert with_one(0.13).argmax() == 2
    assert with_one(0.13, noise=0.2).argmax() == 1, "who measures badly is not heard"
    assert with_one(0.065)[0, -1] < -9.0 < with_one(-0.01)[0, -1], "as small as one that lies beside the board"


def test_a_camera_that_is_hardly_in_doubt_is_not_doubted() -> None:
    assert possible_leans(0.0).tolist() == [0.0]
    assert possible_leans(0.1).tolist() == list(TABLE.leans)


def test_heights_aretrusted_less_from_above() -> None:
    def seen(lean: float) -> MarkerClaims:
        values, feet = np.array([[-4.0, 0.0, -20.0, -20.0, -20.0, -20.0]]), np.zeros((1, RULER.tallest, 2))
        sites, stray = np.zeros((1, RULER.tallest), int), np.array([TABLE.stray])
        return MarkerClaims([Blob(1, (0.0, 0.0), 1.0)], sites, feet, values, stray, np.array([lean]))

    above, slant, steep = (trusted(seen(lean)).shares[0] for lean in (0.1, 0.5, 0.9))
    assert above[1] < slant[1] < steep[1]
    assert above[0] > 1.5 * slant[0], "a little off its site looks like a stone more or less"
    assert slant[2] > 1.5 * steep[2], "a stack must lean farther to look like another from a slant"
    assert sum(steep) == pytest.approx(sum(above), rel=1e-4), "that a stack stands there at all is as sure"
    assert (trusted(seen(0.001)).shares > 0).all(), "from straight above nothing is ruled out"


@pytest.mark.parametrize("stones", [4, 5, 6])
def test_stacks_that_are_too_high_are_told_too(
    stones: int, board: Board, eye: Eye, photograph: Callable[[Scene], Frame]
) -> None:
    """Two figures of three stones that were put together, before three stones go back."""
    faces = {"T5": f"blue{stones}", "R2": f"red{stones}"}
    pieces = {site: ("stone",) * stones + (f"marker-{face[:-1]}",) for site, face in faces.items()}
    stacks = tuple(on_site(board, site, pile) for site, pile in pieces.items())
    pose = CameraPose(distance=640, tilt=25, direction=80, hfov=68)
    reading = eye.look(photograph(Scene(board, stacks, pose=pose, light=PLAIN_LIGHT))).reading
    assert seen(reading) == faces


def test_all_stacks_together_tell_how_far_away_the_camera_is() -> None:
    offsets = np.full((len(TABLE.leans), 4, 5), 3.0)
    offsets[2, :, 0] = (2.4, 0.4, 2.2, 2.5)
    offsets[3, :, 1] = (0.2, 0.3, 0.1, 0.2)
    leans = np.array(TABLE.leans)
    best = np.logaddexp.reduce(with_slip(np.zeros((4, 6)), offsets, np.zeros(4), leans), axis=0).argmax(axis=1)
    assert best.tolist() == [1, 1, 1, 1]
    alone = np.logaddexp.reduce(with_slip(np.zeros((1, 6)), offsets[:, 1:2], np.zeros(1), leans), axis=0)
    assert alone[0, 0] > alone[0, 1], "one stack alone rather stands a little off its site"


def test_a_camera_in_doubt_leaves_heights_in_doubt(
    board: Board, eye: Eye, photograph: Callable[[Scene], Frame]
) -> None:
    faces = {"T1": "red3"}
    pose = CameraPose(distance=620, tilt=3, direction=40, hfov=68)
    frame = photograph(replace(showing(board, faces, sloppy=1.2, seed=4), pose=pose, light=PLAIN_LIGHT))
    look = eye.look(frame)
    view = eye.view(look)
    assert view.doubt == look.pose.focal_doubt > 0.05
    reader = eye.readers["stacks"]
    sure, unsure = (
        guess(reader.read(replace(view, doubt=doubt)).sites[site]).p for site in faces for doubt in (0.0, 0.25)
    )
    assert 1 - unsure > 2 * (1 - sure)
