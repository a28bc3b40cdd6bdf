"""A match as text: headers in brackets, numbered actions, what was taken back as comments in braces, the result last.

```
[Game "rings"]
[Players {"red": "Ada", "yellow": "Bo"}]
[Date "2026-01-31T19:30:00+01:00"]
[Result {"winner": 0, "by": "last"}]

1. +a8 {illegal yellow place.taken a8: There is a pawn on a8.} 2. +c4 {undone 3. +c3} 3. c> red:last
```

The value of a header is JSON. A position set by hand is a header among the actions; these count from 1 again after it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.core import COLOURS, GameError, Json, Value
from engine.face import FaceSet
from engine.match import Match
from engine.registry import find_game
from firmware.log.history import History
from firmware.log.record import Comment, Entry, Placed, Played, Player, Resigned, TakenBack, Tried, Turns
from firmware.log.seating import Seating

WIDTH = 100
_HEADERS = ("Game", "Variant", "Players", "Date", "Result", "Options", "Setup", "Turns")
_NEEDED = ("Game", "Players", "Date", "Result")
_OPEN = "*"
"""The result of a match that is not over."""
_TOKEN = re.compile(r"\{([^{}]*)\}|([^\s{}]+)")


class NotationError(GameError, ValueError):
    """The text is not a match in this notation."""


@dataclass(frozen=True)
class ScoreSheet:
    """A score sheet: all that the notation says."""

    game: str
    variant: str | None
    players: tuple[Player, ...]
    date: str
    result: Json | None = None
    options: Mapping[str, Value] | None = None
    setup: Json | None = None
    turns: Turns | None = None
    entries: tuple[Entry, ...] = ()

    def replay(self) -> Match:
        """Replay the match since the position was last set by hand."""
        rules = find_game(self.game).configure(self.variant, self.options)
        seating = Seating(self.players)
        match = Match.begin(rules, len(self.players), seating.known(self.setup or {}, rules.game.faces))
        for entry in self.entries:
            if isinstance(entry, Placed):
                match = Match.begin(rules, len(self.players), seating.known(entry.setup, rules.game.faces))
            elif isinstance(entry, Played):
                match = match.play(rules.parse(entry.action))
        return match


def score_of(history: History) -> ScoreSheet:
    """The score sheet of a match in the log."""
    saved, seating, known = history.saved, Seating(history.players), history.match.rules.game.faces
    return ScoreSheet(
        game=saved.game,
        variant=saved.variant,
        players=history.players,
        date=saved.started,
        result=history.result,
        options=history.match.rules.house_rules or None,
        setup=seating.shown(saved.setup, known) or None,
        turns=dict(saved.turns) if any(saved.turns.values()) else None,
        entries=tuple(_plain(entry, seating, known) for entry in history.entries),
    )


def _plain(entry: Entry, seating: Seating, known: FaceSet) -> Entry:
    """An entry in the colours in use, without characters that would end its comment."""
    if isinstance(entry, Placed):
        return replace(entry, setup=seating.shown(entry.setup, known))
    if not isinstance(entry, Tried | Comment):
        return entry
    return replace(entry, text=" ".join(entry.text.replace("{", "(").replace("}", ")").split()))


def write_notation(score: ScoreSheet) -> str:
    """The score sheet as text."""
    values: Json = {
        "Game": score.game,
        "Variant": score.variant,
        "Players": {player.colour: player.name for player in score.players},
        "Date": score.date,
        "Result": score.result or _OPEN,
        "Options": score.options,
        "Setup": score.setup,
        "Turns": score.turns,
    }
    lines = [_header(name, values[name]) for name in _HEADERS if values[name] is not None]
    return "\n".join([*lines, "", *_wrapped(_words(score))]) + "\n"


def _header(name: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return f"[{name} {text if text.isprintable() else json.dumps(value)}]"


def _words(score: ScoreSheet) -> Iterator[str]:
    """The words of the text; none is broken over two lines."""
    number = 1
    for entry in score.entries:
        if isinstance(entry, Placed):
            yield _header("Position", {"setup": entry.setup, "turns": dict(entry.turns)})
            number = 1
        elif isinstance(entry, Played):
            yield f"{number}. {entry.action}"
            number += 1
        else:
            yield f"{{{_comment(entry, score.players)}}}"
    yield _ending(score)


def _comment(entry: Tried | TakenBack | Resigned | Comment, players: tuple[Player, ...]) -> str:
    match entry:
        case Tried():
            who = "-" if entry.seat is None else players[entry.seat].colour
            head = " ".join(("illegal", who, entry.rule, *entry.sites))
            return f"{head}: {entry.text}" if entry.text else head
        case TakenBack():
            numbered = enumerate(entry.actions, start=entry.ply + 1)
            return " ".join(["undone", *(f"{number}. {action}" for number, action in numbered)])
        case Resigned():
            return f"resigned {players[entry.seat].colour}"
        case Comment():
            return entry.text


def _ending(score: ScoreSheet) -> str:
    if score.result is None:
        return _OPEN
    colours = "+".join(score.players[seat].colour for seat in _winners(score.result))
    return f"{colours or '-'}:{score.result.get('by')}"


def _winners(result: Json) -> list[int]:
    winner = result.get("winner")
    return winner if isinstance(winner, list) else [] if winner is None else [winner]


def _wrapped(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and (word.startswith("[") or line.startswith("[") or len(line) + len(word) >= WIDTH):
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


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
        result=None if headers["Result"] == _OPEN else _read_result(_object(headers, "Result"), len(players)),
        options=_object(headers, "Options") if "Options" in headers else None,
        setup=_object(headers, "Setup") if "Setup" in headers else None,
        turns=_object(headers, "Turns") if "Turns" in headers else None,
    )
    return _read_body(score, lines[end:])


def _object(headers: Json, name: str) -> Json:
    value = headers[name]
    if not isinstance(value, dict):
        raise NotationError(f"the header [{name} …] must be a JSON object")
    return value


def _read_result(result: Json, players: int) -> Json:
    if any(type(seat) is not int or not 0 <= seat < players for seat in _winners(result)):
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
    expected, numbered, ended, ending = 1, False, False, _ending(score)
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
