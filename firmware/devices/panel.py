"""Buttons: a press becomes a command on the queue of the thread that owns the table."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from firmware.devices.gpio import opened
from firmware.machine.errors import Say
from firmware.settings.config import PanelSettings
from firmware.settings.pins import Pins

PRESSED = ("confirm", "undo", "hint")
"""Commands of the buttons that act when pressed …"""
HELD = "new"
"""… and for the one that must be held, because it ends a match."""
OFF, OFF_BY = "off", "hint"
"""The command for switching the table off, and the button that sends it when held long and released; its own command,
sent first, does no harm."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A switch, judged by its edges: it bounces for a while whenever it closes or opens."""

    changed: float = float("-inf")
    """When it last changed."""

    def edge(self, down: bool, now: float, bounce: float) -> tuple[Contact, bool]:
        """The contact after an edge, and whether that was a press: closed after a quiet spell."""
        return Contact(now), down and now - self.changed >= bounce


class Panel:
    """Four buttons: confirm/next, undo, hint, and new match, which must be held. Hint held long switches off.

    Wiring: every button between its GPIO and ground; the Pi's own pull-up holds the pin high until the button is
    pressed. No resistor, no capacitor. Which pin is which: `firmware/settings/pins.py`.
    """

    def __init__(
        self,
        words: SimpleQueue[str],
        pins: Pins,
        settings: PanelSettings,
        *,
        pin_factory: Any,  # noqa: ANN401
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        from gpiozero import Button, DigitalInputDevice  # type: ignore[import-untyped]

        self._words = words
        self._bounce, self._off = settings.bounce, settings.off
        self._down_since: float | None = None
        self._clock = clock
        self._contacts = dict.fromkeys(PRESSED, Contact())
        self._closed = False
        with ExitStack() as buttons:
            for word in PRESSED:
                # Not gpiozero's Button: each has a thread that waits for a hold, and closing waits for the thread.
                button = DigitalInputDevice(getattr(pins, word), pull_up=True, pin_factory=pin_factory)
                buttons.enter_context(button)
                button.when_activated = partial(self._edge, word, True)
                button.when_deactivated = partial(self._edge, word, False)
            held = buttons.enter_context(Button(getattr(pins, HELD), hold_time=settings.hold, pin_factory=pin_factory))
            held.when_held = self._held
            self._buttons = buttons.pop_all()

    def _edge(self, word: str, down: bool) -> None:
        now = self._clock()
        self._contacts[word], pressed = self._contacts[word].edge(down, now, self._bounce)
        if pressed:
            self._words.put(word)
        if word == OFF_BY:
            self._watch_long(down, pressed, now)

    def _watch_long(self, down: bool, pressed: bool, now: float) -> None:
        """Decide when the button is released, so that no thread has to count."""
        if pressed:
            self._down_since = now
        elif not down and self._down_since is not None and now - self._down_since >= self._bounce:
            held, self._down_since = now - self._down_since, None
            if 0 < self._off <= held:
                self._words.put(OFF)

    def _held(self) -> None:
        # gpiozero's thread may come to the end of the hold while the panel is being closed.
        if not self._closed:
            self._words.put(HELD)

    def close(self) -> None:
        """Release the pins; may be called twice."""
        self._closed = True
        self._buttons.close()

    def __enter__(self) -> Panel:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_panel(
    words: SimpleQueue[str],
    pins: Pins,
    settings: PanelSettings,
    gpio: Any,  # noqa: ANN401
    say: Say,
) -> Panel | None:
    """The buttons on these pins (`find_gpio`), if available."""
    if gpio is None:
        return None
    return opened("the buttons", lambda: Panel(words, pins, settings, pin_factory=gpio), say)
