"""The wiring agrees with the firmware's own pins, sums of volts and milliamperes are right, and the plan sees true."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.face import FaceSet
from engine.registry import find_game
from firmware.commands.cli import main
from firmware.devices.chain import CHANNEL_MA, IDLE_MA, current_ma
from firmware.devices.signals import WHITE
from firmware.settings.config import Config
from firmware.settings.pins import HEADER, SPI0, Pins
from hardware.build.diagram import AIM_MA, draw_wiring, kind_of_led, pin_at, resistor_of
from hardware.build.electrics import BLOWS, FORWARD, HEADER_MOST, PIN_MOST, chain_budget, current, pins_total, resistor
from hardware.build.plan import best_distance, good_distances, make_plan
from hardware.build.range_drawing import draw_plan
from hardware.build.wiring import BUILDS, CHIP, GROUNDS, SUPPLY_3V3, SUPPLY_5V, Wire, wires
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene, stand

MEMENTO = find_game("memento-tuos").board(2, {})


def wired(build: str, pins: Pins | None = None) -> list[Wire]:
    return wires(build, pins or Pins(), HEADER, SPI0)


# Wiring


def test_every_pin_of_the_plan_has_its_wire_and_no_other() -> None:
    table = {(wire.name, wire.gpio) for wire in wired("table")}
    assert table == set(Pins())
    deluxe = {(wire.name, wire.gpio) for wire in wired("deluxe")}
    assert deluxe - table == {("chain data", SPI0["data"]), ("chain clock", SPI0["clock"])}
    assert wired("bare") == []


def test_a_wire_ends_at_the_place_that_the_firmware_knows() -> None:
    for build in BUILDS:
        for wire in wired(build):
            assert HEADER[wire.gpio] == wire.header
    power = {*GROUNDS, *SUPPLY_3V3, *SUPPLY_5V}
    assert power.isdisjoint(HEADER.values()), "no signal on a pin of power"
    assert power | set(HEADER.values()) | {27, 28} == set(range(1, 41)), "the header has forty places"


def drawn_lines(svg: str) -> list[tuple[str, list[tuple[float, float]]]]:
    root = ElementTree.fromstring(svg)
    lines = []
    for each in root.iter("{http://www.w3.org/2000/svg}polyline"):
        points = [tuple(map(float, spot.split(","))) for spot in each.attrib["points"].split()]
        lines.append((each.attrib["stroke"], [(x, y) for x, y in points]))
    return lines


@pytest.mark.parametrize("build", ["table", "deluxe"])
@pytest.mark.parametrize(
    "pins",
    [Pins(), Pins(status_red=23, new=12, players=(4, 18), hint=2), Pins(buzzer=(12,)), Pins(buzzer=(4,))],
    ids=["plan", "other", "buzzer", "buzzer at an odd pin"],
)
def test_the_diagram_has_a_line_from_every_wire_s_place(build: str, pins: Pins) -> None:
    made = wired(build, pins)
    svg = draw_wiring(made)
    starts = [points[0] for colour, points in drawn_lines(svg) if colour != "#ffffff"]
    for wire in made:
        x, y = pin_at(wire.header)
        assert any(abs(start[0] - x) <= 13 and start[1] == y for start in starts), wire
        assert f">GPIO {wire.gpio}<" in svg
    told = ElementTree.fromstring(svg)
    assert len([each for each in told.iter() if (each.text or "").startswith("GPIO ")]) == len(made)


@pytest.mark.parametrize("pins", [Pins(), Pins(buzzer=(12,))], ids=["plan", "buzzer"])
@pytest.mark.parametrize("build", ["table", "deluxe"])
def test_no_two_signals_of_the_plan_run_into_each_other(build: str, pins: Pins) -> None:
    """Lines of different colours may not lie on each other: a crossing is seen, a shared stretch is not."""
    stretches = []
    for colour, points in drawn_lines(draw_wiring(wired(build, pins))):
        if colour == "#ffffff":
            continue
        for (x1, y1), (x2, y2) in pairwise(points):
            if x1 == x2 and abs(y1 - y2) > 2:
                stretches.append((colour, "x", x1, *sorted((y1, y2))))
            elif y1 == y2 and abs(x1 - x2) > 2:
                stretches.append((colour, "y", y1, *sorted((x1, x2))))
    for number, (colour, axis, at, low, high) in enumerate(stretches):
        for other, other_axis, other_at, other_low, other_high in stretches[number + 1 :]:
            if colour != other and axis == other_axis and abs(at - other_at) < 3:
                assert min(high, other_high) - max(low, other_low) <= 3, (colour, other, at)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_buzzer_is_drawn_with_its_transistor(language: str) -> None:
    svg = draw_wiring(wired("table", Pins(buzzer=(12,))), language)
    assert all(told in svg for told in ("BC547", "1 kΩ", {"en": "active buzzer", "de": "aktiver Summer"}[language]))
    assert "BC547" not in draw_wiring(wired("table"), language)


def test_a_common_anode_is_drawn_to_plus() -> None:
    svg = draw_wiring(wired("table"), common_anode=True)
    assert "3.3 V to the long leg" in svg
    assert "3.3 V to the long leg" not in draw_wiring(wired("table"))


def test_the_command_tells_the_wiring_of_the_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, drawing = tmp_path / "config.toml", tmp_path / "wiring.svg"
    config.write_text("[pins]\nundo = 12\n[lights]\nchain = true\n")
    assert main(["doctor", "--wiring", "--json", "--config", str(config), "--drawing", str(drawing)]) == 0
    told = {each["name"]: each["gpio"] for each in json.loads(capsys.readouterr().out)}
    assert told == {**dict(Config.load(config).pins), "chain data": 10, "chain clock": 11}
    assert ">GPIO 12<" in drawing.read_text(encoding="utf-8")


# Volts and milliamperes


@pytest.mark.parametrize(
    ("forward", "milliamperes", "ohms"), [(1.9, 4.0, 390), (2.0, 4.0, 330), (3.0, 4.0, 82), (1.3, 2.0, 1000)]
)
def test_resistors_are_the_next_larger_of_the_row(forward: float, milliamperes: float, ohms: float) -> None:
    assert resistor(forward, milliamperes) == ohms
    assert current(forward, ohms) <= milliamperes + 1e-9


def test_the_pins_stand_all_lights_at_once() -> None:
    lights = [wire for wire in wired("table") if wire.kind in ("rgb", "led")]
    assert len(lights) == 7
    least = 0.2
    """Volts by which an LED may keep less than the table says."""
    total = 0.0
    for wire in lights:
        single_green = (wire.kind, wire.colour) == ("led", "green")
        # A single green LED is of either kind, and nobody tells which: the old one takes more, the new one is brighter.
        drawn = current(FORWARD[kind_of_led(wire)] - least, resistor_of(wire))
        assert drawn <= (0.65 if single_green else 0.5) * PIN_MOST
        seen = FORWARD["green (InGaN)"] if single_green else FORWARD[kind_of_led(wire)]
        assert current(seen, resistor_of(wire)) >= (0.49 if single_green else 0.7) * AIM_MA, "and it is seen"
        total += drawn
    assert total <= HEADER_MOST
    assert pins_total(["red", "blue"], 330) == pytest.approx(1400 / 330 + 300 / 330)


def test_the_chain_s_budget_is_that_of_the_firmware() -> None:
    lights = len(MEMENTO.sites)
    budget = chain_budget(lights, Config().lights.budget_ma, IDLE_MA, CHANNEL_MA)
    assert budget.full == current_ma([WHITE] * lights, 1.0)
    assert budget.supply >= BLOWS * budget.fuse, "or it could not blow the fuse"
    assert budget.limit / 1000 <= 0.7 * budget.fuse, "or the fuse would age"
    assert (budget.fuse, budget.supply) == (1.25, 4.0)
    small = chain_budget(4, 800.0, IDLE_MA, CHANNEL_MA)
    assert small.fuse == 0.5, "four lights cannot draw what the limit allows"


def test_the_level_shifter_drives_two_buffers_and_rests_two() -> None:
    names = [name for name, _ in CHIP.values()]
    # Left side downwards, right side upwards, as every 74x125 in DIP-14 has them.
    assert names == ["1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC"]
    goes = dict(CHIP.values())
    for buffer in "1234":
        used = goes[f"{buffer}Y"] in ("DI", "CI")
        assert goes[f"{buffer}OE"] == ("ground" if used else "plus"), "an enable is on when low"
        assert goes[f"{buffer}A"] == (
            {"DI": "chain data", "CI": "chain clock"}[goes[f"{buffer}Y"]] if used else "ground"
        )
    assert (goes["VCC"], goes["GND"]) == ("plus", "ground")
    for language in ("en", "de"):
        budget = chain_budget(len(MEMENTO.sites), Config().lights.budget_ma, IDLE_MA, CHANNEL_MA)
        told = draw_wiring(wired("deluxe"), language, budget=budget)
        assert all(f">{leg}<" in told and f">{name}<" in told for leg, (name, _) in CHIP.items())
        assert "100 nF" in told
        assert ("1.25 A" in told) or ("1,25 A" in told)
    assert "74AHCT125" not in draw_wiring(wired("table"))


# The camera's place


@pytest.mark.parametrize("pose", [Pose(), Pose(distance=540, tilt=35), Pose(distance=700, tilt=0, hfov=75)])
def test_what_the_plan_says_is_what_a_rendered_picture_shows(pose: Pose) -> None:
    plan = make_plan(MEMENTO, pose)
    assert plan.is_whole == Camera.at(pose).sees(MEMENTO)
    site = min(MEMENTO.sites.values(), key=lambda each: np.hypot(*each.at))
    scene, empty = (
        Scene(MEMENTO, stand(MEMENTO, faces), pose=pose) for faces in ({site.name: MEMENTO.faces["red1"]}, {})
    )
    renderer = Renderer(MEMENTO)
    one, other = renderer.render(scene).bgr.astype(int), renderer.render(empty).bgr.astype(int)
    red = (one[..., 2] - other[..., 2] > 25) & (one[..., 2] > 1.5 * one[..., 1])
    width = 2 * np.sqrt(np.count_nonzero(red) / np.pi)
    small, large = plan.pieces["marker"]
    assert 0.85 * small <= width <= 1.3 * large


def test_nearer_is_larger_until_it_is_cut_off() -> None:
    near, far = (make_plan(MEMENTO, Pose(distance=each)) for each in (580, 780))
    assert near.cell > far.cell
    assert near.spare < far.spare
    assert far.problems == []
    cut = make_plan(MEMENTO, Pose(distance=400))
    assert not cut.is_whole
    assert any("cut off" in problem for problem in cut.problems)
    assert any("distance of 400 mm" in problem for problem in cut.problems)


def test_the_highest_stacks_must_be_in_view_too() -> None:
    pose = Pose(distance=530, tilt=0)
    assert Camera.at(pose).sees(MEMENTO)
    assert any("cut off" in problem for problem in make_plan(MEMENTO, pose).problems)
    low = replace(MEMENTO, faces=FaceSet([MEMENTO.faces["red1"]]))
    assert make_plan(low, pose).problems == []


@pytest.mark.parametrize("tilt", [0.0, 25.0, 40.0])
def test_the_best_distance_is_a_good_one(tilt: float) -> None:
    pose = Pose(tilt=tilt)
    span = good_distances(MEMENTO, pose)
    best = best_distance(MEMENTO, pose)
    assert span is not None
    assert best is not None
    assert span[0] <= best <= span[1]
    assert make_plan(MEMENTO, replace(pose, distance=best)).problems == []
    assert make_plan(MEMENTO, replace(pose, distance=span[0] - 15)).problems != []


def test_a_lens_too_narrow_has_no_good_distance() -> None:
    assert good_distances(MEMENTO, Pose(hfov=40)) is None
    assert best_distance(MEMENTO, Pose(hfov=40)) is None


def test_height_and_aside_make_the_distance() -> None:
    plan = make_plan(MEMENTO, Pose(distance=600, tilt=30))
    assert np.hypot(plan.lens_height, plan.aside) == pytest.approx(600)
    assert plan.aside == pytest.approx(300)


def plan_told(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = main(["doctor", "--camera-plan", "--json", *words])
    told: dict[str, object] = json.loads(capsys.readouterr().out)
    return code, told


def test_the_command_plans(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, told = plan_told(capsys)
    assert (code, told["ok"], told["whole"]) == (0, True, True)
    code, told = plan_told(capsys, "--height", "520", "--tilt", "30", "--game", "rings")
    camera = told["camera"]
    assert isinstance(camera, dict)
    assert (camera["height"], camera["distance"]) == (520.0, pytest.approx(600.4, abs=0.1))
    lens, drawing = tmp_path / "lens.json", tmp_path / "plan.svg"
    lens.write_text('{"size": [1280, 720], "fx": 640, "fy": 640, "cx": 639.5, "cy": 359.5}')
    code, told = plan_told(capsys, "--lens", str(lens), "--drawing", str(drawing))
    assert code == 1, "90 degrees are wider than promised"
    assert "field of view of 90" in str(told["problems"])
    assert drawing.read_text(encoding="utf-8").startswith("<svg")


def test_the_command_s_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera-plan", "--distance", "400"]) == 1
    told = capsys.readouterr().out
    assert "NOT the whole board" in told
    assert told.endswith("this will not work.\n")
    assert main(["doctor", "--camera-plan"]) == 0
    assert capsys.readouterr().out.endswith("fine.\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--height", "500", "--distance", "600"], "not both"),
        (["--tilt", "85"], "tilt must be 0 to 80"),
        (["--game", "rings", "--players", "7"], "for 2, 3, 4 players"),
        (["--hfov", "170"], "field of view"),
        (["--distance", "nan"], "not finite"),
    ],
)
def test_a_plan_that_cannot_be(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--camera-plan", *words]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize("game", ["memento-tuos", "rings", "triominos", "dimenticato"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_board_s_plan_is_drawn(game: str, language: str) -> None:
    from random import Random

    rules = find_game(game).configure()
    board = rules.game.board(2, rules.deal(2, Random(0)))
    svg = draw_plan(make_plan(board, Pose()), good_distances(board, Pose()), language)
    polygons = list(ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}polygon"))
    assert len(polygons) >= len(board.sheets) + len(board.fiducials)
