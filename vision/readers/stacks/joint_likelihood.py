"""What all stacks of one table tell together: how carelessly they are set down, how large their markers look, and how
far away the camera is where that is in doubt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.frame import Floats
from vision.readers.stacks.settings import TABLE

SIZES = np.linspace(-TABLE.size_range, TABLE.size_range, TABLE.size_steps)
"""How much larger than usual markers may look in a picture, in units of how that spreads."""


@dataclass(frozen=True, eq=False)
class ApparentSizes:
    """How large markers look, told in one way; logs."""

    larger: Floats
    """How much larger than it is each one looks; nan if nobody knows."""
    noise: Floats
    """How far off that may be, one sigma."""


def possible_leans(doubt: float) -> Floats:
    """How much more or less than expected things may lean, in units of `doubt`."""
    return np.array(TABLE.leans if doubt > TABLE.doubtful else (0.0,))


def with_slip(sides: Floats, offsets: Floats, blurred: Floats, leans: Floats) -> Floats:
    """Log-likelihoods (leans, blobs, heights and 1) of `sides` (blobs, heights and 1) with how far off its site each
    stack would stand, if things lean so (see `possible_leans`): `offsets` (leans, blobs, heights), and how far off (one
    sigma) each blob's own place may be: `blurred`; millimetres. The last is that of a marker on no site.

    How carefully people set down differs from table to table, and how far away the camera is may be in doubt: all
    stacks together tell it.
    """
    slips = np.array(TABLE.slips)[:, None, None, None]
    spreads = (far**2 + blurred[:, None] ** 2 for far in (slips, TABLE.slips[-1]))
    usual, shoved = (-(offsets**2) / 2 / spread - np.log(spread) for spread in spreads)
    slipped = np.logaddexp(np.log1p(-TABLE.shoved) + usual, np.log(TABLE.shoved) + shoved)
    each = sides + np.concatenate([slipped, np.full_like(slipped[..., :1], TABLE.stray)], axis=3)
    best = np.logaddexp.reduce(each, axis=3)
    table = np.log(TABLE.slip_odds)[:, None] - leans**2 / 2 + best.sum(axis=2)
    return np.asarray(np.logaddexp.reduce(each + _others(table, best)[..., None], axis=0))


def with_size(values: Floats, sizes: ApparentSizes, near: Floats) -> Floats:
    """Log-likelihoods (leans, blobs, heights) with how large each marker looks: higher ones are nearer (`near`: leans,
    heights; log)."""
    told = values.copy()
    known = np.flatnonzero(~np.isnan(sizes.larger))
    if not len(known):
        return told
    # Light and lens make all of them look larger or smaller.
    usual = TABLE.size_spread * SIZES[:, None, None, None]
    off, sigma = sizes.larger[known, None] - near[:, None] - usual, sizes.noise[known, None]
    fits = (1 - TABLE.size_odd) * np.exp(-(off**2) / 2 / sigma**2) / sigma
    each = values[:, known] + np.log(fits + TABLE.size_odd * np.exp(-(off**2) / 2 / TABLE.size_far**2) / TABLE.size_far)
    best = np.logaddexp.reduce(each, axis=3) - np.logaddexp.reduce(values[:, known], axis=2)
    table = best.sum(axis=2) - SIZES[:, None] ** 2 / 2
    told[:, known] = np.logaddexp.reduce(each + _others(table, best)[..., None], axis=0)
    return told


def over_leans(values: Floats, before: Floats) -> Floats:
    """Log-likelihoods (blobs, heights and 1) however things lean; sizes, that came in since `before`, tell heights from
    each other and from what lies beside the board, and not whether there is a marker at all."""
    now, then = (np.logaddexp.reduce(part, axis=0) for part in (values, before))
    if now.size:
        now += then[:, :-1].max(axis=1, keepdims=True) - now[:, :-1].max(axis=1, keepdims=True)
    return np.asarray(now)


def _others(table: Floats, best: Floats) -> Floats:
    """What all but each one say of the table, as log-probabilities: a stack is no witness for itself.

    `table` (two ways in which tables differ) is what all say, `best` (…, blobs) what each of them said.
    """
    others = table[..., None] - best
    return np.asarray(others - np.logaddexp.reduce(others, axis=(0, 1)))
