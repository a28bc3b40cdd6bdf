"""One look at the table: from a picture to a reading. The recipe, step by step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from engine.board import DICTIONARY, Board
from engine.referee.reading import Reading
from vision import light as lighting
from vision.colours import Palette, Sight
from vision.fiducials import find_markers
from vision.frame import Floats, Frame
from vision.hands import foreign_cells, hidden_sites
from vision.lens import Lens
from vision.light import Light
from vision.pose import Pose, find_pose
from vision.readers.stacks import Seen, StackReader
from vision.readers.turns import TurnReader
from vision.scenery import Mask, Pictures, Scenery


class BoardNotFoundError(ValueError):
    """The board is not in the picture; the text says why, as far as that can be told."""


@dataclass(frozen=True, eq=False)
class Look:
    """What one picture showed, with what it was read by."""

    reading: Reading
    pose: Pose
    light: Light


class Eye:
    """Reads pictures of one board. It is told nothing of rules."""

    def __init__(self, board: Board, pictures: Pictures, lens: Lens | None = None) -> None:
        self.board = board
        self.lens = lens
        self.scenery = Scenery(board, pictures)
        self.places = lighting.cell_places(self.scenery)
        widest = max(piece.diameter for piece in board.pieces.values())
        self.turn_reader = TurnReader(board, self.scenery, clear=widest / 2 + 2)
        self.stack_reader = StackReader(board)
        self.palette = Palette(board, "marker-")
        self._first = self.scenery.expected((0,) * len(self.scenery.sheets))
        every = [lighting.cells(self.scenery.expected(turns)) for turns in _all_turns(board)]
        steady = np.ptp(np.array(every), axis=0).max(axis=2) < 0.01
        self._steady = steady & ~self._near_sites(widest)
        self._steady_colours = every[0]

    def look(self, frame: Frame, before: Pose | None = None) -> Look:
        """The reading of a picture; raises `BoardNotFoundError` if the board is not in it."""
        grey = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY)
        found = find_markers(grey, DICTIONARY)
        lens = self.lens.scaled(frame.size) if self.lens else None
        pose = find_pose(found.corners, self.board, frame.size, lens, None)
        if pose is None:
            raise BoardNotFoundError("the board's printed markers are not in the picture")
        return self.read(frame, pose)

    def read(self, frame: Frame, pose: Pose) -> Look:
        flat = lighting.to_linear(self.scenery.flatten(frame.bgr, pose))
        seen = lighting.cells(flat)
        light = lighting.estimate(seen, self._steady_colours, self.places, self._steady)
        level = cv2.resize(
            np.log(light.brightness(self.places)).astype(np.float32), self.scenery.size, interpolation=cv2.INTER_LINEAR
        )
        balanced = (flat / light.balance).astype(np.float32)
        sheets = self.turn_reader.read(balanced, level, np.zeros(level.shape, dtype=bool))
        turns = tuple(max(range(len(values)), key=values.__getitem__) for values in sheets.values())
        expected = self.scenery.expected(turns)
        sight = Sight(frame.bgr, pose, light, self.scenery, expected)
        stacks = self.stack_reader.read(sight, self.palette)
        pieces = self._covered_by_pieces(stacks.values(), pose)
        foreign = foreign_cells(seen, lighting.cells(expected), light, self.places, pieces)
        hidden = hidden_sites(self.board, foreign, self.scenery)
        reading = Reading(
            {site: stack.likelihoods for site, stack in stacks.items() if site not in hidden},
            sheets,
            hidden,
            bool(foreign.mean() > 0.01),
        )
        return Look(reading, pose, light)

    def _covered_by_pieces(self, stacks: Iterable[Seen], pose: Pose) -> Mask:
        """Cells of the flat picture that show a piece instead of the board."""
        mask = np.zeros(self.places.shape[:2], dtype=np.uint8)
        for stack in stacks:
            if stack.outline is not None:
                places = pose.to_plane(stack.outline, self.scenery.level)
                outline = (self.scenery.to_flat(places) + 0.5) / lighting.CELL - 0.5
                cv2.fillConvexPoly(mask, np.rint(outline).astype(np.int32), 1)
        return cv2.dilate(mask, np.ones((3, 3), np.uint8)).astype(bool)

    def _near_sites(self, widest: float) -> Floats:
        near = np.zeros(self.places.shape[:2], dtype=bool)
        for site in self.board.sites.values():
            near |= ((self.places - np.array(site.at)) ** 2).sum(axis=2) < (widest / 2 + 3) ** 2
        return near


def _all_turns(board: Board) -> list[tuple[int, ...]]:
    """Each turnable sheet in every position, all of them at once: enough to see which places never change."""
    most = max((sheet.turns for sheet in board.turnable), default=1)
    return [tuple(turn % sheet.turns for sheet in board.turnable) for turn in range(most)]
