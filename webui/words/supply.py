"""What lies beside the board, in words: the counts that people see at a table."""

from __future__ import annotations

from engine.core import Json
from engine.registry import known_game
from engine.words import say


def told_supply(state: Json, language: str) -> Json:
    """What is common to all, and what each player has: `{"common": [{label, value}], "players": [[…], …]}`."""
    game = known_game(state.get("game"))
    view, seats = state.get("view") or {}, len(state.get("players", ()))
    common: list[Json] = []
    each: list[list[Json]] = [[] for _ in range(seats)]
    for name, text in (game.counted if game else {}).items():
        value, label = view.get(name), say(text, language)
        if isinstance(value, int) and not isinstance(value, bool):
            common.append({"label": label, "value": value})
        elif isinstance(value, list) and len(value) == seats:
            for seat, own in enumerate(value):
                each[seat].append({"label": label, "value": own})
    return {"common": common, "players": each}
