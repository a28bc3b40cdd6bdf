"""Makes the pictures of docs/seeing.md: what comes out of each stage of a look at the virtual table.

python tests/tools/seeing_pictures.py docs/pictures
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2

from firmware.settings.eyes import make_eye
from hardware.virtual.camera import Pose
from hardware.virtual.gallery import scenes
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Light
from vision.explain import explain
from vision.frame import Frame

SCENE, POSE, LIGHT = "table-hand", Pose(640, 9, 175, 3, (0, 0), 62), Light((-330, -160, 480), 28, 0.3, 2900, 4500, 3600)
"""Seen from nearly straight above, where heights hardly show, in the light of a lamp: not the easiest of looks."""
WIDTHS = {"fiducials": 640, "rectified": 480, "light": 480, "even-light": 480, "candidates": 720, "verdict": 1000}
"""Pixels; lettering must stay legible."""
QUALITY = 80


def main(folder: Path) -> None:
    scene = replace(scenes()[SCENE], pose=POSE, light=LIGHT)
    eye, frame = make_eye(scene.board), Frame(Renderer(scene.board, fine=True).render(scene).bgr)
    for number, stage in enumerate(explain(eye, frame, eye.look(frame)).stages, 1):
        height, width = stage.picture.shape[:2]
        size = WIDTHS[stage.name], round(height * WIDTHS[stage.name] / width)
        small = cv2.resize(stage.picture, size, interpolation=cv2.INTER_AREA)
        cv2.imwrite(str(folder / f"seeing-{number}-{stage.name}.jpg"), small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
