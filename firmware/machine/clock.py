"""The time of day, for the log, and the table's own time."""

from __future__ import annotations

from datetime import UTC, datetime


def wall_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class TableClock:
    """Seconds of a match by its frames. One that is resumed, or goes on before another camera, goes on from where it
    was."""

    def __init__(self) -> None:
        self.now = 0.0
        self._ahead: float | None = 0.0
        """How far the camera's clock is ahead of the table's; None until its next frame."""

    def go_on_from(self, seconds: float) -> None:
        """Give the next frame this time, whatever the camera's clock says."""
        self.now, self._ahead = seconds, None

    def at(self, frame: float) -> float:
        """The table's time at a frame."""
        if self._ahead is None:
            self._ahead = frame - self.now
        self.now = frame - self._ahead
        return self.now
