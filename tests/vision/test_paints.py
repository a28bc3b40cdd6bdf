"""A set painted in other colours than the described ones: measured, learned, and then read right."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from pictured import seen, showing

from engine.board import Board
from firmware.commands.cli import main
from firmware.table.seeing.learning import PaintLearner
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Light, Scene, Stack
from vision.flatten.colour import chroma, linear
from vision.frame import Frame
from vision.look import Eye, Look
from vision.readers.paints import PaintSample, colours_apart
from vision.readers.palette import Palette
from vision.readers.settings import PAINTS

OTHERS = {"red": "#dd9a50", "yellow": "#d9d04a", "green": "#6f9a3c", "blue": "#5f8fb0"}
FACES = {"T7": "red1", "L7": "blue2", "R7": "green3", "I5": "yellow2", "R1": "red3", "T3": "green1", "I1": "blue1"}
POSE = Pose(distance=640, tilt=28, direction=60, hfov=67)


@pytest.fixture(scope="module")
def repainted() -> Board:
    from engine.registry import find_game

    board = find_game("memento-tuos").board(2, {})
    colours = {f"marker-{name}": colour for name, colour in OTHERS.items()}
    pieces = {name: replace(piece, colour=colours.get(name, piece.colour)) for name, piece in board.pieces.items()}
    return replace(board, pieces=pieces)


def _photo(scene: Scene, path: Path | None = None) -> Frame:
    bgr = Renderer(scene.board).render(scene).bgr
    if path is not None:
        cv2.imwrite(str(path), bgr)
    return Frame(bgr)


def _read(eye: Eye, frame: Frame) -> dict[str, str]:
    return seen(eye.look(frame).reading)


def _on_spots(board: Board, described: Board) -> tuple[Stack, ...]:
    spots = {patch.colour: patch.at for patch in described.patches}
    return tuple(
        Stack((name,), spots[piece.colour], z=0.0)
        for name, piece in described.pieces.items()
        if name.startswith("marker-")
    )


def test_colours_from_pieces_on_the_printed_spots(
    repainted: Board,
    board: Board,
    eye: Eye,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid = replace(Scene(repainted, _on_spots(repainted, board), seed=2), pose=POSE)
    _photo(laid, tmp_path / "spots.png")
    _photo(replace(laid, light=Light(lamp=(-200.0, 250.0, 700.0), kelvin=3200)), tmp_path / "again.png")
    out = tmp_path / "colours.json"
    photos = [str(tmp_path / name) for name in ("spots.png", "again.png")]
    assert main(["calibrate", "colours", *photos, "--game", "memento-tuos", "--out", str(out)]) == 0
    told = json.loads(out.read_text())["colours"]
    for name, colour in OTHERS.items():
        off = np.linalg.norm(chroma(linear(told[f"marker-{name}"])) - chroma(linear(colour)))
        assert off < 0.06, f"{name}: {told[f'marker-{name}']} instead of {colour}"
    frame = _photo(replace(showing(repainted, FACES, seed=4), pose=POSE), tmp_path / "table.png")
    with monkeypatch.context() as alone:
        alone.setattr("vision.readers.stacks.second_opinion.Advisor.reconsider", lambda _, findings, *rest: findings)
        assert _read(eye, frame) != FACES, "by the described colours alone they are not all found"
    capsys.readouterr()
    table = str(tmp_path / "table.png")
    assert main(["look", table, "--game", "memento-tuos", "--colours", str(out), "--json"]) == 0
    sites = json.loads(capsys.readouterr().out)["sites"]
    assert {site: f"{seen['colour']}{seen['height']}" for site, seen in sites.items()} == FACES


def test_colours_from_sites_that_are_named(repainted: Board, tmp_path: Path) -> None:
    _photo(replace(showing(repainted, FACES, seed=4), pose=POSE), tmp_path / "table.png")
    out = tmp_path / "colours.json"
    named = ",".join(f"{site}={face}" for site, face in FACES.items())
    command = ["calibrate", "colours", str(tmp_path / "table.png"), "--game", "memento-tuos", "--out", str(out)]
    assert main([*command, "--faces", named]) == 0
    assert set(json.loads(out.read_text())["colours"]) == {f"marker-{name}" for name in OTHERS}


@pytest.mark.parametrize("faces", ["T9=red1", "T1=red9", "T1", "T1=pink1"])
def test_sites_and_faces_that_are_none(faces: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "colours", str(tmp_path / "x.png"), "--game", "memento-tuos", "--faces", faces]) == 2
    assert "--faces" in capsys.readouterr().err


def test_gloss_on_a_printed_spot_is_no_paint() -> None:
    printed, mirrored = 0.5 * linear("#f4c20d"), 0.5 * linear("#f4c20d") + 0.05
    assert colours_apart(mirrored, printed) == colours_apart(printed, mirrored) < PAINTS.like_print
    assert colours_apart(linear(OTHERS["yellow"]), printed) > PAINTS.like_print


def test_photos_that_tell_no_colours(
    board: Board, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("no-board.png", np.full((720, 1280, 3), (90, 128, 150), np.uint8))
    _photo(replace(Scene(board, (), seed=2), pose=POSE), tmp_path / "empty.png")
    for name, why in {"no-board.png": "no black squares found", "empty.png": "no pieces found"}.items():
        assert main(["calibrate", "colours", name, "--game", "memento-tuos"]) == 1
        assert why in capsys.readouterr().out
    assert not Path("colours.json").exists()


@pytest.mark.parametrize("text", ["{}", '{"colours": {"marker-red": "red"}}', "[1]", "nonsense"])
def test_a_file_that_holds_no_colours(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.json").write_text(text)
    cv2.imwrite(str(tmp_path / "x.png"), np.full((720, 1280, 3), 128, np.uint8))
    command = ["look", str(tmp_path / "x.png"), "--game", "memento-tuos", "--colours", str(tmp_path / "c.json")]
    assert main(command) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


NEARLY = {"marker-green": "#4f9a4c", "marker-blue": "#4a7cc0"}


def _taught(board: Board, eye: Eye, seen: Callable[[Look], Look]) -> Eye:
    """The eye after three pictures of pieces whose paint is a little off, as `seen`."""
    pieces = {name: replace(piece, colour=NEARLY.get(name, piece.colour)) for name, piece in board.pieces.items()}
    faces = {"T7": "green1", "L7": "blue2", "R7": "green3", "I5": "blue2", "L3": "green2", "T3": "blue1"}
    learner, taught = PaintLearner(), eye
    for seed in range(3):
        scene = replace(
            showing(replace(board, pieces=pieces), faces, seed=seed),
            pose=POSE,
        )
        frame = _photo(scene)
        taught = learner.learn(taught, frame, seen(taught.look(frame)))
    return taught


def _doubtful(look: Look) -> Look:
    """The same with less difference between what may stand on a site."""
    sites = {
        site: {face: value / 4 for face, value in likelihoods.items()}
        for site, likelihoods in look.reading.sites.items()
    }
    return replace(look, reading=replace(look.reading, sites=sites))


def _stirred(look: Look) -> Look:
    return replace(look, reading=replace(look.reading, moving=frozenset(look.reading.sites)))


@pytest.mark.parametrize("seen", [_doubtful, _stirred], ids=["not sure", "moving"])
def test_what_is_not_sure_teaches_nothing(board: Board, eye: Eye, seen: Callable[[Look], Look]) -> None:
    assert _taught(board, eye, seen) is eye


def test_confirmed_positions_teach_the_eye(board: Board, eye: Eye) -> None:
    """Paints a little off are still found at first; what was found makes them surely found later."""
    taught = _taught(board, eye, lambda look: look)
    for name, colour in NEARLY.items():
        before, after = (
            float(np.linalg.norm(chroma(paint) - chroma(linear(colour))))
            for paint in (eye.paints[name], taught.paints[name])
        )
        assert after < 0.5 * before
    assert np.array_equal(taught.paints["marker-red"], eye.paints["marker-red"]), (
        "of what was not seen nothing is learned"
    )


def test_gloss_is_no_paint(board: Board, eye: Eye, monkeypatch: pytest.MonkeyPatch) -> None:
    """Most markers of a colour lie where the lamp mirrors in them: those that do not must still be known afterwards."""
    paint = eye.paints["marker-green"]
    looks = [PaintSample("marker-green", paint + gloss) for gloss in (0.0, 0.01, 0.12, 0.15, 0.15, 0.2)]
    monkeypatch.setattr("firmware.table.seeing.learning.samples_of_faces", lambda *_: looks)
    frame = _photo(replace(Scene(board, (), seed=2), pose=POSE))
    assert PaintLearner().learn(eye, frame, eye.look(frame)) is eye


@pytest.mark.parametrize("colour", ["green", "red"])
def test_what_is_learned_hides_nothing_that_was_seen(
    colour: str, board: Board, eye: Eye, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Most green pieces may lie in bluish light: one that does not must be seen all the same."""
    bluish = eye.paints["marker-green"] * (6.0, 1.0, 0.5)
    monkeypatch.setattr(
        "firmware.table.seeing.learning.samples_of_faces", lambda *_: [PaintSample("marker-green", bluish)] * 6
    )
    frame = _photo(replace(showing(board, {"T7": f"{colour}1"}, seed=2), pose=POSE))
    learner, look = PaintLearner(), eye.look(frame)
    taught = learner.learn(eye, frame, look)
    assert taught.look(frame).reading.guesses()["T7"].best.name == f"{colour}1"
    monkeypatch.delattr("vision.look.Eye.with_paints")
    assert learner.learn(taught, frame, look) is taught, "what was refused, or learned, is not tried again"


def test_a_pale_paint_leaves_the_other_colours_alone(board: Board) -> None:
    """Overexposed, it is mere grey."""
    paints = {"marker-green": np.array([0.26, 0.44, 0.23])}
    plain, pale = (Palette(board, measured) for measured in (None, paints))
    codes = np.array([[[30, 30, 200], [200, 60, 30]]], np.uint8)
    assert plain.labels(codes).tolist() == [[1, 4]]
    assert pale.labels(codes).tolist() == [[1, 4]]
