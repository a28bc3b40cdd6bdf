"""The tables of the log file, what protects them, and the version of what is written in them."""

from __future__ import annotations

import sqlite3

APPLICATION = 0x4D4C7564
"""SQLite's application id: `MLud`."""
VERSION = 2
"""1: an illegal try was an English sentence. 2: it is the rules that were broken, with their facts."""

TABLES = {
    "matches": "id INTEGER PRIMARY KEY, started TEXT NOT NULL, game TEXT NOT NULL, variant TEXT, players TEXT NOT NULL,"
    " options TEXT NOT NULL, setup TEXT NOT NULL, turns TEXT NOT NULL, hash TEXT NOT NULL",
    "events": "match INTEGER NOT NULL REFERENCES matches, number INTEGER NOT NULL, at TEXT NOT NULL,"
    " seconds REAL NOT NULL, kind TEXT NOT NULL, payload TEXT NOT NULL, hash TEXT NOT NULL,"
    " PRIMARY KEY (match, number)",
}
# INSERT OR REPLACE deletes without firing the delete triggers, so inserting an existing key is refused as well.
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
GET_EVENTS_BY_ROW = GET_EVENTS.replace("FROM events", "FROM events NOT INDEXED")
"""The same where the index is damaged."""
READ_MATCHES = "SELECT id, started, game, variant, players, options, setup, turns, hash FROM matches ORDER BY id"
READ_EVENTS = "SELECT match, number, at, seconds, kind, payload, hash FROM events ORDER BY match, number"
GET_LAST = "SELECT number, hash FROM events WHERE match = ? ORDER BY number DESC LIMIT 1"
GET_LATEST = (
    "WITH here AS (SELECT rowid AS row, match FROM events WHERE kind NOT IN ('names', 'removed') AND rowid > coalesce("
    "(SELECT max(rowid) FROM events AS other WHERE other.match = events.match AND kind = 'imported'), 0))"
    " SELECT match FROM (SELECT max(id) AS match, 0 AS row FROM matches"
    " WHERE id NOT IN (SELECT match FROM here) AND id NOT IN (SELECT match FROM events WHERE kind = 'imported')"
    " AND id = (SELECT max(id) FROM matches)"
    " UNION ALL SELECT * FROM (SELECT match, -1 FROM here ORDER BY row DESC LIMIT 1))"
    " WHERE match IS NOT NULL ORDER BY row DESC LIMIT 1"
)
"""The newest match while nothing was played in it; else that of the last event at the table: what is done in the
archive is none."""
ADD_MATCH = "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
ADD_EVENT = "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)"


def version_of(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def create_trigger(db: sqlite3.Connection, name: str) -> None:
    """Protect what is written."""
    refuse = "SELECT RAISE(ABORT, 'the log is only ever added to')"
    db.execute(f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {TRIGGERS[name]} BEGIN {refuse}; END")
