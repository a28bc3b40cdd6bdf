"""Webcams, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import cv2

from engine.spoken import SpokenError
from firmware.devices.live_camera import Capture, LiveCamera
from firmware.devices.no_camera import NoCameraError
from firmware.machine.clock import Clock, Sleep
from firmware.settings.config import CameraSettings


class UsbCamera(LiveCamera):
    """A webcam by its number."""

    def __init__(
        self,
        number: int,
        settings: CameraSettings,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
        capture: Callable[[int], Any] = cv2.VideoCapture,
    ) -> None:
        name = f"usb:{number}"
        super().__init__(
            name,
            lambda: open_webcam(number, settings, capture),
            SpokenError("Camera {camera} sends no pictures: check its cable.", camera=name),
            settings,
            clock=clock,
            sleep=sleep,
        )


def open_webcam(number: int, settings: CameraSettings, capture: Callable[[int], Any] = cv2.VideoCapture) -> Capture:
    """The webcam of this number, asked for the size that is wanted."""
    # OpenCV prints a warning of its own at every attempt.
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
    try:
        device: Any = capture(number)
    finally:
        cv2.utils.logging.setLogLevel(level)
    if not device.isOpened():
        device.release()
        raise NoCameraError(
            SpokenError(
                "Camera {camera} cannot be opened: is it plugged in, or is another program using it?",
                camera=f"usb:{number}",
            )
        )
    # Most webcams send 720 lines fast enough only as MJPG. What a camera cannot do, it ignores.
    device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    device.set(cv2.CAP_PROP_FRAME_WIDTH, settings.width)
    device.set(cv2.CAP_PROP_FRAME_HEIGHT, settings.height)
    found: Capture = device
    return found
