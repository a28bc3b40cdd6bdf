"""The parts list: `parts.toml` with quantities from the wiring, the models and the boards."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from pathlib import Path
from typing import Any

from engine.words import say
from hardware.build.diagram import resistor_of
from hardware.build.electrics import Budget
from hardware.build.fasteners import joints
from hardware.build.models import MADE, STAND, Kind, piece_kinds, volume
from hardware.build.sizes import modules
from hardware.build.stand import lead, mounting, tubes
from hardware.build.wiring import BUILDS, Wire

FILE = Path(__file__).with_name("parts.toml")
GROUPS = ("computer", "camera", "stand", "lights", "chain", "board")
PETG = 1.27
"""Grams a cubic centimetre."""
SAW = 2.0
"""Millimetres lost at each cut."""
DEPTH = 364.0
"""Of a usual board, millimetres."""
WOOD = 0.06
"""Euro a centimetre of rod."""
OF_THE_STAND = ("coupon", "table-clamp", "knob", "pad", "cross", "camera-head", "pi-tray", "bar-body", "bar-lid")


@dataclass(frozen=True)
class Part:
    """One line of the list."""

    group: str
    name: Mapping[str, str]
    instead: Mapping[str, str]
    price: float
    number: Mapping[str, int]

    def cost(self, build: str) -> float:
        return self.price * self.number.get(build, 0)


def parts_list(wires: Sequence[Wire], budget: Budget) -> list[Part]:
    """Every part, for the wires of the largest build and the power of its chain."""
    facts = _facts(wires, budget)
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))["part"]
    return [*(_part(record, facts) for record in told), *map(_rod, piece_kinds())]


def _facts(wires: Sequence[Wire], budget: Budget) -> dict[str, Any]:
    """What the list leaves to the data."""
    lights = [wire for wire in wires if wire.kind in ("rgb", "led")]
    resistors = Counter(resistor_of(wire) for wire in lights)
    grams = sum(
        model.number * volume(MADE / f"{model.name}.stl") / 1000 * PETG for model in STAND if model.name in OF_THE_STAND
    )
    jumpers = sum(wire.kind != "chain" for wire in wires) + 2
    stand = mounting(modules()["3"], 560.0, 25.0, DEPTH)
    m4 = [joint for joint in joints() if joint.screw.startswith("M4") and joint.step != "tripod"]
    return {
        "tubes": "; ".join(" + ".join(f"{long:g}" for long in one) for one in tubes()),
        "tube_count": len(tubes()),
        "m4": m4[0].screw,
        "m4_count": sum(joint.number for joint in m4),
        "lead": f"{50 * ceil(lead(stand, DEPTH) / 50):g}",
        "jumper_count": ceil(jumpers / 2),
        "player_lights": sum(wire.kind == "led" for wire in lights),
        "resistors": ", ".join(f"{number} × {ohms:.0f} Ω" for ohms, number in sorted(resistors.items())),
        "resistor_count": sum(resistors.values()),
        # One ground wire for the lights and one for the buttons.
        "jumpers": jumpers,
        "chain_lights": budget.lights,
        "fuse": f"{budget.fuse:g}",
        "supply": f"{budget.supply:g}",
        "stand_grams": 10 * round(grams / 10),
    }


def _part(record: Mapping[str, Any], facts: Mapping[str, Any]) -> Part:
    return Part(
        group=record["group"],
        name={language: record[language].format(**facts) for language in ("en", "de")},
        instead={language: record.get(f"instead_{language}", "").format(**facts) for language in ("en", "de")},
        price=record["price"],
        number={build: int(str(count).format(**facts)) for build, count in record["number"].items()},
    )


def _rod(kind: Kind) -> Part:
    """The wood that pieces are sawn of: with a little lost at every cut."""
    length = ceil(kind.number * (kind.height + SAW) / 10)
    many = {language: f"{kind.number} × {say(kind.name, language)}" for language in ("en", "de")}
    size = f"{kind.height:g} mm"
    return Part(
        group="board",
        name={
            "en": f"beech rod Ø {kind.diameter:g} mm, {length} cm, for {many['en']} of {size}",
            "de": f"Buchen-Rundstab Ø {kind.diameter:g} mm, {length} cm, für {many['de']} zu {size}",
        },
        instead={"en": f"print {kind.name}.stl", "de": f"{kind.name}.stl drucken"},
        price=ceil(length * WOOD),
        number=dict.fromkeys(BUILDS, 1),
    )


def total(parts: Sequence[Part], build: str) -> float:
    return sum(part.cost(build) for part in parts)
