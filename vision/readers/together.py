"""What all stacks of one table tell together: how carelessly they are set down, how large their colours look."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.discs import Disc
from vision.frame import Floats
from vision.readers.claims import STRAY

SLIPS = (0.5, 0.9, 1.5, 2.4, 3.6)
"""Millimetres: how far off their sites stacks may usually stand on one table."""
SLIP_ODDS = (1.0, 1.0, 1.0, 1.0, 0.5)
"""How often tables are like that."""
LEANS = (-1.8, -0.9, 0.0, 0.9, 1.8)
"""How much more than expected things may lean away from the camera, in units of how far its distance is in doubt."""
SHOVED = 0.02
"""How often a stack was pushed, and stands as far off as on the most careless table."""
SIZES, SIZE_SPREAD = np.linspace(-0.08, 0.08, 33), 0.025
"""Log of how much larger than usual a colour may look in a picture, and how that spreads."""
SIZE_NOISE, SIZE_FAR, SIZE_ODD = 0.012, 0.08, 0.15
"""Spread of that among markers of one colour in one picture; for some it is much wider, and how many these are."""


def with_slip(sides: Floats, offsets: Floats) -> Floats:
    """Log-likelihoods (discs, heights) with how far off its site each stack would stand: (leans, discs, heights).

    How carefully people set down differs from table to table, and how far away the camera is may be in doubt: all
    stacks together tell it.
    """
    slips = np.array(SLIPS)[:, None, None, None]
    usual, shoved = (-(offsets**2) / 2 / far**2 - 2 * np.log(far) for far in (slips, SLIPS[-1]))
    each = sides + np.logaddexp(np.log1p(-SHOVED) + usual, np.log(SHOVED) + shoved)
    best = np.maximum(np.logaddexp.reduce(each, axis=3), STRAY)
    table = np.log(SLIP_ODDS)[:, None] - np.array(LEANS) ** 2 / 2 + best.sum(axis=2)
    # What the others say of the table: a stack is no witness for itself.
    others = table[..., None] - best
    others -= np.logaddexp.reduce(others, axis=(0, 1))
    return np.asarray(np.logaddexp.reduce(each + others[..., None], axis=(0, 1)))


def with_size(values: Floats, discs: Sequence[Disc], near: Floats, usual: Floats) -> Floats:
    """Log-likelihoods (discs, heights) with how large each marker looks: higher ones are nearer (`near`, log).

    How large a colour looks at all depends on light and lens; markers of one colour are compared with each other, and
    with what is `usual` (log, for each label, from 1).
    """
    told = values.copy()
    for label in {disc.label for disc in discs}:
        same = [number for number, disc in enumerate(discs) if disc.label == label and disc.larger is not None]
        if not same:
            continue
        larger = np.array([discs[number].larger for number in same], dtype=float)
        off = larger[:, None] - near - usual[label - 1] - SIZES[:, None, None]
        fits = (1 - SIZE_ODD) * np.exp(-(off**2) / 2 / SIZE_NOISE**2) / SIZE_NOISE
        each = values[same] + np.log(fits + SIZE_ODD * np.exp(-(off**2) / 2 / SIZE_FAR**2) / SIZE_FAR)
        best = np.logaddexp.reduce(each, axis=2)
        table = best.sum(axis=1) - (SIZES / SIZE_SPREAD) ** 2 / 2
        others = table[:, None] - best
        others -= np.logaddexp.reduce(others, axis=0)
        told[same] = np.logaddexp.reduce(each + others[..., None], axis=0) + np.log(SIZE_NOISE)
    return told
