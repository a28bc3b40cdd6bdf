"""The file of the match log: its tables, what protects them, and what becomes of a damaged one."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from firmware.store_record import LogError

APPLICATION = 0x4D4C7564
"""SQLite's mark of whose file it is: `MLud`."""
VERSION = 1
PATIENCE = 10.0
"""Seconds to wait while another process writes."""
LAST_ID = 2**63 - 1
"""SQLite counts no further."""
Row: TypeAlias = tuple[Any, ...]

TABLES = {
    "matches": "id INTEGER PRIMARY KEY, started TEXT NOT NULL, game TEXT NOT NULL, variant TEXT, players TEXT NOT NULL,"
    " options TEXT NOT NULL, setup TEXT NOT NULL, turns TEXT NOT NULL, hash TEXT NOT NULL",
    "events": "match INTEGER NOT NULL REFERENCES matches, number INTEGER NOT NULL, at TEXT NOT NULL,"
    " seconds REAL NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, hash TEXT NOT NULL,"
    " PRIMARY KEY (match, number)",
}
# INSERT OR REPLACE deletes without asking the triggers that guard against it: so what is there may not come again.
TRIGGERS = {
    "matches_are_not_changed": "UPDATE ON matches",
    "matches_are_not_deleted": "DELETE ON matches",
    "matches_come_in_order": "INSERT ON matches WHEN NEW.id <= (SELECT max(id) FROM matches)",
    "events_are_not_changed": "UPDATE ON events",
    "events_are_not_deleted": "DELETE ON events",
    "events_come_in_order": "INSERT ON events WHEN NEW.number IS NOT"
    " (SELECT coalesce(max(number), -1) + 1 FROM events WHERE match = NEW.match)",
}
GET_IDS = "SELECT id FROM matches ORDER BY id"
GET_MATCH = "SELECT id, started, game, variant, players, options, setup, turns, hash FROM matches WHERE id = ?"
GET_EVENTS = "SELECT number, at, seconds, kind, payload, hash FROM events WHERE match = ? ORDER BY number"
GET_LAST = "SELECT number, hash FROM events WHERE match = ? ORDER BY number DESC LIMIT 1"
GET_UNFINISHED = (
    "SELECT id FROM matches AS m WHERE NOT EXISTS"
    " (SELECT 1 FROM events WHERE match = m.id AND kind IN ('result', 'draw', 'abandon') AND number >"
    " (SELECT coalesce(max(number), -1) FROM events WHERE match = m.id AND kind IN ('undo', 'correction')))"
    " ORDER BY id DESC"
)
ADD_MATCH = "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
ADD_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"

_PARTS = ("-wal", "-shm", "-journal", "")
"""What a database consists of, side by side; the file itself last."""
TROUBLE = (sqlite3.Error, UnicodeDecodeError)
"""Where a damaged page has no text, Python stumbles over SQLite's own words for it."""
_DAMAGE = {0, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_IOERR}
"""Among them a table or column that is not there, and text that is none (0)."""


class LogDamagedError(LogError):
    """The file is no log of ours, or no longer a whole one."""


def open_log(path: Path, read_only: bool) -> sqlite3.Connection:
    """A log, begun if there is none yet."""
    try:
        if path.is_dir():
            raise LogError(f"cannot use the log {path}: it is a folder")
        begun = _holds_anything(path)
        if not begun and _holds_anything(_part(path, "-wal")):
            # SQLite would throw this journal away, and with it all that it still holds.
            raise LogDamagedError(f"{path} is empty although events were written")
        if begun:
            # Without leave to write, a look at a damaged file changes nothing in it; but it takes that leave to undo
            # what a power cut has left half done while the file was made.
            half_made = _part(path, "-journal").exists()
            with closing(_connect(path, read_only or not half_made)) as db:
                begun = _check(db, path)
        if read_only and not begun:
            raise LogError(f"there is no match in the log {path} yet")
        path.parent.mkdir(parents=True, exist_ok=True)
        db = _connect(path, read_only)
        if not read_only:
            _prepare(db, path, begun)
    except TROUBLE as error:
        raise told(path, error) from error
    except OSError as error:
        raise LogError(f"cannot use the log {path}: {error.strerror}") from error
    return db


def _connect(path: Path, read_only: bool) -> sqlite3.Connection:
    mode = "ro" if read_only else "rwc"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", timeout=PATIENCE, isolation_level=None, uri=True)


def _check(db: sqlite3.Connection, path: Path) -> bool:
    """Whether the file holds a log; raises if it holds anything else."""
    mark, version = _pragma(db, "application_id"), _pragma(db, "user_version")
    (things,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not things and not mark:
        return False
    if mark != APPLICATION:
        raise LogDamagedError(f"{path} is not a match log")
    if version > VERSION:
        raise LogError(f"{path} was written by a newer Magister Ludi (log version {version}): update this one")
    found = _pragma(db, "integrity_check(1)")
    if found != "ok":
        raise LogDamagedError(f"{path} is damaged: {' '.join(str(found).split())}")
    for query in (GET_MATCH, GET_EVENTS):
        db.execute(query, (0,)).fetchall()
    return True


def _pragma(db: sqlite3.Connection, name: str) -> Any:  # noqa: ANN401 - a number or a text, as the pragma has it
    return db.execute(f"PRAGMA {name}").fetchone()[0]


def _prepare(db: sqlite3.Connection, path: Path, begun: bool) -> None:
    try:
        # A write-ahead log with a sync at each commit: an event is one write at the end of a file and one sync, the
        # fewest that survive a power cut; each frame has a checksum, so a torn last one is left out at the next
        # start; and whoever reads meanwhile neither waits nor keeps us waiting. Where a disk cannot do it SQLite
        # keeps a rollback journal instead, for which EXTRA also syncs the folder (here it is the same as FULL).
        _pragma(db, "journal_mode = WAL")
        db.execute("PRAGMA synchronous = EXTRA")
        db.execute("PRAGMA foreign_keys = ON")
        if not begun:
            _create(db)
            _sync_folder(path.parent)
    except TROUBLE:
        db.close()
        raise


def _create(db: sqlite3.Connection) -> None:
    db.execute("BEGIN IMMEDIATE")
    for name, columns in TABLES.items():
        db.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
    for name, deed in TRIGGERS.items():
        refuse = "SELECT RAISE(ABORT, 'the log is only ever added to')"
        db.execute(f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {deed} BEGIN {refuse}; END")
    db.execute(f"PRAGMA application_id = {APPLICATION}")
    db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("COMMIT")
    # From now on the file itself says what it is, whatever becomes of its journal.
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def told(path: Path, error: sqlite3.Error | UnicodeDecodeError) -> LogError:
    """What SQLite says, in one line."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in _DAMAGE:
        return LogDamagedError(f"{path} is damaged or not a match log: {error}")
    return LogError(f"cannot use the log {path}: {error}")


# Links


def dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def linked(before: str, *row: object) -> Row:
    """A row with its hash over itself and the hash before."""
    # What a damaged file gives back may be of any type: it has a hash too, only another one.
    text = json.dumps([before, *row], separators=(",", ":"), default=repr)
    return (*row, sha256(text.encode()).hexdigest())


def match_row(db: sqlite3.Connection, match: int) -> Row:
    row: Row | None = db.execute(GET_MATCH, (match,)).fetchone() if match <= LAST_ID else None
    if row is None:
        raise LogError(f"there is no match {match} in the log")
    if row != linked("", *row[:-1]):
        raise LogDamagedError(f"match {match}: its beginning was changed after it was written")
    return row


def chain(db: sqlite3.Connection, match: int) -> Iterator[Row]:
    """The events of a match; raises at the first that does not follow from the one before."""
    before = match_row(db, match)[-1]
    for expected, row in enumerate(db.execute(GET_EVENTS, (match,))):
        if row[0] != expected:
            raise LogDamagedError(f"match {match}, event {expected}: it is missing")
        if row != linked(before, *row[:-1]):
            raise LogDamagedError(f"match {match}, event {expected}: it was changed after it was written")
        before = row[-1]
        yield row


# Rescue


def set_aside(path: Path, error: LogDamagedError) -> str:
    """Keep a damaged file under another name, begin a new one with what can be read of it, and say so in one line."""
    draft = path.with_name(f"{path.name}.recovering")
    try:
        for part in _PARTS:
            _part(draft, part).unlink(missing_ok=True)
        matches, events = _rescue(path, draft)
        names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
        aside = next(name for name in names if not any(_part(name, part).exists() for part in _PARTS))
        for part in _PARTS:
            with suppress(FileNotFoundError):
                _part(path, part).rename(_part(aside, part))
        draft.rename(path)
        _sync_folder(path.parent)
    except (OSError, *TROUBLE) as trouble:
        raise LogError(f"{error}; it cannot be set aside: {trouble}") from trouble
    return f"{error}; it is kept as {aside.name}, {matches} matches with {events} events were taken over from it"


def _rescue(path: Path, draft: Path) -> tuple[int, int]:
    """Copy every match that can be read, each up to the last event that can be trusted."""
    found = _readable(path) if _holds_anything(path) else []
    with closing(open_log(draft, read_only=False)) as new:
        new.execute("BEGIN")
        for match, events in found:
            new.execute(ADD_MATCH, match)
            new.executemany(ADD_EVENT, ((match[0], *event) for event in events))
        new.execute("COMMIT")
    return len(found), sum(len(events) for _, events in found)


def _readable(path: Path) -> list[tuple[Row, list[Row]]]:
    found: list[tuple[Row, list[Row]]] = []
    with suppress(*TROUBLE), closing(_connect(path, read_only=True)) as old:
        for match in sorted(_ids(old, GET_IDS) | _ids(old, f"{GET_IDS} DESC")):
            with suppress(*TROUBLE, LogError):
                found.append((match_row(old, match), []))
                for event in chain(old, match):
                    found[-1][1].append(event)
    return found


def _ids(db: sqlite3.Connection, query: str) -> set[int]:
    """What comes before the first error."""
    found = set()
    with suppress(*TROUBLE):
        for (number,) in db.execute(query):
            found.add(number)
    return found


def _holds_anything(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _part(path: Path, part: str) -> Path:
    return path.with_name(path.name + part)


def _sync_folder(folder: Path) -> None:
    """Make sure that names given to files in it last."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
