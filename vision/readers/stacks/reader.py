"""Stacks of stones under colour markers: for every site how likely each colour and height is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from functools import partial

import numpy as np

from engine.board import Board
from engine.face import BARE, EMPTY, Face
from vision.flatten.colour import chroma, linear
from vision.flatten.flat_view import FlatView, looks_printed
from vision.frame import Floats, Image, Mask, Numbers
from vision.readers.blobs import Blob, PieceShape, find_blobs, near_sites
from vision.readers.free_sites import free_odds, ground_share, pattern_odds
from vision.readers.paints import Paints
from vision.readers.palette import Palette
from vision.readers.piece_outlines import OutlinedPiece, outlined_pieces
from vision.readers.reader import NOTHING, Candidate, Findings, Notes
from vision.readers.settings import FREE_SITES, OUTLINES
from vision.readers.site_readings import Claim, faces_of_site
from vision.readers.stacks.evidence import StackEvidence
from vision.readers.stacks.heights import CIRCLE, StackRuler
from vision.readers.stacks.marker_claims import MarkerClaims, trusted
from vision.readers.stacks.marker_slivers import find_sliver
from vision.readers.stacks.second_opinion import Advisor
from vision.readers.stacks.settings import OPINION, RULER, SITES, SLIVERS, STONES
from vision.readers.stacks.site_network import SiteNetwork
from vision.readers.stacks.unmarked_stacks import bare_heights, has_top, middle_off_wood


class StackReader:
    """Reads all sites of a board whose figures are stones under a marker."""

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        self.palette = Palette(board, paints)
        stone, marker = next(face.pieces[-2:] for face in board.faces.lawful if len(face.pieces) > 1)
        self.stone, self.marker = board.pieces[stone], board.pieces[marker]
        self.names = tuple(board.sites)
        self.stacks = tuple(
            tuple(board.faces.of(kind, level) for level in range(1, RULER.tallest + 1))
            for kind in (BARE, *self.palette.names)
        )
        """By the label of their marker, 0 for none, the lowest first."""
        self.faces: tuple[Face, ...] = (EMPTY, *(face for stacks in self.stacks for face in stacks))
        bright = np.array(RULER.bright)
        contrast = np.abs(np.log(self.palette.colours @ bright / (linear(self.stone.colour) @ bright)))
        smaller = np.where(contrast < RULER.contrast, RULER.smaller, 0.0)
        self.ruler = StackRuler(self.stone, self.marker, smaller)
        self.solid = PieceShape(self.marker.diameter, self.marker.height, 2 * self.stone.height)
        network = SiteNetwork(self.stone.height * np.arange(1.0, 4.0) + self.marker.height)
        dyes = np.array([linear(board.pieces[name].colour) for name in board.faces.tops.values()])
        off = np.linalg.norm(chroma(self.palette.colours) - chroma(dyes), axis=1).max()
        self.advisor = Advisor(self.names, self.stacks, network.tell, bool(off < OPINION.familiar))

    def read(
        self,
        view: FlatView,
        rough: bool = False,
        known: Set[str] = frozenset(),
        notes: Notes | None = None,
        before: Findings = NOTHING,
    ) -> Findings:
        """Likelihoods for every site but the known ones, and the sites that are hidden; a rough look leaves out
        shadows, how high stacks without a marker are, and what is hard to see."""
        where = np.array([name not in known for name in self.names])
        found = self._marked(view, where, rough, notes)
        for witness, hear in self._witnesses(rough):
            hear(found)
            if notes is not None:
                notes.heard.append((witness, found.readings(self.names, where, self.faces)))
        findings = found.readings(self.names, where, self.faces)
        findings = self.advisor.reconsider(findings, view, found.blind, rough, found.burnt)
        if notes is not None:
            notes.heard.append(("second opinion", findings))
        return findings

    def _witnesses(self, rough: bool) -> Iterator[tuple[str, Callable[[StackEvidence], None]]]:
        """What is asked after markers and rings, in this order."""
        yield "printed ring", lambda _: None
        if not rough:
            yield "printed pattern", _hear_patterns
            yield "marker's outline", self._see_outlines
            yield "sliver of a marker", self._see_covered
        yield "stones or a hand", partial(self._see_bare, rough=rough)
        if not rough:
            yield "sliver on stones", self._see_capped
        yield "hand or sleeve", partial(self._see_buried, rough=rough)
        yield "blocked view", partial(self._see_veiled, rough=rough)

    def _marked(self, view: FlatView, where: Mask, rough: bool, notes: Notes | None) -> StackEvidence:
        """What the markers and the printed rings say."""
        span = (self.marker.diameter + 2 * RULER.farthest, self.ruler.tall[0], self.ruler.tall[-1] + self.marker.height)
        anywhere = near_sites(view, *span)
        labels = view.without_table(self.palette.labels(view.codes), anywhere) & anywhere
        near = near_sites(view, *span, where)
        blobs = find_blobs(labels, self.palette.colours, view, self.solid, near, rough)
        note = partial(self._note, notes) if notes is not None else None
        claims = self.ruler.measure(blobs, labels, view, rough, note)
        if notes is not None:
            notes.candidates += [self._candidate(blob, view) for blob in claims.blobs]
        fronts = self.ruler.fronts(claims, view)
        free = free_odds(view, fronts, where)
        return StackEvidence(view, labels, fronts, *self._claimed(claims), free, free < 0.0)

    def _candidate(self, blob: Blob, view: FlatView) -> Candidate:
        radius = self.marker.diameter / 2 * float(view.magnify(view.plane.level + self.ruler.tall[1]))
        return Candidate(self.palette.names[blob.label - 1], blob.at, radius)

    def _note(self, notes: Notes, witness: str, claims: MarkerClaims) -> None:
        """Take down what markers say so far."""
        told = enumerate(self._claimed(trusted(claims))[0])
        sites = {self.names[site]: faces_of_site(said, 0.0, {}, self.faces) for site, said in told if said}
        notes.heard.append((witness, Findings(sites)))

    def _claimed(self, claims: MarkerClaims) -> tuple[list[list[Claim]], Floats, Mask, Image]:
        """For every site: what markers say of it, how sure it has one, whether that has a marker's shape; and the label
        of its colour, by the site's number and 1."""
        shares, count = claims.shares.copy(), len(self.names)
        taken, whole = np.zeros(count), np.zeros(count, dtype=bool)
        markers = np.zeros(count + 1, np.uint8)
        told: list[list[Claim]] = [[] for _ in self.names]
        for piece, blob in enumerate(claims.blobs):
            if blob.larger is None:
                shares[piece] *= 1 - SITES.unseen * (1 - blob.seen)
            for height in range(RULER.tallest):
                site = int(claims.sites[piece, height])
                if site >= 0 and shares[piece, height] > 1e-6:
                    told[site].append(Claim(site, self.stacks[blob.label][height], piece, float(shares[piece, height])))
                    taken[site] = max(taken[site], float(shares[piece][claims.sites[piece] == site].sum()))
                    whole[site] |= blob.shaped
                    if shares[piece, height] > 0.5:
                        markers[site + 1] = blob.label
        return told, taken, whole, markers

    def _see_outlines(self, found: StackEvidence) -> None:
        """Markers told by their outline."""
        sites = np.flatnonzero(found.unmarked & (found.free < 0.0))
        for site, outlined in zip(sites.tolist(), self._outlines(sites, found.view), strict=True):
            if outlined is not None:
                faces = [self.stacks[each + 1][n] for each in outlined.colours for n in outlined.heights]
                for face in faces:
                    found.add(Claim(site, face, -1 - site, OUTLINES.sure / len(faces)))
                found.taken[site], found.whole[site] = OUTLINES.sure, True
                if len(outlined.colours) == len(self.palette.names):
                    found.burnt.add(site)

    def _outlines(self, sites: Numbers, view: FlatView) -> list[OutlinedPiece | None]:
        spans = [(tall, tall + self.marker.height) for tall in self.ruler.tall[: SLIVERS.tallest]]
        return outlined_pieces(view.sites[sites], self.marker.diameter / 2, spans, self.palette, view)

    def _see_covered(self, found: StackEvidence) -> None:
        """Markers of which other stacks leave little to be seen."""
        for site in np.flatnonzero(
            found.unmarked & (found.free >= 0.0) & (found.free <= FREE_SITES.not_seen_odds)
        ).tolist():
            if self._see_sliver(site, found):
                found.taken[site], found.whole[site], found.free[site] = SLIVERS.sure, True, STONES.topped

    def _see_capped(self, found: StackEvidence) -> None:
        """Markers on what seemed to be stones alone, of which a thing before them leaves little to be seen."""
        for site in sorted(found.bare):
            if self._see_sliver(site, found, on_stones=True):
                del found.bare[site]

    def _see_sliver(self, site: int, found: StackEvidence, on_stones: bool = False) -> bool:
        tall, radius = self.ruler.tall[: SLIVERS.tallest] + self.marker.height, self.marker.diameter / 2
        view = found.view
        sliver = find_sliver(view.sites[site], radius, tall, found.labels, found.fronts, found.markers, view, on_stones)
        if sliver is None:
            return False
        found.blind.add(site)
        for height in sliver.heights:
            face = self.stacks[sliver.label][height]
            found.add(Claim(site, face, -1 - site, SLIVERS.sure / len(sliver.heights)))
        return True

    def _see_bare(self, found: StackEvidence, rough: bool) -> None:
        """Of sites without a marker that do not show their ring as it should look: stacks without one and how high they
        are, and hidden ones. How likely those are free that such a stack stands before is told anew."""
        view, free, fronts = found.view, found.free, found.fronts.copy()
        # Of rings that nobody sees it is only known that most are free: a marker there says more.
        free[~found.unmarked & (free == FREE_SITES.not_seen_odds)] = 0.0
        far = np.linalg.norm(view.sites - view.eye[:2], axis=1)
        left = found.unmarked & found.strange
        while left.any():
            sites = np.flatnonzero(left)[np.argsort(far[left])]
            bare = self._is_bare(sites, free, view, fronts, rough)
            nearest = int(bare.argmax()) if bare.any() else len(sites)
            found.hidden |= {int(site) for site in sites[:nearest] if free[site] < 0.0}
            left[sites[: nearest + 1]] = False
            if nearest < len(sites):
                site = int(sites[nearest])
                shares = self._bare_shares(view.sites[site], view, fronts, rough)
                found.bare[site] = {face: float(share) for face, share in zip(self.stacks[0], shares, strict=True)}
                tall = float(self.ruler.tall[shares.argmax()])
                self.ruler.cover(fronts, site, view.sites[site], tall, view, marked=False)
                rings = view.sites[:, None] + self.stone.diameter / 2 * CIRCLE
                behind = found.unmarked & (far > far[site]) & (fronts[view.pixels(rings)] == site + 1).any(axis=1)
                free[behind] = free_odds(view, fronts, behind)[behind]
                left |= behind
        for site in found.bare:
            free[site] = min(free[site], STONES.topped)

    def _is_bare(self, sites: Numbers, free: Floats, view: FlatView, fronts: Image, rough: bool) -> Mask:
        """Which of these sites have a stack without a marker."""
        at, ringed = view.sites[sites], free[sites] >= 0.0
        ground = ground_share(at, view, fronts)
        bare = (ground > STONES.open + STONES.opener * (middle_off_wood(at, view) - STONES.stony)) & ~ringed
        if rough:
            return np.asarray(bare)
        top = has_top(at, self.ruler.tall, self.stone.diameter / 2, view, fronts, ground > STONES.lone) & (
            ground > STONES.buried
        )
        for doubtful in np.flatnonzero((bare & ~top) | (top & ringed)):
            # What is taller than any stack, such as a finger, is most like the tallest.
            top[doubtful] = self._bare_shares(at[doubtful], view, fronts, rough)[:-1].max() > STONES.standing
        return np.asarray(top)

    def _bare_shares(self, at: Floats, view: FlatView, fronts: Image, rough: bool) -> Floats:
        """How likely each height is of a stack without a marker."""
        if rough:
            return np.full(RULER.tallest, 1 / RULER.tallest)
        heights = bare_heights(at[None], self.ruler.tall, self.stone.diameter / 2, view, fronts)[0]
        return np.asarray(np.exp(heights - np.logaddexp.reduce(heights)))

    def _see_buried(self, found: StackEvidence, rough: bool) -> None:
        """Sites with a marker's colour, but hardly any board about them: a sleeve or a hand has that colour."""
        claimed = np.flatnonzero(~found.unmarked & ~found.whole & (found.free < 0.0))
        if not len(claimed):
            return
        doubtful = claimed[ground_share(found.view.sites[claimed], found.view, found.fronts) < STONES.buried]
        # Under the lamp's gloss print does not look as printed; but a marker ends at its rim there too.
        outlines = [None] * len(doubtful) if rough else self._outlines(doubtful, found.view)
        found.hidden |= {site for site, outline in zip(doubtful.tolist(), outlines, strict=True) if outline is None}

    def _see_veiled(self, found: StackEvidence, rough: bool) -> None:
        """Of sites whose rings are not seen or hardly, those where a figure would be hidden too: behind stacks, or by
        something that is no print where it would be seen."""
        faint = found.unmarked & (found.free > 0.0) & (found.free <= FREE_SITES.not_seen_odds)
        view, sites = found.view, np.flatnonzero(faint)
        rounds = np.concatenate([share * self.marker.diameter / 2 * CIRCLE for share in SITES.rounds])
        tops = view.plane.level + self.ruler.tall[: SLIVERS.tallest] + self.marker.height
        places = view.appear(view.sites[sites][:, None, None] + rounds, tops[:, None])
        seen = found.fronts[view.pixels(places)] == 0
        if not rough:
            strange = _is_strange(places, seen, view)
            # Where a ring seems to be seen, nothing less than a hand over all that could stand there hides it.
            covered = np.where(found.free[sites] == FREE_SITES.not_seen_odds, strange.any(axis=1), strange.all(axis=1))
            found.hidden |= set(sites[covered].tolist())
        for site, shares in zip(sites.tolist(), seen.mean(axis=2), strict=True):
            heights = np.flatnonzero(shares < SITES.hardly)
            if len(heights) and site not in found.hidden and found.free[site] == FREE_SITES.not_seen_odds:
                faces = [stacks[height] for stacks in self.stacks for height in heights]
                found.leave_open(site, faces, -np.log(len(faces) * SITES.veiled))
                found.blind.add(site)


def _is_strange(places: Floats, seen: Mask, view: FlatView) -> Mask:
    """Whether what is seen of these places (sites, heights, n, 2) is not the board's print."""
    on_board = seen & view.plane.known[view.pixels(places)]
    printed = looks_printed(view.looks(places), view.ground(places)) & on_board
    return np.asarray(
        (on_board.mean(axis=2) > SITES.enough) & (printed.sum(axis=2) < SITES.printed * on_board.sum(axis=2))
    )


def _hear_patterns(found: StackEvidence) -> None:
    """How likely sites are free, with what the patterns say of those that have no marker, or a ring and a marker; and
    which do not look as printed."""
    sites = np.flatnonzero(found.unmarked | (found.free > 0.0))
    pattern = pattern_odds(found.view.sites[sites], found.view, found.fronts, own=sites + 1)
    ringed, marked, told = found.free[sites], ~found.unmarked[sites], found.free.copy()
    unlike = (pattern < SITES.unlike) & (ringed < SITES.certain) & ~marked
    told[sites] = np.where(
        ringed < 0.0, np.maximum(ringed, pattern), np.where(unlike, np.minimum(ringed, SITES.doubted), ringed)
    )
    denied = (pattern < SITES.denied) & (marked | (ringed < SITES.doubted))
    told[sites[denied]] = pattern[denied]
    found.free, found.strange = told, told < 0.0
    found.strange[sites] |= unlike
