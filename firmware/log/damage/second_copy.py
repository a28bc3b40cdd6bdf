"""A second copy of what was written last, outside the database: a text file beside it, a row a line.

The database may lose what it had confirmed, if the disk changes a byte of its journal, and cannot know. This file does:
what it holds and the database does not was lost, and is taken from here. It is written after the database, so that it
never knows of anything that was not safe; and not synced, because the journal is.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from firmware.log.disk.chain import Row, dumped, linked
from firmware.log.disk.file import part_of, sync_folder

WITNESS = ".witness"
LARGEST = 1 << 20
"""Bytes above which the oldest events are left out at the next start."""
KEPT = 2000
"""Events that are kept then: some evenings."""
_COUNTS = "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM events)"
_MATCHES = "SELECT id, hash FROM matches"
_EVENTS = "SELECT match, number FROM events"


@dataclass(frozen=True)
class SecondCopy:
    """What the second copy holds."""

    counts: tuple[int, int] = (0, 0)
    """Matches and events that there were when it was last shortened."""
    matches: dict[int, Row] = field(default_factory=dict)
    events: dict[tuple[int, int], Row] = field(default_factory=dict)
    """By match and number; as the database has them, with the match before."""

    @classmethod
    def read(cls, log: Path) -> SecondCopy:
        """What can be read of it: a line that is torn or changed says nothing."""
        counts, starts = (0, 0), dict[int, Row]()
        events = dict[tuple[int, int], Row]()
        of = dict[tuple[int, int], str]()
        for line in _lines(part_of(log, WITNESS)):
            match line:
                case {"matches": int(many), "events": int(more)}:
                    counts = (many, more)
                case ["match", int(number), *row] if (number, *row) == linked("", number, *row[:-1]):
                    starts[number] = (number, *row)
                case ["event", str(start), str(before), int(number), int(place), *row] if (place, *row) == linked(
                    before, place, *row[:-1]
                ):
                    events[number, place], of[number, place] = (place, *row), start
                case _:
                    continue
        # Where another log was put in the place of this one, what is told of a match is told of that one.
        known = {at: row for at, row in events.items() if _is_of(starts.get(at[0]), of[at])}
        return cls(counts, starts, known)

    def missing(self, db: sqlite3.Connection) -> int:
        """How many rows the database should have and has not; none if this is the copy of another log."""
        starts = dict(db.execute(_MATCHES).fetchall())
        if any(starts.get(number, row[-1]) != row[-1] for number, row in self.matches.items()):
            return 0
        there = set(db.execute(_EVENTS).fetchall())
        lost = len(self.matches.keys() - starts.keys()) + len(self.events.keys() - there)
        matches, events = db.execute(_COUNTS).fetchone()
        return max(lost, sum(self.counts) - int(matches) - int(events), 0)


def match_line(row: Row) -> str:
    return dumped(["match", *row])


def event_line(start: str, before: str, match: int, row: Row) -> str:
    """An event of the match that began with this hash; `before` is the hash it is linked to."""
    return dumped(["event", start, before, match, *row])


def testify(log: Path, line: str) -> None:
    """Add a line. Without room for a second copy there is only the first."""
    with suppress(OSError):
        file = os.open(part_of(log, WITNESS), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            # A line of its own even after one that a power cut has torn.
            os.write(file, f"\n{line}\n".encode())
        finally:
            os.close(file)


def shorten(log: Path, db: sqlite3.Connection) -> None:
    """Begin a second copy where there is none; leave out the oldest events where there are very many."""
    place = part_of(log, WITNESS)
    with suppress(OSError):
        is_new = not place.exists()
        if not is_new and place.stat().st_size <= LARGEST:
            return
        matches, events = db.execute(_COUNTS).fetchone()
        head = [dumped({"matches": matches, "events": events})]
        lines = [] if is_new else place.read_text("utf-8", "replace").splitlines()
        starts = [match_line(row) for row in db.execute("SELECT * FROM matches ORDER BY id")]
        last = [text for text in lines if text.startswith('["event"')][-KEPT:]
        write_witness(log, [*head, *starts, *last])


def write_witness(log: Path, lines: Iterable[str]) -> None:
    """Write it whole or not at all."""
    place = part_of(log, WITNESS)
    draft = part_of(log, f"{WITNESS}.part")
    draft.touch(0o600)
    draft.write_text("\n".join([*lines, ""]))
    draft.replace(place)
    sync_folder(place.parent)


def _is_of(row: Row | None, start: str) -> bool:
    return row is None or row[-1] == start


def _lines(place: Path) -> Iterator[object]:
    try:
        text = place.read_text("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines():
        with suppress(ValueError, RecursionError):
            yield json.loads(line)
