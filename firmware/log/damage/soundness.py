"""Whether a log has lost what it had confirmed: SQLite takes a damaged journal for a short one, and says nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from firmware.log.damage.second_copy import SecondCopy
from firmware.log.disk.chain import linked
from firmware.log.disk.file import TROUBLE, connect, holds_anything, part_of
from firmware.log.disk.journal import journal_is_broken
from firmware.log.disk.schema import READ_EVENTS, READ_MATCHES
from firmware.log.match.record import LogDamagedError


def check_journal(path: Path) -> None:
    """Raise `LogDamagedError` if something that was safe is not there; before anybody writes, which would be the end of
    it."""
    if not holds_anything(path):
        return
    # What is wrong with the file itself is told by whoever opens it.
    with suppress(*TROUBLE), closing(connect(path, read_only=True)) as db:
        for problem in (*journal_problems(path, db), *changed_rows(db)):
            raise LogDamagedError(f"{path} is damaged: {problem}")


def changed_rows(db: sqlite3.Connection) -> Iterator[str]:
    """The rows that are not as they were written, by their hashes."""
    starts = {}
    for row in db.execute(READ_MATCHES):
        starts[row[0]] = row[-1]
        if row != linked("", *row[:-1]):
            yield f"match {row[0]}: its start was changed after it was written"
    before: tuple[int, str] = (0, "")
    for match, *row in db.execute(READ_EVENTS):
        link = before[1] if before[0] == match else starts.get(match, "")
        if tuple(row) != linked(link, *row[:-1]):
            yield f"match {match}, event {row[0]}: it was changed after it was written, or the one before it is missing"
        before = (match, row[-1])


def journal_problems(path: Path, db: sqlite3.Connection) -> list[str]:
    """What a log has lost; somebody may be writing to it."""
    # First what should be there, then what is: it may become more meanwhile, never less.
    witness, broken = SecondCopy.read(path), journal_is_broken(part_of(path, "-wal"))
    problems = ["its journal was changed after it was written"] if broken else []
    try:
        if missing := witness.missing(db):
            problems.append(f"{missing} events or matches that were written are not in it")
    except TROUBLE:
        # It is damaged otherwise, and that will be said.
        return problems
    return problems
