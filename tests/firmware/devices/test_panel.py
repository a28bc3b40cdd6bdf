"""The buttons, pressed at their pins; and the plan of all pins."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from queue import Empty, SimpleQueue

import pytest
from gpiozero import BadPinFactory, Device, PinFactoryFallback
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.devices import gpio
from firmware.devices.chain import open_chain
from firmware.devices.gpio import find_gpio, gpio_errors
from firmware.devices.lights import Lights, NoLights, open_lights
from firmware.devices.panel import Contact, Panel, open_panel
from firmware.devices.signals import RED, Picture
from firmware.settings.config import LightSettings, PanelSettings
from firmware.settings.pins import HEADER, SPI0, Pins

PINS = Pins()
LIGHTS = LightSettings()
SITES = ("a1", "a2")


class Table:
    """A panel on mock pins with a clock that a test turns."""

    def __init__(self, **settings: float) -> None:
        self.gpio = MockFactory()
        self.words: SimpleQueue[str] = SimpleQueue()
        self.now = 0.0
        self.panel = Panel(self.words, PINS, PanelSettings(**settings), pin_factory=self.gpio, clock=lambda: self.now)

    def drive(self, word: str, *moments: float) -> None:
        """Press and release by turns."""
        for number, self.now in enumerate(moments):
            pin = self.gpio.pin(getattr(PINS, word))
            pin.drive_high() if number % 2 else pin.drive_low()

    def heard(self) -> list[str]:
        return [self.words.get_nowait() for _ in range(self.words.qsize())]


@pytest.fixture
def table() -> Iterator[Table]:
    each = Table(hold=30)
    yield each
    each.panel.close()


@pytest.mark.parametrize("word", ["confirm", "undo", "hint"])
def test_a_press_becomes_a_word_at_once(table: Table, word: str) -> None:
    table.drive(word, 1.0)
    assert table.heard() == [word]
    table.drive(word, 1.0, 1.2)
    assert table.heard() == [], "not again at the release"


def test_a_chattering_contact_is_one_press(table: Table) -> None:
    table.drive("undo", 1.0, 1.002, 1.004, 1.009, 1.010, 1.5, 1.501, 1.502, 1.503, 1.504)
    assert table.heard() == ["undo"]


def test_two_quick_presses_are_two(table: Table) -> None:
    table.drive("undo", 1.0, 1.08, 1.16, 1.24)
    assert table.heard() == ["undo", "undo"]


def test_buttons_do_not_disturb_each_other(table: Table) -> None:
    table.drive("undo", 1.0)
    table.drive("hint", 1.001)
    table.drive("confirm", 1.002)
    assert table.heard() == ["undo", "hint", "confirm"]


def test_a_contact_is_pressed_when_it_closes_after_quiet() -> None:
    contact, pressed = Contact().edge(True, 0.0, 0.03)
    assert pressed
    contact, pressed = contact.edge(False, 0.5, 0.03)
    assert not pressed
    assert contact.edge(True, 0.52, 0.03) == (Contact(0.52), False)
    assert contact.edge(True, 0.54, 0.03) == (Contact(0.54), True)


def test_a_new_match_needs_a_held_button() -> None:
    table = Table(hold=0.003)
    table.drive("new", 1.0)
    assert table.words.get(timeout=5) == "new"
    with pytest.raises(Empty):
        table.words.get(timeout=0.01)
    table.panel.close()


def test_a_tap_makes_no_new_match(table: Table) -> None:
    table.drive("new", 1.0, 1.2)
    table.panel.close()
    assert table.heard() == []


def test_a_panel_closed_under_a_finger_says_nothing_more() -> None:
    table = Table(hold=0.03)
    table.drive("new", 1.0)
    time.sleep(0.005)  # until gpiozero's thread counts the hold
    table.panel.close()
    assert table.heard() == []


def test_closing_lets_go_of_the_pins_also_after_an_error_and_twice() -> None:
    gpio, words = MockFactory(), SimpleQueue[str]()
    with pytest.raises(ZeroDivisionError), Panel(words, PINS, PanelSettings(), pin_factory=gpio) as panel:
        raise ZeroDivisionError
    panel.close()
    again = open_panel(words, PINS, PanelSettings(), gpio, print)
    assert again is not None
    again.close()


def test_where_a_button_cannot_be_had_it_is_said_once() -> None:
    gpio, words, said = MockFactory(), SimpleQueue[str](), list[str]()
    assert open_panel(words, PINS, PanelSettings(), None, said.append) is None
    assert said == [], "that there is no GPIO was said when it was looked for"
    with Panel(words, PINS, PanelSettings(), pin_factory=gpio):
        assert open_panel(words, PINS, PanelSettings(), gpio, said.append) is None
    assert len(said) == 1
    assert said[0].startswith("the buttons cannot be used: pin GPIO16 is already in use")


# Pins that cannot be had


def test_where_a_pin_cannot_be_had_it_is_said_and_all_others_are_let_go() -> None:
    gpio, said = MockFactory(pin_class=MockPWMPin), list[str]()
    taken = Lights(replace(PINS, status_red=2, status_green=3, status_blue=4), LIGHTS, pin_factory=gpio)
    lights = open_lights(PINS, LIGHTS, gpio, said.append)
    assert isinstance(lights, NoLights)
    assert said == ["the lights cannot be used: pin GPIO5 is already in use by " + said[0].partition(" by ")[2]]
    assert said[0].endswith("continuing without them")
    taken.close()
    with Lights(PINS, LIGHTS, pin_factory=gpio):
        pass


def test_without_gpio_it_is_said_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    said = list[str]()

    def nothing_here() -> None:
        warnings.warn(PinFactoryFallback("Falling back from lgpio"), stacklevel=1)
        raise BadPinFactory("Unable to load\nany default pin factory!")

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setattr(Device, "ensure_pin_factory", nothing_here)
    gpio = find_gpio("gpio", said.append)
    with open_lights(PINS, LIGHTS, gpio, said.append) as lights:
        lights.show(Picture(RED))
        assert lights.value == Picture(RED)
    assert open_chain(SITES, replace(LIGHTS, chain=True), gpio, said.append) is None
    why = "this machine has no GPIO (Unable to load any default pin factory!)"
    assert said == [f"no lights or buttons: {why}; continuing without them"]


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The library of the pins, to be written; none was loaded before, nor is afterwards."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)
    gpio.load_lgpio.cache_clear()
    yield tmp_path / "lgpio.py"
    gpio.load_lgpio.cache_clear()
    monkeypatch.delitem(sys.modules, "lgpio", raising=False)


def test_the_library_of_the_pins_is_loaded_where_its_pipe_harms_nobody(
    lgpio: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lgpio.write_text("import os\nos.mkfifo('.lgd-nfy0')\nclass error(Exception): pass\n")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    errors = gpio_errors()
    assert sys.modules["lgpio"].error in errors
    assert Path.cwd() == tmp_path / "here"
    assert list(Path.cwd().iterdir()) == []


def test_where_the_library_of_the_pins_cannot_be_loaded_it_is_said(
    lgpio: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lgpio.write_text("raise FileNotFoundError(2, 'No such file or directory', '.lgd-nfy-3')\n")
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
    said = list[str]()
    assert find_gpio("gpio", said.append) is None
    assert len(said) == 1
    assert said[0].startswith("no lights or buttons: ")


def test_lights_that_are_not_wanted_are_not_looked_for() -> None:
    said = list[str]()
    assert find_gpio("none", said.append) is None
    assert said == ["lights and buttons are off, as requested: follow the match on the screen"]


def test_a_chain_is_opened_only_where_the_settings_name_one(monkeypatch: pytest.MonkeyPatch) -> None:
    gpio, said = MockFactory(), list[str]()
    monkeypatch.setattr(Device, "pin_factory", gpio)  # where gpiozero's SPI in software looks for it
    assert open_chain(SITES, LIGHTS, gpio, said.append) is None
    chain = open_chain(SITES, replace(LIGHTS, chain=True), gpio, said.append)
    assert chain is not None
    assert open_chain(SITES, replace(LIGHTS, chain=True), gpio, said.append) is None, "the wires are taken"
    assert len(said) == 1
    chain.close()


# The plan


def test_the_plan_names_every_pin_once() -> None:
    plan = dict(PINS)
    assert plan["players[3]"] == 19
    assert len(plan) == 3 + 4 + 4
    assert len({*plan.values(), *SPI0.values()}) == len(plan) + len(SPI0)


def test_the_header_is_the_one_gpiozero_knows() -> None:
    header = MockFactory(revision="c04170").board_info.headers["J8"]
    places = {int(pin.name[4:]): pin.number for pin in header.pins.values() if pin.name.startswith("GPIO")}
    assert {gpio: place for gpio, place in places.items() if gpio > 1} == HEADER


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"undo": 16}, "GPIO 16 is used twice, by confirm and undo"),
        ({"players": (5, 5)}, r"GPIO 5 is used twice, by players\[0\] and players\[1\]"),
        ({"hint": 10}, "pins.hint: GPIO 10 is reserved for the light chain"),
        ({"new": 28}, "pins.new: GPIO 28 cannot be used"),
        ({"status_red": 1}, "pins.status_red: GPIO 1 cannot be used"),
        ({"players": (2, 3, 4, 5, 6)}, "at most 4, not 5"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(change: dict[str, int], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        replace(PINS, **change)
