"""How far every card lies off its exact place: nobody lays cards to the millimetre.

The rounds of its dice are in sight where no figure stands. They are lighter in every colour than all about them,
whatever is on the card; and where a figure's shadow falls across one, it is still less colourful than its square.
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
from vision.frame import Floats, Image, Map, Numbers


@dataclass(frozen=True, kw_only=True)
class CardSettings:
    """ "By hand": a round number, fitted to nothing."""

    farthest: float = 6.0
    """Millimetres that a round is sought off its place. By hand: half as much again as a card may lie off."""
    beyond: float = 2.0
    """Millimetres about a round that are looked at with it: the die's own square. By hand."""
    alike: float = 0.55
    """Correlation from which it is a round: the pips in it take some away. By hand."""
    alone: float = 0.75
    """The same for a card of which one round alone is in sight, or the sum over what is left of several. By hand."""
    apart: float = 2.8
    """Millimetres by which rounds of one card may be off differently. Derived: what 4 degrees make of the diagonal of a
    card's dice."""
    usual: float = 2.0
    """Millimetres, one sigma, by which cards lie off their place … By hand: half of what they may …"""
    askew: float = 2.0
    """… and degrees, one sigma."""
    exact: float = 0.3
    """Millimetres, one sigma, to which a round's place is found. By hand: less than half a pixel of a camera."""


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
    """Finds the rounds of all dice that are in sight, and fits each card to its own."""

    def __init__(self, board: Board, plane: BoardPlane, settings: CardSettings = CARDS) -> None:
        self.plane, self.settings = plane, settings
        self.at = plane.sites
        names = list(board.sites)
        sheets = np.array([site.sheet for site in board.sites.values()])
        self.cards = [
            (np.array([names.index(name) for name in fields]), np.flatnonzero(sheets == sheet))
            for sheet, fields in board.fields.items()
        ]
        """For every card the numbers of the sites of its dice, and of all that lie on it."""
        self.template = _round(board.design, plane.px_per_mm / SHRINK, settings) if board.design is not None else None

    def sites(self, codes: Image, places: Floats) -> Floats:
        """Where all sites are (n, 2): those on cards go with their card."""
        if self.template is None:
            return places
        blue, green, red = cv2.split(codes)
        least, most = cv2.min(cv2.min(blue, green), red), cv2.max(cv2.max(blue, green), red)
        maps = (_small(least), _small(cv2.divide(least, np.maximum(most, 1), scale=255.0)))
        places = places.copy()
        for dice, sites in self.cards:
            fits = self._all_fits(maps[:1], dice)
            clear = [round_ for number, fit in fits.items() if (round_ := self._found(fit, number)) is not None]
            found = self._agreeing(clear)
            shift, turn = (
                self._lie(dice, found) if len(found) > FEW else self._jointly(dice, self._all_fits(maps, dice))
            )
            out = self.at[sites] - self.at[dice].mean(axis=0)
            places[sites] += shift + turn * np.stack([-out[:, 1], out[:, 0]], axis=-1)
        return places

    def _agreeing(self, found: list[FoundRound]) -> list[FoundRound]:
        """Those rounds of a card that may lie on one card together, if they are enough: a knuckle is round, too."""
        sets = [
            [other for other in found if np.linalg.norm(each.off - other.off) < self.settings.apart] for each in found
        ]
        most = max(sets, key=lambda each: (len(each), sum(one.alike for one in each)), default=[])
        return most if len(most) > 1 or any(each.alike > self.settings.alone for each in most) else []

    def _all_fits(self, maps: Sequence[Image], dice: Numbers) -> dict[int, tuple[Map, Floats]]:
        return {number: each for number in dice.tolist() if (each := self._fits(maps, number)) is not None}

    def _fits(self, maps: Sequence[Image], number: int) -> tuple[Map, Floats] | None:
        """How well a round fits about where a die should be, and by how much its place is off the middle of a pixel;
        None at the edge of the picture."""
        assert self.template is not None
        reach, half = self._reach, self.template.shape[0] // 2
        # A pixel of the small picture is the average of those with these middles in the large one.
        middle = (self.plane.to_flat(self.at[number]) + 0.5) / SHRINK - 0.5
        column, row = np.rint(middle).astype(int).tolist()
        high, wide = maps[0].shape
        far = reach + half
        if not (far <= column < wide - far and far <= row < high - far):
            return None
        rows, columns = slice(row - far, row + far + 1), slice(column - far, column + far + 1)
        fits = [cv2.matchTemplate(each[rows, columns].astype(np.float32), self.template, METHOD) for each in maps]
        return np.asarray(np.stack(fits), np.float32), middle - (column, row)

    @property
    def _scale(self) -> float:
        return self.plane.px_per_mm / SHRINK

    @property
    def _reach(self) -> int:
        return int(np.ceil(self.settings.farthest * self._scale))

    def _found(self, told: tuple[Map, Floats], number: int) -> FoundRound | None:
        """Where the round of a die is found by its light; None if it is not in sight, or a shadow falls across it."""
        (fits, *_), middle = told
        down, right = np.unravel_index(int(fits.argmax()), fits.shape)
        last = fits.shape[0] - 1
        if fits[down, right] < self.settings.alike or not (0 < down < last and 0 < right < last):
            return None
        across = _peak(fits[down, right - 1 : right + 2])
        along = _peak(fits[down - 1 : down + 2, right])
        seen = np.array([right + across, down + along]) - self._reach
        return FoundRound(self.at[number], (seen - middle) / self._scale, float(fits[down, right]))

    def _jointly(self, dice: Numbers, fits: Mapping[int, tuple[Map, Floats]]) -> tuple[Floats, float]:
        """How a card lies of which few rounds are clearly in sight: where all that is left of them fits best."""
        settings, centre = self.settings, self.at[dice].mean(axis=0)
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

    def _lie(self, dice: Numbers, found: Sequence[FoundRound]) -> tuple[Floats, float]:
        """How far a card is shifted, and turned (radians clockwise), by where its rounds are found."""
        out = np.array([each.at for each in found]) - self.at[dice].mean(axis=0)
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
