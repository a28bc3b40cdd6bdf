"""Lights and buttons tried with a person who answers as a test says."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from firmware.devices.chain import Chain
from firmware.devices.lights import Lights, NoLights
from firmware.devices.panel import Panel
from firmware.devices.signals import Rgb
from firmware.doctor.findings import Verdict, is_well
from firmware.doctor.trial import try_buttons, try_buzzer, try_chain, try_lights
from firmware.settings.config import LightSettings, PanelSettings
from firmware.settings.pins import Pins

PINS = Pins()
SITES = ("T1", "T2", "T3")


def test_every_light_is_lit_alone_and_out_again() -> None:
    factory = MockFactory(pin_class=MockPWMPin)
    lit = []

    def ask(question: str) -> bool:
        lit.append({name for name, pin in PINS if factory.pin(pin).state > 0})
        return True

    with Lights(PINS, LightSettings(), pin_factory=factory) as lights:
        findings = list(try_lights(lights, 4, ask))
        assert all(factory.pin(pin).state == 0 for name, pin in PINS if name.startswith(("status", "players")))
    names = ["status_red", "status_green", "status_blue", *(f"players[{seat}]" for seat in range(4))]
    assert lit == [{name} for name in names]
    assert len(findings) == 7
    assert is_well(findings)


def test_a_light_that_is_not_seen_fails_and_names_its_pin() -> None:
    findings = try_lights(NoLights(), 4, lambda question: "green player" not in question)
    failed = [finding for finding in findings if finding.verdict is Verdict.FAIL]
    assert [finding.check for finding in failed] == ["light green"]
    assert "players[2]" in failed[0].todo


@pytest.mark.parametrize("is_heard", [True, False])
def test_a_buzzer_sounds_while_it_is_asked_about(is_heard: bool) -> None:
    factory, sounding = MockFactory(pin_class=MockPWMPin), []

    def ask(_: str) -> bool:
        sounding.append(factory.pin(12).state > 0)
        return is_heard

    with Lights(Pins(buzzer=(12,)), LightSettings(), pin_factory=factory) as lights:
        (finding,) = try_buzzer(lights, 4, ask)
        assert not factory.pin(12).state
    assert sounding == [True]
    assert finding.verdict is (Verdict.PASS if is_heard else Verdict.FAIL)


def test_each_button_is_asked_for_by_its_colour() -> None:
    factory, words, told = MockFactory(), SimpleQueue[str](), []
    with Panel(words, PINS, PanelSettings(hold=0.001), pin_factory=factory) as _:

        def press() -> str | None:
            word = next(name for name in ("confirm", "undo", "hint", "new") if f"({name})" in told[-1])
            factory.pin(getattr(PINS, word)).drive_low()
            return words.get(timeout=5)

        findings = list(try_buttons(("confirm", "undo", "hint", "new"), press, told.append))
    assert is_well(findings)
    assert told == [
        "Press the green button (confirm) …",
        "Press the yellow button (undo) …",
        "Press the blue button (hint) …",
        "Hold the red button (new) …",
    ]


def presses(*words: str | None) -> Callable[[], str | None]:
    script = iter(words)
    return lambda: next(script)


def test_buttons_that_are_exchanged_or_dead() -> None:
    exchanged, dead = try_buttons(("undo", "hint"), presses("hint", None), lambda _: None)
    assert exchanged.verdict is dead.verdict is Verdict.FAIL
    assert "Swap" in exchanged.todo
    assert "ground" in dead.todo


class Wire:
    """The far end of the SPI bus."""

    closed = False

    def __init__(self) -> None:
        self.sent: list[list[int]] = []

    def transfer(self, data: list[int]) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed = True


class Spi:
    def __init__(self) -> None:
        self.wire = Wire()

    def spi(self, **_: int) -> Wire:
        return self.wire


@pytest.mark.parametrize(("answers", "well"), [((True, True), True), ((True, False), False)])
def test_the_chain_shows_its_ends(answers: tuple[bool, bool], well: bool) -> None:
    factory, script, lit = Spi(), iter(answers), []
    with Chain(SITES, LightSettings(chain=True), pin_factory=factory) as chain:

        def ask(question: str) -> bool:
            lit.append(dict[str, Rgb](chain.value))
            return next(script)

        findings = list(try_chain(chain, SITES, ask))
        assert chain.value == {}
    assert [list(shown) for shown in lit] == [["T1"], ["T3"]]
    assert is_well(findings) is well
    assert well or "3 lights" in findings[1].todo
