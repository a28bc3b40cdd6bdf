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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.clock import on_clock
from engine.core import GameError, Json, Value
from engine.face import FaceSet
from engine.match import Match
from engine.registry import find_game
from firmware.log.match.history import History
from firmware.log.match.record import Comment, Entry, Placed, Played, Player, Resigned, TakenBack, Tried, Turns
from firmware.log.match.seating import Seating

WIDTH = 100
_HEADERS = ("Game", "Variant", "Players", "Date", "Result", "Clock", "Options", "Setup", "Turns")
OPEN = "*"
"""The result of a match that is not over."""


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
    clock: str | None = None
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
        clock=history.clock,
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
        "Result": score.result or OPEN,
        "Clock": score.clock,
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
            if entry.left is not None:
                yield f"{{left {on_clock(entry.left)}}}"
            number += 1
        else:
            yield f"{{{_comment(entry, score.players)}}}"
    yield ending_of(score)


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


def ending_of(score: ScoreSheet) -> str:
    if score.result is None:
        return OPEN
    colours = "+".join(score.players[seat].colour for seat in winners_of(score.result))
    return f"{colours or '-'}:{score.result.get('by')}"


def winners_of(result: Json) -> list[int]:
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
