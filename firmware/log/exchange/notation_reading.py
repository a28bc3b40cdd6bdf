"""A match read back from its text: see `notation`."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from engine.core import COLOURS, Json
from firmware.log.exchange.notation import OPEN, NotationError, ScoreSheet, ending_of, winners_of
from firmware.log.match.record import Comment, Entry, Placed, Played, Player, Resigned, TakenBack, Tried

_NEEDED = ("Game", "Players", "Date", "Result")
_TOKEN = re.compile(r"\{([^{}]*)\}|([^\s{}]+)")


def parse_notation(text: str) -> ScoreSheet:
    """Parse a score sheet; raises `NotationError` if the text is not one."""
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines) if not line.startswith("[")), len(lines))
    headers = dict(map(_read_header, lines[:end]))
    for name in _NEEDED:
        if name not in headers:
            raise NotationError(f"the header [{name} …] is missing")
    players = tuple(Player(str(name), colour) for colour, name in _object(headers, "Players").items())
    if strangers := {player.colour for player in players} - set(COLOURS):
        raise NotationError(f"the header [Players …]: {min(strangers)!r} is not one of {', '.join(COLOURS)}")
    score = ScoreSheet(
        game=headers["Game"],
        variant=headers.get("Variant"),
        players=players,
        date=headers["Date"],
        result=None if headers["Result"] == OPEN else _read_result(_object(headers, "Result"), len(players)),
        options=_object(headers, "Options") if "Options" in headers else None,
        setup=_object(headers, "Setup") if "Setup" in headers else None,
        turns=_object(headers, "Turns") if "Turns" in headers else None,
        clock=str(headers["Clock"]) if "Clock" in headers else None,
    )
    return _read_body(score, lines[end:])


def _object(headers: Json, name: str) -> Json:
    value = headers[name]
    if not isinstance(value, dict):
        raise NotationError(f"the header [{name} …] must be a JSON object")
    return value


def _read_result(result: Json, players: int) -> Json:
    if any(type(seat) is not int or not 0 <= seat < players for seat in winners_of(result)):
        raise NotationError(f"the header [Result …]: there is no seat {result.get('winner')}")
    return result


def _read_header(line: str) -> tuple[str, Any]:
    found = re.fullmatch(r"\[(\w+) (.+)\]", line.rstrip())
    try:
        if found:
            return found[1], json.loads(found[2])
    except ValueError:
        pass
    raise NotationError(f"not a header [Name JSON]: {line[:60]}")


def _read_body(score: ScoreSheet, lines: list[str]) -> ScoreSheet:
    entries: list[Entry] = []
    expected, numbered, ended, ending = 1, False, False, ending_of(score)
    for line in lines:
        if line.startswith("["):
            entries.append(_read_position(line))
            expected = 1
            continue
        for comment, word in _TOKEN.findall(line):
            if ended:
                raise NotationError(f"unexpected text after the result {ending}: {comment or word}")
            if numbered and word:
                entries.append(Played(word))
                expected, numbered = expected + 1, False
            elif not word:
                entries.append(_read_comment(comment, score.players))
            elif word == f"{expected}.":
                numbered = True
            elif word == ending:
                ended = True
            else:
                raise NotationError(f"expected action {expected} or the result {ending}, not {word}")
    if not ended:
        raise NotationError(f"expected action {expected} or the result {ending}, not the end")
    return replace(score, entries=tuple(entries))


def _read_position(line: str) -> Placed:
    name, value = _read_header(line)
    if name != "Position" or not isinstance(value, dict) or not isinstance(value.get("setup"), dict):
        raise NotationError(f"not a position set by hand: {line[:60]}")
    return Placed(value["setup"], value.get("turns", {}))


def _read_comment(comment: str, players: tuple[Player, ...]) -> Entry:
    seats: dict[str, int | None] = {player.colour: seat for seat, player in enumerate(players)} | {"-": None}
    head, _, text = comment.partition(": ")
    match head.split():
        case ["illegal", who, rule, *sites] if who in seats:
            return Tried(seats[who], rule, tuple(sites), text)
        case ["resigned", who] if (seat := seats.get(who)) is not None:
            return Resigned(seat)
        case ["undone", first, *_] if first.rstrip(".").isdecimal():
            return TakenBack(int(first.rstrip(".")) - 1, tuple(head.split()[2::2]))
    return Comment(comment)
