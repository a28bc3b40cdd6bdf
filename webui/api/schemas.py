"""The request bodies as JSON Schema, for validation and for OpenAPI."""

from __future__ import annotations

from engine.core import COLOURS, Json
from engine.players.levels import LEVELS
from engine.words import LANGUAGES


def record(required: Json, optional: Json | None = None) -> Json:
    """An object with exactly these members."""
    return {
        "type": "object",
        "properties": required | (optional or {}),
        "required": list(required),
        "additionalProperties": False,
    }


LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
"""One line of text, without control characters."""


def text(longest: int, least: int = 1) -> Json:
    return {"type": "string", "minLength": least, "maxLength": longest, "pattern": LINE}


SEAT: Json = {"type": "integer", "minimum": 0, "maximum": 3}
NAME = text(40, 0)
NAMES: Json = {"type": "array", "items": NAME, "minItems": 1, "maxItems": 4}
ACTION = text(60)
PIN = record({"pin": text(12)})
NEW_PIN = record({"pin": {"type": "string", "minLength": 4, "maxLength": 12, "pattern": "^[0-9]*$"}})
NOTHING = record({})
LEVEL: Json = {"type": ["integer", "null"], "minimum": 1, "maximum": len(LEVELS)}
"""How well the program plays a seat; none for a person."""
PLAYER = record({"colour": {"type": "string", "enum": list(COLOURS)}}, {"name": NAME, "level": LEVEL})
SITES: Json = {"type": "object", "additionalProperties": text(20), "maxProperties": 200}
PRINTED = record({"pips": {"type": "integer", "minimum": 1, "maximum": 6}, "colour": text(20)})
TOLD: Json = {
    "type": "object",
    "additionalProperties": {"anyOf": [PRINTED, {"type": ["boolean", "null"]}]},
    "maxProperties": 100,
}
"""What lies where the eye is not sure, by place, as the survey offers it."""
SINCE = record({"ply": {"type": "integer", "minimum": 0}, "faces": SITES})
"""The position that somebody started from, as the state told it."""
MATCH: Json = {"type": "integer", "minimum": 1, "maximum": 2**31}
VARIANT: Json = {"type": ["string", "null"], "maxLength": 40, "pattern": LINE}
OPTIONS: Json = {
    "type": "object",
    "additionalProperties": {"type": ["boolean", "string"], "maxLength": 40, "pattern": LINE},
    "maxProperties": 40,
}
NEW = record(
    {
        "game": text(40),
        "players": {"type": "array", "items": PLAYER, "minItems": 1, "maxItems": 4},
    },
    {
        "variant": VARIANT,
        "options": OPTIONS,
        "first": {"anyOf": [SEAT, {"type": "string", "enum": ["lot"]}]},
        "camera": text(300),
        "clock": {"type": ["string", "null"], "maxLength": 20, "pattern": LINE},
    },
)

WISHES: dict[str, tuple[str, Json]] = {
    "/match": ("new", NEW),
    "/camera": ("camera", record({"camera": text(300)})),
    "/camera/phone": ("phone", NOTHING),
    "/match/again": ("again", NOTHING),
    "/match/resume": ("resume", record({"match": MATCH})),
    "/match/begin": ("begin", NOTHING),
    "/match/setup": ("setup", record({"told": TOLD})),
    "/match/call": ("call", record({"site": text(8), "number": {"type": "integer", "minimum": 1, "maximum": 6}})),
    "/match/answer": ("answer", record({"action": ACTION})),
    "/match/none": ("none", NOTHING),
    "/match/take-back": ("take_back", NOTHING),
    "/match/position": ("position", record({"sites": SITES}, {"seat": SEAT, "since": SINCE})),
    "/match/resign": ("resign", record({"seat": SEAT})),
    "/match/draw": ("draw", NOTHING),
    "/match/clock": ("clock", record({"paused": {"type": "boolean"}})),
    "/assist": (
        "assist",
        record(
            {
                "seat": SEAT,
                "level": {"type": "string", "enum": ["off", "legality", "targets", "hints"]},
                "hints": {"type": "integer", "minimum": 0, "maximum": 99},
            }
        ),
    ),
    "/hint": ("hint", NOTHING),
    "/settings": (
        "settings",
        record(
            {},
            {
                "clock": {"type": "string", "maxLength": 20, "pattern": LINE},
                "language": {"type": "string", "enum": ["", *LANGUAGES]},
                "voice": {"type": "string", "enum": ["", "table", *LANGUAGES]},
                "brightness": {"type": "integer", "minimum": 1, "maximum": 100},
                "screen": {"type": "boolean"},
                "rules": record({"game": text(40), "variant": VARIANT, "options": OPTIONS}),
                "hub": text(200, 0),
                "table": text(32, 0),
                "token": text(60, 0),
                "home_assistant": {"type": "string", "enum": ["", "watch", "take-back"]},
            },
        ),
    ),
    "/settings/file": (
        "file",
        record(
            {
                "kind": {"type": "string", "enum": ["lens", "colours"]},
                "content": {"type": ["string", "null"], "maxLength": 30_000, "pattern": LINE},
            }
        ),
    ),
    "/restart": ("restart", NOTHING),
    "/arbiter": ("arbiter", record({"calling": {"type": "boolean"}})),
    "/table/trick": ("trick", record({"what": {"type": "string", "enum": ["cheat", "lamp", "bump", "cup"]}})),
    "/match/names": (
        "names",
        record({"names": NAMES}),
    ),
    "/archive/names": ("rename_match", record({"match": MATCH, "names": NAMES})),
    "/archive/remove": ("remove_match", record({"match": MATCH, "removed": {"type": "boolean"}})),
}
"""Path below /api/v1, with the request it sends and its body."""
HARMLESS = ("trick",)
"""Wishes that need no PIN: they change nothing but a simulated table."""
SUMMARIES = {
    "new": "Set up a match; it begins once the table is ready",
    "camera": "Use another camera, or try the same one again: one of those that the state names, or url:ADDRESS",
    "phone": "The link that makes a phone the camera, if a phone was chosen; it works once",
    "again": "Put this match aside and set up another one with the same rules, players and seats",
    "resume": "Resume a match from the archive that was not played to its end",
    "begin": "The table is ready: begin",
    "setup": "Before the match begins, say what lies where the eye is not sure; null takes it back",
    "call": "The number that a player said is under a figure: logged, and if it is wrong, the turn is over",
    "answer": "Say which action was played: an answer to an unclear picture, or something the camera cannot see",
    "none": "None of the actions the referee asks about was played",
    "take_back": "Take back the last action, or the end of the match",
    "position": "Set the position by hand and play on from there; with `since` only if the match has not gone on",
    "resign": "A player resigns",
    "draw": "The players agree on a draw",
    "settings": "Change settings of the table; the answer has all of them, and whether they need a restart",
    "file": "Store a lens or colour file written by `magister calibrate`, as text; null removes it",
    "restart": "Restart the program; a match at the table goes on",
    "clock": "Stop the clock for a while, or let it go on",
    "names": "The players' names in seat order",
    "rename_match": "Give the players of a match in the archive other names",
    "remove_match": "Remove a match from lists and statistics, or put it back; the log keeps it",
    "arbiter": "Call the arbiter at the hub, or withdraw the call",
    "trick": "At a simulated table: a hand cheats, the lamp moves, the table is bumped, a cup comes or goes",
    "hint": "A hint for the player to move; each further request says more",
    "assist": "How much help a player gets: none, right or wrong, where a piece may go, a number of hints",
}
