"""Pawns: upright cylinders of one colour, at most one on a site."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.face import EMPTY
from vision.flatten.flat_view import FlatView
from vision.frame import Floats
from vision.readers.blobs import Blob, PieceShape, find_blobs, near_sites
from vision.readers.free_sites import free_odds, pattern_odds
from vision.readers.lone_pieces import lone_colours
from vision.readers.paints import Paints
from vision.readers.palette import Palette
from vision.readers.piece_outlines import outlined_pieces
from vision.readers.reader import NOTHING, Candidate, Findings, Notes
from vision.readers.settings import OUTLINES, PAWNS
from vision.readers.site_readings import Claim, faces_of_site


class PawnReader:
    """Reads all sites of a board whose pieces are pawns."""

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        self.palette = Palette(board, paints)
        pawn = board.pieces[board.faces.tops[self.palette.names[0]]]
        self.solid = PieceShape(pawn.diameter, pawn.height)
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
        """Likelihoods for every site but the known ones, and the hidden sites; a rough look leaves out what is hard to
        see."""
        where = np.array([name not in known for name in self.names])
        near = near_sites(view, self.solid.diameter + 2 * PAWNS.farthest, 0.0, self.solid.height, where)
        labels = view.without_table(self.palette.labels(view.codes), near)
        blobs = find_blobs(labels, self.palette.colours, view, self.solid, near, rough)
        told: list[list[Claim]] = [[] for _ in self.names]
        whole = np.zeros(len(self.names))
        for piece, blob in enumerate(blobs):
            away = self._away(np.array(blob.at), view)
            site = int(away.argmin())
            if away[site] < PAWNS.farthest:
                share = 1 / (1 + np.exp(PAWNS.stray + away[site] ** 2 / 2 / PAWNS.slip**2))
                told[site].append(Claim(site, self.faces[blob.label], piece, float(share)))
                whole[site] = max(whole[site], share * blob.seen)
        free = free_odds(view, where=where)
        # A pawn is thinner than its site's ring, so a visible ring says little against a pawn that is seen whole.
        free = np.where(free > 0, free * (1 - whole), free)
        if notes is not None:
            notes.candidates += [self._candidate(blob, view) for blob in blobs]
            notes.heard.append(("patch of colour", self._findings(told, np.zeros_like(free), where, frozenset())))
            notes.heard.append(("printed ring", self._findings(told, free, where, frozenset())))
        taken = np.array([max((claim.share for claim in claims), default=0.0) for claims in told])
        doubtful = np.flatnonzero((taken < 0.5) & (free < 0.0))
        if not rough:
            free[doubtful] = np.maximum(free[doubtful], pattern_odds(view.sites[doubtful], view))
            doubtful = doubtful[free[doubtful] < 0.0]
        hidden: set[int] = set()
        for site, colours in zip(doubtful.tolist(), self._alone(doubtful, view, rough), strict=True):
            if not colours:
                hidden.add(site)
            for colour in colours:
                told[site].append(Claim(site, self.faces[colour + 1], len(blobs) + site, OUTLINES.sure / len(colours)))
        found = self._findings(told, free, where, hidden)
        if notes is not None:
            notes.heard.append(("pattern and outline", found))
        return found

    def _findings(
        self, told: Sequence[Sequence[Claim]], free: Floats, where: npt.NDArray[np.bool_], hidden: Set[int]
    ) -> Findings:
        sites = {
            name: faces_of_site(told[number], float(free[number]), {}, self.faces)
            for number, name in enumerate(self.names)
            if where[number] and number not in hidden
        }
        return Findings(sites, frozenset(self.names[number] for number in hidden))

    def _candidate(self, blob: Blob, view: FlatView) -> Candidate:
        radius = self.solid.diameter / 2 * float(view.magnify(view.plane.level + self.solid.height))
        return Candidate(self.palette.names[blob.label - 1], blob.at, radius)

    def _alone(self, sites: npt.NDArray[np.intp], view: FlatView, rough: bool) -> list[tuple[int, ...]]:
        """For each of these sites, the numbers of the colours the pawn there may have; none if it cannot be seen."""
        told = lone_colours(view.sites[sites], self.solid, self.palette, view) if len(sites) else []
        lone: list[tuple[int, ...]] = [() if colour is None else (colour,) for colour in told]
        if rough:
            return lone
        spans = [(0.0, self.solid.height)]
        outlined = outlined_pieces(view.sites[sites], self.solid.diameter / 2, spans, self.palette, view)
        return [one.colours if one and not colours else colours for colours, one in zip(lone, outlined, strict=True)]

    def _away(self, seen: Floats, view: FlatView) -> Floats:
        """For every site, how far away a pawn stands if its colour is centred here.

        On the side away from the lamp it may be too dark to show its colour: then the centre is that of the top.
        """
        foot = view.stand(seen, view.plane.level + self.solid.height / 2)
        off = view.sites - foot
        along = np.abs(off @ view.towards(seen))
        across = np.sqrt(np.maximum((off**2).sum(axis=1) - along**2, 0.0))
        slack = float(view.lean(seen)) * self.solid.height / 2
        return np.asarray(np.hypot(across, np.maximum(along - slack, 0.0)))
