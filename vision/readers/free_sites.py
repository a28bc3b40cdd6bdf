"""Whether a site is free: a free one shows its printed dark disc in a light ring."""

from __future__ import annotations

import numpy as np

from vision.flatten.colour import chroma
from vision.flatten.flat_view import FlatView, circle, looks_printed
from vision.frame import Floats, Image, Mask, Numbers

DISC, RING, GROUND = (3.0, 6.5, 9.0), (11.0, 11.7, 12.4, 13.1), (15.5, 17.5)
"""Millimetres from a site's middle: within the dark disc, around the light ring (a tile may lie askew), beyond it."""
ANGLES = 16
CONTRAST, SLOPE = 0.95, 7.0
"""Log brightness of ring over disc that is equally likely for a free site and any other, and log-odds for each unit
more."""
CONTRAST_ALL, SLOPE_ALL = 0.5, 9.0
"""The same for three quarters of the ring: in glare it is fainter, but it is there all round."""
LIGHTER, SLOPE_DARK = 1.45, 6.0
"""Log brightness, relative to the ground around it, by which gloss or glare may make a dark disc look lighter than
printed. A blue marker in a light rim of wood is lighter than that."""
GREY = 0.15
"""How far from grey, in shares of blue, green and red, a disc in a ring must be for it to be perhaps a marker."""
LOUDEST = 7.0
"""The most, in log-odds, that the ring can say."""
FAINTEST = 0.05
"""Share of white, all channels added, below which nothing is distinguished."""
NOT_SEEN = 0.25
"""Share of a site's ring that must be in sight; with less, all that is known is that most sites are free."""
NOT_SEEN_ODDS = 3.0
PATTERN = (*DISC, 10.2, 11.0, 11.7, 12.4, 13.1, 14.2, 15.5, 17.5)
"""Millimetres from a site's middle: from the dark disc over the light ring to the ground beyond it."""
COVERED = 0.25
"""Share of a sector that may be covered for it still to count."""
SECTOR, NTH = 3, 2
"""Angles that are compared with the print at once, and which of these sectors counts, from the worst: a shadow's edge
or a stack behind may spoil two."""
ALIKE, SLOPE_ALIKE, MOST_ALIKE = 0.55, 20.0, 3.0
"""Correlation with the print that is equally likely for a free site and any other, log-odds for each unit more, and the
most it can say: gloss, haze and deep shade leave the pattern as it is, a hand does not."""

_AROUND = circle(ANGLES)
_SECTORS = (np.arange(0, ANGLES, SECTOR - 1)[:, None] + np.arange(SECTOR)) % ANGLES


def free_odds(view: FlatView, fronts: Image | None = None, where: Mask | None = None) -> Floats:
    """Log-odds for each site, or only for those `where`, that it is free; 0 for others.

    `fronts` marks pixels where a stack covers the board, with the number of its site plus 1; what is behind another
    site's stack is not known.
    """
    numbers = np.arange(len(view.sites)) if where is None else np.flatnonzero(where)
    odds = np.zeros(len(view.sites))
    odds[numbers] = _free_odds(view.sites[numbers], numbers + 1, view, fronts)
    return odds


def _free_odds(at: Floats, own: Numbers, view: FlatView, fronts: Image | None) -> Floats:
    inner = at[:, None, None] + _AROUND * np.array(DISC)[:, None, None]
    rings = at[:, None, None] + _AROUND * np.array(RING)[:, None, None]
    disc, ring = _tones(inner, view, fronts, own), _tones(rings, view, fronts, own)
    seen: Mask = np.any(np.isfinite(ring), axis=1)
    enough = np.asarray((seen.mean(axis=1) > NOT_SEEN) & (np.isfinite(disc).mean(axis=(1, 2)) > NOT_SEEN))
    odds = np.full(len(at), NOT_SEEN_ODDS)
    if enough.any():
        dark = _rank(disc[enough].reshape(int(enough.sum()), -1), 0.5)
        light = np.where(seen[enough], np.max(np.nan_to_num(ring[enough], nan=-9.0), axis=1), np.nan)
        usual = SLOPE * (_rank(light, 0.5) - dark - CONTRAST)
        everywhere = SLOPE_ALL * (_rank(light, 0.25) - dark - CONTRAST_ALL)
        ringed = np.maximum(usual, everywhere)
        coloured = _coloured(inner[enough], view, np.zeros(inner[enough].shape[:-1], dtype=bool))
        if coloured.any():
            some = at[enough][coloured]
            mine = own[enough][coloured]
            lighter = _shades(some, DISC, view, fronts, mine) - _shades(some, GROUND, view, fronts, mine)
            ringed[coloured] = np.minimum(ringed[coloured], SLOPE_DARK * (LIGHTER - lighter))
        odds[enough] = np.clip(ringed, -LOUDEST, LOUDEST)
    return odds


def pattern_odds(at: Floats, view: FlatView, fronts: Image | None = None, own: Numbers | None = None) -> Floats:
    """Log-odds for each site (n, 2) that it is free, from its pattern alone, however faint or hazy that is.

    Sectors that something covers (`fronts` is not 0), but for what would be the site's `own` (n), do not count.
    """
    if not len(at):
        return np.empty(0)
    places = at[:, None, None] + _AROUND * np.array(PATTERN)[:, None, None]
    seen, printed = (np.sqrt(colours.sum(axis=-1)) for colours in (view.looks(places), view.ground(places)))
    alike = _by_sector(seen, printed)
    covered = ~_in_front(places, view, fronts, np.zeros(len(at), dtype=np.intp) if own is None else own)
    alike[np.array([covered[:, :, sector].mean(axis=(1, 2)) > COVERED for sector in _SECTORS])] = np.inf
    alike = np.sort(alike, axis=0)[NTH]
    odds = np.clip(SLOPE_ALIKE * (alike - ALIKE), -LOUDEST, MOST_ALIKE)
    odds = np.where(_coloured(places[:, : len(DISC)], view, covered[:, : len(DISC)]), -LOUDEST, odds)
    return np.where(np.isinf(alike), NOT_SEEN_ODDS, odds)


def _by_sector(one: Floats, other: Floats) -> Floats:
    """For each sector and site, the correlation of two pictures of it (sites, radii, angles), from -1 to 1."""
    one, other = (part[:, :, _SECTORS] - part[:, :, _SECTORS].mean(axis=(1, 3), keepdims=True) for part in (one, other))
    size = np.sqrt((one**2).sum(axis=(1, 3)) * (other**2).sum(axis=(1, 3)))
    return np.asarray((one * other).sum(axis=(1, 3)) / np.maximum(size, 1e-6)).T


def _coloured(places: Floats, view: FlatView, covered: Mask) -> Mask:
    """For which sites the disc (sites, radii, angles, 2) is too colourful to be dark print under haze or gloss."""
    seen = ~covered | covered.all(axis=(1, 2), keepdims=True)
    usual = medians(np.where(seen[..., None], view.looks(places), np.nan).reshape(len(places), -1, 3))
    return np.asarray(np.linalg.norm(chroma(usual) - 1 / 3, axis=1) > GREY)


def ground_share(at: Floats, view: FlatView, fronts: Image | None = None) -> Floats:
    """For each site, how much of the ground round it, on the camera's side and beside it, looks as printed."""
    places = at[:, None, None] + _AROUND * np.array(GROUND)[:, None, None]
    printed = looks_printed(view.looks(places), view.ground(places))
    near = (_AROUND[None] * view.towards(at)[:, None]).sum(axis=-1) > -0.35
    use = np.broadcast_to(near[:, None], printed.shape) & _in_front(places, view, fronts, np.full(len(at), -1.0))
    return np.asarray((printed & use).sum(axis=(1, 2)) / np.maximum(use.sum(axis=(1, 2)), 1))


def _shades(at: Floats, radii: tuple[float, ...], view: FlatView, fronts: Image | None, own: Numbers) -> Floats:
    """For each site, the median log brightness relative to the print, at these distances; 0 where nothing is seen."""
    places = at[:, None, None] + _AROUND * np.array(radii)[:, None, None]
    printed = np.log(view.ground(places).sum(axis=-1) + FAINTEST)
    off = (_tones(places, view, fronts, own) - printed).reshape(len(at), -1)
    blind = np.isnan(off).all(axis=1)
    off[blind] = 0.0
    return _rank(off, 0.5)


def _tones(places: Floats, view: FlatView, fronts: Image | None, own: Numbers) -> Floats:
    """Log brightness (sites, radii, angles); nan where something stands in front."""
    tones = np.log(view.looks(places).sum(axis=-1) + FAINTEST)
    return np.where(_in_front(places, view, fronts, own), tones, np.nan)


def _rank(values: Floats, share: float) -> Floats:
    """For each row, the value that this share of the others is below; what is not seen (nan) does not count."""
    ordered = np.sort(values, axis=1)
    counts = np.isfinite(values).sum(axis=1)
    place = np.clip(np.rint(share * (counts - 1)).astype(np.intp), 0, None)
    return np.asarray(ordered[np.arange(len(values)), place])


def medians(looks: Floats) -> Floats:
    """The median look (sites, 3) of each row of looks (sites, places, 3), leaving out nan: the same as `np.nanmedian`,
    which takes ten times as long."""
    ordered = np.sort(looks, axis=1)
    last = np.isfinite(looks[..., 0]).sum(axis=1) - 1
    rows = np.arange(len(looks))
    return np.asarray((ordered[rows, last // 2] + ordered[rows, (last + 1) // 2]) / 2)


def _in_front(places: Floats, view: FlatView, fronts: Image | None, own: Numbers) -> Mask:
    """The places that no other site's stack covers."""
    if fronts is None:
        return np.ones(places.shape[:-1], dtype=bool)
    there = fronts[view.pixels(places)]
    return np.asarray((there == 0) | (there == own[:, None, None]))
