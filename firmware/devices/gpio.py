"""The machine's pins: found, and opened one device at a time; what cannot be had is said, and goes without."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import chdir, suppress
from functools import cache
from importlib import import_module
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from firmware.machine.errors import Say

Opened = TypeVar("Opened")


def find_gpio(choice: str, say: Say) -> Any:  # noqa: ANN401 - gpiozero has no types
    """The factory of this machine's pins; None, said once, where there are none or `choice` is `none`."""
    if choice == "none":
        say("no lights or buttons, as asked: the screen shows everything")
        return None
    from gpiozero import Device  # type: ignore[import-untyped]
    from gpiozero.exc import PinWarning  # type: ignore[import-untyped]

    load_lgpio()
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
    lgpio = load_lgpio()
    return known if lgpio is None else (*known, lgpio.error)


@cache
def load_lgpio() -> Any:  # noqa: ANN401 - has no types
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
