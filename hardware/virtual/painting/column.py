"""Pieces and cups: upright cylinders, traced exactly and lit, with the shadows they cast on each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from hardware.virtual.camera import Camera
from hardware.virtual.painting.colour import Bgr, Triple, paint, planes
from hardware.virtual.painting.layer import Layer, Window, inside, meet
from hardware.virtual.painting.shadow import cast
from hardware.virtual.painting.surface import light_on
from hardware.virtual.scene import Cup, Light, Stack

Plane = NDArray[np.float32]

FINER = 3
"""Rays per pixel in each direction for pieces; cups are large and get two."""
BEVEL = 0.8
"""Width of the rounded edge, mm."""


@dataclass(frozen=True, slots=True)
class Cylinder:
    """One upright cylinder, mm."""

    x: float
    y: float
    radius: float
    foot: float
    top: float
    colour: Triple
    gloss: float
    above: float = 0.0
    """Radius of what stands on it."""
    hollow: bool = False
    grain: int | None = None
    """Which grain it has, if it is wooden."""

    @property
    def outline(self) -> tuple[float, float, float, float, float]:
        return (self.x, self.y, self.radius, self.foot, self.top)


@dataclass(frozen=True, eq=False)
class Sprite:
    """A column or an arm as the camera sees it, its colours weighted by `share`."""

    window: Window
    direct: Bgr
    ambient: Bgr
    share: Plane
    places: NDArray[np.float32]
    depth: Plane


def column(board: Board, stack: Stack) -> tuple[Cylinder, ...]:
    """The cylinders of a stack. Wide pieces under narrow ones are wooden; the top one is glossy."""
    cylinders = []
    z = stack.z
    for number, name in enumerate(stack.pieces):
        piece = board.pieces[name]
        wooden = any(board.pieces[other].diameter < piece.diameter for other in board.pieces)
        above = stack.pieces[number + 1 : number + 2]
        cylinders.append(
            Cylinder(
                stack.at[0] + number * stack.lean[0],
                stack.at[1] + number * stack.lean[1],
                piece.diameter / 2,
                z,
                z + piece.height,
                paint(piece.colour),
                0.12 if wooden else 0.5,
                board.pieces[above[0]].diameter / 2 if above else 0.0,
                grain=number if wooden else None,
            )
        )
        z += piece.height
    return tuple(cylinders)


def mug(cup: Cup) -> tuple[Cylinder, ...]:
    outline = (*cup.at, cup.radius, cup.z, cup.z + cup.height)
    return (Cylinder(*outline, paint(cup.colour), 0.4, hollow=True),)


def window_of(cylinders: Sequence[Cylinder], camera: Camera) -> Window:
    rim = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    corners = [
        (one.x + one.radius * dx, one.y + one.radius * dy, z)
        for one in cylinders
        for z in (one.foot, one.top)
        for dx, dy in rim
    ]
    return camera.box(corners, 2.0)


def render_column(
    cylinders: Sequence[Cylinder], others: Sequence[Cylinder], light: Light, camera: Camera
) -> Sprite | None:
    """The sprite of a column, on which the others may throw shadows; None if it is outside the picture."""
    window = window_of(cylinders, camera)
    left, top, right, bottom = window
    if left >= right or top >= bottom:
        return None
    finer = FINER if max(one.radius for one in cylinders) < 25 else 2
    rays = camera.grid(*window, finer)
    eye = camera.position.astype(np.float32)
    shape = rays.shape[1:]
    far = np.full(shape, np.inf, np.float32)
    direct, ambient = np.zeros((3, *shape), np.float32), np.zeros((3, *shape), np.float32)
    for one in cylinders:
        hit, normal = _hits(one, eye, rays)
        nearer = np.flatnonzero((hit < far).ravel())
        if not len(nearer):
            continue
        near = hit.ravel()[nearer]
        far.reshape(-1)[nearer] = near
        point = eye[:, None] + rays.reshape(3, -1)[:, nearer] * near
        casters = [other for other in (*cylinders, *others) if other is not one]
        lit, dim = _shine(one, point, normal.reshape(3, -1)[:, nearer], eye, light, casters)
        direct.reshape(3, -1)[:, nearer] = lit
        ambient.reshape(3, -1)[:, nearer] = dim
    found = np.isfinite(far).astype(np.float32)
    depth = np.where(found > 0, far, 0)
    size = (right - left, bottom - top)

    def smaller(plane: Plane) -> Plane:
        return np.asarray(cv2.resize(plane, size, interpolation=cv2.INTER_AREA), np.float32)

    share = smaller(found)
    middle = smaller(depth) / np.maximum(share, np.float32(1e-6))
    centre = camera.all_rays[:, top:bottom, left:right]
    x, y, z = (eye[k] + centre[k] * middle for k in range(3))
    return Sprite(
        window,
        np.stack([smaller(plane) for plane in direct]),
        np.stack([smaller(plane) for plane in ambient]),
        share,
        cast(x, y, z, light),
        np.where(share > 0, middle, np.inf).astype(np.float32),
    )


def put(sprite: Sprite, layer: Layer, foreign: bool) -> None:
    """Lay a sprite over what is farther away."""
    part = meet(layer.window, sprite.window)
    if part is None:
        return
    onto, (rows, columns) = layer.part(part), inside(sprite.window, part)
    # A held piece may be behind a standing one although it is put down later.
    share = np.where(sprite.depth[rows, columns] < onto.depth, sprite.share[rows, columns], 0).astype(np.float32)
    whole = np.maximum(sprite.share[rows, columns], np.float32(1e-6))
    kept, added = 1 - share, share / whole
    onto.direct *= kept
    onto.direct += sprite.direct[:, rows, columns] * added
    onto.ambient *= kept
    onto.ambient += sprite.ambient[:, rows, columns] * added
    front = share > 0.5
    np.copyto(onto.places, sprite.places[:, rows, columns], where=front)
    np.copyto(onto.depth, sprite.depth[rows, columns], where=front)
    np.copyto(onto.foreign, foreign, where=front)


def _hits(one: Cylinder, eye: Plane, rays: Plane) -> tuple[Plane, Plane]:
    """How far along each ray the cylinder is hit (infinity: not at all), and the surface normal there."""
    dx, dy, dz = rays
    ox, oy = eye[0] - np.float32(one.x), eye[1] - np.float32(one.y)
    normal = np.zeros_like(rays)
    a = np.maximum(dx * dx + dy * dy, np.float32(1e-9))
    b = ox * dx + oy * dy
    root = b * b - a * (ox * ox + oy * oy - np.float32(one.radius**2))
    side = (-b - np.sqrt(np.maximum(root, 0))) / a
    z = eye[2] + dz * side
    on_side = (root > 0) & (z <= one.top) & (z >= one.foot)
    up = (np.float32(one.top) - eye[2]) / dz
    px, py = ox + dx * up, oy + dy * up
    out = np.sqrt(px * px + py * py)
    on_top = out <= one.radius
    far = np.where(on_top, up, np.where(on_side, side, np.inf)).astype(np.float32)
    # Edges are a little round, and a top is a little domed: that is where they catch the light.
    tilt = np.clip((out - np.float32(one.radius - BEVEL)) / BEVEL, 0, 1) * np.float32(0.7)
    tilt = tilt + np.float32(0.08 if one.grain is None else 0.0) * out / np.float32(one.radius)
    reach = np.maximum(out, np.float32(1e-6))
    normal[0] = np.where(on_top, tilt * px / reach, (ox + dx * side) / np.float32(one.radius))
    normal[1] = np.where(on_top, tilt * py / reach, (oy + dy * side) / np.float32(one.radius))
    rounded = np.clip((z - np.float32(one.top - BEVEL)) / BEVEL, 0, 1) * np.float32(0.9)
    normal[2] = np.where(on_top, 1, rounded)
    if one.hollow:
        _hollow(one, eye, rays, far, normal)
    normal /= np.sqrt((normal * normal).sum(axis=0))
    return far, normal


def _hollow(one: Cylinder, eye: Plane, rays: Plane, far: Plane, normal: Plane) -> None:
    """Where a ray hits the top inside the rim, it goes on to the inner wall or to what is in the cup."""
    dx, dy, dz = rays
    ox, oy = eye[0] - np.float32(one.x), eye[1] - np.float32(one.y)
    inner = np.float32(one.radius - 3.5)
    up = (np.float32(one.top) - eye[2]) / dz
    opening = (ox + dx * up) ** 2 + (oy + dy * up) ** 2 < inner**2
    a = np.maximum(dx * dx + dy * dy, np.float32(1e-9))
    b = ox * dx + oy * dy
    wall = (-b + np.sqrt(np.maximum(b * b - a * (ox * ox + oy * oy - inner**2), 0))) / a
    level = (np.float32(one.foot + 0.55 * (one.top - one.foot)) - eye[2]) / dz
    np.copyto(far, np.minimum(wall, level), where=opening)
    np.copyto(normal[0], np.where(wall < level, -(ox + dx * wall) / inner, 0), where=opening)
    np.copyto(normal[1], np.where(wall < level, -(oy + dy * wall) / inner, 0), where=opening)
    np.copyto(normal[2], np.where(wall < level, 0, 1), where=opening)


def _shine(
    one: Cylinder, point: Plane, normal: Plane, eye: Plane, light: Light, casters: Sequence[Cylinder]
) -> tuple[Bgr, Bgr]:
    """The light from points of a cylinder: the lamp's part and the room's part, (3, n) each."""
    lamp = np.array(light.lamp, np.float32)[:, None]
    to_lamp = lamp - point
    away = np.sqrt((to_lamp * to_lamp).sum(axis=0))
    to_lamp /= away
    x, y, up = light.lamp
    strength = np.float32((x * x + y * y + up * up) ** 1.5 / up) / (away * away)
    facing = np.maximum((normal * to_lamp).sum(axis=0), 0)
    to_eye = eye[:, None] - point
    to_eye /= np.sqrt((to_eye * to_eye).sum(axis=0))
    between = to_lamp + to_eye
    between /= np.sqrt((between * between).sum(axis=0))
    glint = np.maximum((normal * between).sum(axis=0), 0) ** np.float32(200 if one.gloss > 0.3 else 18)
    seen = strength * _lamp_seen(point, normal, light, casters)
    if one.hollow:
        seen = seen * (0.35 + 0.65 * _not_inside(one, point))
    albedo = _grained(one, point)
    above = point[2] - np.float32(one.foot)
    joint = np.exp(-np.maximum(above, 0) / np.float32(0.9))
    colour, room_colour = (tone[:, :, 0] for tone in light_on(light))
    body = albedo * (facing * seen * (1 - np.float32(0.45) * joint))
    direct = (body + np.float32(one.gloss) * glint * seen * (facing > 0)) * colour
    sky = np.float32(0.62) + np.float32(0.38) * normal[2]
    sky = sky * (1 - np.float32(0.6) * joint) * (1 - _crowded(one, point, normal))
    ambient = (albedo * sky + np.float32(0.04 * one.gloss)) * room_colour
    return direct.astype(np.float32), ambient.astype(np.float32)


def _not_inside(one: Cylinder, point: Plane) -> Plane:
    out = np.hypot(point[0] - np.float32(one.x), point[1] - np.float32(one.y))
    rim = (out > one.radius - 3.6) & (point[2] > one.top - 0.5)
    return np.asarray(rim | (out > one.radius - 0.5), np.float32)


def _crowded(one: Cylinder, point: Plane, normal: Plane) -> Plane:
    """How dark a top is just around whatever stands on it."""
    if not one.above:
        return np.zeros(point.shape[1], np.float32)
    out = np.hypot(point[0] - np.float32(one.x), point[1] - np.float32(one.y))
    near = np.exp(-np.abs(out - np.float32(one.above)) / np.float32(1.5))
    return np.asarray(np.float32(0.5) * near * (normal[2] > 0.5), np.float32)


def _grained(one: Cylinder, point: Plane) -> Plane:
    colour = planes(one.colour)[:, :, 0]
    if one.grain is None:
        return np.asarray(colour * np.ones(point.shape[1], np.float32))
    x, y = point[0] - np.float32(one.x), point[1] - np.float32(one.y)
    turn = 1.3 * one.grain
    along = x * np.float32(np.cos(turn)) + y * np.float32(np.sin(turn))
    across = y * np.float32(np.cos(turn)) - x * np.float32(np.sin(turn))
    rings = np.sin(across * np.float32(1.7) + np.sin(along * np.float32(0.3)) + point[2] * np.float32(0.2))
    tone = np.float32(1 + 0.06 * np.sin(2.1 * one.grain)) + np.float32(0.05) * rings
    return np.asarray(colour * tone, np.float32)


def _lamp_seen(point: Plane, normal: Plane, light: Light, casters: Sequence[Cylinder]) -> Plane:
    """How much of the lamp the points see past other cylinders, by how far from them the line to the lamp runs."""
    seen = np.ones(point.shape[1], np.float32)
    lamp = np.array(light.lamp, np.float32)
    way = lamp[:, None] - point
    level = np.maximum(way[0] ** 2 + way[1] ** 2, np.float32(1e-6))
    low, high = float(point[2].min()), float(point[2].max())
    middle = point.mean(axis=1)
    for other in casters:
        reach = (other.top - low) / max(light.lamp[2] - other.top, 50.0) * float(np.hypot(*(lamp[:2] - middle[:2])))
        apart = np.hypot(other.x - middle[0], other.y - middle[1])
        if other.top <= low + 0.01 or apart > reach + 2 * other.radius + 45 or high > other.top + 200:
            continue
        east, south = np.float32(other.x) - point[0], np.float32(other.y) - point[1]
        share = (east * way[0] + south * way[1]) / level
        passing = np.abs(east * way[1] - south * way[0]) / np.sqrt(level)
        # From here on the line is within the cylinder's radius; it is blocked if it is still below the top.
        half = np.sqrt(np.maximum(np.float32(other.radius**2) - passing**2, 0) / level)
        enters = np.maximum(share - half, 0)
        soft = np.maximum(np.float32(2 * light.radius) * enters, np.float32(0.3))
        beside = np.clip((np.float32(other.radius) - passing) / soft + 0.5, 0, 1)
        height = point[2] + way[2] * enters
        under = np.clip((np.float32(other.top) - height) / soft + 0.5, 0, 1) * (height > other.foot - 0.01)
        seen *= 1 - beside * under * (share + half > 1e-3) * (share > 0)
    return seen
