"""One look at the table: from a picture to a reading. The recipe, step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from copy import copy
from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.board import DICTIONARY, Board
from engine.referee.reading import Reading
from vision.find.fiducials import Corners, find_fiducials, follow_fiducials, spot_fiducials
from vision.find.lens import Lens
from vision.find.not_found import BoardNotFoundError, pose_ids, sought_ids, why_not_found
from vision.find.pose import BoardPose, find_pose
from vision.flatten.board_plane import BoardPlane, Pictures
from vision.flatten.flat_view import FlatView
from vision.flatten.light import Illumination, PlainPrint, added, estimate, terms_of
from vision.flatten.reference_patches import ReferencePatches
from vision.flatten.sheet_slack import SheetSlackReader
from vision.flatten.sheet_turns import SheetTurnReader
from vision.frame import GLANCE, Floats, Frame, Image
from vision.motion import UNKNOWN, Coarse, changes, coarse, differing
from vision.readers.figures import FigureReader
from vision.readers.paints import Paints, paints_of
from vision.readers.pawns import PawnReader
from vision.readers.site_readings import SiteReadings
from vision.readers.stacks.reader import StackReader

FOLLOW_REACH = 5
"""Pixels by which a corner may have moved since the frame before; more, and the board is sought anew."""
FOLLOW_LEAST, FOLLOW_SHARE = 2, 0.7
"""So many fiducials of the frame before must be found again just where they were, or such a share of them elsewhere."""
FOLLOW_FIT, FOLLOW_WORSE = 0.3, 1.5
"""Pixels, and times the fit before: fiducials that fit worse were not followed but mistaken."""
FEW, FEW_FIT = 4, 1.2
"""So few fiducials fit any pose well, and say nothing of how well more of them can: pixels."""
SPOTTED = 0.5
"""Share of the board's fiducials that must be seen at first sight, if it is to be enough."""
STOOD = 0.15
"""Pixels by which fiducials may fit the pose before worse than they did: camera and board stood still."""
EVEN = 7
"""Pixels of the flat picture about a place that must be of one colour: the base is seen shifted by so much."""
PARTLY = 0.5
"""Of what is seen of the board: if less than this changed, it was no lamp."""
MOST_PLAIN = 900
"""Places by which the light is told, on the tiles and on the base each."""


__all__ = ["BoardNotFoundError", "Eye", "Look"]


@dataclass(frozen=True, eq=False)
class Flat:
    """The board laid flat."""

    codes: Image
    """In even white light."""
    light: Illumination
    """What fell on it."""
    glance: Image
    """The camera's picture of it, coarsely: to see whether anything changes."""


@dataclass(frozen=True, eq=False)
class Look:
    """What one picture showed, with what it was read by."""

    reading: Reading
    pose: BoardPose
    flat: Flat
    cells: Coarse
    """The flat picture coarsely: to see what moves next."""
    sites: Floats
    """Where the sites are, millimetres: where their sheets lie."""
    rough: bool = False
    """Whether it was a hasty look while something moved, to be made again when nothing does."""


class Eye:
    """Reads pictures of one board. It is told nothing of rules."""

    def __init__(
        self,
        board: Board,
        pictures: Pictures,
        lens: Lens | None = None,
        games: Mapping[str, frozenset[int]] | None = None,
        paints: Paints | None = None,
    ) -> None:
        """`games`: the fiducial ids of every game's board, to tell which other board is in a picture. `paints`: the
        colours of this set's pieces, where they were measured."""
        self.board = board
        self.lens = lens
        self.games = games or {}
        self.sought = sought_ids(board, self.games)
        self.plane = BoardPlane(board, pictures)
        self.terms = np.ascontiguousarray(np.moveaxis(terms_of(self.plane.cell_places()), -1, 0), dtype=np.float32)
        widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
        self.turn_reader = SheetTurnReader(board, self.plane, clear=widest / 2 + 2)
        self.slack_reader = SheetSlackReader(board, self.plane, clear=widest / 2 + 2)
        self.paints = paints_of(board, paints)
        self.site_reader = _site_reader(board, self.paints)
        self.plain = _plain_places(board, self.plane, widest / 2 + 3)
        self.patches = ReferencePatches.of(board, self.plane)

    def with_paints(self, paints: Paints) -> Eye:
        """The same eye, looking for pieces of these colours."""
        other = copy(self)
        other.paints = paints_of(self.board, paints)
        other.site_reader = _site_reader(self.board, other.paints)
        return other

    def view(self, look: Look) -> FlatView:
        """What a look was read from, to measure on it."""
        turns = _turns(look.reading.sheets)
        return FlatView(look.flat.codes, look.pose.eye, self.plane, turns, look.sites, look.pose.focal_doubt)

    def look(self, frame: Frame, before: Look | None = None) -> Look:
        """The reading of a picture; raises `BoardNotFoundError` if the board is not in it.

        `before` is the look at the frame before, if any: then the fiducials are first sought where they were.
        """
        grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
        lens = self.lens.scaled(frame.size) if self.lens else None
        pose = self.follow(grey, before.pose, lens) if before is not None else None
        if before is None or pose is not before.pose:
            return self.read(frame, pose or self._spot(grey, lens) or self._find(grey, lens), before)
        changed = differing(before.flat.glance, frame.glance, self.plane.in_camera(pose, GLANCE))
        if not before.rough and self.board.sites and not changed.any():
            return replace(before, reading=replace(before.reading, moving=frozenset()))
        return self.read(frame, pose, before, changed)

    def _find(self, grey: Image, lens: Lens | None) -> BoardPose:
        """The pose from all fiducials in the picture."""
        found = find_fiducials(grey, DICTIONARY, self.sought)
        pose = find_pose(found.corners, self.board, _size(grey), lens)
        if pose is None or found.twice & pose_ids(self.board):
            raise BoardNotFoundError(why_not_found(found, self.board, self.games))
        return pose

    def _spot(self, grey: Image, lens: Lens | None) -> BoardPose | None:
        """The pose from the fiducials that are seen at first sight, and from the others where they must be then; None
        unless most of them are, and no more than once."""
        found = spot_fiducials(grey, DICTIONARY, self.sought)
        pose = None if found.twice else find_pose(found.corners, self.board, _size(grey), lens)
        if pose is None or len(pose.fiducials) < SPOTTED * len(self.board.fiducials):
            return None
        expected = pose.expected_corners(self.board)
        others = {fiducial: four for fiducial, four in expected.items() if fiducial not in found.corners}
        more = follow_fiducials(grey, others, FOLLOW_REACH)
        return find_pose({**found.corners, **more}, self.board, _size(grey), lens, pose) if more else pose

    def follow(self, grey: Image, before: BoardPose, lens: Lens | None) -> BoardPose | None:
        """The pose from the fiducials where they were a moment ago; None unless enough of them are still there.

        If some stand just there, the camera has not moved, whatever a hand covers; then fiducials that come into sight
        elsewhere than expected make the pose better.
        """
        if before.lens.size != _size(grey):
            return None
        expected = before.expected_corners(self.board)
        found = follow_fiducials(grey, expected, FOLLOW_REACH)
        known = {fiducial: four for fiducial, four in found.items() if fiducial in before.fiducials}
        if len(known) < FOLLOW_LEAST:
            return None
        if _off(known, expected) < before.fit + STOOD:
            if _off(found, expected) < before.fit + STOOD:
                return before
            pose = find_pose(found, self.board, before.lens.size, lens, before)
            better = pose is not None and len(pose.fiducials) > len(before.fiducials) and pose.fit <= _worst_fit(before)
            return pose if better else before
        if len(known) < max(3, FOLLOW_SHARE * len(before.fiducials)):
            return None
        pose = find_pose(known, self.board, before.lens.size, lens, before)
        return None if pose is None or pose.fit > _worst_fit(before) else pose

    def read(self, frame: Frame, pose: BoardPose, before: Look | None = None, changed: Image | None = None) -> Look:
        """The reading of a picture whose pose is known.

        `changed`: if that is the pose before, where (255) anything changed since, seen at a glance.
        """
        partly = self._partly(frame, before, changed) if before is not None and changed is not None else None
        flat = partly or self._flat(frame, pose)
        cells = coarse(flat.codes)
        stirred = changes(self.board, self.plane, pose.eye, before.cells, cells) if before is not None else UNKNOWN
        if before is not None and not before.rough and self.board.sites and stirred.none:
            # The cells stay those that were read, so that slow changes add up until they are seen.
            return replace(before, reading=replace(before.reading, moving=frozenset()), pose=pose, flat=flat)
        moving, still = stirred.moving, stirred.still
        if partly and not moving:
            return self.read(frame, pose, before)
        sheets = self.turn_reader.read(flat.codes, self._lying(before, still) if before is not None and moving else {})
        where = before.sites if before is not None and moving else self.slack_reader.sites(flat.codes, _turns(sheets))
        view = FlatView(flat.codes, pose.eye, self.plane, _turns(sheets), where, pose.focal_doubt)
        # What a better look said of sites about which nothing changed still holds.
        known = before.reading.sites if before is not None and moving else {}
        kept = {site: known[site] for site in still if site in known}
        under = before.reading.hidden & still if before is not None and moving else frozenset()
        told = SiteReadings({}, frozenset())
        if self.site_reader is not None:
            told = self.site_reader.read(view, rough=bool(moving), known=kept.keys() | under)
        hidden = told.hidden | under
        reading = Reading({**told.sites, **kept}, sheets, hidden, bool(hidden), moving)
        return Look(reading, pose, flat, cells, where, bool(moving))

    def _flat(self, frame: Frame, pose: BoardPose) -> Flat:
        """A picture laid flat, in its own light."""
        laid = self.plane.laid(pose)
        flat = self.plane.flatten(frame.bgr, pose, laid)
        light = self._light(flat)
        return Flat(light.normalise(flat, self.terms, laid), light, frame.glance)

    def _partly(self, frame: Frame, before: Look, changed: Image) -> Flat | None:
        """The flat picture before, with what changed since; None if nothing did, or so much that the light may have."""
        seen = self.plane.in_camera(before.pose, GLANCE)
        part, flat = self.plane.part_of(changed, before.pose, GLANCE), before.flat
        if part is None or cv2.countNonZero(changed) > PARTLY * cv2.countNonZero(seen):
            return None
        laid = self.plane.flatten(frame.bgr, before.pose, part)
        glance = cv2.copyTo(frame.glance, changed, flat.glance.copy())
        return Flat(flat.light.normalise(laid, self.terms, part, flat.codes), flat.light, np.asarray(glance, np.uint8))

    def _light(self, flat: Image) -> Illumination:
        """The light, and what the camera makes of it."""
        light = estimate(flat, self.plain, self.patches.contrast(flat))
        return replace(light, paleness=self.patches.paleness(flat, light))

    def _lying(self, before: Look, still: Set[str]) -> dict[str, tuple[float, ...]]:
        """How sheets were seen to lie before on whose sites nothing has changed since."""
        stirred = {site.sheet for name, site in self.board.sites.items() if name not in still}
        return {name: values for name, values in before.reading.sheets.items() if name not in stirred}


def _size(grey: Image) -> tuple[int, int]:
    return grey.shape[1], grey.shape[0]


def _off(found: Corners, expected: Corners) -> float:
    """How far found corners are from where they are expected, pixels."""
    misses = np.concatenate([found[fiducial] - expected[fiducial] for fiducial in found])
    return float(np.sqrt((misses**2).sum(axis=1).mean()))


def _worst_fit(before: BoardPose) -> float:
    limit = FOLLOW_FIT + FOLLOW_WORSE * before.fit
    return limit if len(before.fiducials) > FEW else max(limit, FEW_FIT)


def _turns(sheets: Mapping[str, Sequence[float]]) -> tuple[int, ...]:
    return tuple(max(range(len(values)), key=values.__getitem__) for values in sheets.values())


def _site_reader(board: Board, paints: Paints | None) -> StackReader | PawnReader | FigureReader | None:
    """What reads the pieces of this board."""
    make = _reader_of(board)
    return None if make is None else make(board, paints)


def _reader_of(board: Board) -> Callable[[Board, Paints | None], StackReader | PawnReader | FigureReader] | None:
    """What can read the pieces of this board, by what they look like."""
    if board.cards or not board.sites:
        return None
    if "stone" in board.pieces and any(name.startswith("marker-") for name in board.pieces):
        return StackReader
    prefixes = {name.split("-")[0] + "-" for name in board.pieces if "-" in name}
    if prefixes == {"figure-"}:
        return lambda board, paints: FigureReader(board, "figure-", paints)
    return (lambda board, paints: PawnReader(board, "pawn-", paints)) if prefixes == {"pawn-"} else None


def has_reader(board: Board) -> bool:
    """Whether the pieces of this board can be read."""
    return _reader_of(board) is not None


def _plain_places(board: Board, plane: BoardPlane, clear: float) -> PlainPrint:
    """Places of even print that turning does not change and pieces hardly ever cover, on tiles and on the base."""
    most = max((sheet.turns for sheet in board.turnable), default=1)
    every = [plane.expected(tuple(turn % sheet.turns for sheet in board.turnable)) for turn in range(most)]
    kernel = np.ones((EVEN, EVEN), np.uint8)
    plain = plane.known & plane.clear_of_sites(clear)
    for picture in every:
        uneven = np.maximum.reduce(cv2.split(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, kernel)))
        plain &= uneven < 0.03 + 0.1 * added(picture) / 3
    turning = np.maximum.reduce(every) - np.minimum.reduce(every)
    plain &= np.maximum.reduce(cv2.split(turning)) < 0.01
    plain &= np.minimum.reduce(cv2.split(every[0])) > 0.01
    chosen = []
    for part in (plain & plane.raised, plain & ~plane.raised):
        pixels = np.flatnonzero(part)
        chosen.append(pixels[:: max(1, len(pixels) // MOST_PLAIN)])
    pixels = np.concatenate(chosen)
    rows, columns = np.unravel_index(pixels, plain.shape)
    places = plane.to_board(np.column_stack([columns, rows]))
    return PlainPrint.of(pixels, places, every[0].reshape(-1, 3)[pixels].astype(float))
