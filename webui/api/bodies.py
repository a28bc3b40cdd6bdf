"""Reads a request's body: JSON that fits its schema, or an error that says what does not."""

from __future__ import annotations

import json
import re
from typing import Any

from flask import request

from engine.core import Json
from webui.access.safety import RefusedError
from webui.api.schemas import LINE

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def read_body(schema: Json) -> Json:
    """The request's body, checked."""
    if request.mimetype != "application/json":
        raise RefusedError(415, "not-json", "the body must be JSON, sent as application/json")
    try:
        body = json.loads(request.get_data(), parse_float=_number)
    except (ValueError, RecursionError) as error:
        raise RefusedError(400, "not-json", "the body is not JSON") from error
    if problem := misfit(schema, body, "the body"):
        raise RefusedError(400, "bad-request", problem)
    found: Json = body
    return found


def _number(text: str) -> int | float:
    """JSON does not tell 1.0 from 1."""
    value = float(text)
    return int(value) if value.is_integer() else value


def misfit(schema: Json, value: Any, name: str) -> str:  # noqa: ANN401 - any JSON
    """Why a value does not fit a schema; empty if it does."""
    if "anyOf" in schema:
        problems = [misfit(each, value, name) for each in schema["anyOf"]]
        return "" if "" in problems else problems[0]
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(type(value) in _TYPES[kind] for kind in kinds):
        return f"{name} must be {' or '.join(kinds)}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{name} must be one of {', '.join(map(str, schema['enum']))}"
    return _content_misfit(schema, value, name)


def _content_misfit(schema: Json, value: Any, name: str) -> str:  # noqa: ANN401 - any JSON
    """The same for a value of the right type."""
    match value:
        case str():
            return _within(schema, "minLength", "maxLength", len(value), f"the length of {name}") or _line(value, name)
        case int():
            return _within(schema, "minimum", "maximum", value, name)
        case list():
            sized = _within(schema, "minItems", "maxItems", len(value), f"the length of {name}")
            each = (misfit(schema["items"], item, f"{name}[{place}]") for place, item in enumerate(value))
            return sized or next((problem for problem in each if problem), "")
        case dict():
            return _within(schema, "", "maxProperties", len(value), f"the size of {name}") or _members(schema, value)
    return ""


def _members(schema: Json, value: Json) -> str:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", False)
    if missing := [name for name in schema.get("required", ()) if name not in value]:
        return f"{missing[0]} is missing"
    for name, member in value.items():
        if name not in known and others is False:
            return f"unknown field {name[:40]!r}"
        if problem := misfit(known.get(name, others), member, name[:40]):
            return problem
    return ""


def _within(schema: Json, least: str, most: str, value: int, name: str) -> str:
    if least in schema and value < schema[least]:
        return f"{name} must be at least {schema[least]}"
    if most in schema and value > schema[most]:
        return f"{name} must be at most {schema[most]}"
    return ""


def _line(value: str, name: str) -> str:
    # Keep control characters out of logs and terminals, and half characters out of the database.
    return "" if re.fullmatch(LINE, value) and _is_whole(value) else f"{name} must be one line of text"


def _is_whole(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)
