"""How the paths of archive and lessons are described for OpenAPI."""

from __future__ import annotations

from engine.core import Json
from webui.api.openapi import SECURITY, answer

ERROR: Json = {"$ref": "#/components/schemas/Error"}
TEXT: Json = {"type": "string"}
TEXTS: Json = {"type": "array", "items": TEXT}
MAYBE: Json = {"type": ["object", "null"]}


def told(members: Json) -> Json:
    """An object with these members."""
    return {"type": "object", "properties": members, "required": list(members)}


def mapped(values: Json) -> Json:
    """An object with members of any name."""
    return {"type": "object", "additionalProperties": values}


def in_path(name: str, schema: Json) -> Json:
    return {"name": name, "in": "path", "required": True, "schema": schema}


NUMBER = in_path("number", {"type": "integer", "minimum": 0})
GAME, LESSON = (in_path(name, {"type": "string", "pattern": "^[a-z-]+$"}) for name in ("game", "lesson"))

REACH = told(
    {
        "picks": TEXTS,
        "onward": TEXTS,
        "done": {
            "type": "array",
            "items": told({"action": TEXT, "faces": mapped(TEXT), "turns": mapped({"type": "integer"})}),
        },
        "refused": mapped(told({"rule": TEXT, "text": TEXT, "sites": TEXTS, "action": TEXT})),
        "names": mapped(TEXT),
        "places": mapped({"type": ["string", "null"]}),
    }
)
POSITION = told(
    {
        "actions": TEXTS,
        "faces": mapped(TEXT),
        "turns": mapped({"type": "integer"}),
        "seat": {"type": ["integer", "null"]},
        "result": TEXT,
    }
)


def described_post(
    summary: str, body: Json, good: Json, *, parameters: tuple[Json, ...] = (), guarded: bool = False
) -> Json:
    """A request with a body; a guarded one changes something and needs the PIN."""
    codes = {400: "the request is not as described", 404: "not found", 413: "the body is too large"}
    codes |= {415: "the body is not JSON"}
    if guarded:
        codes |= {
            401: "the table's PIN is required",
            403: "wrong PIN, or not from this page",
            429: "too many wrong PINs",
        }
        codes |= {409: "the table refused: the message says why", 503: "the table does not answer"}
    told_post: Json = {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": good} | {str(code): answer(what, ERROR) for code, what in codes.items()},
    }
    if parameters:
        told_post["parameters"] = list(parameters)
    return {"post": told_post | ({"security": SECURITY} if guarded else {})}
