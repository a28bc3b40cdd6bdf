"""What an eye is made of, from files."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.settings.eyes import read_colours, read_lens

LENS = {"size": [1280, 720], "fx": 949.0, "fy": 949.0, "cx": 639.5, "cy": 359.5}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"fx": float("inf")}, "fx is not a usable number"),
        ({"fy": float("nan")}, "fy is not a usable number"),
        ({"cx": 10**400}, "cx is not a usable number"),
        ({"k1": float("-inf")}, "k1 is not a usable number"),
        ({"k1": float("nan")}, "k1 is not a usable number"),
        ({"k1": 1e6}, "k1 would bend"),
        ({"k1": -10}, "k1 would bend"),
        ({"k1": 10, "k2": -10}, "k1 would bend"),
        ({"p2": 1e3}, "p2 would bend"),
        ({"fx": 0}, "fx and fy must be between"),
        ({"fy": -949.0}, "fx and fy must be between"),
        ({"fx": 1e-300}, "fx and fy must be between"),
        ({"fy": 1e8}, "fx and fy must be between"),
        ({"cy": -1e5}, "cx and cy must be in the picture"),
        ({"size": [10**400, 720]}, '"size" of two whole numbers'),
    ],
)
def test_numbers_that_no_lens_has_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], change: dict[str, object], why: str
) -> None:
    file, photo = tmp_path / "lens.json", tmp_path / "photo.png"
    file.write_text(json.dumps(LENS | change))
    cv2.imwrite(str(photo), np.arange(720 * 1280 * 3, dtype=np.uint8).reshape(720, 1280, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        code = main(["look", str(photo), "--game", "rings", "--lens", str(file)])
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert said.err.startswith(f"magister look: {file} is not a lens: ")
    assert why in said.err
    assert "calibrate lens" in said.err


@pytest.mark.parametrize("name", ["king", "", "marker-purple"])
def test_colours_of_a_piece_that_no_game_has_get_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    file = tmp_path / "colours.json"
    file.write_text(json.dumps({"colours": {"marker-red": "#d0202e", name: "#102030"}}))
    assert main(["look", "photo.png", "--game", "rings", "--colours", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"magister look: {file}: no game has a piece {name!r}; ")
    assert said.count("\n") == 1


def test_one_file_may_hold_the_colours_of_several_games(tmp_path: Path) -> None:
    file = tmp_path / "colours.json"
    file.write_text(json.dumps({"colours": dict.fromkeys(("marker-blue", "pawn-green", "stone"), "#d0202e")}))
    assert set(read_colours(file) or {}) == {"marker-blue", "pawn-green", "stone"}


def test_a_number_too_large_for_any_program_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "lens.json"
    file.write_text(json.dumps(LENS).replace("639.5", "1e400"))
    assert main(["look", "photo.png", "--game", "rings", "--lens", str(file)]) == 2
    assert "cx is not a usable number" in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"k1": -0.12},
        {"k1": 0.05},
        {"k1": -0.4, "k2": 0.2, "p1": 0.001, "p2": -0.002, "k3": -0.05},
        {"fx": 400, "fy": 400, "k1": -0.3, "k2": 0.09, "k3": -0.01},
        {"fx": 9000, "fy": 9000, "k1": 0.5, "k2": 60},
    ],
)
def test_lenses_that_there_are_can_be_used(tmp_path: Path, change: dict[str, float]) -> None:
    file = tmp_path / "lens.json"
    file.write_text(json.dumps(LENS | change))
    lens = read_lens(file)
    assert lens is not None
    assert all(getattr(lens, name) == term for name, term in change.items())
