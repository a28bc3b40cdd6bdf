"""What moved between two pictures, site by site, so that the rest of the board can be read meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.flatten.board_plane import CELL, PX_PER_MM, BoardPlane
from vision.frame import Floats, Image

Coarse = npt.NDArray[np.int16]

CHANGED = 14.0
"""Steps of 255 by which a cell of the balanced flat picture must differ: noise averages out below that."""
NOISY, LOUDEST = 5.0, 40.0
"""The same as a multiple of how much cells usually differ: in the dark a picture is noisier. But no noise is so loud as
the second: if most cells differ by much, it is another light or another place, and all must be read anew."""
SAME = 10.0
"""Steps of 255 by which nothing of a camera's picture differs, seen at a glance, if nothing changed at all: less than a
cell that changed (see CHANGED)."""
NEAR = 26.0
"""Millimetres about a site in which motion counts as its own."""
MOVING, STILL = 0.12, 0.004
"""Of the cells about a site: so many have changed when something moves there, and fewer when nothing does."""


def coarse(codes: Image) -> Coarse:
    """A balanced flat picture cell by cell: what is kept of it to see what moves next."""
    half = cv2.resize(codes, None, fx=2 / CELL, fy=2 / CELL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.int16)


def differing(before: Image, now: Image, where: Image) -> Image:
    """Where (255) anything at all changed from one glance to another, of where (255) the board is seen."""
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    changed = cv2.threshold(cv2.max(cv2.max(blue, green), red), SAME, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.bitwise_and(changed, where), np.uint8)


@dataclass(frozen=True)
class Changes:
    """What changed from one picture to the next."""

    sites: Mapping[str, float]
    """For every site how much of what is about it changed: a hand, its shadow, or a piece on its way."""
    above: float
    """The most that changed where the upper parts of stacks are seen: they lean away from the camera."""

    @property
    def moving(self) -> frozenset[str]:
        """Sites about which much changed."""
        return frozenset(site for site, share in self.sites.items() if share > MOVING)

    @property
    def still(self) -> frozenset[str]:
        """Sites about which nothing changed."""
        return frozenset(site for site, share in self.sites.items() if share < STILL)

    @property
    def none(self) -> bool:
        """Whether so little changed anywhere that nothing can stand otherwise than before."""
        return self.above < STILL and all(share < STILL for share in self.sites.values())


UNKNOWN = Changes({}, 1.0)
"""Of a first picture."""


def changes(board: Board, plane: BoardPlane, eye: Floats, before: Coarse, now: Coarse) -> Changes:
    """What changed in what is seen by an eye there, millimetres."""
    if before.shape != now.shape:
        return Changes(dict.fromkeys(board.sites, 1.0), 1.0)
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    difference = cv2.max(cv2.max(blue, green), red)
    counts = cv2.calcHist([difference.astype(np.uint8)], [0], None, [256], (0, 256))
    usual = np.searchsorted(np.cumsum(counts), difference.size // 2, side="right")
    noise = min(NOISY * float(usual), LOUDEST)
    changed = (difference > max(CHANGED, noise)).astype(np.float32)
    reach = round(NEAR * PX_PER_MM / CELL)
    about = np.asarray(cv2.blur(changed, (2 * reach + 1, 2 * reach + 1), borderType=cv2.BORDER_REPLICATE))
    height, width = about.shape
    places = np.rint((plane.to_flat(plane.upwards(eye, NEAR)) + 0.5) / CELL - 0.5).astype(np.intp)
    columns, rows = np.moveaxis(np.clip(places, 0, (width - 1, height - 1)), -1, 0)
    feet, *tops = about[rows, columns]
    return Changes(dict(zip(board.sites, feet.tolist(), strict=True)), float(np.max(tops, initial=0.0)))
