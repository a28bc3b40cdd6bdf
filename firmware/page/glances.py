"""What webcams see that are not in use, so that people can tell which is which."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock, Thread

from firmware.page.desk import Desk
from firmware.page.photographer import packed
from vision.frame import Image

Glance = Callable[[str], Image | None]
"""What the camera of this name sees; None if it gives nothing."""


class Glances:
    """One webcam after the other, opened for a moment in threads of their own: that may take seconds."""

    def __init__(self, desk: Desk, glance: Glance) -> None:
        self._desk, self._glance = desk, glance
        self._one_by_one = Lock()

    def serve(self) -> None:
        """Begin with what was asked for."""
        for number, camera in self._desk.wanted_glances():
            Thread(target=self._look, args=(number, camera), daemon=True, name=f"a glance through {camera}").start()

    def _look(self, number: int, camera: str) -> None:
        jpeg = None
        try:
            with self._one_by_one:
                seen = self._glance(camera)
            jpeg = packed(seen) if seen is not None else None
        finally:
            # Whoever asked is told even if a driver fails.
            self._desk.send_picture(number, jpeg)
