"""Whether a field is free: a free one shows a light round, whatever is printed in it, on a ground of some colour.

Next to no light of one of three colours comes from the ground, and from figures: by that one the round is told. In the
shadow of a figure, which is as wide as a round, it is told by how much less there is of that one than of the others.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.flatten.colour import chroma
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image
from vision.readers.settings import FREE_ROUNDS, FREE_SITES

_AROUND = circle(FREE_SITES.angles)
_INSIDE = slice(len(FREE_ROUNDS.within))
_RIM = slice(_INSIDE.stop // 2, _INSIDE.stop)
"""The part of a round that pips leave light, and gloss on a figure's head dark somewhere."""
_SECTORS = (
    np.arange(0, FREE_SITES.angles, FREE_ROUNDS.sector // 2)[:, None] + np.arange(FREE_ROUNDS.sector)
) % FREE_SITES.angles


@dataclass(frozen=True, eq=False)
class Rounds:
    """What is seen of the light rounds of some fields."""

    odds: Floats
    """Log-odds for each that it is free."""
    in_part: npt.NDArray[np.bool_]
    """Where much of one is seen, in its own colour, whatever the rest may be: a shadow's edge, a finger."""


def find_rounds(at: Floats, radius: float, tint: Floats, view: FlatView, fronts: Image | None = None) -> Rounds:
    """Whether there is a light round of this radius (millimetres) and colour (shares of blue, green and red) on each
    field (n, 2). Sectors that something covers (`fronts` is not 0) do not count."""
    places = at[:, None, None] + radius * np.array((*FREE_ROUNDS.within, *FREE_ROUNDS.about))[:, None, None] * _AROUND
    looks = view.looks(places)
    light = np.log(looks.min(axis=-1) + FREE_ROUNDS.faintest)
    paleness = light - np.log(looks.max(axis=-1) + FREE_ROUNDS.faintest)
    lighter, rim = np.maximum(_standing_out(light), _standing_out(paleness)), _standing_out(light, _RIM)
    if fronts is not None:
        covered = _by_sector(fronts[view.pixels(places)] != 0).mean(axis=-1) >= FREE_SITES.not_seen
        lighter[covered] = rim[covered] = np.inf
    worst = _nearly_worst(lighter)
    odds = np.clip(FREE_ROUNDS.slope * (worst - FREE_ROUNDS.lighter), -FREE_SITES.loudest, FREE_ROUNDS.most)
    inside = looks[:, _INSIDE].reshape(len(at), -1, 3)
    lightest = np.argsort(inside.min(axis=-1), axis=-1)[:, -inside.shape[1] * 2 // 5 :]
    usual = np.median(chroma(np.take_along_axis(inside, lightest[..., None], axis=1)), axis=1)
    odds = np.where(_is_its_colour(usual - tint, worst, _nearly_worst(rim)), odds, -FREE_SITES.loudest)
    in_part = np.median(lighter, axis=-1) >= FREE_ROUNDS.in_part
    in_part &= np.linalg.norm(usual - tint, axis=-1) <= FREE_ROUNDS.hue
    return Rounds(np.where(np.isinf(lighter.min(axis=-1)), FREE_SITES.not_seen_odds, odds), in_part)


def _standing_out(values: Floats, inside: slice = _INSIDE) -> Floats:
    """How much more (sites, sectors) a round, or part of it, has of something than the ground about it."""
    inner, outer = _by_sector(values[:, inside]), _by_sector(values[:, _INSIDE.stop :])
    # Between pips there is always some of the round to be seen.
    return np.asarray(inner[..., round(0.8 * (inner.shape[-1] - 1))] - outer[..., outer.shape[-1] // 2])


def _nearly_worst(sectors: Floats) -> Floats:
    """What counts of those that are told, for each site: a shadow's edge may spoil some."""
    told = np.sort(sectors, axis=-1)
    return np.where(np.isfinite(told[:, FREE_SITES.nth]), told[:, FREE_SITES.nth], told[:, 0])


def _is_its_colour(off: Floats, lighter: Floats, rim: Floats) -> npt.NDArray[np.bool_]:
    """Whether rounds may be of their colour that look so far (n, 3) off it and are so much lighter than about, and
    their rims alone."""
    along = (off[:, 0] - off[:, 2]) / np.sqrt(2)
    across = np.sqrt(np.maximum((off**2).sum(axis=-1) - along**2, 0.0))
    in_shade = np.hypot(along / FREE_ROUNDS.lenient, FREE_ROUNDS.strict * across) <= FREE_ROUNDS.hue
    in_deep_shade = np.hypot(along / FREE_ROUNDS.most_lenient, across) <= FREE_ROUNDS.hue
    return np.asarray(
        (np.linalg.norm(off, axis=-1) <= FREE_ROUNDS.hue)
        | (in_shade & (lighter >= FREE_ROUNDS.clear))
        | (in_deep_shade & (rim >= FREE_ROUNDS.clearest))
    )


def _by_sector(values: npt.NDArray[np.generic]) -> Floats:
    """Values (sites, radii, angles) of each sector, in order: (sites, sectors, places)."""
    parts = values[:, :, _SECTORS]
    return np.sort(np.moveaxis(parts, 1, 2).reshape(len(values), len(_SECTORS), -1), axis=-1).astype(float)
