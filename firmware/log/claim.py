"""A log belongs to one running program: two would both resume the same match, each with actions of its own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO

from firmware.log.disk.file import identity
from firmware.log.match.record import LogError, LogUnwritableError
from firmware.log.store import Store
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
    with _locked(place, log):
        try:
            yield
        finally:
            # While it is still held: whoever waits for it finds that it is no longer the one of this name.
            place.unlink(missing_ok=True)


def _locked(place: Path, log: Path) -> IO[bytes]:
    """The lock file, held."""
    while True:
        with ExitStack() as half_open:
            file = half_open.enter_context(_lock_file(place, log))
            _lock(file, log)
            if identity(place) == _identity_of(file):
                half_open.pop_all()
                return file


def _identity_of(file: IO[bytes]) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _lock_file(place: Path, log: Path) -> IO[bytes]:
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.fdopen(os.open(place, os.O_RDWR | os.O_CREAT, 0o600), "r+b")
    except (FileExistsError, NotADirectoryError) as error:
        raise LogError(f"cannot use the log {log}: {log.parent} is not a folder; choose another") from error
    except OSError as error:
        raise LogUnwritableError(f"cannot use the log {log}: {error.strerror}; choose another with --log") from error


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
