"""The machine's pins, opened one device at a time; a device that is not available is reported and left out."""

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
    """The pin factory of this machine; None, with a message, if there are no pins or `choice` is `none`."""
    if choice == "none":
        say("lights and buttons are off, as requested: follow the match on the screen")
        return None
    from gpiozero import Device  # type: ignore[import-untyped]
    from gpiozero.exc import PinWarning  # type: ignore[import-untyped]

    load_lgpio()
    try:
        with warnings.catch_warnings():
            # gpiozero warns about every library it fails to load; our one line is enough.
            warnings.simplefilter("ignore", PinWarning)
            Device.ensure_pin_factory()
    except gpio_errors() as error:
        say(f"no lights or buttons: this machine has no GPIO ({' '.join(str(error).split())}); continuing without them")
        return None
    return Device.pin_factory


def gpio_errors() -> tuple[type[Exception], ...]:
    """What opening a pin can raise. lgpio's own error is not derived from gpiozero's."""
    from gpiozero.exc import GPIOZeroError, GPIOZeroWarning

    known: tuple[type[Exception], ...] = (GPIOZeroError, GPIOZeroWarning, ImportError, OSError)
    lgpio = load_lgpio()
    return known if lgpio is None else (*known, lgpio.error)


@cache
def load_lgpio() -> Any:  # noqa: ANN401 - has no types
    """The pin library, if it is installed.

    It creates a pipe in the working folder when first loaded, and fails to load where that is read-only, as for a
    service. So it is loaded from a temporary folder.
    """
    with suppress(ImportError, OSError), TemporaryDirectory() as folder, chdir(folder):
        return import_module("lgpio")
    return None


def opened(what: str, make: Callable[[], Opened], say: Say) -> Opened | None:
    """A device; None, with a message, if its pins are not available (used by another program, SPI off)."""
    try:
        return make()
    except gpio_errors() as error:
        say(f"{what} cannot be used: {' '.join(str(error).split())}; continuing without them")
        return None
