"""What a maker prints for lights underneath, on US paper, and with the way to the table's page."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pypdf
import pypdfium2
import pytest

from engine.board import Board, Disc
from engine.registry import all_games, find_game
from firmware.bench.backlit import light_up
from firmware.bench.vision import draw_scene
from firmware.commands.cli import main
from firmware.settings.eyes import make_eye
from hardware.printing.backlit import THIN, WHITE, backlit, ring_beyond, takes_lights
from hardware.printing.cover import CoverText
from hardware.printing.layout import LETTER_SIDE, SIDE, reach
from hardware.printing.pages import print_pages
from hardware.printing.raster import rasterise
from hardware.virtual.errors import SceneError
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene
from vision.frame import Frame

ADDRESS = "http://magister.local:8000/"


def board_of(name: str) -> Board:
    return find_game(name).board(2, {})


@cache
def pages(name: str, paper: str) -> bytes:
    return print_pages(board_of(name), "T", paper, "en", CoverText(True, ADDRESS))


def drawn(pdf: bytes, page: int, scale: float) -> np.ndarray:
    with pypdfium2.PdfDocument(pdf) as opened:
        return np.array(opened[page].render(scale=scale * 25.4 / 72, grayscale=True).to_numpy()).squeeze()


def _sketch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets are told, not painted: that takes seconds each."""
    monkeypatch.setattr("hardware.printing.pack.sheet_png", lambda sheet: repr(sheet.art).encode())


# What printers reach


@pytest.mark.parametrize(("paper", "side"), [("a4", SIDE), ("letter", LETTER_SIDE)])
def test_crop_marks_and_all_else_lie_where_printers_reach(paper: str, side: float) -> None:
    scale, pdf = 5.0, pages("rings", paper)
    for number in range(len(pypdf.PdfReader(BytesIO(pdf)).pages)):
        grey = drawn(pdf, number, scale)
        edge = round((side - 0.3) * scale)
        inside = np.zeros_like(grey, bool)
        inside[edge:-edge, edge:-edge] = True
        assert grey[~inside].min() > 250, f"page {number + 1} prints in the margin"


def test_a_quarter_of_an_inch_stays_free_on_us_paper() -> None:
    assert reach((215.9, 279.4))[0] >= 6.35
    assert reach((279.4, 215.9)) == (LETTER_SIDE, LETTER_SIDE, 279.4 - LETTER_SIDE, 215.9 - LETTER_SIDE)
    assert reach((210.0, 297.0))[0] == SIDE


def test_the_cover_shows_the_way_to_the_page() -> None:
    grey = drawn(pages("rings", "a4"), 0, 8.0)
    found, _, _ = cv2.QRCodeDetector().detectAndDecode(grey)
    assert found == ADDRESS
    text = pypdf.PdfReader(BytesIO(pages("rings", "a4"))).pages[0].extract_text()
    assert ADDRESS in text
    assert "A camera can referee this game: magister run --game rings" in text


def test_print_says_which_games_are_refereed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _sketch(monkeypatch)
    monkeypatch.setattr("firmware.settings.eyes.can_follow", lambda game: game.name != "rings")
    assert main(["print", "rings", "--out", str(tmp_path / "other")]) == 0
    assert "rings cannot be refereed by camera yet; these can: " in capsys.readouterr().err
    cover = pypdf.PdfReader(tmp_path / "other" / "rings-a4.pdf").pages[0].extract_text()
    assert "No camera can referee this game yet" in cover
    assert ADDRESS not in cover


@pytest.mark.parametrize("address", ["magister.local", "ftp://x", "http://ü/", "http://" + "a" * 200])
def test_an_address_that_no_phone_opens(address: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["print", "rings", "--out", str(tmp_path / "pack"), "--address", address])
    assert stop.value.code == 2
    assert "must be an address such as" in capsys.readouterr().err


# Lights underneath


@pytest.mark.parametrize("name", ["memento-tuos", "rings"])
def test_a_backlit_board_differs_by_white_rings_only(name: str) -> None:
    board = board_of(name)
    white = backlit(board)
    assert replace(white, sheets=board.sheets) == board
    for before, after in zip(board.sheets, white.sheets, strict=True):
        assert replace(after, art=before.art) == before
        new = [shape for shape in after.art if shape not in before.art]
        assert all(isinstance(shape, Disc) and WHITE in (shape.fill, shape.stroke) for shape in new)
        assert bool(new) == any(site.sheet == before.name for site in board.sites.values())
    assert backlit(white) == white or name == "memento-tuos"


@pytest.mark.parametrize("name", ["memento-tuos", "rings"])
def test_a_ring_is_seen_round_every_piece(name: str) -> None:
    board = board_of(name)
    widest = max(piece.diameter for piece in board.pieces.values()) / 2
    for site in board.sites.values():
        sheet = backlit(board).by_name[site.sheet]
        pixels = rasterise(sheet)[..., :3]
        height, width = pixels.shape[:2]
        local = min(
            (shape.at for shape in sheet.art if isinstance(shape, Disc)),
            key=lambda at: np.hypot(*np.subtract(sheet.to_table(at), site.at)),
        )
        rows, columns = np.mgrid[0:height, 0:width]
        x = (columns + 0.5) / width * sheet.size[0] - sheet.size[0] / 2 - local[0]
        y = (rows + 0.5) / height * sheet.size[1] - sheet.size[1] / 2 - local[1]
        around = (np.hypot(x, y) > widest) & (np.hypot(x, y) < widest + 1.0 + THIN + 1.5)
        shows = (pixels[around] > 250).all(axis=1).sum() * (sheet.size[0] / width) ** 2
        assert shows > 2 * np.pi * widest * 0.5, "half a millimetre all round at least"
        break


def test_the_pack_says_that_it_is_backlit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _sketch(monkeypatch)
    for words, told in (([], False), (["--backlit"], True)):
        folder = tmp_path / str(told)
        assert main(["print", "rings", "--out", str(folder), *words]) == 0
        assert ('"backlit": true' in (folder / "board.json").read_text(encoding="utf-8")) is told
    usual, white = ((tmp_path / str(told) / "ring-a.png").read_bytes() for told in (False, True))
    assert usual != white
    assert (tmp_path / "True" / "base.png").read_bytes() == (tmp_path / "False" / "base.png").read_bytes()


@pytest.mark.parametrize("name", ["dimenticato", "triominos"])
def test_cards_hide_lights(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = find_game(name).board(2)
    assert takes_lights(board_of("rings"))
    assert not takes_lights(board)
    assert ring_beyond(board) is None, "nor does the eye look for the print that cannot be had"
    assert main(["print", name, "--out", str(tmp_path / "pack"), "--backlit"]) == 2
    assert "no light comes through" in capsys.readouterr().err
    assert not (tmp_path / "pack").exists()


def test_light_shines_through_bare_paper_and_hardly_through_print() -> None:
    board = backlit(board_of("rings"))
    dark = Scene(board)
    lit = replace(dark, lit={"a1": (0.0, 1.0, 1.0)}, glow=1.0)
    renderer = Renderer(board)
    more = renderer.render(lit).bgr.astype(int) - renderer.render(dark).bgr.astype(int)
    site = board.sites["a1"]
    spots = {}
    for name, far in (("disc", 0.0), ("ring", 12.0), ("beyond", 24.0)):
        x, y = dark.camera.near([(site.at[0], site.at[1] - far, site.z)])[0]
        spots[name] = more[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3].max(axis=(0, 1))
    assert spots["ring"][0] > 40, "blue and green"
    assert spots["ring"][2] < spots["ring"][0] / 1.5, "no red but what the picture's coding smears"
    assert spots["disc"].max() < 25
    assert spots["beyond"].max() <= 12
    under = replace(lit, lit={})
    assert (renderer.render(under).bgr == renderer.render(dark).bgr).all(), "the light is out again"
    with pytest.raises(SceneError, match="no site 'z9'"):
        Scene(board, lit={"z9": (1.0, 1.0, 1.0)})


LIT = [game.name for game in all_games() if takes_lights(game.board(2))]
"""Where cards lie there are no lights."""


@pytest.mark.parametrize("name", LIT)
def test_a_lit_board_is_read(name: str) -> None:
    """One scene; `magister bench backlit` measures it."""
    board = board_of(name)
    white, eye = backlit(board), make_eye(board)
    renderer = Renderer(white)
    scene, faces, _ = draw_scene(board, 1)
    lit = light_up(replace(scene, board=white, arms=()), np.random.default_rng([1, 17]))
    assert lit.lit
    reading = eye.look(Frame(renderer.render(replace(lit, glow=1.0)).bgr)).reading
    seen = {site: guess.best.name for site, guess in reading.guesses().items() if guess.best.name}
    wrong = {site for site in {*seen, *faces} if seen.get(site, "") != (faces[site].name if site in faces else "")}
    assert len(wrong) <= 1
