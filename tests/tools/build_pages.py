"""Fills the building pages from data: parts lists, pin tables, sums, drawings. `make -C hardware/build pages` calls it.

What stands between `<!-- NAME -->` and `<!-- end -->` in docs/build*.md is made here; a test holds them against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from engine.registry import find_game
from firmware.bench.rigs.tables import followed
from firmware.devices.chain import CHANNEL_MA, IDLE_MA
from firmware.settings.arguments import USUAL_GAME
from firmware.settings.config import Config
from firmware.settings.pins import HEADER, SPI0, Pins
from hardware.build.diagram import AIM_MA, draw_wiring, resistor_of
from hardware.build.electrics import FORWARD, HEADER_MOST, PIN_MOST, Budget, chain_budget, current
from hardware.build.models import MADE, MODELS, piece_kinds, volume
from hardware.build.parts import GROUPS, PETG, parts_list, total
from hardware.build.plan import best_distance, good_distances, make_plan
from hardware.build.range_drawing import draw_plan
from hardware.build.wiring import BUILDS, Wire, wires
from hardware.virtual.camera import Pose

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "build.md", "de": DOCS / "build.de.md"}
BLOCK = re.compile(r"(<!-- (\w[\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)
TILT = 25.0
LENSES = (("Camera Module 3", 66.0), ("Camera Module 2", 62.0), ("Logitech C920", 70.0))

WORDS = {
    "en": {
        "computer": "Computer", "camera": "Camera", "stand": "Stand and bar", "lights": "Lights and buttons",
        "chain": "Light chain", "board": "Board and pieces", "bare": "bare", "table": "table", "deluxe": "deluxe",
        "parts": "| part | bare | table | deluxe | € each | instead |", "sum": "**all together, about**",
        "pins": "| what | GPIO | header pin | colour | resistor | current |", "none": "none",
        "rgb": "status light", "led": "player’s light", "button": "button", "chain data": "chain, data (DI)",
        "chain clock": "chain, clock (CI)", "shifter": "by the 74AHCT125", "ground": "other end to ground",
        "red": "red", "yellow": "yellow", "green": "green", "blue": "blue",
        "confirm": "confirm / next", "undo": "undo", "hint": "hint", "new": "new match (hold)",
        "prints": "| file | how many | size, mm | cm³ each | grams in all |",
        "range": "| lens | tilt | distance | height above the table | pixels of a marker |",
        "degrees": "{:.0f}°", "mm": "{:.0f} to {:.0f} mm", "pixels": "{:.0f} to {:.0f}",
        "first": "the first light, next to the shifter, is",
    },
    "de": {
        "computer": "Rechner", "camera": "Kamera", "stand": "Ständer und Leiste", "lights": "Lichter und Taster",
        "chain": "Lichterkette", "board": "Brett und Steine", "bare": "einfach", "table": "Tisch", "deluxe": "Luxus",
        "parts": "| Teil | einfach | Tisch | Luxus | € je Stück | statt dessen |", "sum": "**alles zusammen, etwa**",
        "pins": "| was | GPIO | Stift | Farbe | Widerstand | Strom |", "none": "keiner",
        "rgb": "Statuslicht", "led": "Licht eines Spielers", "button": "Taster", "chain data": "Kette, Daten (DI)",
        "chain clock": "Kette, Takt (CI)", "shifter": "über den 74AHCT125", "ground": "anderes Ende an Masse",
        "red": "Rot", "yellow": "Gelb", "green": "Grün", "blue": "Blau",
        "confirm": "bestätigen / weiter", "undo": "zurück", "hint": "Hinweis", "new": "neue Partie (halten)",
        "prints": "| Datei | Anzahl | Größe, mm | cm³ je Stück | Gramm zusammen |",
        "range": "| Objektiv | Neigung | Abstand | Höhe über dem Tisch | Pixel einer Marke |",
        "degrees": "{:.0f}°", "mm": "{:.0f} bis {:.0f} mm", "pixels": "{:.0f} bis {:.0f}",
        "first": "das erste Licht, am Pegelwandler, ist",
    },
}  # fmt: skip


POWER = {
    "en": (
        "- Resistors are chosen so that an LED gets about {aim} mA; all seven lights together draw {together} mA.",
        "- A pin may give {pin} mA, all pins together {header} mA.",
        "- The chain has {lights} lights of {idle} mA when dark and {channel} mA more for each of three colours:",
        "  {full} mA if all were white. The program never lets it draw more than {limit} mA (`budget_ma`).",
        "- So: a slow fuse of {fuse} A, about twice the limit, and a supply of its own with {supply} A or more,",
        "  so that a short blows the fuse.",
    ),
    "de": (
        "- Die Widerstände geben jeder LED etwa {aim} mA; alle sieben Lichter zusammen brauchen {together} mA.",
        "- Ein Stift darf {pin} mA geben, alle zusammen {header} mA.",
        "- Die Kette hat {lights} Lichter; jedes braucht dunkel {idle} mA und für jede der drei Farben {channel} mA",
        "  mehr: {full} mA, wenn alle weiß wären. Das Programm lässt nie mehr als {limit} mA zu (`budget_ma`).",
        "- Also: eine träge Sicherung mit {fuse} A, etwa dem Doppelten, und ein eigenes Netzteil mit mindestens",
        "  {supply} A, damit ein Kurzschluss die Sicherung auslöst.",
    ),
}


def all_wires() -> list[Wire]:
    return wires("deluxe", Pins(), HEADER, SPI0)


def budget() -> Budget:
    lights = max(len(find_game(name).board(4).sites) for name in followed())
    return chain_budget(lights, Config().lights.budget_ma, IDLE_MA, CHANNEL_MA)


def number(value: float, language: str) -> str:
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if language == "de" else text


def parts(language: str) -> Iterator[str]:
    words, listed = WORDS[language], parts_list(all_wires(), budget())
    yield words["parts"]
    yield "|---|---|---|---|---|---|"
    for group in GROUPS:
        yield f"| **{words[group]}** | | | | | |"
        for part in (each for each in listed if each.group == group):
            counts = " | ".join(str(part.number[build]) if build in part.number else "–" for build in BUILDS)
            yield f"| {part.name[language]} | {counts} | {number(part.price, language)} | {part.instead[language]} |"
    sums = " | ".join(f"**{5 * round(total(listed, build) / 5):.0f} €**" for build in BUILDS)
    yield f"| {words['sum']} | {sums} | | |"


def pin_table(language: str) -> Iterator[str]:
    words = WORDS[language]
    yield words["pins"]
    yield "|---|---|---|---|---|---|"
    for wire in all_wires():
        cells = {
            "button": (words.get(wire.name, ""), words.get(wire.colour, ""), words["none"], words["ground"]),
            "chain": (words.get(wire.name, ""), "", words["shifter"], ""),
        }.get(wire.kind) or _light_cells(wire, language)
        what, colour, resistor, drawn = cells
        yield f"| {what} | {wire.gpio} | {wire.header} | {colour} | {resistor} | {drawn} |"


def _light_cells(wire: Wire, language: str) -> tuple[str, str, str, str]:
    words = WORDS[language]
    kept = FORWARD[f"{wire.colour} (InGaN)" if wire.kind == "rgb" and wire.colour == "green" else wire.colour]
    drawn = f"{number(round(current(kept, resistor_of(wire)), 1), language)} mA"
    return words[wire.kind], words[wire.colour], f"{resistor_of(wire):.0f} Ω", drawn


def prints(language: str) -> Iterator[str]:
    yield WORDS[language]["prints"]
    yield "|---|---|---|---|---|"
    kinds = {kind.name: kind for kind in piece_kinds()}
    for model in MODELS:
        cubic = volume(MADE / f"{model.name}.stl") / 1000
        many, kind = model.number, kinds.get(model.name)
        size = f"Ø {kind.diameter:g} × {kind.height:g}" if kind else ""
        link = f"[{model.name}.stl](../hardware/build/stl/{model.name}.stl)"
        yield f"| {link} | {many} | {size} | {number(round(cubic, 1), language)} | {many * cubic * PETG:.0f} |"


def ranges(language: str) -> Iterator[str]:
    words, board = WORDS[language], find_game(USUAL_GAME).board(2)
    yield words["range"]
    yield "|---|---|---|---|---|"
    for name, hfov in LENSES:
        for tilt in (0.0, 25.0, 40.0):
            pose = Pose(tilt=tilt, hfov=hfov)
            span = good_distances(board, pose)
            assert span is not None, "a lens of the list sees the board"
            plans = [make_plan(board, replace(pose, distance=each)) for each in span]
            heights = words["mm"].format(*(plan.lens_height for plan in plans))
            pixels = words["pixels"].format(plans[1].pieces["marker"][0], plans[0].pieces["marker"][1])
            lens = f"{name} ({hfov:.0f}°)"
            yield f"| {lens} | {words['degrees'].format(tilt)} | {words['mm'].format(*span)} | {heights} | {pixels} |"


def power(language: str) -> Iterator[str]:
    """Sums of current, as a sentence each."""
    made, lights = budget(), [wire for wire in all_wires() if wire.kind in ("rgb", "led")]
    together = sum(
        current(FORWARD[f"{w.colour} (InGaN)" if w.kind == "rgb" and w.colour == "green" else w.colour], resistor_of(w))
        for w in lights
    )
    facts = {
        "aim": f"{AIM_MA:g}", "pin": f"{PIN_MOST:g}", "header": f"{HEADER_MOST:g}", "together": f"{together:.0f}",
        "lights": made.lights, "full": f"{made.full:.0f}", "limit": f"{made.limit:g}", "fuse": f"{made.fuse:g}",
        "supply": f"{made.supply:g}", "idle": f"{IDLE_MA:g}", "channel": f"{CHANNEL_MA:g}",
    }  # fmt: skip
    yield from (text.format(**facts) for text in POWER[language])


def chain_order(language: str) -> Iterator[str]:
    for name in followed():
        sites = list(find_game(name).board(2).sites)
        yield f"- {name}: {WORDS[language]['first']} {sites[0]} → {' → '.join(sites[1:])}"


BLOCKS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "parts": parts,
    "pins": pin_table,
    "prints": prints,
    "ranges": ranges,
    "power": power,
    "chain-order": chain_order,
}


def filled(page: str, language: str) -> str:
    """A page with every block made anew."""

    def made(match: re.Match[str]) -> str:
        return match[1] + "\n".join(BLOCKS[match[2]](language)) + "\n" + match[3]

    return BLOCK.sub(made, page)


def _wiring(build: str, language: str) -> str:
    return draw_wiring(wires(build, Pins(), HEADER, SPI0), language)


def _camera(game: str, language: str) -> str:
    board, pose = find_game(game).board(2), Pose(tilt=TILT)
    plan = make_plan(board, replace(pose, distance=best_distance(board, pose) or 700.0))
    return draw_plan(plan, good_distances(board, pose), language)


DRAWINGS: Mapping[str, Callable[[], str]] = {
    f"{kind}-{what}.{language}.svg": partial(draw, what, language)
    for kind, draw, each in (("wiring", _wiring, ("table", "deluxe")), ("camera", _camera, followed()))
    for what in each
    for language in PAGES
}
"""What makes each of the drawings in docs/pictures."""


def main() -> None:
    for name, draw in DRAWINGS.items():
        (DOCS / "pictures" / name).write_text(draw(), encoding="utf-8")
    for language, path in PAGES.items():
        path.write_text(filled(path.read_text(encoding="utf-8"), language), encoding="utf-8")


if __name__ == "__main__":
    main()
