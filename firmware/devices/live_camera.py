"""Live cameras. While unplugged they yield None; they are reopened when they come back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Condition, Event, Thread
from typing import Any

import cv2
import numpy as np

from firmware.devices.pi_camera import STOP_SECONDS, PiCamera
from firmware.devices.recorded import FrameSource, open_recording
from firmware.machine.clock import Clock, Sleep, pauses, since
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from vision.frame import Frame, PictureError

TRIES, BLINK = 3, 0.05
"""How many pictures of a webcam in a row may be bad, and for how many seconds, before it counts as gone."""
MOST_NUMBERED = 100
"""OpenCV gives numbers from here on other meanings."""


class UsbCamera:
    """A webcam, through OpenCV. A thread reads it continuously and keeps only the newest frame."""

    def __init__(
        self,
        number: int,
        settings: CameraSettings,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
        capture: Callable[[int], Any] = cv2.VideoCapture,
    ) -> None:
        self._number = number
        self._settings = settings
        self._clock = since(clock)
        self._stopping = Event()
        self._sleep = sleep or self._stopping.wait
        self._capture = capture
        self._changed = Condition()
        self._newest: Frame | None = None
        device = self._open()
        if device is None:
            raise UsageError(f"camera usb:{number} cannot be opened: is it plugged in, or is another program using it?")
        self._thread = Thread(target=self._read, args=(device,), daemon=True, name=f"camera usb:{number}")
        self._thread.start()

    def frames(self) -> Iterator[Frame | None]:
        while True:
            with self._changed:
                self._changed.wait_for(self._is_due, self._settings.patience)
                frame, self._newest = self._newest, None
            if self._stopping.is_set():
                return
            if frame is None and not self._thread.is_alive():
                raise RuntimeError("the camera thread has stopped")
            yield frame

    def _is_due(self) -> bool:
        return self._newest is not None or self._stopping.is_set()

    def _read(self, device: Any) -> None:  # noqa: ANN401
        waits, spoilt, good = pauses(), 0, self._clock()
        while not self._stopping.is_set():
            frame = self._grab(device)
            with self._changed:
                # A frame from before the cable came off must not be taken for one from now.
                self._newest = frame
                self._changed.notify_all()
            if frame is not None:
                waits, spoilt, good = pauses(), 0, self._clock()
                continue
            spoilt += 1
            if device is not None and spoilt < TRIES and self._clock() - good < self._settings.patience:
                self._sleep(BLINK)
                continue
            if device is not None:
                device.release()
            self._sleep(next(waits))
            device = None if self._stopping.is_set() else self._open()
            spoilt, good = 0, self._clock()
        if device is not None:
            device.release()

    def _grab(self, device: Any) -> Frame | None:  # noqa: ANN401
        try:
            there, bgr = device.read() if device is not None else (False, None)
            return Frame(np.asarray(bgr, dtype=np.uint8), self._clock()) if there else None
        except (PictureError, cv2.error):
            # A webcam may send an empty buffer now and then.
            return None

    def _open(self) -> Any:  # noqa: ANN401
        """The device, or None if it is not there."""
        # OpenCV prints a warning of its own at every attempt.
        level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        try:
            device = self._capture(self._number)
        finally:
            cv2.utils.logging.setLogLevel(level)
        if not device.isOpened():
            device.release()
            return None
        # Most webcams send 720 lines fast enough only as MJPG. What a camera cannot do, it ignores.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self._settings.width)
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._settings.height)
        return device

    def close(self, timeout: float = STOP_SECONDS) -> None:
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        # A device that hangs in the middle of a frame blocks its thread, which ends with the program.
        self._thread.join(timeout)


def open_camera(
    source: str, settings: CameraSettings, *, fps: float | None = None, sim: Callable[[], FrameSource] | None = None
) -> FrameSource:
    """`picamera2`, `usb:N`, `video:FILE`, `frames:DIR`, or `sim`, which the caller creates."""
    kind, _, where = source.partition(":")
    if source == "picamera2":
        return PiCamera(settings)
    if source == "sim" and sim is not None:
        return sim()
    if kind == "usb" and where.isdecimal() and int(where) < MOST_NUMBERED:
        return UsbCamera(int(where), settings)
    if kind in ("video", "frames") and where:
        return open_recording(source, fps)
    raise UsageError(f"{source!r} is not a camera; use picamera2, usb:0, video:FILE, frames:DIR or sim")
