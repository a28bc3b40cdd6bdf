"""A match of the log without what its players must remember, as long as it may go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine.discretion import discreet_events, discreet_setup, is_discreet, retold
from engine.match import Match
from firmware.log.match.history import History
from firmware.log.match.record import Entry, Event, Placed, Played, TakenBack


def held_back(history: History, events: Sequence[Event]) -> tuple[History, list[Event]]:
    """The match and its events as they may be told to anyone now."""
    if not history.may_go_on or not is_discreet(history.match.position):
        return history, list(events)
    position = history.match.position
    told = discreet_events(position, ({"event": event.kind} | event.payload for event in events))
    kept = [
        replace(event, payload={name: value for name, value in each.items() if name != "event"})
        for event, each in zip(events, told, strict=True)
    ]
    saved = replace(history.saved, setup=discreet_setup(position, history.saved.setup))
    entries = tuple(_discreet(history.match, entry) for entry in history.entries)
    return replace(history, saved=saved, entries=entries, is_held_back=True), kept


def _discreet(played: Match, entry: Entry) -> Entry:
    match entry:
        case Played(action):
            return Played(retold(played.position, action))
        case TakenBack(ply, actions):
            return TakenBack(ply, tuple(retold(played.position, action) for action in actions))
        case Placed(setup, turns):
            return Placed(discreet_setup(played.position, setup), turns)
    return entry
