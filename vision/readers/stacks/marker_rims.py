"""Where the rims of markers are, and so how large they look: analysis through synthesis, between the pixels.

From a marker's middle outwards the picture shows its top, in places its side, the stone it lies on, and what is beyond
that stone, each passing into the next as far as the picture is blurred. Lamp and shadow make top, side and stone
lighter or darker, little by little on the way round; beyond the stone there may be anything. The circle is moved and
resized, the stone below it moved a little too, and the picture more or less blurred, until what should be seen is most
like what is seen.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image, Numbers
from vision.readers.stacks.settings import RIMS

Reals = npt.NDArray[np.floating]
"""Numbers of any precision: there are many, and half of it is enough for most."""

LOGISTIC, FAR = 1.702, 40.0
"""A logistic curve so much steeper is like a blurred edge; so many blurs away from it nothing changes any more."""
_LUMA = np.array(RIMS.luma, np.float32)
"""How bright blue, green and red are, as pictures are stored: colours are blurred there, brightness is not."""

PARTS, CHANGES, SEEN = slice(0, 4), slice(4, 10), slice(10, 12)
"""Of what is compared along each direction: top, side, stone and a top that gets lighter outwards; how top, side and
stone change if their edges move or are more blurred; and what is seen."""

PLACED, BLURRED = slice(0, 5), slice(5, 7)
"""Of what is fitted: size, middle (2) and the stone's middle (2); and both blurs."""

_ROUND = circle(32)


def _shades() -> Floats:
    """(directions, parts, amounts): how much each amount of brightness adds to each part on the way round."""
    turns = np.arctan2(_ROUND[:, 1], _ROUND[:, 0])
    shades = np.zeros((len(_ROUND), len(RIMS.waves), sum(1 + 2 * waves for waves in RIMS.waves)))
    first = 0
    for part, waves in enumerate(RIMS.waves):
        each = [np.ones_like(turns), *(wave(n * turns) for n in range(1, waves + 1) for wave in (np.cos, np.sin))]
        shades[:, part, first : first + len(each)] = np.stack(each, axis=-1)
        first += len(each)
    return shades


_SHADES = _shades().astype(np.float32)
_FLAT = _SHADES.reshape(-1, _SHADES.shape[-1])
_EVEN = (_SHADES == 1).all(axis=0)
"""(parts, amounts): which amount of each part is the same all round."""


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
class Circles:
    """Where the rims may be; of a radius."""

    middle: Floats
    size: Floats
    stone: Floats
    """How far the stone's middle is off the marker's."""
    blurs: Floats
    """Of brightness and colours (log), the same for all."""


@dataclass(frozen=True, eq=False)
class _Fit:
    """How well circles fit: what moving and resizing them, and each blur, would mend."""

    normal: Floats
    """(n, 7, 7): see PLACED."""
    mends: Floats
    """(n, 7)."""
    misfits: Floats
    """(n, directions): against what is usual."""


def find_rims(middles: Floats, own: Numbers, labels: Image, radii: Radii, drawn_out: Floats, view: FlatView) -> Rims:
    """The upper faces of the markers at these places (n, 2), which should have these radii.

    Millimetres on the plane of the sheets. `own`: the label of each one's colour among the `labels` of the flat
    picture. `drawn_out`: the way from a marker's lower to its upper face, as it is seen.
    """
    radius = radii.upper
    out = drawn_out / radius
    circles = Circles(np.zeros_like(middles), np.ones(len(middles)), np.zeros_like(middles), np.array(RIMS.blurs))
    stone_ends = rim_edges(circles, out, radii)[0][..., 2]
    places = np.linspace(RIMS.inner, stone_ends + RIMS.outer, RIMS.steps, axis=-1)
    centres = (middles + drawn_out / 2)[:, None]
    seen = _seen(centres[:, None] + radius * places[..., None] * _ROUND[:, None], view)
    shown = np.where(labels[view.pixels(centres + RIMS.shown * radius * _ROUND)] == own[:, None], 1.0, RIMS.hardly)
    covered, trust = 1 - shown.mean(axis=1), shown
    for even in RIMS.even:
        fit = _fit(seen, places, rim_edges(circles, out, radii), circles.blurs, trust, even)
        circles, trust = _moved(circles, fit, covered), shown / np.maximum(1.0, fit.misfits) ** 2
    held = np.diag([1e-6, 1e-6, 1e-6, RIMS.askew**-2, RIMS.askew**-2])
    spread = np.linalg.inv(fit.normal[:, PLACED, PLACED] + held)[:, 0, 0]
    # Where nothing is seen rounding can take more than there is.
    noise = np.hypot(RIMS.noise * np.sqrt(np.where(spread > 0, spread, np.inf)), RIMS.least)
    return Rims(np.log(circles.size), np.minimum(noise, RIMS.nothing), radius * circles.middle)


def _seen(places: Floats, view: FlatView) -> Reals:
    """(2, n, directions, 2, steps): brightness, and two colours, at places (n, directions, steps, 2), between the
    pixels too."""
    spots = view.plane.to_flat(places).astype(np.float32)
    looks = cv2.remap(
        view.codes, spots[..., 0].reshape(len(spots), -1), spots[..., 1].reshape(len(spots), -1), cv2.INTER_LINEAR
    )
    codes = np.asarray(looks, dtype=np.float32).reshape(*places.shape[:-1], 3) / np.float32(255)
    bright = codes @ _LUMA
    return np.stack(
        [
            np.stack([bright**2, np.zeros_like(bright)], axis=-2),
            np.stack([codes[..., 0] - bright, codes[..., 2] - bright], axis=-2),
        ]
    )


def rim_edges(circles: Circles, drawn_out: Floats, radii: Radii) -> tuple[Floats, Reals]:
    """(n, directions, 3): where top, side and stone end. And (n, directions × 6, 6): how much each of these moves, and
    is more blurred, for size, middle (2), stone (2) and blur."""
    lower, stone = radii.lower / radii.upper, radii.stone / radii.upper
    size, foot = circles.size[:, None], (circles.middle - drawn_out) @ _ROUND.T
    top = circles.middle @ _ROUND.T + size
    side = np.maximum(top, foot + lower * size)
    stone_end = foot + circles.stone @ _ROUND.T + stone * size
    ends = np.stack([top, side, np.maximum(stone_end, side + RIMS.narrowest)], axis=-1)
    ways = np.zeros((*top.shape, 6, 6), np.float32)
    ways[..., 0, 0], ways[..., 1, 0], ways[..., 2, 0] = 1.0, np.where(side > top, lower, 1.0), stone
    ways[..., :3, 1:3] = _ROUND[:, None]
    ways[..., 2, 3:5] = _ROUND
    ways[..., 3:, 5] = 1.0
    return ends, ways.reshape(len(top), -1, 6)


def _fit(seen: Reals, places: Floats, edges: tuple[Floats, Reals], blurs: Floats, trust: Floats, even: float) -> _Fit:
    ends, ways = edges
    alike, shares = _compared(seen, places, ends, blurs)
    alike *= trust.astype(np.float32)[..., None, None]
    # Top, side and stone as light or dark as what is seen would have them.
    shaded = alike[..., PARTS] @ _SHADES
    inverse = np.linalg.inv(_summed(_FLAT, shaded[..., PARTS, :]) + _held(even)[:, None])
    amounts = inverse @ _summed(_FLAT, alike[..., PARTS, SEEN])
    levels = (_FLAT @ amounts).reshape(*shares.shape[:-1], len(RIMS.waves), 2)
    left = alike[..., SEEN] - alike[..., PARTS] @ levels
    misfits = np.trace(left[..., SEEN, :], axis1=-2, axis2=-1) - (levels * left[..., PARTS, :]).sum(axis=(-2, -1))
    misfits = np.maximum(misfits, 0.0) / RIMS.steps / trust
    usual = np.median(misfits, axis=-1) + RIMS.faintest
    # What changes if edges move or are more blurred: from top to side, from side to stone, from there to the rest.
    beyond = shares[..., SEEN] - (shares[..., PARTS, None] * levels).sum(axis=-2)
    following = np.concatenate([levels[..., 1:3, :], beyond[..., None, :]], axis=-2)
    passages = np.tile(levels[..., :3, :] - following, (2, 1))
    both = passages @ np.swapaxes(passages, -1, -2)
    normal = _summed(ways, (alike[..., CHANGES, CHANGES] * both) @ ways.reshape(*ways.shape[:1], *both.shape[2:4], -1))
    # What another shade would mend as well is no reason to move.
    for colour in np.moveaxis(passages, -1, 0):
        shades = _summed(ways, shaded[..., CHANGES, :] * colour[..., None])
        normal -= shades @ inverse @ np.swapaxes(shades, -1, -2)
    mends = _summed(ways, (left[..., CHANGES, :] * passages).sum(axis=-1, keepdims=True))[..., 0]
    normal, mends = _together(normal / usual[..., None, None], mends / usual[..., None])
    return _Fit(normal, mends, (misfits / usual[..., None]).mean(axis=0))


def _held(even: float) -> Floats:
    """(2, amounts, amounts): how firmly the amounts of brightness, and of colours, are held to what is usual."""
    top, side, *_ = _EVEN
    rising, steady = (_SHADES[:, 3] != 0).any(axis=0), even * ~_EVEN.any(axis=0)
    bright = np.diag(steady + RIMS.rising[0] * rising + 1e-4)
    differ = 1.0 * top - side
    tint = np.diag(RIMS.tinted * steady + RIMS.rising[1] * rising + 1e-4) + RIMS.sides * np.outer(differ, differ)
    return np.stack([bright, tint])


def _compared(seen: Reals, places: Floats, ends: Floats, blurs: Floats) -> tuple[Reals, Reals]:
    """(2, n, directions, 12, 12): how far all that is compared (see PARTS) is alike, but for what is beyond the stone,
    which may have any brightness in each direction; and the share of that in each, (2, n, directions, 12)."""
    blur = np.exp(blurs).astype(np.float32)[:, None, None, None, None]
    away = np.clip((places[..., None, :] - ends[..., None]).astype(np.float32) / blur, -FAR, FAR)
    within = 1 / (1 + np.exp(np.float32(LOGISTIC) * away))
    slopes = np.float32(LOGISTIC) * within * (1 - within)
    parts = within.copy()
    parts[..., 1:, :] -= within[..., :-1, :]
    rising = parts[..., :1, :] * ((places - 1) / (1 - RIMS.inner)).astype(np.float32)[..., None, :]
    compared = np.concatenate([parts, rising, slopes / blur, slopes * away, seen], axis=-2)
    beyond = 1 - within[..., 2, :]
    whole = (beyond**2).sum(axis=-1)[..., None] + np.float32(1e-9)
    shares = (compared @ beyond[..., None])[..., 0] / whole
    alike = compared @ np.swapaxes(compared, -1, -2) - (shares * whole)[..., None] * shares[..., None, :]
    return alike, shares


def _summed(ways: Reals, changes: Reals) -> Floats:
    """Changes (2, n, directions, parts or edges, …) added up, all round, as ways (…, directions × these, m) have it."""
    return np.asarray(np.swapaxes(ways, -1, -2) @ changes.reshape(*changes.shape[:2], -1, changes.shape[-1]), float)


def _together(normal: Reals, mends: Reals) -> tuple[Floats, Floats]:
    """What brightness and colours, each with a blur of its own, say of all that is fitted."""
    every, all_mends = np.zeros((normal.shape[1], 7, 7)), np.zeros((normal.shape[1], 7))
    for blur in (5, 6):
        each = np.append(np.arange(5), blur)
        every[:, each[:, None], each] += normal[blur - 5]
        all_mends[:, each] += mends[blur - 5]
    return every, all_mends


def _moved(circles: Circles, fit: _Fit, covered: Floats) -> Circles:
    """Circles that fit better; so much of each is `covered`. All are equally blurred: as most of them would have it."""
    held = np.zeros((len(covered), 7))
    held[:, 0], held[:, 1:3], held[:, 3:5] = covered * RIMS.held**-2, RIMS.slipped**-2, RIMS.askew**-2
    normal = fit.normal + (held + 1e-6)[..., None] * np.eye(7)
    now = np.column_stack([circles.size - 1, circles.middle, circles.stone, 0 * circles.middle])
    mends = fit.mends - held * now
    alone = np.linalg.solve(normal, mends[..., None])[:, BLURRED, 0]
    wider = np.clip(np.median(alone, axis=0), -RIMS.wider, RIMS.wider)
    moves = np.linalg.solve(
        normal[:, PLACED, PLACED], (mends[:, PLACED] - normal[:, PLACED, BLURRED] @ wider)[..., None]
    )
    moves = np.clip(moves[..., 0], -RIMS.farthest, RIMS.farthest)
    return Circles(
        circles.middle + moves[:, 1:3],
        np.clip(circles.size + moves[:, 0], 1 - RIMS.most, 1 + RIMS.most),
        circles.stone + moves[:, 3:],
        np.clip(circles.blurs + wider, RIMS.finest, RIMS.coarsest),
    )
