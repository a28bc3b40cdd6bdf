"""A summary of a logged match from its events alone, without replaying it: for lists of hundreds of matches.

What was written down as over is over. Only a match without an end in the log must be played again to know whether its
last action ended it; of those there are few.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.core import Json
from firmware.log.match.history import tell
from firmware.log.match.record import GAP, Event, HistoryError, Player, SavedMatch, resignation


@dataclass(frozen=True)
class MatchSummary:
    """A match in numbers, the same as from `History`."""

    players: tuple[Player, ...]
    actions: int
    illegal: int
    result: Json | None


def summarise(saved: SavedMatch, events: Iterable[Event]) -> MatchSummary:
    """Summarise a match; raises `HistoryError` if the log is inconsistent."""
    known = list(events)
    count = Count(saved)
    for event in known:
        try:
            count.take(event.kind, event.payload)
        except (KeyError, TypeError, ValueError) as error:
            raise HistoryError(f"match {saved.id}, event {event.number}: {event.kind} is incomplete") from error
    result = count.result
    if result is None:
        result = tell(saved, known).result
    return MatchSummary(count.players, count.actions, count.illegal, result)


class Count:
    """The numbers of a match, event by event."""

    def __init__(self, saved: SavedMatch) -> None:
        self.players = saved.players
        self.earlier = self.ply = self.illegal = 0
        """`earlier`: actions played before the position was last set by hand."""
        self.ended: Json | None = None
        self.resigned: set[int] = set()
        self.is_lost = False

    @property
    def actions(self) -> int:
        """How many were not taken back."""
        return self.earlier + self.ply

    @property
    def result(self) -> Json | None:
        if self.ended is not None:
            return self.ended
        return resignation(len(self.players), self.resigned)

    def take(self, kind: str, payload: Json) -> None:
        what = payload["what"] if kind == "correction" else kind
        # After a gap nobody knows how the table stood, until somebody sets the position.
        self.is_lost = kind == GAP or (self.is_lost and what != "position")
        if self.is_lost:
            return
        match what:
            case "action" | "answer":
                self.ply += 1
            case "undo" | "take_back":
                self.ply = int(payload["to_ply"])
                self._reopen()
            case "position":
                self.earlier, self.ply = self.earlier + self.ply, 0
                self._reopen()
            case "reopen":
                self._reopen()
            case "illegal":
                self.illegal += 1
            case "resign":
                self.resigned.add(int(payload["seat"]))
            case "result":
                self.ended = payload
            case "draw" | "abandon":
                self.ended = {"winner": None, "by": what}
            case "names":
                named = zip(payload["names"], self.players, strict=True)
                self.players = tuple(replace(player, name=str(name)) for name, player in named)

    def _reopen(self) -> None:
        self.ended, self.resigned = None, set()
