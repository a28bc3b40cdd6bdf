"""What travels between tables and hubs: topics and payloads. `docs/hub-mqtt.md` describes them for others."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from engine.core import Json

VERSION = 1
ROOT = f"magister/{VERSION}"
LONGEST = 1 << 20
"""Bytes that a payload may have."""
NAME = re.compile(r"[^\W_](?:[\w .-]{0,30}[\w])?")
"""What a table may be called: it is one level of a topic."""
FROM_TABLE = ("online", "state", "events", "log", "answer")
TO_TABLE = ("have", "wish", "press")
_ID = re.compile(r"[0-9a-f]{32}")


class ForeignPayloadError(Exception):
    """Something else than the contract allows; the text says what is wrong, after the topic's name."""


def is_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None


def topic(table: str, kind: str) -> str:
    return f"{ROOT}/tables/{table}/{kind}"


def hub_topic(session: str) -> str:
    """Where a hub tells that it is there."""
    return f"{ROOT}/hubs/{session}"


def read_topic(text: str) -> tuple[str, str]:
    """The table and the kind of a topic."""
    match text.split("/"):
        case ["magister", version, "tables", table, kind] if version == str(VERSION) and is_name(table):
            return table, kind
    raise ForeignPayloadError("is no topic of this contract")


def match_id(key: str, number: int, started: str) -> str:
    """What a match is called at the hub: the same whenever it is told, and of no other match."""
    return sha256(f"{key}/{number}/{started}".encode()).hexdigest()[:32]


def packed(**content: object) -> bytes:
    return json.dumps({"v": VERSION, **content}, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


def unpacked(payload: bytes) -> Json:
    """The object in a payload."""
    if len(payload) > LONGEST:
        raise ForeignPayloadError(f"holds {len(payload)} bytes; at most {LONGEST} are read")
    try:
        told = json.loads(payload)
    except (ValueError, RecursionError) as error:
        raise ForeignPayloadError("is not JSON") from error
    if not isinstance(told, dict) or type(told.get("v")) is not int:
        raise ForeignPayloadError("has no version `v`")
    if told["v"] != VERSION:
        newer = "update this program" if told["v"] > VERSION else "update the program that sent it"
        raise ForeignPayloadError(f"has version {told['v']}, and {VERSION} is read here: {newer}")
    return told


@dataclass(frozen=True)
class Started:
    """How a match began; `setup` is None while it is covered."""

    number: int
    started: str
    game: str
    variant: str | None
    players: list[Json]
    options: Json
    setup: Json | None
    turns: Json

    def record(self) -> Json:
        return dict(vars(self))


@dataclass(frozen=True)
class EventLine:
    """An event of a match; `covered` where its facts stay at the table until the match is over."""

    seq: int
    at: str
    t: float
    event: str
    payload: Json
    covered: bool = False

    def record(self) -> Json:
        return {name: value for name, value in vars(self).items() if name != "covered" or value}


@dataclass(frozen=True)
class Lines:
    """Events of one match, one after another. `revealed`: what was covered before is told now."""

    match: str
    start: Started
    lines: list[EventLine] = field(default_factory=list)
    revealed: bool = False

    def pack(self) -> bytes:
        return packed(
            match=self.match,
            start=self.start.record(),
            events=[line.record() for line in self.lines],
            **({"revealed": True} if self.revealed else {}),
        )

    @classmethod
    def read(cls, told: Json) -> Lines:
        try:
            found = cls(
                told["match"],
                Started(**told["start"]),
                [EventLine(**line) for line in told["events"]],
                told.get("revealed", False),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ForeignPayloadError("is incomplete") from error
        _check(found)
        return found


def _check(found: Lines) -> None:
    start = found.start
    for value, kinds in (
        (found.match, str),
        (found.revealed, bool),
        (start.number, int),
        (start.started, str),
        (start.game, str),
        (start.variant, str | None),
        (start.players, list),
        (start.options, dict),
        (start.setup, dict | None),
        (start.turns, dict),
    ):
        _demand(isinstance(value, kinds))
    _demand(_ID.fullmatch(found.match) is not None and 1 <= len(start.players) <= 8)
    _demand(all(isinstance(each, dict) and isinstance(each.get("name"), str) for each in start.players))
    for place, line in enumerate(found.lines):
        _demand(type(line.seq) is int and 0 <= line.seq < 1 << 31 and isinstance(line.t, int | float))
        _demand(isinstance(line.at, str) and isinstance(line.event, str) and isinstance(line.payload, dict))
        _demand(found.revealed or line.seq == found.lines[0].seq + place)


def _demand(is_so: bool) -> None:
    if not is_so:
        raise ForeignPayloadError("holds what does not fit the contract")


def read_counts(told: Json) -> Mapping[str, int]:
    """Of each match how many events the table has: what it asks the hub about."""
    matches = told.get("matches")
    _demand(isinstance(matches, dict))
    assert isinstance(matches, dict)
    _demand(all(_ID.fullmatch(name) and type(count) is int for name, count in matches.items()))
    return matches
