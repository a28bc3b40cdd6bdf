"""How large markers look by their rims: analysis through synthesis, between the pixels.

From a marker's middle outwards the picture shows the marker, the stone it lies on, and what is beyond that stone, each
passing into the next as far as the picture is blurred. Wherever the rim may be, the best such passage is fitted; it is
where that fits best, and the marker is the circle through its rims.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Floats
from vision.overhead import Overhead, circle

Reals = npt.NDArray[np.float32]

PLACES = np.linspace(0.65, 1.35, 29)
"""Of a marker's radius: where it is looked at, from its middle outwards."""
FIRST, STEP, RIMS = 0.88, 0.01, 31
"""Of that radius: where its rim is looked for."""
BLURS = (0.045, 0.065, 0.085, 0.11, 0.14, 0.18, 0.23)
"""Of that radius: how wide a passage from one colour to the next may be, one sigma."""
WIDEST, FINENESS = 0.25, 100
"""Of that radius: how wide a marker's side is seen, or hides the stone, at most, and in how many parts of it."""
NARROWEST, LOGISTIC = 0.02, 1.702
"""Of that radius: the least that is seen of a stone. A logistic curve so much steeper is like a blurred edge."""
EVERY = 4
"""Of the directions, every such is looked at to tell how blurred the picture is."""
COLOUR_COUNTS = 0.3
"""How much differences of colour count against those of brightness: pictures are stored with coarser colours."""
REFITS, FAR, FINEST = 5, 2.0, 0.005
"""Rims count less if they are farther off the circle than so many times what is usual, at least that, of a radius."""
LEAST, MORE = 0.007, 0.3
"""How far off a size may be, one sigma: that at least, and this share of how far rims usually are off their circle."""
BLURRED = 0.17
"""Of a radius: in a picture as blurred as this a size may be twice as far off, and soon tells nothing."""
MOST = 0.2
"""Of a radius: no marker is so much larger or smaller than expected."""

LUMA = np.array([0.114, 0.587, 0.299])
"""How bright blue, green and red are, as pictures are stored: colours are blurred there, brightness is not."""

_ROUND = circle(32)
_CIRCLE = np.column_stack([_ROUND, np.ones(len(_ROUND))])


def rim_sizes(middles: Floats, radius: float, ring: float, drawn_out: Floats, view: Overhead) -> tuple[Floats, Floats]:
    """Log of how much larger than `radius` the upper faces of the markers at these places (n, 2) look, and how far off
    (one sigma) that may be.

    Millimetres on the plane of the sheets. `ring`: how wide the stone is seen about a marker. `drawn_out`: the way from
    a marker's lower to its upper face, as it is seen.
    """
    tops = (middles + drawn_out / 2)[:, None, None] + radius * PLACES[:, None] * _ROUND[:, None]
    looks = _looks(tops, view)
    sides = -(drawn_out @ _ROUND.T) / radius
    shapes = _passages(round(ring / radius, 3))
    number = np.rint(np.clip(sides, -WIDEST, WIDEST) * FINENESS + WIDEST * FINENESS).astype(np.intp)
    bright = looks @ LUMA
    colours = looks[..., (0, 2)] - bright[..., None]
    seen = [part.astype(np.float32) for part in (bright[..., None] ** 2, colours)]
    blurs = [_blur(part[:, ::EVERY], number[:, ::EVERY], shapes) for part in seen]
    misfits = [_left(part, shapes[blur][number]) for part, blur in zip(seen, blurs, strict=True)]
    usual = [np.median(misfit.min(axis=2), axis=1)[:, None, None] + 1e-7 for misfit in misfits]
    fit, off = _fitted(misfits[0] / usual[0] + COLOUR_COUNTS * misfits[1] / usual[1])
    return np.log(fit[:, 2]), (LEAST + MORE * off) * (1 + (BLURS[blurs[0]] / BLURRED) ** 6)


def _looks(places: Floats, view: Overhead) -> Floats:
    """What is seen at places (n, angles, steps, 2), between the pixels too, as coded."""
    spots = view.scenery.to_flat(places).astype(np.float32)
    looks = cv2.remap(
        view.codes, spots[..., 0].reshape(len(spots), -1), spots[..., 1].reshape(len(spots), -1), cv2.INTER_LINEAR
    )
    return np.asarray(looks, dtype=float).reshape(*places.shape[:-1], 3) / 255


@cache
def _passages(ring: float) -> Reals:
    """What may be seen across a rim (blurs, sides, rims, 3, steps), as bases of unit length at right angles.

    The parts are the marker's top, a `ring` of stone about it and what is beyond, each of any brightness; the marker's
    side, where it is seen, is dark.
    """
    sides = np.arange(-WIDEST * FINENESS, WIDEST * FINENESS + 1)[:, None, None] / FINENESS
    rims = FIRST + STEP * np.arange(RIMS)[:, None] + 0 * sides
    edges = rims, rims + np.maximum(sides, 0.0), rims + np.maximum(sides + ring, NARROWEST)
    every = []
    for blur in BLURS:
        top, side, stone = (1 / (1 + np.exp(LOGISTIC * (PLACES - edge) / blur)) for edge in edges)
        bases, _ = np.linalg.qr(np.stack([top, stone - side, 1 - stone], axis=-1))
        every.append(np.swapaxes(bases, -1, -2))
    return np.array(every, dtype=np.float32)


def _blur(looks: Reals, sides: npt.NDArray[np.intp], shapes: Reals) -> int:
    """Which blur fits what is seen (n, angles, steps, values) best."""
    return int(np.argmin([np.log(_left(looks, shape[sides]).min(axis=2) + 1e-7).sum() for shape in shapes]))


def _left(looks: Reals, bases: Reals) -> Reals:
    """What bases (n, angles, rims, 3, steps) leave of looks (n, angles, steps, values), squared; rounding takes a
    little more than there is where all looks are the same."""
    count, angles, rims, parts, steps = bases.shape
    told = bases.reshape(count, angles, rims * parts, steps) @ looks
    fits = (told**2).sum(axis=-1).reshape(count, angles, rims, parts).sum(axis=-1)
    return np.asarray(np.maximum((looks**2).sum(axis=(2, 3))[..., None] - fits, np.float32(0.0)))


def _fitted(misfits: Floats) -> tuple[Floats, Floats]:
    """The circles (n, 3: slipped by x and y, radius) through the rims, and how far off them rims usually are."""
    best = misfits.argmin(axis=2)[..., None]
    inner = np.clip(best, 1, RIMS - 2)
    low, least, high = (np.take_along_axis(misfits, inner + step, axis=2)[..., 0] for step in (-1, 0, 1))
    sharp = np.maximum(low - 2 * least + high, 1e-9)
    rims = FIRST + STEP * (inner[..., 0] + np.clip((low - high) / 2 / sharp, -1.0, 1.0))
    plain = np.minimum(1.0, sharp / np.median(sharp, axis=1)[:, None]) * (best == inner)[..., 0] + 1e-6
    weight = plain
    for _ in range(REFITS):
        normal = np.einsum("na,ai,aj->nij", weight, _CIRCLE, _CIRCLE) + 1e-9 * np.eye(3)
        fit = np.linalg.solve(normal, ((weight * rims) @ _CIRCLE)[..., None])[..., 0]
        off = np.abs(rims - fit @ _CIRCLE.T)
        usual = np.maximum(1.48 * np.median(off, axis=1), FINEST)
        weight = plain / np.maximum(1.0, off / (FAR * usual)[:, None])
    fit[:, 2] = np.clip(fit[:, 2], 1 - MOST, 1 + MOST)
    return fit, usual
