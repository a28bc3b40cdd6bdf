"""A light at every site: an APA102 chain on SPI, addressed by site names."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from types import TracebackType
from typing import Any

from engine.face import Face
from firmware.devices.gpio import opened
from firmware.devices.signals import BLACK, BLINKS, BLUE, GREEN, SEATS, WHITE, Mood, Rgb, Status
from firmware.machine.errors import Say
from firmware.settings.config import LightSettings
from firmware.settings.pins import SPI0

IDLE_MA, CHANNEL_MA = 1.0, 20.0
"""Milliamperes of one dark light, and extra for each of its three channels at full (APA102 data sheet)."""
STEPS = 31
"""A light's own brightness has five bits."""

OWN: Rgb = (0.06, 0.06, 0.06)
TARGET: Rgb = (0.0, 0.6, 0.6)
HINT: Rgb = (1.0, 0.0, 1.0)
HINT_SECONDS = 0.75
"""Seconds between magenta and white for a hint, so that it differs from a target even without colours."""
UNLIKE_PIECES: Mapping[Rgb, Rgb] = {GREEN: WHITE, BLUE: HINT}
"""A ring lit in pure green or blue round a free site is easily taken for a piece: the sites show these instead."""


def board_lights(
    mood: Mood, now: float, *, own: Iterable[str] = (), targets: Iterable[str] = (), hints: Iterable[str] = ()
) -> dict[str, Rgb]:
    """What the sites show: the sites the mood is about blink like the status light, over everything else.

    `own` are the figures of the player to move, `targets` where a lifted figure may go, `hints` the sites of a hint.
    """
    age = max(now - mood.since, 0.0)
    shown: dict[str, Rgb] = {}
    if mood.status is Status.LOST:
        return shown
    shown |= dict.fromkeys(own, OWN)
    shown |= dict.fromkeys(targets, TARGET)
    shown |= dict.fromkeys(hints, HINT if age % (2 * HINT_SECONDS) < HINT_SECONDS else WHITE)
    blink = BLINKS.get(mood.status)
    if blink is not None and not blink.is_over(age):
        colour = UNLIKE_PIECES.get(blink.colour, blink.colour)
        shown |= dict.fromkeys(mood.sites, colour if blink.is_lit(age) else BLACK)
    return shown


def rebuilding_lights(missing: Mapping[str, Face]) -> dict[str, Rgb]:
    """Where pieces have to be put back, each in its colour."""
    return {site: SEATS.get(face.kind, WHITE) for site, face in missing.items()}


def apa102_bytes(colours: Sequence[Rgb], brightness: float) -> bytes:
    """The wire format of a whole chain, its first light first.

    32 zero bits start it; a light is 111 and five bits of brightness, then blue, green and red. Each light passes the
    data on half a clock late, so half a clock a light must follow; and SK9822, sold as APA102, take over what they hold
    only at 32 more zero bits. The tail is zeros, not ones, which a longer chain would show as a white light.
    """
    step = min(ceil(brightness * STEPS), STEPS)
    # The coarse steps round up, the fine levels make up for it and round down: never brighter than asked.
    share = brightness * STEPS / step if step else 0.0
    lights = bytearray(4)
    for red, green, blue in colours:
        lights.append(0b11100000 | step)
        lights.extend(int(255 * share * level) for level in (blue, green, red))
    return bytes(lights) + bytes(4 + ceil(len(colours) / 16))


def current_ma(colours: Sequence[Rgb], brightness: float) -> float:
    """What the chain draws, in milliamperes."""
    return len(colours) * IDLE_MA + CHANNEL_MA * brightness * sum(map(sum, colours))


def affordable(colours: Sequence[Rgb], brightness: float, budget_ma: float) -> float:
    """The brightness, lowered as far as the budget requires."""
    full = current_ma(colours, 1.0) - len(colours) * IDLE_MA
    spare = max(budget_ma - len(colours) * IDLE_MA, 0.0)
    return brightness if full * brightness <= spare else spare / full


class Chain:
    """An APA102 (or SK9822) chain with one light at every site, in the order of the board's sites.

    Wiring: data to GPIO10 (MOSI, header 19), clock to GPIO11 (SCLK, header 23), both through a 74AHCT125 level shifter
    that runs on the chain's 5 V, because 3.3 V is too low for many lights. 5 V and ground from a supply of its own
    behind a slow fuse (`hardware/build/electrics.py` works it out), ground joined with the Pi's; 1000 µF across the
    chain's supply. `dtparam=spi=on` in config.txt. The chip-select pins stay unconnected. The same on Pi 4 and 5.
    """

    def __init__(self, sites: Iterable[str], settings: LightSettings, *, pin_factory: Any) -> None:  # noqa: ANN401
        from gpiozero import SPISoftwareFallback  # type: ignore[import-untyped]

        self._order = tuple(sites)
        self._settings = settings
        self._shown: dict[str, Rgb] = {}
        wires = {"clock_pin": SPI0["clock"], "mosi_pin": SPI0["data"]}
        with warnings.catch_warnings():
            # Bit-banging in Python takes a quarter of a second per picture: better no chain than a slow one.
            warnings.simplefilter("error", SPISoftwareFallback)
            self._spi = pin_factory.spi(**wires, miso_pin=SPI0["miso"], select_pin=SPI0["select"])
        self.show({})

    @property
    def value(self) -> Mapping[str, Rgb]:
        """What is shown, before any limit; other sites are dark."""
        return dict(self._shown)

    def show(self, colours: Mapping[str, Rgb]) -> None:
        """Light exactly these sites; every other light goes out."""
        from gpiozero import DeviceClosed

        if strangers := colours.keys() - set(self._order):
            raise ValueError(f"there is no light at {', '.join(sorted(strangers))}")
        if self._spi.closed:
            raise DeviceClosed("the light chain is closed")
        row = [colours.get(site, BLACK) for site in self._order]
        brightness = affordable(row, self._settings.brightness, self._settings.budget_ma)
        self._spi.transfer(list(apa102_bytes(row, brightness)))
        self._shown = dict(colours)

    def close(self) -> None:
        """Go dark and release the pins; may be called twice."""
        if self._spi.closed:
            return
        try:
            self.show({})
        finally:
            self._spi.close()

    def __enter__(self) -> Chain:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_chain(sites: Iterable[str], settings: LightSettings, gpio: Any, say: Say) -> Chain | None:  # noqa: ANN401
    """The chain, if the settings have one and it is available."""
    if gpio is None or not settings.chain:
        return None
    return opened("the light chain", lambda: Chain(sites, settings, pin_factory=gpio), say)
