"""The phone as a source of frames. Its page sends pictures; it gets back what the referee makes of them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Condition, Event

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection

from engine.core import Json
from engine.spoken import SpokenError
from firmware.devices.phone.frames import PhonePicture, opened
from firmware.devices.phone.link import PhoneLink
from firmware.devices.phone.server import PhoneServer
from firmware.machine.clock import Clock, since
from firmware.settings.config import CameraSettings
from vision.frame import Frame

GREETING = 10.0
"""Seconds that a phone gets to say who it is."""
SHOWN = 0.15
"""Seconds between two times that the phone is told what is seen."""
TOLD_TURNED = 3.0
"""Seconds for which it is said that the phone was turned."""
STALE, REPLACED = 4403, 4409
"""Codes with which a connection is closed: its link is not good (any more), or another phone has come."""

NO_PHONE = SpokenError("No phone is connected: scan the code on the “Cameras” page with the phone.")
GONE = SpokenError("The phone is gone: wake it up and keep its camera page open.")
TURNED = SpokenError("The phone was turned: let it lie still until the board is found again.")
TROUBLES = {
    "permission": SpokenError("The phone’s browser may not use the camera: allow it there and try again."),
    "none": SpokenError("The phone’s browser finds no camera."),
    "busy": SpokenError("The phone’s camera is used by another app: close it there and try again."),
    "hidden": SpokenError("The phone shows something else: bring its camera page to the front."),
}
"""What a phone may tell of itself."""


class PhoneCamera:
    """A phone on the same network."""

    def __init__(
        self,
        settings: CameraSettings,
        link: PhoneLink,
        serve: Callable[[Callable[[ServerConnection], None]], PhoneServer],
        clock: Clock = time.monotonic,
    ) -> None:
        self._settings, self._link, self._clock = settings, link, since(clock)
        self._changed = Condition()
        self._newest: PhonePicture | None = None
        self._shown: PhonePicture | None = None
        """The picture that the table looks at."""
        self._line: ServerConnection | None = None
        self._told: SpokenError | None = NO_PHONE
        self._turned_at, self._came_at, self._said_at = float("-inf"), float("-inf"), float("-inf")
        self._closed = Event()
        self._server = serve(self._attend)

    @property
    def trouble(self) -> SpokenError | None:
        if self._told is not None:
            return self._told
        now = self._clock()
        if now - self._came_at > max(self._settings.patience, 2.0):
            return GONE
        return TURNED if self._is_turned(now) else None

    def _is_turned(self, now: float) -> bool:
        return now - self._turned_at < TOLD_TURNED

    def frames(self) -> Iterator[Frame | None]:
        while not self._closed.is_set():
            with self._changed:
                self._changed.wait_for(self._is_due, self._settings.patience)
                self._shown, self._newest = self._newest, None
            if self._closed.is_set():
                return
            yield self._shown.frame if self._shown is not None else None

    def _is_due(self) -> bool:
        return self._newest is not None or self._closed.is_set()

    def show(self, view: Callable[[Callable[[tuple[float, float]], tuple[float, float]]], Json]) -> None:
        """Tell the phone what is seen in its last picture; `view` is given where places of the frame are in it."""
        line, picture, now = self._line, self._shown, self._clock()
        if line is None or picture is None or now - self._said_at < SHOWN:
            return
        self._said_at = now
        told = view(picture.place)
        if self._is_turned(now):
            # It matters most, and is said on both screens.
            told["advice"] = ["turned", {}]
        with suppress(ConnectionClosed, OSError):
            line.send(json.dumps({"view": told, "fps": self._settings.fps}))

    def close(self) -> None:
        with self._changed:
            self._closed.set()
            line = self._line
            self._changed.notify_all()
        self._server.close()
        if line is not None:
            line.close()

    # One connection, in a thread of its own

    def _attend(self, line: ServerConnection) -> None:
        with suppress(ConnectionClosed, TimeoutError, OSError):
            key = self._greet(line.recv(timeout=GREETING))
            if key is None:
                line.close(STALE)
                return
            line.send(json.dumps({"key": key}))
            with self._changed:
                before, self._line = self._line, line
            if before is not None:
                before.close(REPLACED)
            try:
                for message in line:
                    self._hear(line, message)
            finally:
                with self._changed:
                    if self._line is line:
                        self._line, self._told = None, self._told or GONE

    def _greet(self, message: str | bytes) -> str | None:
        """The key of a phone that may be the camera."""
        told = _read(message)
        if key := self._link.redeem(str(told.get("code", ""))):
            return key
        key = str(told.get("key", ""))
        return key if self._link.knows(key) else None

    def _hear(self, line: ServerConnection, message: str | bytes) -> None:
        if self._line is not line:
            return
        if isinstance(message, str):
            self._told = TROUBLES.get(str(_read(message).get("trouble")), self._told)
            return
        if (picture := opened(message, self._clock())) is not None:
            self._take(picture)
        line.send('{"got": true}')

    def _take(self, picture: PhonePicture) -> None:
        with self._changed:
            if self._shown is not None and self._shown.upright != picture.upright:
                self._turned_at = picture.frame.seconds
            self._newest, self._came_at, self._told = picture, picture.frame.seconds, None
            self._changed.notify_all()


def _read(message: str | bytes) -> Json:
    try:
        told = json.loads(message) if isinstance(message, str) else None
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
