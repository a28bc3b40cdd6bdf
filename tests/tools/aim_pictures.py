"""Makes docs/pictures/build-aim.jpg: what the camera should see, and three things that the doctor would not let pass.

python tests/tools/aim_pictures.py docs/pictures/build-aim.jpg
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np

from engine.registry import find_game
from firmware.doctor.findings import Verdict
from firmware.doctor.picture import judge, picture_findings
from firmware.settings.eyes import make_eye
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Light, Scene, stand
from vision.frame import Frame, Image
from vision.overlay import annotate

BOARD = find_game("memento-tuos").board(2, {})
FACES = {"T1": "red2", "L3": "blue1", "I7": "yellow3", "R2": "green1", "T6": "red1", "R5": "blue2"}
SMALL = (640, 360)
GREEN, RED = (75, 150, 60), (50, 40, 200)
BEST = Pose(distance=560, tilt=25)


def photo(pose: Pose) -> Image:
    scene = Scene(BOARD, stand(BOARD, BOARD.faces.read(FACES)), pose=pose, light=Light())
    return np.asarray(Renderer(BOARD).render(scene).bgr, dtype=np.uint8)


def framed(image: Image, colour: tuple[int, int, int]) -> Image:
    small = cv2.resize(image, SMALL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.copyMakeBorder(small, 6, 6, 6, 6, cv2.BORDER_CONSTANT, value=colour), dtype=np.uint8)


def main(out: Path) -> None:
    good = photo(BEST)
    wrong = [photo(Pose(distance=430, tilt=25)), (good * 0.2).astype(np.uint8), cv2.GaussianBlur(good, (0, 0), 4.5)]
    for image, fine in ((good, True), *((each, False) for each in wrong)):
        findings = picture_findings(judge(Frame(image), [BOARD], None))
        assert fine == all(each.verdict is Verdict.PASS for each in findings), findings
    eye = make_eye(BOARD)
    read = annotate(good, BOARD, eye.look(Frame(good)))
    panels = [framed(np.asarray(read, dtype=np.uint8), GREEN), *(framed(each, RED) for each in wrong)]
    grid = np.vstack([np.hstack(panels[:2]), np.hstack(panels[2:])])
    cv2.imwrite(str(out), grid, [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
