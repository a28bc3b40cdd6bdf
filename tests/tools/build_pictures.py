"""Renders the pictures of the building guide from the STL files and the printed board, with Mitsuba's path tracer.

    python -m pip install mitsuba        # in an environment of its own, with numpy
    magister print memento-tuos --out pack
    PYTHONPATH=. python tests/tools/build_pictures.py pack docs/pictures [NAME…]

Not part of the tests: the pictures are committed, and a path tracer is large.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import mitsuba as mi
import numpy as np

from engine.board import turned
from engine.registry import find_game
from hardware.build.sizes import modules, sizes
from hardware.build.stand import TRAY, Mounting, mounting

mi.set_variant("scalar_rgb")
T = mi.ScalarTransform4f
STL = Path(__file__).parents[2] / "hardware" / "build" / "stl"
SIZE = sizes()
TILT, DISTANCE, DEPTH = 25.0, 560.0, 364.0
STAND: Mounting = mounting(modules()["3"], DISTANCE, TILT, DEPTH)
TABLE_THICK = 30.0
BELOW = SIZE["table"]["thickest"] + SIZE["table"]["pad"][1] + SIZE["table"]["arm"]
STONE_HIGH = find_game("memento-tuos").board(4).pieces["stone"].height
PRINT, BAR, METAL, DARK, WOOD = "#e8e2d6", "#3a4148", "#b9bec4", "#1c2024", "#a9764a"
COLOURS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4", "stone": "#d9c7a3"}
STANDING = {"T1": (2, "red"), "L3": (1, "blue"), "I7": (3, "yellow"), "R2": (1, "green"), "T6": (1, "red")}
Things = list[dict[str, Any]]


def rgb(colour: str) -> list[float]:
    return [(int(colour[k : k + 2], 16) / 255) ** 2.2 for k in (1, 3, 5)]


def skin(colour: str, shiny: bool = False) -> dict[str, Any]:
    kind = {"type": "roughplastic", "alpha": 0.3} if shiny else {"type": "diffuse"}
    name = "diffuse_reflectance" if shiny else "reflectance"
    return {"type": "twosided", "inner": {**kind, name: {"type": "rgb", "value": rgb(colour)}}}


def metal() -> dict[str, Any]:
    return {"type": "twosided", "inner": {"type": "roughconductor", "material": "Al", "alpha": 0.25}}


def stl(name: str, place: Any, colour: str) -> dict[str, Any]:  # noqa: ANN401
    raw = np.frombuffer((STL / f"{name}.stl").read_bytes()[84:], dtype=np.dtype([("f", "<f4", 12), ("r", "<u2")]))
    corners = np.ascontiguousarray(raw["f"][:, 3:].reshape(-1, 3))
    faces = np.zeros(len(raw), dtype=np.dtype([("count", "u1"), ("corners", "<i4", 3)]))
    faces["count"], faces["corners"] = 3, np.arange(len(corners)).reshape(-1, 3)
    head = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(corners)}\nproperty float x\nproperty float y\n"
        f"property float z\nelement face {len(raw)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    path = Path(tempfile.gettempdir()) / f"build-picture-{name}.ply"
    path.write_bytes(head.encode() + corners.tobytes() + faces.tobytes())
    return {"type": "ply", "filename": str(path), "face_normals": True, "to_world": place, "bsdf": skin(colour)}


def rod(one: Sequence[float], other: Sequence[float], wide: float, look: dict[str, Any]) -> Things:
    ends: Things = [
        {"type": "disk", "to_world": T().look_at(origin=at, target=beyond, up=up) @ T().scale(wide / 2), "bsdf": look}
        for at, beyond in ((one, [2 * a - b for a, b in zip(one, other, strict=True)]),
                           (other, [2 * b - a for a, b in zip(one, other, strict=True)]))
        for up in [(1, 0, 0) if abs(one[0] - other[0]) < 1 else (0, 0, 1)]
    ]  # fmt: skip
    return [{"type": "cylinder", "p0": list(one), "p1": list(other), "radius": wide / 2, "bsdf": look}, *ends]


def block(size: Sequence[float], place: Any, look: dict[str, Any]) -> dict[str, Any]:  # noqa: ANN401
    return {"type": "cube", "to_world": place @ T().scale([side / 2 for side in size]), "bsdf": look}


def at(x: float, y: float, z: float) -> Any:  # noqa: ANN401
    return T().translate([x, y, z])


def turn(angle: float, axis: str) -> Any:  # noqa: ANN401
    return T().rotate([float(axis == each) for each in "XYZ"], angle)


def table() -> Things:
    return [block((1500, 2 * STAND.edge, TABLE_THICK), at(0, 0, -TABLE_THICK / 2 - 2.2), skin(WOOD))]


def piece(kind: str, x: float, y: float, z: float, colour: str) -> dict[str, Any]:
    upside = at(x, y, z + 3) @ turn(180, "X") if kind == "marker" else at(x, y, z)
    return stl(kind, upside, COLOURS[colour])


def stack(x: float, y: float, z: float, stones: int, colour: str | None) -> Things:
    made = [piece("stone", x, y, z + STONE_HIGH * number, "stone") for number in range(stones)]
    return [*made, *([piece("marker", x, y, z + STONE_HIGH * stones, colour)] if colour else [])]


def board(pack: Path) -> Things:
    record = json.loads((pack / "board.json").read_text(encoding="utf-8"))
    made: Things = []
    for each in record["sheets"]:
        made += sheet(pack, each)
    for site, (stones, colour) in STANDING.items():
        x, y = record["sites"][site]["at"]
        made += stack(x, -y, 3.0, stones, colour)
    return made


def sheet(pack: Path, record: dict[str, Any], shift: tuple[float, float] = (0, 0)) -> Things:
    """A printed part: its picture, what is cut away left out, in layers as thick as the board under it."""
    (width, height), angle = record["size"], record["angle"]
    x, y = turned(tuple(record["at"]), angle, tuple(record.get("pivot", record["at"])))
    name = str(pack / record["image"])
    picture = {"type": "bitmap", "filename": name}
    made: Things = []
    layers = [record["z"]] if record["z"] == 0 else [record["z"] / 2, record["z"]]
    for z in layers:
        place = at(x + shift[0], -y + shift[1], z) @ turn(-angle, "Z") @ T().scale([width / 2, -height / 2, 1])
        top = {"type": "diffuse", "reflectance": picture if z == record["z"] else {"type": "rgb", "value": 0.5}}
        alpha = {"type": "bitmap", "bitmap": _alpha(name), "raw": True}
        inner = {"type": "mask", "opacity": alpha, "inner": {"type": "twosided", "inner": top}}
        made.append({"type": "rectangle", "to_world": place, "bsdf": inner})
    if record["z"] == 0:
        made.append(block((width, height, 2), at(x, -y, -1.1), skin("#c9b48c")))
    return made


def _alpha(name: str) -> Any:  # noqa: ANN401
    pixels = np.array(mi.Bitmap(name).convert(component_format=mi.Struct.Type.Float32, srgb_gamma=False))
    alpha = pixels[..., 3:4] if pixels.shape[2] == 4 else np.ones_like(pixels[..., :1])
    return mi.Bitmap(np.ascontiguousarray(alpha))


def camera_module(place: Any) -> Things:  # noqa: ANN401
    """A Camera Module 3, from its keep-out."""
    front = SIZE["camera"]["thick"] + SIZE["camera"]["posts"]
    made: Things = []
    for box, colour in zip(modules()["3"].keep_out(front), (DARK, "#1d6b3a", "#e8e0d0", DARK), strict=True):
        low, high = np.array(box[:3]), np.array(box[3:])
        if colour == "#e8e0d0":
            high[1] -= 15.0
        middle, size = (low + high) / 2, high - low
        made.append(block(size, place @ at(*middle), skin(colour)))
    made.append(block((16, 70, 0.4), place @ at(0, 42, front + 3), skin("#efece6")))
    return made


def head_place() -> Any:  # noqa: ANN401
    return at(0, DISTANCE * sin(radians(TILT)), DISTANCE * cos(radians(TILT))) @ turn(-TILT, "X")


BESIDE = 32.0
"""From the middle of the head to the arm: head and cross side by side on the head tube."""


def stand(parts: Sequence[str] = ("clamp", "arm", "head", "tray")) -> Things:
    behind, apart, half = SIZE["table"]["tube_at"], SIZE["cross"]["apart"], SIZE["clamp"]["long"] / 2
    upright, (tube_y, tube_z), arm_z = STAND.edge + behind, STAND.tube, STAND.arm
    stem = BESIDE - apart
    bottom = -2.2 - BELOW
    made = rod((stem, upright, bottom), (stem, upright, bottom + SIZE["tube"]["upright"]), 16, metal())
    if "clamp" in parts:
        made += _clamp(stem, upright, bottom)
    arm_from = tube_y - half - 4
    made += rod((BESIDE, arm_from, arm_z), (BESIDE, arm_from + SIZE["tube"]["arm"], arm_z), 16, metal())
    # Standing clamp on the upright, lying one round the arm.
    made.append(stl("cross", at(stem, upright, arm_z - half) @ turn(-90, "Z"), PRINT))
    # Standing clamp round the arm, lying one on the head tube below it.
    made.append(stl("cross", at(BESIDE, tube_y - half, arm_z) @ turn(-90, "X"), PRINT))
    made += rod((-16, tube_y, tube_z), (64, tube_y, tube_z), 16, metal())
    if "head" in parts:
        made += [stl("camera-head", head_place(), PRINT), *camera_module(head_place())]
    if "tray" in parts:
        made += _tray(stem, upright)
    return made


def _clamp(stem: float, upright: float, bottom: float) -> Things:
    """The part lies on its side when printed: its y is the height in use, its z goes across."""
    size = SIZE["table"]
    bolt_y = upright - size["tube_at"] - size["arm"] - size["reach"] * 0.6
    across = stem - size["tube_high"] + size["broad"] / 2
    made = [stl("table-clamp", _clamp_place(stem, upright, bottom), PRINT)]
    under = -2.2 - TABLE_THICK
    made += rod((across, bolt_y, under - 7), (across, bolt_y, under - 67), 8, metal())
    made.append(stl("pad", at(across, bolt_y, under) @ turn(180, "X"), PRINT))
    made.append(stl("knob", at(across, bolt_y, under - 67 - 4), BAR))
    return made


def _clamp_place(stem: float, upright: float, bottom: float) -> Any:  # noqa: ANN401
    """Part x (over the table) becomes -y, part y becomes z, part z becomes -x."""
    size = SIZE["table"]
    return T(
        np.array(
            [
                [0.0, 0.0, -1.0, stem + size["tube_high"]],
                [-1.0, 0.0, 0.0, upright - size["tube_at"]],
                [0.0, 1.0, 0.0, bottom],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
    )


def _tray(stem: float, upright: float) -> Things:
    """The tray's tube (its x) stands; the Pi looks away from the table."""
    place = T(
        np.array(
            [
                [0.0, 1.0, 0.0, stem],
                [0.0, 0.0, 1.0, upright - SIZE["clamp"]["lying_at"]],
                [1.0, 0.0, 0.0, TRAY],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
    )
    high, start = SIZE["pi"]["thick"] + SIZE["pi"]["posts"], 21.15
    made = [stl("pi-tray", place, PRINT), block((85, 56, 1.4), place @ at(0, start + 28, high + 0.7), skin("#1d6b3a"))]
    made.append(block((50.8, 5, 8), place @ at(-7, start + 3.5, high + 5.4), skin(DARK)))
    for y, wide in ((10, 16), (29, 13), (47, 13)):
        made.append(block((18, wide, 15), place @ at(35, start + y, high + 9), skin(METAL)))
    made.append(block((15, 15, 2.4), place @ at(-10, start + 30, high + 2.6), skin(METAL)))
    return made


LIGHTS = ((-86, 0, "#ffffff"), *zip((-62, -46, -30, -14), (6, 6, 6, 6), list(COLOURS.values())[:4], strict=True))
BUTTONS = ((14, "green"), (40, "yellow"), (66, "blue"), (92, "red"))


def bar(x: float, y: float) -> Things:
    made = [stl("bar-body", at(x, y, 30) @ turn(180, "X"), BAR)]
    for dx, dy, colour in LIGHTS:
        glow = {"type": "area", "radiance": {"type": "rgb", "value": [2.5 * part for part in rgb(colour)]}}
        centre = [x + dx, y - dy, 31.5]
        made.append({"type": "sphere", "center": centre, "radius": 2.6, "bsdf": skin(colour), "emitter": glow})
    for dx, colour in BUTTONS:
        made += rod((x + dx, y, 30), (x + dx, y, 32.5), 14, metal())
        made += rod((x + dx, y, 32.5), (x + dx, y, 36), 10, skin(COLOURS[colour], shiny=True))
    return made


def picture(things: Things, eye: Sequence[float], target: Sequence[float], view: float, size: tuple[int, int]) -> Any:  # noqa: ANN401
    scene: dict[str, Any] = {
        "type": "scene",
        "integrator": {"type": "path", "max_depth": 24, "rr_depth": 5},
        "sensor": {
            "type": "perspective", "fov": view, "fov_axis": "x",
            "to_world": T().look_at(origin=list(eye), target=list(target), up=[0, 0, 1]),
            "film": {"type": "hdrfilm", "width": size[0], "height": size[1], "rfilter": {"type": "gaussian"}},
            "sampler": {"type": "independent", "sample_count": SAMPLES},
        },
        "sky": {"type": "constant", "radiance": {"type": "rgb", "value": [0.50, 0.54, 0.6]}},
        "lamp": {
            "type": "rectangle",
            "to_world": T().look_at(origin=[-700, -500, 1500], target=[0, 0, 0], up=[0, 1, 0]) @ T().scale(350),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [9.0, 8.7, 8.2]}},
        },
    }  # fmt: skip
    scene |= {f"thing-{number}": thing for number, thing in enumerate(things)}
    return mi.render(mi.load_dict(scene))


SAMPLES = 32
BED = {
    "coupon": (-122, 118), "table-clamp": (-150, -40), "knob": (-30, 0), "pad": (-30, -45), "cross": (22, 20),
    "camera-head": (-28, 100), "gooseneck-head": (15, 100), "tripod-head": (62, 80), "pi-tray": (120, 20),
    "stone": (66, -45), "marker": (97, -45), "pawn": (122, -45), "figure": (148, -45),
}  # fmt: skip


def draw_parts(_: Path) -> Any:  # noqa: ANN401
    """Every part as it lies on the printer's bed."""
    things = [stl(name, at(x, y, 0), PRINT) for name, (x, y) in BED.items()]
    things += [stl("bar-body", at(0, -105, 0), BAR), stl("bar-lid", at(0, -160, 0), BAR)]
    things.append(block((1200, 1200, 2), at(0, 0, -1.01), skin("#34383e")))
    return picture(things, (-110, -430, 400), (0, -32, 0), 44, (1000, 680))


def draw_stand(pack: Path) -> Any:  # noqa: ANN401
    things = [*table(), *board(pack), *stand(), *bar(0, -255)]
    return picture(things, (-900, -1120, 760), (30, 60, 300), 39, (800, 720))


def draw_clamp(_: Path) -> Any:  # noqa: ANN401
    return picture([*table(), *stand()], (-260, STAND.edge + 240, 60), (0, STAND.edge - 10, -36), 32, (900, 640))


def draw_arm(_: Path) -> Any:  # noqa: ANN401
    return picture([*table(), *stand(("clamp", "arm"))], (-330, 0, 760), (10, 330, 520), 46, (900, 640))


def draw_head(_: Path) -> Any:  # noqa: ANN401
    y, z = DISTANCE * sin(radians(TILT)), DISTANCE * cos(radians(TILT))
    return picture([*table(), *stand()], (-200, y - 260, z - 120), (6, y - 4, z + 16), 24, (900, 640))


def draw_head_behind(_: Path) -> Any:  # noqa: ANN401
    y, z = DISTANCE * sin(radians(TILT)), DISTANCE * cos(radians(TILT))
    return picture([*table(), *stand()], (-210, y + 230, z + 190), (6, y - 4, z + 18), 24, (900, 640))


def draw_tray(_: Path) -> Any:  # noqa: ANN401
    edge = STAND.edge
    return picture([*table(), *stand()], (-60, edge + 420, 300), (45, edge + 10, TRAY), 34, (900, 640))


def draw_bar(_: Path) -> Any:  # noqa: ANN401
    return picture([*table(), *bar(0, 0)], (-90, -330, 250), (0, 0, 18), 34, (1000, 460))


def draw_pieces(_: Path) -> Any:  # noqa: ANN401
    things = [*table(), *stack(-70, 0, -2.2, 3, "red"), *stack(-20, 20, -2.2, 1, "blue")]
    things += [piece("stone", 30, 10, -2.2, "stone"), piece("marker", 30, -26, -2.2, "yellow")]
    things.append(stl("stone", at(66, -8, STONE_HIGH - 1.2) @ turn(180, "X"), COLOURS["stone"]))
    things += [piece("pawn", 104, 14, -2.2, "green"), piece("figure", 138, 4, -2.2, "red")]
    return picture(things, (10, -320, 200), (32, 4, 12), 40, (900, 560))


def draw_tiles(pack: Path) -> Any:  # noqa: ANN401
    """The base glued on its card, two tiles laid, two beside it."""
    record = json.loads((pack / "board.json").read_text(encoding="utf-8"))
    aside = {"tile-T": (-330.0, 90.0), "tile-R": (230.0, -60.0)}
    things = table()
    for each in record["sheets"]:
        things += sheet(pack, each, aside.get(each["name"], (0.0, 0.0)))
    return picture(things, (-60, -620, 740), (-6, -6, 0), 48, (960, 680))


DRAWN = {
    "build-stand": draw_stand, "build-parts": draw_parts, "build-head": draw_head, "build-arm": draw_arm,
    "build-head-behind": draw_head_behind, "build-clamp": draw_clamp, "build-tray": draw_tray, "build-bar": draw_bar,
    "build-pieces": draw_pieces, "build-tiles": draw_tiles,
}  # fmt: skip


def main(words: Sequence[str]) -> None:
    pack, out = Path(words[0]), Path(words[1])
    for name in words[2:] or DRAWN:
        made = mi.Bitmap(DRAWN[name](pack.resolve()))
        made = made.convert(mi.Bitmap.PixelFormat.RGB, mi.Struct.Type.UInt8, srgb_gamma=True)
        made.write(str((out / f"{name}.jpg").resolve()), quality=84)


if __name__ == "__main__":
    main(sys.argv[1:])
