"""Whether a hand is over the board as the camera sees it."""

from __future__ import annotations

import cv2
import numpy as np

from engine.board import Board
from hardware.virtual.camera import Camera, Floats, sheet_corners
from hardware.virtual.painting.hand import bones
from hardware.virtual.scene import Arm

_SHARES = np.linspace(0.0, 1.0, 6)[:, None]


def over_board(arm: Arm, board: Board, camera: Camera) -> bool:
    """Whether an arm hides any of the board's base."""
    spots, reach = arm_spots(arm, camera)
    base = camera.near(sheet_corners(board.base))
    low, high = base.min(axis=0), base.max(axis=0)
    near = np.all((spots > low - reach[:, None]) & (spots < high + reach[:, None]), axis=1)
    hull = cv2.convexHull(base.astype(np.float32))
    return any(
        cv2.pointPolygonTest(hull, (float(u), float(v)), measureDist=True) > -far
        for (u, v), far in zip(spots[near], reach[near], strict=True)
    )


def arm_spots(arm: Arm, camera: Camera) -> tuple[Floats, Floats]:
    """Where an arm is seen, as discs: their centres and radii in pixels."""
    limbs = bones(arm)
    one, other = np.array([bone.one for bone in limbs]), np.array([bone.other for bone in limbs])
    thin, thick = np.array([bone.one_radius for bone in limbs]), np.array([bone.other_radius for bone in limbs])
    points = (one[None] + _SHARES[..., None] * (other - one)[None]).reshape(-1, 3)
    radii = (thin[None] + _SHARES * (thick - thin)[None]).ravel()
    depth = np.maximum(camera.in_camera(points)[:, 2], 1.0)
    return camera.near(points), np.asarray(radii * camera.matrix[0, 0] / depth)
