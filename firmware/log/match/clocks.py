"""The clock of a logged match: every line tells what it showed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.clock import Clock, TimeControl, on_clock
from engine.core import GameError, Json
from firmware.log.match.record import Event, HistoryError, Player


def seconds_left(payload: Json) -> float | None:
    """The time left of whoever acted, where there is a clock; raises `GameError`."""
    record, seat = payload.get("clock"), payload.get("seat")
    if not isinstance(record, dict) or not isinstance(seat, int):
        return None
    left = record.get("left")
    if not isinstance(left, list) or not 0 <= seat < len(left) or type(left[seat]) not in (int, float):
        raise GameError("the clock's time is not complete")
    return float(left[seat])


def clock_of(players: Sequence[Player], events: Iterable[Event]) -> Clock | None:
    """The clock as it stood at the last event; None where none was set. Raises `HistoryError`."""
    untimed = frozenset(seat for seat, player in enumerate(players) if player.level is not None)
    clock: Clock | None = None
    for event in events:
        try:
            clock = _after(clock, event, len(players), untimed)
        except GameError as error:
            raise HistoryError(f"event {event.number}: {error}") from error
    return clock


def _after(clock: Clock | None, event: Event, players: int, untimed: frozenset[int]) -> Clock | None:
    record, what = event.payload.get("clock"), event.payload.get("what")
    if isinstance(record, dict):
        clock = (clock or Clock.begin(TimeControl.parse(str(record.get("set"))), players, untimed)).showing(record)
    if clock is None:
        return None
    match event.kind, what:
        case ("action", _) | ("correction", "answer"):
            return replace(clock, past=(*clock.past, clock.hands))
        case ("undo", _) | ("correction", "take_back"):
            return replace(clock, past=clock.past[: int(event.payload.get("to_ply", 0)) + 1] or clock.past[:1])
        case ("correction", "position"):
            return replace(clock, past=(clock.hands,), is_placed=True)
        case ("clock", "pause" | "go"):
            return replace(clock, is_paused=what == "pause")
    return clock


def moments_left(events: Iterable[Event], moments: int) -> list[list[float]]:
    """What the clock showed at each moment of a match that remains; none at all where there was no clock."""
    shown: list[list[float]] = []
    first = 0
    for event in events:
        record, payload = event.payload.get("clock"), event.payload
        if not isinstance(record, dict):
            continue
        left = list(record["left"])
        if not shown:
            control = TimeControl.parse(record["set"])
            shown.append([60 * control.minutes] * len(left))
        if "action" in payload:
            shown.append(left)
        elif "to_ply" in payload:
            del shown[first + payload["to_ply"] + 1 :]
        elif payload.get("what") == "position":
            first = len(shown)
            shown.append(left)
    return shown if len(shown) == moments else []


def last_clock(events: Sequence[Event]) -> Json | None:
    """What the clock showed in the end, as the log has it; None where there was none."""
    return next((event.payload["clock"] for event in reversed(events) if "clock" in event.payload), None)


def left_of(event: Event) -> str:
    """The time left of whoever acted, as clocks show it."""
    left = seconds_left(event.payload)
    return "" if left is None else on_clock(left)
