"""Pieces recognised by their outline: too dark to recognise pixel by pixel, or so glossy that a hand may look the same.

Whatever has one colour all over a piece's top, and nowhere around it, is that piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.flatten.colour import FLOOR, FROM_CODE, added, chroma
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Mask
from vision.readers.palette import STONE, STRANGERS, Palette, burnt, mixtures, off_hue, strange
from vision.readers.settings import OUTLINES, PALETTE

_ROUND = circle(24)
_INSIDE = np.concatenate([[(0.0, 0.0)], 0.4 * _ROUND[::4], 0.75 * _ROUND[::2]])


@dataclass(frozen=True, slots=True)
class OutlinedPiece:
    """A piece: the numbers of the colours it may have (all, if the lamp's gloss leaves no colour), and which of the
    given heights it has."""

    colours: tuple[int, ...]
    heights: tuple[int, ...]


def outlined_pieces(
    at: Floats, radius: float, spans: Sequence[tuple[float, float]], palette: Palette, view: FlatView
) -> list[OutlinedPiece | None]:
    """For each site (n, 2), the piece whose outline is there, if any.

    `spans` are the heights above the sheets, millimetres, between which a piece may be.
    """
    if not len(at):
        return []
    smooth = np.asarray(cv2.blur(view.codes, (OUTLINES.smooth, OUTLINES.smooth)), np.uint8)
    near = view.towards(at) @ _ROUND.T > 0
    fits = []
    for bottom, top in ((view.plane.level + low, view.plane.level + high) for low, high in spans):
        foot, head = view.appear(at, bottom), view.appear(at, top)
        wide = radius * float(view.magnify(top))
        ends = np.where(near[..., None], foot[:, None], head[:, None])
        about = np.concatenate([ends + far * wide * _ROUND for far in OUTLINES.about], axis=1)
        side = (foot + head)[:, None] / 2 + wide * _across(view.towards(at))
        inside, side, below, outside = (
            FROM_CODE[smooth[view.pixels(places)]].astype(float)
            for places in (head[:, None] + wide * _INSIDE, side, foot[:, None] + wide * _ROUND, about)
        )
        lit = np.median(added(inside), axis=1)[:, None] > PALETTE.shade * added(palette.colours)
        filled = _shares(inside, palette)
        filled += np.where(
            filled >= OUTLINES.clear, np.minimum(burnt_white_share(inside), 1 - filled.sum(axis=1))[:, None], 0.0
        )
        clear = (~strange(inside.reshape(-1, 3))).reshape(inside.shape[:2]).mean(axis=1)[:, None] >= OUTLINES.clear
        is_one = np.where(lit, (filled >= OUTLINES.filled_in_light) & clear, filled >= OUTLINES.filled)
        is_one &= _shares(outside, palette) <= OUTLINES.most_around
        glossed = np.where(_is_glossy(inside, below, near)[:, None], glossed_tops(inside, side, palette), 0.0)
        fits.append(np.maximum.reduce([np.where(is_one, filled, 0.0), tinted_tops(inside, outside, palette), glossed]))
    return [best_outline(site) for site in np.stack(fits, axis=1)]


def best_outline(fits: Floats) -> OutlinedPiece | None:
    """The best piece, from how much of the top has each colour at each height (heights, colours); 0 for no piece."""
    best, most = fits.max(axis=0), float(fits.max())
    if most <= 0.0:
        return None
    colours = np.flatnonzero(best == most)
    of_it = fits[:, colours[0]]
    heights = np.flatnonzero((of_it > 0) & (of_it >= most - OUTLINES.as_good))
    return OutlinedPiece(tuple(colours.tolist()), tuple(heights.tolist()))


def _across(towards: Floats) -> Floats:
    """Unit vectors (sites, places, 2) fanned out to both sides of one (sites, 2)."""
    turns = np.deg2rad(np.arange(-60.0, 61.0, 15.0))
    x, y = towards[:, :1], towards[:, 1:]
    return np.stack([x * np.cos(turns) - y * np.sin(turns), x * np.sin(turns) + y * np.cos(turns)], axis=-1)


def _is_glossy(inside: Floats, below: Floats, near: Mask) -> Mask:
    """Which tops (sites, places, 3) are as bright as only a lamp's reflection is, and end at a piece's rim: what is
    seen `below` it, where it is `near`, is darker."""
    bright = np.median(added(inside), axis=1)
    goes_on = ((added(below) > OUTLINES.as_bright * bright[:, None]) & near).sum(axis=1) > OUTLINES.goes_on * near.sum(
        axis=1
    )
    return np.asarray((bright > 3 * OUTLINES.glossy) & ~goes_on)


def _shares(looks: Floats, palette: Palette) -> Floats:
    """For each row of looks (sites, places, 3), the share with each colour, however dark or pale."""
    flat = looks.reshape(-1, 3)
    fits = np.maximum.reduce(
        [_shaded(flat, palette.colours), palette.fits(flat), clipped_fits(flat, burnt(palette.colours))]
    )
    labels = np.where(fits.max(axis=1) > 0, fits.argmax(axis=1), -1).reshape(looks.shape[:2])
    return np.asarray((labels[..., None] == np.arange(len(palette.colours))).mean(axis=1))


def burnt_white_share(looks: Floats) -> Floats:
    """For each row of looks (sites, places, 3), the share with two channels at the picture's limit: no colour left."""
    _, second, top = np.moveaxis(np.sort(looks, axis=2), 2, 0)
    return np.asarray(
        ((second >= OUTLINES.same * top) & (top >= OUTLINES.brightest * top.max(axis=1, keepdims=True))).mean(axis=1)
    )


def tinted_tops(inside: Floats, outside: Floats, palette: Palette) -> Floats:
    """For each top (sites, places, 3), how much of it has one tint, if that is nearest to a colour's (sites, colours).

    It may be paler, or farther off its hue, than a pixel by itself; but it must be in the light, and end at its rim.
    """
    tint, bright = _usual(inside)
    filled, beyond = (_alike(looks, tint, bright) for looks in (inside, outside))
    hues, strangers = off_hue(tint, palette.colours), off_hue(tint, STRANGERS).min(axis=1)
    nearest, second = np.sort(np.column_stack([hues, strangers]), axis=1)[:, :2].T
    is_one = (np.linalg.norm(tint - 1 / 3, axis=1) > OUTLINES.faintest) & (nearest < second / 2)
    is_one &= (
        (strangers > OUTLINES.strange_hue) & (filled >= OUTLINES.filled_in_light) & (beyond <= OUTLINES.most_around)
    )
    lit = bright[:, None] > PALETTE.shade * added(palette.colours)
    return np.where(is_one[:, None] & lit & (hues == nearest[:, None]), filled[:, None], 0.0)


def glossed_tops(inside: Floats, side: Floats, palette: Palette) -> Floats:
    """The same for tops that reflect a lamp: by what is left of their tint, or else by that of the `side` below them
    (sites, places, 3), where the lamp is not seen; failing both, they may have any colour."""
    tint, bright = _usual(inside)
    filled, below = _alike(inside, tint, bright), _usual(side)[0]
    told = [
        _nearest(tints, palette, least)
        for tints, least in ((tint, OUTLINES.gloss_faintest), (below, OUTLINES.side_faintest))
    ]
    # Wood has one paint's hue too, and comes near it where another paint's rim is blurred into it; but it is paler.
    woody = np.arange(len(palette.colours)) == off_hue(chroma(STONE)[None], palette.colours).argmin()
    told[1] &= ~woody | (np.linalg.norm(below - 1 / 3, axis=1) > OUTLINES.deep)[:, None]
    of_it = np.where(told[0].any(axis=1, keepdims=True), told[0], told[1])
    of_it |= ~of_it.any(axis=1, keepdims=True)
    return np.where(of_it & (filled >= OUTLINES.filled_in_light)[:, None], filled[:, None], 0.0)


def _nearest(tints: Floats, palette: Palette, least: float) -> Mask:
    """Which colour each tint (sites, 3) at least this far from grey clearly has (sites, colours)."""
    hues = off_hue(tints, palette.colours)
    nearest, second = np.sort(hues, axis=1)[:, :2].T
    is_clear = (np.linalg.norm(tints - 1 / 3, axis=1) > least) & (nearest < second / 2)
    return np.asarray(is_clear[:, None] & (hues == nearest[:, None]))


def _usual(looks: Floats) -> tuple[Floats, Floats]:
    """The median tint of each row of looks (sites, places, 3), and its brightness."""
    return np.median(chroma(looks), axis=1), np.median(added(looks), axis=1)


def _alike(looks: Floats, tint: Floats, bright: Floats) -> Floats:
    """For each row of looks (sites, places, 3), the share with this tint and brightness."""
    same = added((chroma(looks) - tint[:, None]) ** 2) < OUTLINES.same_tint**2
    same &= np.abs(np.log((added(looks) + FLOOR) / (bright[:, None] + FLOOR))) < np.log(OUTLINES.brighter)
    return np.asarray(same.mean(axis=1))


def _shaded(looks: Floats, colours: Floats) -> Floats:
    """How well looks (n, 3) match each colour if it is as dark as in shade; 0 or less: not at all."""
    tints = colours - colours.mean(axis=1, keepdims=True)
    share = looks @ (tints / added(tints**2)[:, None]).T
    lifted = looks[:, None] * (PALETTE.shade / np.maximum(share, OUTLINES.darkest))[..., None]
    return np.where(share > OUTLINES.darkest, mixtures(lifted, colours), -1.0)


def clipped_fits(looks: Floats, colours: Floats) -> Floats:
    """The same for looks whose two strongest channels are at the picture's limit: they may really be brighter."""
    _, second, top = np.sort(looks, axis=1).T
    lifted = looks[:, None] * (colours.max(axis=1) / np.maximum(top, OUTLINES.darkest)[:, None])[..., None]
    is_clipped = second >= OUTLINES.same * top
    return np.where(is_clipped[:, None], mixtures(lifted, colours, PALETTE.burnt_share), -1.0)
