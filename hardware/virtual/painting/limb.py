"""Limbs as the camera sees them: round bones merged into one skin with soft edges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.virtual.camera import Camera
from hardware.virtual.painting.colour import Bgr
from hardware.virtual.painting.column import Plane, Sprite
from hardware.virtual.painting.hand import Bone
from hardware.virtual.painting.layer import Window, hull, inside
from hardware.virtual.painting.shadow import cast
from hardware.virtual.painting.surface import light_on
from hardware.virtual.scene import Light

_STRIP = 48
"""Height of a strip, pixels."""
_NEAR = 90.0
"""Anything closer to the lens than this is not drawn, mm."""
_DROP = np.float32(10.0)
_BEHIND = np.float32(1e6)
_SKIN_WRAP = (0.08, 0.14, 0.30)
"""How far light wraps round skin, by colour: red the farthest."""


@dataclass(frozen=True, eq=False)
class Overlay:
    """What goes over a picture: light weighted by `share`, and its distance."""

    window: Window
    light: Bgr
    share: Plane
    depth: Plane


def combined(sprite: Sprite) -> Overlay:
    return Overlay(sprite.window, sprite.direct + sprite.ambient, sprite.share, sprite.depth)


def doubled(sprite: Sprite, size: tuple[int, int]) -> Overlay:
    """A sprite of the halved camera, enlarged for a picture of this size."""
    left, top, right, bottom = sprite.window
    window = (2 * left, 2 * top, min(2 * right, size[0]), min(2 * bottom, size[1]))
    height, width = window[3] - window[1], window[2] - window[0]

    def larger(plane: Plane, how: int = cv2.INTER_LINEAR) -> Plane:
        wide = cv2.resize(plane, None, fx=2, fy=2, interpolation=how)
        return np.asarray(wide[:height, :width], np.float32)

    light = np.stack([larger(lit + dim) for lit, dim in zip(sprite.direct, sprite.ambient, strict=True)])
    return Overlay(window, light, larger(sprite.share), larger(sprite.depth, cv2.INTER_NEAREST))


class _Skin:
    """What has been modelled so far in a window: nearest distance, normal, colour, share."""

    def __init__(self, window: Window) -> None:
        shape = (window[3] - window[1], window[2] - window[0])
        self.window = window
        self.far = np.full(shape, _BEHIND, np.float32)
        self.normal = np.zeros((3, *shape), np.float32)
        self.colour = np.zeros((3, *shape), np.float32)
        self.share = np.zeros(shape, np.float32)
        self.cloth = np.zeros(shape, np.float32)


def render_limbs(limbs: Sequence[Bone], light: Light, camera: Camera) -> Sprite | None:
    """The sprite of an arm or a cloth; None if none of it is in the picture."""
    windows = _windows(limbs, camera)
    window = hull(windows)
    if window is None:
        return None
    skin = _Skin(window)
    for bone, part in zip(limbs, windows, strict=True):
        for strip in _strips(bone, part, camera):
            _model(bone, skin, strip, camera)
    return _finish(skin, limbs[-1].other, light, camera)


def _windows(limbs: Sequence[Bone], camera: Camera) -> list[Window]:
    """Where each bone can be seen. What comes close to the lens, or behind it, is cut off."""
    shares = np.linspace(0, 1, 5)[:, None]
    axes = np.stack([bone.one + shares * (bone.other - bone.one) for bone in limbs])
    deep = camera.in_camera(axes)[..., 2]
    spots = camera.near(axes)
    widest = np.array([max(bone.one_radius, bone.other_radius) for bone in limbs])
    reach = 1.3 * widest * camera.matrix[0, 0] / np.maximum(deep, _NEAR).min(axis=1) + 5
    gone = deep < _NEAR
    low = np.where(gone[..., None], np.inf, spots).min(axis=1) - reach[:, None]
    high = np.where(gone[..., None], -np.inf, spots).max(axis=1) + reach[:, None]
    size = np.array(camera.size)
    # For a bone that is quite out of sight the low end is beyond the high end: an empty window.
    corners = np.concatenate([np.clip(low, 0, size), np.clip(high, 0, size)], axis=1).astype(int)
    return [(int(left), int(top), int(right), int(bottom)) for left, top, right, bottom in corners]


def _strips(bone: Bone, window: Window, camera: Camera) -> Iterator[Window]:
    """A window cut into strips, each only as wide as the bone there: a slanting arm leaves most of it empty."""
    left, top, right, bottom = window
    if left >= right or top >= bottom:
        return
    if bottom - top <= 2 * _STRIP:
        yield window
        return
    shares = np.linspace(0, 1, 33)
    axis = bone.one + shares[:, None] * (bone.other - bone.one)
    deep = np.maximum(camera.in_camera(axis)[:, 2], _NEAR)
    reach = 1.3 * (bone.one_radius + shares * (bone.other_radius - bone.one_radius)) * camera.matrix[0, 0] / deep + 3
    spots = camera.near(axis)
    for start in range(top, bottom, _STRIP):
        end = min(start + _STRIP, bottom)
        here = (spots[:, 1] + reach >= start) & (spots[:, 1] - reach <= end)
        if here.any():
            west = max(left, int(np.floor((spots[here, 0] - reach[here]).min())))
            east = min(right, int(np.ceil((spots[here, 0] + reach[here]).max())) + 1)
            if west < east:
                yield (west, start, east, end)


def _model(bone: Bone, skin: _Skin, window: Window, camera: Camera) -> None:
    """Merge one bone into the skin: each ray meets the ball on its axis that it passes nearest to."""
    rays, _ = camera.unit_rays
    rows, columns = inside((0, 0, *camera.size), window)
    dx, dy, dz = rays[:, rows, columns]
    start, along = (bone.one - camera.position).astype(np.float32), (bone.other - bone.one).astype(np.float32)
    slant = dx * along[0] + dy * along[1] + dz * along[2]
    ahead = dx * start[0] + dy * start[1] + dz * start[2]
    length = np.float32(along @ along)
    share = (slant * ahead - np.float32(along @ start)) / np.maximum(length - slant * slant, np.float32(1e-3))
    np.clip(share, 0, 1, out=share)
    axis = [start[k] + along[k] * share for k in range(3)]
    deep = ahead + slant * share
    radius = np.float32(bone.one_radius) + np.float32(bone.other_radius - bone.one_radius) * share
    off = np.sqrt(np.maximum(sum(part * part for part in axis) - deep * deep, 0))
    inner = np.sqrt(np.maximum(radius * radius - off * off, 0))
    # Beyond its outline a bone falls away steeply, so that it merges with what is beside it, not with what is behind.
    hit = deep - inner + _DROP * np.maximum(off - radius, 0)
    pixel = np.maximum(deep, 50) / np.float32(camera.matrix[0, 0])
    cover = np.clip((radius - off) / pixel + np.float32(0.5), 0, 1)
    cut = inside(skin.window, window)
    far = skin.far[cut]
    weight = np.clip(np.float32(0.5) + (far - hit) * np.float32(0.5 / bone.blend), 0, 1)
    far += (hit - far) * weight - np.float32(bone.blend) * weight * (1 - weight)
    for k, ray in enumerate((dx, dy, dz)):
        normal = skin.normal[k][cut]
        normal += ((ray * (deep - inner) - axis[k]) / np.maximum(radius, off) - normal) * weight
        tone = skin.colour[k][cut]
        tone += (np.float32(bone.colour[k]) - tone) * weight
    cloth = skin.cloth[cut]
    cloth += (np.float32(bone.cloth) - cloth) * weight
    np.maximum(skin.share[cut], cover, out=skin.share[cut])


def _finish(skin: _Skin, anchor: NDArray[np.float64], light: Light, camera: Camera) -> Sprite:
    """Light the skin, only where there is any: the arrays in here are rows of those pixels."""
    rays, lengths = camera.unit_rays
    rows, columns = inside((0, 0, *camera.size), skin.window)
    here = np.flatnonzero(skin.share)
    unit = rays[:, rows, columns].reshape(3, -1)[:, here]
    eye = camera.position.astype(np.float32)
    far, share = skin.far.ravel()[here], skin.share.ravel()[here]
    cloth = skin.cloth.ravel()[here]
    x, y, z = (eye[k] + unit[k] * far for k in range(3))
    normal = skin.normal.reshape(3, -1)[:, here]
    normal /= np.maximum(_length(normal), np.float32(1e-6))
    colour = skin.colour.reshape(3, -1)[:, here]
    colour *= _texture(x - np.float32(anchor[0]), y - np.float32(anchor[1]), cloth)
    east, south, up = map(np.float32, light.lamp)
    to_lamp = np.stack([east - x, south - y, up - z])
    away = _length(to_lamp)
    to_lamp /= away
    facing = (normal * to_lamp).sum(axis=0)
    strength = np.float32((east**2 + south**2 + up**2) ** 1.5 / up) / (away * away) * share
    wrap = np.array(_SKIN_WRAP, np.float32)[:, None] * (1 - cloth)
    body = np.maximum((facing + wrap) / (1 + wrap), 0)
    between = to_lamp - unit
    between /= _length(between)
    glint = np.maximum((normal * between).sum(axis=0), 0) ** 8 * (facing > 0) * (1 - cloth)
    lamp, room = (tone[:, :, 0] for tone in light_on(light))
    lit = (colour * body + np.float32(0.04) * glint) * strength * lamp
    dim = colour * ((np.float32(0.6) + np.float32(0.4) * normal[2]) * share) * room
    shape = skin.share.shape
    direct, ambient = np.zeros((3, *shape), np.float32), np.zeros((3, *shape), np.float32)
    places, depth = np.zeros((2, *shape), np.float32), np.full(shape, np.inf, np.float32)
    direct.reshape(3, -1)[:, here], ambient.reshape(3, -1)[:, here] = lit, dim
    places.reshape(2, -1)[:, here] = cast(x, y, z, light)
    depth.reshape(-1)[here] = far / lengths[rows, columns].ravel()[here]
    return Sprite(skin.window, direct, ambient, skin.share, places, depth)


def _length(vectors: Plane) -> Plane:
    return np.asarray(np.sqrt(vectors[0] ** 2 + vectors[1] ** 2 + vectors[2] ** 2), np.float32)


@lru_cache(maxsize=1)
def _mottle() -> NDArray[np.float32]:
    random = np.random.default_rng(5)
    field = np.zeros((512, 512), np.float32)
    for bumps, weight in ((24, 0.5), (80, 0.3), (220, 0.25)):
        rough = random.standard_normal((bumps, bumps)).astype(np.float32)
        field += weight * np.asarray(cv2.resize(rough, (512, 512), interpolation=cv2.INTER_CUBIC), np.float32)
    return field


def _texture(x: Plane, y: Plane, cloth: Plane) -> Plane:
    """Fine unevenness of skin, and folds in cloth."""
    field = _mottle()
    fine = field[(y * 1.6).astype(np.int32) & 511, (x * 1.6).astype(np.int32) & 511]
    broad = field[(y * 0.35).astype(np.int32) & 511, (x * 0.35).astype(np.int32) & 511]
    return np.asarray(1 + np.float32(0.045) * fine + np.float32(0.16) * cloth * broad, np.float32)
