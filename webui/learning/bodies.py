"""The bodies of requests that describe a position, as JSON Schema."""

from __future__ import annotations

from engine.core import Json
from webui.api.schemas import ACTION, record, text

DEEPEST = 4
"""How far a set-up is nested: set-up, position, sites, die."""
PICKS: Json = {"type": "array", "items": text(20), "maxItems": 12}


def _anything(depth: int) -> Json:
    """JSON of a few levels."""
    plain = ["string", "integer", "boolean", "null"]
    if not depth:
        return {"type": plain, "maxLength": 40}
    inner = _anything(depth - 1)
    deep: Json = {"items": inner, "maxItems": 64, "additionalProperties": inner, "maxProperties": 200}
    return {"type": [*plain, "array", "object"], "maxLength": 40} | deep


SETUP: Json = {"type": "object", "additionalProperties": _anything(DEEPEST - 1), "maxProperties": 20}
SITTING: Json = {
    "game": text(40),
    "players": {"type": "integer", "minimum": 2, "maximum": 4},
    "setup": SETUP,
}
PLAYED: Json = {
    "variant": {"type": ["string", "null"], "maxLength": 40},
    "actions": {"type": "array", "items": ACTION, "maxItems": 200},
}
POINT = record(SITTING | {"picks": PICKS}, PLAYED)
TRY = record(SITTING | {"action": ACTION}, PLAYED)
