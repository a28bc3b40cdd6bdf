"""The cameras that this machine has, and what they can do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import cv2

from engine.core import Json
from firmware.devices.no_camera import NoCameraError
from firmware.devices.pi_camera import pi_cameras
from firmware.devices.webcam import open_webcam
from firmware.settings.config import CameraSettings
from vision.frame import Image

SETTABLE = {
    "exposure": cv2.CAP_PROP_AUTO_EXPOSURE,
    "white balance": cv2.CAP_PROP_AUTO_WB,
    "focus": cv2.CAP_PROP_AUTOFOCUS,
}
"""What a webcam may let be set, by what OpenCV calls the switch of its automatic."""
DARK = 8
"""So many pictures a webcam has sent before it has found its exposure."""


@dataclass(frozen=True)
class FoundCamera:
    """A camera, as `magister cameras` tells it."""

    source: str
    """As it is written for --camera."""
    name: str
    why: str = ""
    """Why it cannot be used now; empty if it can."""
    size: tuple[int, int] | None = None
    """Pixels that it sends when asked for those of the settings."""
    fps: float | None = None
    """Pictures a second that its driver tells."""
    settable: tuple[str, ...] = ()
    """What its driver lets be set by hand."""
    picture: Image | None = field(default=None, repr=False, compare=False)
    """What it sees."""

    def record(self) -> Json:
        """Plain values; the picture is not among them."""
        return {name: value for name, value in asdict(self).items() if name != "picture"} | {"works": not self.why}


def found_cameras(
    numbers: list[tuple[int, str]],
    settings: CameraSettings,
    capture: Callable[[int], Any] = cv2.VideoCapture,
    of_the_pi: Callable[[], list[str]] = pi_cameras,
) -> list[FoundCamera]:
    """Every camera that is plugged in, each opened for a moment; `numbers` are those of webcams, with their names."""
    pi = [FoundCamera("picamera2", name) for name in of_the_pi()[:1]]
    return [*pi, *(look_through(number, name, settings, capture) for number, name in numbers)]


def look_through(
    number: int, name: str, settings: CameraSettings, capture: Callable[[int], Any] = cv2.VideoCapture
) -> FoundCamera:
    """A webcam, opened for a moment."""
    source = f"usb:{number}"
    try:
        device: Any = open_webcam(number, settings, capture)
    except NoCameraError as error:
        return FoundCamera(source, name, str(error))
    try:
        there, bgr = device.read()
        for _ in range(DARK):
            if not there:
                break
            there, bgr = device.read()
        if not there or bgr is None:
            return FoundCamera(source, name, f"Camera {source} sends no pictures: check its cable.")
        rate = float(device.get(cv2.CAP_PROP_FPS))
        settable = tuple(what for what, switch in SETTABLE.items() if device.get(switch) >= 0)
        return FoundCamera(
            source,
            name,
            size=(bgr.shape[1], bgr.shape[0]),
            fps=rate if rate > 0 else None,
            settable=settable,
            picture=bgr,
        )
    finally:
        device.release()
