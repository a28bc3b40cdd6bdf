"""Refereeing what a camera sees, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from engine.core import COLOURS, Json
from engine.match import Match
from engine.referee.evidence import is_certain
from engine.referee.news import Accepted
from engine.referee.reading import Reading
from engine.referee.table import Patience, Seen, Table, step
from firmware.log.seating import Seating
from firmware.machine.errors import UsageError
from firmware.table.learning import PaintLearner
from firmware.table.stirring import Stirring
from vision.find.lens import LensError
from vision.frame import Frame
from vision.look import BoardNotFoundError, Eye, Look

FIRST_FRAMES = 4
"""A match begins with the first picture that makes certain how all sheets lie, or with so many that do not."""


class Watcher:
    """One match seen frame by frame. It starts when the board is first seen whole, each sheet lying as it lies then."""

    def __init__(self, eye: Eye, match: Match, seating: Seating | None = None) -> None:
        """`seating`: which colours are played with, if not those of the rules."""
        self.eye = eye
        self._seating = seating
        self.match = match
        self.table: Table | None = None
        self.hold: Callable[[Table, Table], Table] | None = None
        """Has the last word about a step: what a table was before it, what it would be, what it is to be."""
        self.before: Look | None = None
        self._stirring = Stirring()
        self._first: list[Reading] = []
        self._covered: float | None = None
        """Since when something lies on the board unmoved before the match has begun."""
        self._learner = PaintLearner()

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after this frame, as the event log writes it."""
        restless = self._stirring.see(frame)
        try:
            self.before = None if frame.colourless else self.eye.look(frame, self.before)
        except BoardNotFoundError:
            self.before = None
        except LensError as error:
            # One picture on its side may come among others; if it is the first, so will be all.
            if self.table is None:
                raise UsageError(str(error)) from error
            self.before = None
        reading = self.before.reading if self.before else None
        if reading is not None and self._seating is not None:
            reading = self._seating.seen_by_rules(reading, self.match.rules.game.faces)
        if reading is not None and self.before is not None:
            # A hand leaves over the margin of the board, where no site is near; noise stirs a few cells anywhere.
            over = self._stirring.is_over(self.eye.board, self.before.pose, frame)
            reading = replace(reading, moving=(reading.moving or frozenset([""])) if over else frozenset())
        if self.table is None and not self._begin(reading, frame.seconds):
            return []
        assert self.table is not None
        after = step(self.table, Seen(frame.seconds, reading, restless))
        self.table = after if self.hold is None else self.hold(self.table, after)
        if self.before is not None and any(isinstance(news, Accepted) for news in self.table.news):
            self.eye = self._learner.learn(self.eye, frame, self.before)
        records = self.table.records() if self._seating is None else self._seating.records(self.table)
        return [{"t": round(frame.seconds, 3)} | record for record in records]

    def miss(self, seconds: float) -> list[Json]:
        """What there is to say if no frame has come until now: one that is missing means nothing, many do."""
        if self.table is None or seconds - self.table.last_seen < self.table.patience.blink:
            return []
        self.before = None
        self.table = step(self.table, Seen(seconds, None))
        return [{"t": round(seconds, 3)} | record for record in self.table.records()]

    def _begin(self, reading: Reading | None, seconds: float) -> bool:
        """Whether the match can begin with this reading: the positions of all sheets must be clear, or as clear as
        some frames together make them, in which nothing covers the board that has not lain there for a while."""
        if reading is None or reading.moving or not reading.covered:
            self._covered = None
        elif self._covered is None:
            self._covered = seconds
        if reading is None or reading.moving:
            return False
        may_be_a_hand = self._covered is not None and seconds - self._covered < Patience().lying
        self._first.append(reading)
        # Like pictures are mistaken alike: many of them make nothing more certain than one.
        turns = {
            name: [fmean(values) for values in zip(*(first.sheets[name] for first in self._first), strict=True)]
            for name in reading.sheets
        }
        unsure = {name for name, values in turns.items() if not is_certain(values)}
        if unsure and (may_be_a_hand or len(self._first) < FIRST_FRAMES):
            return False
        lie = {name: values.index(max(values)) for name, values in turns.items()}
        self.table = Table.begin(self.match, lie, unsure=unsure)
        self._first.clear()
        return True


def counted(number: int, what: str) -> str:
    """How many there are: 1 action, 2 actions."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def in_words(event: Json, players: Sequence[str] = COLOURS) -> str:
    """An event for people; `players` are their names, in seat order."""
    match event["event"]:
        case "action":
            said = f"{event['ply'] + 1}. {players[event['seat']]} {event['action']}"
        case "undo":
            said = f"{counted(event['to_ply'], 'action')} stand"
        case "unclear":
            said = " or ".join(event["actions"])
        case "result":
            winners = event["winner"] if isinstance(event["winner"], list) else [event["winner"]]
            said = f"{', '.join(players[seat] for seat in winners)} by {event['by']}"
        case "resign":
            said = players[event["seat"]]
        case _:
            said = event.get("text") or ", ".join(event.get("sites", ()))
    return f"{event['t']:8.1f} s  {event['event']:<10} {said}".rstrip()
