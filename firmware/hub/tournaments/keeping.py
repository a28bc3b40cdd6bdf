"""Tournaments in the hub's database, and the results that come from the tables."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from engine.core import Json
from engine.registry import known_game
from firmware.hub.database import deeds, matches, seats
from firmware.hub.tournaments.drawing import drawn
from firmware.hub.tournaments.record import KINDS, MOST_ROUNDS, Deed, Tournament, TournamentError, begun, told

TRIES = 8
BY_HAND = ("hand", "forfeit")
"""Results that no table changes any more."""


class Tournaments:
    """Thread-safe; several hubs at one database do not harm each other: a deed has a number that only one can have."""

    def __init__(self, engine: sa.Engine, wall: Callable[[], float]) -> None:
        self._engine, self._wall = engine, wall

    def begin(self, who: str, payload: Json) -> str:
        """A new tournament; its id."""
        game = known_game(payload["game"])
        if game is None or payload["kind"] not in KINDS or payload["size"] not in game.seats:
            raise TournamentError("game")
        if not payload["name"].strip() or not 0 <= payload["rounds"] <= MOST_ROUNDS:
            raise TournamentError("name")
        begun(payload)
        id_ = secrets.token_hex(8)
        self.write(id_, Deed(0, self._wall(), who, "begin", payload))
        return id_

    def all(self, until: float) -> list[Json]:
        """All, newest first."""
        asked = sa.select(deeds).where(deeds.c.number == 0, deeds.c.at <= until).order_by(deeds.c.at.desc())
        with self._engine.connect() as db:
            rows = db.execute(asked).mappings().all()
        return [
            {"id": row["tournament"], "at": row["at"]}
            | {name: row["payload"][name] for name in ("name", "game", "kind")}
            for row in rows
        ]

    def deeds(self, id_: str, until: float = float("inf")) -> Sequence[Deed]:
        """What was done by then; nothing where there is no such tournament."""
        asked = sa.select(deeds).where(deeds.c.tournament == id_).order_by(deeds.c.number)
        with self._engine.connect() as db:
            rows = db.execute(asked).mappings().all()
        return [
            Deed(*(row[name] for name in ("number", "at", "who", "kind", "payload")))
            for row in rows
            if row["at"] <= until
        ]

    def do(self, id_: str, who: str, kind: str, payload: Json) -> Tournament:
        """One deed more; raises `TournamentError`."""
        for _ in range(TRIES):
            done = self.deeds(id_)
            if not done:
                raise TournamentError("unknown")
            deed = Deed(done[-1].number + 1, self._wall(), who, kind, payload)
            changed = told(done).after(deed)
            if self.write(id_, deed):
                return changed
        raise TournamentError("busy")

    def draw(self, id_: str, who: str, tables: Sequence[str]) -> Tournament:
        """Draw the next round, and give it the tables there are."""
        done = self.deeds(id_)
        if not done:
            raise TournamentError("unknown")
        tournament = told(done)
        if tournament.is_over:
            raise TournamentError("over")
        game = known_game(tournament.game)
        pairings = drawn(tournament, game.seats if game is not None else (tournament.size,), tables)
        # Who else draws at the same moment finds the round open.
        return self.do(id_, who, "draw", {"pairings": pairings})

    def take_results(self, id_: str) -> None:
        """What was decided at the tables since the round was drawn. A match that was put right changes its result,
        unless somebody has entered one by hand."""
        done = self.deeds(id_)
        tournament = told(done) if done else None
        if tournament is None or tournament.is_over or not tournament.rounds:
            return
        round_, number = tournament.rounds[-1], len(tournament.rounds)
        due = {
            frozenset(tournament.entrants[each].name.casefold() for each in pairing.players): place
            for place, pairing in enumerate(round_.pairings)
            if pairing.how not in (*BY_HAND, "bye")
        }
        for match, table, shares in self._ended(tournament.game, round_.at) if due else ():
            place = due.get(frozenset(shares))
            if place is None:
                continue
            pairing = round_.pairings[place]
            names = [tournament.entrants[each].name.casefold() for each in pairing.players]
            scores = [shares[name] for name in names]
            if pairing.match not in (None, match) or (pairing.match == match and pairing.scores == tuple(scores)):
                # The first match that they have played counts.
                continue
            told_by = {"round": number, "place": place, "scores": scores, "how": "table", "match": match}
            del due[frozenset(shares)]
            self.do(id_, table, "result", told_by)

    def _ended(self, game: str, since: float) -> list[tuple[str, str, dict[str, float]]]:
        """Matches that began after a moment and have ended: id, table, and each player's share, by folded name."""
        asked = (
            sa.select(matches.c.id, matches.c.table_name, seats.c.folded, seats.c.won)
            .join(seats, seats.c.match == matches.c.id)
            .where(matches.c.game == game, matches.c.received >= since, matches.c.ended.is_not(None))
            .order_by(matches.c.received, matches.c.id, seats.c.seat)
        )
        found: dict[tuple[str, str], list[Any]] = {}
        with self._engine.connect() as db:
            for id_, table, folded, won in db.execute(asked):
                found.setdefault((id_, table), []).append((folded, won))
        return [
            (id_, table, _shares(rows))
            for (id_, table), rows in found.items()
            if all(won is not None for _, won in rows)
        ]

    def write(self, id_: str, deed: Deed) -> bool:
        """False: somebody else has written a deed of this number."""
        try:
            with self._engine.begin() as db:
                db.execute(sa.insert(deeds), {"tournament": id_} | vars(deed))
        except IntegrityError:
            return False
        return True


def _shares(rows: list[tuple[str, bool]]) -> dict[str, float]:
    winners = sum(won for _, won in rows)
    return {folded: won / winners if winners else 1 / len(rows) for folded, won in rows}
