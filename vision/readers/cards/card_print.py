"""What cards show, point by point: which ink is printed where, for every way in which each may lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import Board, Disc, Point, Polygon, Shape, Sheet, Text, turned
from vision.flatten.colour import FROM_CODE
from vision.flatten.flat_view import circle
from vision.flatten.sheet_art import Pictures
from vision.frame import Floats, Image, Map, Mask, Numbers
from vision.readers.cards.inks import Inks, Packed, Scores
from vision.readers.cards.settings import INKS, PRINT, SOFT, ShownSettings
from vision.readers.cards.soft_print import soft_colours

EVERY, SOME = slice(None), slice(None, None, PRINT.some)
"""All points, or as many as a first glance needs."""
NONE = -1
"""Where no ink can be told."""


_ROOTS: Map = np.sqrt(FROM_CODE.astype(np.float32))
_NEAR = np.concatenate([[(0.0, 0.0)], PRINT.blurred * circle(8)])


@dataclass(frozen=True, slots=True)
class Shown:
    """How much of a card is in sight, as shares of its points that show their ink."""

    whole: float
    inked: float
    """Of those that are not on the bare card."""
    likely: float
    """The mean log-likelihood of those that do."""
    is_plain: bool
    """Whether all of them have one ink."""
    pattern: float
    """How well light and colour rise and fall as they do on the card (correlation): a sleeve or a shadow has none of
    it, however blurred the picture, and glare does not take it away."""
    lettered: float
    """How much darker or lighter than what they are printed on its letters are, as a share of what they should be: that
    of which least is to be seen. No camera this far away reads them, but another set may have light ones for dark."""

    @property
    def is_of_this_set(self) -> bool:
        """Whether its letters are light and dark where this set's are: otherwise it is a card of another one."""
        return self.lettered >= PRINT.lettered

    def is_enough(self, wanted: ShownSettings, pattern: float = PRINT.pattern) -> bool:
        """Whether no less of each is in sight than wanted; or the whole print for all to see."""
        is_clear = self.pattern >= PRINT.clear and self.whole >= PRINT.half and self.likely >= PRINT.fair
        is_likely = self.whole >= wanted.whole and self.inked >= wanted.inked and self.likely >= wanted.likely
        return is_clear or (is_likely and self.pattern >= pattern)


NOTHING_SHOWN = Shown(0.0, 0.0, -np.inf, False, 0.0, 0.0)
"""What a card shows that is not in sight."""


class CardPrint:
    """All faces that are cards, as points on a card that lies as its cell does."""

    def __init__(self, board: Board, pictures: Pictures) -> None:
        self.faces = tuple(face for face in board.faces.lawful if face.sheet)
        sheets = {name: board.by_name[name] for name in sorted(board.cards)}
        self.height = max(sheet.z for sheet in sheets.values())
        self.reach = max(_reach(sheet) for sheet in sheets.values())
        """Millimetres from the middle of a card to its farthest point."""
        self._sides = _sides(next(iter(sheets.values())))
        self.inks = Inks(sorted({ink for sheet in sheets.values() for ink in _fills(sheet.art)}))
        self.points = _points(tuple(sheets.values()))
        turned_by = {angle: self._as_turned(angle) for angle in {face.angle for face in self.faces}}
        inks = {name: self._inks_of(sheet) for name, sheet in sheets.items()}
        self._printed = np.stack([inks[face.sheet][turned_by[face.angle]] for face in self.faces])
        """For every face and point the number of its ink, or NONE."""
        soft = {name: np.sqrt(soft_colours(sheet, pictures[name], self.points)) for name, sheet in sheets.items()}
        looks = np.stack([soft[face.sheet][turned_by[face.angle]] for face in self.faces])
        self._soft = np.ascontiguousarray(np.moveaxis(looks, 0, -1).swapaxes(0, 1), np.float32)
        """Of blue, green and red what every point of every face shows (3, points, faces)."""
        self._slopes = [np.ones(len(self.points), np.float32), *(self.points.T / self.reach).astype(np.float32)]
        """Light that is even, and light that grows to the east and to the south."""
        self._soft_sums = self._soft.sum(axis=1), (self._soft**2).sum(axis=1)
        """The same, and its square, over all points of every face (3, faces)."""
        self.upright = np.array([number for number, face in enumerate(self.faces) if face.angle == 0.0])
        """The faces of cards that lie as they are drawn, one for each card."""
        self._weights, self._glanced = _factors(self._one_hot(EVERY)), _factors(self._one_hot(SOME))
        """For every point and ink of every face what its score counts, as the product of two small tables."""
        grounds = {name: self.inks.colours.index(_ground(sheet)) for name, sheet in sheets.items()}
        spots = {
            name: [np.hypot(*(self.points - text.at).T) < PRINT.letter * text.size for text in _texts(sheet)]
            for name, sheet in sheets.items()
        }
        self._letters = [
            [np.flatnonzero(spot[turned_by[face.angle]]) for spot in spots[face.sheet]] for face in self.faces
        ]
        """For every face the points about each of its letters."""
        self._grounds = [grounds[face.sheet] for face in self.faces]
        """The ink of every face's bare card."""
        self.paper = _ground(next(iter(sheets.values())))
        """That of most cards."""

    def on_others(self, at: Floats, angles: Floats, others: Iterable[tuple[Floats, float]]) -> Mask:
        """Which cards, at these places (n, 2) and turned by these angles (n), would lie on one of those that are known
        to lie elsewhere."""
        spots = placed(self.points, at, angles)
        found = np.zeros(len(at), bool)
        for other in others:
            found |= self.within(spots, [other], -PRINT.deep).mean(axis=1) > PRINT.lapped
        return found

    def within(self, spots: Floats, cards: Iterable[tuple[Floats, float]], beside: float) -> Mask:
        """Which spots (n, p, 2) these cards cover, or lie no more than so many millimetres beside one."""
        found = np.zeros(spots.shape[:-1], bool)
        for middle, angle in cards:
            there = placed(spots.reshape(-1, 2) - middle, np.zeros((1, 2)), np.array([-angle]))[0]
            inside = (there @ self._sides[:, :2].T < self._sides[:, 2] + beside).all(axis=1)
            found |= inside.reshape(found.shape)
        return found

    def glance(self, scores: Scores) -> Floats:
        """For looks at some points (n, points, inks) the log-likelihood of every face (n, faces), of a point on
        average."""
        basis, shares = self._glanced
        return np.asarray(scores.reshape(len(scores), -1) @ basis @ shares, float)

    def likelihoods(self, scores: Scores, faces: Numbers) -> Floats:
        """The same of these faces only, from all points."""
        basis, shares = self._weights
        return np.asarray(scores.reshape(len(scores), -1) @ basis @ shares[:, faces], float)

    def shown(self, scores: Scores, packed: Packed, codes: Image, pattern: float, face: int) -> Shown:
        """How much of a face one look (points, …) shows; see `alike`."""
        printed = self._printed[face]
        told = np.flatnonzero(printed != NONE)
        likely = np.maximum(scores[told, printed[told]], self._softly(packed, codes, face)[told])
        seen = likely > INKS.strange + PRINT.shown
        bare = printed[told] == self._grounds[face]
        inks = np.unique(printed[told][~bare])
        letters = self._lettered(packed, codes, face)
        return Shown(float(seen.mean()), _mean(seen[~bare]), _mean(likely[seen]), len(inks) < 2, pattern, letters)

    def _lettered(self, packed: Packed, codes: Image, face: int) -> float:
        """How dark or light the letters of a face are, as a share of what they should be: the least of them."""
        no_hand = self.inks.are_no_hand(packed)
        seen, want = _ROOTS.take(codes).sum(axis=-1), self._soft[:, :, face].sum(axis=0)
        shares = [1.0]
        for points in self._letters[face]:
            if no_hand[points].all():
                rise = want[points] - want[points].mean()
                gain = seen[points].mean() / want[points].mean()
                shares.append(float(rise @ seen[points] / gain / (rise @ rise)))
        return min(shares)

    def _softly(self, packed: Packed, codes: Image, face: int) -> Floats:
        """The log-likelihood of every point of a look to be what a camera shows of a face in this light: small print is
        never seen in its own colour."""
        no_hand = self.inks.are_no_hand(packed)
        seen, want = _ROOTS.take(codes) * no_hand[:, None], self._soft[:, :, face].T * no_hand[:, None]
        gain = (seen * want).sum(axis=0) / np.maximum((want**2).sum(axis=0), 1e-6)
        off = ((seen - gain * want) ** 2).sum(axis=1) / max(float((gain**2).sum()), 1e-6)
        return np.where(no_hand, -off / (2 * SOFT.spread**2), -np.inf)

    def alike(self, packed: Packed, codes: Image) -> tuple[Floats, Floats]:
        """How looks (n, points) at a picture in 5, 6 and 5 bits, and the same in full (n, points, 3), agree with what a
        camera shows of every face, where no hand is: the correlation (n, faces) of the roots of its reflectances with
        those seen, and the log-likelihood (n, faces), of a point on average, in whatever light the card lies."""
        counts = self.inks.are_no_hand(packed).astype(np.float32)
        number = np.maximum(counts.sum(axis=1), 1.0)[:, None]
        both, of_print, of_seen, left, light = (np.zeros((len(codes), len(self.faces)), np.float32) for _ in range(5))
        gains, whole = [], bool(counts.all())
        for colour, want in enumerate(self._soft):
            seen = counts * _ROOTS.take(codes[..., colour])
            shown = seen.sum(axis=1, keepdims=True)
            wanted, squares = (sums[colour] for sums in self._soft_sums) if whole else (counts @ want, counts @ want**2)
            product, bright = seen @ want, (seen**2).sum(axis=1, keepdims=True)
            both += product - wanted * shown / number
            of_print += squares - wanted**2 / number
            of_seen += bright - shown**2 / number
            gain = product / np.maximum(squares, 1e-6)
            left += bright - gain * product
            light += gain**2
            gains.append(np.log(np.maximum(gain, 1e-3)))
        tint = np.var(gains, axis=0)
        error = left / number / np.maximum(light, 1e-6)
        likely = -np.minimum(error / (2 * SOFT.spread**2) + tint / (2 * SOFT.tinted**2), SOFT.strange)
        correlation = both / np.sqrt(np.maximum(of_print * of_seen, 1e-9))
        return np.where(number < PRINT.fewest, 0.0, correlation), np.where(number < PRINT.fewest, -SOFT.strange, likely)

    def unevenly_lit(self, codes: Image, faces: Numbers) -> tuple[Floats, Floats, Floats]:
        """How looks (n, points, 3) agree with what a camera shows of these faces in light that grows or fades across a
        card, as where a shadow ends on it, if no hand is anywhere: how much better the print explains them than a plain
        surface does (n, faces), the log-likelihood (n, faces) as for `alike`, and the light of each colour (3, slopes,
        n, faces)."""
        left, plain = np.zeros((len(codes), len(faces))), np.zeros((len(codes), 1))
        light = []
        for colour, want in enumerate(self._soft[:, :, faces]):
            seen = _ROOTS.take(codes[..., colour])
            rest, gain = self._unexplained(seen, want)
            left, plain = left + rest, plain + self._unexplained(seen, np.ones((len(want), 1), np.float32))[0]
            light.append(np.moveaxis(gain, -1, 0))
        mean = np.maximum(np.array(light)[:, 0], 1e-3)
        error = left / len(self.points) / np.maximum((mean**2).sum(axis=0), 1e-6)
        tint = np.var(np.log(mean), axis=0)
        likely = -np.minimum(error / (2 * SOFT.spread**2) + tint / (2 * SOFT.tinted**2), SOFT.strange)
        return np.sqrt(np.maximum(1 - left / np.maximum(plain, 1e-6), 0.0)), likely, np.array(light)

    def _unexplained(self, seen: Scores, want: Scores) -> tuple[Floats, Floats]:
        """For looks (n, points) and prints (points, faces) what is left of the looks, squared and added up, once each
        print is lit by the slope of light that suits it best; and that light (n, faces, slopes)."""
        told = np.stack([(seen * slope) @ want for slope in self._slopes], axis=-1).astype(float)
        pairs = [[(one * other) @ want**2 for one in self._slopes] for other in self._slopes]
        system = np.moveaxis(np.array(pairs, float), -1, 0) + 1e-6 * np.eye(len(self._slopes))
        gain = np.einsum("fij,nfj->nfi", np.linalg.inv(system), told)
        rest = (seen**2).sum(axis=1, keepdims=True) - (told * gain).sum(axis=-1)
        return np.maximum(rest, 0.0), gain

    def shown_unevenly(self, packed: Packed, codes: Image, light: Floats, pattern: float, face: int) -> Shown:
        """How much of a face one look (points, …) shows in this light (3, slopes)."""
        seen = _ROOTS.take(codes)
        lit = (light.T[:, None] * np.array(self._slopes)[..., None]).sum(axis=0) * self._soft[:, :, face].T
        off = ((seen - lit) ** 2).sum(axis=1) / max(float((light[:, 0] ** 2).sum()), 1e-6)
        likely = -off / (2 * SOFT.spread**2)
        is_seen = likely > INKS.strange + PRINT.shown
        told = np.flatnonzero(self._printed[face] != NONE)
        bare = self._printed[face][told] == self._grounds[face]
        inks = np.unique(self._printed[face][told][~bare])
        letters = self._lettered(packed, codes, face)
        inked, likely_seen = _mean(is_seen[told][~bare]), _mean(likely[is_seen])
        return Shown(float(is_seen.mean()), inked, likely_seen, len(inks) < 2, pattern, letters)

    def _inks_of(self, sheet: Sheet) -> npt.NDArray[np.intp]:
        inks = self._inks_at(sheet, (self.points[:, None] + _NEAR).reshape(-1, 2)).reshape(len(self.points), -1)
        told = (inks == inks[:, :1]).all(axis=1)
        for letter in _texts(sheet):
            told &= np.hypot(*(self.points - letter.at).T) >= PRINT.letter * letter.size
        return np.where(told, inks[:, 0], NONE)

    def _inks_at(self, sheet: Sheet, spots: Floats) -> npt.NDArray[np.intp]:
        inks, stroked = np.full(len(spots), NONE, np.intp), np.zeros(len(spots), bool)
        for shape in sheet.art:
            if isinstance(shape, Disc | Polygon) and shape.fill is not None:
                inks[_covers(shape, spots)] = self.inks.colours.index(shape.fill)
            if isinstance(shape, Polygon) and shape.stroke is not None:
                stroked |= np.abs(_depths(shape.points, spots)) <= shape.width / 2
        return np.where(stroked, NONE, inks)

    def _as_turned(self, angle: float) -> npt.NDArray[np.intp]:
        """For every point the one of the unturned card that comes to lie there."""
        back = np.array([turned((float(x), float(y)), -angle) for x, y in self.points])
        return np.asarray(np.linalg.norm(back[:, None] - self.points[None], axis=2).argmin(axis=1), np.intp)

    def _one_hot(self, points: slice) -> Scores:
        printed = self._printed[:, points, None] == np.arange(len(self.inks.colours))
        share = printed / printed.sum(axis=(1, 2), keepdims=True)
        return np.ascontiguousarray(share.reshape(len(self.faces), -1).T, np.float32)


def _texts(sheet: Sheet) -> list[Text]:
    return [shape for shape in sheet.art if isinstance(shape, Text)]


def _factors(weights: Scores) -> tuple[Scores, Scores]:
    """Faces share their corners: a table of few columns, times how much each face takes of them."""
    left, sizes, right = np.linalg.svd(weights.astype(float), full_matrices=False)
    rank = int((sizes > PRINT.rank * sizes[0]).sum())
    return (left[:, :rank] * sizes[:rank]).astype(np.float32), right[:rank].astype(np.float32)


def placed(points: Floats, at: Floats, angles: Floats) -> Floats:
    """Points (p, 2) of cards whose middles are at these places (n, 2), turned by these angles (n): (n, p, 2)."""
    c, s = np.cos(np.radians(angles))[:, None], np.sin(np.radians(angles))[:, None]
    x, y = points[:, 0], points[:, 1]
    return np.stack([c * x - s * y, s * x + c * y], axis=-1) + at[:, None]


def _fills(shapes: Sequence[Shape]) -> set[str]:
    return {shape.fill for shape in shapes if isinstance(shape, Disc | Polygon) and shape.fill is not None}


def _points(sheets: Sequence[Sheet]) -> Floats:
    """A triangular pattern about the middle: a turn by a sixth of a circle brings it upon itself."""
    reach = max(_reach(sheet) for sheet in sheets)
    count = int(reach / PRINT.step) + 1
    grid = [
        (PRINT.step * (i + j / 2), PRINT.step * j * 3**0.5 / 2)
        for i in range(-2 * count, 2 * count)
        for j in range(-count, count)
    ]
    spots = np.array(grid)
    return spots[np.any([_covers(sheet.outline[0], spots) for sheet in sheets], axis=0)]


def _reach(sheet: Sheet) -> float:
    outline = sheet.outline[0]
    if isinstance(outline, Disc):
        return outline.radius
    return max(float(np.hypot(*point)) for point in outline.points) + outline.rounding


def _sides(sheet: Sheet) -> Floats:
    """For every side of a card the direction that it faces and how far from the middle it is (n, 3)."""
    outline = sheet.outline[0]
    assert isinstance(outline, Polygon), "a card of a lattice has straight sides"
    points = np.array(outline.points)
    along = np.roll(points, -1, axis=0) - points
    facing = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    far = (points * facing).sum(axis=1) + outline.rounding
    return np.concatenate([facing, far[:, None]], axis=1)


def _covers(shape: Disc | Polygon, spots: Floats) -> Mask:
    """Which spots (n, 2) a shape covers."""
    if isinstance(shape, Disc):
        return np.asarray(np.hypot(*(spots - shape.at).T) <= shape.radius)
    return _depths(shape.points, spots) >= -shape.rounding


def _depths(points: Sequence[Point], spots: Floats) -> Floats:
    """How far within a polygon spots (n, 2) are; outside it less than 0."""
    corners, to = np.array(points), spots[:, None]
    along = np.roll(corners, -1, axis=0) - corners
    off = to - corners
    share = np.clip((off * along).sum(axis=2) / (along**2).sum(axis=1), 0.0, 1.0)
    away = np.sqrt(((off - share[..., None] * along) ** 2).sum(axis=2)).min(axis=1)
    # A ray to the west crosses the outline of what it starts in an odd number of times.
    spans = (corners[:, 1] > to[..., 1]) != (np.roll(corners[:, 1], -1) > to[..., 1])
    west = along[:, 0] * off[..., 1] - along[:, 1] * off[..., 0]
    crossed = spans & ((west > 0) == (along[:, 1] < 0))
    return np.asarray(np.where(crossed.sum(axis=1) % 2 == 1, away, -away))


def _ground(sheet: Sheet) -> str:
    fill = sheet.outline[0].fill
    assert fill is not None
    return fill


def _mean(values: npt.NDArray[np.generic]) -> float:
    return float(values.mean()) if len(values) else 1.0
