"""Webcams, through OpenCV."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any

import cv2
import numpy as np

from engine.spoken import SpokenError
from firmware.devices.light_drift import FACTOR, LightDrift, brightness
from firmware.devices.live_camera import LiveCamera
from firmware.devices.no_camera import NoCameraError
from firmware.machine.clock import Clock, Sleep
from firmware.settings.config import CameraSettings
from vision.frame import Image

V4L2_MANUAL, V4L2_AUTOMATIC = 1, 3
"""What Linux calls the two ways to expose; elsewhere they are 0 and 1."""
SHOWS = 1.0
"""Seconds after which the pictures show what was set."""


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
        self._asked = Event()
        super().__init__(
            name,
            lambda: Webcam(open_webcam(number, settings, capture), settings, clock, self._asked),
            SpokenError("Camera {camera} sends no pictures: check its cable.", camera=name),
            settings,
            clock=clock,
            sleep=sleep,
        )

    def adjust(self) -> None:
        """Let exposure, focus and colours settle anew."""
        self._asked.set()


class Webcam:
    """One opening of a webcam: as many pictures a second as are wanted, and what it does by itself is locked once it
    has settled: a hand over the board must not change how the board looks."""

    def __init__(self, device: Any, settings: CameraSettings, clock: Clock, asked: Event) -> None:  # noqa: ANN401 - OpenCV's or a fake
        """`asked`: somebody wants it to settle anew."""
        self._device, self._settings, self._clock, self._asked = device, settings, clock, asked
        self._due = float("-inf")
        self._automatic = Automatic(device)
        self._drift = LightDrift()
        self._lock_at: float | None = clock() + settings.settle
        self._before, self._check_at = 0.0, 0.0
        """How bright it was just before it was locked (0 where nothing is to be checked), and when that is checked."""

    def read(self) -> tuple[bool, Image | None]:
        """The next picture that is wanted. Those in between are taken from the driver, which would else keep them and
        give old ones later, and are not unpacked."""
        while True:
            if not self._device.grab():
                return False, None
            now = self._clock()
            if now >= self._due:
                break
        self._due = max(self._due + 1 / self._settings.fps, now)
        there, bgr = self._device.retrieve()
        if there and bgr is not None and np.size(bgr):
            self._keep_steady(bgr, now)
        return there, bgr

    def _keep_steady(self, bgr: Image, now: float) -> None:
        if self._lock_at is None:
            if self._before and now >= self._check_at:
                self._check(bgr)
            if self._asked.is_set() or self._drift.is_over(bgr, now):
                self._asked.clear()
                self._automatic.give_back()
                self._lock_at = now + self._settings.settle
        elif now >= self._lock_at:
            self._lock_at, self._before = None, brightness(bgr)
            self._asked.clear()
            self._automatic.lock()
            self._drift.lock()
            self._check_at = now + SHOWS

    def _check(self, bgr: Image) -> None:
        """Some drivers tell an exposure that is not the one in use: locked to that, the picture would be another."""
        after, before, self._before = brightness(bgr), self._before, 0.0
        if not 1 / FACTOR <= after / before <= FACTOR:
            self._automatic.give_back_exposure()
            self._drift.lock()

    def release(self) -> None:
        self._automatic.give_back()
        self._device.release()


class Automatic:
    """What a webcam sets by itself, and the switches for it. A driver refuses what it does not have."""

    def __init__(self, device: Any) -> None:  # noqa: ANN401 - OpenCV's or a fake
        self._device = device
        linux = device.get(cv2.CAP_PROP_BACKEND) == cv2.CAP_V4L2
        self._manual, self._by_itself = (V4L2_MANUAL, V4L2_AUTOMATIC) if linux else (0, 1)
        # A program that was killed has left it locked.
        self.give_back()

    def lock(self) -> None:
        """As it is now, so it stays."""
        exposure = self._device.get(cv2.CAP_PROP_EXPOSURE)
        if self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._manual):
            self._device.set(cv2.CAP_PROP_EXPOSURE, exposure)
        self._device.set(cv2.CAP_PROP_AUTO_WB, 0)
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 0)

    def give_back_exposure(self) -> None:
        self._device.set(cv2.CAP_PROP_AUTO_EXPOSURE, self._by_itself)

    def give_back(self) -> None:
        """All by itself again, for the next lock or the next program."""
        self.give_back_exposure()
        self._device.set(cv2.CAP_PROP_AUTO_WB, 1)
        self._device.set(cv2.CAP_PROP_AUTOFOCUS, 1)


def open_webcam(number: int, settings: CameraSettings, capture: Callable[[int], Any] = cv2.VideoCapture) -> Any:  # noqa: ANN401
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
    return device
