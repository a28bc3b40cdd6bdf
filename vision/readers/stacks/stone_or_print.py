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
from vision.readers.stacks.settings import SIDES

WOOD = chroma(STONE)
BURNT_WOOD = chroma(np.minimum(STONE, STONE[1]))
"""Wood whose red is at the picture's limit: it counts as no more than the green (see `Illumination.normalise`) …"""


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
    off_print, shade = tints - chroma(ground), np.clip(tones - _tone(ground), -SIDES.farthest, SIDES.farthest)
    in_sight = looks_printed(flanks, flank_ground)
    flank_shade = np.clip(_tone(flanks) - _tone(flank_ground), -SIDES.farthest, SIDES.farthest)
    flank_shade = _beside(flank_shade, in_sight, SIDES.print_shade)
    off_flank = off_print - _beside(chroma(flanks) - chroma(flank_ground), in_sight[..., None], 0.0)
    beside = np.minimum(np.abs(shade - flank_shade).min(axis=0), 2.0)
    beside_tint = _tenths(off_flank).min(axis=0)
    brighter = np.clip((shade - flank_shade).mean(axis=0), -2.0, 2.0)
    darker = np.clip(tones - stone_tone, -SIDES.farthest, SIDES.farthest)
    stone_off, print_off, wood_off = _tenths(tints - stone_tint), _tenths(off_print), _tenths(tints - WOOD)
    like_stone = _density((stone_off / SIDES.stone_tint) ** 2 + (darker / SIDES.stone_tone) ** 2)
    like_beside = _density((beside_tint / SIDES.beside_tint) ** 2 + (beside / SIDES.beside_shade) ** 2)
    like_print = _density((print_off / SIDES.print_tint) ** 2 + ((shade - SIDES.print_shade) / SIDES.print_tone) ** 2)
    terms = [like_stone, like_beside, like_print, beside, beside_tint, stone_off, darker, darker**2]
    terms += [print_off, shade, shade**2, brighter, wood_off]
    total = np.full(like_stone.shape, SIDES.weights[0])
    for weight, term in zip(SIDES.weights[1:], terms, strict=True):
        total += weight * term
    return np.asarray(total)


def _beside(told: Floats, in_sight: Mask, usual: float) -> Floats:
    """What the print at either side (2, …) tells of the light; where it is not in sight, a hand or a stack being there,
    what the other side tells, or what is usual."""
    return np.where(in_sight, told, np.where(in_sight[::-1], told[::-1], usual))


def _tone(looks: Floats) -> Floats:
    return np.asarray(np.log(added(looks) + 3 * FLOOR))


def _tenths(difference: Floats) -> Floats:
    return np.asarray(np.minimum(10 * np.sqrt(added(difference**2)), SIDES.farthest))


def _density(off: Floats) -> Floats:
    return np.asarray(np.log(np.exp(-off / 2) + SIDES.quietest))
