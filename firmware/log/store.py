"""The match log on disk: one SQLite file to which events are only ever added.

`append` returns once the event is on the disk, so that a light may say "seen". Every event carries a hash over itself
and the one before: what a failing disk or a hand has changed is found, and what came before it can be trusted.
A file that cannot be used is set aside under another name, with all that can be read of it taken over.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self

from engine.core import Json, Rules
from engine.match import Match
from firmware.log.damage.rescue import set_aside
from firmware.log.damage.second_copy import event_line, match_line, shorten, testify
from firmware.log.damage.soundness import check_journal, journal_problems
from firmware.log.disk.chain import Row, chain, dumped, linked, match_row
from firmware.log.disk.changing import finish
from firmware.log.disk.file import TROUBLE, checkpoint, identity, open_log, told
from firmware.log.disk.schema import ADD_EVENT, ADD_MATCH, GET_IDS, GET_LAST, GET_LATEST, TRIGGERS, VERSION, version_of
from firmware.log.disk.upgrade import upgraded
from firmware.log.match.history import History, tell
from firmware.log.match.record import (
    ENDINGS,
    KINDS,
    Event,
    HistoryError,
    LogDamagedError,
    LogError,
    Player,
    SavedMatch,
    Turns,
)


class Store:
    """The log, for the one thread that writes it; `read_only` for readers."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self.note: str | None = None
        """A message for the user if the file had to be set aside."""
        if read_only and not path.is_file():
            raise LogError(f"there is no log {path} yet: play a match first, or choose another log with --file")
        self._db = open_log(path, read_only) if read_only else self._opened()
        self._identity = identity(path)
        self._starts: dict[int, str] = {}
        """The hashes that matches begin with."""
        with self._reading() as db:
            # Whoever only reads leaves an old log as old as it is.
            self._is_old = version_of(db) < VERSION

    def _opened(self) -> sqlite3.Connection:
        """The log to write to; a damaged one is set aside."""
        finish(self.path)
        try:
            check_journal(self.path)
            db = open_log(self.path, False)
        except LogDamagedError as error:
            self.note = set_aside(self.path, error)
            db = open_log(self.path, False)
        try:
            # A file that nobody may write to can be opened all the same.
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
            shorten(self.path, db)
        except TROUBLE as error:
            db.close()
            raise told(self.path, error) from error
        return db

    def close(self) -> None:
        self._db.close()

    def checkpoint(self) -> None:
        """Take what the journal holds into the file itself: whoever copies that alone then has all of it."""
        with self._reading() as db:
            checkpoint(db)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin_match(
        self, rules: Rules, players: Sequence[Player], setup: Json, turns: Turns | None = None, *, started: str
    ) -> int:
        """Record a new match and return its id."""
        rest = ([player.record() for player in players], rules.options, setup, dict(turns or {}))
        row = (started, rules.game.name, rules.variant, *map(dumped, rest))
        with self._writing() as db:
            (last,) = db.execute("SELECT coalesce(max(id), 0) FROM matches").fetchone()
            begun = linked("", last + 1, *row)
            db.execute(ADD_MATCH, begun)
        testify(self.path, match_line(begun))
        return int(last + 1)

    def append(self, match: int, kind: str, payload: Json, *, at: str, seconds: float) -> Event:
        """Record an event. When this returns, it is on the disk."""
        if kind not in KINDS:
            raise ValueError(f"unknown kind of event {kind!r}; there are: {', '.join(KINDS)}")
        text = dumped(payload)
        with self._writing() as db:
            last = db.execute(GET_LAST, (match,)).fetchone()
            if match not in self._starts:
                self._starts[match] = match_row(db, match)[-1]
            start = self._starts[match]
            number, before = (last[0] + 1, last[1]) if last else (0, start)
            row = linked(before, number, at, float(seconds), kind, text)
            db.execute(ADD_EVENT, (match, *row))
        testify(self.path, event_line(start, before, match, row))
        if kind in ENDINGS:
            self.checkpoint()
        return Event(number, at, float(seconds), kind, json.loads(text))

    def ids(self) -> list[int]:
        with self._reading() as db:
            return [number for (number,) in db.execute(GET_IDS).fetchall()]

    def size(self) -> tuple[int, int]:
        """How many matches there are, and how many events."""
        with self._reading() as db:
            matches, events = db.execute(
                "SELECT (SELECT count(*) FROM matches), (SELECT count(*) FROM events)"
            ).fetchone()
        return matches, events

    def length(self, match: int) -> int:
        """How many events a match has so far."""
        with self._reading() as db:
            (number,) = db.execute("SELECT count(*) FROM events WHERE match = ?", (match,)).fetchone()
        return int(number)

    def matches(self) -> list[SavedMatch]:
        return [self.match(number) for number in self.ids()]

    def match(self, match: int) -> SavedMatch:
        with self._reading() as db:
            return _saved(match_row(db, match))

    def events(self, match: int) -> list[Event]:
        """All events of a match, including undone and illegal actions."""
        with self._reading() as db:
            game, rows = match_row(db, match)[2], list(chain(db, match))
        events = [Event(number, at, seconds, kind, json.loads(text)) for number, at, seconds, kind, text, _ in rows]
        if self._is_old:
            return [replace(event, payload=upgraded(game, event.kind, event.payload)) for event in events]
        return events

    def last_seconds(self, match: int) -> float:
        """The table's time of the last event of a match."""
        return max((event.seconds for event in self.events(match)), default=0.0)

    def history(self, match: int) -> History:
        return tell(self.match(match), self.events(match))

    def rebuild(self, match: int) -> Match:
        """The match replayed, without what was undone, with what was corrected."""
        return self.history(match).match

    def last_match(self) -> int | None:
        """The match that was written last: the newest, unless an earlier one was taken up again after it."""
        with self._reading() as db:
            found = db.execute(GET_LATEST).fetchone()
        return found and int(found[0])

    def unfinished_match(self) -> int | None:
        """The last match, if it has neither a result nor been abandoned and can be followed; no other one, for its
        table has been cleared since."""
        last = self.last_match()
        try:
            return last if last is not None and self.history(last).result is None else None
        except (HistoryError, LogDamagedError):
            return None

    def flaw_of_last_match(self) -> str | None:
        """Why the last match cannot be resumed, if it cannot."""
        try:
            if (match := self.last_match()) is not None:
                self.history(match)
        except (HistoryError, LogDamagedError) as error:
            return str(error)
        return None

    def problems(self) -> list[str]:
        """What is wrong with the file: its pages, its hashes, or a match that breaks the rules."""
        found, flaws = list[str](), list[str]()
        with self._reading() as db:
            triggers = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
            found += [
                f"trigger {name} is missing: the file is not protected against changes"
                for name in sorted(TRIGGERS.keys() - triggers)
            ]
        for number in self.ids():
            try:
                strangers = [event for event in self.events(number) if event.kind not in KINDS]
                flaws += [f"match {number}, event {event.number}: unknown kind {event.kind}" for event in strangers]
                self.history(number)
            except LogError as error:
                flaws.append(str(error))
        return [*found, *(flaws or journal_problems(self.path, self._db))]

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        # SQLite keeps writing to a file that has been deleted.
        if identity(self.path) != self._identity:
            raise LogError(f"the log {self.path} was moved or deleted in the meantime: put it back, or start another")
        with self._reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
                db.execute("COMMIT")
            finally:
                if db.in_transaction:
                    db.execute("ROLLBACK")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        try:
            yield self._db
        except TROUBLE as error:
            raise told(self.path, error) from error


def _saved(row: Row) -> SavedMatch:
    number, started, game, variant, *texts, _ = row
    players, options, setup, turns = map(json.loads, texts)
    seats = tuple(Player(player["name"], player["colour"], player.get("level")) for player in players)
    return SavedMatch(number, started, game, variant, seats, options, setup, turns)


__all__ = ["Event", "History", "HistoryError", "LogDamagedError", "LogError", "Player", "SavedMatch", "Store"]
