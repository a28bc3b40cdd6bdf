"""Cards of another set that are as pale as the mat: only the marks in their corners give them away."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Mask
from vision.readers.cards.card_print import CardPrint, placed
from vision.readers.cards.inks import lights
from vision.readers.cards.settings import PALE

_LIGHTS = lights()


def look_marked(
    print_: CardPrint, view: FlatView, at: Floats, angles: Floats, known: Sequence[tuple[Floats, float]]
) -> Mask:
    """Which cells (n, 2), turned by these angles (n), show something dark on pale in every corner, apart from what
    these known cards cover."""
    points = print_.points[np.hypot(*print_.points.T) < PALE.within * print_.reach]
    turns = np.floor(np.degrees(np.arctan2(points[:, 0], -points[:, 1])) / 120 + 0.5).astype(int) % 3
    corners = (turns[:, None] == np.arange(3)).astype(np.float32)
    places = placed(points, at, angles)
    # The mat has one colour within a cell.
    light = _LIGHTS.take(view.packed.take(view.plane.numbers(places)))
    dark = light < np.median(light, axis=1, keepdims=True) - PALE.darker
    found = np.asarray((dark @ corners >= PALE.least).all(axis=1), bool)
    for number in np.flatnonzero(found):
        free = ~print_.within(places[number], known, PALE.beside)
        if (free @ corners < PALE.seen * corners.sum(axis=0)).any():
            found[number] = False
            continue
        marks = free & (light[number] < np.median(light[number, free]) - PALE.darker)
        found[number] = (marks @ corners >= PALE.least).all() and marks.sum() < PALE.most * free.sum()
    return found
