"""Every part is sliced as a printer would: it lies on the bed, needs no supports, and screws, tubes and cameras fit."""

from __future__ import annotations

from functools import cache
from math import cos, inf, pi, sin

import numpy as np
import pytest

from hardware.build.fasteners import Joint, joints, travel
from hardware.build.models import MADE, MODELS
from hardware.build.sizes import Module, modules, sizes
from hardware.build.slicing import Fault, Sliced, Triangles, faults, load_stl

SIZE = sizes()
ON_PLATE = [module for module in modules().values() if module.mount == "plate"]


@cache
def sliced(name: str) -> Sliced:
    return Sliced(load_stl(MADE / f"{name}.stl"))


def block(*box: float) -> Triangles:
    """A cuboid: west, south, low, east, north, high."""
    low, high = np.array(box[:3]), np.array(box[3:])
    corner = [low + (high - low) * [k & 1, k >> 1 & 1, k >> 2] for k in range(8)]
    quads = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    three = [(q[0], q[1], q[2]) for q in quads] + [(q[0], q[2], q[3]) for q in quads]
    return np.array([[corner[k] for k in each] for each in three], dtype=float)


def kinds(*blocks: Triangles) -> set[str]:
    return {fault.kind for fault in faults(Sliced(np.concatenate(blocks)))}


# The slicer itself: each fault once on purpose

FOOT = block(0, 0, 0, 30, 10, 4)


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        (block(10, 2, 8.001, 20, 8, 12), "island"),
        (block(20, 0, 4, 45, 10, 8), "overhang"),
        (block(3, 3, 4, 12, 3.8, 12), "thin"),
    ],
)
def test_what_cannot_be_printed_is_found(wrong: Triangles, kind: str) -> None:
    assert kinds(FOOT) == set()
    assert kind in kinds(FOOT, wrong)


def test_a_thin_floor_is_found() -> None:
    legs = block(0, 0, 0, 4, 10, 4), block(10, 0, 0, 14, 10, 4)
    assert kinds(*legs, block(0, 0, 4, 14, 10, 6)) == set()
    assert kinds(*legs, block(0, 0, 4, 14, 10, 4.8)) == {"thin"}


@pytest.mark.parametrize(("apart", "wanted"), [(8.0, set()), (14.0, {"overhang"})])
def test_a_bridge_is_held_at_both_ends_and_short(apart: float, wanted: set[str]) -> None:
    legs = block(0, 0, 0, 4, 10, 6), block(4 + apart, 0, 0, 8 + apart, 10, 6)
    assert kinds(*legs, block(0, 0, 6, 8 + apart, 10, 9)) == wanted
    assert kinds(legs[0], block(0, 0, 6, 4 + apart, 10, 9)) == {"overhang"}, "one end hangs"


@pytest.mark.parametrize(("angle", "fine"), [(40.0, True), (45.0, True), (60.0, False)])
def test_walls_may_lean_out_by_45_degrees(angle: float, fine: bool) -> None:
    lean = np.tan(angle * pi / 180) * 12
    made = block(0, 0, 0, 20, 20, 12)
    top = made[:, :, 2] > 6
    middle = np.array([10.0, 10.0])
    away = np.sign(made[:, :, :2] - middle)
    made[:, :, :2] += np.where(top[:, :, None], away * lean, 0)
    assert (kinds(made) == set()) is fine


def test_a_part_in_the_air_or_too_large_does_not_lie_on_the_bed() -> None:
    assert kinds(block(0, 0, 2, 10, 10, 12)) == {"bed"}
    assert kinds(block(0, 0, 0, 230, 10, 4)) == {"bed"}


# The parts


@pytest.mark.parametrize("name", [model.name for model in MODELS])
def test_a_part_prints_without_supports(name: str) -> None:
    found: list[Fault] = faults(sliced(name))
    assert not found, "; ".join(map(str, found[:5]))


@pytest.mark.parametrize("head", ["camera-head", "gooseneck-head"])
@pytest.mark.parametrize("module", ON_PLATE, ids=lambda each: each.name)
def test_a_camera_module_fits_its_plate(head: str, module: Module) -> None:
    front = SIZE["camera"]["thick"] + SIZE["camera"]["posts"]
    assert [sliced(head).material(box) for box in module.keep_out(front)] == [0.0] * 4
    for x in (-module.holes[0] / 2, module.holes[0] / 2):
        for y in module.rows:
            assert pilot_depth(head, x, y, SIZE["m2"]["pilot"]) == pytest.approx(5.8, abs=0.4), "a post under it"


def pilot_depth(name: str, x: float, y: float, wide: float) -> float:
    """How deep the hole is that starts at the top of a post, whose wall is whole all round."""
    part, step = sliced(name), 0.4
    radius = wide / 2 + 0.7
    post = [(x + radius * cos(k * pi / 4), y + radius * sin(k * pi / 4)) for k in range(8)]
    levels = np.arange(part.low, part.high, step)

    def solid(px: float, py: float, low: float) -> bool:
        return part.material((px - 0.2, py - 0.2, low, px + 0.2, py + 0.2, low + step)) > 0

    free = [low for low in levels if not solid(x, y, low) and all(solid(px, py, low) for px, py in post)]
    return len(free) * step


def test_all_modules_on_the_plate_share_its_holes_and_its_window() -> None:
    window, post = SIZE["camera"]["window"], SIZE["camera"]["post"]
    assert len({(each.board, each.holes, each.first, each.lens) for each in ON_PLATE}) == 1
    for each in ON_PLATE:
        assert max(each.block) + 1.2 <= window, "the autofocus has room to miss by half a millimetre"
        assert each.holes[0] - post - window >= 2.0, "a post stands on the plate"
        assert each.rows[1] == pytest.approx(0.1, abs=0.15), "the lens is in line with the row next to the cable"
        assert each.lens < each.board[1] / 2, "which is the nearer edge"
    assert window >= 12.5


def test_the_camera_window_is_where_the_lens_is() -> None:
    for head in ("camera-head", "gooseneck-head"):
        half = SIZE["camera"]["window"] / 2 - 0.2
        assert sliced(head).material((-half, -half, 0, half, half, 4)) == 0
        assert sliced(head).material((-half - 1, -half, 2.4, half + 1, half, 4)) > 0, "and not larger"


@pytest.mark.parametrize("joint", joints(), ids=lambda each: f"{each.part} {each.screw}")
def test_a_screw_holds_and_does_not_bottom_out(joint: Joint) -> None:
    assert joint.held >= joint.hold - 1e-9
    assert joint.spare >= 0.2
    for path in joint.paths:
        assert sliced(joint.part).material(path) == 0, "its end comes out into the open"


def test_a_screw_too_long_would_be_found() -> None:
    head = next(joint for joint in joints() if joint.screw.startswith("M2 "))
    assert head.spare < 8.0 - head.reach, "M2 × 8 would bottom out"


@pytest.mark.parametrize(
    ("part", "axis"),
    [("table-clamp", "y"), ("cross", "x"), ("camera-head", "x"), ("tripod-head", "x"), ("pi-tray", "x")],
)
def test_a_tube_goes_through_a_lying_clamp(part: str, axis: str) -> None:
    tube, clamp = SIZE["tube"]["outer"], SIZE["clamp"]
    at = {
        "table-clamp": (-SIZE["table"]["tube_at"], SIZE["table"]["tube_high"]),
        "cross": (SIZE["cross"]["apart"], clamp["lying_at"]),
        "camera-head": (SIZE["camera"]["tube_at"], clamp["lying_at"]),
    }.get(part, (0.0, clamp["lying_at"]))
    inside, outside = tube / 2 / 2**0.5, tube / 2 + 0.4
    square = (at[0] - inside, at[1] - inside, at[0] + inside, at[1] + inside)
    assert along(part, axis, square) == 0, "the tube's own square is free"
    under = (at[0] - 1, at[1] - outside - 1.2, at[0] + 1, at[1] - outside)
    assert along(part, axis, under) > 0, "and right below it there is a wall"


def along(part: str, axis: str, box: tuple[float, float, float, float]) -> float:
    """Material along an axis, in a box across it: aside, low, aside, high."""
    one, low, other, high = box
    if axis == "x":
        return sliced(part).material((-100, one, low, 100, other, high))
    return sliced(part).material((one, 0, low, other, 100, high))


def test_the_standing_clamp_takes_a_tube_and_closes() -> None:
    bore = SIZE["tube"]["outer"] / 2 / 2**0.5
    assert sliced("cross").material((-bore, -bore, 0, bore, bore, 26)) == 0
    half = SIZE["clamp"]["slit"] / 2 - 0.2
    assert sliced("cross").material((-half, -22, 0, half, 0, 26)) == 0, "the slit is open"


def test_the_clamp_goes_round_every_table_it_promises() -> None:
    thinnest, thickest = travel()
    assert thinnest <= SIZE["table"]["thinnest"]
    assert thickest >= SIZE["table"]["thickest"]
    arm, reach = SIZE["table"]["arm"], SIZE["table"]["reach"]
    gap = thickest + SIZE["table"]["pad"][1]
    assert sliced("table-clamp").material((arm + 9, arm + 0.4, 0, arm + reach, arm + gap - 0.4, 36)) == 0


def test_a_short_tripod_screw_finds_the_nut() -> None:
    tripod = SIZE["tripod"]
    (neck,) = (joint for joint in joints() if joint.step == "gooseneck")
    assert neck.held >= 2 * 1.27, "two turns of the thread at least"
    face = SIZE["camera"]["far"] + 1.5 - (tripod["lip"] + tripod["most"] + 4)
    part, half = sliced("gooseneck-head"), tripod["nut"] / 2 - 0.2
    nut = (-half, face + tripod["lip"] + 0.2, 12, half, face + tripod["lip"] + tripod["nut_high"], 22)
    assert part.material(nut) == 0, "the nut slides in from above"
    hole = tripod["diameter"] / 2 / 2**0.5
    assert part.material((-hole, face, 12 - hole, hole, face + tripod["most"], 12 + hole)) == 0
    lip = (-10, face, 3, -5, face + tripod["lip"], 21)
    assert part.material(lip) >= 0.95 * 5 * tripod["lip"] * 18 * 0.75, "and pulls at a whole lip"


def test_the_pi_lies_on_its_posts() -> None:
    pi_size, start = SIZE["pi"], (SIZE["tube"]["outer"] + 0.3) / 2 + SIZE["clamp"]["wall"] + 8.0
    first = (-pi_size["board"][0] / 2 + pi_size["corner"], start + pi_size["corner"])
    for dx in (0.0, pi_size["holes"][0]):
        for dy in (0.0, pi_size["holes"][1]):
            depth = pilot_depth("pi-tray", first[0] + dx, first[1] + dy, SIZE["m25"]["pilot"])
            assert depth >= SIZE["m25"]["long"] - 1.4 - 0.4
    high = pi_size["thick"] + pi_size["posts"]
    board = (-42.5, start, high + 0.2, 42.5, start + 56, high + 20)
    assert sliced("pi-tray").material(board) == 0, "nothing is in the way of the board and its plugs"


def test_only_open_screws_may_be_any_length() -> None:
    assert {joint.screw for joint in joints() if joint.room == inf} == {"M4 × 20", "M8 × 60"}
