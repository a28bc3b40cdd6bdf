"""TOML for settings: what a person may have written is refused in one line that says what is wrong."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from math import isfinite
from typing import Any, TypeGuard

from engine.core import GameError

MOST = 1_000_000
"""Largest value of any setting; a number with hundreds of digits would not fit into a float."""
DEEPEST = 8
"""So many tables and lists inside one another are still looked at, to say what is wrong; settings have three."""
NESTED_TOO_DEEPLY = "settings are nested too deeply; no setting is"


def read_tables(text: str) -> dict[str, Any]:
    """The tables of a file; raises `TOMLDecodeError`, or `GameError` where Python itself would stumble."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except ValueError as error:
        # Python's own message is for programmers.
        raise GameError("a number has too many digits") from error
    except RecursionError as error:
        raise GameError(NESTED_TOO_DEEPLY) from error
    if _is_deeper(tables, DEEPEST):
        raise GameError(NESTED_TOO_DEEPLY)
    return tables


def _is_deeper(value: object, levels: int) -> bool:
    """Whether there are more tables or lists inside one another; never looks further down than so many levels."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return inner is not None and (levels == 0 or any(_is_deeper(each, levels - 1) for each in inner))


def typed_value(name: str, value: object, default: object) -> object:
    """The value in the type of its default."""
    if _is_whole(value) and not -MOST <= value <= MOST:
        raise GameError(f"{name} is too large: no setting goes beyond {MOST}")
    match default:
        case bool():
            fits, wanted = isinstance(value, bool), "true or false"
        case int():
            fits, wanted = _is_whole(value), "a whole number"
        case str():
            fits, wanted = isinstance(value, str), "text"
        case tuple():
            if isinstance(value, list) and all(map(_is_whole, value)):
                return tuple(value)
            fits, wanted = False, "a list of whole numbers"
        case _:
            if _is_whole(value) or (isinstance(value, float) and isfinite(value)):
                return float(value)
            fits, wanted = False, "a number"
    if not fits:
        raise GameError(f"{name} must be {wanted}, not {value!r}")
    return value


def written(tables: Mapping[str, Mapping[str, object]]) -> str:
    """Tables of plain values, and of tables, as TOML: `read_tables` reads them back."""
    lines = ["# Written by the page; what is chosen there replaces this file."]
    for name, table in tables.items():
        lines += _written(name, table)
    return "\n".join(lines) + "\n"


def _written(name: str, table: Mapping[str, object]) -> list[str]:
    inner = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    # JSON writes text, numbers, true, false and lists of these as TOML does.
    plain = [f"{key} = {json.dumps(value)}" for key, value in table.items() if key not in inner]
    return ["", f"[{name}]", *plain, *(line for key, each in inner.items() for line in _written(f"{name}.{key}", each))]


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
