"""Rescues a damaged log: it is kept, and everything readable is copied into a new one."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from firmware.log.chain import Row, chain, match_row
from firmware.log.file import PARTS, TROUBLE, connect, holds_anything, open_log, part_of, sync_folder
from firmware.log.record import LogDamagedError, LogError
from firmware.log.schema import ADD_EVENT, ADD_MATCH, GET_EVENTS, GET_EVENTS_BY_ROW, GET_IDS
from firmware.log.upgrade import rewrite


def set_aside(path: Path, error: LogDamagedError) -> str:
    """Rename a damaged file, start a new one with everything readable, and report that in one line."""
    draft = _draft(path)
    try:
        for part in PARTS:
            part_of(draft, part).unlink(missing_ok=True)
        matches, events = _rescue(path, draft)
        names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
        aside = next(name for name in names if not any(part_of(name, part).exists() for part in PARTS))
        for part in PARTS:
            with suppress(FileNotFoundError):
                part_of(path, part).rename(part_of(aside, part))
        draft.rename(path)
        sync_folder(path.parent)
    except (OSError, *TROUBLE) as trouble:
        raise LogError(f"{error}; it could not be moved aside: {trouble}") from trouble
    return f"{error}; it was kept as {aside.name}, and {matches} matches with {events} events were recovered from it"


def finish(path: Path) -> None:
    """Finish a rescue that was interrupted, for example by a power cut."""
    draft = _draft(path)
    try:
        if draft.exists() and not path.exists():
            draft.rename(path)
            sync_folder(path.parent)
    except OSError as error:
        raise LogError(f"cannot use the log {path}: {error.strerror}") from error


def _draft(path: Path) -> Path:
    return path.with_name(f"{path.name}.recovering")


def _rescue(path: Path, draft: Path) -> tuple[int, int]:
    """Copy every readable match up to its last trustworthy event."""
    found = _readable(path) if holds_anything(path) else []
    with closing(open_log(draft, read_only=False)) as new:
        new.execute("BEGIN")
        for match, events in found:
            new.execute(ADD_MATCH, match)
            new.executemany(ADD_EVENT, ((match[0], *event) for event in events))
        rewrite(new)
        new.execute("COMMIT")
    return len(found), sum(len(events) for _, events in found)


def _readable(path: Path) -> list[tuple[Row, list[Row]]]:
    found: list[tuple[Row, list[Row]]] = []
    with suppress(*TROUBLE), closing(connect(path, read_only=True)) as old:
        for match in sorted(_ids(old, GET_IDS) | _ids(old, f"{GET_IDS} DESC")):
            with suppress(*TROUBLE, LogError):
                row = match_row(old, match)
                found.append((row, max((_events(old, match, how) for how in (GET_EVENTS, GET_EVENTS_BY_ROW)), key=len)))
    return found


def _events(db: sqlite3.Connection, match: int, query: str) -> list[Row]:
    """The events before the first that cannot be read or trusted."""
    events = []
    with suppress(*TROUBLE, LogError):
        for event in chain(db, match, query):
            events.append(event)  # noqa: PERF402 - those before an error are kept
    return events


def _ids(db: sqlite3.Connection, query: str) -> set[int]:
    """The ids before the first error."""
    found = set()
    with suppress(*TROUBLE):
        for (number,) in db.execute(query):
            found.add(number)
    return found
