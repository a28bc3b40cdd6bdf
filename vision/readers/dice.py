"""Dice printed on cards: how many pips are on each field in sight, and on what colour.

The round of a die is laid over every number, a little to and fro and as blurred as the picture may be; what of it the
number explains, beside an even gradient of light, says how likely it is. Where shadows fall across the round, it
is first brought to the same light everywhere. The square says the colour, in the light that the round shows.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import log

import cv2
import numpy as np

from engine.board import Board, DiceDesign, Point, Print, turned
from engine.face import EMPTY
from engine.referee.reading import guess
from vision.flatten.colour import FROM_CODE, chroma, linear
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.free_sites import medians
from vision.readers.reader import NOTHING, Findings, Notes
from vision.readers.settings import VERDICTS

STEP = 0.7
"""Millimetres between the places that are looked at: a pixel of the flat picture."""
SPARSE = 3
"""Every so many of them tell the light of a round."""
INSIDE = 0.96
"""Share of a round's radius that is looked at: its rim is blurred with what is about it."""
BLURS = (0.5, 1.0, 1.8)
"""Millimetres, one sigma: how blurred pips may be: by a camera that is near, one that is far, one that is shaken."""
CLEAR = 1.7
"""Millimetres from a round's rim: nearer, the square is blurred with it."""
RIM = (0.0, 0.15, 0.3)
"""Shares of the round that may be mixed with the square's colour all the same."""
SHIFTS = (-0.6, 0.0, 0.6)
"""Millimetres, each way, by which a round may be off where its card tells."""
INDEPENDENT = 36.0
"""As how many independent places those of a round count, and those of a square. By hand: a camera at the far end of
what boards promise shows a round on some 300 pixels, blurred together by eights."""
LEAST_SEEN = 0.4
"""How much of a round must be in sight to tell its number. By hand: less than half of one tells some numbers apart."""
LEAST_OF_SQUARE = 0.45
"""How much of a square must be in sight to tell its colour."""
SMOOTH, ROUGH = 0.06, 0.2
"""What a number leaves unexplained of a round, as a share of the round's light: as little as noise does, and so much
that it says nothing."""
SUREST, DOUBTFUL = 0.0005, 0.6
"""How often a reading is wrong that leaves so little, and one that leaves so much."""
LARGEST = 3.6
"""Millimetres: a dark spot that reaches no farther from its middle is a pip, however blurred; a larger one a shadow."""
FAINT = 0.12
"""Least contrast between a round and its pips, as a share of the round's light, to be pips at all."""
PIPS = 0.015
"""Share of a round that is certainly pips, whatever its number: the inner third of one."""
VEIL = 0.6
"""How much of the light that pips show is a veil. By hand: black ink reflects a little, and pips are blurred."""
HUE = 0.07
"""One sigma, in shares of blue, green and red, by which the colour of a square is off its own."""
STRANGE = 0.02
"""Density of any other colour in a square: a shadow's edge, a figure's foot, gloss."""
ONCE = 0.02
"""How often a card has a colour twice: in most decks each is on it once."""
CLEARLY = 0.7
"""Share of what is to be seen in a round that a number explains where it must be in sight, however dark its shadow is:
neither hands nor the heads of figures have pips. By hand: on hidden ones no number explains half."""
SURELY_FREE = 0.6
"""How likely a field must be free for its die to be read even if it is not so clear. By hand."""
MOSTLY = 0.9
"""How much of such a round must not be behind figures. By hand."""
ENOUGH = 4
"""Squares of a colour that show how it looks in this light, from this printer. By hand: no one of them decides."""
APART = 0.12
"""Least difference, in shares of blue, green and red, between two colours that are told apart. By hand."""


@dataclass(frozen=True, eq=False)
class _Grid:
    """Where a die is looked at, about its middle."""

    round: Floats
    """(n, 2) within the round, millimetres."""
    square: Floats
    """(m, 2) on the square about it."""


class DiceReader:
    """Reads the dice of all fields on which no figure stands."""

    def __init__(self, board: Board) -> None:
        assert board.design is not None
        self.design = board.design
        self.names = tuple(board.sites)
        self.cards = np.array([[self.names.index(name) for name in fields] for fields in board.fields.values()])
        self.nominal = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self.grid = _grid(self.design)
        self.numbers = tuple(self.design.pips)
        self.templates = [_Templates.of(self.design, self.grid.round, 90.0 * quarter) for quarter in range(2)]
        """For a die as it is drawn and for one turned by a quarter."""
        self.colours = tuple(self.design.colours)
        self.prints = tuple(Print(number, colour) for number in self.numbers for colour in self.colours)
        square = np.array([linear(colour) for colour in self.design.colours.values()])
        light = linear(self.design.light)
        self.tints = np.stack([chroma((1 - share) * square + share * light) for share in RIM])
        """(shares, colours, 3): how the squares look, with some of the round mixed in."""
        self.light = light / light.mean()
        self.free = dict.fromkeys(board.faces.values(), log(VERDICTS.doubt)) | {EMPTY: log(1 - VERDICTS.doubt)}
        tallest = max(board.pieces.values(), key=lambda piece: piece.height)
        self.figure = tallest.diameter / 2, tallest.height

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """Likelihoods for the dice in sight but those known; none while something moves. What was found `before`
        tells where figures stand."""
        if rough:
            return Findings()
        fronts, taken = self._figures(view, before)
        wanted = [name not in known and number not in taken for number, name in enumerate(self.names)]
        cards, quarters = np.nonzero(np.array(wanted)[self.cards])
        if not len(cards):
            return Findings()
        dice = _Dice(self.cards[cards, quarters], cards, quarters, self._askew(view)[cards])
        pips, tints, clear = self._read(dice, view, fronts)
        for card in range(len(self.cards)):
            tints[cards == card] = _once_each(tints[cards == card])
        likely = (pips[:, :, None] + tints[:, None]).reshape(len(pips), -1).tolist()
        names = [self.names[site] for site in dice.sites.tolist()]
        fields = {
            name: dict(zip(self.prints, each, strict=True))
            for name, each, is_clear in zip(names, likely, clear.tolist(), strict=True)
            if is_clear or _is_free(name, before)
        }
        told = Findings({name: self.free for name in names if name in before.hidden and name in fields}, fields=fields)
        if notes is not None:
            notes.heard.append(("pips and colours", told))
        return told

    def _figures(self, view: FlatView, found: Findings) -> tuple[Image, Set[int]]:
        """What figures hide (not 0), and the numbers of the sites that are theirs."""
        fronts = np.zeros(view.codes.shape[:2], np.uint8)
        taken = set()
        radius, height = self.figure
        ring = radius * circle(24)
        for number, name in enumerate(self.names):
            if name not in found.sites or guess(found.sites[name]).best == EMPTY:
                continue
            taken.add(number)
            ends = [view.appear(view.sites[number] + ring, view.plane.level + up) for up in (0.0, height)]
            hull = cv2.convexHull(view.plane.to_flat(np.vstack(ends)).astype(np.float32))
            cv2.fillConvexPoly(fronts, np.rint(hull).astype(np.int32), 1)
        return fronts, taken

    def _askew(self, view: FlatView) -> Floats:
        """Radians clockwise by which every card lies askew, from where its dice are."""
        one, other = (places[self.cards[:, 2]] - places[self.cards[:, 0]] for places in (self.nominal, view.sites))
        return np.asarray(np.arctan2(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0], (one * other).sum(axis=1)))

    def _read(self, dice: _Dice, view: FlatView, fronts: Image) -> tuple[Floats, Floats, Mask]:
        """Log-likelihoods of all numbers and of all colours for every die, and which are so clear that they must be in
        sight."""
        rounds, squares = (dice.places(grid, view) for grid in (self.grid.round, self.grid.square))
        looks, seen = _sampled(view, rounds), fronts[view.pixels(rounds)] == 0
        enough = seen.mean(axis=1) >= LEAST_SEEN
        veil = self._veils(dice.cards, np.where(enough[:, None], _veil(looks, seen), np.inf))[:, None]
        light = np.where(enough[:, None], _ivory(looks - veil, seen), self.light)
        pips, clear = np.zeros((len(seen), len(self.numbers))), np.zeros(len(seen), bool)
        for turned_by, templates in enumerate(self.templates):
            some = np.flatnonzero(enough & (dice.quarters % 2 == turned_by))
            if len(some):
                pips[some], clear[some] = self._pips(_light(looks[some]), seen[some], templates)
        tints = chroma(np.maximum(_sampled(view, squares) - veil, 0.0) * (self.light / light)[:, None])
        shown = fronts[view.pixels(squares)] == 0
        return pips, self._colours(tints, shown, self._here(dice, tints, shown)), clear

    def _veils(self, cards: Numbers, veils: Floats) -> Floats:
        """For each die the least veil (dice, 3) on its card, over which gloss and haze change little: in pips that are
        blurred there seems to be more."""
        least = np.full((len(self.cards), 3), np.inf)
        np.minimum.at(least, cards, veils)
        return np.where(np.isfinite(least), least, 0.0)[cards]

    def _here(self, dice: _Dice, tints: Floats, seen: Mask) -> Floats:
        """How the squares look in this light and from this printer (shares, colours, 3): each card has every colour,
        which says what is what even where all look another way than described."""
        usual = medians(np.where(seen[..., None], tints, np.nan))
        off = ((usual[:, None, None] - self.tints) ** 2).sum(axis=-1).min(axis=1)
        colours = np.full(len(usual), -1)
        clear = seen.mean(axis=1) >= LEAST_OF_SQUARE
        for card in np.unique(dice.cards):
            some = np.flatnonzero((dice.cards == card) & clear)
            if len(some) > 1:
                ways, alone = _ways(len(some), off.shape[1])
                colours[some] = ways[alone][off[some, ways[alone]].sum(axis=1).argmin()]
        found = self.tints.copy()
        for colour in range(off.shape[1]):
            those = usual[colours == colour]
            if len(those) >= ENOUGH:
                middle = np.median(those, axis=0)
                found[:, colour] += middle - min(self.tints[:, colour], key=lambda tint: ((tint - middle) ** 2).sum())
        one, other = np.triu_indices(off.shape[1], 1)
        are_apart = (np.linalg.norm(found[0, one] - found[0, other], axis=-1) >= APART).all()
        return found if are_apart else self.tints

    def _pips(self, light: Floats, seen: Mask, templates: _Templates) -> tuple[Floats, Mask]:
        fit = templates.fit(light, seen)
        odd = np.flatnonzero(fit.left > SMOOTH)
        if len(odd):
            evened = np.zeros((len(odd), light.shape[1]))
            for row, die in zip(evened, odd, strict=True):
                row[seen[die]] = _without_shadows(self.grid.round[seen[die]], light[die][seen[die]])
            again = templates.fit(evened, seen[odd])
            better = again.left < fit.left[odd]
            fit.replace(odd[better], again, better)
        likely = -INDEPENDENT / 2 * seen.mean(axis=1, keepdims=True) * np.log1p(-fit.explained)
        share = np.clip((fit.left - SMOOTH) / (ROUGH - SMOOTH), 0.0, 1.0)
        doubt = np.where(fit.is_faint, DOUBTFUL, SUREST * (DOUBTFUL / SUREST) ** share)
        clear = (fit.explained.max(axis=1) >= CLEARLY) & ~fit.is_faint & (seen.mean(axis=1) >= MOSTLY)
        return np.where(fit.is_dark[:, None], 0.0, _mixed(likely, doubt)), clear & ~fit.is_dark

    def _colours(self, tints: Floats, seen: Mask, here: Floats) -> Floats:
        # The square of a difference, multiplied out because there are many places.
        known = here.reshape(-1, 3)
        off = (tints**2).sum(axis=-1)[..., None] - 2 * tints @ known.T + (known**2).sum(axis=-1)
        off = off.reshape(*seen.shape, *here.shape[:2]).min(axis=2) / 2 / HUE**2
        each = np.where(seen[..., None], np.log((1 - STRANGE) * np.exp(-off) + STRANGE), 0.0)
        mean = each.sum(axis=1) / np.maximum(seen.sum(axis=1), 1)[:, None]
        told = _mixed(INDEPENDENT * mean, np.full(len(mean), SUREST))
        return np.where((seen.mean(axis=1) >= LEAST_OF_SQUARE)[:, None], told, 0.0)


@dataclass(frozen=True, eq=False)
class _Dice:
    """Dice that are to be read: their sites, cards and quarters of these, and the radians that they lie askew."""

    sites: Numbers
    cards: Numbers
    quarters: Numbers
    askew: Floats

    def places(self, grid: Floats, view: FlatView) -> Floats:
        """(dice, places, 2): where to look at them."""
        c, s = np.cos(self.askew), np.sin(self.askew)
        turns = np.stack([np.stack([c, s], axis=-1), np.stack([-s, c], axis=-1)], axis=1)
        return np.asarray(view.sites[self.sites][:, None] + grid @ turns)


_SPOT = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(LARGEST / STEP) + 1,) * 2)


@dataclass(frozen=True, eq=False)
class _Fit:
    """What the numbers explain of the light of some rounds."""

    explained: Floats
    """(rounds, numbers): shares."""
    left: Floats
    """What even the best leaves unexplained, as a share of the round's light."""
    is_dark: Mask
    """Whether there is nothing to explain."""
    is_faint: Mask
    """Whether what is there is too little to be pips."""

    def replace(self, rows: Numbers, other: _Fit, those: Mask) -> None:
        """Takes over some of the rows of another one."""
        for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True):
            mine[rows] = theirs[those]


@dataclass(frozen=True, eq=False)
class _Templates:
    """How much ink of each number is at places of the round, a little to and fro and more or less blurred."""

    ink: Floats
    """(variants of numbers, places) about an even gradient, of length 1."""
    even: Floats
    """An even gradient of light: three vectors of length 1, square to each other."""
    numbers: int

    @classmethod
    def of(cls, design: DiceDesign, places: Floats, angle: float) -> _Templates:
        """For a die turned by these degrees."""
        drawn = [[_ink(design, pips, angle, blur) for pips in design.pips.values()] for blur in BLURS]
        found = [[_at(one, places - by) for one in inked] for inked in drawn for by in product(SHIFTS, SHIFTS)]
        even = np.linalg.qr(np.column_stack([np.ones(len(places)), places]))[0].T
        ink = np.array(found).reshape(-1, len(places))
        ink = ink - (ink @ even.T) @ even
        return cls(ink / np.maximum(np.linalg.norm(ink, axis=-1, keepdims=True), 1e-9), even, len(design.pips))

    def fit(self, light: Floats, seen: Mask) -> _Fit:
        """How well they fit the light (rounds, places) where that is in sight."""
        whole = np.flatnonzero(seen.all(axis=1))
        part = np.flatnonzero(~seen.all(axis=1))
        rest, darker = np.array(light), np.empty((len(light), len(self.ink)))
        rest[whole] -= (light[whole] @ self.even.T) @ self.even
        darker[whole] = -_product(rest[whole], self.ink.T)
        if len(part):
            # What is out of sight says nothing: all is fitted to the rest.
            mask = seen[part].astype(float)
            even = np.swapaxes(np.linalg.qr(np.swapaxes(mask[:, None] * self.even, 1, 2))[0], 1, 2)
            rest[part] = mask * light[part]
            rest[part] -= np.einsum("nk,nek,nel->nl", rest[part], even, even, optimize=True)
            gone = _product(even.reshape(-1, even.shape[-1]), self.ink.T).reshape(len(part), len(self.even), -1)
            size = _product(mask, (self.ink**2).T) - (gone**2).sum(axis=1)
            darker[part] = -_product(rest[part], self.ink.T) / np.sqrt(np.maximum(size, 1e-9))
        return _fitted(light, seen, rest, darker.reshape(len(light), -1, self.numbers))


def _product(rows: Floats, matrix: Floats) -> Floats:
    """A product of matrices, two rows at a time: for more at once libraries start threads, which other programs on the
    machine then wait for."""
    return np.concatenate([rows[first : first + 2] @ matrix for first in range(0, len(rows), 2)] or [rows @ matrix])


def _fitted(light: Floats, seen: Mask, rest: Floats, darker: Floats) -> _Fit:
    """`rest`: what even light leaves; `darker` (rounds, variants, numbers): how much of that each explains."""
    whole, count = (rest**2).sum(axis=1), seen.sum(axis=1)
    told = np.maximum(darker, 0.0).max(axis=1) ** 2
    explained = np.minimum(told / np.maximum(whole, 1e-9)[:, None], 0.99)
    # Light in the round: nothing is lighter but glints, and they are few.
    ordered = np.sort(np.where(seen, light, np.inf), axis=1)
    lit = np.maximum(ordered[np.arange(len(light)), (0.9 * (count - 1)).astype(int)], 1e-6)
    left = np.sqrt(whole * (1 - explained.max(axis=1)) / count) / lit
    return _Fit(explained, left, whole < 1e-9, np.sqrt(whole / count) < FAINT * lit / 2)


def _is_free(name: str, found: Findings) -> bool:
    """Whether nothing seems to be on a field: it is neither hidden nor in doubt."""
    return name not in found.hidden and (name not in found.sites or guess(found.sites[name]).p > SURELY_FREE)


def _without_shadows(places: Floats, light: Floats) -> Floats:
    """The light at places of a round as it would be without shadows: beside the lightest about each, where that is not
    beyond the largest pip."""
    columns, rows = np.rint((places - places.min(axis=0)) / STEP).astype(int).T
    picture = np.zeros((rows.max() + 1, columns.max() + 1), np.float32)
    picture[rows, columns] = light
    beyond = np.ones(picture.shape, bool)
    beyond[rows, columns] = False
    lightest = np.asarray(cv2.dilate(picture, _SPOT), np.float32)
    lightest[beyond] = np.inf
    ground = np.asarray(cv2.erode(lightest, _SPOT), float)[rows, columns]
    return np.asarray(light / np.maximum(ground, 1e-6))


def _ivory(looks: Floats, seen: Mask) -> Floats:
    """The light of each round's ivory, as a colour about 1: that of its lighter half."""
    some, kept = looks[:, ::SPARSE], seen[:, ::SPARSE]
    lightness = np.where(kept, some.min(axis=-1), np.nan)
    lighter = lightness >= medians(lightness[..., None])
    usual = medians(np.where(lighter[..., None], some, np.nan)) + 1e-6
    return np.asarray(usual / usual.mean(axis=-1, keepdims=True))


def _veil(looks: Floats, seen: Mask) -> Floats:
    """The light (rounds, 3) that gloss and haze lay over all print about each round: what its pips show, for they are
    black."""
    count = max(1, round(PIPS * looks.shape[1]))
    lightness = np.where(seen, looks.sum(axis=-1), np.inf)
    darkest = np.argpartition(lightness, count - 1, axis=1)[:, :count]
    return np.asarray(VEIL * np.take_along_axis(looks, darkest[..., None], axis=1).mean(axis=1))


def _grid(design: DiceDesign) -> _Grid:
    fine, sparse = (_places(design, step) for step in (STEP, 2 * STEP))
    inside, outside = INSIDE * design.radius, design.radius + CLEAR
    return _Grid(fine[np.hypot(*fine.T) < inside], sparse[np.hypot(*sparse.T) > outside])


def _places(design: DiceDesign, step: float) -> Floats:
    axis = np.arange(-design.side / 2 + step, design.side / 2 - step / 2, step)
    return np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)


FINE = 0.1
"""Millimetres: pixels of a drawn die."""


def _ink(design: DiceDesign, pips: tuple[Point, ...], angle: float, blur: float) -> Floats:
    """A die drawn and blurred: 1 is ink."""
    half = round(design.side / 2 / FINE)
    rows, columns = np.mgrid[-half : half + 1, -half : half + 1] * FINE
    ink = np.zeros(rows.shape)
    for x, y in (turned(pip, angle) for pip in pips):
        ink[np.hypot(columns - x, rows - y) < design.pip] = 1.0
    return np.asarray(cv2.GaussianBlur(ink, (0, 0), blur / FINE), dtype=float)


def _at(picture: Floats, places: Floats) -> Floats:
    half = picture.shape[0] // 2
    columns, rows = np.clip(np.rint(places / FINE).astype(int) + half, 0, 2 * half).T
    return np.asarray(picture[rows, columns])


def _sampled(view: FlatView, places: Floats) -> Floats:
    """Reflectances (n, m, 3) at places (n, m, 2) on the plane, between its pixels too."""
    spots = view.plane.to_flat(places).astype(np.float32)
    codes = cv2.remap(view.codes, spots[..., 0], spots[..., 1], cv2.INTER_LINEAR)
    return np.asarray(FROM_CODE[np.asarray(codes, np.uint8)], dtype=np.float64)


def _light(looks: Floats) -> Floats:
    """What no colour but white and its shades has much of."""
    return np.asarray(np.sqrt(looks.min(axis=-1)))


def _mixed(likely: Floats, doubt: Floats) -> Floats:
    """Log-likelihoods (n, m), the look being worth nothing with these probabilities (n)."""
    weights = np.exp(likely - likely.max(axis=1, keepdims=True))
    shares = weights / weights.sum(axis=1, keepdims=True)
    return np.asarray(np.log((1 - doubt)[:, None] * shares + doubt[:, None] / likely.shape[1]))


def _once_each(tints: Floats) -> Floats:
    """Log-likelihoods (dice, colours) for the dice of one card, each colour being there once, as a rule."""
    count, colours = tints.shape
    if count < 2:
        return tints
    ways, alone = _ways(count, colours)
    shares = np.exp(tints)
    weights = np.prod([shares[die, ways[:, die]] for die in range(count)], axis=0)
    weights = weights * np.where(alone, (1 - ONCE) / alone.sum(), ONCE / max(1, (~alone).sum()))
    sums = np.array([np.bincount(ways[:, die], weights, minlength=colours) for die in range(count)])
    return np.asarray(np.maximum(np.log(sums / sums.sum(axis=1, keepdims=True) + 1e-300), log(1e-9)))


@cache
def _ways(count: int, colours: int) -> tuple[Numbers, Mask]:
    """All ways in which so many dice may have these colours, and which of these have none twice."""
    ways = np.stack(np.meshgrid(*[np.arange(colours)] * count, indexing="ij"), axis=-1).reshape(-1, count)
    return ways, np.array([len(set(way)) == count for way in ways.tolist()])
