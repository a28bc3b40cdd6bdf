"""What the hub has of each match, and what to send it next: only the log is kept, and the hub says what it holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from engine.core import Json
from firmware.hub.contract import Lines
from firmware.hub.pages_of_log import LogPages
from firmware.machine.clock import Clock

AT_ONCE = 12
"""Messages that the hub has not confirmed."""
PATIENCE, MOST_PATIENCE = 4.0, 60.0
"""Seconds without a confirmation after which all that is open is sent again; each time it is twice as long."""
ASKED = 500
"""Matches that are asked about in one message."""


@dataclass
class _Progress:
    have: int = 0
    """How many events the hub has confirmed …"""
    sent: int = 0
    """… and how many were sent."""
    covered: bool = False
    """Whether the hub knows the match only without what was covered."""
    revealed: bool = False


class Deliveries:
    """Of the one thread that speaks with the hub. Nothing is sent of a match before it is known what the hub has."""

    def __init__(self, pages: LogPages, clock: Clock) -> None:
        self._pages, self._clock = pages, clock
        self._progress: dict[int, _Progress] = {}
        self._numbers: dict[str, int] = {}
        self._due = set[int]()
        """Matches of which something may be open."""
        self._flying: list[tuple[int, int]] = []
        """Messages that are not confirmed: the match, and how many events the hub has then (0: what was covered)."""
        self._heard, self._patience = clock(), PATIENCE
        self._unanswered: dict[str, int] = {}
        self._asked_at, self._ask_patience = clock(), PATIENCE

    def questions(self) -> Iterator[Json]:
        """What to ask a hub that has just come: of each match, how many events there are."""
        self._progress.clear()
        self._due.clear()
        self._flying.clear()
        self._be_patient()
        counts = self._pages.counts()
        self._numbers = {match.id: number for number in counts if (match := self._pages.match(number)) is not None}
        self._unanswered = {id_: counts[number] for id_, number in self._numbers.items()}
        self._asked_at, self._ask_patience = self._clock(), PATIENCE
        yield from self._in_parts()

    def reminders(self) -> Iterator[Json]:
        """What was asked and not answered, once more: the hub may have had no database at that moment."""
        if self._unanswered and self._clock() - self._asked_at > self._ask_patience:
            self._asked_at, self._ask_patience = self._clock(), min(2 * self._ask_patience, MOST_PATIENCE)
            yield from self._in_parts()

    def _in_parts(self) -> Iterator[Json]:
        told = list(self._unanswered.items())
        for place in range(0, len(told), ASKED):
            yield dict(told[place : place + ASKED])

    def note_changes(self) -> None:
        """Look what is new in the log."""
        for number in self._pages.changed():
            if (match := self._pages.match(number)) is None:
                continue
            if match.id not in self._numbers:
                # It has begun since the hub was asked.
                self._numbers[match.id] = number
                self._progress[number] = _Progress(covered=match.hides)
            self._due.add(number)

    def hear(self, have: Mapping[str, Json]) -> None:
        """The hub tells what it has."""
        self._be_patient()
        for id_, told in have.items():
            self._unanswered.pop(id_, None)
            number, count = self._numbers.get(id_), told.get("next")
            if number is None or type(count) is not int:
                continue
            progress = self._progress.setdefault(number, _Progress(sent=count))
            if count < progress.have or told.get("again"):
                # It has lost some, or a message has not come through.
                progress.sent = count
                self._flying = [each for each in self._flying if each[0] != number]
            progress.have, progress.covered = count, told.get("covered") is True
            progress.sent = max(progress.sent, count)
            self._due.add(number)
            self._flying = [each for each in self._flying if each[0] != number or each[1] > count]

    def next(self) -> Iterator[Lines]:
        """What can be sent now."""
        if self._flying and self._clock() - self._heard > self._patience:
            self._patience = min(2 * self._patience, MOST_PATIENCE)
            self._heard = self._clock()
            self._flying.clear()
            for number, progress in self._progress.items():
                progress.sent, progress.revealed = progress.have, False
                self._due.add(number)
        for number in sorted(self._due & self._progress.keys(), reverse=True):
            while len(self._flying) < AT_ONCE and (lines := self._open_lines(number)) is not None:
                self._flying.append((number, 0 if lines.revealed else lines.lines[-1].seq + 1))
                yield lines
            if len(self._flying) >= AT_ONCE:
                return
            self._due.discard(number)

    def _open_lines(self, number: int) -> Lines | None:
        """Something of a match that the hub has not been sent; the newest match comes first."""
        match, progress = self._pages.match(number), self._progress[number]
        if match is None:
            return None
        lines = self._pages.lines(match, progress.sent)
        if lines.lines:
            if not self._flying:
                self._heard = self._clock()
            progress.sent = lines.lines[-1].seq + 1
            return lines
        if progress.covered and not progress.revealed and progress.sent == progress.have:
            revealed = self._pages.revealed(match) if progress.have else None
            progress.revealed = revealed is not None
            return revealed
        return None

    def _be_patient(self) -> None:
        self._heard, self._patience = self._clock(), PATIENCE
