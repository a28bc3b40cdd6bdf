"""Keeps the clock at a table by what the referee sees: nobody presses it.

Time is charged to whoever is to move, from the accepted action on. It stands still while the referee asks, while
something is illegal, while the board cannot be seen, while pieces are put back, and while somebody has paused it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.clock import Clock
from engine.core import Json
from engine.referee.news import Accepted, Corrected, News, OutOfTime, Undone
from engine.referee.table import Table
from engine.referee.wishes import lose_on_time
from firmware.devices.signals import Status

STOPPED = (Status.ILLEGAL, Status.UNCLEAR, Status.REBUILD, Status.LOST, Status.RESULT)
KEPT_EVERY = 60.0
"""Seconds of one turn after which the clock is written down even if nothing happens: a power cut loses no more."""


@dataclass(frozen=True)
class Timekeeping:
    """The clock of a match, and whose time runs."""

    clock: Clock
    running: int | None = None
    """The seat whose time runs."""
    since: float = 0.0
    """The table's time up to which it was charged."""
    kept: float = 0.0
    """When the log last took the clock in."""
    changes: int = 0
    """Grows whenever the clock starts, stops or jumps: between two changes anybody can count on alone."""

    def at(self, seconds: float) -> Timekeeping:
        """Charge whoever is to move up to now."""
        if self.running is None:
            return replace(self, since=seconds)
        return replace(self, clock=self.clock.spend(self.running, seconds - self.since), since=seconds)

    def hearing(self, news: News, table: Table) -> Timekeeping:
        """After something was said; `table` is the one after all that was said with it."""
        clock, positions = self.clock, table.match.positions
        match news:
            case Accepted(ply=ply, seat=seat):
                clock = clock.played(seat, positions[ply + 1].seat)
            case Undone(to_ply=to_ply):
                clock = clock.undone(to_ply)
            case Corrected():
                clock = clock.placed()
            case _:
                return self
        return replace(self, clock=clock, changes=self.changes + 1)

    def following(self, table: Table, status: Status, seconds: float, *, is_unseen: bool) -> Timekeeping:
        """Start or stop it as the table is now; `is_unseen` while nobody knows that the match goes on there."""
        seat = None if table.closed or table.position.outcome is not None else table.position.seat
        runs = self.clock.charges(seat) and status not in STOPPED and not is_unseen
        running = seat if runs else None
        if running == self.running:
            return self
        return replace(self, running=running, since=seconds, changes=self.changes + 1)

    def paused(self, is_paused: bool) -> Timekeeping:
        return replace(self, clock=replace(self.clock, is_paused=is_paused), changes=self.changes + 1)

    def written(self, seconds: float) -> Timekeeping:
        """The log has taken it in."""
        return replace(self, kept=seconds)

    @property
    def is_due(self) -> bool:
        """Whether the log should take the clock in though nothing happened."""
        return self.running is not None and self.since - self.kept >= KEPT_EVERY

    def state(self, monotonic: float) -> Json:
        """For the page: what was left at this moment of the machine's clock, and whose time runs from there."""
        clock = self.clock
        return {
            "set": str(clock.control),
            "left": [None if seat in clock.untimed else round(left, 2) for seat, left in enumerate(clock.hands.left)],
            "free": round(clock.hands.free, 2),
            "running": self.running,
            "paused": clock.is_paused,
            "started": clock.is_started,
            "at": monotonic,
        }


def ran_out(before: Timekeeping, after: Timekeeping, table: Table) -> Table:
    """The table, which says so if somebody's time has run out between the two. Where time decides, the match ends."""
    seat = before.running
    if seat is None or before.clock.is_out(seat) or not after.clock.is_out(seat):
        return table
    told = table.saying(OutOfTime(seat))
    if not after.clock.control.ends or table.closed or table.position.outcome is not None:
        return told
    return lose_on_time(told, seat)
