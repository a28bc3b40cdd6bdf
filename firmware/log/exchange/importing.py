"""Matches that were exported elsewhere, taken into this log: from JSON with everything in it, or from text notation.

A file is checked as a whole before anything is written. The last event of an imported match says that it is one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import GameError, Json, Rules
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.log.exchange.notation import ScoreSheet
from firmware.log.exchange.notation_reading import parse_notation
from firmware.log.match.history import History, tell
from firmware.log.match.record import (
    KINDS,
    Event,
    HistoryError,
    Placed,
    Played,
    Player,
    Resigned,
    SavedMatch,
    TakenBack,
    Tried,
)
from firmware.log.match.seating import Seating
from firmware.log.store import Store

_NOT_PAYLOAD = ("number", "at", "t", "event")
_TOLD = ("result", "draw", "abandon")


@dataclass(frozen=True)
class Draft:
    """A match that could be written: by the rules there is nothing wrong with it."""

    saved: SavedMatch
    rules: Rules
    events: tuple[Event, ...]
    history: History


def read_match(text: str) -> Draft:
    """The match of an exported file; raises `GameError` if it is none, or breaks the rules."""
    return _checked(*(_of_json(text) if text.lstrip().startswith("{") else _of_notation(text)))


def import_match(store: Store, draft: Draft, at: str) -> int:
    """Write a match down and return its number; raises `SpokenError` if it is there already."""
    for number in store.ids():
        if _is_same(store.match(number), draft.saved) and store.history(number).actions == draft.history.actions:
            raise SpokenError("this is match {number}, which is already here", number=number)
    saved = draft.saved
    number = store.begin_match(draft.rules, saved.players, saved.setup, saved.turns, started=saved.started)
    for event in draft.events:
        store.append(number, event.kind, event.payload, at=event.at, seconds=event.seconds)
    last = draft.events[-1].seconds if draft.events else 0.0
    if draft.history.result is None:
        # Nobody can go on with it at this table as if it had only been interrupted.
        store.append(number, "abandon", {}, at=at, seconds=last)
    store.append(number, "imported", {}, at=at, seconds=last)
    return number


def _is_same(one: SavedMatch, other: SavedMatch) -> bool:
    return (one.started, one.game, one.variant) == (other.started, other.game, other.variant)


def _checked(saved: SavedMatch, rules: Rules, events: Sequence[Event]) -> Draft:
    try:
        return Draft(saved, rules, tuple(events), tell(saved, events))
    except HistoryError as error:
        # The file has no number in this log yet.
        raise GameError(str(error).removeprefix("match 0, ").removeprefix("match 0 ")) from error


def _of_json(text: str) -> tuple[SavedMatch, Rules, list[Event]]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpokenError("this file is not an exported match: its JSON is incomplete or damaged") from error
    players = tuple(_player(each) for each in _given(data, "players", list))
    if len({player.colour for player in players}) != len(players):
        raise SpokenError("two players of this match have the same colour")
    rules = find_game(_given(data, "game", str)).configure(data.get("variant"), _given(data, "options", dict))
    faces, seating = rules.game.faces, Seating(players)
    setup = seating.known(_given(data, "setup", dict), faces)
    turns = {name: turn for name, turn in _given(data, "turns", dict).items() if type(turn) is int}
    rules.start(len(players), setup)
    saved = SavedMatch(
        0, _given(data, "started", str), rules.game.name, rules.variant, players, rules.options, setup, turns
    )
    events = [_event(each, place, rules, seating) for place, each in enumerate(_given(data, "events", list))]
    return saved, rules, events


def _player(told: object) -> Player:
    level = told.get("level") if isinstance(told, dict) else None
    if level is not None and type(level) is not int:
        raise SpokenError("this file is not an exported match: {what} is missing or wrong", what="level")
    return Player(_given(told, "name", str), _given(told, "colour", str), level)


def _event(told: object, number: int, rules: Rules, seating: Seating) -> Event:
    kind, at, seconds = _given(told, "event", str), _given(told, "at", str), _given(told, "t", int, float)
    assert isinstance(told, dict)
    if kind not in KINDS:
        raise SpokenError("event {number} is of an unknown kind: {kind}", number=number, kind=kind)
    payload = {name: value for name, value in told.items() if name not in _NOT_PAYLOAD}
    if kind == "illegal" and "refusals" in payload:
        payload.pop("text", None)
    if isinstance(payload.get("setup"), dict):
        payload["setup"] = seating.known(payload["setup"], rules.game.faces)
    return Event(number, at, float(seconds), kind, payload)


def _given(data: object, name: str, *kinds: type[Any]) -> Any:  # noqa: ANN401 - see `kinds`
    value = data.get(name) if isinstance(data, Mapping) else None
    if type(value) not in kinds:
        raise SpokenError("this file is not an exported match: {what} is missing or wrong", what=name)
    return value


def _of_notation(text: str) -> tuple[SavedMatch, Rules, list[Event]]:
    score = parse_notation(text)
    rules, seating = find_game(score.game).configure(score.variant, score.options), Seating(score.players)
    setup = seating.known(score.setup or {}, rules.game.faces)
    saved = SavedMatch(
        0, score.date, rules.game.name, rules.variant, score.players, rules.options, setup, score.turns or {}
    )
    lines = _lines(score, seating, rules)
    return saved, rules, [Event(number, score.date, 0.0, kind, line) for number, (kind, line) in enumerate(lines)]


def _lines(score: ScoreSheet, seating: Seating, rules: Rules) -> Iterator[tuple[str, Json]]:
    """The kinds and payloads of a score sheet's events. It does not say when they were."""
    ply = 0
    for entry in score.entries:
        match entry:
            case Played(action):
                yield "action", {"ply": ply, "action": action}
                ply += 1
            case TakenBack(to_ply, actions):
                yield from (("action", {"ply": ply + count, "action": action}) for count, action in enumerate(actions))
                yield "undo", {"to_ply": to_ply}
                ply = to_ply
            case Tried(seat, rule, sites, said):
                yield "illegal", {"seat": seat, "rule": rule, "sites": list(sites), "text": said}
            case Resigned(seat):
                yield "resign", {"seat": seat}
            case Placed(setup, turns):
                known = seating.known(setup, rules.game.faces)
                yield "correction", {"what": "position", "setup": known, "turns": dict(turns)}
                ply = 0
    if score.result is not None and score.result["by"] in _TOLD:
        yield score.result["by"], {}
