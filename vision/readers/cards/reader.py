"""Cards on the cells of a lattice, and those that lie between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import log

import numpy as np

from engine.board import Board
from engine.face import EMPTY, Face
from engine.referee.reading import Likelihoods, Loose
from vision.flatten.colour import FLOOR, added
from vision.flatten.flat_view import FlatView, circle, looks_printed, tints_across
from vision.flatten.sheet_art import Pictures
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.cards.card_print import CardPrint, Shown
from vision.readers.cards.card_size import CardSizes
from vision.readers.cards.fitting import Fit, fit, fit_unevenly, grid
from vision.readers.cards.loose_cards import LooseCards, away_from_print, nearest
from vision.readers.cards.once import each_card_once
from vision.readers.cards.pale_cards import look_marked
from vision.readers.cards.settings import CELLS, FIT, PRINT
from vision.readers.reader import NOTHING, Candidate, Findings, Notes
from vision.readers.settings import VERDICTS

_MIDDLE = np.concatenate([[(0.0, 0.0)], 3.0 * circle(6), 5.5 * circle(12)])


@dataclass(frozen=True, eq=False)
class CardOnCell:
    """A card on a cell, as it was found."""

    site: str
    likelihoods: Likelihoods
    at: Floats
    """Where its middle is, millimetres …"""
    angle: float
    """… and how far it is turned, degrees clockwise."""
    face: Face
    shown: Shown


class CardReader:
    """Reads all cells of a board. The cards are known, and that each is there once."""

    def __init__(self, board: Board, pictures: Pictures) -> None:
        """Cards are printed as the mat is, so that no paints need be measured."""
        self.print = CardPrint(board, pictures)
        self.loose = LooseCards(self.print)
        self.sizes = CardSizes(self.print, board.by_name, {name: pictures[name] for name in board.cards})
        self.askew = {face.sheet: face for face in board.faces.values() if face.sheet and not face.lawful}
        counted = np.array([name in board.counting for name in board.sites])
        self._numbers, self._others = np.flatnonzero(~counted), np.flatnonzero(counted)
        self.names = tuple(np.array(list(board.sites))[self._numbers].tolist())
        self._angles = np.array([board.sites[name].angle for name in self.names])
        at = np.array([board.sites[name].at for name in self.names])
        near = np.hypot(*np.moveaxis(at[:, None] - at, -1, 0)) < 1.2 * self.print.reach
        self._about = near
        """Which cells lie side by side."""
        self._rim = near.sum(axis=1) < near.sum(axis=1).max()
        """The outermost cells: no hand comes in without covering one."""
        self._free: Likelihoods = {EMPTY: log(1 - VERDICTS.doubt)} | {self.print.faces[-1]: log(VERDICTS.doubt)}
        self._odd = {EMPTY: log(CELLS.odd), self.print.faces[-1]: log(1 - CELLS.odd)}
        self._coarse, self._fine = grid(CELLS.tried, 1.9, CELLS.turned, 8.0), grid(1.1, 0.95, 4.0, 4.0)
        self._near = grid(4.0, 1.9, 0.0, 1.0)
        off, twist = np.hypot(*self._coarse[0].T), self._coarse[1]
        self._costs = ((off / CELLS.usual) ** 2 + (twist / CELLS.twisted) ** 2) / 2 / FIT.told
        self._apart: Image | None = None

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """Likelihoods for every cell but the known ones, those that are hidden, and cards that lie on none."""
        middles = view.sites[self._numbers]
        # What was hidden in a rough look may simply not have been looked at.
        known = known - before.hidden
        asked = np.array([name not in known for name in self.names])
        free = np.ones(len(self.names))
        free[asked] = looks_free(middles[asked], view, tints_across(middles, view)[asked])
        if rough and (asked & self._rim & (free < CELLS.free)).any():
            return self._roughly(asked, free)
        maybe = (free < CELLS.free) | is_uneven(middles, view)
        lying = self._beside_each_other(dict(self._cards(np.flatnonzero(asked & maybe), middles, view)), middles, view)
        strange = np.array([number not in lying for number in range(len(self.names))]) & (free < CELLS.taken)
        for number, each in list(lying.items()):
            near = (np.hypot(*(middles[strange] - middles[number]).T) < CELLS.close).any()
            if not (each.shown.is_of_this_set and each.shown.is_enough(CELLS.beside if near else CELLS.alone)):
                del lying[number]
                strange[number] = True
        # Where not even the neighbours are looked at nobody knows what they cover.
        left = np.flatnonzero(~(self._about & ~asked).any(axis=1) & [n not in lying for n in range(len(self.names))])
        beside = [(each.at, each.angle) for each in lying.values()]
        strange[left] |= look_marked(self.print, view, middles[left], self._angles[left], beside)
        hidden = {self.names[number] for number in np.flatnonzero(strange)}
        bare = np.array([number not in lying for number in range(len(self.names))])
        sites = {self.names[number]: self._free for number in np.flatnonzero(asked & bare & ~strange)}
        sites |= {
            self.names[number]: self._odd for number in np.flatnonzero(asked & bare & ~strange & (free < CELLS.free))
        }
        kept = {name: before.sites[name] for name in known if _shows_card(before.sites.get(name))}
        once = each_card_once(kept | {each.site: each.likelihoods for each in lying.values()})
        sites |= {each.site: once[each.site] for each in lying.values()}
        if notes is not None:
            notes.candidates += [_candidate(each, self.print.reach) for each in lying.values()]
            notes.heard.append(("print of the cards", Findings(sites, frozenset(hidden))))
        there = [(each.at, each.angle) for each in lying.values()] + list(self._where(kept, middles))
        found_loose = self.loose.find(view, there, self._away(view))
        loose = [each for each in found_loose if not self._is_reached_over(each, middles[strange])]
        for card, name in nearest(loose, self.names, middles, bare & asked, 2 * self.print.reach):
            hidden.discard(name)
            number = self.names.index(name)
            lawful = self._lawful(card, number, middles[number], view)
            sites[name] = {lawful or self.askew[card.card]: log(1 - VERDICTS.doubt), EMPTY: log(VERDICTS.doubt)}
            if lawful:
                loose.remove(card)
        found = Findings(sites, frozenset(hidden), loose=tuple(loose))
        if notes is not None:
            notes.heard.append(("cards on no cell", found))
        return found

    def _roughly(self, asked: Mask, free: Floats) -> Findings:
        """While something reaches over the mat's rim it is not worth the time to tell cards from hands."""
        taken = {self.names[number] for number in np.flatnonzero(asked & (free < CELLS.free))}
        return Findings(
            {self.names[number]: self._free for number in np.flatnonzero(asked & (free >= CELLS.free))},
            frozenset(taken),
        )

    def _where(self, kept: Mapping[str, Likelihoods], middles: Floats) -> Iterator[tuple[Floats, float]]:
        """About where the cards lie that are known to lie on these cells, and at which angle."""
        for number, name in enumerate(self.names):
            if name in kept:
                yield middles[number], float(self._angles[number]) + _likeliest(kept[name]).angle

    def _cards(self, numbers: Numbers, middles: Floats, view: FlatView) -> Iterator[tuple[int, CardOnCell]]:
        for number in numbers.tolist():
            if (found := self._card_on(number, middles[number], view)) is not None:
                yield number, found

    def _beside_each_other(
        self, lying: dict[int, CardOnCell], middles: Floats, view: FlatView
    ) -> dict[int, CardOnCell]:
        """The same, where no card lies on another: the less clear one is looked at again beside it, for what takes its
        colours from a neighbour is no such card."""
        for number in sorted(lying, key=lambda each: lying[each].shown.pattern):
            card = lying[number]
            near = [each for each in lying.values() if 0 < np.hypot(*(each.at - card.at)) < 2 * self.print.reach]
            clearer = [(each.at, each.angle) for each in near if each.shown.pattern > card.shown.pattern]
            if self.print.on_others(card.at[None], np.array([card.angle]), clearer).any():
                again = self._card_on(number, middles[number], view, clearer)
                lying = {each: found for each, found in lying.items() if each != number}
                lying |= {} if again is None else {number: again}
        return lying

    def _card_on(
        self, number: int, middle: Floats, view: FlatView, beside: Sequence[tuple[Floats, float]] = ()
    ) -> CardOnCell | None:
        """The card that lies on a cell, if one does; and on none of those that lie beside it."""
        barred = partial(self.print.on_others, others=beside) if beside else None
        aside, twists = self._coarse
        poses = middle + aside, self._angles[number] + twists, self._costs
        best = fit(self.print, view, poses, self._fine, barred=barred, least=CELLS.enough.whole)
        if best.shown.is_plain and best.shown.pattern < PRINT.clear and best.shown.is_enough(CELLS.enough, 0.0):
            # Among cards of one colour any place goes well: then it is looked at more closely about the cell.
            near = self._about_the_cell(number, middle)
            again = fit(self.print, view, near, self._fine, closely=len(near[0]), barred=barred)
            best = again if again.shown.pattern > best.shown.pattern else best
        if best.shown.pattern < PRINT.pattern and best.shown.whole >= CELLS.alone.whole:
            again = fit_unevenly(self.print, view, self._about_the_cell(number, middle), self._fine, barred)
            best = again if again.shown.pattern >= PRINT.pattern else best
        if not (self._is_on(best, number, middle) and best.shown.is_enough(CELLS.enough)):
            return None
        face = self.print.faces[best.best]
        return CardOnCell(
            self.names[number], self._likelihoods(best), best.at, best.angle + face.angle, face, best.shown
        )

    def _about_the_cell(self, number: int, middle: Floats) -> tuple[Floats, Floats, Floats]:
        """Places and angles at which people lay a card, and what each costs."""
        aside, twists = self._near
        return middle + aside, self._angles[number] + twists, np.hypot(*(aside / CELLS.usual).T) ** 2 / 2 / FIT.told

    def _likelihoods(self, best: Fit) -> dict[Face, float]:
        told = FIT.told * (best.worth - best.worth[best.best])
        found = {self.print.faces[number]: float(told[number]) for number in np.flatnonzero(told > -CELLS.far)}
        return found | {EMPTY: log(VERDICTS.doubt)}

    def _lawful(self, card: Loose, number: int, middle: Floats, view: FlatView) -> Face | None:
        """The face of a card that was found by itself, if it lies on this cell after all: looked at there, it is told
        more exactly how it lies."""
        faces = np.array([face.sheet == card.card for face in self.print.faces])
        near = self._about_the_cell(number, middle)
        best = fit(self.print, view, near, self._fine, np.flatnonzero(faces), closely=len(near[0]))
        is_there = np.hypot(*(best.at - card.at)) <= CELLS.same and best.shown.is_enough(CELLS.enough)
        return self.print.faces[best.best] if is_there and self._is_on(best, number, middle) else None

    def _is_on(self, lying: Fit, number: int, middle: Floats) -> bool:
        """Whether a card lies on a cell, as near and as straight as people are asked to lay it."""
        return bool(
            np.hypot(*(lying.at - middle)) <= CELLS.off and abs(lying.angle - self._angles[number]) <= CELLS.askew
        )

    def _is_reached_over(self, card: Loose, strange: Floats) -> bool:
        """Whether something strange lies beside a loose card: what is seen may be a hand, or be held in one."""
        away = np.hypot(*(strange - card.at).T)
        return bool(((away > self.print.reach * 1.4) & (away < CELLS.close + self.print.reach)).any())

    def _away(self, view: FlatView) -> Image:
        if self._apart is None:
            self._apart = away_from_print(view, view.sites[self._others], CELLS.clear_of_chips)
        return self._apart


def is_uneven(at: Floats, view: FlatView) -> Mask:
    """Which cells (n, 2) are light and dark side by side: a joker in haze is as grey as the mat in shadow, but its
    stars are not."""
    places = at[:, None] + _MIDDLE
    light = np.log((added(view.looks(places)) + FLOOR) / (added(view.ground(places)) + FLOOR))
    low, high = np.quantile(light, (0.15, 0.85), axis=1)
    return np.asarray(high - low > CELLS.uneven)


def looks_free(at: Floats, view: FlatView, mat: Floats) -> Floats:
    """For each cell (n, 2) how much of its middle looks like the mat, which has this tint there (n, 3)."""
    places = at[:, None] + _MIDDLE
    return np.asarray(looks_printed(view.looks(places), view.ground(places) * mat[:, None]).mean(axis=1))


def _shows_card(likelihoods: Likelihoods | None) -> bool:
    """Whether a card lies on a cell, most likely, and not askew."""
    face = _likeliest(likelihoods) if likelihoods else EMPTY
    return bool(face.sheet) and face.lawful


def _likeliest(likelihoods: Likelihoods) -> Face:
    return max(likelihoods, key=likelihoods.__getitem__)


def _candidate(lying: CardOnCell, reach: float) -> Candidate:
    x, y = lying.at.tolist()
    return Candidate(lying.face.kind, (x, y), reach / 2)
