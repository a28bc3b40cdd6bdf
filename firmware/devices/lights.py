"""The lights at the table: a status LED and one for every player, or none, or drawn in a terminal."""

from __future__ import annotations

from contextlib import ExitStack
from math import floor, sqrt
from types import TracebackType
from typing import Any

from engine.core import COLOURS
from firmware.devices.gpio import opened
from firmware.devices.signals import BLACK, GLOW, SEATS, Picture, Rgb, dimmed
from firmware.machine.errors import Say
from firmware.settings.config import LightSettings
from firmware.settings.pins import Pins

DIMMEST = 0.01
"""The least brightness of a lit light: the pins have a resolution of one hundredth."""


def drawn(shown: Picture, ansi: bool = True) -> str:
    """The lights as one line for a terminal."""
    seats = [
        f"{_dot(dimmed(SEATS[name], level), ansi)} {name}" for name, level in zip(COLOURS, shown.players, strict=False)
    ]
    return f"{_dot(shown.status, ansi)} status   " + "  ".join(seats)


def _dot(colour: Rgb, ansi: bool) -> str:
    dot = "●" if max(colour) > GLOW else "○"
    if not ansi:
        return dot
    # A screen is much darker than an LED at low levels: the square root is close to how the LED looks.
    red, green, blue = (floor(60 + 195 * sqrt(level)) for level in colour)
    return f"\x1b[38;2;{red};{green};{blue}m{dot}\x1b[0m"


class NoLights:
    """Stands in for lights: remembers what would be shown."""

    value = Picture()

    def show(self, shown: Picture) -> None:
        self.value = shown

    def close(self) -> None:
        self.value = Picture()

    def __enter__(self) -> NoLights:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Lights:
    """A status RGB LED and an LED for every player.

    Wiring: every LED leg to its GPIO through a resistor of its own (330 Ω; 3.3 V leave red about 4 mA, green and blue
    about 1 mA, and a pin gives 16 mA at most); the RGB LED's common leg to ground (common cathode) or, with
    `common_anode`, to 3.3 V; the players' short legs to ground. An active buzzer
    takes more than a pin gives: it hangs between 3.3 V and the collector of an NPN transistor (BC547), emitter to
    ground, base to the GPIO through 1 kΩ. Which pin is which: `firmware/settings/pins.py`.
    """

    def __init__(self, pins: Pins, settings: LightSettings, *, pin_factory: Any) -> None:  # noqa: ANN401
        from gpiozero import LED, PWMLED, RGBLED, Buzzer  # type: ignore[import-untyped]

        self._limit = settings.brightness if settings.pwm else None
        self._shown = Picture(BLACK, (0.0,) * len(pins.players))
        one = PWMLED if settings.pwm else LED
        with ExitStack() as devices:
            status = RGBLED(
                *pins.status, active_high=not settings.common_anode, pwm=settings.pwm, pin_factory=pin_factory
            )
            self._status = devices.enter_context(status)
            self._players = [devices.enter_context(one(pin, pin_factory=pin_factory)) for pin in pins.players]
            self._buzzers = [devices.enter_context(Buzzer(pin, pin_factory=pin_factory)) for pin in pins.buzzer]
            self._devices = devices.pop_all()

    @property
    def value(self) -> Picture:
        """What is on the pins now, after limiting the brightness."""
        return self._shown

    def show(self, shown: Picture) -> None:
        """Show exactly this; players without a light are skipped, lights without a player are dark."""
        from gpiozero import DeviceClosed

        if self._status.closed:
            raise DeviceClosed("the lights are closed")
        red, green, blue = map(self._level, shown.status)
        seats = [*shown.players, *(0.0 for _ in self._players)]
        wanted = Picture((red, green, blue), tuple(map(self._level, seats[: len(self._players)])), shown.buzz)
        if wanted == self._shown:
            return
        self._status.value = wanted.status
        for light, level in zip(self._players, wanted.players, strict=True):
            light.value = level
        for buzzer in self._buzzers:
            buzzer.value = wanted.buzz
        self._shown = wanted

    def _level(self, wanted: float) -> float:
        if self._limit is None:
            return float(wanted >= 0.5)
        return max(DIMMEST, wanted * self._limit) if wanted else 0.0

    def close(self) -> None:
        """Go dark and release the pins; may be called twice."""
        if self._status.closed:
            return
        # Written even if it should already be dark: a write may have failed half-way.
        with self._devices:
            for device in (self._status, *self._players, *self._buzzers):
                device.off()
        self._shown = Picture(BLACK, (0.0,) * len(self._players))

    def __enter__(self) -> Lights:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_lights(pins: Pins, settings: LightSettings, gpio: Any, say: Say) -> Lights | NoLights:  # noqa: ANN401
    """The lights on these pins (`find_gpio`), or none."""
    if gpio is None:
        return NoLights()
    return opened("the lights", lambda: Lights(pins, settings, pin_factory=gpio), say) or NoLights()
