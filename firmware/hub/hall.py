"""All tables as they are now, for those who watch; and as they were a while ago, for a broadcast with a delay."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from threading import Condition

from engine.core import Json

SKEW = 30.0
"""Seconds that a table's clock may be off before it is said."""
MOST_KEPT = 64 << 20
"""Characters of old states that are kept for a delay."""
LONGEST_DELAY = 15 * 60


@dataclass(frozen=True)
class TableView:
    """One table; `state` is what its own page shows to anyone."""

    name: str
    online: bool = False
    session: str = ""
    state: Json = field(default_factory=dict)
    calling: bool = False
    skew: float = 0.0
    """Seconds that its clock is ahead, if that is worth a word."""

    def record(self) -> Json:
        return {
            "table": self.name,
            "online": self.online,
            "calling": self.calling and self.online,
            "skew": self.skew,
            "state": self.state,
        }


class Hall:
    """Thread-safe: one thread hears the tables, many show them."""

    def __init__(self, wall: Callable[[], float]) -> None:
        self._wall = wall
        self._changed = Condition()
        self._views: dict[str, TableView] = {}
        self._number = 0
        self._old: deque[tuple[int, float, str, str]] = deque()
        """Number, when, table, its record as JSON."""
        self._kept = 0
        self.trouble = ""
        """Why the hub itself does not work as it should."""

    # What is heard

    def hear_presence(self, table: str, told: Json) -> None:
        online, session = told.get("online") is True, str(told.get("session"))
        with self._changed:
            view = self._views.get(table, TableView(table))
            if not online and view.session not in ("", session):
                # The last word of an earlier run.
                return
            self._put(replace(view, online=online, session=session))

    def hear_state(self, table: str, told: Json, *, is_kept: bool = False) -> None:
        """What the broker has kept says nothing of the table's clock: it is as old as it is."""
        state = told.get("state")
        if not isinstance(state, dict):
            return
        with self._changed:
            view = self._views.get(table, TableView(table))
            skew = view.skew if is_kept else self._skew(told.get("now"))
            self._put(replace(view, state=state, calling=told.get("calling") is True, skew=skew))

    def lose_all(self) -> None:
        """The line to all tables is cut."""
        with self._changed:
            for view in list(self._views.values()):
                self._put(replace(view, online=False, session=""))

    def forget(self, table: str) -> None:
        with self._changed:
            if self._views.pop(table, None) is not None:
                self._number += 1
                self._changed.notify_all()

    def set_trouble(self, text: str) -> None:
        with self._changed:
            if text != self.trouble:
                self.trouble = text
                self._number += 1
                self._changed.notify_all()

    def _skew(self, now: object) -> float:
        try:
            ahead = datetime.fromisoformat(str(now)).timestamp() - self._wall()
        except (ValueError, OverflowError):
            return 0.0
        return round(ahead) if abs(ahead) > SKEW else 0.0

    def _put(self, view: TableView) -> None:
        if self._views.get(view.name) == view:
            return
        self._views[view.name] = view
        self._number += 1
        text, now = json.dumps(view.record(), ensure_ascii=False), self._wall()
        self._old.append((self._number, now, view.name, text))
        self._kept += len(text)
        while self._old and (self._kept > MOST_KEPT or now - self._old[0][1] > LONGEST_DELAY + 60):
            self._kept -= len(self._old.popleft()[3])
        self._changed.notify_all()

    # What is asked

    def views(self) -> list[TableView]:
        with self._changed:
            return sorted(self._views.values(), key=lambda view: _natural(view.name))

    def view(self, table: str) -> TableView | None:
        with self._changed:
            return self._views.get(table)

    def records(self, delay: float = 0.0) -> list[Json]:
        """All tables as they were so many seconds ago."""
        if not delay:
            return [view.record() for view in self.views()]
        with self._changed:
            last = self._wall() - delay
            then = {table: text for _, at, table, text in self._old if at <= last and table in self._views}
        return [json.loads(then[table]) for table in sorted(then, key=_natural)]

    def wait(self, since: int, timeout: float, delay: float = 0.0) -> tuple[int, list[str], str]:
        """What changed after `since`: its number, records as JSON, and the hub's own trouble."""
        with self._changed:
            if not delay:
                self._changed.wait_for(lambda: self._number != since, timeout)
            else:
                self._changed.wait_for(lambda: self._ripe(since, delay) is not None, min(timeout, 1.0))
            last: dict[str, str] = {}
            number = since
            for count, at, table, text in self._newer(since):
                if delay and at > self._wall() - delay:
                    break
                number, last[table] = count, text
            return (number if delay else self._number), list(last.values()), self.trouble

    def _newer(self, since: int) -> list[tuple[int, float, str, str]]:
        found: list[tuple[int, float, str, str]] = []
        for each in reversed(self._old):
            if each[0] <= since:
                break
            found.append(each)
        return found[::-1]

    def _ripe(self, since: int, delay: float) -> int | None:
        newer = self._newer(since)
        return newer[0][0] if newer and newer[0][1] <= self._wall() - delay else None

    @property
    def number(self) -> int:
        with self._changed:
            return self._number


def _natural(name: str) -> tuple[str, int, str]:
    """Table 2 comes before table 10."""
    head = name.rstrip("0123456789")
    return head.casefold(), int(name[len(head) :] or 0) if name[len(head) :].isascii() else 0, name
