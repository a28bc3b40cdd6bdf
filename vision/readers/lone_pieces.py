"""Pieces that stand alone: ground in sight all round a site shows the light there, and leaves no room for a hand.

Glare makes a red pawn as pale as a finger, and in deep shade a colour is hardly one; beside its own ground it still is.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.flatten.colour import FLOOR, chroma
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats
from vision.readers.blobs import PieceShape
from vision.readers.free_sites import GROUND
from vision.readers.palette import Palette, strange

OPEN = 0.5
"""Share of the ground around a site that must be in sight, in one light."""
TINT = 0.1
"""How far from grey, in shares of blue, green and red, that light may be."""
LIGHTEST = 1.5
"""How bright it may be, relative to the light on the whole board."""
LEAST, CLEAR, OTHERS = 0.3, 0.15, 0.25
"""For the outline of a piece: how much of it must have its colour, how much a shade of it that no hand has, and how
much, as a share of the first, any other colour."""
MOST_AROUND = 0.1
"""How much of the ground around it may have its colour. A piece ends at its rim, a cup or a sleeve goes on."""
FAINTEST = 0.1
"""Share of white, all channels added: darker print does not show the light."""
LEVELS = (0.25, 0.5, 0.75, 1.0)
WITHIN = 0.8
"""Share of a piece's radius that is looked at: it may stand a little off its site."""

_ROUND = circle(24)
_SPOTS = np.concatenate([[(0.0, 0.0)], 0.5 * _ROUND[::4], _ROUND[::2]])


def lone_colours(at: Floats, solid: PieceShape, palette: Palette, view: FlatView) -> list[int | None]:
    """For each site (n, 2), the number of the colour of what stands there; None if no piece can be seen clearly."""
    return [_colour(place, solid, palette, view) for place in at]


def _colour(place: Floats, solid: PieceShape, palette: Palette, view: FlatView) -> int | None:
    around = _around(place, solid, view)
    light = ground_light(view.looks(around), view.ground(around))
    if light is None:
        return None
    spots = place + WITHIN * solid.diameter / 2 * _SPOTS
    outline = np.concatenate([view.appear(spots, view.plane.level + part * solid.height) for part in LEVELS])
    looks = view.looks(outline)
    labels = _labels(looks / light, palette)
    shares = (labels[:, None] == np.arange(len(palette.names))).mean(axis=0)
    best = int(shares.argmax())
    clear = ((labels == best) & ~strange(looks) & ~strange(looks / light)).mean()
    others = float(np.delete(shares, best).max(initial=0.0))
    beyond = (_labels(view.looks(around) / light, palette) == best).mean()
    is_one = shares[best] >= LEAST and clear >= CLEAR and others <= OTHERS * shares[best] and beyond <= MOST_AROUND
    return best if is_one else None


def _around(place: Floats, solid: PieceShape, view: FlatView) -> Floats:
    """Places on the ground all round a piece: in front of its foot, and behind where its top appears."""
    top = view.appear(place, view.plane.level + solid.height)
    near = _ROUND @ view.towards(place) > 0
    return np.concatenate([np.where(near[:, None], place, top) + far * _ROUND for far in GROUND])


def ground_light(looks: Floats, printed: Floats) -> Floats | None:
    """The light in which most of this ground looks as printed, if there is one."""
    use = printed.sum(axis=-1) > FAINTEST
    if not use.any():
        return None
    looks, printed = looks[use], printed[use]
    light = np.median((looks + FLOOR) / (printed + FLOOR), axis=0)
    ratio = (looks.sum(axis=-1) + 3 * FLOOR) / ((printed * light).sum(axis=-1) + 3 * FLOOR)
    tint = np.linalg.norm(chroma(looks) - chroma(printed * light), axis=-1)
    alike = (tint < TINT) & (np.abs(np.log(ratio)) < np.log(LIGHTEST))
    is_grey = np.linalg.norm(light / light.sum() - 1 / 3) < TINT
    return light if alike.mean() >= OPEN and is_grey and light.mean() < LIGHTEST else None


def _labels(looks: Floats, palette: Palette) -> npt.NDArray[np.intp]:
    """The number of the colour that each look has, or -1."""
    fits = palette.fits(looks)
    return np.where(fits.max(axis=1) > 0, fits.argmax(axis=1), -1)
