"""Path-traced pictures of the virtual table (Mitsuba 3): slow, and lit as real tables are. A tool for development only.

Every picture has the same kinds of parts in the same order, whatever is on the table, so that Mitsuba compiles its
program once: bodies of one finish are heaped into one mesh and take their colours from a strip of a texture.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from math import cos, pi, sin
from typing import Any

import cv2
import mitsuba as mi
import numpy as np
from numpy.typing import NDArray

from engine.board import Sheet
from hardware.printing.raster import Painter
from hardware.virtual.camera import Camera
from hardware.virtual.covering import Solid, covered_shares, limbs_of
from hardware.virtual.painting.colour import black_body, paint
from hardware.virtual.painting.hand import Bone
from hardware.virtual.painting.sensor import Exposure, expose
from hardware.virtual.painting.surface import Laid, lay
from hardware.virtual.painting.texture import texture
from hardware.virtual.scene import TABLE_Z, Cup, Scene, Stack

mi.set_variant(os.environ.get("MITSUBA_VARIANT", "llvm_ad_rgb"))

Floats = NDArray[np.float64]
Random = np.random.Generator
FLIP = (1.0, -1.0, 1.0)
"""Our y goes south, Mitsuba's north."""
MARGIN = 24
"""Pixels about the board that are traced too; what is farther off is only blurred."""


def traced(scene: Scene, painter: Painter, samples: int = 32) -> tuple[Exposure, Mapping[str, float]]:
    """The picture, and for every site the share of it that an arm, a held piece or another thing hides."""
    random = np.random.default_rng([scene.seed, 99])
    camera = Camera.at(replace(scene.pose, k1=0.0), scene.board_at)
    litter = _litter(random)
    window = _window(scene, camera)
    parts = _parts(scene, camera, painter, litter, random) | _sensor(scene, camera, window, samples)
    light = np.array(mi.render(mi.load_dict(parts), seed=scene.seed % 2**31))[..., :3]
    left, top, right, bottom = window
    width, height = scene.pose.size
    light = np.nan_to_num(np.minimum(light, 50.0)).astype(np.float32)[..., ::-1]
    bgr = cv2.copyMakeBorder(light, top, height - bottom, left, width - right, cv2.BORDER_REPLICATE)
    bgr = _bent(_well_exposed(bgr, camera), scene, camera)
    picture = expose(np.ascontiguousarray(bgr.transpose(2, 0, 1)), scene.light, scene.sensor, scene.seed, scene.frame)
    lying = [(vertices * FLIP, faces) for (vertices, faces), _ in litter]
    return picture, covered_shares(scene, camera, lying)


def _window(scene: Scene, camera: Camera) -> tuple[int, int, int, int]:
    wide, deep = (side / 2 + 20 for side in scene.board.base.size)
    corners = [(x, y, z) for x in (-wide, wide) for y in (-deep, deep) for z in (0.0, 90.0)]
    spots = camera.project(np.array(corners))
    width, height = camera.size
    low, high = np.floor(spots.min(axis=0)) - MARGIN, np.ceil(spots.max(axis=0)) + MARGIN
    left, top = np.clip(low, 0, (width - 32, height - 32)).astype(int)
    right, bottom = np.clip(high, (left + 32, top + 32), (width, height)).astype(int)
    return int(left), int(top), int(right), int(bottom)


def _sensor(scene: Scene, camera: Camera, window: tuple[int, int, int, int], samples: int) -> dict[str, Any]:
    left, top, right, bottom = window
    width, height = scene.pose.size
    at, ahead, down = camera.position, camera.forward, camera.rotation[1] * (1, 1, -1)
    look_at = mi.ScalarTransform4f().look_at(
        origin=list(at * FLIP), target=list((at + 100 * ahead) * FLIP), up=list(-down * FLIP)
    )
    film = {
        "type": "hdrfilm",
        "width": width,
        "height": height,
        "crop_offset_x": left,
        "crop_offset_y": top,
        "crop_width": right - left,
        "crop_height": bottom - top,
        "pixel_format": "rgb",
        "component_format": "float32",
        "rfilter": {"type": "gaussian", "stddev": 0.45},
    }
    sensor = {
        "type": "perspective",
        "fov": float(scene.pose.hfov),
        "fov_axis": "x",
        "near_clip": 1.0,
        "far_clip": 20000.0,
        "to_world": look_at,
        "film": film,
        "sampler": {"type": "independent", "sample_count": samples},
    }
    return {"sensor": sensor, "integrator": {"type": "path", "max_depth": 10, "hide_emitters": True}}


def _parts(
    scene: Scene, camera: Camera, painter: Painter, litter: Sequence[tuple[Solid, Floats]], random: Random
) -> dict[str, Any]:
    parts: dict[str, Any] = {"type": "scene", "table": _table(scene, random)}
    walls, stones, tops, skins, cloths, other, slats = (_Heap() for _ in range(7))
    paper = random.uniform(0.08, 0.5) if random.uniform() < 0.6 else 0.9
    for number, laid in enumerate(lay(scene)):
        parts[f"sheet{number}"], wall = _sheet(f"sheet{number}", laid, painter, paper)
        walls.add(wall, np.array((0.55, 0.5, 0.44)))
    bevels = random.uniform(0.3, 2.0), random.uniform(0.15, 0.9)
    widest = max(piece.diameter for piece in scene.board.pieces.values())
    for solid, wooden, colour in chain.from_iterable(_pieces(scene, each, widest, bevels) for each in scene.stacks):
        heap, spread = (stones, 0.06) if wooden else (tops, 0.03)
        heap.add(solid, colour * np.exp(random.normal(0, spread)))
    for limb in limbs_of(scene):
        heap = cloths if limb.cloth else skins
        heap.add(_capsule(limb), np.array(limb.colour)[::-1])
    cups = [(_cup(each), np.array(paint(each.colour))[::-1]) for each in scene.things if isinstance(each, Cup)]
    for solid, colour in (*cups, *litter):
        other.add(solid, colour)
    _blinds(scene, camera, slats, random)
    wood = random.uniform(0.15, 0.6) if random.uniform() < 0.7 else 0.9
    lacquer = float(np.exp(random.uniform(np.log(0.03), np.log(0.6))))
    finishes = (
        (walls, 0.9),
        (stones, wood),
        (tops, lacquer),
        (skins, 0.35),
        (cloths, 0.9),
        (other, random.uniform(0.05, 0.5)),
        (slats, 0.9),
    )
    for number, (heap, roughness) in enumerate(finishes):
        parts[f"heap{number}"] = heap.mesh(f"heap{number}", roughness)
    return parts | _lights(scene, random)


def _cup(cup: Cup) -> Solid:
    outer, inner = cup.radius, cup.radius - 4
    vertices, faces = _lathe([(1e-3, 0), (outer, 0), (outer, cup.height), (inner, cup.height), (inner, 8), (1e-3, 8)])
    return vertices + np.array([cup.at[0], -cup.at[1], cup.z]), faces


class _Heap:
    """Bodies of one finish in one mesh."""

    COLOURS = 256

    def __init__(self) -> None:
        # A speck below the table: a mesh must not be empty.
        self.vertices = [np.array([(0, 0, -60), (0.1, 0, -60), (0, 0.1, -60)])]
        self.faces, self.colours, self.numbers, self.count = (
            [np.array([(0, 1, 2)])],
            [np.full(3, 0.5)],
            [np.zeros(3)],
            3,
        )

    def add(self, solid: Solid, colour: Floats) -> None:
        vertices, faces = solid
        self.vertices.append(vertices)
        self.faces.append(faces + self.count)
        self.numbers.append(np.full(len(vertices), len(self.colours)))
        self.colours.append(np.clip(colour, 0.002, 0.95))
        self.count += len(vertices)

    def mesh(self, name: str, roughness: float) -> mi.Mesh:
        strip = np.full((1, self.COLOURS, 3), 0.5, np.float32)
        strip[0, : len(self.colours)] = self.colours
        across = (np.concatenate(self.numbers) + 0.5) / self.COLOURS
        uv = np.stack([across, np.full_like(across, 0.5)], axis=-1)
        finish = _glossy(_bitmap(strip, "nearest"), roughness)
        return _mesh(name, np.concatenate(self.vertices), np.concatenate(self.faces), uv, finish)


def _mesh(name: str, vertices: Floats, faces: Floats, uv: Floats, finish: dict[str, Any]) -> mi.Mesh:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict({"type": "twosided", "finish": finish})
    mesh = mi.Mesh(name, len(vertices), len(faces), has_vertex_texcoords=True, props=props)
    values = mi.traverse(mesh)
    values["vertex_positions"] = np.ascontiguousarray(vertices, np.float32).ravel()
    values["faces"] = np.ascontiguousarray(faces, np.uint32).ravel()
    values["vertex_texcoords"] = np.ascontiguousarray(uv, np.float32).ravel()
    values.update()
    return mesh


def _bitmap(picture: NDArray[np.float32], filtering: str = "bilinear", wrap: str = "clamp") -> dict[str, Any]:
    bitmap = mi.Bitmap(np.ascontiguousarray(picture))
    return {"type": "bitmap", "bitmap": bitmap, "raw": True, "filter_type": filtering, "wrap_mode": wrap}


def _glossy(colours: dict[str, Any], roughness: float) -> dict[str, Any]:
    return {
        "type": "roughplastic",
        "distribution": "ggx",
        "alpha": float(roughness),
        "int_ior": 1.49,
        "diffuse_reflectance": colours,
        "nonlinear": True,
    }


def _lathe(profile: Sequence[tuple[float, float]], sides: int = 40) -> Solid:
    """A body turned about the z axis: radii and heights, from the middle of its foot to the middle of its top."""
    angle = np.arange(sides) * 2 * pi / sides
    rings = [np.column_stack([r * np.cos(angle), r * np.sin(angle), np.full(sides, z)]) for r, z in profile]
    one, other = np.arange(sides), (np.arange(sides) + 1) % sides
    faces = []
    for ring in range(len(profile) - 1):
        low, high = ring * sides, (ring + 1) * sides
        faces += [np.column_stack([low + one, low + other, high + other])]
        faces += [np.column_stack([low + one, high + other, high + one])]
    return np.concatenate(rings), np.concatenate(faces)


def _capsule(limb: Bone, sides: int = 12) -> Solid:
    one, other = limb.one * FLIP, limb.other * FLIP
    along = other - one
    long = float(np.linalg.norm(along))
    along = along / max(long, 1e-6)
    up = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    x = np.cross(up, along)
    x /= np.linalg.norm(x)
    y = np.cross(along, x)
    low = [(max(limb.one_radius * cos(t), 1e-3), limb.one_radius * sin(t)) for t in np.linspace(-pi / 2, 0, 5)]
    high = [
        (max(limb.other_radius * cos(t), 1e-3), long + limb.other_radius * sin(t)) for t in np.linspace(0, pi / 2, 5)
    ]
    vertices, faces = _lathe(low + high, sides)
    return one + vertices[:, :1] * x + vertices[:, 1:2] * y + vertices[:, 2:] * along, faces


def _pieces(scene: Scene, stack: Stack, widest: float, bevels: tuple[float, float]) -> list[tuple[Solid, bool, Floats]]:
    made, z = [], stack.z
    for number, name in enumerate(stack.pieces):
        piece = scene.board.pieces[name]
        wooden = piece.diameter == widest
        radius, tall = piece.diameter / 2, piece.height
        bevel = min(bevels[0] if wooden else bevels[1], tall / 3)
        profile = [(1e-3, 0.0), (radius - bevel, 0.0), (radius - 0.3 * bevel, 0.3 * bevel), (radius, bevel)]
        profile += [
            (radius, tall - bevel),
            (radius - 0.3 * bevel, tall - 0.3 * bevel),
            (radius - bevel, tall),
            (1e-3, tall),
        ]
        vertices, faces = _lathe(profile, 48)
        at = np.array([stack.at[0] + number * stack.lean[0], -(stack.at[1] + number * stack.lean[1]), z])
        made.append(((vertices + at, faces), wooden, np.array(paint(piece.colour))[::-1]))
        z += tall
    return made


@lru_cache(maxsize=16)
def _art(painter: Painter, sheet: Sheet) -> tuple[NDArray[np.float32], Floats]:
    """A sheet's colours, and its outline in shares of its picture."""
    art = texture(painter(sheet))
    alpha = art[..., 3]
    colours = np.ascontiguousarray(art[..., 2::-1] / np.maximum(alpha[..., None], 1e-3), np.float32)
    height, width = alpha.shape
    outlines = cv2.findContours((alpha > 0.5).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    hull = cv2.approxPolyDP(cv2.convexHull(max(outlines, key=cv2.contourArea)), 0.6, True).reshape(-1, 2)
    return colours, (hull.astype(float) + 0.5) / (width, height)


def _sheet(name: str, laid: Laid, painter: Painter, roughness: float) -> tuple[Any, Solid]:
    """A sheet's face and its edge."""
    colours, uv = _art(painter, laid.sheet)
    corners = laid.corners(laid.z)
    face = corners[0] + uv[:, :1] * (corners[1] - corners[0]) + uv[:, 1:] * (corners[3] - corners[0])
    count = len(uv)
    fan = np.array([(0, k + 1, k + 2) for k in range(count - 2)])
    finish = _glossy(_bitmap(colours), roughness)
    foot = np.column_stack([face[:, :2], np.full(count, laid.foot)])
    edge = [
        ((k, (k + 1) % count, count + k), ((k + 1) % count, count + (k + 1) % count, count + k)) for k in range(count)
    ]
    wall = (np.concatenate([face, foot]) * FLIP, np.array(edge).reshape(-1, 3))
    return _mesh(name, face * FLIP, fan, uv, finish), wall


def _litter(random: Random) -> list[tuple[Solid, Floats]]:
    """Small things that lie about, mostly beside the board, now and then on its margin."""
    made = []
    for _ in range(int(random.integers(0, 5))):
        bearing, turn = random.uniform(0, 2 * pi), random.uniform(0, 2 * pi)
        on_margin = random.uniform() < 0.3
        far = random.uniform(170, 230) if on_margin else random.uniform(260, 420)
        size = random.uniform(12, 70, 3) * (1, 1, 0.25)
        if random.uniform() < 0.4:
            radius = size[0] / 2.5
            vertices, faces = _lathe([(1e-3, 0), (radius, 0), (radius, size[2]), (1e-3, size[2])], 32)
        else:
            square = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
            vertices = np.array([(x, y, z) for z in (0, 1) for x, y in square]) * size
            sides = [((k, (k + 1) % 4, 4 + k), ((k + 1) % 4, 4 + (k + 1) % 4, 4 + k)) for k in range(4)]
            faces = np.array([(4, 5, 6), (4, 6, 7), *(face for side in sides for face in side)])
            vertices = vertices @ np.array([[cos(turn), sin(turn), 0], [-sin(turn), cos(turn), 0], [0, 0, 1]])
        at = np.array([far * cos(bearing), far * sin(bearing), 0.0 if on_margin else TABLE_Z])
        made.append(((vertices + at, faces), random.uniform(0.02, 0.8, 3)))
    return made


def _blinds(scene: Scene, camera: Camera, slats: _Heap, random: Random) -> None:
    """At one table in twelve, slats in front of the lamp, unless they would be in front of the camera too."""
    if random.uniform() >= 0.08:
        return
    lamp = np.array(scene.light.lamp) * FLIP
    eye = camera.position * FLIP
    apart = lamp @ eye / np.linalg.norm(lamp) / np.linalg.norm(eye)
    if apart > 0.85:
        return
    way = lamp / np.linalg.norm(lamp)
    middle = 0.6 * lamp
    across = np.cross(way, (0.0, 0.0, 1.0))
    across /= np.linalg.norm(across)
    up = np.cross(across, way)
    pitch, wide = random.uniform(14, 40), random.uniform(0.3, 0.6)
    for k in range(-12, 13):
        rail = middle + k * pitch * up
        corners = [rail + a * 400 * across + b * wide * pitch / 2 * up for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        slats.add((np.array(corners), np.array([(0, 1, 2), (0, 2, 3)])), np.full(3, 0.5))


def _table(scene: Scene, random: Random) -> dict[str, Any]:
    size = 512
    kind = random.choice(["wood", "cloth", "plain", "check", "stripes", "flowers", "marble"])
    own = random.uniform() < 0.6
    base = np.array(paint(scene.table.colour))[::-1] if own else random.uniform(0.03, 0.8, 3) * random.uniform(0.4, 1)
    y, x = np.mgrid[:size, :size] / size

    def noise(step: int) -> NDArray[np.float32]:
        few = random.normal(0, 1, (max(2, size // step), max(2, size // step))).astype(np.float32)
        return np.asarray(cv2.resize(few, (size, size), interpolation=cv2.INTER_CUBIC))

    if kind == "wood":
        grain = cv2.resize(random.normal(0, 0.08, (size, 16)).astype(np.float32), (size, size))
        tone = np.sin((x * random.uniform(10, 40) + noise(64) * 0.8) * 2 * pi) * 0.12 + grain
    elif kind == "cloth":
        tone = np.sin(x * size * 1.5) * 0.05 + np.sin(y * size * 1.5) * 0.05 + noise(2) * 0.05
    elif kind == "marble":
        tone = noise(90) * 0.1 + noise(30) * 0.06 + noise(8) * 0.03
    else:
        tone = noise(40) * 0.03
    picture = base * np.exp(tone)[..., None]
    if kind in ("check", "stripes", "flowers"):
        often = int(random.integers(3, 16))
        mask = (np.floor(x * 2 * often) % 2).astype(np.float32)
        if kind == "check":
            mask = ((np.floor(x * often) + np.floor(y * often)) % 2).astype(np.float32)
        elif kind == "flowers":
            mask = np.zeros((size, size), np.float32)
            for _ in range(60):
                cv2.circle(
                    mask, tuple(int(v) for v in random.integers(0, size, 2)), int(random.integers(4, 30)), 1.0, -1
                )
        picture = picture * (1 - mask[..., None]) + random.uniform(0.02, 0.9, 3) * mask[..., None]
    colours = _bitmap(np.clip(picture, 0.01, 0.9).astype(np.float32), wrap="mirror")
    repeats = float(random.uniform(1, 5))
    transform = mi.ScalarTransform4f
    colours["to_uv"] = transform().scale([repeats, repeats, 1]).rotate([0, 0, 1], float(random.uniform(0, 360)))
    roughness = random.uniform(0.05, 0.5) if random.uniform() < 0.6 else 0.9
    return {
        "type": "rectangle",
        "to_world": transform().translate([0, 0, TABLE_Z]).scale([1500, 1500, 1]),
        "bsdf": {"type": "twosided", "finish": _glossy(colours, roughness)},
    }


def _lights(scene: Scene, random: Random) -> dict[str, Any]:
    """The room as a picture all round, the lamp, and another one that is now and then bright enough to matter."""
    light = scene.light
    ambient = max(0.02, light.ambient)
    room = np.array(black_body(light.room_kelvin))[::-1]
    sky = np.ones((32, 64, 3)) * room * random.uniform(0.15, 0.6)
    sky[:16] *= random.uniform(0.7, 1.6)
    for _ in range(int(random.integers(0, 4))):
        row, column = int(random.integers(2, 16)), int(random.integers(0, 58))
        window = np.array(black_body(random.uniform(2500, 9000)))[::-1] * np.exp(random.uniform(0, 3))
        sky[row : row + int(random.integers(2, 8)), column : column + int(random.integers(2, 10))] = window
    soft = cv2.GaussianBlur(sky.astype(np.float32), (0, 0), 0.7) * ambient
    transform = mi.ScalarTransform4f().rotate([0, 0, 1], float(random.uniform(0, 360))).rotate([1, 0, 0], 90)
    parts: dict[str, Any] = {"room": {"type": "envmap", "bitmap": mi.Bitmap(soft), "to_world": transform}}
    bearing, far = random.uniform(0, 2 * pi), random.uniform(200, 900)
    second = (far * cos(bearing), far * sin(bearing), random.uniform(200, 900))
    strength = random.uniform(0.1, 1.0) if random.uniform() < 0.4 else 1e-4
    radius = float(np.exp(random.uniform(np.log(10), np.log(150))))
    lamps = (
        (light.lamp, light.radius, light.kelvin, 1 - ambient),
        (second, radius, random.uniform(2000, 9000), strength * (1 - ambient)),
    )
    for number, (place, wide, kelvin, share) in enumerate(lamps):
        colour = np.array(black_body(kelvin))[::-1]
        if random.uniform() < 0.12:
            colour = colour * np.exp(random.normal(0, 0.35, 3))
        at = np.array(place)
        squared = float(at @ at)
        # So bright that white paper in the middle of the board gets its share of the light.
        radiance = share * squared / (wide**2 * max(at[2] / squared**0.5, 0.15))
        parts[f"lamp{number}"] = {
            "type": "sphere",
            "center": [float(v) for v in at * FLIP],
            "radius": float(wide),
            "emitter": {"type": "area", "radiance": {"type": "rgb", "value": [float(v) for v in colour * radiance]}},
        }
    return parts


def _well_exposed(bgr: NDArray[np.float32], camera: Camera) -> NDArray[np.float32]:
    """The light scaled to the brightness that a camera's exposure gives the board."""
    corners = camera.project(np.array([(x, y, 0.0) for x in (-150, 0, 150) for y in (-130, 0, 130)]))
    board = np.zeros(bgr.shape[:2], np.uint8)
    cv2.fillConvexPoly(board, cv2.convexHull(np.rint(corners).astype(np.int32)), 1)
    white = np.percentile(bgr[board > 0] @ np.array([0.07, 0.72, 0.21]), 97)
    return np.asarray(bgr * np.float32(0.8 / max(white, 1e-6)), np.float32)


def _bent(bgr: NDArray[np.float32], scene: Scene, camera: Camera) -> NDArray[np.float32]:
    """The picture as a lens that bends straight lines shows it."""
    if not scene.pose.k1:
        return bgr
    height, width = bgr.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float64)
    spots = np.stack([x, y], axis=-1).reshape(-1, 1, 2)
    flat = cv2.undistortPoints(spots, camera.matrix, np.array([scene.pose.k1, 0, 0, 0, 0.0])).reshape(height, width, 2)
    at = (flat * (camera.matrix[0, 0], camera.matrix[1, 1]) + (camera.matrix[0, 2], camera.matrix[1, 2])).astype(
        np.float32
    )
    return np.asarray(cv2.remap(bgr, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
