"""The virtual camera: where it is, and which pixel a point of the table falls on.

The table's axes (x east, y south, z up) are left-handed; OpenCV's are right-handed. So `rotation` and `translation`
belong to points with z negated, and every method here takes and gives table coordinates.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import cos, hypot, radians, sin, tan

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.board import Board, Point, Sheet, turned
from hardware.virtual.errors import PoseError

Floats = NDArray[np.float64]

MIN_SIZE = 64
MAX_SIZE = 8192
_NEWTON_STEPS = 5
_FIXED_STEPS = 7
_FOLD = 1.5
"""Square of the slope up to which distortion is trusted."""
_LEVEL = 0.05
"""Rays that sink less than this are near the horizon, and treated as sinking this much."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the camera is and which way it looks, in the terms of `board.json`."""

    distance: float = 620.0
    """From the lens to the board's centre, mm."""
    tilt: float = 20.0
    """Angle at the board's centre between straight up and the line to the lens, degrees."""
    direction: float = 180.0
    """Bearing of the lens from the board's centre, degrees clockwise from north; that side is at the bottom of the
    picture."""
    roll: float = 0.0
    """How far the picture is turned about its centre, degrees clockwise."""
    aim: Point = (0.0, 0.0)
    """Where the optical axis meets the board, mm."""
    hfov: float = 66.0
    """Horizontal field of view without distortion, degrees."""
    size: tuple[int, int] = (1280, 720)
    k1: float = 0.0
    """Radial distortion, OpenCV's first term."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole with radial distortion: OpenCV's model with `k1` alone."""

    matrix: Floats
    rotation: Floats
    translation: Floats
    size: tuple[int, int]
    k1: float = 0.0
    key: tuple[object, ...] = field(default=(), repr=False)
    """What the camera was made from: two cameras with the same key see the same."""

    @classmethod
    def at(cls, pose: Pose, board_at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Camera:
        """The camera of a pose. `board_at` is where the board lies on the table (x, y, degrees clockwise); the pose is
        given for a board lying straight at the origin."""
        _check_pose(pose)
        tilt, direction = radians(pose.tilt), radians(pose.direction)
        outward = np.array([sin(direction), -cos(direction), 0.0])
        lens = pose.distance * (sin(tilt) * outward + np.array([0.0, 0.0, -cos(tilt)]))
        forward = _unit(np.array([*pose.aim, 0.0]) - lens)
        down = _unit(outward - (outward @ forward) * forward)
        axes = np.stack([np.cross(down, forward), down, forward])
        c, s = cos(radians(pose.roll)), sin(radians(pose.roll))
        axes = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ axes
        x, y, angle = board_at
        c, s = cos(radians(angle)), sin(radians(angle))
        rotation = axes @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        width, height = pose.size
        focal = width / 2 / tan(radians(pose.hfov) / 2)
        matrix = np.array([[focal, 0.0, (width - 1) / 2], [0.0, focal, (height - 1) / 2], [0.0, 0.0, 1.0]])
        return cls(matrix, rotation, axes @ (np.array([x, y, 0.0]) - lens), pose.size, pose.k1, (pose, board_at))

    @cached_property
    def position(self) -> Floats:
        """The lens, in table coordinates."""
        at: Floats = -self.rotation.T @ self.translation
        return at * (1.0, 1.0, -1.0)

    @cached_property
    def forward(self) -> Floats:
        """The optical axis, in table coordinates."""
        axis: Floats = self.rotation[2] * (1.0, 1.0, -1.0)
        return axis

    def project(self, points: ArrayLike) -> Floats:
        """The pixels, lens distortion included, of points in mm: (…, 3) to (…, 2)."""
        seen = self.in_camera(points)
        if np.any(seen[..., 2] <= 0):
            raise PoseError("a point lies behind the camera and so not in the picture")
        flat = seen[..., :2] / seen[..., 2:]
        squared = (flat**2).sum(axis=-1, keepdims=True)
        bent = flat * (1 + self.k1 * squared)
        pixels: Floats = bent * (self.matrix[0, 0], self.matrix[1, 1]) + (self.matrix[0, 2], self.matrix[1, 2])
        return pixels

    def in_camera(self, points: ArrayLike) -> Floats:
        """The points in the camera's own axes: x right, y down, z forward."""
        flipped = np.asarray(points, dtype=np.float64) * (1.0, 1.0, -1.0)
        seen: Floats = flipped @ self.rotation.T + self.translation
        return seen

    def rays(self, pixels: ArrayLike) -> Floats:
        """For each pixel (…, 2), the direction in which it looks, in table coordinates; one mm deep along the axis."""
        spots = np.asarray(pixels, dtype=np.float64)
        bent = (spots - (self.matrix[0, 2], self.matrix[1, 2])) / (self.matrix[0, 0], self.matrix[1, 1])
        far = np.sqrt((bent**2).sum(axis=-1, keepdims=True))
        straight = far.copy()
        for _ in range(_NEWTON_STEPS if self.k1 else 0):
            straight -= (straight * (1 + self.k1 * straight**2) - far) / (1 + 3 * self.k1 * straight**2)
        flat = bent * np.where(far > 0, straight / np.maximum(far, 1e-12), 1.0)
        deep = np.concatenate([flat, np.ones_like(far)], axis=-1)
        directions: Floats = (deep @ self.rotation) * (1.0, 1.0, -1.0)
        return directions

    def grid(self, left: int, top: int, right: int, bottom: int, finer: int = 1) -> NDArray[np.float32]:
        """The rays of a rectangle of pixels (right and bottom excluded), each pixel split in `finer` by `finer`, as
        three planes."""
        step = 1 / finer
        xs = left - 0.5 + step * (np.arange((right - left) * finer) + 0.5)
        ys = top - 0.5 + step * (np.arange((bottom - top) * finer) + 0.5)
        x = ((xs - self.matrix[0, 2]) / self.matrix[0, 0]).astype(np.float32)[None, :]
        y = ((ys - self.matrix[1, 2]) / self.matrix[1, 1]).astype(np.float32)[:, None]
        if self.k1:
            bent = np.float32(self.k1) * (x * x + y * y)
            scale = 1 / (1 + bent)
            for _ in range(_FIXED_STEPS):
                scale = 1 / (1 + bent * scale * scale)
            x, y = x * scale, y * scale
        right_, down, forward = (self.rotation * (1.0, 1.0, -1.0)).astype(np.float32)
        return np.stack([x * right_[k] + (y * down[k] + forward[k]) for k in range(3)])

    @cached_property
    def all_rays(self) -> NDArray[np.float32]:
        """One ray for each pixel, (3, height, width)."""
        return self.grid(0, 0, *self.size)

    @cached_property
    def slopes(self) -> NDArray[np.float32]:
        """For every pixel, how far its ray runs east and south while it sinks by one mm: (2, height, width)."""
        rays = self.all_rays
        return np.asarray(rays[:2] / np.maximum(-rays[2], np.float32(_LEVEL)), np.float32)

    @cached_property
    def unit_rays(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The rays at length one, and how long they were before."""
        rays = self.all_rays
        lengths = np.sqrt(rays[0] ** 2 + rays[1] ** 2 + rays[2] ** 2)
        return rays / lengths, lengths

    @cached_property
    def halved(self) -> Camera:
        """The same camera with pixels twice as large each way."""
        scale = np.array([[0.5, 0.0, -0.25], [0.0, 0.5, -0.25], [0.0, 0.0, 1.0]])
        width, height = self.size
        size = ((width + 1) // 2, (height + 1) // 2)
        return Camera(scale @ self.matrix, self.rotation, self.translation, size, self.k1, (*self.key, "halved"))

    def near(self, points: ArrayLike) -> Floats:
        """Like `project`, but for any points: those outside the picture come out somewhere outside it."""
        seen = self.in_camera(points)
        flat = seen[..., :2] / np.maximum(seen[..., 2:], 1.0)
        squared = (flat**2).sum(axis=-1, keepdims=True)
        # Far outside the picture barrel distortion would fold back, so it is left out there.
        bent = flat * np.where(squared < _FOLD, 1 + self.k1 * squared, 1.0)
        spots: Floats = bent * (self.matrix[0, 0], self.matrix[1, 1]) + (self.matrix[0, 2], self.matrix[1, 2])
        return spots

    def box(self, points: ArrayLike, margin: float = 2.0) -> tuple[int, int, int, int]:
        """The rectangle of pixels (left, top, right, bottom) around these points, clipped to the picture."""
        spots = self.near(np.reshape(points, (-1, 3)))
        width, height = self.size
        left, top = np.floor(spots.min(axis=0) - margin)
        right, bottom = np.ceil(spots.max(axis=0) + margin) + 1
        return (
            int(np.clip(left, 0, width)),
            int(np.clip(top, 0, height)),
            int(np.clip(right, 0, width)),
            int(np.clip(bottom, 0, height)),
        )

    def sees(self, board: Board, margin: float = 0.0) -> bool:
        """Whether every sheet is entirely in the picture, with this many pixels to spare."""
        corners = np.array([corner for sheet in board.sheets for corner in sheet_corners(sheet)])
        if np.any(self.in_camera(corners)[..., 2] <= 0):
            return False
        spots = self.project(corners)
        size = np.array(self.size)
        return bool(np.all(spots >= margin) and np.all(spots <= size - 1 - margin))

    def check_sees(self, board: Board) -> None:
        """Raise `PoseError` unless the middle of the board is in the picture."""
        x, y = board.base.at
        centre = np.array([x, y, 0.0])
        if self.in_camera(centre)[2] > 0:
            spot = self.project(centre)
            if np.all(spot >= 0) and np.all(spot < self.size):
                return
        raise PoseError(f"the camera does not see the board of {board.game} from there")


def sheet_corners(sheet: Sheet) -> list[tuple[float, float, float]]:
    """The four corners of a sheet's picture in its first position."""
    x, y = sheet.size[0] / 2, sheet.size[1] / 2
    flat = [sheet.to_table(corner) for corner in ((-x, -y), (x, -y), (x, y), (-x, y))]
    return [(*corner, sheet.z) for corner in flat]


def on_board(point: Point, board_at: tuple[float, float, float]) -> Point:
    """A place on the table, in the axes of a board that lies there."""
    x, y, angle = board_at
    return turned((point[0] - x, point[1] - y), -angle)


def _unit(vector: Floats) -> Floats:
    length: Floats = vector / np.linalg.norm(vector)
    return length


def _check_pose(pose: Pose) -> None:
    numbers = (pose.distance, pose.tilt, pose.direction, pose.roll, *pose.aim, pose.hfov, pose.k1)
    if not np.all(np.isfinite(numbers)):
        raise PoseError("the camera's pose has a number that is not finite")
    if not 50 <= pose.distance <= 5000:
        raise PoseError(f"the camera's distance must be 50 to 5000 mm, not {pose.distance:g}")
    if not 0 <= pose.tilt <= 80:
        raise PoseError(f"the camera's tilt must be 0 to 80 degrees, not {pose.tilt:g}")
    if not 5 <= pose.hfov <= 120:
        raise PoseError(f"the camera's field of view must be 5 to 120 degrees, not {pose.hfov:g}")
    if hypot(*pose.aim) > 1000:
        raise PoseError(f"the camera aims {hypot(*pose.aim):.0f} mm past the board and does not see it")
    if not -0.2 <= pose.k1 <= 0.2:
        raise PoseError(f"the lens distortion k1 must be -0.2 to 0.2, not {pose.k1:g}")
    if not all(MIN_SIZE <= side <= MAX_SIZE for side in pose.size):
        raise PoseError(f"the picture's sides must be {MIN_SIZE} to {MAX_SIZE} pixels, not {pose.size}")
