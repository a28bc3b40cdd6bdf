"""A logged match in the formats that others read."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from io import StringIO

from engine.board import Board
from engine.core import Game, Json
from firmware.log.exchange.notation import NotationError, ScoreSheet, score_of, write_notation
from firmware.log.exchange.notation_reading import parse_notation
from firmware.log.exchange.svg import board_svg, film_svg
from firmware.log.match.clocks import last_clock, left_of
from firmware.log.match.history import History, illegal_text
from firmware.log.match.record import Event, Moment
from firmware.log.match.seating import Seating

COLUMNS = ("number", "at", "t", "event", "ply", "seat", "colour", "action", "rule", "sites", "text", "left", "payload")


def as_json(history: History, events: Sequence[Event]) -> Json:
    """A match with all its events as one JSON object."""
    saved, seating, known = history.saved, Seating(history.players), history.match.rules.game.faces
    return {
        "id": saved.id,
        "started": saved.started,
        "game": saved.game,
        "variant": saved.variant,
        "players": [player.record() for player in history.players],
        "options": dict(saved.options),
        "setup": seating.shown(saved.setup, known),
        "turns": dict(saved.turns),
        "result": history.result,
        "actions": history.actions,
        "illegal": history.illegal,
        **_clocked(events),
        **_remembered(history),
        "events": [_as_seen(event, seating, history.match.rules.game).record() for event in events],
    }


def _clocked(events: Sequence[Event]) -> Json:
    """The clock, where there was one: how it was set, and what it showed in the end."""
    clock = last_clock(events)
    return {} if clock is None else {"clock": clock}


def _remembered(history: History) -> Json:
    """What the players had to remember, once that is no secret any more."""
    match = history.match
    if history.may_go_on:
        return {}
    found = [each.record() for each in match.rules.recollections(match.positions, match.actions)]
    return {"remembered": found} if found else {}


def _as_seen(event: Event, seating: Seating, game: Game) -> Event:
    """An event in the colours in use."""
    setup = event.payload.get("setup")
    if isinstance(setup, dict):
        return replace(event, payload=event.payload | {"setup": seating.shown(setup, game.faces)})
    if event.kind == "illegal":
        return replace(event, payload=event.payload | {"text": illegal_text(event.payload, game)})
    return event


def as_text(history: History) -> str:
    """A match in text notation."""
    return write_notation(score_of(history))


def as_csv(history: History, events: Sequence[Event]) -> str:
    """One row per event; what has no column of its own is in the payload, as JSON."""
    out = StringIO(newline="")
    rows = csv.DictWriter(out, COLUMNS, extrasaction="ignore")
    rows.writeheader()
    seating, game = Seating(history.players), history.match.rules.game
    for event in (_as_seen(event, seating, game) for event in events):
        row = event.record() | {"left": left_of(event), "payload": json.dumps(event.payload)}
        seat = event.payload.get("seat")
        if isinstance(seat, int):
            row["colour"] = history.players[seat].colour
        row["sites"] = " ".join(event.payload.get("sites", ()))
        rows.writerow(row)
    return out.getvalue()


def _gif(history: History) -> bytes:
    # Pictures take a moment to load: the commands that only know rules start without them.
    from firmware.log.exchange.gif import film_gif

    return film_gif(board_of(history), moments_of(history))


def _poster(history: History) -> bytes:
    from firmware.log.exchange.poster import poster

    last, rules = moments_of(history)[-1], history.match.rules
    return poster(board_of(history), last, rules.game.title, history.players, history.result, history.saved.started)


def board_of(history: History) -> Board:
    """The board the match was played on."""
    saved = history.saved
    return history.match.rules.game.board(len(saved.players), saved.setup)


def moments_of(history: History) -> list[Moment]:
    """What was on the table, in the colours in use."""
    seating, known = Seating(history.players), history.match.rules.game.faces
    return [replace(moment, faces=seating.on_table(moment.faces, known)) for moment in history.moments()]


FORMATS: Mapping[str, Callable[[History, Sequence[Event]], str | bytes]] = {
    "text": lambda history, _: as_text(history),
    "json": lambda history, events: json.dumps(as_json(history, events), indent=1) + "\n",
    "csv": as_csv,
    "svg": lambda history, _: film_svg(board_of(history), moments_of(history)),
    "gif": lambda history, _: _gif(history),
    "poster": lambda history, _: _poster(history),
}


PICTURES = ("svg", "gif", "poster")
"""Those that show the board."""


def export(history: History, events: Sequence[Event], form: str) -> bytes:
    """A match in one of the `FORMATS`."""
    made = FORMATS[form](history, events)
    return made if isinstance(made, bytes) else made.encode()


__all__ = [
    "COLUMNS",
    "FORMATS",
    "PICTURES",
    "NotationError",
    "ScoreSheet",
    "as_csv",
    "as_json",
    "as_text",
    "board_of",
    "board_svg",
    "export",
    "film_svg",
    "moments_of",
    "parse_notation",
    "score_of",
    "write_notation",
]
