"""Stacks without a marker: their uppermost stone is a disc of wood that ends at its rim, wherever it is seen.

A hand has much the same colour, but goes on.
"""

from __future__ import annotations

import numpy as np

from vision.frame import Floats, Image
from vision.light import FLOOR, added, chroma
from vision.overhead import Overhead, looks_printed
from vision.readers.wood import off_wood

OFF_WOOD = 0.07
"""How far, in shares of blue, green and red, a stone may be off the colour of wood."""
PAPER = 0.8
"""How much of a top may look as the board does there: cream paper is much like wood."""
SAME_TINT, SAME_TONE = 0.06, 0.4
"""How far one thing's colour differs from place to place, and how much darker it may be there."""

_turns = np.arange(24) * np.pi / 12
_ROUND = np.stack([np.cos(_turns), np.sin(_turns)], axis=-1)
_INSIDE = np.concatenate([[(0.0, 0.0)], 0.4 * _ROUND[::4], 0.75 * _ROUND[::2]])
_ABOUT = (1.3, 1.5)
"""Of a stone's radius: where it is looked about a stack."""


def top_shares(at: Floats, tall: Floats, radius: float, view: Overhead, fronts: Image) -> tuple[Floats, Floats]:
    """For each site (n, 2) and each height (`tall`, millimetres): how much of the top, were the stack so high, looks
    like wood, and how much of what is about the stack looks like that top."""
    wooden, beyond = np.empty((len(at), len(tall))), np.empty((len(at), len(tall)))
    near = view.towards(at) @ _ROUND.T > 0
    for number, height in enumerate(tall):
        z = view.scenery.level + height
        head, wide = view.appear(at, z), radius * float(view.magnify(z))
        spots = head[:, None] + wide * _INSIDE
        top = view.looks(spots)
        is_paper = looks_printed(top, view.ground(spots)).mean(axis=1) > PAPER
        wooden[:, number] = np.where(is_paper, 0.0, (off_wood(top) < OFF_WOOD).mean(axis=1))
        ends = np.where(near[..., None], at[:, None], head[:, None])
        about = np.concatenate([ends + far * wide * _ROUND for far in _ABOUT], axis=1)
        looks, own = view.looks(about), np.median(top, axis=1)[:, None]
        same = added((chroma(looks) - chroma(own)) ** 2) < SAME_TINT**2
        same &= added(looks) + 3 * FLOOR > SAME_TONE * (added(own) + 3 * FLOOR)
        free = fronts[view.pixels(about)] == 0
        goes_on = same & free & ~looks_printed(looks, view.ground(about))
        beyond[:, number] = goes_on.sum(axis=1) / np.maximum(free.sum(axis=1), 1)
    return wooden, beyond
