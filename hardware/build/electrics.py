"""Volts, ohms and milliamperes: resistors, what a pin gives, what the chain draws, and the fuse before it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose

LOGIC = 3.3
"""Volts of a pin that is on."""
PIN_MOST, HEADER_MOST = 16.0, 50.0
"""Milliamperes that one pin, and all pins together, may give on a Pi."""
FORWARD = {"red": 1.9, "yellow": 2.0, "green": 2.1, "green (InGaN)": 3.0, "blue": 3.0}
"""Volts that an LED keeps; those of an RGB LED are InGaN in green and blue."""
EITHER_GREEN = 150.0
"""Ohms before a single green LED, which is of either kind and seldom says which: about 2 mA of InGaN, which is much
the brighter, and 8 mA of the old kind; both are seen, and neither asks too much of a pin."""
E12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
FUSES = (0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 2.5, 3.15, 4.0, 5.0, 6.3, 10.0)
"""Amperes of the usual slow fuses 5 x 20 mm (IEC 60127-2, sheet 3)."""
BLOWS = 2.75
"""Times its rating at which such a fuse has blown after ten seconds at most; at 2.1 times it may take two minutes."""
CARRIES = 0.7
"""Of its rating that a fuse should carry for hours: more ages it."""
SUPPLIES = (1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 10.0)
"""Amperes of the usual 5 V supplies."""


def current(forward: float, ohms: float, volts: float = LOGIC) -> float:
    """Milliamperes through an LED behind a resistor."""
    return max(volts - forward, 0.0) / ohms * 1000


def resistor(forward: float, milliamperes: float, volts: float = LOGIC) -> float:
    """The next larger resistor of the usual row (E12) that lets no more than this pass, in ohms."""
    least = (volts - forward) / milliamperes * 1000
    decade = 1.0
    while True:
        for step in E12:
            value = step * decade
            if value > least or isclose(value, least):
                return value
        decade *= 10


@dataclass(frozen=True, slots=True)
class Budget:
    """The power of a chain: milliamperes unless said otherwise."""

    lights: int
    full: float
    """With every light white and full: what must never happen on a small supply."""
    limit: float
    """What the program lets it draw (`lights.budget_ma`)."""
    fuse: float
    """Amperes."""
    supply: float
    """Amperes of the chain's own 5 V supply."""


def chain_budget(lights: int, limit: float, idle: float, channel: float) -> Budget:
    """`idle` and `channel`: what one light draws when dark, and more for each of its three channels."""
    full = lights * (idle + 3 * channel)
    drawn = min(full, limit)
    fuse = _next(FUSES, drawn / 1000 / CARRIES)
    # A supply that cannot give what blows the fuse makes the fuse useless: its wires would glow behind it.
    return Budget(lights, full, limit, fuse, _next(SUPPLIES, BLOWS * fuse))


def _next(row: Iterable[float], least: float) -> float:
    return next((value for value in row if value >= least), max(row))


def pins_total(colours: Iterable[str], ohms: float) -> float:
    """Milliamperes that all these LEDs draw together when full: the header's pins must stand it."""
    return sum(current(FORWARD[colour], ohms) for colour in colours)
