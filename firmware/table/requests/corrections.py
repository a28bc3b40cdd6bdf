"""What people tell the referee, by page, panel or command: each wish makes another table, and says what the log keeps.

A correction is complete in itself, so that a power cut cannot leave half of it: see `firmware/log/match/history.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from engine.core import GameError, Json
from engine.referee.table import Table
from engine.referee.wishes import agree_draw, call, declare, deny, resign, set_position, take_back
from firmware.log.lines import LogLine, correction_line


def corrected(table: Table, wish: str, payload: Json) -> tuple[Table, list[LogLine]]:
    """The table once a wish has come true, and what the log keeps of it; raises `GameError` where it cannot."""
    if wish not in _WISHES:
        raise GameError(f"unknown command {wish!r}; there are: {', '.join(_WISHES)}")
    return _WISHES[wish](table, payload)


def _answer(table: Table, payload: Json) -> tuple[Table, list[LogLine]]:
    return _told(declare(table, _given(payload, "action", str)))


def _call(table: Table, payload: Json) -> tuple[Table, list[LogLine]]:
    return _told(call(table, _given(payload, "site", str), _given(payload, "number", int)))


def _none(table: Table, _: Json) -> tuple[Table, list[LogLine]]:
    return deny(table), [LogLine("correction", {"what": "none"})]


def _take_back(table: Table, _: Json) -> tuple[Table, list[LogLine]]:
    if table.closed:
        # Whoever resigned by mistake has not played another action by mistake.
        return replace(table, heard=replace(table.heard, closed=False), news=()), [
            LogLine("correction", {"what": "reopen"})
        ]
    return _told(take_back(table))


def _position(table: Table, payload: Json) -> tuple[Table, list[LogLine]]:
    setup, turns = _given(payload, "setup", dict), _given(payload, "turns", dict, {})
    lying = dict(table.stand.turns) | {name: turns[name] for name in table.stand.turns if type(turns.get(name)) is int}
    stand = replace(table.stand, turns=lying)
    course = replace(table.accepted, stands=(*table.stands[:-1], stand))
    return _told(set_position(replace(table, accepted=course), setup))


def _resign(table: Table, payload: Json) -> tuple[Table, list[LogLine]]:
    return _told(resign(table, _given(payload, "seat", int)))


def _draw(table: Table, _: Json) -> tuple[Table, list[LogLine]]:
    return _told(agree_draw(table))


def _told(table: Table) -> tuple[Table, list[LogLine]]:
    return table, [correction_line(news, table) for news in table.news]


def _given(payload: Json, name: str, kind: type[Any], default: object = None) -> Any:  # noqa: ANN401 - see `kind`
    value = payload.get(name, default)
    if type(value) is not kind:
        raise GameError(f"{name!r} is missing or not of type {kind.__name__}")
    return value


_WISHES: Mapping[str, Callable[[Table, Json], tuple[Table, list[LogLine]]]] = {
    "answer": _answer,
    "call": _call,
    "none": _none,
    "take_back": _take_back,
    "position": _position,
    "resign": _resign,
    "draw": _draw,
}
WISHES = tuple(_WISHES)
