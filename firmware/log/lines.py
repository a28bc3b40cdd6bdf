"""What the log writes of what is said at a table: a kind and a payload a line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from engine.core import Game, Json
from engine.referee.news import Accepted, Corrected, Illegal, Miscounted, News, Undone
from engine.referee.table import Table
from engine.spoken import refusal_record
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store


@dataclass(frozen=True)
class LogLine:
    kind: str
    payload: Json


def line_of(news: News, game: Game) -> LogLine:
    """What the referee has seen. Of an illegal try the log keeps the broken rules and their facts: readers get the
    sentence in their own language."""
    payload = news.record(game)
    if isinstance(news, Illegal):
        payload = {name: payload[name] for name in ("event", "seat", "rule", "sites")}
        payload["refusals"] = [refusal_record(refusal) for refusal in news.refusals]
    if isinstance(news, Miscounted):
        payload = {name: payload[name] for name in ("event", "seat", "seen", "due")}
        payload["refusals"] = [refusal_record(news.told)]
    return LogLine(payload.pop("event"), payload)


def correction_line(news: News, table: Table) -> LogLine:
    """What a person has told the referee, complete in itself: see `firmware/log/match/history.py`."""
    match news:
        case Accepted():
            return LogLine("correction", {"what": "answer"} | line_of(news, table.match.rules.game).payload)
        case Undone(to_ply=to_ply):
            return LogLine("correction", {"what": "take_back", "to_ply": to_ply})
        case Corrected(setup=setup):
            return LogLine("correction", {"what": "position", "setup": setup, "turns": table.known_turns()})
        case _:
            return line_of(news, table.match.rules.game)


class MatchLog:
    """The pages of one match in the log, begun with its first line; where no log is kept, nothing."""

    def __init__(self, outbox: Outbox | None, wall: Callable[[], str], number: int | None = None) -> None:
        """`wall` tells the time of day; `number` is that of a match of the log that goes on."""
        self._outbox = outbox if outbox is not None and outbox.keeps else None
        self._wall = wall
        self.number = number
        """Its number in the log, once that has taken it in."""
        self.is_begun = number is not None

    def write(self, line: LogLine, table: Table, seating: Seating, seconds: float) -> None:
        """When this returns the line is on the disk, unless the outbox says why it is not."""
        if self._outbox is None:
            return
        at = self._wall()
        beginning = self._beginning(table, seating, at) if self.number is None else None
        self._outbox.put(partial(self._put, beginning, line, at, seconds))
        self.is_begun = True

    @staticmethod
    def _beginning(table: Table, seating: Seating, at: str) -> Callable[[Store], int]:
        start = table.match.positions[0]
        setup = start.setup() if start.faces() else {}
        begun = (table.match.rules, seating.players, setup, table.known_turns(0))
        return lambda store: store.begin_match(*begun, started=at)

    def _put(
        self, beginning: Callable[[Store], int] | None, line: LogLine, at: str, seconds: float, store: Store
    ) -> None:
        if self.number is None:
            assert beginning is not None
            self.number = beginning(store)
        store.append(self.number, line.kind, line.payload, at=at, seconds=seconds)
