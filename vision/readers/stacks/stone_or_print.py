"""Stone or printed board: what one pixel near a stack says, whatever the light on it.

A stone looks like the uppermost stone of its stack, which is always in sight. Print looks as printed, in the light that
falls on the print beside it. The weights were fitted by logistic regression on half of the virtual scenes and a few
path-traced ones, and checked on the others.
"""

from __future__ import annotations

import numpy as np

from vision.flatten.colour import FLOOR, added, chroma
from vision.flatten.flat_view import looks_printed
from vision.frame import Floats, Mask
from vision.readers.palette import STONE

TINT = 10.0
"""Differences of colour shares are counted in tenths."""
FARTHEST = 3.0
"""Differences beyond this many tenths, or units of log brightness, are no more telling."""
STONE_TINT, STONE_TONE = 0.5, 0.4
"""How far stones of one stack usually differ: tenths of colour shares, log brightness."""
BESIDE_TINT, BESIDE_SHADE = 0.6, 0.4
"""How far print differs from the print beside it, each against what is printed there."""
PRINT_TINT, PRINT_SHADE, PRINT_TONE = 0.8, -0.3, 0.6
"""How far print differs from what is printed in full light: tint, usual shade, spread of the shade."""
QUIETEST = 0.02
"""Density of what is neither."""
WOOD = chroma(STONE)
BURNT_WOOD = chroma(np.minimum(STONE, STONE[1]))
"""Wood whose red is at the picture's limit: it counts as no more than the green (see `Illumination.normalise`) …"""
PALEST = 0.75
"""… and how far on the way to white it can be then: near their limit pictures are no longer true."""
WEIGHTS = (-0.27, 1.08, -0.12, -0.2, 1.19, 0.82, 0.0, -0.28, -0.39, 0.19, -1.49, 0.02, 2.12, -0.49)
"""Of: nothing, like stone, like the print beside, like print, then the differences themselves (see below)."""


def off_wood(looks: Floats, palest: Floats | float = 0.0) -> Floats:
    """How far looks (…, 3) are off the colour of a stone, in shares of the three colours.

    `palest` (…): how far on the way to white burnt wood may be; the palest is also the colour of burnt skin.
    """
    tints = chroma(looks)
    way = 1 / 3 - BURNT_WOOD
    pale = np.clip((tints - BURNT_WOOD) @ way / (way @ way), 0.0, palest)[..., None]
    burnt = np.where((looks[..., 2] == looks[..., 1])[..., None], BURNT_WOOD + pale * way, WOOD)
    return np.asarray(np.sqrt(np.minimum(added((tints - WOOD) ** 2), added((tints - burnt) ** 2))))


def stone_or_print(looks: Floats, ground: Floats, flanks: Floats, flank_ground: Floats, first: slice) -> Floats:
    """Log-odds of stone against print for looks (blobs, rounds, steps, 3), given the print expected there.

    `flanks` (2, blobs, …) are looks to the left and right at the same distance; the `first` steps show the uppermost
    stone.
    """
    tints, tones = chroma(looks), _tone(looks)
    stone_tone = np.median(tones[:, :, first], axis=2, keepdims=True)
    stone_tint = np.median(tints[:, :, first], axis=(1, 2), keepdims=True)
    off_print, shade = tints - chroma(ground), np.clip(tones - _tone(ground), -FARTHEST, FARTHEST)
    in_sight = looks_printed(flanks, flank_ground)
    flank_shade = np.clip(_tone(flanks) - _tone(flank_ground), -FARTHEST, FARTHEST)
    flank_shade = _beside(flank_shade, in_sight, PRINT_SHADE)
    off_flank = off_print - _beside(chroma(flanks) - chroma(flank_ground), in_sight[..., None], 0.0)
    beside = np.minimum(np.abs(shade - flank_shade).min(axis=0), 2.0)
    beside_tint = _tenths(off_flank).min(axis=0)
    brighter = np.clip((shade - flank_shade).mean(axis=0), -2.0, 2.0)
    darker = np.clip(tones - stone_tone, -FARTHEST, FARTHEST)
    stone_off, print_off, wood_off = _tenths(tints - stone_tint), _tenths(off_print), _tenths(tints - WOOD)
    like_stone = _density((stone_off / STONE_TINT) ** 2 + (darker / STONE_TONE) ** 2)
    like_beside = _density((beside_tint / BESIDE_TINT) ** 2 + (beside / BESIDE_SHADE) ** 2)
    like_print = _density((print_off / PRINT_TINT) ** 2 + ((shade - PRINT_SHADE) / PRINT_TONE) ** 2)
    terms = [like_stone, like_beside, like_print, beside, beside_tint, stone_off, darker, darker**2]
    terms += [print_off, shade, shade**2, brighter, wood_off]
    total = np.full(like_stone.shape, WEIGHTS[0])
    for weight, term in zip(WEIGHTS[1:], terms, strict=True):
        total += weight * term
    return np.asarray(total)


def _beside(told: Floats, in_sight: Mask, usual: float) -> Floats:
    """What the print at either side (2, …) tells of the light; where it is not in sight, a hand or a stack being there,
    what the other side tells, or what is usual."""
    return np.where(in_sight, told, np.where(in_sight[::-1], told[::-1], usual))


def _tone(looks: Floats) -> Floats:
    return np.asarray(np.log(added(looks) + 3 * FLOOR))


def _tenths(difference: Floats) -> Floats:
    return np.asarray(np.minimum(TINT * np.sqrt(added(difference**2)), FARTHEST))


def _density(off: Floats) -> Floats:
    return np.asarray(np.log(np.exp(-off / 2) + QUIETEST))
