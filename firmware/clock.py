"""The time of day, for the log."""

from __future__ import annotations

from datetime import UTC, datetime


def wall_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
