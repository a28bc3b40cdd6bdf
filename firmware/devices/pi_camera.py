"""The Raspberry Pi's own camera."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

import numpy as np

from engine.spoken import SpokenError
from firmware.devices.light_drift import LightDrift
from firmware.devices.no_camera import NoCameraError
from firmware.machine.clock import Clock, Sleep, pauses, since
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from vision.frame import Frame

GONE = (RuntimeError, TimeoutError, OSError, IndexError)
"""What picamera2 raises when a camera is not there, does not answer, or has stopped."""
STOP_SECONDS = 5.0
LOCKED = ("ExposureTime", "AnalogueGain", "ColourGains")


class PiCamera:
    """A camera module on the Pi's own connector, through picamera2.

    Exposure, gain, colours and focus settle for a while and are then locked: a hand over the board must not change how
    the board looks. While they settle after it was opened there are no frames. They settle anew between matches, and
    when the light has become another one.
    """

    def __init__(self, settings: CameraSettings, *, clock: Clock = time.monotonic, sleep: Sleep | None = None) -> None:
        try:
            from picamera2 import Picamera2  # type: ignore[import-not-found, import-untyped, unused-ignore]
        except ImportError as error:
            raise NoCameraError(
                SpokenError(
                    "picamera2 is not available ({error}): on a Raspberry Pi, `sudo apt install python3-picamera2` "
                    "and use an environment that sees the system's packages; elsewhere use another camera (usb:0).",
                    error=str(error),
                )
            ) from error
        self._make: Any = Picamera2
        self._settings = settings
        self._clock = since(clock)
        self._stopping = Event()
        self._sleep = sleep or self._stopping.wait
        self._pauses = pauses()
        self._lock_at: float | None = None
        self._drift, self._is_new = LightDrift(), True
        self._asked = Event()
        self._camera: Any = None
        self._busy = Lock()
        """Held while the camera is in use: closing waits for the current frame."""
        try:
            self._open()
        except GONE as error:
            raise NoCameraError(
                SpokenError(
                    "There is no Raspberry Pi camera ({error}): check the cable and try `rpicam-hello --list-cameras`.",
                    error=str(error),
                )
            ) from error

    def frames(self) -> Iterator[Frame | None]:
        while not self._stopping.is_set():
            yield self._next()

    def adjust(self) -> None:
        """Let exposure, focus and colours settle anew."""
        self._asked.set()

    def _next(self) -> Frame | None:
        with self._busy:
            if self._stopping.is_set():
                return None
            try:
                if self._camera is None:
                    self._open()
                frame = self._capture()
            except GONE:
                self._let_go()
            else:
                self._pauses = pauses()
                return frame
        self._sleep(next(self._pauses))
        return None

    def _open(self) -> None:
        # A failed attempt leaves a pipe open, and attempts are repeated indefinitely.
        if not self._make.global_camera_info():
            raise RuntimeError("none is connected")
        camera = self._make()
        try:
            size, controls = (self._settings.width, self._settings.height), {"FrameRate": self._settings.fps}
            if "AfMode" in camera.camera_controls:
                controls["AfMode"] = 2  # continuous
            mode = whole_view(camera.sensor_modes, size)
            chosen = {"output_size": mode["size"], "bit_depth": mode["bit_depth"]} if mode else {}
            # RGB888 is blue, green, red in memory. Without a queue every frame is newer than the request for it.
            configuration = camera.create_video_configuration(
                main={"size": size, "format": "RGB888"}, controls=controls, queue=False, sensor=chosen
            )
            camera.configure(configuration)
            camera.start()
        except GONE:
            with suppress(*GONE):
                camera.close()
            raise
        self._camera, self._is_new = camera, True
        self._lock_at = self._clock() + self._settings.settle

    def _capture(self) -> Frame | None:
        # Without `wait`, a camera whose cable came off would block forever.
        with self._camera.captured_request(wait=self._settings.patience) as request:
            now = self._clock()
            if self._lock_at is not None and now >= self._lock_at:
                self._camera.set_controls(locked(request.get_metadata()))
                self._lock_at, self._is_new = None, False
                self._asked.clear()
                self._drift.lock()
            elif self._is_new:
                return None
            frame = Frame(np.asarray(request.make_array("main"), dtype=np.uint8), now)
        if self._lock_at is None and (self._drift.is_over(frame.bgr, now) or self._asked.is_set()):
            self._asked.clear()
            self._camera.set_controls(free(self._camera.camera_controls))
            self._lock_at = now + self._settings.settle
        return frame

    def _let_go(self) -> None:
        """Close a camera that has gone; its `close` sometimes hangs, so wait only for a while."""
        camera, self._camera = self._camera, None
        if camera is None:
            return

        def close() -> None:
            with suppress(*GONE):
                camera.close()

        closing = Thread(target=close, daemon=True, name="closing a camera")
        closing.start()
        closing.join(STOP_SECONDS)
        if closing.is_alive():
            raise UsageError("the camera is not responding: check its cable and restart the program")

    def close(self) -> None:
        self._stopping.set()
        # A camera that hangs in the middle of a frame is released when the program ends.
        if not self._busy.acquire(timeout=STOP_SECONDS + self._settings.patience):
            return
        try:
            self._let_go()
        finally:
            self._busy.release()


def pi_cameras() -> list[str]:
    """The models of the cameras at the Pi's own connectors; none where there is no picamera2."""
    try:
        from picamera2 import Picamera2
    except ImportError:
        return []
    with suppress(*GONE):
        # What has no model is a webcam, which libcamera knows as well.
        return [str(each["Model"]) for each in Picamera2.global_camera_info() if "usb" not in str(each.get("Id", ""))]
    return []


def whole_view(modes: Sequence[Mapping[str, Any]], size: tuple[int, int]) -> Mapping[str, Any] | None:
    """The smallest sensor mode of at least this size with the full field of view: small ones often crop it."""
    known = [mode for mode in modes if {"size", "bit_depth", "crop_limits"} <= mode.keys()]
    enough = [mode for mode in known if mode["size"][0] >= size[0] and mode["size"][1] >= size[1]]

    def seen(mode: Mapping[str, Any]) -> int:
        _, _, width, height = mode["crop_limits"]
        return int(width * height)

    return min(enough, key=lambda mode: (-seen(mode), mode["size"], -mode["bit_depth"]), default=None)


def free(controls: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that let a camera find exposure, colours and focus by itself."""
    return {"AeEnable": True, "AwbEnable": True} | ({"AfMode": 2} if "AfMode" in controls else {})  # continuous


def locked(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The controls that lock a camera to the state in which a frame was taken."""
    controls: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    controls |= {name: metadata[name] for name in LOCKED if name in metadata}
    if "LensPosition" in metadata:
        controls |= {"AfMode": 0, "LensPosition": metadata["LensPosition"]}  # manual
    return controls
