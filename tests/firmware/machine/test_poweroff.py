"""The blue button, held: a note for the system, and where nobody would read it, a word about that."""

from __future__ import annotations

from pathlib import Path
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory

from firmware.devices.lights import NoLights
from firmware.devices.panel import Panel
from firmware.machine.poweroff import ask_for_poweroff
from firmware.settings.config import PanelSettings
from firmware.settings.pins import Pins
from firmware.table.attending import Attendant
from firmware.table.gear import Gear
from firmware.table.loop import Sitting


@pytest.mark.parametrize(
    ("word", "moments", "heard"),
    [
        ("hint", (1.0, 6.5), ["hint", "off"]),
        ("hint", (1.0, 5.5), ["hint"]),
        ("hint", (1.0, 1.3, 6.0, 6.4), ["hint", "hint"]),
        ("hint", (1.0, 1.002, 1.004, 7.0, 7.002, 7.004), ["hint", "off"]),
        ("hint", (1.0, 1.002, 1.004, 1.3, 8.0, 8.2), ["hint", "hint"]),
        ("undo", (1.0, 9.0), ["undo"]),
    ],
    ids=["long", "too short", "two taps", "chattering", "chattering taps", "another button"],
)
def test_a_long_hint_switches_off(word: str, moments: tuple[float, ...], heard: list[str]) -> None:
    factory, words, pins, now = MockFactory(), SimpleQueue[str](), Pins(), [0.0]
    with Panel(words, pins, PanelSettings(hold=30), pin_factory=factory, clock=lambda: now[0]):
        for number, now[0] in enumerate(moments):
            pin = factory.pin(getattr(pins, word))
            pin.drive_high() if number % 2 else pin.drive_low()
    assert [words.get_nowait() for _ in range(words.qsize())] == heard


def test_it_can_be_forbidden() -> None:
    factory, words, pins, now = MockFactory(), SimpleQueue[str](), Pins(), [0.0]
    with Panel(words, pins, PanelSettings(off=0), pin_factory=factory, clock=lambda: now[0]):
        factory.pin(pins.hint).drive_low()
        now[0] = 50.0
        factory.pin(pins.hint).drive_high()
    assert [words.get_nowait() for _ in range(words.qsize())] == ["hint"]


def test_a_note_is_left_in_the_service_s_folder(tmp_path: Path) -> None:
    said: list[str] = []
    assert ask_for_poweroff({"RUNTIME_DIRECTORY": f"{tmp_path}:/run/other"}, said.append)
    assert [path.name for path in tmp_path.iterdir()] == ["poweroff"]
    assert "pull the plug" in said[0]


def test_by_hand_nothing_is_switched_off(tmp_path: Path) -> None:
    said: list[str] = []
    assert not ask_for_poweroff({}, said.append)
    assert not ask_for_poweroff({"RUNTIME_DIRECTORY": str(tmp_path / "gone")}, said.append)
    assert all(text.startswith("cannot switch off") for text in said)


def test_the_word_reaches_the_system_between_two_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    sitting, words = Sitting(Gear(NoLights()), "sim"), SimpleQueue[str]()
    words.put("off")
    Attendant(sitting, words, None, lambda _: None).serve(None)
    assert [path.name for path in tmp_path.iterdir()] == ["poweroff"]
    sitting.close()
