"""`doctor --look` and the page's set-up check: what a rendered picture says of light, glare, focus and colours."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.registry import find_game
from engine.words import LANGUAGES
from firmware.commands.cli import main
from firmware.settings.eyes import make_eye
from firmware.table.beginning.checks import check_sight
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Light, Scene, TableTop
from vision.frame import Frame, Image
from vision.look import Eye
from webui.table.starting import TEXTS, told_check

BOARD = find_game("memento-tuos").board(2, {})
PLAIN = Scene(BOARD, pose=Pose(distance=690, tilt=27))


@cache
def renderer() -> Renderer:
    return Renderer(BOARD)


@cache
def eye() -> Eye:
    return make_eye(BOARD)


def picture(scene: Scene) -> Image:
    return np.asarray(renderer().render(scene).bgr, dtype=np.uint8)


def problems(shown: Image) -> dict[str, str]:
    """What is wrong, as people are told."""
    checks, _ = check_sight(eye(), Frame(shown))
    return {check.name: told_check(check.record(), "en") for check in checks if check.problem}


def lit(**light: object) -> Scene:
    return replace(PLAIN, light=replace(PLAIN.light, **light))  # type: ignore[arg-type]


def test_in_good_light_all_is_well() -> None:
    assert problems(picture(PLAIN)) == {}


def test_pieces_in_the_colour_of_the_table_are_told() -> None:
    yellow = replace(PLAIN, table=TableTop(kind="plain", colour="#f0c020"))
    assert problems(picture(yellow)) == {
        "colours": "Hard to tell apart: yellow and the table. Put a plain cloth of another colour under the board."
    }


def test_light_that_has_hardly_any_blue_is_told() -> None:
    warm = lit(kelvin=2000, room_kelvin=2000, balanced_for=3500)
    assert problems(picture(warm)) == {
        "colours": "Hard to tell apart in this light: wood and yellow. Use a white lamp, not a coloured one."
    }


@pytest.mark.parametrize(("lamp", "darkest"), [((700, 0, 350), "left"), ((-700, 0, 350), "right")])
def test_too_little_light_is_told_with_the_side_on_which_it_is_missing(
    lamp: tuple[float, float, float], darkest: str
) -> None:
    dim = replace(PLAIN, light=Light(lamp=lamp, ambient=0.1, exposure=0.11))
    assert problems(picture(dim))["colours"].endswith(f"Add a lamp from the {darkest}.")


def test_a_mirrored_lamp_is_told_with_its_side() -> None:
    close = replace(PLAIN, light=Light(lamp=(600, 0, 300), ambient=0.05, exposure=1.25))
    assert problems(picture(close))["glare"].startswith("Too bright on the right of the picture")


def test_a_picture_out_of_focus_is_told() -> None:
    assert "blurred" in problems(cv2.GaussianBlur(picture(PLAIN), (0, 0), 2.3))["sharpness"]


def test_every_finding_has_a_sentence_in_every_language() -> None:
    """The sentences are there, differ, and take the same facts."""
    names = [name for name in TEXTS if name.split("_")[0] in ("sharpness", "glare", "colours")]
    assert len(names) >= 12
    facts = {"one": "yellow", "other": "table", "pixels": 31, "ok": False}
    for name in names:
        kind, _, problem = name.partition("_")
        told = [told_check({"name": kind, "problem": problem} | facts, language) for language in LANGUAGES]
        assert len(set(told)) == len(LANGUAGES), told
        assert not any("{" in each for each in told)


def test_the_command_says_it_of_a_photo(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture(replace(PLAIN, table=TableTop(kind="plain", colour="#f0c020"))))
    assert main(["doctor", "--look", str(path), "--json"]) == 0
    checks = {check["check"]: check for check in json.loads(capsys.readouterr().out)["checks"]}
    assert checks["colours"]["verdict"] == "warn"
    assert checks["board"]["verdict"] == "pass"
    assert main(["doctor", "--look", str(path), "--lang", "de"]) == 0
    assert "Schwer zu unterscheiden: Gelb und der Tisch" in capsys.readouterr().out.replace("gelb", "Gelb")


def test_a_photo_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--look", str(tmp_path / "none.png")]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "there is no such file" in said
    cv2.imwrite(str(tmp_path / "empty.png"), np.full((360, 640, 3), (90, 120, 160), np.uint8))
    assert main(["doctor", "--look", str(tmp_path / "empty.png")]) == 1
    assert "No board in the picture" in capsys.readouterr().out
