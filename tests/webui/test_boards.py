"""The board on the page: every site, sheet and face of every game can be found in it by name."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree

import cv2
import pytest

from engine.board import DICTIONARY, FIDUCIAL_IDS
from engine.core import Game
from engine.face import spelled
from engine.fiducial_cells import SIDE, white_cells
from engine.registry import all_games
from webui.boards import board_for, page_board, shape

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_everything_that_moves_has_a_name(game: Game) -> None:
    setup = game.configure().deal(2, Random(1))
    board, faces = board_for(game.name, 2, setup), spelled(game.configure().start(2, setup).faces())
    drawn = ElementTree.fromstring(
        str(page_board(board, faces, {}, label="board")).replace("<svg ", "<svg xmlns='http://www.w3.org/2000/svg' ", 1)
    )
    marked = {
        attribute: {node.get(attribute) for node in drawn.iter() if node.get(attribute)}
        for attribute in ("data-site", "data-sheet", "id")
    }
    assert marked["data-site"] == set(board.sites)
    assert {sheet.name for sheet in board.turnable} <= marked["data-sheet"]
    assert {f"face-{face}" for face in board.faces.lawful} <= marked["id"]
    assert {node.get("href", "")[1:] for node in drawn.iter(f"{SVG}use")} <= marked["id"], (
        "nothing is used that is not defined"
    )
    assert {
        node.get("data-site"): node.get("data-face") for node in drawn.iter(f"{SVG}use") if node.get("data-site")
    } == dict(faces)


def test_the_pages_board_shows_no_fiducials() -> None:
    board = board_for("rings", 2, {})
    assert 'class="fiducial"' not in page_board(board, {}, {}, label="board")


def test_two_boards_on_one_page_keep_their_names_apart() -> None:
    board = board_for("rings", 2, {})
    for prefix in ("one-", "two-"):
        assert f'id="sheet-{prefix}ring-a"' in page_board(board, {}, {}, label="board", prefix=prefix)


def test_the_four_players_have_four_signs() -> None:
    assert len({shape(colour, 5) for colour in ("red", "yellow", "green", "blue")}) == 4


def test_the_fiducials_without_opencv_are_opencvs() -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, DICTIONARY))
    for fiducial in FIDUCIAL_IDS:
        cells = cv2.aruco.generateImageMarker(dictionary, fiducial, SIDE)
        assert sorted(white_cells(fiducial)) == sorted((x, y) for y in range(SIDE) for x in range(SIDE) if cells[y, x])
