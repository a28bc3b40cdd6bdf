"""Renders the pictures of the building guide from the STL files and the printed board, with Blender's path tracer.

    python -m pip install bpy        # in an environment of its own: Blender as a module
    magister print memento-tuos --out pack
    python tests/tools/build_pictures.py pack docs/pictures [NAME…]

Not part of the tests: the pictures are committed, and Blender is large.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Sequence
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

BUILD = Path(__file__).parents[2] / "hardware" / "build"
STL = BUILD / "stl"


def _stone_height() -> float:
    # Blender's own Python has none of our packages; the engine needs nothing but its folder.
    sys.path.append(str(BUILD.parents[1]))
    from engine.registry import find_game

    return find_game("memento-tuos").board(4).pieces["stone"].height


STONE_HIGH = _stone_height()
"""Millimetres, without the nub."""
UNIT = 0.01
"""Blender's units a millimetre."""
TILT, DISTANCE = 25.0, 560.0
TABLE_EDGE, TABLE_THICK = 330.0, 30.0
PRINT, WOOD, METAL, DARK = "#e8e2d6", "#8a5a33", "#b9bec4", "#1c2024"
COLOURS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4", "stone": "#d9c7a3"}
SEATS = ("red", "yellow", "green", "blue")
STANDING = {
    "T1": (2, "red"),
    "L3": (1, "blue"),
    "I7": (3, "yellow"),
    "R2": (1, "green"),
    "T6": (1, "red"),
    "R5": (2, "blue"),
}


def linear(colour: str) -> tuple[float, float, float, float]:
    red, green, blue = ((int(colour[k : k + 2], 16) / 255) ** 2.2 for k in (1, 3, 5))
    return (red, green, blue, 1.0)


def material(colour: str, rough: float = 0.55, metal: float = 0.0, glow: float = 0.0) -> bpy.types.Material:
    made = bpy.data.materials.new(colour)
    made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = linear(colour)
    shader.inputs["Roughness"].default_value = rough
    shader.inputs["Metallic"].default_value = metal
    if glow:
        shader.inputs["Emission Color"].default_value = linear(colour)
        shader.inputs["Emission Strength"].default_value = glow
    return made


def solid(
    name: str,
    vertices: Sequence[Sequence[float]],
    faces: Sequence[Sequence[int]],
    skin: bpy.types.Material,
    place: Matrix,
) -> None:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([tuple(v) for v in vertices], [], [tuple(f) for f in faces])
    mesh.materials.append(skin)
    thing = bpy.data.objects.new(name, mesh)
    thing.matrix_world = Matrix.Scale(UNIT, 4) @ place
    bpy.context.collection.objects.link(thing)


def stl(name: str, place: Matrix, skin: bpy.types.Material) -> None:
    raw = (STL / f"{name}.stl").read_bytes()
    (count,) = struct.unpack_from("<I", raw, 80)
    corners: dict[tuple[float, float, float], int] = {}
    faces = []
    for number in range(count):
        values = struct.unpack_from("<12f", raw, 84 + 50 * number)
        spots = [tuple(round(v, 4) for v in values[3 + 3 * k : 6 + 3 * k]) for k in range(3)]
        faces.append([corners.setdefault(spot, len(corners)) for spot in spots])
    solid(name, list(corners), faces, skin, place)


def at(x: float, y: float, z: float) -> Matrix:
    return Matrix.Translation(Vector((x, y, z)))


def turn(angle: float, axis: str) -> Matrix:
    return Matrix.Rotation(radians(angle), 4, axis)


def cylinder(d: float, long: float, place: Matrix, skin: bpy.types.Material, bevel: float = 0.0) -> None:
    bpy.ops.mesh.primitive_cylinder_add(vertices=96, radius=d / 2 * UNIT, depth=long * UNIT)
    thing = bpy.context.object
    thing.matrix_world = _scaled(place)
    thing.data.materials.append(skin)
    if bevel:
        edge = thing.modifiers.new("bevel", "BEVEL")
        edge.width, edge.segments, edge.limit_method = bevel * UNIT, 4, "ANGLE"
    thing.data.shade_smooth()
    thing.data.set_sharp_from_angle(angle=radians(40))


def block(size: tuple[float, float, float], place: Matrix, skin: bpy.types.Material, bevel: float = 1.0) -> None:
    bpy.ops.mesh.primitive_cube_add(size=1)
    thing = bpy.context.object
    thing.matrix_world = _scaled(place) @ Matrix.Diagonal((*(s * UNIT for s in size), 1.0))
    thing.data.materials.append(skin)
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    if bevel:
        edge = thing.modifiers.new("bevel", "BEVEL")
        edge.width, edge.segments = bevel * UNIT, 3


def _scaled(place: Matrix) -> Matrix:
    moved = place.copy()
    moved.translation = place.translation * UNIT
    return moved


def sheet(pack: Path, record: dict[str, Any], lift: float = 0.0, shift: tuple[float, float] = (0, 0)) -> None:
    """A printed part: a slab as thick as it is high, its picture on top."""
    width, height = record["size"]
    thick = record["z"] or 2.0
    bpy.ops.mesh.primitive_plane_add(size=1)
    thing = bpy.context.object
    x, y = record["at"]
    # The clear corners of neighbours lie on each other: in one plane they would shade each other.
    top = (record["z"] or 0.0) + lift + 2.0 + 0.05 * max("TLRI".find(record["name"][-1]), 0)
    thing.matrix_world = _scaled(at(x + shift[0], -y + shift[1], top)) @ Matrix.Diagonal(
        (width * UNIT, height * UNIT, 1, 1)
    )
    skin = bpy.data.materials.new(record["name"])
    skin.use_nodes = True
    nodes, links = skin.node_tree.nodes, skin.node_tree.links
    picture = nodes.new("ShaderNodeTexImage")
    picture.image = bpy.data.images.load(str(pack / record["image"]))
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = 0.7
    links.new(picture.outputs["Color"], shader.inputs["Base Color"])
    links.new(picture.outputs["Alpha"], shader.inputs["Alpha"])
    thing.data.materials.append(skin)
    if record["z"] == 0:
        block((width, height, thick), at(x, -y, thick / 2 - 0.05), material("#c9b48c", 0.8), 0.0)
    else:
        for step in range(1, 9):
            under = thing.copy()
            under.location.z -= step * thick / 9 * UNIT
            bpy.context.collection.objects.link(under)


def stage(size: tuple[int, int], samples: int = 20) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.engine = "CYCLES"
    scene.cycles.samples, scene.cycles.use_denoising = samples, True
    scene.cycles.max_bounces, scene.cycles.transparent_max_bounces = 4, 64
    scene.render.resolution_x, scene.render.resolution_y = size
    scene.render.image_settings.file_format = "JPEG"
    scene.render.image_settings.quality = 84
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.exposure = 0.35
    world = bpy.data.worlds.new("room")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.8, 0.87, 1.0, 1)
    world.node_tree.nodes["Background"].inputs[1].default_value = 0.55
    scene.world = world
    for spot, energy, large in (((-6, -4, 9), 750, 4.0), ((7, 3, 6), 260, 3.0), ((0, 9, 5), 160, 4.0)):
        lamp = bpy.data.lights.new("lamp", "AREA")
        lamp.energy, lamp.size = energy, large
        thing = bpy.data.objects.new("lamp", lamp)
        thing.location = spot
        thing.rotation_euler = (Vector((0, 0, 0)) - Vector(spot)).to_track_quat("-Z", "Y").to_euler()
        scene.collection.objects.link(thing)


def camera(eye: tuple[float, float, float], target: tuple[float, float, float], lens: float = 50.0) -> None:
    made = bpy.data.cameras.new("camera")
    made.lens = lens
    thing = bpy.data.objects.new("camera", made)
    thing.location = Vector(eye) * UNIT
    thing.rotation_euler = (Vector(target) - Vector(eye)).to_track_quat("-Z", "Y").to_euler()
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing


def table() -> None:
    wood = bpy.data.materials.new("wood")
    wood.use_nodes = True
    nodes, links = wood.node_tree.nodes, wood.node_tree.links
    where, stretch, grain, tone = (
        nodes.new(kind)
        for kind in ("ShaderNodeTexCoord", "ShaderNodeMapping", "ShaderNodeTexNoise", "ShaderNodeValToRGB")
    )
    stretch.inputs["Scale"].default_value = (0.5, 9.0, 3.0)
    grain.inputs["Scale"].default_value, grain.inputs["Detail"].default_value = 2.2, 8.0
    tone.color_ramp.elements[0].color, tone.color_ramp.elements[1].color = linear("#8f6438"), linear("#c69a66")
    links.new(where.outputs["Object"], stretch.inputs["Vector"])
    links.new(stretch.outputs["Vector"], grain.inputs["Vector"])
    links.new(grain.outputs["Fac"], tone.inputs["Fac"])
    links.new(tone.outputs["Color"], nodes["Principled BSDF"].inputs["Base Color"])
    nodes["Principled BSDF"].inputs["Roughness"].default_value = 0.5
    block((1300, 900, TABLE_THICK), at(0, TABLE_EDGE - 450, -TABLE_THICK / 2), wood, 3.0)


def piece(kind: str, x: float, y: float, z: float, colour: str) -> None:
    stl(kind, at(x, y, z), material(colour, 0.5))


def stack(x: float, y: float, z: float, stones: int, colour: str | None) -> None:
    for number in range(stones):
        piece("stone", x, y, z + STONE_HIGH * number, COLOURS["stone"])
    if colour:
        piece("marker", x, y, z + STONE_HIGH * stones, COLOURS[colour])


def board(pack: Path, pieces: bool = True) -> None:
    record = json.loads((pack / "board.json").read_text(encoding="utf-8"))
    for each in record["sheets"]:
        sheet(pack, each)
    if pieces:
        places = {
            "T1": (2, "red"),
            "L3": (1, "blue"),
            "I7": (3, "yellow"),
            "R2": (1, "green"),
            "T6": (1, "red"),
            "R5": (2, "blue"),
            "L1": (1, "yellow"),
        }
        for site, (stones, colour) in places.items():
            x, y = record["sites"][site]["at"]
            stack(x, -y, 5.0, stones, colour)


def module(place: Matrix) -> None:
    """A Camera Module 3, near enough: board, lens, cable."""
    block((25, 24, 1.1), place @ at(0, 2.5, 7.6), material("#1d6b3a", 0.4), 0.2)
    block((8.5, 8.5, 4.5), place @ at(0, 0, 4.8), material(DARK, 0.3), 0.5)
    cylinder(6.5, 2.0, place @ at(0, 0, 2.0), material("#0a0d10", 0.1))
    block((21, 5, 2.6), place @ at(0, 12.4, 9.2), material("#e8e0d0", 0.5), 0.2)
    block((16, 62, 0.4), place @ at(0, 44, 9.6) @ turn(4, "X"), material("#efece6", 0.5), 0.0)


def stand(printed: bpy.types.Material) -> None:
    metal = material(METAL, 0.28, 1.0)
    edge, lens_z, lens_y = TABLE_EDGE, DISTANCE * cos(radians(TILT)) + 2, DISTANCE * sin(radians(TILT))
    clamp = Matrix(((0, 0, -1, 20), (-1, 0, 0, edge + 14), (0, 1, 0, -59), (0, 0, 0, 1)))
    stl("table-clamp", clamp, printed)
    # Bolt with its foot, from below.
    cylinder(8, 42, at(0, edge - 25, -58), metal)
    cylinder(18, 6, at(0, edge - 25, -33.5), material(DARK, 0.8), 1.0)
    cylinder(15, 6, at(0, edge - 25, -81), metal)
    head = at(0, lens_y, lens_z) @ turn(-TILT, "X")
    tube_at = head @ Vector((0, -30, 19))
    arm_z = tube_at.z + 24
    cylinder(16, 650, at(0, edge + 23, -59 + 325), metal)
    stl("cross", Matrix(((0, 1, 0, 0), (-1, 0, 0, edge + 23), (0, 0, 1, arm_z - 11), (0, 0, 0, 1))), printed)
    long = edge + 23 - tube_at.y + 60
    cylinder(16, long, at(24, tube_at.y - 20 + long / 2, arm_z) @ turn(90, "X"), metal)
    stl("cross", Matrix(((1, 0, 0, 24), (0, 0, 1, tube_at.y - 11), (0, -1, 0, arm_z), (0, 0, 0, 1))), printed)
    cylinder(16, 80, at(8, tube_at.y, tube_at.z) @ turn(90, "Y"), metal)
    stl("camera-head", head, printed)
    module(head)


LIGHTS = (
    (-86, 0, "#ffffff"),
    (-62, 6, COLOURS["red"]),
    (-46, 6, COLOURS["yellow"]),
    (-30, 6, COLOURS["green"]),
    (-14, 6, COLOURS["blue"]),
)
BUTTONS = ((14, "green"), (40, "yellow"), (66, "blue"), (92, "red"))


def bar(place: Matrix, printed: bpy.types.Material, lit: bool = True) -> None:
    up = place @ at(0, 0, 30) @ turn(180, "X")
    stl("bar-body", up, printed)
    for x, y, colour in LIGHTS:
        cylinder(5, 6, place @ at(x, -y, 31), material(colour, 0.2, glow=1.2 if lit else 0.0), 2.2)
    for x, name in BUTTONS:
        cylinder(14, 2.5, place @ at(x, 0, 31), material(METAL, 0.3, 1.0), 0.6)
        cylinder(10, 5, place @ at(x, 0, 34), material(COLOURS[name], 0.35), 0.8)


def pi_case(place: Matrix) -> None:
    block((62, 92, 22), place @ at(0, 0, 11), material("#f2f2f0", 0.5), 4.0)
    block((58, 88, 3), place @ at(0, 0, 22.5), material("#c51a4a", 0.5), 2.0)


def draw_stand(pack: Path) -> None:
    stage((1000, 760))
    table()
    board(pack)
    stand(material(PRINT))
    bar(at(0, -255, 0), material("#3a4148"))
    pi_case(at(-235, 245, 0) @ turn(20, "Z"))
    camera((-620, -930, 520), (-10, 60, 215), 40)


def draw_parts(_: Path) -> None:
    stage((1000, 640))
    table()
    printed = material(PRINT)
    stl("table-clamp", at(-240, 40, 0), printed)
    stl("cross", at(-90, 30, 2), printed)
    stl("cross", at(-40, 30, 2), printed)
    stl("camera-head", at(40, 60, 0), printed)
    stl("gooseneck-head", at(120, 60, 0), printed)
    stl("bar-body", at(-130, -85, 30) @ turn(180, "X"), material("#3a4148"))
    stl("bar-lid", at(-130, -160, 0), material("#3a4148"))
    for number, (kind, colour) in enumerate(
        (("stone", "stone"), ("marker", "red"), ("pawn", "blue"), ("figure", "green"))
    ):
        piece(kind, 60 + 42 * number, -60, 0, COLOURS[colour])
    stack(70, -120, 0, 2, "yellow")
    for number in range(3):
        upside_down = at(0, 0, STONE_HIGH + 1) @ turn(180, "X") if number == 1 else Matrix()
        stl("stone", at(120 + 34 * number, -120, 0) @ upside_down, material(COLOURS["stone"]))
    camera((-60, -560, 520), (-20, -35, 10), 50)


def draw_head(_: Path) -> None:
    stage((900, 640))
    table()
    stand(material(PRINT))
    y, z = DISTANCE * sin(radians(TILT)), DISTANCE * cos(radians(TILT))
    camera((-230, y - 330, z - 90), (5, y + 8, z + 22), 85)


def draw_head_behind(_: Path) -> None:
    stage((900, 640))
    table()
    stand(material(PRINT))
    y, z = DISTANCE * sin(radians(TILT)), DISTANCE * cos(radians(TILT))
    camera((-210, y + 330, z + 190), (12, y + 6, z + 22), 80)


def draw_clamp(_: Path) -> None:
    stage((900, 640))
    table()
    stand(material(PRINT))
    camera((-330, TABLE_EDGE + 300, 60), (0, TABLE_EDGE - 2, -22), 62)


def draw_bar(_: Path) -> None:
    stage((1000, 460))
    table()
    bar(at(0, 0, 0), material("#3a4148"))
    camera((-90, -330, 250), (0, 0, 18), 62)


def draw_pieces(pack: Path) -> None:
    stage((900, 560))
    table()
    stack(-70, 0, 0, 3, "red")
    stack(-20, 20, 0, 1, "blue")
    piece("stone", 30, 10, 0, COLOURS["stone"])
    stl("stone", at(66, -8, STONE_HIGH + 1) @ turn(180, "X"), material(COLOURS["stone"]))
    piece("marker", 30, -26, 0, COLOURS["yellow"])
    piece("pawn", 104, 14, 0, COLOURS["green"])
    piece("figure", 138, 4, 0, COLOURS["red"])
    camera((10, -320, 200), (32, 4, 12), 44)


def draw_tiles(pack: Path) -> None:
    """The base glued on its card, two tiles laid, two beside it."""
    stage((960, 680))
    table()
    record = json.loads((pack / "board.json").read_text(encoding="utf-8"))
    aside = {"tile-T": (-330.0, 90.0), "tile-R": (230.0, -60.0)}
    for each in record["sheets"]:
        shift = aside.get(each["name"])
        if shift:
            sheet(pack, each, lift=-2.0, shift=shift)
        else:
            sheet(pack, each)
    camera((-60, -620, 740), (-6, -6, 0), 36)


DRAWN = {
    "build-stand": draw_stand,
    "build-parts": draw_parts,
    "build-head": draw_head,
    "build-head-behind": draw_head_behind,
    "build-clamp": draw_clamp,
    "build-bar": draw_bar,
    "build-pieces": draw_pieces,
    "build-tiles": draw_tiles,
}


def main(words: Sequence[str]) -> None:
    pack, out = Path(words[0]), Path(words[1])
    for name in words[2:] or DRAWN:
        DRAWN[name](pack.resolve())
        bpy.context.scene.render.filepath = str((out / f"{name}.jpg").resolve())
        bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(sys.argv[1:])
