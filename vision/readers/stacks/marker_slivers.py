"""Markers of which little is seen, because another stack or a thing stands before them.

A patch of a marker's colour beside a stack, not explained by it, where a marker behind that stack would be seen; or on
top of stones that seem to have none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.stacks.settings import SLIVERS


@dataclass(frozen=True, slots=True)
class Sliver:
    """A marker: the label of its colour, and which of the given heights it may have."""

    label: int
    heights: tuple[int, ...]


def find_sliver(
    at: Floats,
    radius: float,
    tall: Floats,
    labels: Image,
    fronts: Image,
    markers: Image,
    view: FlatView,
    on_stones: bool = False,
) -> Sliver | None:
    """The marker of which a sliver is seen at a site, if there is one.

    `tall`: heights that it may have above the sheets, millimetres. `labels`: which colour every pixel has (see
    `Palette`). `fronts`: which stack covers the board there, or 0; `markers`: the label of each one's marker.
    `on_stones`: whether stones are seen there, so that anything may cover the rest of it.
    """
    heads = view.appear(at, view.plane.level + tall)
    reach = radius * view.magnify(view.plane.level + tall) + SLIVERS.slip
    corners = view.plane.to_flat(np.stack([heads - reach[:, None], heads + reach[:, None]]))
    left, top = np.maximum(corners[0].min(axis=0), 0.0).astype(int)
    right, bottom = corners[1].max(axis=0).astype(int) + 1
    covering = fronts[top:bottom, left:right]
    near = round(SLIVERS.near * view.plane.px_per_mm)
    about, beside = cv2.dilate(covering, _square(near)), cv2.dilate(covering, _square(1)) > 0
    rest = np.where(covering > 0, 0, labels[top:bottom, left:right])
    if not rest.any():
        return None
    pixels = np.stack(np.meshgrid(np.arange(left, left + rest.shape[1]), np.arange(top, top + rest.shape[0])), axis=-1)
    there = np.linalg.norm(view.plane.to_board(pixels)[:, :, None] - heads, axis=-1) < reach
    whole = np.pi * (radius * view.plane.px_per_mm) ** 2
    for label in np.unique(rest[rest > 0]).tolist():
        for rows, columns in _patches(rest == label, there.any(axis=2), on_stones):
            same = (markers[about[rows, columns]] == label).any()
            least, most = (SLIVERS.same, 1.0) if on_stones else (SLIVERS.same if same else SLIVERS.least, SLIVERS.most)
            covers = on_stones or beside[rows, columns].sum() >= SLIVERS.beside * np.pi * np.sqrt(len(rows))
            if not (least <= len(rows) / whole <= most and covers):
                continue
            inside = there[rows, columns].mean(axis=0)
            heights = np.flatnonzero(inside >= max(SLIVERS.within, inside.max() - SLIVERS.as_good))
            if len(heights):
                return Sliver(label, tuple(heights.tolist()))
    return None


def _square(far: int) -> Image:
    return np.ones((2 * far + 1, 2 * far + 1), np.uint8)


def _patches(own: Mask, there: Mask, parted: bool) -> Iterator[tuple[Numbers, ...]]:
    """Rows and columns of what has a colour and hangs together, if it is most of what is `there`; or of all of it, if
    something may have `parted` it."""
    if parted:
        yield np.nonzero(own)
    count, parts = cv2.connectedComponents(own.astype(np.uint8))
    for patch in (np.nonzero(parts == number) for number in range(1, count)):
        if len(patch[0]) >= SLIVERS.alone * (own & there).sum():
            yield patch
