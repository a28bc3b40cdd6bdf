"""Dimenticato's figures: on fields with any pips, close together, on print of their own colours."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pictured
import pytest

from engine.board import Board
from engine.face import spelled
from engine.registry import find_game
from firmware.commands.cli import main
from firmware.settings.arguments import dealt
from hardware.printing.raster import rasterise
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Arm, Light, Scene, Stack
from vision.frame import Frame
from vision.look import Eye
from vision.readers.figures import FigureReader

RULES = find_game("dimenticato").configure()


@cache
def board_of(players: int, deal: int = 0) -> Board:
    return RULES.game.board(players, dealt(RULES, players, Random(deal)))


@cache
def eye_of(players: int) -> Eye:
    board = board_of(players)
    return Eye(board, {sheet.name: rasterise(sheet) for sheet in board.sheets})


@lru_cache(maxsize=1)  # each holds a picture's light, 100 MB
def renderer_of(players: int, deal: int) -> Renderer:
    return Renderer(board_of(players, deal))


def showing(faces: Mapping[str, str], players: int = 2, deal: int = 0, tilt: float = 20.0) -> Scene:
    scene = pictured.showing(board_of(players, deal), faces, sloppy=1.0, seed=5)
    return replace(scene, pose=Pose(distance=640, tilt=tilt, direction=130, hfov=72))


def read(scene: Scene, players: int = 2, deal: int = 0) -> tuple[dict[str, str], frozenset[str]]:
    reading = eye_of(players).look(Frame(renderer_of(players, deal).render(scene).bgr)).reading
    return pictured.seen(reading), reading.hidden


@pytest.mark.parametrize("tilt", [2.0, 20.0, 38.0])
def test_an_empty_board_is_empty(tilt: float) -> None:
    assert read(showing({}, tilt=tilt)) == ({}, frozenset())


@pytest.mark.parametrize("tilt", [2.0, 20.0, 36.0])
@pytest.mark.parametrize("players", [2, 4])
def test_figures_stand_close_together_at_the_start(players: int, tilt: float) -> None:
    faces = spelled(RULES.begin(players, dealt(RULES, players, Random(0))).faces())
    assert len(faces) == 4 * players
    assert read(showing(faces, players, tilt=tilt), players) == (faces, frozenset())


@pytest.mark.parametrize(("players", "deal", "doubtful"), [(2, 0, 0), (2, 11, 1), (4, 11, 2)])
def test_figures_are_read_whatever_cards_were_dealt(players: int, deal: int, doubtful: int) -> None:
    names = list(board_of(players).sites)
    sites = np.random.default_rng(8).choice(names, 6, replace=False).tolist()
    faces = {site: ("red", "yellow")[number % 2] for number, site in enumerate(sites)}
    seen, hidden = read(showing(faces, players, deal), players, deal)
    assert seen == faces
    assert len(hidden) <= doubtful, "other pips than printed may leave a field in doubt"


def test_a_figure_behind_others_is_told_by_its_head() -> None:
    faces = {"b2": "red", "c2": "yellow", "b1": "yellow", "c1": "red"}
    for direction in (0, 90, 180, 270):
        scene = showing(faces, tilt=39.0)
        seen, hidden = read(replace(scene, pose=replace(scene.pose, direction=direction)))
        assert seen == faces
        assert len(hidden) <= 1, "nor are the free fields behind them hidden"


def test_the_light_is_told_though_the_paper_is_too_bright() -> None:
    """Then only dark print is left, which gloss makes another colour."""
    light = Light((-273.0, 222.0, 885.0), 22.0, 0.43, 3110.0, 5793.0, 4930.0, (1.03, 1.0, 1.03), exposure=0.79)
    faces = {"a1": "red", "f5": "yellow"}
    assert read(replace(showing(faces, tilt=35.0), light=light)) == (faces, frozenset())


def test_what_a_hand_covers_is_hidden_not_a_figure() -> None:
    x, y = board_of(2).sites["a3"].at
    faces = {"f1": "red", "e6": "yellow"}
    seen, hidden = read(replace(showing(faces), arms=(Arm(grip=(x + 45.0, y, 30.0), comes_from=270.0),)))
    assert seen == faces
    assert "a3" in hidden


@pytest.mark.parametrize("gloss", [(250, 250, 250), (205, 235, 255)], ids=["white lamp", "warm lamp"])
def test_a_figure_whose_head_reflects_a_lamp_is_told_by_its_side(gloss: tuple[int, int, int]) -> None:
    """In the light of a warm lamp its head is as pale as a hand, and only brighter."""
    faces, board = {"a3": "red", "red@2": "red", "d2": "yellow", "yellow@1": "yellow"}, board_of(2)
    picture = renderer_of(2, 0).render(replace(showing(faces, tilt=28.0), light=Light(exposure=0.85))).bgr
    pose = eye_of(2).look(Frame(picture)).pose
    for name in faces:
        (x, y), piece = board.sites[name].at, board.pieces["figure-red"]
        rim = [(x + 9.2 * np.cos(a), y + 9.2 * np.sin(a), piece.height) for a in np.linspace(0, 2 * np.pi, 30)]
        cv2.fillConvexPoly(picture, np.rint(pose.project(np.array(rim))).astype(np.int32), gloss, cv2.LINE_AA)
    reading = eye_of(2).look(Frame(picture)).reading
    assert pictured.seen(reading) == faces
    assert not reading.hidden


def test_a_head_with_less_of_a_colour_than_its_side_is_no_gloss() -> None:
    """Something blue lies on a red figure: gloss would only add to the red."""
    board, picture = board_of(2), renderer_of(2, 0).render(showing({"a3": "red"}, tilt=28.0)).bgr
    (x, y), height = board.sites["a3"].at, board.pieces["figure-red"].height
    rim = [(x + 10 * np.cos(a), y + 10 * np.sin(a), height) for a in np.linspace(0, 2 * np.pi, 30)]
    there = np.rint(eye_of(2).look(Frame(picture)).pose.project(np.array(rim))).astype(np.int32)
    cv2.fillConvexPoly(picture, there, (255, 170, 40), cv2.LINE_AA)
    reading = eye_of(2).look(Frame(picture)).reading
    assert pictured.seen(reading) == {}
    assert "a3" in reading.hidden


def test_a_figure_on_no_field_is_found_where_it_stands() -> None:
    home = {f"{colour}@{number}": colour for colour in ("red", "yellow") for number in range(1, 5)}
    del home["yellow@3"]
    (x, y), (farther, _) = (board_of(2).sites[name].at for name in ("c5", "d5"))
    stray = Stack(("figure-yellow",), ((x + farther) / 2, y), 1.5)
    scene = showing(home, tilt=30.0).with_stacks(stray)
    reading = eye_of(2).look(Frame(renderer_of(2, 0).render(scene).bgr)).reading
    assert pictured.seen(reading) == home
    (loose,) = reading.loose
    assert loose.card == "figure-yellow"
    assert np.hypot(loose.at[0] - stray.at[0], loose.at[1] - stray.at[1]) < 28.0 / 3, "to a third of a field"
    without = eye_of(2).look(Frame(renderer_of(2, 0).render(showing(home)).bgr)).reading
    assert without.loose == (), "reference colours and start fields are no figures"


@pytest.mark.parametrize("players", [3, 4])
def test_a_photo_of_any_number_of_players_board_is_read(
    players: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), renderer_of(players, 0).render(showing({"a1": "red", "b1": "yellow"}, players)).bgr)
    report = tmp_path / "report.zip"
    words = ["look", str(photo), str(photo), "--game", "dimenticato", "--json", "--bundle", str(report)]
    assert main(words) == 0
    with zipfile.ZipFile(report) as bundle:
        assert json.loads(bundle.read("board.json")) == json.loads(json.dumps(RULES.game.bare_board(players).record()))
    for line in capsys.readouterr().out.splitlines():
        assert {site: said["colour"] for site, said in json.loads(line)["sites"].items()} == {
            "a1": "red",
            "b1": "yellow",
        }
    assert main(["look", str(photo), "--game", "dimenticato", "--players", "2"]) == 1
    said = capsys.readouterr()
    assert "the dimenticato board in the picture is for a different number of players" in said.out + said.err


@pytest.mark.parametrize(("covered", "told"), [(0, True), (18, True), (26, False)])
def test_of_a_figure_enough_must_be_in_sight(covered: int, told: bool) -> None:
    eye, site = eye_of(2), list(board_of(2).sites).index("f5")
    frame = Frame(renderer_of(2, 0).render(showing({"f5": "red"}, tilt=2.0)).bgr)
    view, reader = eye.view(eye.look(frame)), eye.readers["figures"]
    assert isinstance(reader, FigureReader)
    labels, fronts = reader.palette.labels(view.codes), np.zeros(view.codes.shape[:2], np.uint8)
    column, row = np.rint(view.plane.to_flat(view.sites[site])).astype(int)
    fronts[row - 20 : row + 20, column - 20 : column - 14 + covered] = 1 if covered else 0
    colour = reader.colour_at(view.sites[site], labels, fronts, view)
    assert colour == (reader.palette.names.index("red") if told else None)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_mat_is_found_before_anybody_knows_the_cards_on_it(players: int) -> None:
    scene = replace(Scene(board_of(players, 5)), pose=Pose(720, 15, 20, hfov=66))
    bare = RULES.game.board(players)
    eye = Eye(bare, {sheet.name: rasterise(sheet) for sheet in bare.sheets})
    look = eye.look(Frame(renderer_of(players, 5).render(scene).bgr))
    assert look.pose.distance == pytest.approx(720, rel=0.02)
