"""Dice printed on cards: how many pips are on each field in sight, and on what colour.

The round of a die is laid over every number, a little to and fro and as blurred as the picture may be; what of it the
number explains, beside an even gradient of light, says how likely it is. Where shadows fall across the round, it
is first brought to the same light everywhere. The square says the colour, in the light that the round shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
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
from vision.readers.paints import Paints
from vision.readers.reader import NOTHING, Findings, Notes

STEP = 0.7
"""Millimetres between the places that are looked at: a pixel of the flat picture."""
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
LEAST_SEEN = 0.55
"""How much of a round must be in sight to tell its number."""
SMOOTH, ROUGH = 0.06, 0.2
"""What a number leaves unexplained of a round, as a share of the round's light: as little as noise does, and so much
that it says nothing."""
SUREST, DOUBTFUL = 0.0005, 0.6
"""How often a reading is wrong that leaves so little, and one that leaves so much."""
LARGEST = 3.6
"""Millimetres: a dark spot that reaches no farther from its middle is a pip, however blurred; a larger one a shadow."""
FAINT = 0.12
"""Least contrast between a round and its pips, as a share of the round's light, to be pips at all."""
HUE = 0.07
"""One sigma, in shares of blue, green and red, by which the colour of a square is off its own."""
STRANGE = 0.02
"""Density of any other colour in a square: a shadow's edge, a figure's foot, gloss."""
ONCE = 0.02
"""How often a card has a colour twice: in most decks each is on it once."""


@dataclass(frozen=True, eq=False)
class _Grid:
    """Where a die is looked at, about its middle."""

    round: Floats
    """(n, 2) within the round, millimetres."""
    square: Floats
    """(m, 2) on the square about it."""


class DiceReader:
    """Reads the dice of all fields on which no figure stands."""

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        assert board.design is not None
        self.design = board.design
        self.names = tuple(board.sites)
        self.cards = [tuple(self.names.index(name) for name in fields) for fields in board.fields.values()]
        self.nominal = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self.grid = _grid(self.design)
        self.numbers = tuple(self.design.pips)
        self.templates = [_templates(self.design, self.grid.round, 90.0 * quarter) for quarter in range(2)]
        """For a die as it is drawn and for one turned by a quarter: (variants, numbers, places) about an even
        gradient, of length 1."""
        self.even = _even(self.grid.round)
        self.colours = tuple(self.design.colours)
        square = np.array([linear(colour) for colour in self.design.colours.values()])
        light = linear(self.design.light)
        self.tints = np.stack([chroma((1 - share) * square + share * light) for share in RIM])
        self.light = light / light.mean()
        """(shares, colours, 3): how the squares look, with some of the round mixed in."""
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
        fields: dict[str, Mapping[Print, float]] = {}
        for card in self.cards:
            angle = self._angle(card, view)
            pips: dict[int, Floats] = {}
            tints: dict[int, Floats] = {}
            for quarter, number in enumerate(card):
                if self.names[number] in known or number in taken:
                    continue
                pips[number], tints[number] = self._die(view, fronts, view.sites[number], angle, quarter)
            tints = _once_each(tints)
            for number, likely in pips.items():
                fields[self.names[number]] = {
                    Print(each, colour): float(likely[row] + tints[number][column])
                    for row, each in enumerate(self.numbers)
                    for column, colour in enumerate(self.colours)
                }
        told = Findings(fields=fields)
        if notes is not None:
            notes.heard.append(("pips and colours", told))
        return told

    def _figures(self, view: FlatView, found: Findings) -> tuple[Image, Set[int]]:
        """What figures hide (not 0), and the numbers of the sites that are theirs or are hidden."""
        fronts = np.zeros(view.codes.shape[:2], np.uint8)
        taken = set()
        radius, height = self.figure
        ring = radius * circle(24)
        for number, name in enumerate(self.names):
            if name in found.hidden:
                taken.add(number)
            if name not in found.sites or guess(found.sites[name]).best == EMPTY:
                continue
            taken.add(number)
            ends = [view.appear(view.sites[number] + ring, view.plane.level + up) for up in (0.0, height)]
            hull = cv2.convexHull(view.plane.to_flat(np.vstack(ends)).astype(np.float32))
            cv2.fillConvexPoly(fronts, np.rint(hull).astype(np.int32), 1)
        return fronts, taken

    def _angle(self, card: tuple[int, ...], view: FlatView) -> float:
        """Degrees clockwise by which a card lies askew, from where its dice are."""
        one, other = (places[card[2]] - places[card[0]] for places in (self.nominal, view.sites))
        return float(np.rad2deg(np.arctan2(one[0] * other[1] - one[1] * other[0], one @ other)))

    def _die(self, view: FlatView, fronts: Image, at: Floats, angle: float, quarter: int) -> tuple[Floats, Floats]:
        """Log-likelihoods of all numbers and of all colours of a die."""
        places = at + _turned(self.grid.round, angle)
        looks, seen = _sampled(view, places), fronts[view.pixels(places)] == 0
        light = self.light if seen.mean() < LEAST_SEEN else _ivory(looks[seen])
        colours = self._colour(view, fronts, at + _turned(self.grid.square, angle), self.light / light)
        return self._pips(_light(looks), seen, quarter), colours

    def _pips(self, light: Floats, seen: Mask, quarter: int) -> Floats:
        if seen.mean() < LEAST_SEEN:
            return np.zeros(len(self.numbers))
        templates, even = self.templates[quarter % 2], self.even
        if not seen.all():
            # What is out of sight says nothing: all is fitted to the rest.
            even = np.linalg.qr(even[:, seen].T)[0].T
            templates = _beside(even, templates[..., seen])
        fit = _Fit.of(light[seen], even, templates)
        if fit.left > SMOOTH:
            evened = _Fit.of(_without_shadows(self.grid.round[seen], light[seen]), even, templates)
            fit = min(fit, evened, key=lambda each: each.left)
        if fit.is_dark:
            return np.zeros(len(self.numbers))
        likely = -INDEPENDENT * seen.mean() / 2 * np.log1p(-fit.explained)
        share = np.clip((fit.left - SMOOTH) / (ROUGH - SMOOTH), 0.0, 1.0)
        doubt = DOUBTFUL if fit.is_faint else SUREST * (DOUBTFUL / SUREST) ** share
        return _mixed(likely, float(doubt))

    def _colour(self, view: FlatView, fronts: Image, places: Floats, gains: Floats) -> Floats:
        seen = fronts[view.pixels(places)] == 0
        if seen.mean() < 1 - LEAST_SEEN:
            return np.zeros(len(self.colours))
        tints = chroma(_sampled(view, places[seen]) * gains)
        off = ((tints[:, None, None] - self.tints) ** 2).sum(axis=-1).min(axis=1) / 2 / HUE**2
        each = np.log((1 - STRANGE) * np.exp(-off) + STRANGE)
        return _mixed(INDEPENDENT * each.mean(axis=0), SUREST)


_SPOT = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * round(LARGEST / STEP) + 1,) * 2)


@dataclass(frozen=True, eq=False)
class _Fit:
    """What the numbers explain of a round's light."""

    explained: Floats
    """For every number, a share."""
    left: float
    """What even the best leaves unexplained, as a share of the round's light."""
    is_dark: bool
    """Whether there is nothing to explain."""
    is_faint: bool
    """Whether what is there is too little to be pips."""

    @classmethod
    def of(cls, light: Floats, even: Floats, templates: Floats) -> _Fit:
        rest = light - (light @ even.T) @ even
        whole = float(rest @ rest)
        darker = np.maximum(-(templates @ rest), 0.0).max(axis=0)
        explained = np.minimum(darker**2 / max(whole, 1e-9), 0.99)
        # Light in the round: nothing is lighter but glints, and they are few.
        lit = max(float(np.quantile(light, 0.9)), 1e-6)
        left = float(np.sqrt(whole * (1 - float(explained.max())) / len(light)) / lit)
        return cls(explained, left, whole < 1e-9, bool(np.sqrt(whole / len(light)) < FAINT * lit / 2))


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


def _beside(even: Floats, templates: Floats) -> Floats:
    """Templates about an even gradient of light, of length 1."""
    about = templates - (templates @ even.T) @ even
    return np.asarray(about / np.maximum(np.linalg.norm(about, axis=-1, keepdims=True), 1e-9))


def _ivory(looks: Floats) -> Floats:
    """The light of a round's ivory, as a colour about 1: that of its lighter half."""
    lightness = looks.min(axis=-1)
    usual = np.median(looks[lightness >= np.median(lightness)], axis=0) + 1e-6
    return np.asarray(usual / usual.mean())


def _grid(design: DiceDesign) -> _Grid:
    axis = np.arange(-design.side / 2 + STEP, design.side / 2 - STEP / 2, STEP)
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    far = np.linalg.norm(places, axis=-1)
    return _Grid(places[far < INSIDE * design.radius], places[far > design.radius + CLEAR])


def _templates(design: DiceDesign, places: Floats, angle: float) -> Floats:
    """How much ink of each number is at places of the round: (blurs and shifts, numbers, places)."""
    drawn = [[_ink(design, pips, angle, blur) for pips in design.pips.values()] for blur in BLURS]
    found = [[_at(one, places - by) for one in inked] for inked in drawn for by in product(SHIFTS, SHIFTS)]
    return _beside(_even(places), np.array(found))


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


def _even(places: Floats) -> Floats:
    """An even gradient of light over places: three vectors of length 1, square to each other."""
    return np.asarray(np.linalg.qr(np.column_stack([np.ones(len(places)), places]))[0].T)


def _turned(places: Floats, angle: float) -> Floats:
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    return np.asarray(places @ np.array([[c, s], [-s, c]]))


def _sampled(view: FlatView, places: Floats) -> Floats:
    """Reflectances (n, 3) at places on the plane, between its pixels too."""
    spots = view.plane.to_flat(places).astype(np.float32)
    codes = cv2.remap(view.codes, spots[None, :, 0], spots[None, :, 1], cv2.INTER_LINEAR)
    return np.asarray(FROM_CODE[codes[0]], dtype=np.float64)


def _light(looks: Floats) -> Floats:
    """What no colour but white and its shades has much of."""
    return np.asarray(np.sqrt(looks.min(axis=-1)))


def _mixed(likely: Floats, doubt: float) -> Floats:
    """Log-likelihoods, the look being worth nothing with this probability."""
    weights = np.exp(likely - likely.max())
    shares = weights / weights.sum()
    return np.asarray(np.log((1 - doubt) * shares + doubt / len(shares)))


def _once_each(tints: dict[int, Floats]) -> dict[int, Floats]:
    """The same for the dice of one card, each colour being there once, as a rule."""
    if len(tints) < 2:
        return tints
    numbers: Numbers = np.array(list(tints))
    shares = np.exp(np.array(list(tints.values())))
    count, colours = shares.shape
    ways = np.stack(np.meshgrid(*[np.arange(colours)] * count, indexing="ij"), axis=-1).reshape(-1, count)
    alone = np.array([len(set(way)) == count for way in ways.tolist()])
    weights = np.prod([shares[die, ways[:, die]] for die in range(count)], axis=0)
    weights = weights * np.where(alone, (1 - ONCE) / alone.sum(), ONCE / max(1, (~alone).sum()))
    least = log(1e-9)
    told = {}
    for die, number in enumerate(numbers.tolist()):
        sums = np.bincount(ways[:, die], weights, minlength=colours)
        told[number] = np.maximum(np.log(sums / sums.sum() + 1e-300), least)
    return told
