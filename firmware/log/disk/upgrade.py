"""Old logs are brought up to date when they are opened: once, and in one transaction, so that a power cut does no harm.

Version 1 wrote an illegal try down as an English sentence. Here, and only here, it is read back into the rules that
were broken and their facts.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from itertools import product

from engine.core import COLOURS, Fact, Json, Refusal, Word
from engine.spoken import refusal_record
from engine.words import LANGUAGES, say
from firmware.log.disk.chain import Row, chain, dumped, linked, match_row
from firmware.log.disk.schema import GET_IDS, VERSION, create_trigger, version_of
from firmware.log.disk.version_1 import SENTENCES, UNEXPLAINED
from firmware.log.match.record import LogDamagedError

_GUARD = "events_are_not_changed"
_SET_EVENT = "UPDATE events SET payload = ?, hash = ? WHERE match = ? AND number = ?"
_FACT = re.compile(r"\{(\w+)\}")


def upgrade(db: sqlite3.Connection) -> None:
    """Bring a log up to date."""
    if version_of(db) >= VERSION:
        return
    db.execute("BEGIN IMMEDIATE")
    try:
        rewrite(db)
        db.execute(f"PRAGMA user_version = {VERSION}")
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def rewrite(db: sqlite3.Connection) -> None:
    """Write every illegal try anew, and the links after it, within a transaction of the caller's. A match that was
    changed after it was written stays as it is: nobody is to be told that it is sound."""
    guarded = db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (_GUARD,)).fetchone()
    db.execute(f"DROP TRIGGER IF EXISTS {_GUARD}")
    for (match,) in db.execute(GET_IDS).fetchall():
        with suppress(LogDamagedError):
            _rewrite_match(db, match_row(db, match), list(chain(db, match)))
    if guarded:
        create_trigger(db, _GUARD)


def _rewrite_match(db: sqlite3.Connection, begun: Row, events: Sequence[Row]) -> None:
    match, game, before = begun[0], begun[2], begun[-1]
    for number, at, seconds, kind, payload, link in events:
        text = dumped(upgraded(game, kind, json.loads(payload))) if kind == "illegal" else payload
        *_, now = linked(before, number, at, seconds, kind, text)
        if now != link:
            db.execute(_SET_EVENT, (text, now, match, number))
        before = now


def upgraded(game: str, kind: str, payload: Json) -> Json:
    """An event as it is written today. A sentence that nobody knows stays a sentence."""
    if kind != "illegal" or "refusals" in payload or not isinstance(payload.get("text"), str):
        return payload
    rules = payload.get("rules") or [payload.get("rule")]
    refusals = _read(game, tuple(rules), payload["text"], tuple(payload.get("sites", ())))
    if refusals is None:
        return payload
    kept = {name: value for name, value in payload.items() if name not in ("text", "rules")}
    return kept | {"refusals": [refusal_record(refusal) for refusal in refusals]}


def _read(game: str, rules: tuple[str, ...], text: str, sites: tuple[str, ...]) -> list[Refusal] | None:
    """The broken rules, in this order, with the facts of their sentences; the sites are those of the first."""
    for templates in product(*(_templates(game, rule) for rule in rules)):
        if found := _reader(templates).fullmatch(text):
            return [
                Refusal(
                    rule,
                    () if place else sites,
                    {name: _fact(found[f"{name}_{place}"]) for name in _FACT.findall(template)},
                )
                for place, (rule, template) in enumerate(zip(rules, templates, strict=True))
            ]
    return None


def _templates(game: str, rule: str) -> tuple[str, ...]:
    own = SENTENCES.get(game, {}).get(rule)
    return (*((own,) if own else ()), *(UNEXPLAINED if rule == "unknown" else ()))


@cache
def _reader(templates: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(" ".join(_pattern(template, place) for place, template in enumerate(templates)))


def _pattern(template: str, place: int) -> str:
    parts, seen = [], set()
    for k, part in enumerate(_FACT.split(template)):
        if k % 2 == 0:
            parts.append(re.escape(part))
        elif part in seen:
            parts.append(f"(?P={part}_{place})")
        else:
            parts.append(f"(?P<{part}_{place}>.+?)")
            seen.add(part)
    return "".join(parts)


def _fact(text: str) -> Fact:
    # A sentence may begin with the name of a colour.
    text = text.lower() if text.lower() in COLOURS else text
    if any(say(text, language) != text for language in LANGUAGES):
        return Word(text)
    return int(text) if text.isdecimal() else text
