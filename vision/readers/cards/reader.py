"""Cards on the cells of a lattice, and those that lie between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import partial
from math import log

import numpy as np

from engine.board import Board
from engine.face import EMPTY, Face
from engine.referee.reading import Likelihoods, Loose
from vision.flatten.colour import FLOOR, added
from vision.flatten.flat_view import FlatView, circle, looks_printed, tint_of
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.cards.card_print import CLEAR, CardPrint, Shown
from vision.readers.cards.fitting import TOLD, Fit, fit, grid
from vision.readers.cards.loose_cards import LooseCards, away_from_print, nearest
from vision.readers.cards.once import each_card_once
from vision.readers.paints import Paints
from vision.readers.reader import NOTHING, Candidate, Findings, Notes

OFF, ASKEW = 5.5, 9.5
"""Millimetres and degrees off its cell up to which a card lies on it: what people are promised, 4 and 6, and as much
again as the eye may be wrong."""
TRIED, TURNED = 8.5, 16.0
"""As far off it is looked for: what fits best beyond does not lie on the cell."""
USUAL, TWISTED = 2.5, 4.5
"""Millimetres and degrees, one sigma, by which cards are off: of two that fit alike the nearer is believed."""
FREE, TAKEN = 0.75, 0.4
"""Share of a cell's middle that looks like the mat: above one it is free, below the other something else is there."""
ENOUGH = (0.5, 0.42, -2.3)
"""How much of a card must be in sight (see `Shown`): what is more than half covered is hidden, and the inks are not
just any yellow or red."""
ALONE = (0.66, 0.6, -2.3)
"""The same where nothing strange is near that might cover it."""
BESIDE, CLOSE = (0.5, 0.42, -1.75), 33.0
"""The same of a card that lies so near, in millimetres, to something strange: that may reach over it."""
DOUBT = 0.002
"""How often, at best, a look at a cell is simply wrong."""
ODD = 0.8
"""How likely a cell is free that looks neither quite like the mat nor like any card."""
UNEVEN = 0.5
"""Log brightness by which the lighter parts of a cell's middle differ from the darker ones if it may be a joker."""
FAR = 12.0
"""Log-likelihood below the best from which a face is not worth a word."""
CLEAR_OF_CHIPS = 11.0
"""Millimetres about a place for a piece in which no card is sought."""

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

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        """Cards are printed as the mat is, so that no paints need be measured."""
        self.print = CardPrint(board)
        self.loose = LooseCards(self.print)
        self.askew = {face.sheet: face for face in board.faces.values() if face.sheet and not face.lawful}
        counted = np.array([name in board.counting for name in board.sites])
        self._numbers, self._others = np.flatnonzero(~counted), np.flatnonzero(counted)
        self.names = tuple(np.array(list(board.sites))[self._numbers].tolist())
        self._angles = np.array([board.sites[name].angle for name in self.names])
        self._free: Likelihoods = {EMPTY: log(1 - DOUBT)} | {self.print.faces[-1]: log(DOUBT)}
        self._odd = {EMPTY: log(ODD), self.print.faces[-1]: log(1 - ODD)}
        self._coarse, self._fine = grid(TRIED, 1.9, TURNED, 8.0), grid(1.1, 0.95, 4.0, 4.0)
        self._near = grid(4.0, 1.9, 0.0, 1.0)
        off, twist = np.hypot(*self._coarse[0].T), self._coarse[1]
        self._costs = ((off / USUAL) ** 2 + (twist / TWISTED) ** 2) / 2 / TOLD
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
        asked = np.array([name not in known for name in self.names])
        free = np.ones(len(self.names))
        free[asked] = looks_free(middles[asked], view, tint_of(middles, view))
        if rough:
            return self._roughly(asked, free)
        maybe = (free < FREE) | is_uneven(middles, view)
        lying = self._beside_each_other(dict(self._cards(np.flatnonzero(asked & maybe), middles, view)), middles, view)
        strange = np.array([number not in lying for number in range(len(self.names))]) & (free < TAKEN)
        for number, each in list(lying.items()):
            near = (np.hypot(*(middles[strange] - middles[number]).T) < CLOSE).any()
            if not each.shown.is_enough(*(BESIDE if near else ALONE)):
                del lying[number]
                strange[number] = True
        hidden = {self.names[number] for number in np.flatnonzero(strange)}
        bare = np.array([number not in lying for number in range(len(self.names))])
        sites = {self.names[number]: self._free for number in np.flatnonzero(asked & bare & ~strange)}
        sites |= {self.names[number]: self._odd for number in np.flatnonzero(asked & bare & ~strange & (free < FREE))}
        sites |= each_card_once({each.site: each.likelihoods for each in lying.values()})
        if notes is not None:
            notes.candidates += [_candidate(each, self.print.reach) for each in lying.values()]
            notes.heard.append(("print of the cards", Findings(sites, frozenset(hidden))))
        found_loose = self.loose.find(view, [(each.at, each.angle) for each in lying.values()], self._away(view))
        loose = [each for each in found_loose if not self._is_reached_over(each, middles[strange])]
        for card, name in nearest(loose, self.names, middles, bare, 2 * self.print.reach):
            hidden.discard(name)
            sites[name] = {self.askew[card.card]: log(1 - DOUBT), EMPTY: log(DOUBT)}
        found = Findings(sites, frozenset(hidden), loose=tuple(loose))
        if notes is not None:
            notes.heard.append(("cards on no cell", found))
        return found

    def _roughly(self, asked: Mask, free: Floats) -> Findings:
        """While something moves it is not worth the time to tell cards from hands."""
        taken = {self.names[number] for number in np.flatnonzero(asked & (free < FREE))}
        return Findings(
            {self.names[number]: self._free for number in np.flatnonzero(asked & (free >= FREE))}, frozenset(taken)
        )

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
        best = fit(self.print, view, poses, self._fine, barred=barred)
        if best.shown.is_plain and best.shown.pattern < CLEAR and best.shown.is_enough(*ENOUGH, 0.0):
            # Among cards of one colour any place goes well: then it is looked at more closely about the cell.
            aside, twists = self._near
            near = middle + aside, self._angles[number] + twists, np.hypot(*(aside / USUAL).T) ** 2 / 2 / TOLD
            again = fit(self.print, view, near, self._fine, closely=len(aside), barred=barred)
            best = again if again.shown.pattern > best.shown.pattern else best
        twist = best.angle - self._angles[number]
        if np.hypot(*(best.at - middle)) > OFF or abs(twist) > ASKEW:
            return None
        if not best.shown.is_enough(*ENOUGH):
            return None
        face = self.print.faces[best.best]
        return CardOnCell(
            self.names[number], self._likelihoods(best), best.at, best.angle + face.angle, face, best.shown
        )

    def _likelihoods(self, best: Fit) -> dict[Face, float]:
        told = TOLD * (best.worth - best.worth[best.best])
        found = {self.print.faces[number]: float(told[number]) for number in np.flatnonzero(told > -FAR)}
        return found | {EMPTY: log(DOUBT)}

    def _is_reached_over(self, card: Loose, strange: Floats) -> bool:
        """Whether something strange lies beside a loose card: what is seen may be a hand, or be held in one."""
        away = np.hypot(*(strange - card.at).T)
        return bool(((away > self.print.reach * 1.4) & (away < CLOSE + self.print.reach)).any())

    def _away(self, view: FlatView) -> Image:
        if self._apart is None:
            self._apart = away_from_print(view, view.sites[self._others], CLEAR_OF_CHIPS)
        return self._apart


def is_uneven(at: Floats, view: FlatView) -> Mask:
    """Which cells (n, 2) are light and dark side by side: a joker in haze is as grey as the mat in shadow, but its
    stars are not."""
    places = at[:, None] + _MIDDLE
    light = np.log((added(view.looks(places)) + FLOOR) / (added(view.ground(places)) + FLOOR))
    low, high = np.quantile(light, (0.15, 0.85), axis=1)
    return np.asarray(high - low > UNEVEN)


def looks_free(at: Floats, view: FlatView, mat: Floats) -> Floats:
    """For each cell (n, 2) how much of its middle looks like the mat, which has this tint."""
    places = at[:, None] + _MIDDLE
    return np.asarray(looks_printed(view.looks(places), view.ground(places) * mat).mean(axis=1))


def _candidate(lying: CardOnCell, reach: float) -> Candidate:
    x, y = lying.at.tolist()
    return Candidate(lying.face.kind, (x, y), reach / 2)
