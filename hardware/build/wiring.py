"""The wiring as data: which header pin goes to which part, made from the firmware's own pin plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.core import COLOURS

GROUNDS = (6, 9, 14, 20, 25, 30, 34, 39)
SUPPLY_3V3, SUPPLY_5V = (1, 17), (2, 4)
CAPS = {"confirm": "green", "undo": "yellow", "hint": "blue", "new": "red"}
"""The colour of each button's cap."""
BUILDS = ("bare", "table", "deluxe")
NOWHERE = "open"
CHIP = {
    1: ("1OE", "ground"), 2: ("1A", "chain data"), 3: ("1Y", "DI"),
    4: ("2OE", "ground"), 5: ("2A", "chain clock"), 6: ("2Y", "CI"), 7: ("GND", "ground"),
    8: ("3Y", NOWHERE), 9: ("3A", "ground"), 10: ("3OE", "plus"),
    11: ("4Y", NOWHERE), 12: ("4A", "ground"), 13: ("4OE", "plus"), 14: ("VCC", "plus"),
}  # fmt: skip
"""The legs of the 74AHCT125 and where each goes. An enable is on when low: those of the two buffers in use go to
ground, those of the two that idle to VCC; no input may float."""


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire from the header."""

    name: str
    """As the plan calls it: `status_red`, `players[0]`, `confirm`, `chain data`."""
    gpio: int
    header: int
    kind: str
    """`rgb`, `led`, `button`, `buzzer` or `chain`."""
    colour: str
    """Of the light or of the button's cap."""


def wires(build: str, pins: Iterable[tuple[str, int]], header: Mapping[int, int], spi: Mapping[str, int]) -> list[Wire]:
    """The wires of a build. `pins` is the firmware's plan, `header` its places, `spi` the pins of the chain."""
    if build == "bare":
        return []
    made = [Wire(name, gpio, header[gpio], *_part(name)) for name, gpio in pins]
    if build == "deluxe":
        made += [Wire(f"chain {name}", spi[name], header[spi[name]], "chain", "") for name in ("data", "clock")]
    return made


def _part(name: str) -> tuple[str, str]:
    if name.startswith("status_"):
        return "rgb", name.removeprefix("status_")
    if name.startswith("players["):
        return "led", COLOURS[int(name[len("players[") : -1])]
    if name.startswith("buzzer["):
        return "buzzer", ""
    return "button", CAPS[name]
