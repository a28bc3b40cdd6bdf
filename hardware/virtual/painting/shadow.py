"""Shadows on the plane of the table: how much of the lamp, and of the room, each place still sees.

Everything that casts a shadow is the hull of two discs at two heights: the two ends of a cylinder, the two joints of a
finger bone. From one point of the lamp such a hull casts a stadium onto the plane; many points make it soft.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.virtual.scene import TABLE_Z, Light

Casters = NDArray[np.float64]
"""(n, 8): x, y, z and radius of one disc, then of the other, mm."""

Box = tuple[float, float, float, float]
"""West, north, east and south of a part of the plane, mm."""

LAMP_POINTS = 20
ROOM_POINTS = 16
SCALE = 1.5
"""Pixels per mm of the lamp's map."""
ARM_POINTS = 12
ARM_SCALE = 0.75
ROOM_SCALE = 0.5
REACH = 1200.0
"""Distance from the board's centre beyond which shadows are left out, mm."""
_SHIFT = 4
_ARC = 13


@dataclass(frozen=True, eq=False)
class ShadowMap:
    """Share of the lamp that can be seen (0…1) over a rectangle of the table's plane; 1 outside it."""

    seen: NDArray[np.float32]
    origin: tuple[float, float]
    scale: float

    def box(self) -> Box:
        height, width = self.seen.shape
        x, y = self.origin
        return (x, y, x + width / self.scale, y + height / self.scale)

    def cropped(self) -> ShadowMap:
        """The map without the rim where next to nothing is hidden."""
        dark = self.seen < 0.98
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        if not len(rows):
            return ShadowMap(self.seen[:1, :1], self.origin, self.scale)
        top, left = rows[0], columns[0]
        x, y = self.origin
        kept = np.ascontiguousarray(self.seen[top : rows[-1] + 1, left : columns[-1] + 1])
        return ShadowMap(kept, (x + left / self.scale, y + top / self.scale), self.scale)

    def at(self, places: NDArray[np.float32]) -> NDArray[np.float32]:
        """How much of the lamp can be seen from places (2, h, w) of the plane."""
        x, y = (places[k] * np.float32(self.scale) - np.float32(self.origin[k] * self.scale + 0.5) for k in (0, 1))
        found = cv2.remap(
            self.seen, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(1.0, 1.0, 1.0, 1.0)
        )
        return np.asarray(found, np.float32)


def lamp_points(light: Light, count: int = LAMP_POINTS) -> NDArray[np.float64]:
    """Points spread evenly over the lamp's disc, which lies flat."""
    k = np.arange(count)
    radius, angle = light.radius * np.sqrt((k + 0.5) / count), k * 2.399963
    x, y, z = light.lamp
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle), np.full(count, z)], axis=1)


def room_points(count: int = ROOM_POINTS) -> NDArray[np.float64]:
    """Distant points all over the sky, denser towards the top, as light from there counts more on a flat surface."""
    k = np.arange(count)
    sine, angle = np.sqrt((k + 0.5) / count), k * 2.399963
    far = 2000.0
    up = np.maximum(np.sqrt(1 - sine**2), 0.4)
    return np.stack([far * sine * np.cos(angle), far * sine * np.sin(angle), far * up], axis=1)


def lamp_shadow(casters: Casters, light: Light, within: Box | None = None) -> ShadowMap | None:
    """How much of the lamp these hide, over the whole plane or a part of it; None if there are none."""
    return _shadow(casters, lamp_points(light), SCALE, 0.7, within)


def arm_shadow(casters: Casters, light: Light, within: Box) -> ShadowMap | None:
    """The same for what is high above the table: its shadow is soft anyway, so it is done more coarsely and quickly."""
    return _shadow(casters, lamp_points(light, ARM_POINTS), ARM_SCALE, 2.2, within)


def room_shadow(casters: Casters, within: Box | None = None) -> ShadowMap | None:
    """How much of the room's light these hide: the darkness under and beside a thing."""
    return _shadow(casters, room_points(), ROOM_SCALE, 3.0, within)


def thrown_box(casters: Casters, light: Light) -> Box:
    """The part of the plane that the casters' shadows touch, the room's included."""
    lamps = np.concatenate([lamp_points(light, 8), room_points()])
    both = np.concatenate([_thrown(casters[:, :4], lamps), _thrown(casters[:, 4:], lamps)])
    low = np.clip((both[..., :2] - both[..., 2:]).min(axis=(0, 1)) - 14, -REACH, REACH)
    high = np.clip((both[..., :2] + both[..., 2:]).max(axis=(0, 1)) + 14, -REACH, REACH)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def cast(x: NDArray[np.float32], y: NDArray[np.float32], z: NDArray[np.float32], light: Light) -> NDArray[np.float32]:
    """Where the lamp's rays through these points meet the table's plane: two planes, x and y."""
    east, south, up = map(np.float32, light.lamp)
    share = (up - np.float32(TABLE_Z)) / np.maximum(up - z, np.float32(1))
    return np.stack([east + (x - east) * share, south + (y - south) * share])


def _shadow(
    casters: Casters, lamps: NDArray[np.float64], scale: float, blur: float, within: Box | None
) -> ShadowMap | None:
    if not len(casters):
        return None
    one, other = _thrown(casters[:, :4], lamps), _thrown(casters[:, 4:], lamps)
    low = np.minimum(one[..., :2] - one[..., 2:], other[..., :2] - other[..., 2:])
    high = np.maximum(one[..., :2] + one[..., 2:], other[..., :2] + other[..., 2:])
    margin = 4 * blur + 2
    west, north = np.clip(low.min(axis=(0, 1)) - margin, -REACH, REACH)
    east, south = np.clip(high.max(axis=(0, 1)) + margin, -REACH, REACH)
    if within is not None:
        west, north = max(west, within[0] - margin), max(north, within[1] - margin)
        east, south = min(east, within[2] + margin), min(south, within[3] + margin)
    # All maps share one grid of pixels, so that a part of a map is the same as that part of the whole.
    left, top = int(np.floor(west * scale)), int(np.floor(north * scale))
    width, height = int(np.ceil(east * scale)) - left, int(np.ceil(south * scale)) - top
    if width < 2 or height < 2:
        return None
    hit = np.all((high >= (west, north)) & (low <= (east, south)), axis=2)
    pixels = np.rint((_stadiums(one, other) * scale - (left, top) - 0.5) * (1 << _SHIFT)).astype(np.int32)
    total = np.zeros((height, width), np.uint16)
    mask = np.empty((height, width), np.uint8)
    for lamp in range(len(lamps)):
        mask[:] = 0
        for outline in pixels[hit[:, lamp], lamp]:
            cv2.fillConvexPoly(mask, outline, (255,), cv2.LINE_AA, _SHIFT)
        total += mask
    seen = np.float32(1) - total.astype(np.float32) / np.float32(255 * len(lamps))
    seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), blur * scale), np.float32)
    return ShadowMap(seen, (left / scale, top / scale), scale)


def _thrown(discs: NDArray[np.float64], lamps: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each disc as each lamp casts it onto the plane: (discs, lamps, 3) of x, y, radius."""
    above = np.maximum(lamps[None, :, 2] - discs[:, None, 2], 40.0)
    share = (lamps[None, :, 2] - TABLE_Z) / above
    at = lamps[None, :, :2] + (discs[:, None, :2] - lamps[None, :, :2]) * share[..., None]
    return np.concatenate([at, (discs[:, None, 3] * share)[..., None]], axis=2)


def _stadiums(one: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """The hull of two circles each, as (…, 2 * _ARC, 2) points."""
    between = other[..., :2] - one[..., :2]
    apart = np.hypot(between[..., 0], between[..., 1])
    heading = np.arctan2(between[..., 1], between[..., 0])
    half = np.arccos(np.clip((one[..., 2] - other[..., 2]) / np.maximum(apart, 1e-9), -1, 1))
    steps = np.linspace(-1, 1, _ARC)
    front = heading[..., None] + half[..., None] * steps
    back = heading[..., None] + np.pi + (np.pi - half)[..., None] * steps
    arcs = [
        circle[..., None, :2] + circle[..., None, 2:] * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        for circle, angle in ((other, front), (one, back))
    ]
    return np.concatenate(arcs, axis=-2)


def upright(discs: Sequence[tuple[float, float, float, float, float]]) -> Casters:
    """Casters of upright cylinders given as x, y, radius, foot and top."""
    rows = [(x, y, foot, radius, x, y, top, radius) for x, y, radius, foot, top in discs]
    return np.array(rows, np.float64).reshape(-1, 8)
