"""Where the rims of markers are, and so how large they look: analysis through synthesis, between the pixels.

From a marker's middle outwards the picture shows its top, in places its side, the stone it lies on, and what is beyond
that stone, each passing into the next as far as the picture is blurred. Lamp and shadow make top, side and stone
lighter or darker, little by little on the way round; beyond the stone there may be anything. The circle is moved and
resized, and the picture more or less blurred, until what should be seen is most like what is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Floats
from vision.overhead import Overhead, circle
from vision.scenery import Mask

Reals = npt.NDArray[np.floating]
"""Numbers of any precision: there are many, and half of it is enough for most."""

PLACES = np.linspace(0.65, 1.35, 15)
"""Of a marker's radius: where it is looked at, from its middle outwards."""
WAVES = (2, 1, 2)
"""How many times, on the way round, the brightness of top, side and stone may rise and fall."""
EVEN = (10.0, 1.0, 0.03, 1e-3, 1e-3, 1e-3)
"""How firmly it is held even, step by step: at first a lighter side means that the circle is elsewhere."""
NARROWEST, LOGISTIC, FAR = 0.01, 1.702, 40.0
"""Of a radius: the least that is seen of a stone. A logistic curve so much steeper is like a blurred edge; so many
blurs away from it nothing changes any more."""
FAINTEST = 1e-8
"""What is left of brightness and colours, squared, in the plainest picture."""
BLURS, FINEST, COARSEST = np.log([0.09, 0.16]), np.log(0.03), np.log(0.3)
"""Of a radius (log): how wide a passage from one part to the next is to begin with, one sigma, in brightness and in
colour, which pictures store more coarsely; and how narrow and how wide it may be."""
FARTHEST, WIDER = 0.08, 0.4
"""By how much of a radius at most circles are moved and resized at a step, and blurs changed (log)."""
SLIPPED, HELD = 0.08, 0.005
"""Of a radius: how far off the middle usually is, and how firmly the size of a marker that is covered in part is held:
what covers it is no reason to make it smaller."""
MOST = 0.2
"""Of a radius: no marker is so much larger or smaller than expected."""
NOISE, LEAST, NOTHING = 5.2, 0.003, 1.0
"""How far off a size may be, one sigma, for each of what it would be were all pixels independent; at least; and if
nothing is seen."""

LUMA = np.array([0.114, 0.587, 0.299], np.float32)
"""How bright blue, green and red are, as pictures are stored: colours are blurred there, brightness is not."""

PARTS, CHANGES, SEEN = slice(0, 3), slice(3, 9), slice(9, 11)
"""Of what is compared along each direction: top, side and stone, how they change if the three edges move or are more
blurred, and what is seen."""

_ROUND = circle(32)


def _shades() -> Floats:
    """(directions, parts, amounts): how much each amount of brightness adds to each part on the way round."""
    turns = np.arctan2(_ROUND[:, 1], _ROUND[:, 0])
    shades = np.zeros((len(_ROUND), 3, sum(1 + 2 * waves for waves in WAVES)))
    first = 0
    for part, waves in enumerate(WAVES):
        each = [np.ones_like(turns), *(wave(n * turns) for n in range(1, waves + 1) for wave in (np.cos, np.sin))]
        shades[:, part, first : first + len(each)] = np.stack(each, axis=-1)
        first += len(each)
    return shades


_SHADES = _shades().astype(np.float32)
_FLAT = _SHADES.reshape(-1, _SHADES.shape[-1])
_CHANGING = 1 - (_SHADES == 1).all(axis=0).any(axis=0)
"""Which of the amounts change on the way round."""


@dataclass(frozen=True)
class Radii:
    """Of a marker's upper and lower face, which is farther away, and of the stone below it; as they are seen."""

    upper: float
    lower: float
    stone: float


@dataclass(frozen=True, eq=False)
class Rims:
    """Of every marker: log of how much larger than expected it looks, how far off (one sigma) that may be, and how far
    (n, 2; millimetres) its middle is from where it was thought to be."""

    larger: Floats
    noise: Floats
    slipped: Floats


@dataclass(frozen=True, eq=False)
class _Circles:
    """Where the rims may be; of a radius."""

    middle: Floats
    size: Floats
    blurs: Floats
    """Of brightness and colours (log), the same for all."""


@dataclass(frozen=True, eq=False)
class _Fit:
    """How well circles fit: what moving and resizing them, and each blur, would mend."""

    normal: Floats
    """(n, 5, 5): of size, middle (2) and both blurs."""
    mends: Floats
    """(n, 5)."""
    misfits: Floats
    """(n, directions): against what is usual."""


def find_rims(middles: Floats, whole: Mask, radii: Radii, drawn_out: Floats, view: Overhead) -> Rims:
    """The upper faces of the markers at these places (n, 2), which should have these radii.

    Millimetres on the plane of the sheets. `whole`: which are not covered in part. `drawn_out`: the way from a marker's
    lower to its upper face, as it is seen.
    """
    radius = radii.upper
    seen = _seen((middles + drawn_out / 2)[:, None, None] + radius * PLACES[:, None] * _ROUND[:, None], view)
    out = drawn_out / radius
    circles = _Circles(np.zeros_like(middles), np.ones(len(middles)), BLURS)
    trust = np.ones((len(middles), len(_ROUND)))
    for even in EVEN:
        fit = _fit(seen, circles, out, radii, trust, even)
        circles, trust = _moved(circles, fit, ~whole), 1 / np.maximum(1.0, fit.misfits)
    spread = np.linalg.inv(fit.normal[:, :3, :3] + 1e-6 * np.eye(3))[:, 0, 0]
    # Where nothing is seen rounding can take more than there is.
    noise = np.hypot(NOISE * np.sqrt(np.where(spread > 0, spread, np.inf)), LEAST)
    return Rims(np.log(circles.size), np.minimum(noise, NOTHING), radius * circles.middle)


def _seen(places: Floats, view: Overhead) -> Reals:
    """(2, n, directions, 2, steps): brightness, and two colours, at places (n, directions, steps, 2), between the
    pixels too."""
    spots = view.scenery.to_flat(places).astype(np.float32)
    looks = cv2.remap(
        view.codes, spots[..., 0].reshape(len(spots), -1), spots[..., 1].reshape(len(spots), -1), cv2.INTER_LINEAR
    )
    codes = np.asarray(looks, dtype=np.float32).reshape(*places.shape[:-1], 3) / np.float32(255)
    bright = codes @ LUMA
    return np.stack(
        [
            np.stack([bright**2, np.zeros_like(bright)], axis=-2),
            np.stack([codes[..., 0] - bright, codes[..., 2] - bright], axis=-2),
        ]
    )


def _edges(circles: _Circles, drawn_out: Floats, radii: Radii) -> tuple[Floats, Reals]:
    """(n, directions, 3): where top, side and stone end. And (n, directions × 6, 4): how much each of these moves, and
    is more blurred, for size, middle (2) and blur."""
    lower, stone = radii.lower / radii.upper, radii.stone / radii.upper
    size, foot = circles.size[:, None], (circles.middle - drawn_out) @ _ROUND.T
    top = circles.middle @ _ROUND.T + size
    side = np.maximum(top, foot + lower * size)
    ends = np.stack([top, side, np.maximum(foot + stone * size, side + NARROWEST)], axis=-1)
    ways = np.zeros((*top.shape, 6, 4), np.float32)
    ways[..., 0, 0], ways[..., 1, 0], ways[..., 2, 0] = 1.0, np.where(side > top, lower, 1.0), stone
    ways[..., :3, 1:3] = _ROUND[:, None]
    ways[..., 3:, 3] = 1.0
    return ends, ways.reshape(len(top), -1, 4)


def _fit(seen: Reals, circles: _Circles, drawn_out: Floats, radii: Radii, trust: Floats, even: float) -> _Fit:
    edges, ways = _edges(circles, drawn_out, radii)
    alike, shares = _compared(seen, edges, circles.blurs)
    alike *= trust.astype(np.float32)[..., None, None]
    # Top, side and stone as light or dark as what is seen would have them.
    shaded = alike[..., PARTS] @ _SHADES
    inverse = np.linalg.inv(_summed(_FLAT, shaded[..., PARTS, :]) + np.diag(even * _CHANGING + 1e-4))
    amounts = inverse @ _summed(_FLAT, alike[..., PARTS, SEEN])
    levels = (_FLAT @ amounts).reshape(*shares.shape[:-1], 3, 2)
    left = alike[..., SEEN] - alike[..., PARTS] @ levels
    misfits = np.trace(left[..., SEEN, :], axis1=-2, axis2=-1) - (levels * left[..., PARTS, :]).sum(axis=(-2, -1))
    misfits = np.maximum(misfits, 0.0) / len(PLACES) / trust
    usual = np.median(misfits, axis=-1) + FAINTEST
    # What changes if edges move or are more blurred: from top to side, from side to stone, from there to the rest.
    beyond = shares[..., SEEN] - (shares[..., PARTS, None] * levels).sum(axis=-2)
    passages = np.tile(levels - np.concatenate([levels[..., 1:, :], beyond[..., None, :]], axis=-2), (2, 1))
    both = passages @ np.swapaxes(passages, -1, -2)
    normal = _summed(ways, (alike[..., CHANGES, CHANGES] * both) @ ways.reshape(*ways.shape[:1], *both.shape[2:4], -1))
    # What another shade would mend as well is no reason to move.
    for colour in np.moveaxis(passages, -1, 0):
        shades = _summed(ways, shaded[..., CHANGES, :] * colour[..., None])
        normal -= shades @ inverse @ np.swapaxes(shades, -1, -2)
    mends = _summed(ways, (left[..., CHANGES, :] * passages).sum(axis=-1, keepdims=True))[..., 0]
    normal, mends = _together(normal / usual[..., None, None], mends / usual[..., None])
    return _Fit(normal, mends, (misfits / usual[..., None]).mean(axis=0))


def _compared(seen: Reals, edges: Floats, blurs: Floats) -> tuple[Reals, Reals]:
    """(2, n, directions, 11, 11): how far all that is compared (see PARTS) is alike, but for what is beyond the stone,
    which may have any brightness in each direction; and the share of that in each, (2, n, directions, 11)."""
    blur = np.exp(blurs).astype(np.float32)[:, None, None, None, None]
    away = np.clip((PLACES - edges[..., None]).astype(np.float32) / blur, -FAR, FAR)
    within = 1 / (1 + np.exp(np.float32(LOGISTIC) * away))
    slopes = np.float32(LOGISTIC) * within * (1 - within)
    parts = within.copy()
    parts[..., 1:, :] -= within[..., :-1, :]
    compared = np.concatenate([parts, slopes / blur, slopes * away, seen], axis=-2)
    beyond = 1 - within[..., 2, :]
    whole = (beyond**2).sum(axis=-1)[..., None] + np.float32(1e-9)
    shares = (compared @ beyond[..., None])[..., 0] / whole
    alike = compared @ np.swapaxes(compared, -1, -2) - (shares * whole)[..., None] * shares[..., None, :]
    return alike, shares


def _summed(ways: Reals, changes: Reals) -> Floats:
    """Changes (2, n, directions, parts or edges, …) added up, all round, as ways (…, directions × these, m) have it."""
    return np.asarray(np.swapaxes(ways, -1, -2) @ changes.reshape(*changes.shape[:2], -1, changes.shape[-1]), float)


def _together(normal: Reals, mends: Reals) -> tuple[Floats, Floats]:
    """What brightness and colours, each with a blur of its own, say of size, middle and both blurs."""
    every, all_mends = np.zeros((normal.shape[1], 5, 5)), np.zeros((normal.shape[1], 5))
    for blur in (3, 4):
        each = np.array([0, 1, 2, blur])
        every[:, each[:, None], each] += normal[blur - 3]
        all_mends[:, each] += mends[blur - 3]
    return every, all_mends


def _moved(circles: _Circles, fit: _Fit, covered: Mask) -> _Circles:
    """Circles that fit better. All are equally blurred: as most of them would have it."""
    held = np.zeros((len(covered), 5))
    held[:, 0], held[:, 1:3] = covered * HELD**-2, SLIPPED**-2
    normal = fit.normal + (held + 1e-6)[..., None] * np.eye(5)
    mends = fit.mends - held * np.column_stack([circles.size - 1, circles.middle, 0 * circles.middle])
    alone = np.linalg.solve(normal, mends[..., None])[:, 3:, 0]
    wider = np.clip(np.median(alone, axis=0), -WIDER, WIDER)
    moves = np.linalg.solve(normal[:, :3, :3], (mends[:, :3] - normal[:, :3, 3:] @ wider)[..., None])[..., 0]
    moves = np.clip(moves, -FARTHEST, FARTHEST)
    return _Circles(
        circles.middle + moves[:, 1:],
        np.clip(circles.size + moves[:, 0], 1 - MOST, 1 + MOST),
        np.clip(circles.blurs + wider, FINEST, COARSEST),
    )
