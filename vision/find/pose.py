"""Where the camera is, from the printed fiducials: the pose, and the lens if it is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import acos, degrees

import cv2
import numpy as np

from engine.board import Board, Fiducial, turned
from vision.find.fiducials import Corners
from vision.find.lens import Lens
from vision.find.pose_fit import PoseFit, outward
from vision.find.settings import FIND, FindSettings
from vision.frame import Floats


@dataclass(frozen=True, eq=False)
class BoardPose:
    """The camera over the board: `rvec` and `tvec` take board points (with z down, as OpenCV wants) to the camera."""

    lens: Lens
    rvec: Floats
    tvec: Floats
    fit: float
    """Pixels: how well the fiducials fit, root mean square."""
    fiducials: tuple[int, ...]
    focal_doubt: float = 0.0
    """How uncertain (relative, one sigma) the focal length is; 0 if it was measured."""
    swelling: float = 0.0
    """Pixels by which the fiducials' corners appear too far out (negative: in)."""

    def project(self, points: Floats) -> Floats:
        """Where points of the board (n, 3), millimetres, z up, appear in the picture (n, 2)."""
        flat = np.ascontiguousarray(points, dtype=float) * (1.0, 1.0, -1.0)
        pixels, _ = cv2.projectPoints(flat, self.rvec, self.tvec, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=float).reshape(-1, 2)

    def expected_corners(self, board: Board) -> dict[int, Floats]:
        """Where the corners of each of a board's fiducials should be in the picture."""
        corners = board_corners(board)
        ids, points = list(corners), np.concatenate(list(corners.values()))
        pixels = self.project(np.column_stack([points, np.zeros(len(points))]))
        pixels = pixels + self.swelling * outward(pixels)
        return {fiducial: pixels[4 * number : 4 * number + 4] for number, fiducial in enumerate(ids)}

    @cached_property
    def rotation(self) -> Floats:
        return np.asarray(cv2.Rodrigues(self.rvec)[0], dtype=float)

    @cached_property
    def eye(self) -> Floats:
        """Where the lens is, millimetres, z up."""
        return (-self.rotation.T @ self.tvec.ravel()) * (1.0, 1.0, -1.0)

    @property
    def distance(self) -> float:
        return float(np.linalg.norm(self.eye))

    @property
    def tilt(self) -> float:
        """Degrees between straight up and the line from the board's centre to the lens."""
        return degrees(acos(max(-1.0, min(1.0, self.eye[2] / self.distance))))

    def to_plane(self, pixels: Floats, z: float) -> Floats:
        """The points of the horizontal plane at height z that appear at these pixels."""
        rays = cv2.undistortPoints(
            np.ascontiguousarray(pixels, dtype=float).reshape(-1, 1, 2), self.lens.matrix, self.lens.distortion
        ).reshape(-1, 2)
        directions = np.column_stack([rays, np.ones(len(rays))]) @ self.rotation
        directions[:, 2] *= -1
        steps = (z - self.eye[2]) / directions[:, 2]
        return np.asarray(self.eye[:2] + directions[:, :2] * steps[:, None], dtype=float)


@cache
def fiducial_corners(mark: Fiducial) -> Floats:
    """The four corners of a printed fiducial on the board, clockwise from its own top left."""
    half = mark.size / 2
    square = ((-half, -half), (half, -half), (half, half), (-half, half))
    return np.array([np.add(mark.at, turned(corner, mark.angle)) for corner in square])


def board_corners(board: Board) -> Mapping[int, Floats]:
    """The corners of all of a board's fiducials, millimetres."""
    return {mark.id: fiducial_corners(mark) for mark in board.fiducials}


def find_pose(
    found: Corners,
    board: Board,
    size: tuple[int, int],
    lens: Lens | None,
    start: BoardPose | None = None,
    settings: FindSettings = FIND,
) -> BoardPose | None:
    """The pose that the found fiducials show; None if they do not show this board.

    Without a lens, its focal length and distortion are estimated too, held near the usual values; `start` is a pose
    nearby, such as that of the last frame.
    """
    corners = board_corners(board)
    ids = [fiducial for fiducial in found if fiducial in corners]
    while len(ids) >= 2:
        flat = np.concatenate([corners[fiducial] for fiducial in ids])
        seen = np.concatenate([found[fiducial] for fiducial in ids])
        pose = _fit(flat, seen, size, lens, start, settings)
        if pose is None:
            return None
        expected = pose.project(np.column_stack([flat, np.zeros(len(flat))])) + pose.swelling * outward(seen)
        if not np.abs(expected).max() < settings.overflow:
            return None
        misses = np.linalg.norm(expected - seen, axis=1)
        each = misses.reshape(-1, 4).mean(axis=1)
        if each.max() <= max(settings.outlier_least, settings.outlier * float(np.median(each))):
            rms = float(np.sqrt(np.mean(misses**2)))
            upright = pose.eye[2] > 0
            worst = settings.worst_fit * max(1.0, max(size) / settings.usual_size)
            return replace(pose, fit=rms, fiducials=tuple(ids)) if rms <= worst and upright else None
        ids.pop(int(each.argmax()))
    return None


def _fit(
    flat: Floats,
    seen: Floats,
    size: tuple[int, int],
    lens: Lens | None,
    start: BoardPose | None,
    settings: FindSettings,
) -> BoardPose | None:
    first = lens or (start.lens if start is not None else Lens.guess(size, settings.focal_prior, settings.bend_prior))
    points = np.column_stack([flat, np.zeros(len(flat))])
    if start is not None:
        starts = [(start.rvec.ravel(), start.tvec.ravel())]
    else:
        count, rvecs, tvecs, misses = cv2.solvePnPGeneric(
            points, seen, first.matrix, first.distortion, flags=cv2.SOLVEPNP_IPPE
        )
        errors = np.asarray(misses, float).ravel()
        starts = [
            (np.asarray(rvecs[k], float).ravel(), np.asarray(tvecs[k], float).ravel())
            for k in range(count)
            if errors[k] <= settings.clearly_worse * errors[0]
        ]
    fit = PoseFit(points, seen, first, lens is None, settings)
    fits = [fitted for rvec, tvec in starts if (fitted := fit.run(rvec, tvec)) is not None]
    best = min(fits, key=lambda fitted: fitted.noise, default=None)
    if best is None:
        return None
    return BoardPose(best.lens, best.rvec, best.tvec, best.noise, (), best.focal_doubt, best.swelling)
