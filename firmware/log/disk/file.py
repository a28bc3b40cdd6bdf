"""The log file: how it is opened, begun or brought up to date, and how damage is detected."""

from __future__ import annotations

import os
import sqlite3
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from stat import S_IMODE, S_IRWXO
from typing import Any

from firmware.log.disk.schema import APPLICATION, GET_EVENTS, GET_MATCH, TABLES, TRIGGERS, VERSION, create_trigger
from firmware.log.disk.upgrade import upgrade
from firmware.log.match.record import LogDamagedError, LogEmptyError, LogError, LogUnwritableError

SUFFIX = ".sqlite"
"""Files with this suffix are treated as logs, even if damaged."""
PATIENCE = 10.0
"""Seconds to wait while another process writes."""

PARTS = ("-wal", "-shm", "-journal", ".witness", "")
"""The files of a log; the main file last."""
TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""SQLite's messages about damaged pages may not be valid text."""
_DAMAGE = {0, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
"""Error codes of a damaged file, including missing tables or columns and invalid text (0)."""
_LOST = {
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
    sqlite3.SQLITE_IOERR_DATA,
}
"""Read errors of the disk; other trouble, such as a full disk, says nothing about the file."""
_PASSING = {
    *(sqlite3.SQLITE_FULL, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN),
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PERM),
}
"""What says nothing about the file, only that the disk, or somebody, does not let us write."""
_HEADER = b"SQLite format 3\0"
_TRACES = (*(name.encode() for name in TRIGGERS), b'{"ply":')
"""Text that every log of ours contains, however damaged."""
_ENOUGH = 1 << 20
"""How many bytes of a file are searched for it."""


def open_log(path: Path, read_only: bool) -> sqlite3.Connection:
    """Open a log; create it if there is none."""
    try:
        begun = _is_begun(path, read_only)
        if read_only and not begun:
            raise LogEmptyError(f"the log {path} holds no match yet: play one, or choose another log")
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not read_only:
            _keep_private(path)
        with ExitStack() as half_open:
            db = half_open.enter_context(closing(connect(path, read_only)))
            if not read_only:
                _prepare(db, path, begun)
            half_open.pop_all()
    except TROUBLE as error:
        raise told(path, error) from error
    except (FileExistsError, NotADirectoryError) as error:
        raise LogError(f"cannot use the log {path}: {path.parent} is not a folder; choose another") from error
    except OSError as error:
        raise LogUnwritableError(f"cannot use the log {path}: {error.strerror}") from error
    return db


def _keep_private(path: Path) -> None:
    """Who plays when is nobody else's affair on this machine: SQLite gives its other files the same rights."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    for file in (path, *(part_of(path, part) for part in PARTS)):
        # It may belong to somebody else, who has his reasons.
        with suppress(OSError):
            file.chmod(S_IMODE(file.stat().st_mode) & ~S_IRWXO)


def _is_begun(path: Path, read_only: bool) -> bool:
    """Whether there is a log already; raises if something else is there. Nothing is changed."""
    if path.exists() and not path.is_file():
        what = "a folder" if path.is_dir() else "not a file"
        raise LogError(f"cannot use the log {path}: it is {what}; choose another")
    begun = holds_anything(path)
    if begun and path.suffix != SUFFIX and _is_foreign(path):
        raise LogError(f"{path} is not a match log and was left untouched: choose another file")
    if not begun and holds_anything(part_of(path, "-wal")):
        # SQLite would discard this journal with everything it still holds.
        raise LogDamagedError(f"{path} is empty although events had been written to it")
    if not begun:
        return False
    # Without leave to write, a look at a damaged file changes nothing in it; but it takes that leave to undo what a
    # power cut has left half done while the file was made.
    half_made = part_of(path, "-journal").exists()
    with closing(connect(path, read_only or not half_made)) as db:
        return _check(db, path)


def connect(path: Path, read_only: bool) -> sqlite3.Connection:
    if not read_only:
        return _connected(path, "mode=rwc")
    db = _connected(path, "mode=ro")
    try:
        _pragma(db, "user_version")
    except TROUBLE as error:
        db.close()
        if not isinstance(error, sqlite3.OperationalError) or holds_anything(part_of(path, "-wal")):
            raise
        # Whoever looks on beside a writer needs room for a file of its own: on a full disk there is none. But where
        # nothing waits to be written, nobody writes, and the file alone says all.
        db = _connected(path, "mode=ro&immutable=1")
    return db


def _connected(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", timeout=PATIENCE, isolation_level=None, uri=True)


def _is_foreign(path: Path) -> bool:
    """Whether a file not named like a log is not one, not even a damaged one."""
    with path.open("rb") as file:
        data = file.read(_ENOUGH)
    blank = not data.strip(b"\0")
    return not (blank or data.startswith(_HEADER[: len(data)]) or any(trace in data for trace in _TRACES))


def _check(db: sqlite3.Connection, path: Path) -> bool:
    """Check that the file holds a log; raise if it does not."""
    mark, version = _pragma(db, "application_id"), _pragma(db, "user_version")
    (things,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not things and not mark:
        return False
    if mark != APPLICATION:
        names = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
        if not names >= TABLES.keys():
            raise LogError(f"{path} belongs to another program and was left untouched: choose another file")
        raise LogDamagedError(f"{path} is damaged: it no longer identifies itself as a match log")
    if version > VERSION:
        raise LogError(f"{path} was written by a newer Magister Ludi (log version {version}): update this installation")
    found = _pragma(db, "integrity_check(1)")
    if found != "ok":
        raise LogDamagedError(f"{path} is damaged: {' '.join(str(found).split())}")
    for query in (GET_MATCH, GET_EVENTS):
        db.execute(query, (0,)).fetchall()
    return True


def _pragma(db: sqlite3.Connection, name: str) -> Any:  # noqa: ANN401 - a number or a text, as the pragma has it
    return db.execute(f"PRAGMA {name}").fetchone()[0]


def _prepare(db: sqlite3.Connection, path: Path, begun: bool) -> None:
    """Make a log ready to be written to."""
    # A write-ahead log with a sync at each commit: an event is one write at the end of a file and one sync, the fewest
    # that survive a power cut; each frame has a checksum, so a torn last one is left out at the next start; and whoever
    # reads meanwhile neither waits nor keeps us waiting. Where a disk cannot do it SQLite keeps a rollback journal
    # instead, for which EXTRA also syncs the folder (here it is the same as FULL).
    _pragma(db, "journal_mode = WAL")
    db.execute("PRAGMA synchronous = EXTRA")
    if begun:
        upgrade(db)
    else:
        _create(db)
        sync_folder(path.parent)
    checkpoint(db)


def _create(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for name, columns in TABLES.items():
        db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    for name in TRIGGERS:
        create_trigger(db, name)
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    # From now on the file identifies itself, whatever happens to its journal.
    checkpoint(db)


def checkpoint(db: sqlite3.Connection) -> None:
    """Take into the file itself what its journal holds; whoever is reading is not waited for."""
    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()


def told(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> LogError:
    """What SQLite says, in one line."""
    code = getattr(error, "sqlite_errorcode", 0)
    if code & 0xFF in _DAMAGE or code in _LOST:
        return LogDamagedError(f"{path} is damaged or not a match log: {error}")
    why = "the disk is full" if code == sqlite3.SQLITE_IOERR_SHMSIZE else error
    kind = LogUnwritableError if code & 0xFF in _PASSING else LogError
    return kind(f"cannot use the log {path}: {why}")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def holds_anything(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def part_of(path: Path, part: str) -> Path:
    return path.with_name(path.name + part)


def parts_of(path: Path) -> tuple[Path, ...]:
    """All the files of a log; if its name is a link, SQLite keeps the others next to the target."""
    return tuple(part_of(place, part) for place in (path, path.resolve()) for part in PARTS)


def sync_folder(folder: Path) -> None:
    """Make sure that file names in it are on the disk."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
