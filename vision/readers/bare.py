"""Stacks without a marker: how high they are, from where they begin and end along the line of sight."""

from __future__ import annotations

import numpy as np

from vision.frame import Floats
from vision.light import chroma
from vision.overhead import Overhead
from vision.readers.wood import WOOD, stone_or_print
from vision.scenery import PX_PER_MM

ROUND = np.deg2rad([-52.0, -26.0, 0.0, 26.0, 52.0])
STEPS = 72
BEFORE = 22.0
"""Millimetres before a site's middle from where it is looked at."""
SLIPS = np.arange(-4.0, 4.5, 1.0)
"""Millimetres by which the stack may stand nearer or farther than its site."""
SLIP = 1.8
FLANK = 17.0
INDEPENDENT, LOUDEST = 0.023, 1.2
TOP_LIGHTER = 1.3
"""Log brightness by which a stack's top may be lighter than its side."""


def off_wood(at: Floats, view: Overhead) -> Floats:
    """For each site how far what is seen in its middle is off the colour of a stone, in shares of the three colours."""
    spots = at[:, None] + np.array([(0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0)])
    look = np.median(view.looks(spots), axis=1)
    return np.asarray(np.linalg.norm(chroma(look) - WOOD, axis=-1))


def bare_heights(at: Floats, tall: Floats, radius: float, view: Overhead) -> Floats:
    """Log-likelihoods of each height (`tall`, millimetres) for the stacks at these sites (n, 2)."""
    level = view.scenery.level
    away = -view.towards(at)
    across = np.stack([-away[:, 1], away[:, 0]], axis=-1)
    lean = view.lean(at)
    length = BEFORE + radius + (tall[-1] + tall[0]) * lean * float(view.magnify(level + tall[-1])) + 6.0
    step = np.full(len(at), float(length.max()) / STEPS)
    along = (np.arange(STEPS) + 0.5) * step[:, None] - BEFORE
    aside = radius * np.sin(ROUND)
    places = (
        at[:, None, None] + along[:, None, :, None] * away[:, None, None] + aside[:, None, None] * across[:, None, None]
    )
    beside = np.stack(
        [places + ((side * FLANK - aside)[:, None, None] * across[:, None, None]) for side in (-1.0, 1.0)]
    )
    # As many steps on each side of the middle as even the longest steps have within the stack.
    middle, few = BEFORE / float(step.max()), 0.6 * radius / float(step.max())
    first = slice(round(middle - few), round(middle + few))
    odds = stone_or_print(
        view.looks(places), view.ground(places), view.looks(beside), view.ground(beside), first, TOP_LIGHTER
    )
    says = LOUDEST * np.tanh(odds / LOUDEST)
    total = np.concatenate([np.zeros((*says.shape[:2], 1)), np.cumsum(says, axis=2)], axis=2)
    half = radius * np.cos(ROUND)
    area = step[:, None] * radius * np.abs(np.gradient(np.sin(ROUND))) * PX_PER_MM**2 * INDEPENDENT
    values = np.empty((len(at), len(tall), len(SLIPS)))
    for number, height in enumerate(tall):
        by = float(view.magnify(level + height))
        for place, slip in enumerate(SLIPS):
            far = (height * lean * by)[:, None] + slip * by + half * by
            inside = _upto(total, far + BEFORE, step) - _upto(total, slip - half[None] + BEFORE, step)
            values[:, number, place] = ((2 * inside - total[..., -1]) / 2 * area).sum(axis=1) - slip**2 / 2 / SLIP**2
    return np.asarray(np.logaddexp.reduce(values, axis=2))


def _upto(total: Floats, depth: Floats, step: Floats) -> Floats:
    place = np.clip(depth / step[:, None], 0, total.shape[2] - 1) * np.ones((len(total), 1))
    whole = np.minimum(place.astype(np.intp), total.shape[2] - 2)
    rows, rounds = np.arange(len(total))[:, None], np.arange(total.shape[1])[None]
    low, high = total[rows, rounds, whole], total[rows, rounds, whole + 1]
    return np.asarray(low + (place - whole) * (high - low))
