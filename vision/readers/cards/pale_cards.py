"""Cards of another set that are as pale as the mat: only the marks in their corners give them away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.flatten.colour import FLOOR, added
from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Mask, Numbers
from vision.readers.cards.card_print import CardPrint, placed
from vision.readers.cards.settings import PALE


def look_marked(
    print_: CardPrint, view: FlatView, at: Floats, angles: Floats, known: Sequence[tuple[Floats, float]]
) -> Mask:
    """Which cells (n, 2), turned by these angles (n), show something dark on pale in every corner, apart from what
    these known cards cover."""
    points = print_.points[np.hypot(*print_.points.T) < PALE.within * print_.reach]
    corners = np.floor(np.degrees(np.arctan2(points[:, 0], -points[:, 1])) / 120 + 0.5).astype(int) % 3
    places = placed(points, at, angles)
    light = np.log((added(view.looks(places)) + FLOOR) / (added(view.ground(places)) + FLOOR))
    found = np.array([_has_marks(each, corners) for each in light], bool)
    for number in np.flatnonzero(found):
        free = ~print_.within(places[number], known, PALE.beside)
        of_corners = [free[corners == corner].mean() for corner in range(3)]
        found[number] = min(of_corners) > PALE.seen and _has_marks(light[number, free], corners[free], PALE.most)
    return found


def _has_marks(light: Floats, corners: Numbers, most: float = 1.0) -> bool:
    """Whether points are darker than the others in every corner, but no larger share of all than this."""
    dark = light < np.median(light) - PALE.darker
    return bool(dark.mean() <= most and all(dark[corners == corner].sum() >= PALE.least for corner in range(3)))
