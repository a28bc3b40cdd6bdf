"""A log belongs to one running program: two would both go on with the same match, each with actions of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from firmware.errors import UsageError


@contextmanager
def claimed(log: Path) -> Iterator[None]:
    """Hold a log meanwhile, or until the program ends in whatever way; refuse where another program holds it."""
    place = log.with_name(f"{log.name}.lock")
    with place.open("wb") as file:
        _lock(file, log)
        try:
            yield
        finally:
            place.unlink(missing_ok=True)


def _lock(file: IO[bytes], log: Path) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        # Not `flock`: that would pass to the processes we start, and outlive us with them.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            f"another magister run keeps the log {log}: end that one first, or give another log with --log"
        ) from error
