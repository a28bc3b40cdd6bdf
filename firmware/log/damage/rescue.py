"""Rescues a damaged log: it is kept, and everything readable is copied into a new one.

Every row is taken from wherever it can still be read: by SQLite, off the raw pages of the file and its journal, or from
the second copy. Its hash tells whether it is as it was written. Where events of a match are missing, those after them
are kept behind an event `gap` that says which.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from firmware.log.damage.carving import carved_rows
from firmware.log.damage.second_copy import SecondCopy
from firmware.log.disk.chain import Row, dumped, linked
from firmware.log.disk.changing import aside, change_places, waiting
from firmware.log.disk.file import PARTS, TROUBLE, connect, holds_anything, open_log, part_of, sync_folder
from firmware.log.disk.schema import ADD_EVENT, ADD_MATCH
from firmware.log.disk.upgrade import rewrite
from firmware.log.match.record import GAP, KINDS, LogDamagedError, LogUnwritableError

_READ_MATCHES = ("SELECT * FROM matches", "SELECT * FROM matches ORDER BY id DESC")
_READ_EVENTS = ("SELECT * FROM events NOT INDEXED", "SELECT * FROM events ORDER BY match, number")
_KIND = "recovered"


def set_aside(path: Path, error: LogDamagedError) -> str:
    """Rename a damaged file, start a new one with everything readable, and report that in one line."""
    draft = part_of(path, ".recovering")
    try:
        for part in PARTS:
            part_of(draft, part).unlink(missing_ok=True)
        told = _rescue(path, draft)
        number = next(number for number in count(1) if not any(map(Path.exists, aside(path, _KIND, number).values())))
        draft.rename(waiting(path, _KIND, number))
        sync_folder(path.parent)
        change_places(path, _KIND, number)
    except (OSError, *TROUBLE) as trouble:
        raise LogUnwritableError(f"{error}; it could not be moved aside: {trouble}") from trouble
    lost = f" ({told.lost} more are missing)" if told.lost else ""
    return (
        f"{error}; it was kept as {path.name}.damaged-{number}, and {told.matches} matches with {told.events} events"
        f" were recovered from it{lost}"
    )


@dataclass
class FoundRows:
    """All rows that could be read, wherever: by match, and by match and number."""

    matches: dict[int, Row] = field(default_factory=dict)
    events: defaultdict[int, defaultdict[int, dict[Row, None]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(dict))
    )

    def take(self, row: Sequence[object]) -> None:
        """Keep a row if it can be one."""
        match row:
            case (int(number), *_, str()) if len(row) == 9 and tuple(row) == linked("", *row[:-1]):
                self.matches.setdefault(number, tuple(row))
            case (int(match), int(number), str(), float(), str(), str(), str()) if number >= 0:
                self.events[match][number][tuple(row[1:])] = None
            case _:
                return


@dataclass(frozen=True)
class Rescued:
    """How much of it was taken over."""

    matches: int = 0
    events: int = 0
    lost: int = 0


def _rescue(path: Path, draft: Path) -> Rescued:
    """Copy every readable match."""
    found = _found(path)
    told = Rescued()
    with closing(open_log(draft, read_only=False)) as new:
        new.execute("BEGIN")
        for number, start in sorted(found.matches.items()):
            new.execute(ADD_MATCH, start)
            rows, lost = whole_chain(start[-1], found.events[number])
            new.executemany(ADD_EVENT, ((number, *row) for row in rows))
            told = Rescued(told.matches + 1, told.events + len(rows) - _gaps(rows), told.lost + lost)
        rewrite(new)
        new.execute("COMMIT")
    return told


def _gaps(rows: Iterable[Row]) -> int:
    return sum(row[3] == GAP for row in rows)


def _found(path: Path) -> FoundRows:
    found = FoundRows()
    if holds_anything(path):
        with suppress(*TROUBLE), closing(connect(path, read_only=True)) as old:
            for query in (*_READ_MATCHES, *_READ_EVENTS):
                _read_on(old, query, found)
    for row in carved_rows(path):
        found.take(row)
    witness = SecondCopy.read(path)
    starts = found.matches | {number: row for number, row in witness.matches.items() if number not in found.matches}
    same = {number for number, row in witness.matches.items() if starts[number] == row}
    found.matches.update(starts)
    for (match, _), row in witness.events.items():
        if match in same or match not in witness.matches:
            found.take((match, *row))
    return found


def _read_on(db: sqlite3.Connection, query: str, found: FoundRows) -> None:
    """Rows before the first that SQLite cannot read."""
    with suppress(*TROUBLE):
        for row in db.execute(query):
            found.take(row)


def whole_chain(start: str, known: Mapping[int, Iterable[Row]]) -> tuple[list[Row], int]:
    """The events of a match that begins with this hash, linked again where some are missing, and how many are."""
    rows: list[Row] = []
    kept, lost = _linked_rows(start, {number: list(each) for number, each in known.items()})
    before, expected = start, 0
    for row in kept:
        if row[0] != expected or (rows and _gaps(rows)):
            if row[0] != expected:
                told = {"from": expected, "to": row[0] - 1}
                rows.append(linked(before, len(rows), row[1], row[2], GAP, dumped(told)))
                before = rows[-1][-1]
            rows.append(linked(before, len(rows), *row[1:-1]))
        else:
            rows.append(row)
        before, expected = rows[-1][-1], row[0] + 1
    return rows, lost


def _linked_rows(start: str, known: Mapping[int, list[Row]]) -> tuple[list[Row], int]:
    """The rows that are as they were written, in order; and how many are not, or are missing among them."""
    rows: list[Row] = []
    before = {start}
    for number in range(max(known, default=-1) + 1):
        here = known.get(number, [])
        right = [row for row in here if any(row == linked(link, *row[:-1]) for link in before)]
        if not right and not before:
            right = [row for row in here if _is_likely(row, known.get(number + 1, []))]
        rows += right[-1:]
        # What was changed still tells what came before the next.
        before = {row[-1] for row in right or here}
    return rows, max(known, default=-1) + 1 - len(rows)


def _is_likely(row: Row, following: Sequence[Row]) -> bool:
    """Whether a row that nothing before confirms is sound: what follows is linked to it, and it can be read."""
    try:
        is_read = row[3] in KINDS and isinstance(json.loads(row[4]), dict)
    except ValueError:
        return False
    return is_read and (not following or any(each == linked(row[-1], *each[:-1]) for each in following))
