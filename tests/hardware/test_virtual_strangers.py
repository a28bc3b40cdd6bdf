"""Strangers' tables: drawn from a seed, and unkind in the ways they should be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.board import Board
from engine.registry import find_game
from firmware.training.gather import Lot, gather
from hardware.printing.raster import rasterise
from hardware.virtual.camera import Camera
from hardware.virtual.covering import covered_shares
from hardware.virtual.painting.render import Renderer
from hardware.virtual.strangers import holding, strange_arm, strange_pieces, strange_print, strange_scene
from vision.readers.stacks.site_views import CHANNELS, SIDE


@pytest.fixture(scope="module")
def board() -> Board:
    return find_game("memento-tuos").board(2, {})


def test_a_seed_gives_the_same_table_and_another_one_another(board: Board) -> None:
    faces = {"T1": board.faces["red1"]}
    assert strange_scene(board, faces, 7) == strange_scene(board, faces, 7)
    assert strange_scene(board, faces, 7) != strange_scene(board, faces, 9)


def test_strange_pieces_are_dyed_otherwise_and_hardly_larger_or_smaller(board: Board) -> None:
    strange = strange_pieces(board, np.random.default_rng(3))
    assert strange.pieces.keys() == board.pieces.keys()
    assert any(strange.pieces[name].colour != piece.colour for name, piece in board.pieces.items())
    for name, piece in board.pieces.items():
        assert strange.pieces[name].diameter == pytest.approx(piece.diameter, rel=0.06)


def test_a_strange_print_changes_the_ink_and_not_the_cut(board: Board) -> None:
    sheet = board.sheets[0]
    printed, strange = rasterise(sheet), strange_print(np.random.default_rng(5))(sheet)
    assert strange.shape == printed.shape
    assert (strange[..., 3] == printed[..., 3]).all()
    assert (strange[..., :3] != printed[..., :3]).any()


def test_a_held_piece_covers_what_is_below_it_and_nothing_far_away(board: Board) -> None:
    random = np.random.default_rng(11)
    scene = strange_scene(board, {}, 12, hand=False)
    arm, held = holding(board, strange_arm(board, random), random)
    assert held is not None
    scene = replace(scene, arms=(arm,), things=())
    shares = covered_shares(scene, Camera.at(scene.pose))
    at = np.array(arm.grip[:2])
    near = min(board.sites, key=lambda name: float(np.linalg.norm(at - board.sites[name].at)))
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert shares[near] > 0.3
    assert min(shares.values()) == 0.0


def test_nothing_covers_an_empty_table(board: Board) -> None:
    scene = strange_scene(board, {"T1": board.faces["red3"]}, 14, hand=False)
    bare = replace(scene, things=(), stacks=tuple(stack for stack in scene.stacks if stack.site))
    assert set(covered_shares(bare, Camera.at(bare.pose)).values()) == {0.0}


def test_views_are_gathered_with_the_truth_about_them(board: Board, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("views") / "drawn-0.npz"
    count, _ = gather(Lot(0, 2, file, traced=False))
    lot = np.load(file)
    assert lot["views"].shape == (28 * count, SIDE, SIDE, CHANNELS - 2)
    assert lot["truth"].shape == (28 * count, 2)
    assert (lot["truth"][:, 1] > 0).any()
    assert [path.name for path in file.parent.iterdir()] == [file.name], "nothing half written is left"


def test_a_strange_table_can_be_drawn(board: Board) -> None:
    picture = Renderer(board, strange_print(np.random.default_rng(5))).render(strange_scene(board, {}, 21)).bgr
    assert picture.shape == (720, 1280, 3)
    assert picture.std() > 10
