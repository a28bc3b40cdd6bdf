"""`magister cameras`: what is plugged in, each opened for a moment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from firmware.commands.cli import main
from firmware.devices.pi_camera import pi_cameras
from firmware.devices.plugged_in import FoundCamera, found_cameras, look_through
from firmware.settings.config import CameraSettings
from firmware.table.cameras.chosen import glance, webcams
from firmware.table.cameras.listing import told

SETTINGS = CameraSettings()


class Device:
    """A webcam that has 640 × 480 pixels and lets its exposure be set; without `picture`, none that can be read."""

    released = 0

    def __init__(self, opens: bool = True, picture: bool = True) -> None:
        self._opens, self._picture = opens, picture

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self._opens

    def set(self, name: int, value: float) -> bool:
        return False

    def get(self, name: int) -> float:
        return {cv2.CAP_PROP_FPS: 30.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0}.get(name, -1.0)

    def read(self) -> tuple[bool, Any]:
        return self._picture, np.zeros((480, 640, 3), np.uint8) if self._picture else None

    def release(self) -> None:
        Device.released += 1


def test_each_webcam_tells_what_it_can_do_and_is_let_go() -> None:
    devices = {0: Device(), 2: Device(opens=False), 3: Device(picture=False)}
    before = Device.released
    found = found_cameras([(0, "C920"), (2, "Old"), (3, "Worn")], SETTINGS, devices.__getitem__, lambda: ["imx708"])
    assert Device.released == before + 3
    assert [each.record()["works"] for each in found] == [True, True, False, False]
    assert found[1] == FoundCamera("usb:0", "C920", size=(640, 480), fps=30.0, settable=("exposure",))
    assert told(found[1], SETTINGS).splitlines()[1].strip() == (
        "640x480 (asked for 1280x720), up to 30 pictures a second; lets exposure be set"
    )
    assert "another program" in told(found[2], SETTINGS)
    assert "check its cable" in found[3].why


def test_a_webcam_is_given_time_to_find_its_exposure() -> None:
    class Waking(Device):
        shown = 0

        def read(self) -> tuple[bool, Any]:
            self.shown += 1
            return True, np.full((480, 640, 3), min(20 * self.shown, 120), np.uint8)

    picture = look_through(0, "C920", SETTINGS, lambda _: Waking()).picture
    assert picture is not None
    assert picture.mean() == 120


def test_a_webcam_that_the_page_asks_about_must_be_plugged_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []
    seen = np.zeros((480, 640, 3), np.uint8)

    def look(number: int, name: str, settings: CameraSettings) -> FoundCamera:
        opened.append(number)
        return FoundCamera(f"usb:{number}", name, picture=seen)

    monkeypatch.setattr("firmware.table.cameras.chosen.webcams", lambda known: [(2, "C920")])
    monkeypatch.setattr("firmware.table.cameras.chosen.look_through", look)
    assert glance("usb:2", SETTINGS, tmp_path) is seen
    assert [glance(name, SETTINGS, tmp_path) for name in ("usb:0", "usb:", "url:http://a/", "phone")] == [None] * 4
    assert opened == [2]


def test_a_pi_tells_its_own_cameras(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [{"Model": "imx708", "Id": "/base/i2c@1/imx708@1a"}, {"Model": "C920", "Id": "/base/usb@0-1:1.0"}]
    package = ModuleType("picamera2")
    package.Picamera2 = SimpleNamespace(global_camera_info=lambda: listed)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", package)
    assert pi_cameras() == ["imx708"]
    monkeypatch.setitem(sys.modules, "picamera2", None)
    assert pi_cameras() == []


def test_the_command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("firmware.table.cameras.listing.webcams", list)
    monkeypatch.setattr("firmware.table.cameras.listing.found_cameras", lambda numbers, settings: [])
    assert main(["cameras"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("No camera is plugged in.")
    assert "--camera phone" in said.out
    monkeypatch.setattr(
        "firmware.table.cameras.listing.found_cameras",
        lambda numbers, settings: [FoundCamera("usb:0", "C920", size=(1280, 720))],
    )
    assert main(["cameras", "--json"]) == 0
    (camera,) = json.loads(capsys.readouterr().out)["cameras"]
    assert (camera["source"], camera["works"], camera["size"]) == ("usb:0", True, [1280, 720])
    assert camera["picture"] is None


def test_the_command_writes_what_each_webcam_sees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("firmware.table.cameras.listing.webcams", list)
    found = [
        FoundCamera("usb:0", "C920", size=(64, 48), picture=np.full((48, 64, 3), 90, np.uint8)),
        FoundCamera("usb:2", "Old", why="Camera usb:2 cannot be opened."),
    ]
    monkeypatch.setattr("firmware.table.cameras.listing.found_cameras", lambda numbers, settings: found)
    folder = tmp_path / "seen"
    assert main(["cameras", "--pictures", str(folder)]) == 0
    assert str(folder / "usb-0.jpg") in capsys.readouterr().out
    assert [file.name for file in folder.iterdir()] == ["usb-0.jpg"]
    assert cv2.imread(str(folder / "usb-0.jpg")).shape == (48, 64, 3)
    (tmp_path / "file").write_text("")
    assert main(["cameras", "--pictures", str(tmp_path / "file")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_where_the_system_keeps_no_list_the_first_numbers_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert webcams(tmp_path / "nowhere") == []
    monkeypatch.setattr(sys, "platform", "darwin")
    assert webcams(tmp_path / "nowhere") == [(0, ""), (1, ""), (2, ""), (3, "")]
