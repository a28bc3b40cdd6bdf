"""What is said at a table: one typed event from the referee to the log, the lights, the page and the terminal.

It becomes JSON or words only there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from engine.core import COLOURS, Game, Json
from engine.referee.news import Dealt, Illegal, Miscounted, News
from engine.spoken import refusal_record
from firmware.coaching.coach import Advice
from firmware.table.beginning.waiting import NotThere
from firmware.table.seeing.covering import LeftLying
from firmware.table.seeing.print_scale import OtherScale

RECENT = 40
"""Events that the page shows."""
MOST_FRESH = 1000
"""Events kept for a page that has not been told yet: without a page nobody ever asks."""


@dataclass(frozen=True, slots=True)
class Said:
    """Something said, when, and in a match of which game; its colours are those that are played with."""

    seconds: float
    news: News | Advice | LeftLying | OtherScale | NotThere
    game: Game

    @property
    def is_kept(self) -> bool:
        """Whether it is of the match, and kept: what is only said to help is not."""
        return not isinstance(self.news, Advice | LeftLying | OtherScale | NotThere)

    def record(self) -> Json:
        """As `magister watch --json` prints it."""
        return {"t": round(self.seconds, 3)} | self.news.record(self.game)

    def shown(self) -> Json:
        """The same for anyone at the table: without what nobody may look up while the match goes on."""
        return {"t": round(self.seconds, 3), "event": "setup"} if isinstance(self.news, Dealt) else self.record()


def in_words(event: Json, players: Sequence[str] = COLOURS) -> str:
    """An event's record for people; `players` are their names, in seat order."""
    kind = event["event"]
    said = WORDS[kind](event, players) if kind in WORDS else event.get("text") or ", ".join(event.get("sites", ()))
    return f"{event['t']:8.1f} s  {kind:<10} {said}".rstrip()


def _result(event: Json, players: Sequence[str]) -> str:
    winners = event["winner"] if isinstance(event["winner"], list) else [event["winner"]]
    names = ", ".join(players[seat] for seat in winners if seat is not None)
    return f"{names or 'nobody'} by {event['by']}"


WORDS: dict[str, Callable[[Json, Sequence[str]], str]] = {
    "action": lambda event, players: f"{event['ply'] + 1}. {players[event['seat']]} {event['action']}",
    "undo": lambda event, _: f"back to move {event['to_ply']}" if event["to_ply"] else "back to the start",
    "unclear": lambda event, _: " or ".join(event["actions"]),
    "result": _result,
    "setup": lambda *_: "read from the table",
    "peek": lambda event, _: f"somebody has looked under {event['site']}",
    "call": lambda event, players: f"{players[event['seat']]} said {event['said']} for {event['site']}",
    "clock": lambda event, players: f"{players[event['seat']]} is out of time",
    "rebuild": lambda *_: "the pieces are not where the match was left: put them back, or start afresh with --new",
    "resign": lambda event, players: str(players[event["seat"]]),
}
"""What is said of each kind of event; of any other its text, or its sites."""


def counted(number: int, what: str) -> str:
    """How many there are: 1 action, 2 actions."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


class RecentEvents:
    """The last events of a match for the page: numbered, with the time of day."""

    def __init__(self) -> None:
        self.number = 0
        """How many there have been in all."""
        self._recent: deque[Json] = deque(maxlen=RECENT)
        self._fresh: deque[Json] = deque(maxlen=MOST_FRESH)

    def add(self, events: Iterable[Said], at: str) -> None:
        for said in events:
            self.number += 1
            told = {"number": self.number, "at": at} | said.shown() | _facts(said.news)
            self._recent.append(told)
            self._fresh.append(told)

    def all(self) -> list[Json]:
        return list(self._recent)

    def fresh(self) -> list[Json]:
        """Those since this was last asked."""
        fresh = list(self._fresh)
        self._fresh.clear()
        return fresh

    def forget(self) -> None:
        """Another match begins."""
        self._recent.clear()


def _facts(news: object) -> Json:
    """The rules that were broken, with the facts of their sentences: the page says them in any language."""
    match news:
        case Illegal(refusals=refusals):
            return {"refusals": [refusal_record(refusal) for refusal in refusals]}
        case Miscounted(told=told):
            return {"refusals": [refusal_record(told)]}
        case _:
            return {}
