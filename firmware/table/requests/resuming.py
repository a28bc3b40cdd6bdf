"""Which match of the log goes on: the one that was cut short, or one that people name."""

from __future__ import annotations

from collections.abc import Callable

from engine.spoken import SpokenError
from firmware.coaching.computers import taken_over
from firmware.log.match.clocks import clock_of
from firmware.log.match.history import History
from firmware.log.match.seating import Seating
from firmware.log.store import Store
from firmware.table.beginning.plans import MatchPlan
from firmware.table.events import counted
from firmware.table.playing import Resumed, resumed_table


def resume(store: Store, plan: MatchPlan | None, say: Callable[[str], None]) -> tuple[MatchPlan, Resumed] | None:
    """The last match of the log and who plays it, if it is unfinished; if something else is to be played, none."""
    last = store.unfinished_match()
    if last is None:
        if flaw := store.flaw_of_last_match():
            say(f"{flaw}: that match cannot be resumed (see `magister log verify`)")
        return None
    history = store.history(last)
    found = _plan_of(history, store)
    if plan is not None:
        if found.rules != plan.rules or found.seating.colours != plan.seating.colours:
            say(f"match {last} is put aside: `magister run --match {last}` goes on with it")
            return None
        found = MatchPlan(plan.rules, taken_over(found.seating, plan.seating), found.clock)
    say(f"resuming match {last} after {counted(history.match.ply, 'action')} (use --new to start another)")
    return found, _resumed(history)


def found_match(store: Store, number: int) -> tuple[MatchPlan, Resumed]:
    """A match of the log that can go on: it was cut short or abandoned, or its players ended it themselves."""
    history = store.history(number)
    if history.match.position.outcome is not None:
        raise SpokenError("match {number} was played to its end: there is nothing to take up", number=number)
    return _plan_of(history, store), _resumed(history)


def reopen(store: Store, number: int, at: str) -> None:
    """Write down that a match goes on: it is the one to resume from now on."""
    store.append(number, "correction", {"what": "reopen"}, at=at, seconds=store.last_seconds(number))


def _plan_of(history: History, store: Store) -> MatchPlan:
    clock = clock_of(history.players, store.events(history.saved.id))
    return MatchPlan(history.match.rules, Seating(history.players), clock)


def _resumed(history: History) -> Resumed:
    return history.saved.id, resumed_table(history.match, history.turns[0])
