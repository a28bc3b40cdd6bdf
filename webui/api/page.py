"""The API to be read by people: made from its own description, without a script."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, render_template

from engine.core import Json
from webui.api.openapi import describe

blueprint = Blueprint("api_page", __name__)


@dataclass(frozen=True)
class Operation:
    """One request as the page shows it."""

    name: str
    method: str
    path: str
    summary: str
    needs_pin: bool
    parameters: tuple[Json, ...]
    body: str
    """An example, as JSON; empty where there is no body."""
    answers: tuple[tuple[str, str, str], ...]
    """Code, what it means, and what it looks like."""

    @property
    def link(self) -> str:
        """Where a browser can look at the answer: of what is read, and needs nothing to be filled in."""
        return f"/api/v1{self.path}" if self.method == "get" and "{" not in self.path and self.path != "/events" else ""


@blueprint.get("/api")
def index() -> str:
    described = describe()
    groups: dict[str, list[Operation]] = {tag["name"]: [] for tag in described["tags"]}
    for path, method, told in operations(described):
        groups[told["tags"][0]].append(_operation(path, method, told, described["components"]["schemas"]))
    return render_template("api.html", groups=groups, info=described["info"])


def operations(described: Mapping[str, Any]) -> Iterator[tuple[str, str, Json]]:
    """Every operation of a description, in its order."""
    for path, methods in described["paths"].items():
        for method, told in methods.items():
            yield path, method, told


def _operation(path: str, method: str, told: Json, schemas: Json) -> Operation:
    body = next(iter(told.get("requestBody", {}).get("content", {}).items()), None)
    return Operation(
        told["operationId"],
        method,
        path,
        told["summary"],
        bool(told.get("security")),
        tuple(told.get("parameters", ())),
        "" if body is None else _shape(body[1].get("schema", {}), schemas),
        tuple((code, each["description"], _answer(each, schemas)) for code, each in told["responses"].items()),
    )


def _answer(told: Json, schemas: Json) -> str:
    for kind, content in told.get("content", {}).items():
        return _shape(content["schema"], schemas) if kind == "application/json" else kind
    return ""


def _shape(schema: Json, schemas: Json) -> str:
    return json.dumps(sketch(schema, schemas), indent=2, ensure_ascii=False)


def sketch(schema: Json, schemas: Json) -> object:
    """What fits a schema, with words in the place of values."""
    if "$ref" in schema:
        return sketch(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "anyOf" in schema:
        return sketch(schema["anyOf"][0], schemas)
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kinds = schema.get("type", "object")
    kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
    if kind == "array":
        return [sketch(schema["items"], schemas)]
    if kind == "object" and schema.get("properties"):
        return {name: sketch(each, schemas) for name, each in schema["properties"].items()}
    about = schema.get("description")
    return f"{kind}: {about}" if about else kind
