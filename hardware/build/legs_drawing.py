"""Which leg is which: the RGB LED's from the side, the level shifter's from above. Part of the wiring diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hardware.build.svg import FAINT, INK, SOFT, Spot, box, dot, line, polygon, text
from hardware.build.wiring import CHIP, NOWHERE, Wire

VOLTS_5, GROUND = "#b3202a", "#3a4147"
ROW = 27.0
"""Between two legs of the chip."""

WORDS = {
    "en": {
        "rgb": "RGB LED, from the side", "usual": "usual order; try each leg|with 3 V and 330 Ω", "cathode": "ground",
        "anode": "3.3 V", "single": "single LED", "long": "long leg +", "chip": "74AHCT125 from above",
        "ground": "ground", "plus": "5 V", "open": "open", "notch": "the notch is at pins 1 and 14",
        "red": "red", "green": "green", "blue": "blue", "longest": "longest", "pin": "Pi pin {pin}",
    },
    "de": {
        "rgb": "RGB-LED von der Seite", "usual": "übliche Folge; Beine mit|3 V und 330 Ω prüfen",
        "cathode": "Masse", "anode": "3,3 V", "single": "einzelne LED", "long": "langes Bein +",
        "chip": "74AHCT125 von oben",
        "ground": "Masse", "plus": "5 V", "open": "frei", "notch": "die Kerbe liegt bei Stift 1 und 14",
        "red": "Rot", "green": "Grün", "blue": "Blau", "longest": "längstes",
        "pin": "Pi, Stift {pin}",
    },
}  # fmt: skip


def draw_legs(at: Spot, language: str, common_anode: bool, paint: Mapping[str, str]) -> Iterator[str]:
    """The RGB LED with its four legs, and a single one with its two; `at` is the upper left corner."""
    words, (x, y) = WORDS[language], at
    yield text((x - 30, y), words["rgb"], 13, INK, bold=True)
    yield from _lamp((x + 52, y + 14), 56)
    common = words["anode" if common_anode else "cathode"]
    legs = (("red", 46.0), (common, 64.0), ("green", 50.0), ("blue", 40.0))
    for number, (name, long) in enumerate(legs):
        across = x + 31 + 14 * number
        colour = paint.get(name, GROUND)
        yield line([(across, y + 62), (across, y + 62 + long)], colour, 3)
        told = name if name == common else words[name]
        level = y + 80 + 17 * (number if number < 2 else number - 2)
        end = across - 4 if number < 2 else across + 4
        yield line([(x + 86 if number >= 2 else x + 24, level - 4), (end, level - 4)], FAINT, 1)
        yield text((x + 22 if number < 2 else x + 90, level), told, 12, colour, "end" if number < 2 else "start")
        if name == common:
            yield text((x + 22, level + 14), f"({words['longest']})", 11, SOFT, "end")
    for number, told in enumerate(words["usual"].split("|")):
        yield text((x - 30, y + 144 + 15 * number), told, 11.5, SOFT)
    yield text((x - 30, y + 186), words["single"], 13, INK, bold=True)
    yield from _lamp((x + 52, y + 198), 34)
    for across, long, colour in ((x + 42, 46.0, paint["red"]), (x + 62, 30.0, GROUND)):
        yield line([(across, y + 234), (across, y + 234 + long)], colour, 3)
    yield text((x + 34, y + 270), words["long"], 12, paint["red"], "end")
    yield text((x + 70, y + 260), words["cathode"], 12, GROUND)


def _lamp(at: Spot, wide: float) -> Iterator[str]:
    x, y = at
    radius = wide / 2 - 4
    dome = [(x - radius, y + 36), (x - radius, y + radius * 0.7), (x - radius * 0.7, y + radius * 0.2), (x, y)]
    yield polygon([*dome, *((2 * x - px, py) for px, py in reversed(dome[:-1]))], "#f2efe8", INK)
    yield box((x - wide / 2, y + 36), (wide, 10), fill="#f2efe8", rounding=2)


def draw_chip(at: Spot, language: str, wires: Mapping[str, Wire], paint: str) -> Iterator[str]:
    """All fourteen legs of the level shifter, and the 100 nF across it."""
    words, (x, y) = WORDS[language], at
    wide, high = 116.0, 7 * ROW
    yield text((x + wide / 2, y), words["chip"], 13, INK, "middle", bold=True)
    yield box((x, y + 14), (wide, high), fill="#2a3035", rounding=5)
    yield dot((x + wide / 2, y + 15), 8, "#5b646b")
    for leg, (name, goes) in CHIP.items():
        left = leg <= 7
        row = leg - 1 if left else 14 - leg
        level = y + 14 + ROW * (row + 0.5)
        edge, out = (x, x - 16) if left else (x + wide, x + wide + 16)
        colour = {"ground": GROUND, "plus": VOLTS_5, NOWHERE: FAINT}.get(goes, paint)
        told = words.get(goes, goes)
        if goes in wires:
            told = words["pin"].format(pin=wires[goes].header)
        yield line([(edge, level), (out, level)], colour, 3)
        yield text(
            (edge + (6 if left else -6), level + 4), f"{leg}", 11, "#ffffff", "start" if left else "end", bold=True
        )
        yield text((edge + (22 if left else -22), level + 4), name, 11, FAINT, "start" if left else "end")
        yield text((out + (-5 if left else 5), level + 4), told, 12, INK, "end" if left else "start")
    yield text(
        (x + wide / 2, y + high + 34), f"100 nF: 14 ({words['plus']}) – 7 ({words['ground']})", 12, INK, "middle"
    )
    yield text((x + wide / 2, y + high + 51), words["notch"], 12, SOFT, "middle")
