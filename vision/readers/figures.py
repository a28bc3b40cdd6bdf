"""Figures on fields: as wide as what is printed under them, close to each other, on print of their own colours.

A free field is told by its light round: under a figure nothing of that can be seen. A figure is told by its colour all
over its outline; those nearer to the camera come first, for they hide part of what is behind them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Set

import cv2
import numpy as np

from engine.board import Board
from engine.face import EMPTY
from engine.referee.reading import Likelihoods, Loose, guess
from vision.flatten.colour import FLOOR, chroma, linear
from vision.flatten.flat_view import FlatView, circle
from vision.frame import Floats, Image
from vision.readers.free_rounds import find_rounds
from vision.readers.paints import Paints
from vision.readers.palette import Palette, strange
from vision.readers.reader import NOTHING, Candidate, Findings, Notes
from vision.readers.settings import FIGURES, VERDICTS
from vision.readers.site_readings import Claim, faces_of_site

NECK = 0.75
"""Of a figure's height: what has one colour from there to the top may be a figure although the field looks free."""
COARSE = 2
"""Every so many pixels of the flat picture are enough to find a figure that stands anywhere."""
_ROUND = circle(24)
_SPOTS = np.concatenate([[(0.0, 0.0)], 0.5 * _ROUND[::3], _ROUND[::2]])


class FigureReader:
    """Reads all sites of a board whose figures cover their fields."""

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        self.palette = Palette(board, paints)
        self.pieces = tuple(board.faces.tops[name] for name in self.palette.names)
        self.due = tuple(board.counts.get(piece, 0) for piece in self.pieces)
        figure = board.pieces[self.pieces[0]]
        self.radius, self.height = figure.diameter / 2, figure.height
        assert board.design is not None
        self.round, self.tint = board.design.radius, chroma(linear(board.design.light))
        self.names = tuple(board.sites)
        self.faces = (EMPTY, *map(board.faces.of, self.palette.names))

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """Likelihoods for every site but the known ones, and the sites that are hidden; a rough look is no
        different."""
        labels = view.without_table(self.palette.labels(view.codes))
        fronts = np.zeros(labels.shape, np.uint8)
        odds = find_rounds(view.sites, self.round, self.tint, view).odds
        tops, necks = (
            labels[view.pixels(view.appear(view.sites, view.plane.level + part * self.height))] for part in (1.0, NECK)
        )
        heads = (tops > 0) & (tops == necks)
        sites, hidden = {}, set()
        for number in np.argsort(np.linalg.norm(view.sites - view.eye[:2], axis=1)).tolist():
            name, at, free = self.names[number], view.sites[number], float(odds[number])
            if name in known:
                if name in before.sites and guess(before.sites[name]).best != EMPTY:
                    self._hide(at, fronts, view)
                continue
            claims: list[Claim] = []
            if free < FIGURES.seen_free or heads[number]:
                seen = find_rounds(at[None], self.round, self.tint, view, fronts)
                free = float(seen.odds[0])
                shown = bool((fronts[view.pixels(at + self.radius * _ROUND)] == 0).mean() > FIGURES.shown)
                colour = self.colour_at(at, labels, fronts, view, free >= 0.0 and shown)
                if colour is not None:
                    claims, free = [Claim(number, self.faces[colour + 1], number, VERDICTS.surest)], min(free, 0.0)
                    self._hide(at, fronts, view)
                    if notes is not None:
                        notes.candidates.append(self._candidate(colour, at, view))
                elif free < 0.0 and seen.in_part[0]:
                    free = 0.0
                elif free < 0.0:
                    hidden.add(name)
            if name not in hidden:
                sites[name] = faces_of_site(claims, free, {}, self.faces)
        told = {name: sites[name] for name in self.names if name in sites}
        found = Findings(
            told, frozenset(hidden), loose=() if rough else tuple(self._strays(told, labels, fronts, view))
        )
        if notes is not None:
            notes.heard.append(("colour and light round", found))
        return found

    def _strays(self, told: Mapping[str, Likelihoods], labels: Image, fronts: Image, view: FlatView) -> Iterator[Loose]:
        """Figures that stand on the board, but on no site: of the colours of which some are missing there."""
        standing = Counter(guess(likely).best for likely in told.values())
        size = np.pi * (self.radius * view.plane.px_per_mm / COARSE) ** 2
        in_sight = ((fronts == 0) & view.plane.known)[::COARSE, ::COARSE]
        for colour, (face, due) in enumerate(zip(self.faces[1:], self.due, strict=True)):
            if standing[face] >= due:
                continue
            mask = ((labels[::COARSE, ::COARSE] == colour + 1) & in_sight).astype(np.uint8)
            _, _, stats, middles = cv2.connectedComponentsWithStats(mask)
            large = [
                middle for row, middle in zip(stats[1:], middles[1:], strict=True) if row[4] >= FIGURES.large * size
            ]
            for middle in large:
                seen = view.plane.to_board(COARSE * np.asarray(middle))
                at = view.stand(seen, view.plane.level + self.height / 2)
                share = self._shares(at, labels, fronts, view)[colour]
                if share >= FIGURES.surely_filled and np.linalg.norm(view.sites - at, axis=1).min() > self.radius / 2:
                    yield Loose(self.pieces[colour], (float(at[0]), float(at[1])), 0.0, float(share))

    def _candidate(self, colour: int, at: Floats, view: FlatView) -> Candidate:
        top = view.plane.level + self.height
        x, y = view.appear(at, top).tolist()
        return Candidate(self.palette.names[colour], (x, y), self.radius * float(view.magnify(top)))

    def colour_at(
        self, site: Floats, labels: Image, fronts: Image, view: FlatView, looks_free: bool = False
    ) -> int | None:
        """The number of the colour of the figure that stands on a site, if one is in sight; where the site looks free,
        what stands beside it may seem to stand there."""
        shares = self._shares(site, labels, fronts, view)
        best = int(shares.argmax())
        if shares[best] > (FIGURES.surely_filled if looks_free else FIGURES.filled):
            return best
        return None if looks_free else self._colour_of_side(site, labels, fronts, view)

    def _colour_of_side(self, at: Floats, labels: Image, fronts: Image, view: FlatView) -> int | None:
        """The same for a figure whose head reflects a lamp, and has no colour of its own left: the side below it, which
        shows no lamp, tells it. No hand has such a colour, or is so much lighter than what is under it."""
        ring = FIGURES.within * self.radius * _ROUND
        head = view.appear(at + np.concatenate([[(0.0, 0.0)], ring / 2, ring]), view.plane.level + self.height)
        near = ring[ring @ view.towards(at) > FIGURES.near * FIGURES.within * self.radius]
        side = np.concatenate([view.appear(at + near, view.plane.level + part * self.height) for part in FIGURES.side])
        side, head = (places[fronts[view.pixels(places)] == 0] for places in (side, head))
        if min(len(side) / len(FIGURES.side) / len(near), len(head) / (1 + 2 * len(ring))) < FIGURES.half:
            return None
        shares = np.bincount(labels[view.pixels(side)], minlength=len(self.faces))[1:] / len(side)
        best, above = int(shares.argmax()), view.looks(head)
        dark, light = np.median(view.looks(side), axis=0), np.median(above, axis=0)
        is_glossy = light.sum() > FIGURES.glossy * (dark.sum() + FLOOR) and (light >= FIGURES.adds * dark).all()
        is_hand = strange(above).mean() >= FIGURES.hand and light.sum() <= 3 * FIGURES.brightest_hand
        return best if is_glossy and not is_hand and shares[best] > FIGURES.side_filled else None

    def _shares(self, at: Floats, labels: Image, fronts: Image, view: FlatView) -> Floats:
        """Of what is in sight of the outline that a figure would have here: how much has each colour."""
        spots = at + FIGURES.within * self.radius * _SPOTS
        outline = np.concatenate([view.appear(spots, view.plane.level + part * self.height) for part in FIGURES.levels])
        pixels = view.pixels(outline)
        in_sight = fronts[pixels] == 0
        if in_sight.mean() < FIGURES.least_seen:
            return np.zeros(len(self.faces) - 1)
        return np.asarray(np.bincount(labels[pixels][in_sight], minlength=len(self.faces))[1:] / in_sight.sum())

    def _hide(self, site: Floats, fronts: Image, view: FlatView) -> None:
        """Marks where a figure that stands here hides the board."""
        ring = site + self.radius * _ROUND
        ends = [view.appear(ring, view.plane.level + up) for up in (0.0, self.height)]
        hull = cv2.convexHull(view.plane.to_flat(np.vstack(ends)).astype(np.float32))
        cv2.fillConvexPoly(fronts, np.rint(hull).astype(np.int32), 1)
