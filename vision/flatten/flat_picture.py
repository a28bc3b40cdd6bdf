"""The board in a picture laid flat, as if lit evenly by white light."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from engine.board import Board
from vision.find.pose import BoardPose
from vision.flatten.board_plane import BoardPlane
from vision.flatten.light import Illumination, estimate
from vision.flatten.plain_print import PlainPrint, terms_of
from vision.flatten.rectifier import Rectifier
from vision.flatten.reference_patches import ReferencePatches
from vision.flatten.settings import LIGHT, PATCHES, IlluminationSettings, PatchSettings
from vision.frame import GLANCE, Frame, Image


@dataclass(frozen=True, eq=False)
class FlatPicture:
    """The board laid flat."""

    codes: Image
    """In even white light."""
    light: Illumination
    """What fell on it."""
    glance: Image
    """The camera's picture of it, coarsely, to see whether anything changes."""


class Flattener:
    """Lays one board flat."""

    def __init__(
        self, board: Board, plane: BoardPlane, light: IlluminationSettings = LIGHT, patches: PatchSettings = PATCHES
    ) -> None:
        self.settings = light
        self.rectifier = Rectifier(plane)
        self.plain = PlainPrint.of(board, plane, light)
        self.patches = ReferencePatches.of(board, plane, patches)
        self.terms = np.ascontiguousarray(np.moveaxis(terms_of(plane.cell_places()), -1, 0), dtype=np.float32)

    def whole(self, frame: Frame, pose: BoardPose) -> FlatPicture:
        """A picture laid flat, in its own light."""
        laid = self.rectifier.laid(pose)
        flat = self.rectifier.flatten(frame.bgr, pose, laid)
        light = self.light(flat)
        return FlatPicture(light.normalise(flat, self.terms, laid), light, frame.glance)

    def partly(self, frame: Frame, pose: BoardPose, before: FlatPicture, changed: Image) -> FlatPicture | None:
        """The last flat picture, updated where anything has changed (255); None if nothing has, or so much that it may
        be the light."""
        part = self.rectifier.part_of(changed, pose, GLANCE)
        if part is None or cv2.countNonZero(changed) > self.settings.partly * cv2.countNonZero(self.outline(pose)):
            return None
        laid = self.rectifier.flatten(frame.bgr, pose, part)
        glance = cv2.copyTo(frame.glance, changed, before.glance.copy())
        codes = before.light.normalise(laid, self.terms, part, before.codes)
        return FlatPicture(codes, before.light, np.asarray(glance, np.uint8))

    def outline(self, pose: BoardPose) -> Image:
        """Where (255) a glance at the camera's picture shows anything that is laid flat."""
        return self.rectifier.in_camera(pose, GLANCE)

    def light(self, flat: Image) -> Illumination:
        """The light on a flat picture, and what the camera makes of it."""
        light = estimate(flat, self.plain, self.patches.contrast(flat), self.settings)
        return replace(light, paleness=self.patches.paleness(flat, light))
