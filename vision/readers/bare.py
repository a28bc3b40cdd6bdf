"""Stacks without a marker: how high they are, from where they begin and end along the line of sight, and from where
their uppermost stone is, a disc of one tone among darker sides."""

from __future__ import annotations

import numpy as np

from vision.frame import Floats, Image
from vision.light import FLOOR, added, chroma
from vision.overhead import Overhead
from vision.readers.wood import off_wood, stone_or_print
from vision.scenery import PX_PER_MM, Mask

ROUND = np.deg2rad([-52.0, -26.0, 0.0, 26.0, 52.0])
STEPS = 72
BEFORE = 22.0
"""Millimetres before a site's middle from where it is looked at."""
SLIPS = np.arange(-4.0, 4.5, 1.0)
"""Millimetres by which the stack may stand nearer or farther than its site."""
SLIP = 1.2
FLANK = 17.0
INDEPENDENT, LOUDEST = 0.023, 1.2
SPAN, DISC = 0.25, 16.0
"""What the stack's span along the line of sight says, as a share of what its pixels do (they say much the same), and
what a top says that is of one tone to its rim and nowhere beyond."""
RIM, BEYOND = (0.75, 0.88), 1.12
"""Of a stone's radius: just within its rim, and just beyond it."""
SAME_TONE, SAME_TINT = 0.25, 0.06
"""How far one stone's top differs from place to place: log brightness, and shares of blue, green and red."""
TOP_LIGHTER = 1.3
"""Log brightness by which a stack's top may be lighter than its side."""


def middle_off_wood(at: Floats, view: Overhead) -> Floats:
    """For each site how far what is seen in its middle is off the colour of a stone, in shares of the three colours."""
    spots = at[:, None] + np.array([(0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0)])
    return off_wood(np.median(view.looks(spots), axis=1))


_turns = np.arange(24) * np.pi / 12
_ROUND = np.stack([np.cos(_turns), np.sin(_turns)], axis=-1)
_CORE = np.concatenate([[(0.0, 0.0)], 0.3 * _ROUND[::4], 0.6 * _ROUND[::2]])


def bare_heights(at: Floats, tall: Floats, radius: float, view: Overhead, fronts: Image) -> Floats:
    """Log-likelihoods of each height (`tall`, millimetres) for the stacks at these sites (n, 2).

    `fronts` marks pixels where another stack covers the board.
    """
    span, disc = _spans(at, tall, radius, view), _discs(at, tall, radius, view, fronts)
    return np.asarray(np.logaddexp.reduce(SPAN * span + DISC * disc - SLIPS**2 / 2 / SLIP**2, axis=2))


def _discs(at: Floats, tall: Floats, radius: float, view: Overhead, fronts: Image) -> Floats:
    """For each site, height and slip: how much of the rim of the top is like its middle, and how much beyond it is."""
    away = -view.towards(at)
    fits = np.empty((len(at), len(tall), len(SLIPS)))
    for number, height in enumerate(tall):
        z = view.scenery.level + height
        wide = radius * float(view.magnify(z))
        for place, slip in enumerate(SLIPS):
            top = view.appear(at + slip * away, z)[:, None]
            core = np.median(view.looks(top + wide * _CORE), axis=1)[:, None]
            within = np.concatenate([view.looks(top + far * wide * _ROUND) for far in RIM], axis=1)
            about = top + BEYOND * wide * _ROUND
            free = fronts[view.pixels(about)] == 0
            beyond = (_alike(view.looks(about), core) & free).sum(axis=1) / np.maximum(free.sum(axis=1), 1)
            fits[:, number, place] = _alike(within, core).mean(axis=1) - beyond
    return fits


def _alike(looks: Floats, core: Floats) -> Mask:
    """Which looks are of the tone and tint of the middle."""
    tones = np.abs(np.log((added(looks) + 3 * FLOOR) / (added(core) + 3 * FLOOR)))
    return np.asarray((tones < SAME_TONE) & (added((chroma(looks) - chroma(core)) ** 2) < SAME_TINT**2))


def _spans(at: Floats, tall: Floats, radius: float, view: Overhead) -> Floats:
    """For each site, height and slip what the pixels say for the stack beginning and ending there."""
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
            values[:, number, place] = ((2 * inside - total[..., -1]) / 2 * area).sum(axis=1)
    return values


def _upto(total: Floats, depth: Floats, step: Floats) -> Floats:
    place = np.clip(depth / step[:, None], 0, total.shape[2] - 1) * np.ones((len(total), 1))
    whole = np.minimum(place.astype(np.intp), total.shape[2] - 2)
    rows, rounds = np.arange(len(total))[:, None], np.arange(total.shape[1])[None]
    low, high = total[rows, rounds, whole], total[rows, rounds, whole + 1]
    return np.asarray(low + (place - whole) * (high - low))
