"""Help at one table: how much each player has agreed to, hints, and the program's moves in its seats."""

from __future__ import annotations

from random import Random

from engine.core import GameError, Json
from engine.spoken import SpokenError
from firmware.coaching.adviser import Adviser
from firmware.coaching.assistance import Assistance
from firmware.coaching.prompter import Prompter
from firmware.log.seating import Seating
from firmware.table.companion import Companion


class Counsel:
    """One match. Whatever it has to say comes as events that the log does not keep."""

    def __init__(self, adviser: Adviser, random: Random, seating: Seating = Seating(())) -> None:  # noqa: B008
        self.assistance = Assistance.usual(len(seating))
        self.prompter = Prompter(adviser, seating.levels, seating.to_table_colours, random.randrange(1 << 30))

    def follow(self, companion: Companion, seconds: float) -> list[Json]:
        """Keep up with the match: what the program wants played, or has to say to who asked for a hint."""
        table = companion.table
        if table is None:
            return []
        if table.closed:
            self.prompter.rest()
            companion.pointing = ()
            return []
        new = self.prompter.follow(table.match)
        companion.pointing = self.prompter.sites()
        return self._said(table.match.position.seat, seconds) if new else []

    def press(self, companion: Companion, seconds: float) -> list[Json]:
        """The button lies on the table for all to see: who is shown where figures may go may press it too."""
        seat = _mover(companion)
        try:
            if seat is not None and self.assistance.seats[seat].level == "targets":
                helped = self.assistance.seats[seat].record() | {"seat": seat, "level": "hints"}
                self.assistance = self.assistance.agree(helped)
            return self.hint(companion, seconds)
        except GameError as error:
            return [_event(seconds, seat, str(error))]

    def hint(self, companion: Companion, seconds: float) -> list[Json]:
        """Somebody wants a hint; raises `GameError` if he may have none."""
        table, seat = companion.table, _mover(companion)
        if table is None or seat is None:
            raise SpokenError("there is no match to give a hint for")
        # A hint is paid for once; then it says more each time it is asked.
        helped = self.assistance.after_hint(seat) if self.prompter.hint is None else self.assistance
        if self.prompter.ask(table.match):
            self.assistance = helped
            return []
        companion.pointing = self.prompter.sites()
        return self._said(seat, seconds) if self.prompter.hint is not None else []

    def _said(self, seat: int | None, seconds: float) -> list[Json]:
        return [_event(seconds, seat, self.prompter.text() or "")]


def _mover(companion: Companion) -> int | None:
    table = companion.table
    return table.match.position.seat if table is not None and not table.closed else None


def _event(seconds: float, seat: int | None, text: str) -> Json:
    return {"t": round(seconds, 3), "event": "advice", "seat": seat, "text": text}
