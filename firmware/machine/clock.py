"""Clocks: the time of day for the log, the table's own time, and how long to wait before trying again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

Clock = Callable[[], float]
Sleep = Callable[[float], object]


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


def pauses(first: float = 0.5, most: float = 8.0) -> Iterator[float]:
    """Seconds to wait before each retry."""
    while True:
        yield first
        first = min(2 * first, most)


def since(clock: Clock) -> Clock:
    """The same clock, counting from now."""
    start = clock()
    return lambda: clock() - start
