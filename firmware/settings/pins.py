"""Which pin does what, as data: lights and buttons are opened from it, and the wiring pages are drawn from it.

Numbers are the BCM ones (`GPIO17`), as gpiozero and the Pi's own `pinout` use them: the same on Pi 4, 5 and Zero 2 W.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields

HEADER = {
    2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32, 13: 33, 14: 8, 15: 10,
    16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16, 24: 18, 25: 22, 26: 37, 27: 13,
}  # fmt: skip
"""For every usable GPIO its pin on the 40-pin header. GPIO 0 and 1 are reserved for add-on boards."""

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
    """One LED per seat, in seat order: red, yellow, green, blue."""
    confirm: int = 16
    undo: int = 20
    hint: int = 21
    new: int = 26
    buzzer: tuple[int, ...] = ()
    """One active buzzer behind a transistor that beeps when something is not allowed, or none."""

    def __post_init__(self) -> None:
        if len(self.buzzer) > 1:
            raise ValueError(f"pins.buzzer: there can be at most one, not {len(self.buzzer)}")
        if len(self.players) > MOST_PLAYERS:
            raise ValueError(f"pins.players: there can be at most {MOST_PLAYERS}, not {len(self.players)}")
        used = Counter(pin for _, pin in self)
        for name, pin in self:
            if pin not in HEADER:
                raise ValueError(f"pins.{name}: GPIO {pin} cannot be used; choose one from 2 to 27")
            if pin in SPI0.values():
                raise ValueError(f"pins.{name}: GPIO {pin} is reserved for the light chain (SPI0); choose another")
            if used[pin] > 1:
                both = " and ".join(each for each, number in self if number == pin)
                raise ValueError(f"pins: GPIO {pin} is used twice, by {both}; give each its own pin")

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
