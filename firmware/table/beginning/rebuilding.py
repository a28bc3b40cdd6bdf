"""A match of the log goes on at a table that may have been cleared or knocked over since.

No picture alone takes anything back, and none ends it: it waits until the pieces stand as they were left, or people say
otherwise.
"""

from __future__ import annotations

from dataclasses import replace

from engine.face import EMPTY
from engine.referee.news import Illegal, News, Plain, Undone
from engine.referee.reading import Reading
from engine.referee.table import Table

REBUILD = Plain("rebuild")
"""Said, not written down: nothing has happened in the match."""
_RESTORED = Plain("restored")


class Rebuilding:
    """Whether the table has shown the match that goes on; until then, what it shows takes nothing back."""

    def __init__(self, goes_on: bool) -> None:
        self.is_unseen = goes_on
        """Whether the table was not yet seen as it was left."""
        self.is_waiting = False
        """Whether it shows something earlier, or nothing: the pieces have to be put back."""

    def hold(self, before: Table, after: Table, reading: Reading | None) -> Table:
        """The table after a picture, as far as that picture may change it."""
        if not self.is_unseen:
            return after
        is_same = after.match is before.match
        if after.closed or (after.accepted.habit.taught and (is_same or not self.is_waiting)):
            return self._seen(after)
        if not self.is_waiting:
            self.is_waiting = _is_disturbed(after, reading)
            return _held(before, after, (REBUILD,)) if self.is_waiting else after
        return _held(before, after)

    def _seen(self, table: Table) -> Table:
        was_waiting, self.is_waiting, self.is_unseen = self.is_waiting, False, False
        return table.saying(_RESTORED) if was_waiting and not table.closed and _RESTORED not in table.news else table


def _is_disturbed(table: Table, reading: Reading | None) -> bool:
    """Whether the table shows an earlier position of the match, or no piece at all where there should be some."""
    if any(isinstance(news, Undone) for news in table.news):
        return True
    is_wrong = any(isinstance(news, Illegal) for news in table.news)
    return is_wrong and reading is not None and all(guess.best == EMPTY for guess in reading.guesses().values())


def _held(before: Table, after: Table, news: tuple[News, ...] = ()) -> Table:
    """The match as it was, whatever the picture means; whether the board is in sight is said all the same."""
    sight = tuple(each for each in after.news if isinstance(each, Plain) and each.event in ("lost", "found"))
    kept = after if after.match is before.match else replace(before, watch=after.watch)
    return replace(kept, news=(*sight, *news))
