"""What the log holds of a match, as plain values: its start, its events, and the entries of its score sheet."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from engine.core import COLOURS, Json, Rules, Value
from engine.face import Face
from engine.registry import find_game
from firmware.machine.errors import UsageError

Turns = Mapping[str, int]
"""Positions of the turnable sheets."""

GAP = "gap"
"""Events are missing here that a damaged log has lost; see `firmware/log/damage/rescue.py`."""
KINDS = (
    *("setup", "peek", "call", "chips", "action", "illegal", "unfinished", "unclear", "restored", "lost", "found"),
    *("resign", "names", "clock", "result", "draw", "abandon", "undo", "correction", "imported", "removed"),
    GAP,
)


ENDINGS = ("result", "draw", "abandon", "resign")
"""After these a match is over, if nobody takes them back."""


class LogError(UsageError):
    """The log cannot be read or written; the text is one line that says what to do."""


class LogUnwritableError(LogError):
    """The disk does not take it now: it is full, or may only be read. That may pass."""


class LogEmptyError(LogError):
    """There is no match in the log yet."""


class LogDamagedError(LogError):
    """The file is not a log of ours, or a damaged one."""


class HistoryError(LogError):
    """The events do not make a match according to the rules."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    colour: str
    level: int | None = None
    """The level of the program, if it plays this seat."""

    @property
    def title(self) -> str:
        """What to call them where there is room for one word: by name if they have one, else by colour."""
        return self.name or self.colour

    def record(self) -> Json:
        return {"name": self.name, "colour": self.colour} | ({} if self.level is None else {"level": self.level})


def seated(names: Iterable[str]) -> tuple[Player, ...]:
    """Players in seat order, in the colours of the seats."""
    return tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))


@dataclass(frozen=True)
class SavedMatch:
    """What is known about a match when it begins."""

    id: int
    started: str
    game: str
    variant: str | None
    players: tuple[Player, ...]
    options: Mapping[str, Value]
    setup: Json
    turns: Turns

    def rules(self) -> Rules:
        return find_game(self.game).configure(self.variant, self.options)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log; `seconds` is the table's time, `at` that of the wall clock."""

    number: int
    at: str
    seconds: float
    kind: str
    payload: Json

    def record(self) -> Json:
        return {"number": self.number, "at": self.at, "t": round(self.seconds, 3), "event": self.kind} | self.payload


@dataclass(frozen=True, slots=True)
class Played:
    action: str
    left: float | None = None
    """The seconds its player had left, where there is a clock."""


@dataclass(frozen=True, slots=True)
class Tried:
    """An illegal move."""

    seat: int | None
    rule: str
    sites: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Actions from this ply on that were taken back."""

    ply: int
    actions: tuple[str, ...]


@dataclass(frozen=True)
class Placed:
    """A position set by hand."""

    setup: Json
    turns: Turns


@dataclass(frozen=True, slots=True)
class Resigned:
    seat: int


@dataclass(frozen=True, slots=True)
class Comment:
    text: str


def resignation(players: int, resigned: Collection[int]) -> Json | None:
    """The result after a resignation: of two players the other wins; of more, nobody does."""
    left = [seat for seat in range(players) if seat not in resigned]
    return {"winner": left[0] if len(left) == 1 else None, "by": "resign"} if resigned else None


Entry = Played | Tried | TakenBack | Placed | Resigned | Comment


@dataclass(frozen=True, slots=True)
class Moment:
    """What the table showed after an action (or at the start), with a line that says which."""

    faces: Mapping[str, Face]
    turns: Turns
    caption: str
