"""The OpenAPI description, made from the same schemas that validate the bodies."""

from __future__ import annotations

import re
from typing import Any

from flask import current_app

from engine.core import COLOURS, Json
from webui.access.safety import PIN as PIN_HEADER
from webui.access.safety import TOKEN
from webui.api.schemas import LEVEL, NAME, PIN, SUMMARIES, WISHES

VERSION = "1.0.0"

_FACES: Json = {"type": "object", "additionalProperties": {"type": "string"}, "description": "site: what stands there"}
_TURNS: Json = {"type": "object", "additionalProperties": {"type": "integer"}, "description": "sheet: its position"}
_TEXTS: Json = {"type": "array", "items": {"type": "string"}}
_WHOLE: Json = {"type": "integer"}
_SEAT: Json = {"type": ["integer", "null"]}
_ANYTHING: Json = {"type": "object"}


def _object(members: Json, required: tuple[str, ...] | None = None) -> Json:
    return {"type": "object", "properties": members, "required": list(members if required is None else required)}


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


_OPTION = _object(
    {
        "action": {"type": "string"},
        "text": {"type": "string"},
        "faces": _FACES,
        "turns": _TURNS,
        "sites": _TEXTS,
        "sheets": _TEXTS,
    }
)
"""`story` is there where it is more than an action: `to_ply` actions still stand, and `actions` came after them."""
SCHEMAS: Json = {
    "Error": _object({"error": {"type": "string"}, "message": {"type": "string"}}),
    "Player": _object({"name": NAME, "colour": {"type": "string", "enum": list(COLOURS)}}),
    "Event": _object(
        {
            "number": _WHOLE,
            "at": {"type": "string", "description": "time of day, ISO 8601"},
            "t": {"type": "number", "description": "seconds of table time"},
            "event": {"type": "string"},
            "text": {"type": "string", "description": "a sentence in the requested language"},
        }
    ),
    "Verdict": _object(
        {
            "status": {"type": "string"},
            "text": {"type": "string"},
            "rules": _TEXTS,
            "sites": _TEXTS,
            "before": {"type": "string"},
        }
    ),
    "Clock": _object(
        {
            "set": {"type": "string", "description": "as on the command line: 10+5, 10d5, 10+5,ends"},
            "left": _list({"type": ["number", "null"]}) | {"description": "seconds of each seat; null: the program's"},
            "free": {"type": "number", "description": "seconds of this turn that cost nothing"},
            "running": _SEAT | {"description": "the seat whose time runs"},
            "paused": {"type": "boolean"},
            "started": {"type": "boolean"},
            "age": {"type": "number", "description": "seconds since the clock showed this: count on from there"},
        }
    ),
    "State": _object(
        {
            "number": _WHOLE,
            "phase": {"type": "string", "enum": ["idle", "setup", "playing", "over"]},
            "alive": {"type": "boolean", "description": "false when the picture may be out of date"},
            "version": {"type": "string", "description": "of the program; not in the stream"},
            "recent": _list(_ref("Event")),
            "verdict": _ref("Verdict"),
            "match": {"type": ["integer", "null"]},
            "game": {"type": "string"},
            "variant": {"type": ["string", "null"]},
            "players": _list(_ref("Player")),
            "seat": _SEAT,
            "ply": _WHOLE,
            "faces": _FACES,
            "turns": _TURNS,
            "last": {"type": ["object", "null"]},
            "result": {"type": ["object", "null"]},
            "asking": _list(_OPTION),
            "reached": {
                "type": ["object", "null"],
                "description": "the player (seat) whose arm seems to have played the last action, and what may have "
                "happened before (options)",
            },
            "declarable": _TEXTS,
            "seen": _ANYTHING,
            "rows": {
                "type": ["object", "null"],
                "description": "pieces counted in rows: how many are seen and due, the faces to show, what is off",
            },
            "lying": _TEXTS | {"description": "sites covered by something left lying on the board"},
            "scale": {
                "type": ["integer", "null"],
                "description": "by how many percent the cards are printed larger (or, below 0, smaller) than the board",
            },
            "wait": {"type": ["object", "null"], "description": "what the referee waits for (why), and where (sites)"},
            "hidden": _TEXTS | {"description": "sites covered by a hand, or what may be one"},
            "clock": {"anyOf": [_ref("Clock"), {"type": "null"}]},
            "voice": _object(
                {
                    "key": {"type": "string", "description": "another one when there is something new to say"},
                    "text": {"type": "string", "description": "what to say; nothing while an action is half done"},
                    "sound": {"type": ["string", "null"]},
                }
            ),
            "language": {"type": "string", "description": "the table's own language; empty: it has none"},
            "usual_clock": {"type": "string", "description": "the clock that is usual at this table; empty: none"},
            "usual_rules": {
                "type": ["object", "null"],
                "description": "by game, the variant and options that are usual at this table; null: none are kept",
            },
            "notice": {"type": "string", "description": "what keeps the referee from seeing the whole board"},
            "lights": _ANYTHING,
            "computers": _list(LEVEL) | {"description": "for each seat, the level of the program if it plays there"},
            "advice": {"type": ["object", "null"], "description": "the move the program wants made, or a hint"},
        },
        ("number", "phase", "alive", "recent", "verdict"),
    ),
    "Game": _object(
        {
            "name": {"type": "string"},
            "title": {"type": "string"},
            "seats": _list(_WHOLE),
            "variants": _TEXTS,
            "options": _list(_ANYTHING),
            "opener": {"type": "string", "description": "who begins according to the rulebook, if it says"},
        }
    ),
}


_SETTINGS: Json = {
    "clock": {"type": "string"},
    "language": {"type": "string", "description": "of the whole table; empty: each device chooses"},
    "voice": {"type": "string"},
    "brightness": _WHOLE,
    "screen": {"type": "boolean", "description": "whether a browser at the machine itself sees address and PIN"},
    "hub": {"type": "string"},
    "table": {"type": "string"},
    "token": {"type": "string", "description": "never told"},
    "home_assistant": {"type": "string"},
    "lens": {"type": "boolean", "description": "whether one was sent to the page"},
    "colours": {"type": "boolean"},
    "restart": {"type": "boolean", "description": "whether what was chosen needs a restart"},
}
_DONE: Json = {
    "new": _object({"first": _ref("Player") | {"description": "who begins"}}, ()),
    "resume": _object({"match": _WHOLE}, ()),
    "settings": _object(_SETTINGS, ()),
    "file": _object({"restart": {"type": "boolean"}}, ()),
}
"""What a wish is answered with; others have nothing to say."""


def answer(what: str, schema: Json, kind: str = "application/json") -> Json:
    return {"description": what, "content": {kind: {"schema": schema}}}


SECURITY: list[Json] = [{"pin": []}, {"device": [], "token": []}]
"""Of changes: a program sends the PIN, a browser shows that it gave it."""


def refusals(*codes: int) -> Json:
    """The answers of a request that is refused."""
    return {str(code): answer(_REFUSED[code], _ref("Error")) for code in codes}


_REFUSED = {
    400: "the request is not as described",
    401: "the table's PIN is required",
    403: "wrong PIN, or not from this page",
    404: "not found",
    409: "the table refused: the message says why",
    413: "the body is too large",
    415: "the body is not JSON",
    429: "too many wrong PINs",
    503: "the table does not answer, or there are too many listeners",
}


def described_get(summary: str, answer: Json, *codes: int, parameters: list[Json] | None = None) -> Json:
    told: Json = {"summary": summary, "responses": {"200": answer} | refusals(*codes)}
    return {"get": told | ({"parameters": parameters} if parameters else {})}


def _post(summary: str, body: Json, answer: Json, *codes: int, open_to_all: bool = False) -> Json:
    told: Json = {
        "summary": summary,
        "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
        "responses": {"200": answer} | refusals(*codes),
    }
    return {"post": told | ({} if open_to_all else {"security": SECURITY})}


TAGS = {
    "table": "What is on the table now, and what people tell the referee",
    "matches": "The archive: finished and unfinished matches",
    "learning": "Lessons, pointing, and what may be played where",
    "settings": "The table itself: who may change things, settings, backup and restart",
}
_TAGGED = {
    "matches": "matches",
    "lessons": "learning",
    "teach": "learning",
    "targets": "learning",
    "point": "learning",
    "try": "learning",
    "hint": "learning",
    "assist": "learning",
    "session": "settings",
    "pin": "settings",
    "settings": "settings",
    "restart": "settings",
    "backup": "settings",
    "restore": "settings",
}
"""The group of an address, by its first word; others are of the table."""


def _named(paths: Json) -> Json:
    """The same with a name and a group for every operation: `post_match_take_back`, `get_matches_number`."""
    return {
        path: {
            method: {"operationId": _name(method, path), "tags": [_TAGGED.get(path.split("/")[1], "table")], **told}
            for method, told in methods.items()
        }
        for path, methods in paths.items()
    }


def _name(method: str, path: str) -> str:
    return "_".join([method, *re.findall("[a-z0-9]+", path)])


def _query(name: str, schema: Json, where: str = "query") -> Json:
    return {"name": name, "in": where, "required": False, "schema": schema}


def describe() -> dict[str, Any]:
    """The whole description, OpenAPI 3.1."""
    session = _object({"may_change": {"type": "boolean"}, "token": {"type": "string"}})
    since: Json = {"type": "string", "pattern": "^[0-9]{1,15}$"}
    stream = {
        "description": "`state`, `news` and `tick` events; send an id back to resume from it",
        "content": {"text/event-stream": {}},
    }
    paths: Json = {
        "/state": described_get("The current state of the table", answer("the state", _ref("State"))),
        "/events": described_get(
            "Everything that happens, as server-sent events",
            stream,
            400,
            503,
            parameters=[
                _query("changes", {"type": "string", "enum": ["0", "1"]}),
                _query("since", since),
                _query("Last-Event-ID", since, "header"),
            ],
        ),
        "/games": described_get(
            "The games and their house rules", answer("games", _object({"games": _list(_ref("Game"))}))
        ),
        "/picture.jpg": described_get(
            "What the camera sees",
            answer("a picture", {"type": "string", "format": "binary"}, "image/jpeg"),
            400,
            404,
            503,
            parameters=[_query("overlay", {"type": "string", "enum": ["0", "1"]})],
        ),
        "/session": described_get("Whether this device may change things", answer("the session", session)),
        "/pin": _post(
            "Enter the table's PIN; the device is remembered",
            PIN,
            answer("let in", _object({"may_change": {"type": "boolean"}})),
            400,
            403,
            413,
            415,
            429,
            open_to_all=True,
        ),
    }
    for path, (wish, body) in WISHES.items():
        paths[path] = _post(
            SUMMARIES[wish], body, answer("done", _DONE.get(wish, _object({}))), 400, 401, 403, 409, 413, 415, 429, 503
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Magister Ludi",
            "version": VERSION,
            "description": "Anyone may watch; changes need the table's PIN. Sentences come in the language of "
            "Accept-Language: en, de, fr, it or uk.",
        },
        "servers": [{"url": "/api/v1"}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": _named(paths | current_app.extensions["paths"]),
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "pin": {"type": "apiKey", "in": "header", "name": PIN_HEADER},
                "device": {"type": "apiKey", "in": "cookie", "name": "magister"},
                "token": {"type": "apiKey", "in": "header", "name": TOKEN},
            },
        },
    }
