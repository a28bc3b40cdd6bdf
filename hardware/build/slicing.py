"""Slices a part as a printer does, and says what cannot be printed without supports, or would break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.build.sizes import Box, sizes

PIXEL, LAYER = 0.2, 0.4
"""Millimetres; with two pixels a layer a wall may lean out by 45 degrees."""
LEAN = 3
"""Pixels that a layer may stand out over the one below: 45 degrees, and one for the rounding."""
SMALL = 1.0
"""Square millimetres: less is a rounded corner or the raster's, and prints somehow."""
BORDER = 6

Mask = NDArray[np.uint8]
Triangles = NDArray[np.float64]


def load_stl(path: Path) -> Triangles:
    """The triangles of a binary STL, each three corners."""
    raw = np.frombuffer(path.read_bytes()[84:], dtype=np.dtype([("floats", "<f4", 12), ("rest", "<u2")]))
    corners: Triangles = raw["floats"][:, 3:].reshape(-1, 3, 3).astype(float)
    return corners


@dataclass(frozen=True)
class Fault:
    """Something that goes wrong in the printer or soon after."""

    kind: str
    """`bed`, `island`, `overhang` or `thin`."""
    at: tuple[float, float, float]
    size: float
    """Square millimetres of a layer."""

    def __str__(self) -> str:
        x, y, z = self.at
        return f"{self.kind} at {x:.1f}, {y:.1f}, {z:.1f}: {self.size:.1f} mm²"


class Sliced:
    """The layers of a part."""

    def __init__(self, triangles: Triangles) -> None:
        low, high = triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))
        self._origin = low[:2] - BORDER * PIXEL
        self.low, self.high = float(low[2]), float(high[2])
        self.extents = high - low
        columns, rows = np.ceil((high - low)[:2] / PIXEL).astype(int) + 2 * BORDER
        self._shape = (int(rows), int(columns))
        levels = np.arange(self.low + LAYER / 2, self.high, LAYER)
        self.layers = np.stack([self._layer(triangles, float(level)) for level in levels])

    def _layer(self, triangles: Triangles, level: float) -> Mask:
        """What is solid at a level: along every row of pixels the outline is crossed in and out."""
        # A corner at the very level would be crossed twice or not at all.
        level += 1e-5
        over = triangles[:, :, 2] > level
        cut = triangles[over.any(axis=1) & ~over.all(axis=1)]
        ends = _crossings(cut, level)
        a, b = ends[:, 0], ends[:, 1]
        swap = a[:, 1] > b[:, 1]
        a[swap], b[swap] = b[swap].copy(), a[swap].copy()
        # Rows whose middle a stretch of the outline passes.
        first = np.ceil((a[:, 1] - self._origin[1]) / PIXEL - 0.5 + 1e-7).astype(int)
        last = np.ceil((b[:, 1] - self._origin[1]) / PIXEL - 0.5 + 1e-7).astype(int)
        counts = last - first
        which = np.repeat(np.arange(len(a)), counts)
        rows = first[which] + np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        height = self._origin[1] + (rows + 0.5) * PIXEL
        part = (height - a[which, 1]) / (b[which, 1] - a[which, 1])
        along = a[which, 0] + part * (b[which, 0] - a[which, 0])
        columns = np.ceil((along - self._origin[0]) / PIXEL - 0.5).astype(int)
        toggled = np.zeros(self._shape, np.uint8)
        np.add.at(toggled, (rows, columns), 1)
        solid: Mask = np.bitwise_and(np.cumsum(toggled, axis=1, dtype=np.uint8), np.uint8(1))
        return solid

    def place(self, layer: int, pixel: tuple[float, float]) -> tuple[float, float, float]:
        x, y = self._origin + (np.array(pixel) + 0.5) * PIXEL
        return (float(x), float(y), self.low + (layer + 0.5) * LAYER)

    def material(self, box: Box) -> float:
        """Cubic millimetres of the part within a box."""
        west, south, low, east, north, high = box
        first, last = (round((z - self.low) / LAYER) for z in (low, high))
        left, top = np.round((np.array([west, south]) - self._origin) / PIXEL).astype(int)
        right, bottom = np.round((np.array([east, north]) - self._origin) / PIXEL).astype(int)
        window = self.layers[max(first, 0) : max(last, 0), max(top, 0) : max(bottom, 0), max(left, 0) : max(right, 0)]
        return float(window.sum()) * PIXEL**2 * LAYER


def _crossings(cut: Triangles, level: float) -> NDArray[np.float64]:
    """Where triangles pass a level: a stretch for each."""
    over = cut[:, :, 2] > level
    lone = np.where(over.sum(axis=1) == 1, over.argmax(axis=1), over.argmin(axis=1))
    number = np.arange(len(cut))
    tip = cut[number, lone]
    ends = []
    for step in (1, 2):
        other = cut[number, (lone + step) % 3]
        part = (level - tip[:, 2]) / (other[:, 2] - tip[:, 2])
        ends.append(tip[:, :2] + part[:, None] * (other - tip)[:, :2])
    return np.stack(ends, axis=1)


def without(layer: NDArray[Any], other: NDArray[Any]) -> Mask:
    """What is solid in one mask and not in another."""
    return (layer > other).astype(np.uint8)


def faults(part: Sliced) -> list[Fault]:
    """Everything that is wrong with it; an empty list prints without supports."""
    found = [*_on_the_bed(part)]
    for number in range(1, len(part.layers)):
        found += _unsupported(part, number)
    return [*found, *_thin_walls(part), *_thin_floors(part)]


def _on_the_bed(part: Sliced) -> Iterator[Fault]:
    if abs(part.low) > 0.01:
        yield Fault("bed", (0.0, 0.0, part.low), 0.0)
    if max(part.extents) > sizes()["print"]["bed"]:
        yield Fault("bed", (0.0, 0.0, 0.0), float(max(part.extents)))


def _unsupported(part: Sliced, number: int) -> Iterator[Fault]:
    layer, below = part.layers[number], part.layers[number - 1]
    if not (layer > below).any():
        return
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * LEAN + 1, 2 * LEAN + 1))
    count, labels, _, middles = cv2.connectedComponentsWithStats(layer, connectivity=8)
    held = set(np.flatnonzero(np.bincount(labels[below > 0], minlength=count)).tolist())
    for each in range(1, count):
        if each not in held:
            size = float((labels == each).sum()) * PIXEL**2
            yield Fault("island", part.place(number, tuple(middles[each])), size)
    loose = without(layer, cv2.dilate(below, kernel))
    count, labels, stats, middles = cv2.connectedComponentsWithStats(loose, connectivity=8)
    for each in range(1, count):
        size = float(stats[each, cv2.CC_STAT_AREA]) * PIXEL**2
        if size < SMALL:
            continue
        x, y, width, height = stats[each, :4]
        window = (slice(y - 5, y + height + 5), slice(x - 5, x + width + 5))
        if not _is_bridge(
            without(layer[window], below[window]), (labels[window] == each).astype(np.uint8), below[window]
        ):
            yield Fault("overhang", part.place(number, tuple(middles[each])), size)


def _is_bridge(free: Mask, loose: Mask, below: Mask) -> bool:
    """Whether every thread along x, or every one along y, is held at both ends, and short enough."""
    most = sizes()["print"]["bridge"] / PIXEL
    return _threads_hold(free, loose, below, most) or _threads_hold(free.T, loose.T, below.T, most)


def _threads_hold(free: Mask, loose: Mask, below: Mask, most: float) -> bool:
    for row in np.flatnonzero(loose.any(axis=1)):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], free[row].astype(np.int8), [0]])))
        for start, end in edges.reshape(-1, 2):
            if not loose[row, start:end].any():
                continue
            is_held = start > 0 and end < len(free[row]) and below[row, start - 1] and below[row, end]
            if not is_held or end - start > most:
                return False
    return True


def _thin_walls(part: Sliced) -> Iterator[Fault]:
    """Where no disc as wide as the thinnest wall finds room within a layer; a corner's rest is small."""
    wide = round(sizes()["print"]["thinnest"] / PIXEL) - 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (wide, wide))
    for number, layer in enumerate(part.layers):
        if number and np.array_equal(layer, part.layers[number - 1]):
            continue
        thin = without(layer, cv2.morphologyEx(layer, cv2.MORPH_OPEN, kernel))
        count, _, stats, middles = cv2.connectedComponentsWithStats(thin, connectivity=8)
        for each in range(1, count):
            size = float(stats[each, cv2.CC_STAT_AREA]) * PIXEL**2
            if size >= SMALL:
                yield Fault("thin", part.place(number, tuple(middles[each])), size)


def _thin_floors(part: Sliced) -> Iterator[Fault]:
    """Where fewer layers lie on each other than the thinnest wall has; a slope's feather edge is narrow."""
    least = round(sizes()["print"]["thinnest"] / LAYER)
    layers = part.layers
    empty = np.zeros((1, *layers.shape[1:]), np.uint8)
    padded = np.concatenate([empty, layers, empty])
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (9, 9))
    for thick in range(1, least):
        for start in range(1, len(layers) - thick + 2):
            run: Mask = np.minimum.reduce(padded[start : start + thick])
            alone = without(run, padded[start - 1] | padded[start + thick])
            if cv2.countNonZero(alone) * PIXEL**2 < SMALL:
                continue
            count, _, stats, middles = cv2.connectedComponentsWithStats(
                cv2.morphologyEx(alone, cv2.MORPH_OPEN, kernel), connectivity=8
            )
            for each in range(1, count):
                size = float(stats[each, cv2.CC_STAT_AREA]) * PIXEL**2
                yield Fault("thin", part.place(start - 1, tuple(middles[each])), size)
