"""The match log as a hub is told of it: what has to stay at the table is left out."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from engine.core import Json
from engine.registry import known_game
from firmware.hub.contract import EventLine, Lines, Started, match_id
from firmware.log.disk.file import TROUBLE, connect, identity, told
from firmware.log.disk.schema import READ_MATCHES
from firmware.log.match.record import Player, SavedMatch
from firmware.log.match.summary import Count

BATCH = 200
"""Events that are sent in one message at most."""
MOST_TEXT = 200_000
"""Characters of their payloads, about."""
_COUNTS = "SELECT match, count(*) FROM events GROUP BY match"
_SINCE = "SELECT DISTINCT match FROM events WHERE rowid > ?"
_LAST_ROW = "SELECT coalesce(max(rowid), 0) FROM events"
_FROM = "SELECT number, at, seconds, kind, payload FROM events WHERE match = ? AND number >= ? ORDER BY number LIMIT ?"
_SETUPS = "SELECT number, at, seconds, kind, payload FROM events WHERE match = ? AND kind IN ('setup', 'correction')"
_ALL = "SELECT kind, payload FROM events WHERE match = ? ORDER BY number"


@dataclass(frozen=True)
class LoggedMatch:
    """A match of the log, and what it is called at the hub."""

    id: str
    number: int
    start: Started
    hides: bool


class LogPages:
    """Read by the one thread that speaks with the hub, while another writes the log."""

    def __init__(self, path: Path, uid: str) -> None:
        self._path, self._uid = path, uid
        self._db: sqlite3.Connection | None = None
        self._file: object = None
        self._matches: dict[int, LoggedMatch] = {}
        self._row = 0

    def close(self) -> None:
        if self._db is not None:
            self._db.close()
        self._db, self._matches, self._row = None, {}, 0

    def is_another(self) -> bool:
        """Whether another file has the log's name since it was last opened: a backup was restored."""
        return self._db is not None and identity(self._path) != self._file

    def _is_there(self) -> bool:
        """Before the first match there is no log."""
        return self._db is not None or self._path.exists()

    def counts(self) -> Mapping[int, int]:
        """How many events each match has."""
        if not self._is_there():
            return {}
        with self._reading() as db:
            self._row = db.execute(_LAST_ROW).fetchone()[0]
            return {number: count for number, count in db.execute(_COUNTS) if self.match(number) is not None}

    def changed(self) -> set[int]:
        """The matches with events since this, or `counts`, was last asked."""
        if not self._is_there():
            return set()
        with self._reading() as db:
            last = db.execute(_LAST_ROW).fetchone()[0]
            if last == self._row:
                return set()
            found = {number for (number,) in db.execute(_SINCE, (self._row,))}
            self._row = last
            return found

    def match(self, number: int) -> LoggedMatch | None:
        if number not in self._matches:
            with self._reading() as db:
                for row in db.execute(READ_MATCHES):
                    self._matches[row[0]] = self._logged(row)
        return self._matches.get(number)

    def _logged(self, row: tuple[str, ...]) -> LoggedMatch:
        number, started, game, variant, *texts, _ = row
        players, options, setup, turns = map(json.loads, texts)
        start = Started(int(number), started, game, variant, players, options, setup, turns)
        known = known_game(game)
        # What is not known may hide things, too.
        hides = known is None or known.hides
        return LoggedMatch(match_id(self._uid, int(number), started), int(number), start, hides)

    def lines(self, match: LoggedMatch, first: int) -> Lines:
        """Some events from there on, without what is covered."""
        with self._reading() as db:
            rows, size = list[tuple[int, str, float, str, str]](), 0
            for row in db.execute(_FROM, (match.number, first, BATCH)):
                size += len(row[4])
                if rows and size > MOST_TEXT:
                    break
                rows.append(row)
        lines = [_line(row) for row in rows]
        if not match.hides:
            return Lines(match.id, match.start, lines)
        covered = [_covered(line) if is_secret(line) else line for line in lines]
        return Lines(match.id, replace(match.start, setup=None), covered)

    def revealed(self, match: LoggedMatch) -> Lines | None:
        """What was covered, once the match is over; None while it is not."""
        with self._reading() as db:
            if not _is_over(match.start, db.execute(_ALL, (match.number,)).fetchall()):
                return None
            lines = [_line(row) for row in db.execute(_SETUPS, (match.number,))]
        return Lines(match.id, match.start, [line for line in lines if is_secret(line)], revealed=True)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._db is None:
                self._db = connect(self._path, read_only=True)
                self._file = identity(self._path)
            yield self._db
        except TROUBLE as error:
            self.close()
            raise told(self._path, error) from error


def is_secret(line: EventLine) -> bool:
    """Whether an event of a game that hides something says how the match was set up."""
    return line.event == "setup" or (line.event == "correction" and line.payload.get("what") == "position")


def _covered(line: EventLine) -> EventLine:
    kept = {name: value for name, value in line.payload.items() if name == "what"}
    return replace(line, payload=kept, covered=True)


def _line(row: tuple[int, str, float, str, str]) -> EventLine:
    number, at, seconds, kind, payload = row
    return EventLine(number, at, seconds, kind, json.loads(payload))


def _is_over(start: Started, rows: list[tuple[str, str]]) -> bool:
    """Whether it has an end. A match that was put aside has none: it may be taken up again."""
    count = Count(saved(start))
    for kind, payload in rows:
        count.take(kind, json.loads(payload))
    return count.result is not None and count.result.get("by") != "abandon"


def saved(start: Started) -> SavedMatch:
    """The beginning of a match, as the log knows it."""
    players = tuple(Player(str(each["name"]), str(each.get("colour")), each.get("level")) for each in start.players)
    setup: Json = start.setup or {}
    return SavedMatch(
        start.number, start.started, start.game, start.variant, players, start.options, setup, start.turns
    )
