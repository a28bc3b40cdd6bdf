"""All matches of all tables: found, looked at, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from engine.core import GameError, Json
from firmware.hub.contract import Started
from firmware.hub.database import events, matches, seats
from firmware.hub.pages_of_log import saved
from firmware.hub.ratings import Point, RatedMatch, rate
from firmware.log.match.history import tell
from firmware.log.match.record import Event, HistoryError

PAGE = 50
"""Matches on one page of the list."""


@dataclass(frozen=True)
class Search:
    """What is looked for; what is empty does not matter."""

    player: str = ""
    game: str = ""
    table: str = ""
    opening: str = ""
    """The first actions, as they are written, with spaces between."""
    action: str = ""
    """An action that was played at any time."""
    rule: str = ""
    """A rule that was broken."""
    least_actions: int | None = None
    most_actions: int | None = None
    least_illegal: int | None = None
    before: float | None = None
    """Only what came before this; for the next page."""
    ended_by: float | None = None
    """Only what had ended then: for those who see everything later."""


class Library:
    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def find(self, wanted: Search) -> list[Json]:
        """The newest matches that fit, each in brief."""
        asked = sa.select(matches).order_by(matches.c.received.desc()).limit(PAGE)
        for condition in _conditions(wanted):
            asked = asked.where(condition)
        with self._engine.connect() as db:
            rows = list(db.execute(asked).mappings())
            players = self._players(db, [row["id"] for row in rows])
        return [_brief(row, players.get(row["id"], [])) for row in rows]

    @staticmethod
    def _players(db: sa.Connection, ids: list[str]) -> dict[str, list[Json]]:
        found: dict[str, list[Json]] = {}
        asked = sa.select(seats).where(seats.c.match.in_(ids)).order_by(seats.c.match, seats.c.seat)
        for row in db.execute(asked).mappings():
            one = {"name": row["name"], "colour": row["colour"], "level": row["level"], "won": row["won"]}
            found.setdefault(row["match"], []).append(one)
        return found

    def match(self, id_: str) -> Json | None:
        """A match whole: in brief, with its events, and with the moments of its board as far as it can be followed.
        What is covered is not among them."""
        with self._engine.connect() as db:
            row = db.execute(sa.select(matches).where(matches.c.id == id_)).mappings().first()
            if row is None:
                return None
            told = _brief(row, self._players(db, [id_]).get(id_, []))
            asked = sa.select(events).where(events.c.match == id_).order_by(events.c.seq)
            lines = [dict(line) for line in db.execute(asked).mappings()]
        shown = [
            {"seq": line["seq"], "at": line["at"], "t": line["seconds"], "event": line["kind"]} | _payload(line)
            for line in lines
        ]
        return told | {"events": shown, "start": row["start"]} | _followed(Started(**row["start"]), lines)

    def ratings(self, game: str, until: float | None = None) -> dict[str, list[Point]]:
        """Everybody's rating over time; those who play under a colour, and programs, have none. `until`: only matches
        that had ended then."""
        asked = (
            sa.select(matches.c.id, matches.c.ended, seats.c.name, seats.c.colour, seats.c.level, seats.c.won)
            .join(seats, seats.c.match == matches.c.id)
            .where(matches.c.ended.is_not(None))
            .order_by(matches.c.ended, matches.c.id, seats.c.seat)
        )
        if game:
            asked = asked.where(matches.c.game == game)
        if until is not None:
            asked = asked.where(matches.c.ended <= until)
        found: dict[str, list[Any]] = {}
        with self._engine.connect() as db:
            for row in db.execute(asked).mappings():
                found.setdefault(row["id"], []).append(row)
        return rate(played for rows in found.values() if (played := _played(rows)) is not None)

    def broken_rules(self, game: str = "", player: str = "") -> list[Json]:
        """Which rules are broken most: how often, in how many matches, by how many players."""
        by = events.c.seat == seats.c.seat
        asked = (
            sa.select(
                matches.c.game,
                events.c.rule,
                sa.func.count().label("times"),
                sa.func.count(sa.distinct(matches.c.id)).label("matches"),
                sa.func.count(sa.distinct(seats.c.folded)).label("players"),
            )
            .join(matches, matches.c.id == events.c.match)
            .join(seats, sa.and_(seats.c.match == events.c.match, by), isouter=True)
            .where(events.c.rule.is_not(None))
            .group_by(matches.c.game, events.c.rule)
            .order_by(sa.desc("times"), events.c.rule)
            .limit(100)
        )
        if game:
            asked = asked.where(matches.c.game == game)
        if player:
            asked = asked.where(seats.c.folded == player.casefold())
        with self._engine.connect() as db:
            return [dict(row) for row in db.execute(asked).mappings()]

    def games(self) -> list[str]:
        with self._engine.connect() as db:
            return list(db.execute(sa.select(matches.c.game).distinct().order_by(matches.c.game)).scalars())

    def size(self) -> tuple[int, int]:
        """How many matches there are, and how many actions in them."""
        with self._engine.connect() as db:
            count, actions = db.execute(sa.select(sa.func.count(), sa.func.sum(matches.c.actions))).one()
        return count, actions or 0


def _conditions(wanted: Search) -> list[sa.ColumnElement[bool]]:
    found: list[sa.ColumnElement[bool]] = []
    for column, value in ((matches.c.game, wanted.game), (matches.c.table_name, wanted.table)):
        if value:
            found.append(column == value)
    if wanted.player:
        found.append(
            matches.c.id.in_(sa.select(seats.c.match).where(_begins(seats.c.folded, wanted.player.casefold())))
        )
    if wanted.opening:
        found.append(_begins(matches.c.opening, " ".join(wanted.opening.split())))
    if wanted.action:
        found.append(matches.c.id.in_(sa.select(events.c.match).where(events.c.action == wanted.action)))
    if wanted.rule:
        found.append(matches.c.id.in_(sa.select(events.c.match).where(events.c.rule == wanted.rule)))
    if wanted.least_actions is not None:
        found.append(matches.c.actions >= wanted.least_actions)
    if wanted.most_actions is not None:
        found.append(matches.c.actions <= wanted.most_actions)
    if wanted.least_illegal is not None:
        found.append(matches.c.illegal >= wanted.least_illegal)
    if wanted.before is not None:
        found.append(matches.c.received < wanted.before)
    if wanted.ended_by is not None:
        found.append(matches.c.ended <= wanted.ended_by)
    return found


def _begins(column: sa.Column[Any], text: str) -> sa.ColumnElement[bool]:
    """By a range, which an index serves in every database and collation."""
    return sa.and_(column >= text, column < text + "\U0010ffff")


def _brief(row: Mapping[Any, Any], players: list[Json]) -> Json:
    names = ("number", "started", "received", "game", "variant", "actions", "illegal", "result", "ended", "opening")
    return {"id": row["id"], "table": row["table_name"], "players": players} | {name: row[name] for name in names}


def _payload(line: Mapping[Any, Any]) -> Json:
    return {"covered": True} if line["covered"] else {"payload": line["payload"]}


def _followed(start: Started, lines: list[Json]) -> Json:
    """The board after every action, while all of it is known and can be followed by the rules."""
    if start.setup is None:
        return {"moments": None, "why": "covered"}
    told = [Event(line["seq"], line["at"], line["seconds"], line["kind"], line["payload"]) for line in lines]
    try:
        moments = tell(saved(start), told).moments()
    except (HistoryError, GameError):
        return {"moments": None, "why": "unknown"}
    shown = [
        {"faces": {site: face.name for site, face in each.faces.items()}, "turns": each.turns, "caption": each.caption}
        for each in moments
    ]
    return {"moments": shown}


def _played(rows: list[Any]) -> RatedMatch | None:
    """A match as it counts; None where it does not: somebody has no name, or it has no result."""
    names = [row["name"] for row in rows]
    if len(names) < 2 or len(set(names)) < len(names) or any(row["won"] is None for row in rows):
        return None
    if any(row["level"] is not None or row["name"] == row["colour"] for row in rows):
        return None
    winners = sum(row["won"] for row in rows)
    shares = [row["won"] / winners if winners else 1 / len(rows) for row in rows]
    return RatedMatch(rows[0]["ended"], rows[0]["id"], names, shares)
