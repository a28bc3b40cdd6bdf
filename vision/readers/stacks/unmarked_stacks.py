"""Stacks without a marker: their uppermost stone is a disc of wood of one tone that ends at its rim.

A hand has much the same colour, but goes on. Where that disc is seen tells how high the stack is.
"""

from __future__ import annotations

import numpy as np

from vision.flatten.colour import FLOOR, added, chroma
from vision.flatten.flat_view import FlatView, circle, looks_printed
from vision.frame import Floats, Image, Mask
from vision.readers.stacks.settings import SIDES, STONES
from vision.readers.stacks.stone_or_print import off_wood

_ROUND = circle(24)
_CORE, _INSIDE = (
    np.concatenate([[(0.0, 0.0)], near * _ROUND[::4], far * _ROUND[::2]]) for near, far in (STONES.core, STONES.inside)
)
_WITHIN = np.concatenate([far * _ROUND for far in STONES.within])
_MIDDLE = STONES.middle * np.array([(0.0, 0.0), (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
SLIPS = np.array(STONES.slips)


def middle_off_wood(at: Floats, view: FlatView) -> Floats:
    """For each site how far what is seen in its middle is off the colour of a stone, in shares of the three colours."""
    return off_wood(np.median(view.looks(at[:, None] + _MIDDLE), axis=1))


def has_top(at: Floats, tall: Floats, radius: float, view: FlatView, fronts: Image, lone: Mask) -> Mask:
    """For each site (n, 2) whether the top of a stack of some height (`tall`, millimetres) is seen there.

    `fronts` marks pixels where another stack covers the board. `lone` are sites about which the board is seen, so that
    no hand is there.
    """
    palest = np.where(lone, SIDES.palest, 0.0)[:, None, None]
    feet, off_foot = at[:, None] + _MIDDLE, middle_off_wood(at, view)
    stands = (off_foot < STONES.clear_foot) & (looks_printed(view.looks(feet), view.ground(feet)).mean(axis=1) < 0.5)
    near = view.towards(at) @ _ROUND.T > 0
    heads, wide = _heads(at[:, None], tall, radius, view)
    spots = heads[:, :, None] + wide[:, None, None] * _INSIDE
    top = view.looks(spots)
    seen = fronts[view.pixels(spots)] == 0
    wooden = (_share(off_wood(top, palest) < STONES.off_wood, seen) >= STONES.wooden) & (
        seen.mean(axis=-1) >= STONES.in_sight
    )
    wooden &= stands[:, None] | (looks_printed(top, view.ground(spots)).mean(axis=-1) <= STONES.paper)
    ends = np.where(near[:, None, :, None], at[:, None, None], heads[:, :, None])
    about = np.concatenate([ends + far * wide[:, None, None] * _ROUND for far in STONES.about], axis=2)
    looks, own = view.looks(about), np.median(top, axis=2)[:, :, None]
    same = _alike(looks, own, STONES.darker) & ~looks_printed(looks, view.ground(about))
    found = wooden & (_share(same, fronts[view.pixels(about)] == 0) <= STONES.goes_on)
    return np.asarray(found.any(axis=1) & (off_foot < STONES.foot))


def bare_heights(at: Floats, tall: Floats, radius: float, view: FlatView, fronts: Image) -> Floats:
    """Log-likelihoods of each height (`tall`, millimetres) for the stacks at these sites (n, 2)."""
    slipped = at[:, None] - SLIPS[:, None] * view.towards(at)[:, None]
    heads, wide = _heads(slipped[:, :, None], tall, radius, view)
    heads, wide = heads[..., None, :], wide[:, None, None]
    core = np.median(view.looks(heads + wide * _CORE), axis=-2)[..., None, :]
    within, about = (heads + wide * places for places in (_WITHIN, STONES.beyond * _ROUND))
    inside = _alike(view.looks(within), core, STONES.same_tone, STONES.same_tone).mean(axis=-1)
    beyond = _alike(view.looks(about), core, STONES.same_tone, STONES.same_tone)
    fits = inside - _share(beyond, fronts[view.pixels(about)] == 0)
    return np.asarray(np.logaddexp.reduce(STONES.disc * fits - (SLIPS**2 / 2 / STONES.slip**2)[:, None], axis=1))


def _heads(feet: Floats, tall: Floats, radius: float, view: FlatView) -> tuple[Floats, Floats]:
    """Where the tops of stacks of each height, with these feet, are seen (…, heights, 2), and how large they look."""
    z = view.plane.level + tall
    return view.appear(feet, z), radius * view.magnify(z)


def _alike(looks: Floats, own: Floats, darker: float, lighter: float = np.inf) -> Mask:
    """Which looks are of this colour, and no more darker or lighter than that (log brightness)."""
    tones = np.log((added(looks) + 3 * FLOOR) / (added(own) + 3 * FLOOR))
    same = added((chroma(looks) - chroma(own)) ** 2) < STONES.same_tint**2
    return np.asarray(same & (tones > -darker) & (tones < lighter))


def _share(which: Mask, free: Mask) -> Floats:
    """Of each row of places how many of the free ones these are."""
    return np.asarray((which & free).sum(axis=-1) / np.maximum(free.sum(axis=-1), 1))
