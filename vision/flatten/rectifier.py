"""From the camera's picture to the flat one: where each of its pixels comes from, for a given pose."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from vision.find.pose import BoardPose
from vision.flatten.board_plane import BoardPlane
from vision.frame import Image, Numbers
from vision.recent import Recent

FlatPart = tuple[slice, slice]
"""Rows and columns of a flat picture."""


@dataclass(frozen=True, eq=False)
class _Way:
    """For every pixel of a part of the flat picture, starting at (left, top), where it is in the camera's picture:
    whole pixels and the rest, in the form that makes `cv2.remap` fast."""

    left: int
    top: int
    whole: npt.NDArray[np.int16]
    rest: npt.NDArray[np.uint16]


class Rectifier:
    """Lays pictures flat. What it works out for a pose is kept for the next picture with that pose."""

    def __init__(self, plane: BoardPlane) -> None:
        self.plane = plane
        self._ways: Recent[_Way] = Recent(2)
        self._outlines: Recent[Image] = Recent(2)

    def flatten(self, bgr: Image, pose: BoardPose, part: FlatPart) -> Image:
        """The board in a picture, seen in the plane of its sheets; black beyond the picture and outside this part of
        what is `laid`."""
        way, (rows, columns) = self._way(pose), part
        here = (
            slice(rows.start - way.top, rows.stop - way.top),
            slice(columns.start - way.left, columns.stop - way.left),
        )
        flat = np.zeros((self.plane.size[1], self.plane.size[0], 3), np.uint8)
        # With a fourth channel it takes two thirds of the time.
        four = cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA)
        laid = cv2.remap(four, way.whole[here], way.rest[here], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        cv2.cvtColor(laid, cv2.COLOR_BGRA2BGR, dst=flat[part])
        return flat

    def laid(self, pose: BoardPose) -> FlatPart:
        """The part of the flat picture where the board or a stack can be, seen from there."""
        way = self._way(pose)
        return slice(way.top, way.top + way.whole.shape[0]), slice(way.left, way.left + way.whole.shape[1])

    def sources(self, pose: BoardPose) -> npt.NDArray[np.int16]:
        """For every pixel of what is `laid`, the nearest pixel of the camera's picture: column and row."""
        return self._way(pose).whole

    def part_of(self, changed: Image, pose: BoardPose, every: int) -> FlatPart | None:
        """The part of the flat picture that shows what changed (255) in a camera's picture reduced by this factor; None
        if it shows none of it."""
        way, (height, width) = self._way(pose), changed.shape
        # Close enough that no change falls between them, and that the part includes what is beside a change.
        step = self.plane.settings.projected // 2
        columns, rows = np.moveaxis(way.whole[::step, ::step] // every, -1, 0)
        near = cv2.dilate(changed, np.ones((5, 5), np.uint8))
        stirred = near[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
        if not stirred.any():
            return None
        x, y, wide, high = (step * each for each in cv2.boundingRect(stirred))
        bottom, right = min(y + high + step, way.whole.shape[0]), min(x + wide + step, way.whole.shape[1])
        return slice(way.top + max(0, y - step), way.top + bottom), slice(way.left + max(0, x - step), way.left + right)

    def in_camera(self, pose: BoardPose, every: int) -> Image:
        """Where (255) the flat picture comes from, in a camera's picture reduced by this factor."""
        return self._outlines.get((pose, every), lambda: self._outline(pose, every))

    def _outline(self, pose: BoardPose, every: int) -> Image:
        width, height = pose.lens.size
        mask = np.zeros((round(height / every), round(width / every)), np.uint8)
        pixels = self._way(pose).whole
        edge = np.concatenate([pixels[0], pixels[:, -1], pixels[-1, ::-1], pixels[::-1, 0]])
        edge = edge[:: self.plane.settings.projected]
        return np.asarray(cv2.fillPoly(mask, [np.rint(edge / every).astype(np.int32)], 255), np.uint8)

    def _way(self, pose: BoardPose) -> _Way:
        return self._ways.get(pose, lambda: self._projected(pose))

    def _projected(self, pose: BoardPose) -> _Way:
        # cv2.resize puts the middle of source pixel k at grid * k + (grid - 1) / 2; one more all round for the edges.
        plane, grid = self.plane, self.plane.settings.projected
        first, (width, height) = self._window(pose)
        across, down = -(-width // grid) + 2, -(-height // grid) + 2
        x, y = np.meshgrid((np.arange(across) - 0.5) * grid - 0.5, (np.arange(down) - 0.5) * grid - 0.5)
        places = plane.to_board(np.column_stack([x.ravel(), y.ravel()]) + first)
        pixels = pose.project(np.column_stack([places, np.full(len(places), plane.level)])).astype(np.float32)
        coarse = pixels.reshape(down, across, 2)
        fine = cv2.resize(coarse, (across * grid, down * grid), interpolation=cv2.INTER_LINEAR)
        inner, none = fine[grid : grid + height, grid : grid + width], np.empty(0, np.float32)
        whole, rest = cv2.convertMaps(inner, none, cv2.CV_16SC2)
        return _Way(int(first[0]), int(first[1]), np.asarray(whole, np.int16), np.asarray(rest, np.uint16))

    def _window(self, pose: BoardPose) -> tuple[Numbers, Numbers]:
        """The first pixel and the size of what must be laid flat: the board, and where stacks may lean."""
        plane, eye = self.plane, pose.eye
        up = float(eye[2]) - plane.level
        by = up / max(up - 2 * plane.tallest, up / 2)
        half = np.array(plane.board.base.size) / 2 + plane.settings.around
        sites = plane.sites + np.array([(-1.0, -1.0), (1.0, 1.0)])[:, None] * plane.widest
        leaning = eye[:2] + (sites - eye[:2]) * by
        places = plane.to_flat(np.vstack([-half, half, sites.reshape(-1, 2), leaning.reshape(-1, 2)]))
        first = np.clip(np.floor(places.min(axis=0)), 0, None).astype(np.intp)
        last = np.minimum(np.ceil(places.max(axis=0)) + 1, plane.size).astype(np.intp)
        return first, last - first


def _moved(part: slice, by: int) -> slice:
    return slice(part.start + by, part.stop + by)
