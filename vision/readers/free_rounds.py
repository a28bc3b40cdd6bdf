"""Whether a field is free: a free one shows a light round, whatever is printed in it, on a ground of some colour.

Next to no light of one of three colours comes from the ground, and from figures: by that one the round is told.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.flatten.colour import chroma
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image

WITHIN, ABOUT = (0.2, 0.45, 0.66, 0.88), (1.12, 1.2)
"""Shares of a round's radius: within it, and on the ground about it."""
ANGLES, SECTOR, NTH = 16, 4, 2
"""Places on every circle, how many are looked at together, and which of such sectors counts, from the worst: a shadow's
edge or a glint may spoil two."""
LIGHTER, SLOPE = 0.3, 14.0
"""Log brightness of a round against its ground that is as likely of a free field as of another, and log-odds for each
unit more. By hand: half of what print has, for blur and gloss make it less."""
LEAST, MOST = -7.0, 5.0
"""What it can say, in log-odds."""
HUE = 0.11
"""How far from the round's own, in shares of blue, green and red, its colour may be: a hand is light too."""
CLEAR, LENIENT, STRICT = 0.45, 1.6, 2.0
"""Where the whole round stands out as clearly, its colour may be off farther between blue and red, for in the shadow of
one lamp there is only the light of another, but less towards green: a yellow figure's head is a light round, too."""
FAINTEST = 0.02
"""Of white: what is darker is not told apart."""
NOT_SEEN, NOT_SEEN_ODDS = 0.25, 3.0
"""Share of a sector that may be covered if it is to count; of a field of which none does it is only known that most are
free."""

_AROUND = circle(ANGLES)
_SECTORS = (np.arange(0, ANGLES, SECTOR // 2)[:, None] + np.arange(SECTOR)) % ANGLES


def round_odds(at: Floats, radius: float, tint: Floats, view: FlatView, fronts: Image | None = None) -> Floats:
    """Log-odds for each field (n, 2) that it is free: that there is a light round of this radius (millimetres) and
    colour (shares of blue, green and red). Sectors that something covers (`fronts` is not 0) do not count."""
    places = at[:, None, None] + radius * np.array((*WITHIN, *ABOUT))[:, None, None] * _AROUND
    looks = view.looks(places)
    light = np.log(looks.min(axis=-1) + FAINTEST)
    inner, outer = (_by_sector(part) for part in (light[:, : len(WITHIN)], light[:, len(WITHIN) :]))
    # Between pips there is always some of the round to be seen.
    lighter = inner[..., round(0.8 * (inner.shape[-1] - 1))] - outer[..., outer.shape[-1] // 2]
    if fronts is not None:
        covered = _by_sector(fronts[view.pixels(places)] != 0).mean(axis=-1) >= NOT_SEEN
        lighter[covered] = np.inf
    told = np.sort(lighter, axis=-1)
    worst = np.where(np.isfinite(told[:, NTH]), told[:, NTH], told[:, 0])
    odds = np.clip(SLOPE * (worst - LIGHTER), LEAST, MOST)
    inside = looks[:, : len(WITHIN)].reshape(len(at), -1, 3)
    lightest = np.argsort(inside.min(axis=-1), axis=-1)[:, -inside.shape[1] * 2 // 5 :]
    usual = np.median(chroma(np.take_along_axis(inside, lightest[..., None], axis=1)), axis=1)
    odds = np.where(_is_its_colour(usual - tint, worst), odds, LEAST)
    return np.where(np.isinf(told[:, 0]), NOT_SEEN_ODDS, odds)


def _is_its_colour(off: Floats, lighter: Floats) -> npt.NDArray[np.bool_]:
    """Whether rounds may be of their colour that look so far (n, 3) off it and are so much lighter than about."""
    along = (off[:, 0] - off[:, 2]) / np.sqrt(2)
    across = np.sqrt(np.maximum((off**2).sum(axis=-1) - along**2, 0.0))
    in_shade = np.hypot(along / LENIENT, STRICT * across) <= HUE
    return np.asarray((np.linalg.norm(off, axis=-1) <= HUE) | (in_shade & (lighter >= CLEAR)))


def _by_sector(values: npt.NDArray[np.generic]) -> Floats:
    """Values (sites, radii, angles) of each sector, in order: (sites, sectors, places)."""
    parts = values[:, :, _SECTORS]
    return np.sort(np.moveaxis(parts, 1, 2).reshape(len(values), len(_SECTORS), -1), axis=-1).astype(float)
