"""Takes the photos for the lens by itself, through the camera as the table uses it, while somebody holds the chart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import acos, degrees
from pathlib import Path

import cv2
import numpy as np

from firmware.devices.sources import open_camera
from firmware.machine.errors import UsageError
from firmware.machine.files import write_whole
from firmware.photos.calibrating import CHART, lens_from
from firmware.settings.config import Config
from vision.find.lens import Lens
from vision.find.lens_calibration import LensChart, seen_crossings
from vision.frame import Floats, Frame

PHOTOS = 8
STILL = 1.0
"""Pixels by which the chart may move from one picture to the next where it is held still, in a picture of `USUAL`."""
USUAL = 1280
FILLS = 0.12
"""Share of the picture that the crossings of the chart must span."""
FLAT, ASLANT = 12.0, 15.0
"""Degrees up to which the chart faces the camera, and from which on it is held aslant."""
APART = 8.0
"""Degrees by which a view must be another one than all before."""
VIEW = 66.0
"""Field of view of a lens of which nothing is known, degrees: good enough to tell how the chart is held."""
WANTED = {
    "flat": "hold the chart flat towards the camera, so that it fills the picture",
    "left": "bring its left edge nearer to the camera",
    "right": "bring its right edge nearer to the camera",
    "top": "bring its upper edge nearer to the camera",
    "bottom": "bring its lower edge nearer to the camera",
}
"""The views that tell a lens, as they are in the picture, in the order in which they are asked for."""
OTHERWISE = "any other way of holding it: turn it, or tilt it across a corner"


@dataclass
class Shooting:
    """What was photographed so far. A picture is taken when the chart is held still, in a way not seen before."""

    chart: LensChart = CHART
    photos: list[Frame] = field(default_factory=list)
    views: set[str] = field(default_factory=set)
    _facings: list[Floats] = field(default_factory=list)
    _before: tuple[Floats, Floats] | None = None

    @property
    def is_done(self) -> bool:
        return len(self.photos) >= PHOTOS

    @property
    def wanted(self) -> str:
        """What to do next."""
        return next((told for view, told in WANTED.items() if view not in self.views), OTHERWISE)

    def look(self, frame: Frame) -> str:
        """What there is to say about this picture; "taken" if it was taken."""
        seen, before = seen_crossings(frame, self.chart), self._before
        self._before = seen
        if seen is None:
            return "the chart is not to be seen: hold it into the picture, in good light"
        on_chart, in_picture = seen
        width, height = frame.size
        spanned = np.prod(in_picture.max(axis=0) - in_picture.min(axis=0)) / (width * height)
        if spanned < FILLS:
            return "closer: the chart is small in the picture"
        if before is None or _moved(before, seen) > STILL * max(width, height) / USUAL:
            return "hold it still"
        facing = _facing(on_chart, in_picture, frame.size)
        if facing is None:
            return "hold it still"
        view = view_of(facing)
        missing = [name for name in WANTED if name not in self.views]
        if any(_apart(facing, other) < APART for other in self._facings) or (missing and view not in missing):
            return self.wanted
        self.photos.append(frame)
        self.views.add(view)
        self._facings.append(facing)
        return "taken"


def view_of(facing: Floats) -> str:
    """How a chart that faces this way is held, by which of its edges is nearer; empty where that is not clear."""
    x, y, _ = facing
    tilt = degrees(acos(min(1.0, abs(float(facing[2])))))
    if tilt <= FLAT:
        return "flat"
    if tilt < ASLANT or 0.5 < abs(x) / max(abs(y), 1e-9) < 2.0:
        return ""
    if abs(x) > abs(y):
        return "left" if x > 0 else "right"
    return "top" if y > 0 else "bottom"


def shoot(source: str, config: Path | None, folder: Path, out: Path, tell: Callable[[str], object] = print) -> int:
    """Photograph the chart with a camera, keep the photos in a folder and write the lens; exit code 1 if it cannot be
    found."""
    settings = Config.load(config).camera
    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty: name another folder with --photos, or empty it")
    camera = open_camera(source, settings, fps=settings.fps)
    shooting, said = Shooting(), ""
    tell(f"{PHOTOS} photos of the chart, taken by themselves whenever it is held still. Ctrl-C ends it.")
    try:
        for frame in camera.frames():
            if frame is None:
                continue
            told = shooting.look(frame)
            if told == "taken":
                folder.mkdir(parents=True, exist_ok=True)
                png = np.asarray(cv2.imencode(".png", frame.bgr)[1]).tobytes()
                write_whole(folder / f"chart-{len(shooting.photos)}.png", png)
                told = f"photo {len(shooting.photos)} of {PHOTOS} is taken"
                told += "" if shooting.is_done else f"; now {shooting.wanted}"
            if told != said:
                tell(told)
                said = told
            if shooting.is_done:
                break
    finally:
        camera.close()
    if not shooting.is_done:
        tell(f"the camera has ended after {len(shooting.photos)} of {PHOTOS} photos")
        return 1
    return lens_from(shooting.photos, out)


def _moved(before: tuple[Floats, Floats], now: tuple[Floats, Floats]) -> float:
    """Pixels by which the crossings that are in both pictures have moved; infinite where there are none."""
    places = {(round(float(x), 1), round(float(y), 1)): at for (x, y), at in zip(*before, strict=True)}
    ways = [
        np.linalg.norm(at - places[key])
        for (x, y), at in zip(*now, strict=True)
        if (key := (round(float(x), 1), round(float(y), 1))) in places
    ]
    return float(np.median(ways)) if ways else float("inf")


def _facing(on_chart: Floats, in_picture: Floats, size: tuple[int, int]) -> Floats | None:
    """Which way the chart faces, seen from the camera: (0, 0, -1) is straight towards it."""
    lens = Lens.guess(size, VIEW)
    flat = np.column_stack([on_chart, np.zeros(len(on_chart))])
    worked, turned, _ = cv2.solvePnP(flat, in_picture.reshape(-1, 1, 2), lens.matrix, lens.distortion)
    if not worked:
        return None
    normal = np.asarray(cv2.Rodrigues(turned)[0], dtype=float)[:, 2]
    return -normal if normal[2] > 0 else normal


def _apart(one: Floats, other: Floats) -> float:
    """Degrees between two ways."""
    return degrees(acos(max(-1.0, min(1.0, float(one @ other)))))
