"""Where the board is in a picture: followed from the last frame, spotted at first sight, or searched for thoroughly."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import numpy as np

from engine.board import DICTIONARY, Board
from vision.find.fiducials import Corners, find_fiducials, follow_fiducials, spot_fiducials
from vision.find.lens import Lens
from vision.find.not_found import (
    BoardNotFoundError,
    LensContradictedError,
    other_games,
    pose_ids,
    sought_ids,
    why_not_found,
)
from vision.find.pose import BoardPose, find_pose
from vision.find.settings import FIND, FindSettings
from vision.frame import Image


class BoardFinder:
    """Finds one board."""

    def __init__(self, board: Board, games: Mapping[str, frozenset[int]], settings: FindSettings = FIND) -> None:
        """`games`: the fiducials of every game's board, to tell which other board is in a picture."""
        self.board, self.games, self.settings = board, games, settings
        self.sought = sought_ids(board, games)

    def find(self, grey: Image, lens: Lens | None, before: BoardPose | None = None) -> BoardPose:
        """The pose: `before` itself if nothing has moved; raises `BoardNotFoundError` if the board is not there, or if
        it shows that this is not the lens."""
        followed = self.follow(grey, before, lens) if before is not None else None
        return followed or self._at_first_sight(grey, lens)

    def _at_first_sight(self, grey: Image, lens: Lens | None) -> BoardPose:
        if lens is None:
            return self._spot(grey, None) or self._search(grey, None)
        try:
            pose = self._spot(grey, lens) or self._search(grey, lens)
        except BoardNotFoundError:
            # With another lens it may be there.
            self._hold(lens, self._at_first_sight(grey, None))
            raise
        found = follow_fiducials(grey, pose.expected_corners(self.board), self.settings.follow_reach, self.settings)
        self._hold(lens, find_pose(found, self.board, _size(grey), None, settings=self.settings))
        return pose

    def _hold(self, lens: Lens, seen: BoardPose | None) -> None:
        """Hold a lens that was measured against what is seen without it."""
        if seen is None or len(seen.fiducials) <= self.settings.few:
            return
        off = abs(log(seen.lens.fx / lens.fx))
        if off > max(self.settings.other_lens * seen.focal_doubt, self.settings.other_focal):
            raise LensContradictedError(lens.view, seen.lens.view)

    def follow(self, grey: Image, before: BoardPose, lens: Lens | None) -> BoardPose | None:
        """The pose from the fiducials where they were a moment ago; None unless enough of them are still there.

        If some are exactly there, the camera has not moved, whatever a hand covers.
        """
        if before.lens.size != _size(grey):
            return None
        expected = before.expected_corners(self.board)
        found = follow_fiducials(grey, expected, self.settings.follow_reach, self.settings)
        known = {fiducial: four for fiducial, four in found.items() if fiducial in before.fiducials}
        if len(known) < self.settings.follow_least:
            return None
        if _off(known, expected) < before.fit + self.settings.stood:
            stands = _off(found, expected) < before.fit + self.settings.stood
            return before if stands else self._improved(found, before, lens)
        if len(known) < max(3, self.settings.follow_share * len(before.fiducials)):
            return None
        pose = find_pose(known, self.board, before.lens.size, lens, before, self.settings)
        return None if pose is None or pose.fit > self._worst_fit(before) else pose

    def _improved(self, found: Corners, before: BoardPose, lens: Lens | None) -> BoardPose:
        """A better pose of a board that has not moved, from fiducials that came into sight elsewhere than expected."""
        pose = find_pose(found, self.board, before.lens.size, lens, before, self.settings)
        has_more = pose is not None and len(pose.fiducials) > len(before.fiducials)
        return pose if pose is not None and has_more and pose.fit <= self._worst_fit(before) else before

    def _spot(self, grey: Image, lens: Lens | None) -> BoardPose | None:
        """The pose from the fiducials seen at first sight; None unless most are found, and none of them twice."""
        found = spot_fiducials(grey, DICTIONARY, self.sought, self.settings)
        if found.twice:
            return None
        pose = self._completed(grey, found.corners, lens)
        return None if pose is None or len(pose.fiducials) < self.settings.spotted * len(self.board.fiducials) else pose

    def _completed(self, grey: Image, found: Corners, lens: Lens | None) -> BoardPose | None:
        """The pose from these fiducials and from the others, sought where they should then be: small ones in a poor
        picture are hard to spot, and few of them tell little of the lens."""
        pose = find_pose(found, self.board, _size(grey), lens, settings=self.settings)
        if pose is None:
            return None
        others = {name: four for name, four in pose.expected_corners(self.board).items() if name not in found}
        more = follow_fiducials(grey, others, self.settings.follow_reach, self.settings)
        better = find_pose({**found, **more}, self.board, _size(grey), lens, pose, self.settings) if more else None
        return pose if better is None or len(better.fiducials) < len(pose.fiducials) else better

    def _search(self, grey: Image, lens: Lens | None) -> BoardPose:
        """The pose from all fiducials in the picture."""
        found = find_fiducials(grey, DICTIONARY, self.sought, self.settings)
        spotted = spot_fiducials(grey, DICTIONARY, self.sought, self.settings)
        every = found.corners if spotted.twice else {**spotted.corners, **found.corners}
        pose = self._completed(grey, every, lens)
        if pose is None or found.twice & pose_ids(self.board):
            others = other_games(found, self.board, self.games)
            raise BoardNotFoundError(why_not_found(found, self.board, self.games), others)
        return pose

    def _worst_fit(self, before: BoardPose) -> float:
        """Pixels: how badly fiducials followed from there may fit."""
        settings = self.settings
        limit = settings.follow_fit + settings.follow_worse * before.fit
        return limit if len(before.fiducials) > settings.few else max(limit, settings.few_fit)


def _size(grey: Image) -> tuple[int, int]:
    return grey.shape[1], grey.shape[0]


def _off(found: Corners, expected: Corners) -> float:
    """How far the found corners are from where they are expected, pixels."""
    misses = np.concatenate([found[fiducial] - expected[fiducial] for fiducial in found])
    return float(np.sqrt((misses**2).sum(axis=1).mean()))
