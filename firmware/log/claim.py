"""A log belongs to one running program: two would both resume the same match, each with actions of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from firmware.log.store import LogError, Store
from firmware.machine.errors import UsageError


@contextmanager
def own_log(path: Path) -> Iterator[Store]:
    """Open the log for this program alone."""
    # Before opening it: opening sets a damaged file aside, which must not happen while another program writes it.
    with claimed(path), Store(path) as store:
        yield store


@contextmanager
def claimed(log: Path) -> Iterator[None]:
    """Hold a log until the block, or the program, ends; refuse if another program holds it."""
    # Whatever name or link is used for it.
    real = Path(os.path.realpath(log))
    place = real.with_name(f"{real.name}.lock")
    with _lock_file(place, log) as file:
        _lock(file, log)
        try:
            yield
        finally:
            place.unlink(missing_ok=True)


def _lock_file(place: Path, log: Path) -> IO[bytes]:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        return place.open("wb")
    except (FileExistsError, NotADirectoryError) as error:
        raise LogError(f"cannot use the log {log}: {log.parent} is not a folder; choose another") from error
    except OSError as error:
        raise LogError(f"cannot use the log {log}: {error.strerror}; choose another with --log") from error


def _lock(file: IO[bytes], log: Path) -> None:
    if sys.platform == "win32":
        return
    import fcntl

    try:
        # Not `flock`: child processes would inherit it and keep it after we end.
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise UsageError(
            f"another magister run is using the log {log}: stop it first, or choose another log with --log"
        ) from error
