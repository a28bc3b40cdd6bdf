"""Chips in rows: of a colour that nothing else on the board has, each on a printed place of its own, or absent."""

from __future__ import annotations

from collections.abc import Set
from math import exp, log

import numpy as np

from engine.board import Board
from engine.face import EMPTY
from vision.flatten.flat_view import FlatView, circle, looks_printed, tint_of
from vision.frame import Floats, Mask
from vision.readers.cards.inks import Inks
from vision.readers.cards.settings import CHIPS
from vision.readers.reader import NOTHING, Candidate, Findings, Notes

_SPOTS = np.concatenate([[(0.0, 0.0)], 0.5 * circle(6), circle(12)])


class ChipReader:
    """Reads the rows of a board."""

    def __init__(self, board: Board) -> None:
        """The chip's colour is told as the cards' are, from what is described."""
        (piece,) = {name for face in board.faces.lawful for name in face.pieces}
        self.piece = board.pieces[piece]
        self.face = board.faces.piled((piece,))
        self.names = tuple(name for name in board.sites if name in board.counting)
        self._numbers = np.array([number for number, name in enumerate(board.sites) if name in board.counting])
        others = sorted({patch.colour for patch in board.patches} | {"#e6b48c", "#a06a44"})
        self.inks = Inks([self.piece.colour, *(colour for colour in others if colour != self.piece.colour)])

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """Likelihoods for every place but the known ones, and those that are hidden; a rough look is no other."""
        at = view.sites[self._numbers]
        spots = at[:, None] + CHIPS.within * self.piece.diameter / 2 * _SPOTS
        top = view.appear(spots, view.plane.level + self.piece.height)
        codes = view.codes.reshape(-1, 3).take(view.plane.numbers(top), axis=0)
        chip = (self.inks.labels(codes) == 1).mean(axis=1)
        free = self._free(view, spots, chip < CHIPS.even)
        sites, hidden = {}, set()
        for name, place, share, printed in zip(self.names, at.tolist(), chip.tolist(), free.tolist(), strict=True):
            if name in known:
                continue
            if max(share, printed) < CHIPS.covered:
                hidden.add(name)
                continue
            odds = max(-CHIPS.loudest, min(CHIPS.loudest, CHIPS.slope * (share - CHIPS.even)))
            sites[name] = {self.face: -log(1 + exp(-odds)), EMPTY: -log(1 + exp(odds))}
            if notes is not None and odds > 0:
                notes.candidates.append(Candidate(self.face.kind, (place[0], place[1]), self.piece.diameter / 2))
        found = Findings(sites, frozenset(hidden))
        if notes is not None:
            notes.heard.append(("colour of the chips", found))
        return found

    def _free(self, view: FlatView, spots: Floats, bare: Mask) -> Floats:
        """How much of each place (n, p, 2) looks like its print, as it is or tinted as most of the bare places are:
        where a lamp outshines one of the camera's colours, all of them are."""
        looks, ground = view.looks(spots), view.ground(spots)
        free = looks_printed(looks, ground).mean(axis=1)
        if bare.sum() < CHIPS.enough_bare:
            return np.asarray(free)
        tint = tint_of(spots[bare].reshape(-1, 2), view)
        if np.abs(tint - 1).max() > CHIPS.tinted:
            return np.asarray(free)
        return np.asarray(np.maximum(free, looks_printed(looks, ground * tint).mean(axis=1)))
