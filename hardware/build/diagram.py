"""The wiring diagram, drawn from the wires: header in the middle, lights to the left, buttons to the right."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hardware.build.buzzer_drawing import DROP, ROOM, draw_buzzer
from hardware.build.chain_drawing import BLOCK, draw_chain
from hardware.build.electrics import EITHER_GREEN, FORWARD, Budget, resistor
from hardware.build.legs_drawing import draw_chip, draw_legs
from hardware.build.svg import INK, PAPER, SOFT, Spot, box, document, dot, line, polygon, text
from hardware.build.wiring import GROUNDS, SUPPLY_3V3, SUPPLY_5V, Wire

PITCH, TOP = 30.0, 120.0
"""Between two rows of the header, and where its first row is."""
ODD, EVEN = 652.0, 688.0
"""Where the two columns of the header are."""
ROW = 54.0
LEFT, RIGHT = 250.0, 930.0
"""Where the parts on either side are."""
LEFT_BUS, RIGHT_BUS = 60.0, 1110.0
OVER = TOP + 26
"""Where ground passes over the parts on the left."""
SIZE = (1160.0, 780.0)
AIM_MA = 4.0
"""What an LED gets: bright enough on a table, and little for the pins."""

PAINT = {"red": "#d0202e", "yellow": "#d9a400", "green": "#17853b", "blue": "#1f55c4", "": "#7a4fa0"}
GROUND, VOLTS_3, VOLTS_5 = "#3a4147", "#d9772b", "#b3202a"

WORDS = {
    "en": {
        "title": "Wiring of the {build} build",
        "how": "The Pi seen from above, card slot at the top: pin 1 is top left, even numbers lie at the board’s edge.",
        "rgb": "status light, {colour}",
        "led": "light of the {colour} player",
        "button": "{name}, {colour} cap",
        "bus": "ground",
        "anode": "3.3 V to the long leg",
        "cathode": "long leg to ground",
        "short": "short legs to ground",
        "red": "red", "yellow": "yellow", "green": "green", "blue": "blue",
        "confirm": "confirm", "undo": "undo", "hint": "hint", "new": "new match (hold)",
        "table": "table", "deluxe": "deluxe",
    },
    "de": {
        "title": "Verdrahtung, Ausführung „{build}“",
        "how": "Der Pi von oben, Speicherkarte oben: Stift 1 ist oben links, gerade Nummern liegen am Platinenrand.",
        "rgb": "Statuslicht, {colour}",
        "led": "Licht für {colour}",
        "button": "{name}: {colour}",
        "bus": "Masse",
        "anode": "langes Bein an 3,3 V",
        "cathode": "langes Bein an Masse",
        "short": "kurze Beine an Masse",
        "red": "Rot", "yellow": "Gelb", "green": "Grün", "blue": "Blau",
        "confirm": "bestätigen", "undo": "zurück", "hint": "Hinweis", "new": "neue Partie (halten)",
        "table": "Tisch", "deluxe": "Luxus",
    },
}  # fmt: skip


def draw_wiring(
    wires: Sequence[Wire], language: str = "en", common_anode: bool = False, budget: Budget | None = None
) -> str:
    """The whole diagram as an SVG document; `budget` says which fuse the chain gets."""
    words = WORDS[language]
    build = "deluxe" if any(wire.kind == "chain" for wire in wires) else "table"
    title = words["title"].format(build=words[build])
    shapes = [text((40, 46), title, 24, bold=True), text((40, 72), words["how"], 14, SOFT)]
    shapes += _sides(wires, words, language, common_anode, budget)
    shapes += _header({wire.header: wire for wire in wires})
    if any(wire.kind == "rgb" for wire in wires):
        shapes += draw_legs((775.0, 118.0), language, common_anode, PAINT)
    chain = {wire.name: wire for wire in wires if wire.kind == "chain"}
    if chain:
        shapes += draw_chip((965.0, 118.0), language, chain, PAINT[""])
    has_buzzer = any(wire.kind == "buzzer" for wire in wires)
    return document((SIZE[0], SIZE[1] + (ROOM + DROP + 14 if has_buzzer else 0.0)), shapes, title)


def resistor_of(wire: Wire) -> float:
    """Ohms before an LED: green and blue of an RGB LED keep more volts than a plain green one."""
    if wire.kind == "led" and wire.colour == "green":
        return EITHER_GREEN
    return resistor(FORWARD[kind_of_led(wire)], AIM_MA)


def kind_of_led(wire: Wire) -> str:
    """Which row of the table of forward voltages it is in."""
    return f"{wire.colour} (InGaN)" if wire.kind == "rgb" and wire.colour == "green" else wire.colour


def pin_at(number: int) -> Spot:
    return (ODD if number % 2 else EVEN, TOP + (number - 1) // 2 * PITCH)


def _header(used: dict[int, Wire]) -> Iterator[str]:
    yield box((ODD - 19, TOP - 17), (EVEN - ODD + 38, 19 * PITCH + 34), fill="#1d2226", rounding=6)
    for number in range(1, 41):
        x, y = pin_at(number)
        fill = "#8f979d"
        if number in used:
            fill = PAINT[used[number].colour]
        elif number in GROUNDS:
            fill = GROUND
        elif number in (*SUPPLY_3V3, *SUPPLY_5V):
            fill = VOLTS_3 if number in SUPPLY_3V3 else VOLTS_5
        yield box((x - 12, y - 11), (24, 22), fill=fill, stroke=PAPER if number in used else "none", rounding=3)
        yield text((x, y + 4.5), str(number), 12, PAPER, "middle", bold=True)
    yield text(((ODD + EVEN) / 2, TOP - 26), "GPIO", 13, SOFT, "middle", bold=True)


def _sides(
    wires: Sequence[Wire], words: dict[str, str], language: str, common_anode: bool, budget: Budget | None
) -> Iterator[str]:
    ordered = sorted(wires, key=lambda wire: wire.header)
    lights = [wire for wire in ordered if wire.kind in ("rgb", "led")]
    buttons = [wire for wire in ordered if wire.kind in ("button", "buzzer")]
    chain = [wire for wire in ordered if wire.kind == "chain"]
    above = sum(not chain or wire.header < chain[0].header for wire in lights)
    levels = [OVER + 46 + ROW * k + (BLOCK if chain and k >= above else 0.0) for k in range(len(lights))]
    places = list(zip(lights, levels, strict=True))
    if chain:
        place = OVER + 38 + ROW * above
        yield from draw_chain((chain[0], chain[1]), place, _leave, PAINT[""], language, pin_at(25), budget)
    for lane, (wire, level) in enumerate(places):
        to_plus = common_anode and wire.kind == "rgb"
        yield from _light(wire, level, _lane(lane, len(places), places), words, to_plus)
    yield from _left_bus(places, words, common_anode)
    yield from _buttons(buttons, words, language)


def _lane(number: int, total: int, places: Sequence[tuple[Wire, float]]) -> float:
    """Where a wire turns: upwards the lower pins turn farther out, downwards the upper ones, so that none cross."""
    wire, level = places[number]
    up = level < pin_at(wire.header)[1]
    return ODD - 78 - 13.0 * (number if up else total - 1 - number)


def _leave(wire: Wire, level: float, lane: float) -> list[Spot]:
    """From a pin of the left column to a level left of the header."""
    x, y = pin_at(wire.header)
    if wire.header % 2:
        return [(x - 12, y), (lane, y), (lane, level)]
    over = TOP - 40
    return [(x + 12, y), (x + 30, y), (x + 30, over), (lane, over), (lane, level)]


def _light(wire: Wire, y: float, lane: float, words: dict[str, str], to_plus: bool) -> Iterator[str]:
    paint = PAINT[wire.colour]
    yield line([*_leave(wire, y, lane), (LEFT + 170, y)], paint, 3, halo=True)
    yield box((LEFT + 106, y - 9), (64, 18), fill="#f6efe2", stroke=INK, rounding=4)
    yield text((LEFT + 138, y + 5), f"{resistor_of(wire):.0f} Ω", 13, INK, "middle")
    yield line([(LEFT + 106, y), (LEFT + 62, y)], paint, 3)
    # The bar is on the side that current leaves by.
    base, tip = (LEFT + 38, LEFT + 62) if to_plus else (LEFT + 62, LEFT + 38)
    yield polygon([(base, y - 13), (base, y + 13), (tip, y)], paint)
    yield line([(tip, y - 13), (tip, y + 13)], INK, 2.5)
    for shift in (0.0, 9.0):
        yield line([(LEFT + 52 - shift, y - 15), (LEFT + 44 - shift, y - 24)], paint, 1.6)
    yield line([(LEFT + 38, y), (LEFT_BUS, y)], GROUND, 3)
    yield text((LEFT + 20, y - 8), _label(wire, words), 14, INK, "end", bold=True)
    yield text((ODD - 26, pin_at(wire.header)[1] - 5), f"GPIO {wire.gpio}", 12, SOFT, "end")


def _label(wire: Wire, words: dict[str, str]) -> str:
    if wire.kind == "button":
        return words["button"].format(name=words[wire.name], colour=words[wire.colour])
    return words[wire.kind].format(colour=words[wire.colour])


def _left_bus(places: Sequence[tuple[Wire, float]], words: dict[str, str], common_anode: bool) -> Iterator[str]:
    if not places:
        return
    to_ground = [y for wire, y in places if wire.kind == "led" or not common_anode]
    status = [level for wire, level in places if wire.kind == "rgb"]
    x, y = pin_at(9)
    if to_ground:
        route = [(LEFT_BUS, max(to_ground)), (LEFT_BUS, OVER), (x - 40, OVER), (x - 40, y), (x - 12, y)]
        yield line(route, GROUND, 3, halo=True)
        yield from (dot((LEFT_BUS, level), 4.5, GROUND) for level in to_ground)
        yield text((LEFT_BUS + 8, OVER - 7), words["bus"], 13, GROUND)
    if status:
        yield from _status_leg(status, words, common_anode)
    others = [level for wire, level in places if wire.kind == "led"]
    if others:
        yield text((LEFT_BUS + 12, max(others) + 20), words["short"], 12.5, SOFT)


def _status_leg(levels: Sequence[float], words: dict[str, str], common_anode: bool) -> Iterator[str]:
    """Where the long leg of the status light goes."""
    note = words["anode" if common_anode else "cathode"]
    yield text((LEFT_BUS + 12, max(levels) + 20), note, 12.5, SOFT)
    if common_anode:
        outside = LEFT_BUS - 24
        yield line([(outside, max(levels)), (outside, TOP), (ODD - 12, TOP)], VOLTS_3, 3, halo=True)
        yield text((LEFT_BUS + 8, TOP - 7), "3.3 V", 13, VOLTS_3)
        yield from (line([(LEFT + 38, level), (outside, level)], VOLTS_3, 3, halo=True) for level in levels)


def _buttons(buttons: Sequence[Wire], words: dict[str, str], language: str) -> Iterator[str]:
    """Even pins come straight, odd ones from below the header."""
    straight = [wire for wire in buttons if wire.header % 2 == 0]
    around = [wire for wire in buttons if wire.header % 2]
    levels, roofs = {}, []
    y = TOP + 370
    for wire in (*straight, *reversed(around)):
        is_buzzer = wire.kind == "buzzer"
        y += ROOM - 44 if is_buzzer else 0.0
        levels[wire.name] = y
        roofs.append(y - (ROOM if is_buzzer else 44.0))
        y += ROW + 14 + (DROP + 14 if is_buzzer else 0.0)
    for number, wire in enumerate(straight):
        x, height = pin_at(wire.header)
        lane = EVEN + 82 + 18 * number
        route = [(x + 12, height), (lane, height), (lane, levels[wire.name]), (RIGHT, levels[wire.name])]
        yield line(route, PAINT[wire.colour], 3, halo=True)
    for number, wire in enumerate(around):
        x, height = pin_at(wire.header)
        below, lane = TOP + 19 * PITCH + 40 + 16 * number, EVEN + 82 + 18 * (len(straight) + number)
        points = [(x - 12, height), (x - 36 - 12 * number, height), (x - 36 - 12 * number, below), (lane, below)]
        yield line([*points, (lane, levels[wire.name]), (RIGHT, levels[wire.name])], PAINT[wire.colour], 3, halo=True)
    for wire in buttons:
        level = levels[wire.name]
        if wire.kind == "buzzer":
            yield from draw_buzzer((RIGHT, level), RIGHT_BUS, language, PAINT[""], GROUND, VOLTS_3)
            yield _gpio(wire)
        else:
            yield from _button(wire, level, words)
    if not buttons:
        return
    x, height = pin_at(34)
    grounds = [level + (DROP if name.startswith("buzzer") else 0.0) for name, level in levels.items()]
    top, lane = min(roofs), EVEN + 44
    route = [(RIGHT_BUS, max(grounds)), (RIGHT_BUS, top), (lane, top), (lane, height), (x + 12, height)]
    yield line(route, GROUND, 3, halo=True)
    yield from (dot((RIGHT_BUS, level), 4.5, GROUND) for level in grounds)
    yield text((RIGHT_BUS - 8, top - 8), words["bus"], 13, GROUND, "end")


def _button(wire: Wire, y: float, words: dict[str, str]) -> Iterator[str]:
    paint = PAINT[wire.colour]
    yield line([(RIGHT, y), (RIGHT + 22, y)], paint, 3)
    yield dot((RIGHT + 26, y), 5, PAPER, INK)
    yield dot((RIGHT + 74, y), 5, PAPER, INK)
    yield line([(RIGHT + 24, y - 11), (RIGHT + 76, y - 11)], INK, 3)
    yield line([(RIGHT + 50, y - 11), (RIGHT + 50, y - 24)], INK, 3)
    yield box((RIGHT + 32, y - 33), (36, 11), fill=paint, rounding=4)
    yield line([(RIGHT + 79, y), (RIGHT_BUS, y)], GROUND, 3)
    yield text((RIGHT + 6, y + 24), _label(wire, words), 14, INK, bold=True)
    yield _gpio(wire)


def _gpio(wire: Wire) -> str:
    x, height = pin_at(wire.header)
    odd = wire.header % 2
    return text((x - 26 if odd else x + 26, height - 5), f"GPIO {wire.gpio}", 12, SOFT, "end" if odd else "start")
