"""The buzzer in the wiring diagram: it takes more than a pin gives, so a transistor switches it."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.build.svg import INK, PAPER, Spot, box, dot, line, text

ROOM = 110.0
"""How far its drawing stands above the level of its wire …"""
DROP = 34.0
"""… and how far below that ground leaves it."""
BASE = "1 kΩ"
WORDS = {
    "en": {"name": "active buzzer, 3 V", "supply": "+ to 3.3 V (pin 1)"},
    "de": {"name": "aktiver Summer, 3 V", "supply": "+ an 3,3 V (Stift 1)"},
}


def draw_buzzer(at: Spot, bus: float, language: str, paint: str, ground: str, supply: str) -> Iterator[str]:
    """`at` is where the wire from the header ends, `bus` where ground runs down."""
    (x, y), words = at, WORDS[language]
    middle, top = x + 100, y - 62
    yield line([(x, y), (x + 18, y)], paint, 3)
    yield box((x + 18, y - 9), (50, 18), fill="#f6efe2", stroke=INK, rounding=4)
    yield text((x + 43, y + 5), BASE, 12.5, INK, "middle")
    yield line([(x + 68, y), (middle - 10, y)], paint, 3)
    yield line([(middle, top), (middle, y - 12), (middle - 10, y - 4)], INK, 2.5)
    yield line([(middle - 10, y + 4), (middle, y + 12), (middle, y + DROP), (bus, y + DROP)], ground, 3, halo=True)
    yield line([(middle - 10, y - 13), (middle - 10, y + 13)], INK, 4)
    for name, place in (("B", (middle - 20, y - 6)), ("C", (middle + 5, y - 14)), ("E", (middle + 5, y + 22))):
        yield text(place, name, 11, INK)
    yield text((middle + 8, y + 5), "BC547", 12.5, INK)
    yield dot((bus, y + DROP), 4.5, ground)
    yield line([(middle, top), (middle, top - 34)], supply, 3)
    yield dot((middle, top - 4), 15, PAPER, INK)
    yield text((middle, top + 1), "♪", 15, INK, "middle")
    yield text((middle - 20, top), words["name"], 13, INK, "end", bold=True)
    yield text((middle - 8, top - 28), words["supply"], 12.5, supply, "end")
