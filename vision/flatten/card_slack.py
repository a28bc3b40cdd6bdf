"""How far every card lies off its exact place: nobody lays cards to the millimetre.

Its rounds, those of its dice and those of its start fields, are in sight where no figure stands. They are lighter in
every colour than all about them, whatever is on the card; and where a figure's shadow falls across one, it is still
less colourful than its square.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board, DiceDesign
from vision.flatten.board_plane import BoardPlane
from vision.frame import Floats, Image, Map, Mask, Numbers


@dataclass(frozen=True, kw_only=True)
class CardSettings:
    """ "By hand": a round number, fitted to nothing."""

    farthest: float = 7.5
    """Millimetres that a round is sought off its place. Derived: a card may lie 4 mm off, and 4 degrees put the
    outermost round of a large one another 3 off."""
    beyond: float = 2.0
    """Millimetres about a round that are looked at with it: the die's own square. By hand."""
    alike: float = 0.55
    """Correlation from which it is a round: the pips in it take some away. By hand."""
    alone: float = 0.75
    """The same for a card of which one round alone is in sight, or the sum over what is left of several. By hand."""
    turned: float = 5.0
    """Degrees by which a card may be turned. By hand: more than the 4 that are promised, for rounds are found to
    fractions of a millimetre."""
    usual: float = 2.0
    """Millimetres, one sigma, by which cards lie off their place … By hand: half of what they may …"""
    askew: float = 2.0
    """… and degrees, one sigma."""
    exact: float = 0.3
    """Millimetres, one sigma, to which a round's place is found. By hand: less than half a pixel of a camera."""
    inexact: float = 1.5
    """Millimetres by which a round of a card may be found elsewhere than the others tell. By hand: a figure's head or
    its shadow may cut off that much of it."""


CARDS = CardSettings()
METHOD = cv2.TM_CCOEFF_NORMED
FEW = 1
"""Rounds of a card that do not tell how it is turned."""
FINE = 0.5
"""Millimetres between the places that are tried for such a card."""
SURELY = 0.1
"""So much better than usual one round of such a card must fit: much looks a little like one. By hand."""
USUAL = 0.03
"""What being one sigma off its place costs a card, in correlation. By hand: less than any round in sight adds."""
SHRINK = 2
"""Of the flat picture: rounds are large, and so they are found in a quarter of the time."""


@dataclass(frozen=True, eq=False)
class FoundRound:
    """A round in sight."""

    at: Floats
    """Where it should be, millimetres …"""
    off: Floats
    """… and how far off that it is."""
    alike: float
    """How well it looks like one (correlation)."""


class CardSlackReader:
    """Finds the rounds that are in sight, and fits each card to its own."""

    def __init__(self, board: Board, plane: BoardPlane, settings: CardSettings = CARDS) -> None:
        self.plane, self.settings = plane, settings
        self.at = plane.sites
        sheets = np.array([site.sheet for site in board.sites.values()])
        self.cards = [np.flatnonzero(sheets == sheet) for sheet in board.fields]
        """For every card the numbers of the sites that lie on it."""
        self.template = _round(board.design, plane.px_per_mm / SHRINK, settings) if board.design is not None else None

    def sites(self, codes: Image, places: Floats) -> Floats:
        """Where all sites are (n, 2): those on cards go with their card."""
        if self.template is None:
            return places
        blue, green, red = cv2.split(codes)
        least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
        by_light = self._alike(least)
        by_colour: Map | None = None
        places = places.copy()
        for sites in self.cards:
            fits = self._all_fits((by_light,), sites)
            clear = [round_ for number, fit in fits.items() if (round_ := self._found(fit, number)) is not None]
            found = self._agreeing(clear)
            if len(found) > FEW:
                shift, turn = self._lie(sites, found)
            else:
                if by_colour is None:
                    by_colour = self._alike(cv2.divide(least, np.maximum(most, 1), scale=255.0))
                shift, turn = self._jointly(sites, self._all_fits((by_light, by_colour), sites))
            out = self.at[sites] - self.at[sites].mean(axis=0)
            places[sites] += shift + turn * np.stack([-out[:, 1], out[:, 0]], axis=-1)
        return places

    def _alike(self, picture: npt.NDArray[Any]) -> Map:
        """How well a round fits everywhere on a flat picture."""
        assert self.template is not None
        fits = cv2.matchTemplate(_small(picture).astype(np.float32), self.template, METHOD)
        return np.asarray(fits, np.float32)

    def _agreeing(self, found: list[FoundRound]) -> list[FoundRound]:
        """Those rounds of a card that may lie on one card together, if they are enough: a knuckle is round, too."""
        if len(found) > 1:
            together = self._together(found)
            alike = together @ np.array([each.alike for each in found])
            most = together[np.lexsort((alike, together.sum(axis=1)))[-1]]
            if most.sum() > 1:
                return [each for each, fits in zip(found, most.tolist(), strict=True) if fits]
        best = max(found, key=lambda each: each.alike, default=None)
        return [best] if best is not None and best.alike > self.settings.alone else []

    def _together(self, found: Sequence[FoundRound]) -> Mask:
        """(pairs, rounds): which rounds are off as those of a card would be that two of them tell to be turned so."""
        at, off = np.array([each.at for each in found]), np.array([each.off for each in found])
        one, other = np.triu_indices(len(found), 1)
        way, apart = at[other] - at[one], off[other] - off[one]
        far = (way**2).sum(axis=1)
        turn = (way[:, 0] * apart[:, 1] - way[:, 1] * apart[:, 0]) / far
        longer = np.abs((way * apart).sum(axis=1)) / np.sqrt(far)
        possible = (np.abs(turn) <= np.deg2rad(self.settings.turned)) & (longer < self.settings.inexact)
        out = at - at[one][:, None]
        carried = turn[:, None, None] * np.stack([-out[..., 1], out[..., 0]], axis=-1)
        rest = np.linalg.norm(off - off[one][:, None] - carried, axis=-1)
        return np.asarray((rest < self.settings.inexact) & possible[:, None])

    def _all_fits(self, alike: Sequence[Map], sites: Numbers) -> dict[int, tuple[Map, Floats]]:
        return {number: each for number in sites.tolist() if (each := self._fits(alike, number)) is not None}

    def _fits(self, alike: Sequence[Map], number: int) -> tuple[Map, Floats] | None:
        """How well a round fits about where one should be, and by how much its place is off the middle of a pixel;
        None at the edge of the picture."""
        assert self.template is not None
        reach, half = self._reach, self.template.shape[0] // 2
        # A pixel of the small picture is the average of those with these middles in the large one; and the first that
        # a round is laid over is as far from the edge as a round reaches.
        middle = (self.plane.to_flat(self.at[number]) + 0.5) / SHRINK - 0.5 - half
        column, row = np.rint(middle).astype(int).tolist()
        high, wide = alike[0].shape
        if not (reach <= column < wide - reach and reach <= row < high - reach):
            return None
        rows, columns = slice(row - reach, row + reach + 1), slice(column - reach, column + reach + 1)
        return np.stack([each[rows, columns] for each in alike]), middle - (column, row)

    @property
    def _scale(self) -> float:
        return self.plane.px_per_mm / SHRINK

    @property
    def _reach(self) -> int:
        return int(np.ceil(self.settings.farthest * self._scale))

    def _found(self, told: tuple[Map, Floats], number: int) -> FoundRound | None:
        """Where a round is found by its light; None if it is not in sight, or a shadow falls across it."""
        (fits, *_), middle = told
        down, right = np.unravel_index(int(fits.argmax()), fits.shape)
        last = fits.shape[0] - 1
        if fits[down, right] < self.settings.alike or not (0 < down < last and 0 < right < last):
            return None
        across = _peak(fits[down, right - 1 : right + 2])
        along = _peak(fits[down - 1 : down + 2, right])
        seen = np.array([right + across, down + along]) - self._reach
        return FoundRound(self.at[number], (seen - middle) / self._scale, float(fits[down, right]))

    def _jointly(self, sites: Numbers, fits: Mapping[int, tuple[Map, Floats]]) -> tuple[Floats, float]:
        """How a card lies of which few rounds are clearly in sight: where all that is left of them fits best."""
        settings, centre = self.settings, self.at[sites].mean(axis=0)
        axis = np.arange(-settings.farthest, settings.farthest + FINE / 2, FINE)
        right, down = np.meshgrid(axis, axis)
        turns = np.deg2rad(np.arange(-2 * settings.askew, 2 * settings.askew + 0.1))
        usual = (right**2 + down**2) / settings.usual**2 + (turns[:, None, None] / np.deg2rad(settings.askew)) ** 2
        seen, most = np.zeros(usual.shape), np.zeros(usual.shape)
        for number, (alike, middle) in fits.items():
            out = self.at[number] - centre
            off_x, off_y = (off + turns[:, None, None] * aside for off, aside in ((right, -out[1]), (down, out[0])))
            columns, rows = (
                (off * self._scale + middle[k] + self._reach).reshape(-1, len(axis)).astype(np.float32)
                for k, off in enumerate((off_x, off_y))
            )
            fit = cv2.remap(np.maximum(alike.max(axis=0), 0.0), columns, rows, cv2.INTER_LINEAR)
            seen += fit.reshape(seen.shape)
            most = np.maximum(most, fit.reshape(seen.shape))
        total = seen - USUAL * usual
        best = np.unravel_index(int(total.argmax()), total.shape)
        if seen[best] < settings.alone or most[best] < settings.alike + SURELY:
            return np.zeros(2), 0.0
        return np.array([right[best[1:]], down[best[1:]]]), float(turns[best[0]])

    def _lie(self, sites: Numbers, found: Sequence[FoundRound]) -> tuple[Floats, float]:
        """How far a card is shifted, and turned (radians clockwise), by where its rounds are found."""
        out = np.array([each.at for each in found]) - self.at[sites].mean(axis=0)
        off = np.array([each.off for each in found])
        one, none = np.ones(len(out)), np.zeros(len(out))
        rows = np.concatenate([np.stack([one, none, -out[:, 1]], -1), np.stack([none, one, out[:, 0]], -1)])
        firm = np.diag([1 / self.settings.usual**2] * 2 + [1 / np.deg2rad(self.settings.askew) ** 2])
        weight = 1 / self.settings.exact**2
        told = np.linalg.solve(weight * rows.T @ rows + firm, weight * rows.T @ np.concatenate([off[:, 0], off[:, 1]]))
        return told[:2], float(told[2])


def _small(picture: npt.NDArray[Any]) -> Image:
    shrunk = cv2.resize(picture, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    return np.asarray(shrunk, np.uint8)


def _peak(three: Map) -> float:
    """Where, about the middle one of three values, their top is."""
    low, top, high = (float(value) for value in three)
    return (low - high) / 2 / min(low - 2 * top + high, -1e-9)


def _round(design: DiceDesign, scale: float, settings: CardSettings) -> Map:
    """A round on darker ground, so many pixels a millimetre."""
    half = round((design.radius + settings.beyond) * scale)
    fine = 4
    axis = (np.arange(fine * (2 * half + 1)) + 0.5) / fine - 0.5 - half
    inside = np.hypot(*np.meshgrid(axis, axis)) < design.radius * scale
    return np.asarray(cv2.resize(inside.astype(np.float32), (2 * half + 1,) * 2, interpolation=cv2.INTER_AREA))
