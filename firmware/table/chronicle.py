"""Recent events for the page: numbered, with the time of day and the broken rules."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from engine.core import Json
from engine.referee.news import News
from firmware.log.seating import Seating
from firmware.table.state import blame

RECENT = 40
"""Events that the page shows."""
MOST_FRESH = 1000
"""Events kept for a page that has not been told yet: without a page nobody ever asks."""


class Chronicle:
    """The last events of a match."""

    def __init__(self) -> None:
        self.number = 0
        """How many there have been in all."""
        self._recent: deque[Json] = deque(maxlen=RECENT)
        self._fresh: deque[Json] = deque(maxlen=MOST_FRESH)

    def add(self, events: Sequence[Json], said: Sequence[News], seating: Seating, at: str) -> None:
        """Write down events as the log has them, each beside what the referee said."""
        for event, news in zip(events, said, strict=True):
            self.number += 1
            rules = blame(news, seating)
            told = {"number": self.number, "at": at} | event | ({"blame": rules} if rules else {})
            self._recent.append(told)
            self._fresh.append(told)

    def recent(self) -> list[Json]:
        return list(self._recent)

    def fresh(self) -> list[Json]:
        """The events since this was last asked."""
        fresh = list(self._fresh)
        self._fresh.clear()
        return fresh

    def forget(self) -> None:
        """Another match begins."""
        self._recent.clear()
