"""Fills the building pages from data: parts lists, pin tables, sums, drawings. `make -C hardware/build pages` calls it.

What stands between `<!-- NAME -->` and `<!-- end -->` in docs/build*.md is made here; a test holds them against it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from math import inf
from pathlib import Path

from engine.board import Board
from engine.registry import find_game
from firmware.bench.rigs.tables import followed
from firmware.devices.chain import CHANNEL_MA, IDLE_MA
from firmware.settings.arguments import USUAL_GAME
from firmware.settings.config import Config
from firmware.settings.pins import HEADER, SPI0, Pins
from hardware.build.diagram import AIM_MA, draw_wiring, kind_of_led, resistor_of
from hardware.build.electrics import BLOWS, FORWARD, HEADER_MOST, PIN_MOST, Budget, chain_budget, current
from hardware.build.fasteners import joints
from hardware.build.models import MADE, MODELS, piece_kinds, volume
from hardware.build.parts import GROUPS, PETG, parts_list, total
from hardware.build.plan import best_distance, best_of, good_distances, make_plan
from hardware.build.range_drawing import draw_plan
from hardware.build.sizes import Module, modules
from hardware.build.slicing import load_stl
from hardware.build.stand import Mounting, mounting
from hardware.build.wiring import BUILDS, Wire, wires
from hardware.printing.backlit import takes_lights
from hardware.virtual.camera import Pose

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"en": DOCS / "build.md", "de": DOCS / "build.de.md"}
BLOCK = re.compile(r"(<!-- (\w[\w-]*) -->\n).*?(<!-- end -->)", re.DOTALL)
TILT = 25.0

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
        "prints": "| file | how many | lies on the bed | size, mm | cm³ each | grams in all |",
        "screws": "| step | part | how many | screw | thread that holds | left to its end |", "out": "open",
        "adjusts": "adjusts", "clamp": "2 clamp", "arm": "3 arm", "head": "4 head", "tray": "5 Pi", "tripod": "webcam",
        "gooseneck": "gooseneck", "bar": "bar",
        "range": "| camera | tilt | distance | pixels of a marker | best | arm above the table | tube to tube |"
        " board’s centre to the edge |",
        "never": "never the whole board within the supported range: its lens is too wide",
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
        "prints": "| Datei | Anzahl | liegt auf dem Druckbett | Größe, mm | cm³ je Stück | Gramm zusammen |",
        "screws": "| Schritt | Teil | Anzahl | Schraube | Gewinde, das hält | Luft am Ende |", "out": "offen",
        "adjusts": "verstellbar", "clamp": "2 Klemme", "arm": "3 Arm", "head": "4 Kopf", "tray": "5 Pi",
        "tripod": "Webcam", "gooseneck": "Schwanenhals", "bar": "Leiste",
        "range": "| Kamera | Neigung | Abstand | Pixel einer Marke | am besten | Arm über dem Tisch | Rohr bis Rohr |"
        " Brettmitte bis Kante |",
        "never": "nie das ganze Brett innerhalb der Zusage: zu weitwinklig",
        "degrees": "{:.0f}°", "mm": "{:.0f} bis {:.0f} mm", "pixels": "{:.0f} bis {:.0f}",
        "first": "das erste Licht, am Pegelwandler, ist",
    },
}  # fmt: skip


LIES = {
    "en": {
        "coupon": "flat", "table-clamp": "on its side", "knob": "pocket up", "pad": "hole up",
        "cross": "one tube stands, one lies", "camera-head": "on the lens’s side", "tripod-head": "flat",
        "gooseneck-head": "on the lens’s side", "pi-tray": "flat", "bar-body": "face down", "bar-lid": "flat",
        "figure": "upright", "stone": "nub up", "marker": "hollow up", "pawn": "upright",
    },
    "de": {
        "coupon": "flach", "table-clamp": "auf der Seite", "knob": "Tasche oben", "pad": "Loch oben",
        "cross": "ein Rohr steht, eines liegt", "camera-head": "auf der Seite des Objektivs", "tripod-head": "flach",
        "gooseneck-head": "auf der Seite des Objektivs", "pi-tray": "flach", "bar-body": "Gesicht unten",
        "bar-lid": "flach", "figure": "aufrecht", "stone": "Noppe oben", "marker": "Mulde oben", "pawn": "aufrecht",
    },
}  # fmt: skip


POWER = {
    "en": (
        "- Resistors are chosen so that an LED gets about {aim} mA; all seven lights together draw {together} mA.",
        "- A pin may give {pin} mA, all pins together {header} mA.",
        "- The chain has {lights} lights of {idle} mA when dark and {channel} mA more for each of three colours:",
        "  {full} mA if all were white. The program never lets it draw more than {limit} mA (`budget_ma`).",
        "- So: a slow fuse of {fuse} A, of which the limit takes {share} %, and a supply of its own with {supply} A or",
        "  more: {blows} A blow the fuse within ten seconds, and the supply must be able to give them.",
    ),
    "de": (
        "- Die Widerstände geben jeder LED etwa {aim} mA; alle sieben Lichter zusammen brauchen {together} mA.",
        "- Ein Stift darf {pin} mA geben, alle zusammen {header} mA.",
        "- Die Kette hat {lights} Lichter; jedes braucht dunkel {idle} mA und für jede der drei Farben {channel} mA",
        "  mehr: {full} mA, wenn alle weiß wären. Das Programm lässt nie mehr als {limit} mA zu (`budget_ma`).",
        "- Also: eine träge Sicherung mit {fuse} A, von denen die Grenze {share} % nutzt, und ein eigenes Netzteil mit",
        "  mindestens {supply} A: {blows} A lösen die Sicherung in zehn Sekunden aus; so viel muss es liefern können.",
    ),
}


def all_wires() -> list[Wire]:
    return wires("deluxe", Pins(), HEADER, SPI0)


def lit_boards() -> list[Board]:
    """The boards that lights can be put under."""
    return [board for board in (find_game(name).board(2) for name in followed()) if takes_lights(board)]


def budget() -> Budget:
    lights = max(len(board.sites) for board in lit_boards())
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
    drawn = f"{number(round(current(FORWARD[kind_of_led(wire)], resistor_of(wire)), 1), language)} mA"
    if (wire.kind, wire.colour) == ("led", "green"):
        dim = current(FORWARD["green (InGaN)"], resistor_of(wire))
        drawn = f"{number(round(dim, 1), language)} – {drawn}"
    return words[wire.kind], words[wire.colour], f"{resistor_of(wire):.0f} Ω", drawn


def prints(language: str) -> Iterator[str]:
    yield WORDS[language]["prints"]
    yield "|---|---|---|---|---|---|"
    kinds = {kind.name: kind for kind in piece_kinds()}
    for model in MODELS:
        cubic = volume(MADE / f"{model.name}.stl") / 1000
        many, kind = model.number, kinds.get(model.name)
        size = f"Ø {kind.diameter:g} × {kind.height:g}" if kind else _extents(model.name)
        link = f"[{model.name}.stl](../hardware/build/stl/{model.name}.stl)"
        lies = LIES[language].get(model.name, LIES[language]["coupon"])
        yield f"| {link} | {many} | {lies} | {size} | {number(round(cubic, 1), language)} | {many * cubic * PETG:.0f} |"


def _extents(name: str) -> str:
    corners = load_stl(MADE / f"{name}.stl").reshape(-1, 3)
    return " × ".join(f"{side:.0f}" for side in corners.max(axis=0) - corners.min(axis=0))


def screws(language: str) -> Iterator[str]:
    words = WORDS[language]
    yield words["screws"]
    yield "|---|---|---|---|---|---|"
    for joint in joints():
        held = f"{number(round(joint.held, 1), language)} mm"
        spare = words["out"] if joint.spare == inf else f"{number(round(joint.spare, 1), language)} mm"
        if joint.screw.startswith("M8") or joint.step == "gooseneck":
            held, spare = f"≥ {number(joint.hold, language)} mm", words["adjusts"]
        screw = number_in(joint.screw, language)
        yield f"| {words[joint.step]} | {joint.part} | {joint.number} | {screw} | {held} | {spare} |"


def number_in(text: str, language: str) -> str:
    return text.replace(".", ",") if language == "de" else text


@dataclass(frozen=True)
class View:
    """What a camera sees at a tilt, and how the stand is set for the best of it; no span: never the whole board."""

    module: Module
    tilt: float
    span: tuple[float, float] | None = None
    pixels: tuple[float, float] = (0.0, 0.0)
    best: float = 0.0
    stand: Mounting | None = None


@cache
def views() -> tuple[View, ...]:
    board = find_game(USUAL_GAME).board(2)
    return tuple(_view(board, module, tilt) for module in modules().values() for tilt in (0.0, TILT, 40.0))


def _view(board: Board, module: Module, tilt: float) -> View:
    pose = Pose(tilt=tilt, hfov=module.hfov)
    low, high = board.camera.hfov
    span = good_distances(board, pose) if low - 0.5 <= module.hfov <= high + 0.5 else None
    if span is None:
        return View(module, tilt)
    near, far = (make_plan(board, replace(pose, distance=each)).pieces["marker"] for each in span)
    best = best_of(span)
    return View(module, tilt, span, (far[0], near[1]), best, mounting(module, best, tilt, board.base.size[1]))


def ranges(language: str) -> Iterator[str]:
    words = WORDS[language]
    yield words["range"]
    yield "|---|---|---|---|---|---|---|---|"
    for view in views():
        lens = f"{view.module.title.removeprefix('Raspberry Pi ')} ({view.module.hfov:.0f}°)"
        degrees = words["degrees"].format(view.tilt)
        if view.span is None or view.stand is None:
            yield f"| {lens} | {degrees} | {words['never']} | | | | | |"
            continue
        assert view.stand.is_built, "the tubes are long enough"
        cells = (
            degrees, words["mm"].format(*view.span), words["pixels"].format(*view.pixels), f"{view.best:.0f} mm",
            f"{view.stand.arm:.0f} mm", f"{view.stand.reach:.0f} mm", f"{view.stand.edge:.0f} mm",
        )  # fmt: skip
        yield f"| {lens} | {' | '.join(cells)} |"


def power(language: str) -> Iterator[str]:
    """Sums of current, as a sentence each."""
    made, lights = budget(), [wire for wire in all_wires() if wire.kind in ("rgb", "led")]
    together = sum(current(FORWARD[kind_of_led(wire)], resistor_of(wire)) for wire in lights)
    facts = {
        "aim": f"{AIM_MA:g}", "pin": f"{PIN_MOST:g}", "header": f"{HEADER_MOST:g}", "together": f"{together:.0f}",
        "lights": made.lights, "full": f"{made.full:.0f}", "limit": f"{made.limit:g}",
        "fuse": number(made.fuse, language),
        "share": f"{made.limit / made.fuse / 10:.0f}", "blows": number(round(BLOWS * made.fuse, 1), language),
        "supply": f"{made.supply:g}", "idle": f"{IDLE_MA:g}", "channel": f"{CHANNEL_MA:g}",
    }  # fmt: skip
    yield from (text.format(**facts) for text in POWER[language])


def chain_order(language: str) -> Iterator[str]:
    for board in lit_boards():
        sites = list(board.sites)
        yield f"- {board.game}: {WORDS[language]['first']} {sites[0]} → {' → '.join(sites[1:])}"


BLOCKS: Mapping[str, Callable[[str], Iterator[str]]] = {
    "parts": parts,
    "pins": pin_table,
    "prints": prints,
    "ranges": ranges,
    "power": power,
    "screws": screws,
    "chain-order": chain_order,
}


def filled(page: str, language: str) -> str:
    """A page with every block made anew."""

    def made(match: re.Match[str]) -> str:
        return match[1] + "\n".join(BLOCKS[match[2]](language)) + "\n" + match[3]

    return BLOCK.sub(made, page)


def _wiring(build: str, language: str) -> str:
    return draw_wiring(wires(build, Pins(), HEADER, SPI0), language, budget=budget())


def _camera(game: str, language: str) -> str:
    board, pose = find_game(game).board(2), Pose(tilt=TILT)
    plan = make_plan(board, replace(pose, distance=best_distance(board, pose) or 700.0))
    stand = mounting(modules()["3"], plan.pose.distance, TILT, board.base.size[1])
    return draw_plan(plan, good_distances(board, pose), language, stand)


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
