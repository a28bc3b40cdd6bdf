"""What moved between two pictures: anywhere (`Motion`), and site by site (`Changes`), so that the rest of the board can
be read meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.find.pose import BoardPose
from vision.flatten.board_plane import BoardPlane
from vision.frame import Floats, Frame, Image, Mask

Coarse = npt.NDArray[np.int16]


@dataclass(frozen=True, kw_only=True)
class MotionSettings:
    """Steps are those of the 256 values of a picture, the balanced flat one if nothing else is said. "By hand": a round
    number that works over a wide range, fitted to nothing."""

    changed: float = 14.0
    """Steps by which a cell must differ: noise averages out below that. By hand."""
    noisy: float = 5.0
    """The same as a multiple of how much cells usually differ: in the dark a picture is noisier. By hand."""
    loudest: float = 40.0
    """Steps: no noise is so loud. If most cells differ by much, it is another light or another place, and all must be
    read anew. By hand."""
    same: float = 10.0
    """Steps by which nothing of a camera's picture differs, seen at a glance, if nothing changed at all. Derived: less
    than a cell that changed."""
    near: float = 26.0
    """Millimetres about a site in which motion counts as its own. By hand: nearly the width of a stack."""
    moving: float = 0.12
    """Share of the cells about a site that have changed when something moves there. By hand."""
    still: float = 0.004
    """Share below which nothing does. By hand: a cell or two."""
    small: tuple[int, int] = (160, 90)
    """Pixels of a whole picture, made so small that noise averages out. By hand."""
    stirred: float = 8.0
    """Steps by which a small pixel must change for something to have moved there. By hand."""
    usual: float = 8.0
    """The same as a multiple of how much small pixels usually change. By hand."""
    anywhere: float = 0.003
    """Share of all small pixels that change if something moves that matters. By hand: an arm, not a fly."""
    over: int = 3
    """Small pixels of the board that change if something moves over it. By hand: the tip of a finger, or its shadow."""


MOTION = MotionSettings()
NO_SITE = ""
"""Stands for what moves over the board but near no site."""


@dataclass(frozen=True, eq=False)
class Motion:
    """What moves from picture to picture, wherever it is, and whether the board is found or not."""

    small: Coarse
    """The picture in grey, very small."""
    changed: Mask
    """Where it differs from the one before."""
    settings: MotionSettings

    @classmethod
    def of(cls, frame: Frame, before: Motion | None = None, settings: MotionSettings = MOTION) -> Motion:
        """The motion since the picture before; none in a first one."""
        grey = cv2.cvtColor(frame.glance, cv2.COLOR_BGR2GRAY)
        small = np.asarray(cv2.resize(grey, settings.small, interpolation=cv2.INTER_AREA), dtype=np.int16)
        if before is None:
            return cls(small, np.zeros(small.shape, dtype=bool), settings)
        change = small - before.small
        # All of it grows brighter or darker with the light.
        far = np.abs(change - np.median(change))
        return cls(small, far > max(settings.stirred, settings.usual * float(np.median(far))), settings)

    @property
    def restless(self) -> bool:
        """Whether something moves anywhere in the picture."""
        return bool(self.changed.mean() > self.settings.anywhere)

    def is_over(self, board: Board, pose: BoardPose) -> bool:
        """Whether something moves over the board."""
        wide, deep = board.base.size
        corners = [(side * wide / 2, end * deep / 2, 0.0) for side, end in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        seen = pose.project(np.array(corners)) * self.settings.small / pose.lens.size
        shows_board = np.zeros(self.changed.shape, dtype=np.uint8)
        cv2.fillConvexPoly(shows_board, np.rint(seen).astype(np.int32), 1)
        return int(np.count_nonzero(self.changed & (shows_board > 0))) >= self.settings.over

    def moving(self, near: frozenset[str], board: Board, pose: BoardPose) -> frozenset[str]:
        """Of the sites near which the board changed those where it moves: all or none. A hand leaves over the margin,
        where no site is near; and noise stirs a few cells anywhere."""
        return (near or frozenset([NO_SITE])) if self.is_over(board, pose) else frozenset()


def coarse(codes: Image, cell: int) -> Coarse:
    """A balanced flat picture cell by cell (so many pixels each way): what is kept of it to see what moves next."""
    half = cv2.resize(codes, None, fx=2 / cell, fy=2 / cell, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.int16)


def differing(before: Image, now: Image, where: Image, settings: MotionSettings = MOTION) -> Image:
    """Where (255) anything at all changed from one glance to another, of where (255) the board is seen."""
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    changed = cv2.threshold(cv2.max(cv2.max(blue, green), red), settings.same, 255, cv2.THRESH_BINARY)[1]
    return np.asarray(cv2.bitwise_and(changed, where), np.uint8)


@dataclass(frozen=True)
class Changes:
    """What changed from one picture to the next."""

    sites: Mapping[str, float]
    """For every site how much of what is about it changed: a hand, its shadow, or a piece on its way."""
    above: float
    """The most that changed where the upper parts of stacks are seen: they lean away from the camera."""
    settings: MotionSettings = MOTION

    @property
    def moving(self) -> frozenset[str]:
        """Sites about which much changed."""
        return frozenset(site for site, share in self.sites.items() if share > self.settings.moving)

    @property
    def still(self) -> frozenset[str]:
        """Sites about which nothing changed."""
        return frozenset(site for site, share in self.sites.items() if share < self.settings.still)

    @property
    def none(self) -> bool:
        """Whether so little changed anywhere that nothing can stand otherwise than before."""
        return self.above < self.settings.still and all(share < self.settings.still for share in self.sites.values())


UNKNOWN = Changes({}, 1.0)
"""Of a first picture."""


def changes(
    board: Board, plane: BoardPlane, eye: Floats, before: Coarse, now: Coarse, settings: MotionSettings = MOTION
) -> Changes:
    """What changed in what is seen by an eye there, millimetres."""
    if before.shape != now.shape:
        return Changes(dict.fromkeys(board.sites, 1.0), 1.0, settings)
    reach = round(settings.near * plane.px_per_mm / plane.cell)
    changed = _changed(before, now, settings)
    about = np.asarray(cv2.blur(changed, (2 * reach + 1, 2 * reach + 1), borderType=cv2.BORDER_REPLICATE))
    height, width = about.shape
    seen = plane.to_flat(plane.upwards(eye, settings.near))
    places = np.rint((seen + 0.5) / plane.cell - 0.5).astype(np.intp)
    columns, rows = np.moveaxis(np.clip(places, 0, (width - 1, height - 1)), -1, 0)
    feet, *tops = about[rows, columns]
    shares = dict(zip(board.sites, feet.tolist(), strict=True))
    return Changes(shares, float(np.max(tops, initial=0.0)), settings)


def _changed(before: Coarse, now: Coarse, settings: MotionSettings) -> npt.NDArray[np.float32]:
    """1 for every cell that changed by more than noise does, 0 for the others."""
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    difference = cv2.max(cv2.max(blue, green), red)
    counts = cv2.calcHist([difference.astype(np.uint8)], [0], None, [256], (0, 256))
    usual = np.searchsorted(np.cumsum(counts), difference.size // 2, side="right")
    noise = min(settings.noisy * float(usual), settings.loudest)
    return np.asarray(difference > max(settings.changed, noise), np.float32)
