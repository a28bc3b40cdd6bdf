"""How large markers look by their rims: where a marker's colour passes into that of the stone it lies on.

A patch of pixels tells a marker's size by which of them have its colour; its rim tells it by where, between two pixels,
one colour passes into the other. Both err, but not together.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Floats
from vision.overhead import Overhead, circle

INSIDE, STONE = np.linspace(0.5, 0.8, 6), np.linspace(1.08, 1.14, 3)
"""Of a marker's radius: where its own colour is seen, and that of the stone about it."""
NARROWEST, WIDEST, STEP = 0.75, 1.14, 0.03
"""Of that radius: where its rim is looked for."""
PASSED = 0.35
"""Share of the marker's colour at its rim. The stone about it is so narrow that blur leaves none of it pure, and what
is taken for the stone's colour has some of the marker's."""
PLAIN = 0.02
"""How far apart the two colours must be (squared, of white) for a rim to count wholly."""
ROUNDS, REFITS = 2, 3
FAR, FINEST = 2.0, 0.004
"""Rims count less if they are farther off the circle than so many times what is usual, at least that, of a radius."""
CLEAR = 0.03
"""Of a radius: if rims are usually farther than that off their circle, they tell no size."""
MOST = 0.15
"""Of a radius: no marker is so much larger or smaller than expected."""

_ROUND = circle(16)
_CIRCLE = np.column_stack([_ROUND, np.ones(len(_ROUND))])
_GRID = np.arange(NARROWEST, WIDEST, STEP)
_PLACES = np.concatenate([INSIDE, STONE, _GRID])
_OWN, _STONE, _ACROSS = np.split(np.arange(len(_PLACES)), [len(INSIDE), len(INSIDE) + len(STONE)])


def rim_sizes(middles: Floats, radius: float, drawn_out: Floats, view: Overhead) -> Floats:
    """Log of how much larger than `radius` the markers at these places (n, 2) look; nan where their rims are not clear.

    Millimetres on the plane of the sheets. `drawn_out`: the way from a marker's lower to its upper face, as it is seen.
    """
    beside = np.abs(drawn_out @ _ROUND.T) / 2
    fit = np.tile((0.0, 0.0, 1.0), (len(middles), 1))
    usual = np.full(len(middles), np.inf)
    for _ in range(ROUNDS):
        slipped = fit[:, :2] @ _ROUND.T
        far = slipped[..., None] + fit[:, 2, None, None] * _PLACES
        looks = _looks(middles[:, None, None] + (beside[..., None] + radius * far)[..., None] * _ROUND[:, None], view)
        rims, plain = _rims(looks)
        fit, usual = _fitted(slipped + fit[:, 2, None] * rims, plain)
    return np.where(usual < CLEAR, np.log(fit[:, 2]), np.nan)


def _looks(places: Floats, view: Overhead) -> Floats:
    """What is seen at places (n, angles, steps, 2), between the pixels too, as coded."""
    spots = view.scenery.to_flat(places).astype(np.float32)
    looks = cv2.remap(
        view.codes, spots[..., 0].reshape(len(spots), -1), spots[..., 1].reshape(len(spots), -1), cv2.INTER_LINEAR
    )
    return np.asarray(looks, dtype=np.float32).reshape(*places.shape[:-1], 3) / 255


def _rims(looks: Floats) -> tuple[Floats, Floats]:
    """Where, of a radius, looks (n, angles, steps, 3) pass from the marker's colour to the stone's, and how plainly."""
    own, stone = np.median(looks[:, :, _OWN], axis=2), looks[:, :, _STONE].mean(axis=2)
    apart = own - stone
    plain = np.maximum((apart**2).sum(axis=-1), 1e-4)
    share = ((looks[:, :, _ACROSS] - stone[:, :, None]) * apart[:, :, None]).sum(axis=-1) / plain[..., None]
    passed = share < PASSED
    step = np.maximum(passed.argmax(axis=2), 1)[..., None]
    before, after = (np.take_along_axis(share, step - back, axis=2)[..., 0] for back in (1, 0))
    part = np.clip((before - PASSED) / np.maximum(before - after, 1e-3), 0.0, 1.0)
    return NARROWEST + STEP * (step[..., 0] - 1 + part), np.minimum(1.0, plain / PLAIN) * passed.any(axis=2)


def _fitted(rims: Floats, plain: Floats) -> tuple[Floats, Floats]:
    """The circles (n, 3: slipped by x and y, radius) through rims (n, angles), how far off them rims usually are."""
    weight = plain
    for _ in range(REFITS):
        normal = np.einsum("na,ai,aj->nij", weight, _CIRCLE, _CIRCLE) + 1e-6 * np.eye(3)
        fit = np.linalg.solve(normal, ((weight * rims) @ _CIRCLE)[..., None])[..., 0]
        off = np.abs(rims - fit @ _CIRCLE.T)
        usual = 1.48 * np.median(off, axis=1)
        weight = plain / np.maximum(1.0, off / (FAR * np.maximum(usual, FINEST))[:, None])
    fit[:, 2] = np.clip(fit[:, 2], 1 - MOST, 1 + MOST)
    return fit, usual
