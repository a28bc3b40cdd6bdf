"""What differs between two states, so that a stream need not send all of the second.

`{"set": {…}, "gone": […]}` for the members of an object that are other or no more; `"into"` has the same for objects
inside it, and `"rows"` for lists that have moved on: how many rows fell off the front, and which came at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.core import Json

_NOTHING = object()


def changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> Json:
    """What makes `now` of `before`; `changed` puts it together again."""
    told: Json = {}
    for name, value in now.items():
        old = before.get(name, _NOTHING)
        if _is_same(old, value):
            continue
        kind, what = _change(old, value)
        told.setdefault(kind, {})[name] = what
    if gone := [name for name in before if name not in now]:
        told["gone"] = gone
    return told


def _is_same(old: object, value: object) -> bool:
    """Whether both are the same JSON: there, true is not 1."""
    if old is value:
        return True
    match old, value:
        case dict(), dict():
            return old.keys() == value.keys() and all(_is_same(each, value[name]) for name, each in old.items())
        case list(), list():
            return len(old) == len(value) and all(map(_is_same, old, value))
    return type(old) is type(value) and old == value


def _change(old: object, value: object) -> tuple[str, object]:
    match old, value:
        case dict(), dict():
            return "into", changes(old, value)
        case list(), list() if (gone := _slid(old, value)) is not None:
            return "rows", {"gone": gone, "more": value[len(old) - gone :]}
    return "set", value


def _slid(old: list[object], now: list[object]) -> int | None:
    """How many rows fell off the front, if the others are still there; None if it is another list."""
    for gone in range(len(old)):
        kept = old[gone:]
        if _is_same(kept, now[: len(kept)]):
            return gone
    return None


def changed(before: Mapping[str, Any], told: Mapping[str, Any]) -> Json:
    """The state after these changes, as the page's script makes it, too."""
    gone = set(told.get("gone", ()))
    now: Json = {name: value for name, value in before.items() if name not in gone}
    now |= told.get("set", {})
    for name, inner in told.get("into", {}).items():
        now[name] = changed(before[name], inner)
    for name, rows in told.get("rows", {}).items():
        now[name] = [*before[name][rows["gone"] :], *rows["more"]]
    return now
