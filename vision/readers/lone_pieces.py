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
from vision.readers.free_sites import SiteRounds
from vision.readers.palette import Palette, strange
from vision.readers.settings import LONE_PIECES

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
    spots = place + LONE_PIECES.within * solid.diameter / 2 * _SPOTS
    outline = np.concatenate(
        [view.appear(spots, view.plane.level + part * solid.height) for part in LONE_PIECES.levels]
    )
    looks = view.looks(outline)
    labels = _labels(looks / light, palette)
    shares = (labels[:, None] == np.arange(len(palette.names))).mean(axis=0)
    best = int(shares.argmax())
    clear = ((labels == best) & ~strange(looks) & ~strange(looks / light)).mean()
    others = float(np.delete(shares, best).max(initial=0.0))
    beyond = (_labels(view.looks(around) / light, palette) == best).mean()
    is_one = (
        shares[best] >= LONE_PIECES.least
        and clear >= LONE_PIECES.clear
        and others <= LONE_PIECES.others * shares[best]
        and beyond <= LONE_PIECES.most_around
    )
    return best if is_one else None


def _around(place: Floats, solid: PieceShape, view: FlatView) -> Floats:
    """Places on the ground all round a piece: in front of its foot, and behind where its top appears."""
    top = view.appear(place, view.plane.level + solid.height)
    near = _ROUND @ view.towards(place) > 0
    return np.concatenate(
        [np.where(near[:, None], place, top) + far * _ROUND for far in SiteRounds.of(view.plane).ground]
    )


def ground_light(looks: Floats, printed: Floats) -> Floats | None:
    """The light in which most of this ground looks as printed, if there is one."""
    use = printed.sum(axis=-1) > LONE_PIECES.faintest
    if not use.any():
        return None
    looks, printed = looks[use], printed[use]
    light = np.median((looks + FLOOR) / (printed + FLOOR), axis=0)
    ratio = (looks.sum(axis=-1) + 3 * FLOOR) / ((printed * light).sum(axis=-1) + 3 * FLOOR)
    tint = np.linalg.norm(chroma(looks) - chroma(printed * light), axis=-1)
    alike = (tint < LONE_PIECES.tint) & (np.abs(np.log(ratio)) < np.log(LONE_PIECES.lightest))
    is_grey = np.linalg.norm(light / light.sum() - 1 / 3) < LONE_PIECES.tint
    return light if alike.mean() >= LONE_PIECES.open and is_grey and light.mean() < LONE_PIECES.lightest else None


def _labels(looks: Floats, palette: Palette) -> npt.NDArray[np.intp]:
    """The number of the colour that each look has, or -1."""
    fits = palette.fits(looks)
    return np.where(fits.max(axis=1) > 0, fits.argmax(axis=1), -1)
