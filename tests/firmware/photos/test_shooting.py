"""`magister calibrate shoot`: photos of the chart are taken by themselves, and make a lens."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest
from chart_photos import FOCAL, View, chart, photo

from firmware.commands.cli import main
from firmware.photos.shooting import PHOTOS, WANTED, Shooting

FLAT: View = ((0.02, 0.0, 0.0), (0, 0, 400))
HELD = {
    "flat": FLAT,
    "left": ((0.0, -0.5, 0.0), (0, 0, 420)),
    "right": ((0.0, 0.5, 0.0), (0, 0, 420)),
    "top": ((0.5, 0.0, 0.0), (0, 0, 420)),
    "bottom": ((-0.5, 0.0, 0.0), (0, 0, 420)),
}
MORE: list[View] = [
    ((0.35, 0.35, 0.0), (0, 0, 430)),
    ((-0.35, 0.35, 0.5), (0, 0, 430)),
    ((0.3, -0.4, 1.0), (0, 0, 430)),
]


def test_the_chart_is_photographed_from_all_sides_whenever_it_is_held_still() -> None:
    shooting = Shooting()
    for name, view in HELD.items():
        assert WANTED[name] == shooting.wanted
        assert shooting.look(photo(chart(), view)) == "hold it still"
        assert shooting.look(photo(chart(), view)) == "taken"
        assert name in shooting.views
        assert shooting.look(photo(chart(), view)) == shooting.wanted, "once is enough"
    for view in MORE:
        assert not shooting.is_done
        shooting.look(photo(chart(), view))
        assert shooting.look(photo(chart(), view)) == "taken"
    assert shooting.is_done


def test_what_is_wrong_with_a_picture_is_told() -> None:
    shooting = Shooting()
    assert "closer" in shooting.look(photo(chart(), ((0.0, 0.0, 0.0), (0, 0, 1300))))
    assert "not to be seen" in shooting.look(photo(chart(), ((0.0, 0.0, 0.0), (900, 0, 400))))
    near = photo(chart(), FLAT)
    shooting.look(near)
    assert shooting.look(photo(chart(), ((0.02, 0.0, 0.0), (3, 0, 400)))) == "hold it still"
    assert not shooting.photos


def test_the_command_keeps_the_photos_and_writes_the_lens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = tmp_path / "film"
    film.mkdir()
    views = [view for view in [*HELD.values(), *MORE] for _ in range(2)]
    for number, view in enumerate(views):
        cv2.imwrite(str(film / f"frame-{number:06}.png"), photo(chart(), view).bgr)
    words = ["calibrate", "shoot", "--camera", f"frames:{film}", "--photos", str(tmp_path / "photos")]
    assert main([*words, "--out", str(tmp_path / "lens.json")]) == 0
    told = capsys.readouterr().out
    assert f"photo {PHOTOS} of {PHOTOS} is taken" in told
    assert len(list((tmp_path / "photos").iterdir())) == PHOTOS
    assert json.loads((tmp_path / "lens.json").read_text())["fx"] == pytest.approx(FOCAL, rel=0.01)
    # Never over photos that are there.
    assert main([*words, "--out", str(tmp_path / "lens.json")]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_a_camera_that_ends_too_early_makes_no_lens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    coloured = photo(chart(), FLAT).bgr.copy()
    coloured[:20, :, 0] = 0
    cv2.imwrite(str(tmp_path / "frame-000000.png"), coloured)
    words = ["calibrate", "shoot", "--camera", f"frames:{tmp_path}", "--photos", str(tmp_path / "photos")]
    assert main([*words, "--out", str(tmp_path / "lens.json")]) == 1
    assert f"after 0 of {PHOTOS} photos" in capsys.readouterr().out
    assert not (tmp_path / "lens.json").exists()
