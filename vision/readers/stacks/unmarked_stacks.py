"""Stacks without a marker: their uppermost stone is a disc of wood of one tone that ends at its rim.

A hand has much the same colour, but goes on. Where that disc is seen tells how high the stack is.
"""

from __future__ import annotations

import numpy as np

from vision.flatten.colour import FLOOR, added, chroma
from vision.flatten.flat_view import FlatView, circle, looks_printed
from vision.frame import Floats, Image, Mask
from vision.readers.stacks.settings import SIDES
from vision.readers.stacks.stone_or_print import off_wood

WOODEN, OFF_WOOD = 0.8, 0.07
"""How much of a top must look like wood, and how far off that colour it may be, in shares of blue, green and red."""
IN_SIGHT = 0.5
"""How much of a top must be in sight: wood where another stack is seen is that stack's."""
FOOT, CLEAR_FOOT = 0.15, 0.1
"""How far off the colour of wood a stack's foot may be, and is if nothing else is to be thought of."""
PAPER = 0.8
"""How much of a top may look as the board does there, unless the foot is clear: cream paper is much like wood."""
GOES_ON = 0.06
"""How much of what is about a stack may look like its top."""
SAME_TINT, SAME_TONE, DARKER = 0.06, 0.25, 0.9
"""How far one thing differs from place to place: shares of the three colours, and log brightness on a top; how much
darker it may be elsewhere."""
ABOUT = (1.25, 1.4)
"""Of a stone's radius: where it is looked about a stack."""
RIM, OUTSIDE_RIM = (0.75, 0.88), 1.12
"""Of a stone's radius: just within the rim of a top, and just beyond it."""
DISC = 16.0
"""Log-likelihood of a top that is of one tone to its rim and nowhere beyond, against one of which it is the reverse."""
SLIPS, SLIP = np.arange(-4.0, 4.5, 1.0), 1.2
"""Millimetres by which a stack may stand nearer or farther than its site, and usually does."""

_ROUND = circle(24)
_CORE = np.concatenate([[(0.0, 0.0)], 0.3 * _ROUND[::4], 0.6 * _ROUND[::2]])
_INSIDE = np.concatenate([[(0.0, 0.0)], 0.4 * _ROUND[::4], 0.75 * _ROUND[::2]])
_WITHIN = np.concatenate([far * _ROUND for far in RIM])
_MIDDLE = np.array([(0.0, 0.0), (4.0, 0.0), (-4.0, 0.0), (0.0, 4.0), (0.0, -4.0)])


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
    stands = (off_foot < CLEAR_FOOT) & (looks_printed(view.looks(feet), view.ground(feet)).mean(axis=1) < 0.5)
    near = view.towards(at) @ _ROUND.T > 0
    heads, wide = _heads(at[:, None], tall, radius, view)
    spots = heads[:, :, None] + wide[:, None, None] * _INSIDE
    top = view.looks(spots)
    seen = fronts[view.pixels(spots)] == 0
    wooden = (_share(off_wood(top, palest) < OFF_WOOD, seen) >= WOODEN) & (seen.mean(axis=-1) >= IN_SIGHT)
    wooden &= stands[:, None] | (looks_printed(top, view.ground(spots)).mean(axis=-1) <= PAPER)
    ends = np.where(near[:, None, :, None], at[:, None, None], heads[:, :, None])
    about = np.concatenate([ends + far * wide[:, None, None] * _ROUND for far in ABOUT], axis=2)
    looks, own = view.looks(about), np.median(top, axis=2)[:, :, None]
    same = _alike(looks, own, DARKER) & ~looks_printed(looks, view.ground(about))
    found = wooden & (_share(same, fronts[view.pixels(about)] == 0) <= GOES_ON)
    return np.asarray(found.any(axis=1) & (off_foot < FOOT))


def bare_heights(at: Floats, tall: Floats, radius: float, view: FlatView, fronts: Image) -> Floats:
    """Log-likelihoods of each height (`tall`, millimetres) for the stacks at these sites (n, 2)."""
    slipped = at[:, None] - SLIPS[:, None] * view.towards(at)[:, None]
    heads, wide = _heads(slipped[:, :, None], tall, radius, view)
    heads, wide = heads[..., None, :], wide[:, None, None]
    core = np.median(view.looks(heads + wide * _CORE), axis=-2)[..., None, :]
    within, about = (heads + wide * places for places in (_WITHIN, OUTSIDE_RIM * _ROUND))
    inside = _alike(view.looks(within), core, SAME_TONE, SAME_TONE).mean(axis=-1)
    beyond = _alike(view.looks(about), core, SAME_TONE, SAME_TONE)
    fits = inside - _share(beyond, fronts[view.pixels(about)] == 0)
    return np.asarray(np.logaddexp.reduce(DISC * fits - (SLIPS**2 / 2 / SLIP**2)[:, None], axis=1))


def _heads(feet: Floats, tall: Floats, radius: float, view: FlatView) -> tuple[Floats, Floats]:
    """Where the tops of stacks of each height, with these feet, are seen (…, heights, 2), and how large they look."""
    z = view.plane.level + tall
    return view.appear(feet, z), radius * view.magnify(z)


def _alike(looks: Floats, own: Floats, darker: float, lighter: float = np.inf) -> Mask:
    """Which looks are of this colour, and no more darker or lighter than that (log brightness)."""
    tones = np.log((added(looks) + 3 * FLOOR) / (added(own) + 3 * FLOOR))
    same = added((chroma(looks) - chroma(own)) ** 2) < SAME_TINT**2
    return np.asarray(same & (tones > -darker) & (tones < lighter))


def _share(which: Mask, free: Mask) -> Floats:
    """Of each row of places how many of the free ones these are."""
    return np.asarray((which & free).sum(axis=-1) / np.maximum(free.sum(axis=-1), 1))
