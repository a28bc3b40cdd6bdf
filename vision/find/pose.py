"""Where the camera is, from the printed fiducials: pose, and the lens where it is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from math import acos, degrees, log, sqrt

import cv2
import numpy as np

from engine.board import Board, Fiducial, turned
from vision.find.fiducials import Corners
from vision.find.lens import Lens
from vision.frame import Floats

CORNER_NOISE = 0.15
"""Pixels: how far a found corner usually is from its true place."""
FOCAL_PRIOR, FOCAL_DOUBT = 66.0, 0.12
"""A lens nobody measured: its field of view along the picture's longer side in degrees, and how far off (relative) it
may well be."""
BEND_PRIOR, BEND_DOUBT = -0.02, 0.05
"""The same for its radial distortion k1."""
AXIS_DOUBT = 0.004
"""How far, as a share of the picture's longer side, the optical axis may well be off its middle."""
SWELLING = 1.0
"""Pixels: how far blur and print may well move all corners of a fiducial in or out."""
WORST_FIT, USUAL_SIZE = 2.5, 1280
"""Pixels: fiducials that fit worse than this on average are not this board, in a picture whose longer side is so long;
a larger one shows more of how sheets were printed and glued."""
CLEARLY_WORSE = 3.0
"""Seen from afar a flat board may be tilted either way; a way that fits so many times worse is not tried."""
RAN_AWAY = 1e9
"""Pixels, millimetres, or pixels per millimetre: a fit this far off shows no board, and its squares would overflow."""
ROUNDS = 25


@dataclass(frozen=True, eq=False)
class BoardPose:
    """The camera over the board: `rvec`, `tvec` take board points (with z down, as OpenCV wants it) to the camera."""

    lens: Lens
    rvec: Floats
    tvec: Floats
    fit: float
    """Pixels: how well the fiducials fit, root mean square."""
    fiducials: tuple[int, ...]
    focal_doubt: float = 0.0
    """How far off (relative, one sigma) the focal length may be; 0 if it was measured."""
    swelling: float = 0.0
    """Pixels by which the fiducials' corners are seen too far out (negative: in)."""

    def project(self, points: Floats) -> Floats:
        """Where points of the board (n, 3), millimetres, z up, appear in the picture (n, 2)."""
        flat = np.ascontiguousarray(points, dtype=float) * (1.0, 1.0, -1.0)
        pixels, _ = cv2.projectPoints(flat, self.rvec, self.tvec, self.lens.matrix, self.lens.distortion)
        return np.asarray(pixels, dtype=float).reshape(-1, 2)

    def expected_corners(self, board: Board) -> dict[int, Floats]:
        """Where the corners of each of a board's fiducials are to be found in the picture."""
        corners = board_corners(board)
        ids, points = list(corners), np.concatenate(list(corners.values()))
        pixels = self.project(np.column_stack([points, np.zeros(len(points))]))
        pixels = pixels + self.swelling * _outward(pixels)
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
    found: Corners, board: Board, size: tuple[int, int], lens: Lens | None, start: BoardPose | None = None
) -> BoardPose | None:
    """The pose that the found fiducials show; None if they do not show this board.

    Without a lens its focal length and distortion are estimated too, held near what is usual; `start` is a pose
    nearby, such as that of the frame before.
    """
    corners = board_corners(board)
    ids = [fiducial for fiducial in found if fiducial in corners]
    while len(ids) >= 2:
        flat = np.concatenate([corners[fiducial] for fiducial in ids])
        seen = np.concatenate([found[fiducial] for fiducial in ids])
        pose = _fit(flat, seen, size, lens, start)
        if pose is None:
            return None
        expected = pose.project(np.column_stack([flat, np.zeros(len(flat))])) + pose.swelling * _outward(seen)
        misses = np.linalg.norm(expected - seen, axis=1)
        each = misses.reshape(-1, 4).mean(axis=1)
        if each.max() <= max(1.5, 4 * float(np.median(each))):
            rms = float(np.sqrt(np.mean(misses**2)))
            upright = pose.eye[2] > 0
            worst = WORST_FIT * max(1.0, max(size) / USUAL_SIZE)
            return replace(pose, fit=rms, fiducials=tuple(ids)) if rms <= worst and upright else None
        ids.pop(int(each.argmax()))
    return None


def _fit(
    flat: Floats, seen: Floats, size: tuple[int, int], lens: Lens | None, start: BoardPose | None
) -> BoardPose | None:
    first = lens or (start.lens if start is not None else Lens.guess(size, FOCAL_PRIOR, BEND_PRIOR))
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
            if errors[k] <= CLEARLY_WORSE * errors[0]
        ]
    fits = [_refine(points, seen, first, rvec, tvec, free_lens=lens is None) for rvec, tvec in starts]
    return min((fit for fit in fits if fit is not None), key=lambda fit: fit.fit, default=None)


def _refine(points: Floats, seen: Floats, lens: Lens, rvec: Floats, tvec: Floats, free_lens: bool) -> BoardPose | None:
    """Gauss-Newton on pose, swelling and, if free, the lens; far corners count less (Huber).

    Swelling: blur, ink and the picture's tone curve move all corners of dark squares alike, inward or outward.
    How well corners are found differs from picture to picture, so that the noise is taken from the fit itself.
    """
    outward = _outward(seen)
    state = np.concatenate([rvec, tvec, [0.0, log(lens.fx), lens.k1, lens.cx, lens.cy]])
    usual = Lens.guess(lens.size, FOCAL_PRIOR)
    means = np.array([0.0, log(usual.fx), BEND_PRIOR, usual.cx, usual.cy])
    axis = AXIS_DOUBT * max(lens.size)
    weights = 1 / np.array([SWELLING, FOCAL_DOUBT, BEND_DOUBT, axis, axis]) ** 2
    count = len(state) if free_lens else 7
    cost, covariance, noise = np.inf, np.eye(count), WORST_FIT
    for number in range(ROUNDS):
        now = _lens_of(lens, state, free_lens)
        pixels, slopes = cv2.projectPoints(points, state[:3], state[3:6], now.matrix, now.distortion)
        if not (np.abs(pixels).max() < RAN_AWAY and np.abs(slopes).max() < RAN_AWAY):
            return None
        miss = (seen - pixels.reshape(-1, 2) - state[6] * outward).ravel()
        if number:
            freedom = max(4, len(miss) - count)
            spread = float((np.minimum(np.abs(miss), 3 * noise) ** 2).sum()) / freedom
            noise = max(CORNER_NOISE, min(noise, sqrt(spread)))
        miss /= noise
        far = np.linalg.norm(miss.reshape(-1, 2), axis=1)
        weight = np.minimum(1.0, 3.0 / np.maximum(far, 1e-9)).repeat(2)
        columns = [slopes[:, :6], outward.reshape(-1, 1)]
        if free_lens:
            columns += [slopes[:, 6:7] * now.fx + slopes[:, 7:8] * now.fy, slopes[:, 10:11], slopes[:, 8:10]]
        jacobian = np.hstack(columns) / noise
        weighted = jacobian * weight[:, None]
        normal = weighted.T @ jacobian
        gradient = weighted.T @ miss
        off = (means - state[6:])[: count - 6]
        normal[np.arange(6, count), np.arange(6, count)] += weights[: count - 6]
        gradient[6:] += off * weights[: count - 6]
        total = float((weight * miss**2).sum() + (off**2 * weights[: count - 6]).sum())
        try:
            covariance = np.linalg.inv(normal)
        except np.linalg.LinAlgError:
            return None
        state[:count] += covariance @ gradient
        if not (np.abs(state).max() < RAN_AWAY and state[7] < log(RAN_AWAY)):
            return None
        if number > 1 and abs(cost - total) < 1e-2 * (1 + total):
            break
        cost = total
    if state[5] <= 0:
        return None
    doubt = sqrt(max(0.0, float(covariance[7, 7]))) if free_lens else 0.0
    lens_now = _lens_of(lens, state, free_lens)
    return BoardPose(lens_now, state[:3].copy(), state[3:6].copy(), noise, (), doubt, float(state[6]))


def _outward(seen: Floats) -> Floats:
    """For every corner of every fiducial the direction away from the fiducial's middle."""
    fours = seen.reshape(-1, 4, 2)
    away = fours - fours.mean(axis=1, keepdims=True)
    length = np.maximum(np.linalg.norm(away, axis=2, keepdims=True), 1e-9)
    return np.asarray(away / length, dtype=float).reshape(-1, 2)


def _lens_of(lens: Lens, state: Floats, free_lens: bool) -> Lens:
    if not free_lens:
        return lens
    focal = float(np.exp(state[7]))
    return replace(lens, fx=focal, fy=focal, k1=float(state[8]), cx=float(state[9]), cy=float(state[10]))
