"""The light chain's part of the wiring diagram: level shifter, fuse, supply, capacitor, lights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hardware.build.electrics import Budget
from hardware.build.svg import FAINT, INK, SOFT, Spot, box, dot, line, text
from hardware.build.wiring import Wire

BLOCK = 226.0
"""Height that it takes."""
VOLTS_5, GROUND = "#b3202a", "#3a4147"
LIGHT = ("#d0202e", "#17853b", "#1f55c4", "#d9a400")

WORDS = {
    "en": {"supply": "5 V supply", "fuse": "fuse {fuse}", "more": "… an APA102", "where": "at every site",
           "shift": "74AHCT125: all its pins on the right; 100 nF across 14 and 7"},
    "de": {"supply": "Netzteil 5 V", "fuse": "Sich. {fuse}", "more": "… ein APA102", "where": "an jedem Platz",
           "shift": "74AHCT125: alle Stifte rechts; 100 nF zwischen 14 und 7"},
}  # fmt: skip


def draw_chain(
    pair: tuple[Wire, Wire],
    top: float,
    leave: Callable[[Wire, float, float], list[Spot]],
    paint: str,
    language: str,
    to_ground: Spot,
    budget: Budget | None,
) -> Iterator[str]:
    """From data and clock on the header to the first lights. `leave` leads a wire from its pin to a level."""
    words = WORDS[language]
    chip, ground, volts = top + 62, top + 168, top + 26
    levels = (chip + 26, chip + 62)
    yield box((82, top), (482, BLOCK - 24), fill="#faf8f4", stroke=FAINT, rounding=8)
    fuse = "" if budget is None else f"{budget.fuse:g} A".replace(".", "," if language == "de" else ".")
    yield from _power(volts, ground, words, fuse)
    yield from _shifter(chip, volts, ground, levels, words)
    for wire, level, lane, name in zip(pair, levels, (580.0, 572.0), ("DI", "CI"), strict=True):
        yield line([*leave(wire, level, lane), (554, level)], paint, 3, halo=True)
        yield line([(452, level), (418, level)], paint, 3)
        yield text((435, level - 6), name, 11, SOFT, "middle")
        x, y = leave(wire, level, lane)[0]
        yield text((x - 14, y - 5), f"GPIO {wire.gpio}", 12, SOFT, "end")
    yield from _lights(chip, volts, ground, words)
    # Chain and Pi must share a ground for the data signal.
    x, y = to_ground
    yield line([(503, ground), (600, ground), (600, y), (x - 12, y)], GROUND, 3, halo=True)
    yield dot((503, ground), 4.5, GROUND)


def _power(volts: float, ground: float, words: dict[str, str], fuse: str) -> Iterator[str]:
    """Supply, fuse, and the capacitor across the chain."""
    yield line([(176, volts), (503, volts)], VOLTS_5, 3)
    yield line([(106, volts), (106, ground), (503, ground)], GROUND, 3)
    yield box((92, volts - 16), (86, 32), fill="#ffffff", rounding=5)
    yield text((135, volts + 5), words["supply"], 12.5, INK, "middle", bold=True)
    yield box((188, volts - 10), (76, 20), fill="#ffffff", rounding=10)
    yield text((226, volts + 4.5), words["fuse"].format(fuse=fuse), 11.5, INK, "middle")
    middle = (volts + ground) / 2
    yield line([(280, volts), (280, middle - 4)], VOLTS_5, 3)
    yield line([(280, middle + 4), (280, ground)], GROUND, 3)
    yield from (line([(268, middle + shift), (292, middle + shift)], INK, 3) for shift in (-4, 4))
    yield text((262, middle + 4), "1000 µF", 12, SOFT, "end")
    yield text((262, middle - 9), "+", 15, VOLTS_5, "end", bold=True)
    yield text((262, middle + 20), "−", 15, GROUND, "end", bold=True)

    yield from (dot((280, level), 4.5, colour) for level, colour in ((volts, VOLTS_5), (ground, GROUND)))


def _shifter(
    chip: float, volts: float, ground: float, levels: tuple[float, float], words: dict[str, str]
) -> Iterator[str]:
    yield line([(503, volts), (503, chip)], VOLTS_5, 3)
    yield line([(503, chip + 88), (503, ground)], GROUND, 3)
    yield box((452, chip), (102, 88), fill="#2a3035", rounding=6)
    yield text((503, chip + 49), "74AHCT125", 13, "#ffffff", "middle", bold=True)
    for level, (into, out) in zip(levels, (("1A 2", "3 1Y"), ("2A 5", "6 2Y")), strict=True):
        yield text((549, level + 4), into, 11, FAINT, "end")
        yield text((457, level + 4), out, 11, FAINT)
    yield text((509, chip - 5), "VCC 14", 11, SOFT)
    yield text((509, chip + 100), "GND 7", 11, SOFT)
    yield text((106, ground + 22), words["shift"], 12, SOFT)


def _lights(chip: float, volts: float, ground: float, words: dict[str, str]) -> Iterator[str]:
    """The first of the lights, the very first next to the shifter."""
    yield line([(359, volts), (359, chip + 8)], VOLTS_5, 3)
    yield line([(359, chip + 80), (359, ground)], GROUND, 3)
    yield from (dot((359, level), 4.5, colour) for level, colour in ((volts, VOLTS_5), (ground, GROUND)))
    yield box((300, chip + 8), (118, 72), fill="#ffffff", rounding=5)
    for number, colour in enumerate(LIGHT):
        yield box((390 - 27 * number, chip + 20), (20, 20), fill=colour, rounding=3)
    yield text((359, chip + 58), words["more"], 11.5, SOFT, "middle")
    yield text((359, chip + 72), words["where"], 11.5, SOFT, "middle")
