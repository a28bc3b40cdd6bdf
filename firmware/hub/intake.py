"""Takes what tables tell into the database: each event once, whoever else does the same at the same time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from engine.core import Json
from firmware.hub.contract import Lines
from firmware.hub.database import events, insert_once, matches, seats
from firmware.hub.pages_of_log import saved
from firmware.log.match.record import ENDINGS
from firmware.log.match.summary import Count

OPENING = 4
"""How many actions a match is found by."""
KEPT = 2000
"""Matches of which the numbers are kept in memory."""


class _Known:
    """A match as far as it is in the database."""

    def __init__(self, lines: Lines) -> None:
        self.count = Count(saved(lines.start))
        self.next = 0
        self.covered = lines.start.setup is None
        self.opening: list[str] = []
        self.ended: float | None = None

    def take(self, kind: str, payload: Json) -> None:
        ply = self.count.actions
        self.next += 1
        try:
            self.count.take(kind, payload)
        except (KeyError, TypeError, ValueError):
            # It is kept as it came; what it says cannot be counted.
            return
        if self.count.actions == ply + 1 and ply < OPENING and isinstance(payload.get("action"), str):
            self.opening.append(payload["action"])
        del self.opening[self.count.actions :]

    def record(self) -> dict[str, Any]:
        return {
            "next": self.next,
            "actions": self.count.actions,
            "illegal": self.count.illegal,
            "result": self.count.result,
            "ended": self.ended,
            "opening": " ".join(self.opening)[:200],
        }


class Intake:
    """Of the one thread of this hub that writes."""

    def __init__(self, engine: sa.Engine, wall: Callable[[], float]) -> None:
        self._engine, self._wall = engine, wall
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._rows: list[dict[str, Any]] = []
        """Events of this transaction that are yet to be written, all at once …"""
        self._changed: dict[str, _Known] = {}
        """… and the matches that they change."""

    def take(self, told: Iterable[tuple[str, Lines]]) -> dict[str, dict[str, Json]]:
        """Take in what tables have told; what the hub has of these matches now, by table. Raises the database's
        errors, and then nothing was taken in."""
        have: dict[str, dict[str, Json]] = {}
        try:
            with self._engine.begin() as db:
                # In one order everywhere, so that two hubs do not wait for each other.
                in_order = sorted(told, key=lambda each: each[1].match)
                self._get_to_know(db, in_order)
                for table, lines in in_order:
                    have.setdefault(table, {})[lines.match] = self._take(db, lines)
                self._flush(db)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        except sa.exc.SQLAlchemyError:
            self._known.clear()
            self._rows.clear()
            self._changed.clear()
            raise
        return have

    def have(self, table: str, counts: Mapping[str, int]) -> dict[str, Json]:
        """What the hub has of these matches."""
        asked = sa.select(matches.c.id, matches.c.next, matches.c.covered).where(matches.c.id.in_(list(counts)))
        with self._engine.connect() as db:
            found = {id_: {"next": count, "covered": covered} for id_, count, covered in db.execute(asked)}
        # Another hub may have taken in more.
        for id_, each in found.items():
            if (known := self._known.get(id_)) is not None and known.next != each["next"]:
                del self._known[id_]
        return {id_: found.get(id_, {"next": 0, "covered": False}) for id_ in counts}

    def _take(self, db: sa.Connection, lines: Lines) -> Json:
        known = self._known[lines.match]
        self._known.move_to_end(lines.match)
        if lines.revealed:
            self._reveal(db, lines, known)
        elif self._has_gap(db, known, lines):
            # Something before it has not come: the table begins again there.
            return {"next": known.next, "covered": known.covered, "again": True}
        elif new := [line for line in lines.lines if line.seq >= known.next]:
            self._rows += [_row(lines.match, line.record()) for line in new]
            self._count(db, lines.match, known, [(line.event, line.payload) for line in new])
        return {"next": known.next, "covered": known.covered}

    def _count(self, db: sa.Connection, match: str, known: _Known, new: list[tuple[str, Json]]) -> None:
        names = known.count.players
        for kind, payload in new:
            known.take(kind, payload)
        if known.count.result is None:
            known.ended = None
        elif known.ended is None or any(kind in ENDINGS for kind, _ in new):
            known.ended = known.ended or self._wall()
        self._changed[match] = known
        if known.count.players != names or any(kind in (*ENDINGS, "undo", "correction") for kind, _ in new):
            self._seat(db, match, known)

    def _flush(self, db: sa.Connection) -> None:
        if self._rows:
            db.execute(insert_once(self._engine, events), self._rows)
            self._rows.clear()
        if self._changed:
            # Another hub may have come further.
            place = (matches.c.id == sa.bindparam("of"), matches.c.next < sa.bindparam("to"))
            rows = [{"of": match, "to": known.next} | known.record() for match, known in self._changed.items()]
            names: dict[str, Any] = {name: sa.bindparam(name) for name in rows[0] if name not in ("of", "to")}
            db.execute(sa.update(matches).where(*place).values(names), rows)
            self._changed.clear()

    def _has_gap(self, db: sa.Connection, known: _Known, lines: Lines) -> bool:
        if not lines.lines or lines.lines[0].seq <= known.next:
            return False
        # Another hub may have taken in what is missing here.
        self._flush(db)
        if (read := self._read(db, {lines.match: lines}).get(lines.match)) is not None:
            known.__dict__.update(read.__dict__)
        return lines.lines[0].seq > known.next

    def _get_to_know(self, db: sa.Connection, told: list[tuple[str, Lines]]) -> None:
        """All matches of which nothing is in memory, at once: an evening begins with all tables."""
        unknown = {lines.match: (table, lines) for table, lines in told if lines.match not in self._known}
        if not unknown:
            return
        self._known |= self._read(db, {match: lines for match, (_, lines) in unknown.items()})
        if new := {match: told for match, told in unknown.items() if match not in self._known}:
            self._begin(db, new)

    def _read(self, db: sa.Connection, wanted: Mapping[str, Lines]) -> dict[str, _Known]:
        """What the database has of these matches."""
        asked = sa.select(matches.c.id, matches.c.covered, matches.c.ended).where(matches.c.id.in_(wanted))
        found = {}
        for id_, covered, ended in db.execute(asked).all():
            known = found[id_] = _Known(wanted[id_])
            known.covered, known.ended = covered, ended
        if found:
            lines = sa.select(events.c.match, events.c.kind, events.c.payload).where(events.c.match.in_(found))
            for id_, kind, payload in db.execute(lines.order_by(events.c.match, events.c.seq)):
                found[id_].take(kind, payload)
        return found

    def _begin(self, db: sa.Connection, new: Mapping[str, tuple[str, Lines]]) -> None:
        """Matches that nobody has told of before."""
        rows, sitting = [], []
        for match, (table, lines) in new.items():
            known, start = _Known(lines), lines.start
            self._known[match] = known
            about = {
                "id": match,
                "table_name": table,
                "number": start.number,
                "started": start.started[:40],
                "received": self._wall(),
                "game": start.game[:40],
                "variant": start.variant,
                "start": start.record(),
                "covered": known.covered,
            }
            rows.append(about | known.record())
            sitting += [
                {"match": match, "seat": seat} | _named(player.name) | {"colour": player.colour, "level": player.level}
                for seat, player in enumerate(known.count.players)
            ]
        db.execute(insert_once(self._engine, matches), rows)
        db.execute(insert_once(self._engine, seats), sitting)

    def _seat(self, db: sa.Connection, match: str, known: _Known) -> None:
        """Names may be given late, and a match may be won or go on."""
        result = known.count.result
        won = result.get("winner") if result is not None else None
        winners = won if isinstance(won, list) else [won]
        for seat, player in enumerate(known.count.players):
            has_won = None if result is None or result.get("by") == "abandon" else seat in winners
            change = sa.update(seats).where(seats.c.match == match, seats.c.seat == seat)
            db.execute(change.values(won=has_won, **_named(player.name)))

    def _reveal(self, db: sa.Connection, lines: Lines, known: _Known) -> None:
        """The match is over: what was covered is told."""
        self._flush(db)
        for line in lines.lines:
            place = (events.c.match == lines.match, events.c.seq == line.seq, events.c.covered)
            db.execute(sa.update(events).where(*place).values(payload=line.payload, covered=False))
        start = sa.update(matches).where(matches.c.id == lines.match)
        db.execute(start.values(start=lines.start.record(), covered=False))
        known.covered = False


def _named(name: str) -> dict[str, str]:
    return {"name": name[:80], "folded": name.casefold()[:80]}


def _row(match: str, line: Json) -> dict[str, Any]:
    payload = line["payload"]
    action, rule, seat = payload.get("action"), payload.get("rule"), payload.get("seat")
    return {
        "match": match,
        "seq": line["seq"],
        "at": line["at"][:40],
        "seconds": line["t"],
        "kind": line["event"][:16],
        "payload": payload,
        "covered": line.get("covered", False),
        "action": action[:60] if isinstance(action, str) else None,
        "rule": rule[:60] if isinstance(rule, str) and line["event"] == "illegal" else None,
        "seat": seat if type(seat) is int else None,
    }
