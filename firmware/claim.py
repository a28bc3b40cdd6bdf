"""A log belongs to one running program: two would both go on with the same match, each with actions of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from firmware.errors import UsageError


def claim(log: Path) -> IO[bytes]:
    """Hold a log until this is closed, or the program ends in whatever way; refuse where another program holds it."""
    file = log.with_name(f"{log.name}.lock").open("wb")
    if sys.platform != "win32":
        import fcntl

        try:
            # Not `flock`: that would pass to the processes we start, and outlive us with them.
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.close()
            raise UsageError(
                f"another magister run keeps the log {log}: end that one first, or give another log with --log"
            ) from error
    return file
