"""Which pin does what, as data: the lights and buttons are opened from it, and the wiring pages are drawn from it.

Numbers are the BCM ones (`GPIO17`), as gpiozero and the Pi's own `pinout` use them: the same on Pi 4, 5 and Zero 2 W.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import chdir, suppress
from dataclasses import dataclass, fields
from functools import cache
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

Opened = TypeVar("Opened")
Say = Callable[[str], object]

HEADER = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""For every usable GPIO its place on the 40-pin header. GPIO 0 and 1 belong to the boards that are plugged on top."""

SPI0 = {"data": 10, "clock": 11, "select": 8, "miso": 9, "select 2": 7}
"""The pins that the kernel takes when SPI is on. The light chain uses data and clock; the others stay unconnected."""

MOST_PLAYERS = 4


@dataclass(frozen=True, kw_only=True)
class Pins:
    """The pin plan: `[pins]` in the settings file changes single ones."""

    status_red: int = 17
    status_green: int = 27
    status_blue: int = 22
    players: tuple[int, ...] = (5, 6, 13, 19)
    """One LED a seat, in seat order: red, yellow, green, blue."""
    confirm: int = 16
    undo: int = 20
    hint: int = 21
    new: int = 26

    def __post_init__(self) -> None:
        if len(self.players) > MOST_PLAYERS:
            raise ValueError(f"pins.players: there are at most {MOST_PLAYERS}, not {len(self.players)}")
        used = Counter(pin for _, pin in self)
        for name, pin in self:
            if pin not in HEADER:
                raise ValueError(f"pins.{name}: there is no GPIO {pin} to use; take one of 2 to 27")
            if pin in SPI0.values():
                raise ValueError(f"pins.{name}: GPIO {pin} is kept for the light chain (SPI0); take another")
            if used[pin] > 1:
                both = " and ".join(each for each, number in self if number == pin)
                raise ValueError(f"pins: GPIO {pin} is taken twice, by {both}; give each its own")

    def __iter__(self) -> Iterator[tuple[str, int]]:
        """Every pin with what it is for, in the plan's order."""
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, tuple):
                yield from ((f"{each.name}[{seat}]", pin) for seat, pin in enumerate(value))
            else:
                yield each.name, value

    @property
    def status(self) -> tuple[int, int, int]:
        return self.status_red, self.status_green, self.status_blue


def find_gpio(choice: str, say: Say) -> Any:  # noqa: ANN401 - gpiozero has no types
    """The factory of this machine's pins; None, said once, where there are none or `choice` is `none`."""
    if choice == "none":
        say("no lights or buttons, as asked: the screen shows everything")
        return None
    from gpiozero import Device  # type: ignore[import-untyped]
    from gpiozero.exc import PinWarning  # type: ignore[import-untyped]

    _lgpio()
    try:
        with warnings.catch_warnings():
            # gpiozero warns of every library that it tries in vain; one line of ours says what counts.
            warnings.simplefilter("ignore", PinWarning)
            Device.ensure_pin_factory()
    except gpio_errors() as error:
        say(f"no lights or buttons: this machine has no GPIO ({' '.join(str(error).split())}); going on without")
        return None
    return Device.pin_factory


def gpio_errors() -> tuple[type[Exception], ...]:
    """What opening a pin can raise. lgpio's own error is no relation of gpiozero's."""
    from gpiozero.exc import GPIOZeroError, GPIOZeroWarning

    known: tuple[type[Exception], ...] = (GPIOZeroError, GPIOZeroWarning, ImportError, OSError)
    lgpio = _lgpio()
    return known if lgpio is None else (*known, lgpio.error)


@cache
def _lgpio() -> Any:  # noqa: ANN401 - has no types
    """The library of the pins, if it is there.

    It makes a pipe in the working folder when it is first loaded, and cannot be loaded where nobody may write, as by a
    service. So it is loaded from a folder of its own, which is gone afterwards.
    """
    with suppress(ImportError, OSError), TemporaryDirectory() as folder, chdir(folder):
        return import_module("lgpio")
    return None


def opened(what: str, make: Callable[[], Opened], say: Say) -> Opened | None:
    """A device; None, and said, where its pins cannot be had (taken by another program, SPI switched off)."""
    try:
        return make()
    except gpio_errors() as error:
        say(f"{what} cannot be used: {' '.join(str(error).split())}; going on without")
        return None
