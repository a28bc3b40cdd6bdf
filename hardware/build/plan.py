"""Where the camera may be mounted: what is in view for a board, lens and height, and at how many pixels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, pi, radians, sin

import numpy as np

from engine.board import Board, Piece, Point
from hardware.virtual.camera import Camera, Floats, Pose, sheet_corners
from hardware.virtual.errors import PoseError

SPARE = 8.0
"""Pixels that should be left round the board: a camera never hangs quite as planned."""
STEP = 10.0
"""Millimetres between two distances that are tried."""
CELLS = 6
"""A fiducial is six cells wide."""
_ROUND = np.array([(cos(2 * pi * k / 24), sin(2 * pi * k / 24)) for k in range(24)])


@dataclass(frozen=True)
class CameraPlan:
    """A camera over a board, and what comes of it."""

    board: Board
    pose: Pose
    spare: float
    """Pixels between the board, with the highest that may stand on it, and the picture's nearest edge; below 0: that
    much is cut off."""

    @cached_property
    def cell(self) -> float:
        """Pixels of the smallest fiducial's cell."""
        sides = [_side(self._camera, mark.at, mark.size) for mark in self.board.fiducials]
        return min(sides) / CELLS if sides else 0.0

    @cached_property
    def pieces(self) -> dict[str, tuple[float, float]]:
        """For every kind of piece how wide it is seen in pixels, at least and at most: as a round of the same area."""
        return {kind: _sizes(self._camera, self.board, piece) for kind, piece in _kinds(self.board).items()}

    @cached_property
    def level(self) -> float:
        """Pixels by which one more piece in a stack lifts what stands on it, where it shows least; 0 from straight
        above, and where nothing is stacked."""
        return _lift(self._camera, self.board)

    @cached_property
    def _camera(self) -> Camera:
        return Camera.at(self.pose)

    @property
    def is_whole(self) -> bool:
        return self.spare >= 0

    @property
    def problems(self) -> list[str]:
        """What is wrong with it, in words; nothing if the eye is promised to work."""
        return list(_problems(self))

    @property
    def lens_height(self) -> float:
        """Millimetres from the table up to the lens."""
        return self.pose.distance * cos(radians(self.pose.tilt))

    @property
    def aside(self) -> float:
        """Millimetres from above the board's centre to above the lens's own foot."""
        return self.pose.distance * sin(radians(self.pose.tilt))


def make_plan(board: Board, pose: Pose) -> CameraPlan:
    """Raises `PoseError` for a pose that no camera can have."""
    return _plan(board, pose, _extent(board))


def _plan(board: Board, pose: Pose, extent: Floats) -> CameraPlan:
    spots, size = Camera.at(pose).near(extent), np.array(pose.size)
    return CameraPlan(board, pose, float(np.min([spots.min(axis=0), size - 1 - spots.max(axis=0)])))


def _extent(board: Board) -> Floats:
    """The corners of the board, and the tops of what may stand on it."""
    corners = [corner for sheet in board.sheets for corner in sheet_corners(sheet)]
    return np.vstack([corners, _tops(board)])


def _kinds(board: Board) -> dict[str, Piece]:
    """One piece of every kind, whatever its colour."""
    return {name.split("-")[0]: piece for name, piece in board.pieces.items()}


def _side(camera: Camera, at: Point, size: float) -> float:
    half = size / 2
    four = camera.near(
        [(at[0] + x, at[1] + y, 0.0) for x, y in ((-half, -half), (half, -half), (half, half), (-half, half))]
    )
    return float(np.linalg.norm(four - np.roll(four, 1, axis=0), axis=1).min())


def _sizes(camera: Camera, board: Board, piece: Piece) -> tuple[float, float]:
    if not board.sites:
        return 0.0, 0.0
    sizes = 2 * np.sqrt(_areas(camera.near(_rims(board, piece.diameter, piece.height))) / pi)
    return float(sizes.min()), float(sizes.max())


def _tops(board: Board) -> Floats:
    """Round the uppermost piece of every stack that may stand on a site."""
    stacks = [[board.pieces[name] for name in names] for names in (face.pieces for face in board.faces.lawful) if names]
    tops = {(pieces[-1].diameter, sum(piece.height for piece in pieces)) for pieces in stacks}
    return np.concatenate([np.empty((0, 3)), *(_rims(board, *top).reshape(-1, 3) for top in sorted(tops))])


def _rims(board: Board, diameter: float, height: float) -> Floats:
    """The upper edge of what stands so high in the middle of each site (sites, points, 3)."""
    middles = np.array([(*site.at, site.z + height) for site in board.sites.values()]).reshape(-1, 1, 3)
    return np.asarray(middles + np.pad(diameter / 2 * _ROUND, ((0, 0), (0, 1))))


def _areas(outlines: Floats) -> Floats:
    """The areas of outlines (n, points, 2)."""
    x, y = np.moveaxis(outlines, -1, 0)
    return np.asarray(np.abs((x * np.roll(y, 1, axis=1) - y * np.roll(x, 1, axis=1)).sum(axis=1)) / 2)


def _lift(camera: Camera, board: Board) -> float:
    below = next((name for face in board.faces.lawful for name in face.pieces[:-1]), None)
    if below is None:
        return 0.0
    low = np.array([(*site.at, site.z) for site in board.sites.values()])
    lifted = np.add(low, (0.0, 0.0, board.pieces[below].height))
    return float(np.linalg.norm(camera.near(lifted) - camera.near(low), axis=1).min())


def _problems(plan: CameraPlan) -> Iterator[str]:
    pose, promised = plan.pose, plan.board.camera
    if plan.spare < 0:
        yield f"the board with its pieces does not fit into the picture: {-plan.spare:.0f} pixels are cut off"
    elif plan.spare < SPARE:
        yield f"only {plan.spare:.0f} pixels are left around the board: too few for a camera mounted by hand"
    for value, (least, most), what, unit in (
        (pose.distance, promised.distance, "distance", " mm"),
        (pose.tilt, promised.tilt, "tilt", " degrees"),
        (pose.hfov, promised.hfov, "field of view", " degrees"),
    ):
        if not least - 0.5 <= value <= most + 0.5:
            yield f"a {what} of {value:.0f}{unit} is outside what is promised ({least:.0f} to {most:.0f}{unit})"
    if pose.size[0] < promised.size[0] or pose.size[1] < promised.size[1]:
        yield f"pictures of {pose.size[0]}x{pose.size[1]} are smaller than {promised.size[0]}x{promised.size[1]}"


def good_distances(board: Board, pose: Pose) -> tuple[float, float] | None:
    """The promised distances at which the whole board is in view with some pixels to spare, for this tilt and lens."""
    nearest, farthest = board.camera.distance
    tried = np.arange(nearest, farthest + STEP / 2, STEP)
    fine = [float(each) for each in tried if not make_plan(board, replace(pose, distance=float(each))).problems]
    return (min(fine), max(fine)) if fine else None


def best_distance(board: Board, pose: Pose) -> float | None:
    """As near as can be with a finger's breadth to spare: the most pixels for every piece."""
    span = good_distances(board, pose)
    return None if span is None else best_of(span)


def best_of(span: tuple[float, float]) -> float:
    return min(span[0] + 2 * STEP, span[1])


__all__ = ["CameraPlan", "PoseError", "best_distance", "best_of", "good_distances", "make_plan"]
