"""Cards that lie on no cell: sought where the colours of cards are seen that belong to none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from engine.referee.reading import Loose
from vision.flatten.colour import FROM_CODE, added, chroma
from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Image
from vision.readers.cards.card_print import CardPrint, placed
from vision.readers.cards.fitting import fit, grid
from vision.readers.cards.settings import FIT, LOOSE, PRINT


class LooseCards:
    """Finds cards anywhere on the mat."""

    def __init__(self, cards: CardPrint, merged: float = LOOSE.merged) -> None:
        self.print, self._merged = cards, merged
        self._aside, self._turns = grid(9.0, 3.0, 175.0, 10.0)
        self._fine = grid(2.0, 1.0, 5.0, 2.5)
        self._area = 3 * 3**0.5 / 4 * cards.reach**2

    def find(
        self, view: FlatView, known: Iterable[tuple[Floats, float]], apart: Image, lifted: float = 0.0
    ) -> list[Loose]:
        """All that do not lie where these known ones do; `apart` marks what is not looked at, and they may be held so
        many millimetres above the mat."""
        known = list(known)
        mask = self._patches(view, known, apart)
        count, patches, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        areas = stats[1:, cv2.CC_STAT_AREA] / view.plane.px_per_mm**2 / self._area
        wanted = [number for number in range(count - 1) if LOOSE.least <= areas[number] <= LOOSE.most]
        found: list[Loose] = []
        if len(wanted) > LOOSE.most_loose:
            apart_by = {number: _apartness(view, patches, number + 1, stats[number + 1].tolist()) for number in wanted}
            wanted = sorted(wanted, key=lambda each: -apart_by[each])[: LOOSE.most_loose]
        for number in wanted:
            middle = view.stand(view.plane.to_board(middles[number + 1]), view.plane.level + lifted + self.print.height)
            if (card := self._card_at(middle, view, known, lifted)) is not None:
                found.append(card)
        return found

    def _patches(self, view: FlatView, known: Iterable[tuple[Floats, float]], apart: Image) -> Image:
        """Where (1) there are colours of cards that do not belong to a known one."""
        labels = view.without_table(self.print.inks.labels(view.codes))
        bare = self.print.inks.colours.index(self.print.paper) + 1
        mask = ((labels > 0) & (labels != bare) & (apart == 0)).astype(np.uint8)
        corners = (self.print.reach + 2 * LOOSE.beside) * np.array([(0.0, -1.0), (0.75**0.5, 0.5), (-(0.75**0.5), 0.5)])
        for at, angle in known:
            outline = view.appear(placed(corners, at[None], np.array([angle]))[0], view.plane.level + self.print.height)
            cv2.fillConvexPoly(mask, np.rint(view.plane.to_flat(outline)).astype(np.int32), 0)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        size = 2 * round(self._merged * view.plane.px_per_mm / 2) + 1
        return np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8)), np.uint8)

    def _card_at(
        self, middle: Floats, view: FlatView, known: Sequence[tuple[Floats, float]], lifted: float
    ) -> Loose | None:
        poses = middle + self._aside, self._turns, np.zeros(len(self._turns))
        best = fit(self.print, view, poses, self._fine, self.print.upright, lifted=lifted)
        if not best.shown.is_enough(LOOSE.enough) or not best.shown.is_of_this_set:
            return None
        if (
            best.shown.pattern < PRINT.clear
            and self.print.on_others(best.at[None], np.array([best.angle]), known).any()
        ):
            # A card may lie on another, but part of what is seen here may as well be that other one.
            return None
        face = self.print.faces[best.best]
        weights = np.exp(FIT.told * (best.worth - best.worth[best.best]))
        x, y = best.at.tolist()
        whole = 120.0 if len(set(face.name)) == 1 else 360.0
        return Loose(face.sheet, (round(x, 1), round(y, 1)), round(best.angle % whole, 1), float(1 / weights.sum()))


def _apartness(view: FlatView, labels: npt.NDArray[np.generic], number: int, stats: Sequence[int]) -> float:
    """How unlike the colour round about it a patch is, pixel by pixel: a second lamp makes patches of the mat look
    yellow, but not much yellower than what is beside them."""
    left, top, wide, high, _ = stats
    beside = 1 + round(LOOSE.beside * view.plane.px_per_mm)
    part = np.s_[max(0, top - beside) : top + high + beside, max(0, left - beside) : left + wide + beside]
    seen, about = FROM_CODE.take(view.codes[part]).astype(float), labels[part]
    if not (about == 0).any():
        return 0.0
    usual = chroma(seen[about == 0].mean(axis=0))
    return float(np.linalg.norm(chroma(seen[about == number]) - usual, axis=1).mean())


def away_from_print(view: FlatView, places: Floats, reach: float) -> Image:
    """Marks (1) what is not looked at: print that is not pale, what lies about these places, what is not the mat."""
    light = added(view.expected)
    mask = ((light < LOOSE.pale * np.median(light[view.plane.known])) | ~view.plane.known).astype(np.uint8)
    mask = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)
    for place in view.plane.to_flat(places):
        cv2.circle(mask, np.rint(place).astype(int).tolist(), round(reach * view.plane.px_per_mm), 1, -1)
    return np.asarray(mask, np.uint8)


def nearest(
    loose: Sequence[Loose], names: Sequence[str], at: Floats, free: Floats, most: float
) -> list[tuple[Loose, str]]:
    """For each loose card the free cell that is nearest to it, if one is near."""
    taken, pairs = ~free.astype(bool), list[tuple[Loose, str]]()
    for card in loose:
        away = np.where(taken, np.inf, np.hypot(*(at - card.at).T))
        number = int(away.argmin())
        if away[number] <= most:
            taken[number] = True
            pairs.append((card, names[number]))
    return pairs
