"""A table as the hub's page shows it, in the reader's language."""

from __future__ import annotations

import json
from functools import lru_cache

from engine.core import Json
from engine.registry import known_game
from webui.house import Update
from webui.words.telling import told_state

SHOWN = (
    *("phase", "match", "begun", "game", "title", "variant", "players", "seat", "ply", "faces", "turns", "last"),
    *("closed", "asking", "verdict", "clock", "seen"),
)
NO_TABLE = (KeyError, TypeError, ValueError, AttributeError, IndexError)
"""What a state that no table of ours has sent may lead to."""


@lru_cache(maxsize=2048)
def told_table(text: str, language: str) -> str:
    """One table, from the hub's JSON to the page's."""
    record: Json = json.loads(text)
    return json.dumps(record | {"state": _told(record["state"], language)}, ensure_ascii=False)


def _told(state: Json, language: str) -> Json:
    if not state.get("game"):
        return {}
    try:
        told = told_state(Update(0, state), language)
        shown = {name: told[name] for name in SHOWN if name in told}
        shown["dice"] = told.get("view", {}).get("fields", {})
        shown["over"] = told.get("phase") == "over"
        shown["notice"] = told["notice"]
        # Whether this board can be drawn here.
        shown["drawn"] = known_game(told["game"]) is not None
        shown["recent"] = [
            {"text": each["text"], "at": each.get("at", ""), "action": each.get("action", "")}
            for each in told["recent"][-12:]
        ]
        json.dumps(shown, allow_nan=False)
    except NO_TABLE:
        return {"foreign": True}
    return shown
