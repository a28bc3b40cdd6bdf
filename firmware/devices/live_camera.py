"""Cameras that are read all the time. While they give nothing they yield None; they are opened again until they do."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from threading import Condition, Event, Thread
from typing import Protocol

import cv2
import numpy as np

from engine.spoken import SpokenError
from firmware.devices.no_camera import NoCameraError
from firmware.devices.pi_camera import STOP_SECONDS
from firmware.machine.clock import Clock, Sleep, pauses, since
from firmware.settings.config import CameraSettings
from vision.frame import Frame, Image, PictureError

TRIES, BLINK = 3, 0.05
"""How many pictures in a row may be bad, and for how many seconds, before a camera counts as gone."""


class Capture(Protocol):
    """As much of OpenCV's VideoCapture as is used here."""

    def read(self) -> tuple[bool, Image | None]: ...

    def release(self) -> None: ...


class LiveCamera:
    """A thread reads the camera continuously and keeps only the newest frame: however slow the table is, what it sees
    is never old."""

    def __init__(
        self,
        name: str,
        open_it: Callable[[], Capture],
        silent: SpokenError,
        settings: CameraSettings,
        *,
        clock: Clock = time.monotonic,
        sleep: Sleep | None = None,
    ) -> None:
        """`open_it` raises `NoCameraError` where the camera cannot be had; `silent` is what there is to say when one
        that is open sends nothing."""
        self._open, self._silent, self._settings = open_it, silent, settings
        self._clock = since(clock)
        self._stopping = Event()
        self._sleep = sleep or self._stopping.wait
        self._changed = Condition()
        self._newest: Frame | None = None
        self._trouble: SpokenError | None = None
        self._thread = Thread(target=self._read, args=(open_it(),), daemon=True, name=f"camera {name}")
        self._thread.start()

    @property
    def trouble(self) -> SpokenError | None:
        """Why there are no pictures now; None while they come."""
        return self._trouble

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

    def _read(self, opened: Capture) -> None:
        device: Capture | None = opened
        waits, spoilt, good = pauses(), 0, self._clock()
        while not self._stopping.is_set():
            frame = self._grab(device)
            with self._changed:
                # A frame from before the cable came off must not be taken for one from now.
                self._newest = frame
                self._changed.notify_all()
            if frame is not None:
                waits, spoilt, good = pauses(), 0, self._clock()
                self._trouble = None
                continue
            spoilt += 1
            if device is not None and spoilt < TRIES and self._clock() - good < self._settings.patience:
                self._sleep(BLINK)
                continue
            if device is not None:
                self._trouble = self._silent
                device.release()
            self._sleep(next(waits))
            device = None if self._stopping.is_set() else self._again()
            spoilt, good = 0, self._clock()
        if device is not None:
            device.release()

    def _grab(self, device: Capture | None) -> Frame | None:
        try:
            there, bgr = device.read() if device is not None else (False, None)
            return Frame(np.asarray(bgr, dtype=np.uint8), self._clock()) if there else None
        except (PictureError, cv2.error):
            # A webcam may send an empty buffer now and then.
            return None

    def _again(self) -> Capture | None:
        try:
            return self._open()
        except NoCameraError as error:
            self._trouble = error.why
            return None

    def close(self, timeout: float = STOP_SECONDS) -> None:
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()
        # A device that hangs in the middle of a frame blocks its thread, which ends with the program.
        self._thread.join(timeout)
