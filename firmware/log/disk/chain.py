"""The rows of the log, each linked to the one before by a hash: what was changed afterwards is found."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, TypeAlias

from firmware.log.disk.schema import GET_EVENTS, GET_MATCH
from firmware.log.match.record import LogDamagedError, LogError

LAST_ID = 2**63 - 1
"""SQLite's largest integer."""
Row: TypeAlias = tuple[Any, ...]


def dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def linked(before: str, *row: object) -> Row:
    """A row with its hash over itself and the hash before."""
    # Values from a damaged file may have any type: they hash too, only differently.
    text = json.dumps([before, *row], separators=(",", ":"), default=repr)
    return (*row, sha256(text.encode()).hexdigest())


def match_row(db: sqlite3.Connection, match: int) -> Row:
    row: Row | None = db.execute(GET_MATCH, (match,)).fetchone() if match <= LAST_ID else None
    if row is None:
        raise LogError(f"there is no match {match} in the log: `magister log list` shows them all")
    if row != linked("", *row[:-1]):
        raise LogDamagedError(f"match {match}: its start was changed after it was written")
    return row


def chain(db: sqlite3.Connection, match: int, query: str = GET_EVENTS) -> Iterator[Row]:
    """The events of a match; raises at the first that does not follow from the one before."""
    before = match_row(db, match)[-1]
    for expected, row in enumerate(db.execute(query, (match,))):
        if row[0] != expected:
            raise LogDamagedError(f"match {match}, event {expected}: it is missing")
        if row != linked(before, *row[:-1]):
            raise LogDamagedError(f"match {match}, event {expected}: it was changed after it was written")
        before = row[-1]
        yield row
