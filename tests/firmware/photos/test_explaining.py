"""`look --explain DIR`: every stage as a picture, the verdict as data; all of it or nothing."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from engine.registry import find_game
from firmware.commands.cli import main
from firmware.photos.explaining import FILES
from firmware.settings.arguments import dealt
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene, stand

STACKS = {"T1": "red2", "L3": "blue1", "R7": "yellow3"}
PAWNS = {"a1": "red", "b4": "blue"}
FIGURES = {"red@1": "red", "c1": "yellow"}


def photo(path: Path, game: str, faces: dict[str, str]) -> Path:
    rules = find_game(game).configure()
    board = rules.game.board(2, dealt(rules, 2, Random(0)))
    scene = Scene(board, stand(board, board.faces.read(faces)), pose=Pose(600, 25, 40, hfov=66), seed=3)
    cv2.imwrite(str(path), Renderer(board).render(scene).bgr)
    return path


@pytest.fixture(scope="module")
def stacks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return photo(tmp_path_factory.mktemp("photos") / "table.png", "memento-tuos", STACKS)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def look(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["look", *map(str, words), "--json"])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_every_stage_has_a_picture_and_the_witnesses_lead_to_the_verdict(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = look(capsys, stacks, "--game", "memento-tuos", "--explain", tmp_path / "why")
    assert (code, err) == (0, "")
    assert names(tmp_path / "why") == set(FILES)
    index = json.loads((tmp_path / "why/index.json").read_text())["stages"]
    assert [stage["file"] for stage in index] == [name for name in FILES if name != "index.json"]
    assert all(stage["shows"].endswith(".") for stage in index)
    for name in FILES:
        if name.endswith(".png"):
            picture = cv2.imread(str(tmp_path / "why" / name))
            assert picture.std() > 1, f"{name} shows something"
    verdict = json.loads((tmp_path / "why/verdict.json").read_text())
    heard = verdict.pop("heard")
    assert verdict == json.loads(out)
    assert {site: trail[-1]["face"] for site, trail in heard.items() if trail[-1]["face"]} == STACKS
    for site, piece in verdict["sites"].items():
        assert heard[site][-1]["p"] == pytest.approx(piece["p"], abs=0.02)
        assert {each["reader"] for each in heard[site]} == {"stacks"}


@pytest.mark.parametrize(("game", "faces", "reader"), [("rings", PAWNS, "pawns"), ("dimenticato", FIGURES, "figures")])
def test_other_readers_explain_themselves_too(
    game: str, faces: dict[str, str], reader: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, _ = look(
        capsys, photo(tmp_path / "p.png", game, faces), "--game", game, "--players", 2, "--explain", tmp_path / "why"
    )
    assert code == 0
    heard = json.loads((tmp_path / "why/verdict.json").read_text())["heard"]
    assert {site: trail[-1]["face"] for site, trail in heard.items() if trail[-1]["face"]} == faces
    assert {each["reader"] for trail in heard.values() for each in trail} == {reader}


def test_of_several_photos_each_has_a_folder(stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "table.jpg"
    cv2.imwrite(str(other), cv2.imread(str(stacks)))
    code, _, _ = look(capsys, stacks, other, "--game", "memento-tuos", "--explain", tmp_path / "why")
    assert code == 0
    assert names(tmp_path / "why") == {"table", "table-2"}
    assert names(tmp_path / "why/table-2") == set(FILES)


def test_without_the_board_the_squares_that_were_found_are_shown(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, _ = look(capsys, stacks, "--game", "rings", "--explain", tmp_path)
    assert code == 1
    assert names(tmp_path) == {"1-fiducials.png", "index.json"}
    shown, taken = (cv2.imread(str(path)).astype(int) for path in (tmp_path / "1-fiducials.png", stacks))
    assert np.abs(shown - taken).max(axis=2).mean() > 0.5, "the squares are drawn on the photo"


def test_a_file_is_no_folder(stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("kept")
    for folder in (tmp_path / "file", tmp_path / "file/deeper"):
        code, out, err = look(capsys, stacks, "--game", "memento-tuos", "--explain", folder)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert f"cannot write to {folder}" in err
    assert (tmp_path / "file").read_text() == "kept"


def test_neither_inputs_nor_other_outputs_are_overwritten(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "2-rectified.png"
    own.write_bytes(stacks.read_bytes())
    code, _, err = look(capsys, own, "--game", "memento-tuos", "--explain", tmp_path)
    assert code == 2
    assert "would overwrite" in err
    assert names(tmp_path) == {own.name}
    for other in ("--overlay", "--bundle"):
        words = (stacks, "--game", "memento-tuos", "--explain", tmp_path, other, tmp_path / "6-verdict.png")
        code, _, err = look(capsys, *words)
        assert code == 2
        assert "would overwrite" in err
    assert names(tmp_path) == {own.name}
    assert own.read_bytes() == stacks.read_bytes()


def test_if_the_disk_is_full_nothing_is_left(
    stacks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = Path.write_bytes, []

    def fill(path: Path, data: bytes) -> int:
        written.append(path)
        if len(written) > 3:
            raise OSError(28, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", fill)
    code, out, err = look(capsys, stacks, "--game", "memento-tuos", "--explain", tmp_path / "why")
    assert code == 2
    assert err.count("\n") == 1
    assert f"cannot write to {tmp_path / 'why'}: No space left on device" in err
    assert len(written) == 4
    assert not (tmp_path / "why").exists()
    assert out == ""
