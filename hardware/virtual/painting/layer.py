"""A part of the picture while it is being made, in linear light: the lamp's share and the room's share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hardware.virtual.painting.colour import Bgr

Window = tuple[int, int, int, int]
"""Left, top, right and bottom of a rectangle of pixels; right and bottom are exclusive."""


@dataclass(eq=False)
class Layer:
    """A window of the picture. Arrays are planes of its height and width; a colour has three: blue, green, red."""

    window: Window
    direct: Bgr
    """Light from the lamp where nothing shades it."""
    ambient: Bgr
    """Light from the room."""
    places: NDArray[np.float32]
    """(2, h, w): where the lamp's ray through what is seen meets the table's plane, for looking up its shadow."""
    depth: NDArray[np.float32]
    """Distance from the lens in lengths of the ray; what lies flat counts as infinitely far."""
    foreign: NDArray[np.bool_]
    """Where something that does not belong to the game is seen: a cup or a cloth."""

    def part(self, window: Window) -> Layer:
        """A view of a part of this layer: painting on it paints this layer."""
        rows, columns = inside(self.window, window)
        return Layer(
            window,
            self.direct[:, rows, columns],
            self.ambient[:, rows, columns],
            self.places[:, rows, columns],
            self.depth[rows, columns],
            self.foreign[rows, columns],
        )

    def copy(self) -> Layer:
        return Layer(
            self.window,
            self.direct.copy(),
            self.ambient.copy(),
            self.places.copy(),
            self.depth.copy(),
            self.foreign.copy(),
        )

    def paste(self, other: Layer) -> None:
        """Take over a part that was painted again."""
        part = self.part(other.window)
        for mine, its in (
            (part.direct, other.direct),
            (part.ambient, other.ambient),
            (part.places, other.places),
            (part.depth, other.depth),
            (part.foreign, other.foreign),
        ):
            mine[...] = its


def inside(outer: Window, inner: Window) -> tuple[slice, slice]:
    """The rows and columns of a window within the arrays of another."""
    return (slice(inner[1] - outer[1], inner[3] - outer[1]), slice(inner[0] - outer[0], inner[2] - outer[0]))


def meet(one: Window, other: Window) -> Window | None:
    """What two windows share."""
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def hull(windows: list[Window]) -> Window | None:
    """The smallest window that holds all of these."""
    real = [window for window in windows if window[0] < window[2] and window[1] < window[3]]
    if not real:
        return None
    lefts, tops, rights, bottoms = zip(*real, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))
