"""Whether a site is free: a free one shows its printed dark disc in a light ring."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import FLOOR, chroma
from vision.flatten.flat_view import FlatView, circle, looks_printed
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.settings import FREE_SITES

_AROUND = circle(FREE_SITES.angles)
_SECTORS = (
    np.arange(0, FREE_SITES.angles, FREE_SITES.sector - 1)[:, None] + np.arange(FREE_SITES.sector)
) % FREE_SITES.angles


@dataclass(frozen=True, eq=False)
class SiteRounds:
    """Where a site is looked at: all the way round, so many millimetres from its middle."""

    disc: Floats
    ring: Floats
    ground: Floats

    @classmethod
    def of(cls, plane: BoardPlane) -> SiteRounds:
        """As the board's sites are printed."""
        dark, light = plane.ring
        ring = np.linspace(dark - FREE_SITES.askew, light + FREE_SITES.askew, FREE_SITES.rounds)
        return cls(dark * np.array(FREE_SITES.within), ring, light + np.array(FREE_SITES.beyond))

    @property
    def pattern(self) -> Floats:
        """All of it, from the dark disc over the light ring to the ground beyond."""
        between = [(one[-1] + other[0]) / 2 for one, other in ((self.disc, self.ring), (self.ring, self.ground))]
        return np.concatenate([self.disc, between[:1], self.ring, between[1:], self.ground])


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
    rounds = SiteRounds.of(view.plane)
    inner, rings = _about(at, rounds.disc), _about(at, rounds.ring)
    disc, ring = _tones(inner, view, fronts, own), _tones(rings, view, fronts, own)
    seen: Mask = np.any(np.isfinite(ring), axis=1)
    enough = np.asarray(
        (seen.mean(axis=1) > FREE_SITES.not_seen) & (np.isfinite(disc).mean(axis=(1, 2)) > FREE_SITES.not_seen)
    )
    odds = np.full(len(at), FREE_SITES.not_seen_odds)
    if enough.any():
        dark = _rank(disc[enough].reshape(int(enough.sum()), -1), 0.5)
        light = np.where(seen[enough], np.max(np.nan_to_num(ring[enough], nan=-9.0), axis=1), np.nan)
        usual = FREE_SITES.slope * (_rank(light, 0.5) - dark - FREE_SITES.contrast)
        everywhere = FREE_SITES.slope_all * (_rank(light, 0.25) - dark - FREE_SITES.contrast_all)
        ringed = np.maximum(usual, everywhere)
        coloured = _coloured(inner[enough], view, np.zeros(inner[enough].shape[:-1], dtype=bool))
        if coloured.any():
            some = at[enough][coloured]
            mine = own[enough][coloured]
            lighter = _shades(some, rounds.disc, view, fronts, mine)
            lighter -= _shades(some, rounds.ground, view, fronts, mine)
            ringed[coloured] = np.minimum(ringed[coloured], FREE_SITES.slope_dark * (FREE_SITES.lighter - lighter))
        odds[enough] = np.clip(ringed, -FREE_SITES.loudest, FREE_SITES.loudest)
    return odds


def pattern_odds(at: Floats, view: FlatView, fronts: Image | None = None, own: Numbers | None = None) -> Floats:
    """Log-odds for each site (n, 2) that it is free, from its pattern alone, however faint or hazy that is.

    Sectors that something covers (`fronts` is not 0), but for what would be the site's `own` (n), do not count.
    """
    if not len(at):
        return np.empty(0)
    rounds = SiteRounds.of(view.plane)
    places, inner = _about(at, rounds.pattern), len(rounds.disc)
    seen, printed = (np.sqrt(colours.sum(axis=-1)) for colours in (view.looks(places), view.ground(places)))
    alike = _by_sector(seen, printed)
    covered = ~_in_front(places, view, fronts, np.zeros(len(at), dtype=np.intp) if own is None else own)
    alike[np.array([covered[:, :, sector].mean(axis=(1, 2)) > FREE_SITES.covered for sector in _SECTORS])] = np.inf
    alike = np.sort(alike, axis=0)[FREE_SITES.nth]
    odds = np.clip(FREE_SITES.slope_alike * (alike - FREE_SITES.alike), -FREE_SITES.loudest, FREE_SITES.most_alike)
    odds = np.where(_coloured(places[:, :inner], view, covered[:, :inner]), -FREE_SITES.loudest, odds)
    return np.where(np.isinf(alike), FREE_SITES.not_seen_odds, odds)


def _about(at: Floats, radii: Floats) -> Floats:
    """(sites, radii, angles, 2): places all the way round each site."""
    return np.asarray(at[:, None, None] + _AROUND * radii[:, None, None])


def _by_sector(one: Floats, other: Floats) -> Floats:
    """For each sector and site, the correlation of two pictures of it (sites, radii, angles), from -1 to 1."""
    one, other = (part[:, :, _SECTORS] - part[:, :, _SECTORS].mean(axis=(1, 3), keepdims=True) for part in (one, other))
    size = np.sqrt((one**2).sum(axis=(1, 3)) * (other**2).sum(axis=(1, 3)))
    return np.asarray((one * other).sum(axis=(1, 3)) / np.maximum(size, 1e-6)).T


def _coloured(places: Floats, view: FlatView, covered: Mask) -> Mask:
    """For which sites the disc (sites, radii, angles, 2) is too colourful to be dark print under haze or gloss."""
    seen = ~covered | covered.all(axis=(1, 2), keepdims=True)
    usual = medians(np.where(seen[..., None], view.looks(places), np.nan).reshape(len(places), -1, 3))
    return np.asarray(np.linalg.norm(chroma(usual) - 1 / 3, axis=1) > FREE_SITES.grey)


def ground_share(at: Floats, view: FlatView, fronts: Image | None = None) -> Floats:
    """For each site, how much of the ground round it, on the camera's side and beside it, looks as printed."""
    places = _about(at, SiteRounds.of(view.plane).ground)
    printed = looks_printed(view.looks(places), view.ground(places))
    near = (_AROUND[None] * view.towards(at)[:, None]).sum(axis=-1) > -0.35
    use = np.broadcast_to(near[:, None], printed.shape) & _in_front(places, view, fronts, np.full(len(at), -1.0))
    return np.asarray((printed & use).sum(axis=(1, 2)) / np.maximum(use.sum(axis=(1, 2)), 1))


def _shades(at: Floats, radii: Floats, view: FlatView, fronts: Image | None, own: Numbers) -> Floats:
    """For each site, the median log brightness relative to the print, at these distances; 0 where nothing is seen."""
    places = _about(at, radii)
    printed = np.log(view.ground(places).sum(axis=-1) + 3 * FLOOR)
    off = (_tones(places, view, fronts, own) - printed).reshape(len(at), -1)
    blind = np.isnan(off).all(axis=1)
    off[blind] = 0.0
    return _rank(off, 0.5)


def _tones(places: Floats, view: FlatView, fronts: Image | None, own: Numbers) -> Floats:
    """Log brightness (sites, radii, angles); nan where something stands in front."""
    tones = np.log(view.looks(places).sum(axis=-1) + 3 * FLOOR)
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
