"""The archive for other programs."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify
from werkzeug.wrappers import Response

from engine.core import Json
from webui.archive import FORMS, STILL_PLAYED, file_of
from webui.house import Archive, House, NoSuchMatchError
from webui.openapi import answer, described_get
from webui.safety import RefusedError
from webui.teach_openapi import NUMBER, in_path, told
from webui.texts import N_

blueprint = Blueprint("archive_api", __name__, url_prefix="/api/v1")

_BRIEF = told(
    {
        "id": {"type": "integer"},
        "started": {"type": "string"},
        "game": {"type": "string"},
        "variant": {"type": ["string", "null"]},
        "players": {"type": "array", "items": {"$ref": "#/components/schemas/Player"}},
        "result": {"type": ["object", "null"]},
        "actions": {"type": "integer"},
        "illegal": {"type": "integer"},
    }
)
_FILE: Json = {kind.partition(";")[0]: {"schema": {"type": "string"}} for _, kind, _name in FORMS.values()}
_FORM = in_path("form", {"type": "string", "enum": list(FORMS)})
_CHANCES: Json = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
PATHS: Json = {
    "/matches": described_get(
        "All matches in brief, newest first", answer("matches", told({"matches": {"type": "array", "items": _BRIEF}}))
    ),
    "/matches/{number}": described_get(
        "One match with all its events", answer("a match", {"type": "object"}), 404, 409, parameters=[NUMBER]
    ),
    "/matches/{number}/export/{form}": described_get(
        "One match as a file", {"description": "the file", "content": _FILE}, 404, 409, parameters=[NUMBER, _FORM]
    ),
    "/matches/{number}/evaluations": described_get(
        "Each seat's chance of winning at every point of a match",
        answer("chances", told({"evaluations": _CHANCES})),
        404,
        409,
        parameters=[NUMBER],
    ),
}


def _archive() -> Archive:
    house: House = current_app.config["HOUSE"]
    if house.archive is None:
        raise NoSuchMatchError(N_("Matches are not recorded here."))
    return house.archive


def _open(number: int) -> Json:
    """A match that reveals no secrets."""
    record = _archive().match(number)
    if record["secret"]:
        raise RefusedError(409, "still-played", STILL_PLAYED)
    return record


@blueprint.get("/matches")
def matches() -> Response:
    house: House = current_app.config["HOUSE"]
    return jsonify(matches=list(house.archive.matches()) if house.archive is not None else [])


@blueprint.get("/matches/<int:number>")
def match(number: int) -> Response:
    return jsonify(_open(number))


@blueprint.get("/matches/<int:number>/export/<form>")
def export(number: int, form: str) -> Response:
    if form not in FORMS:
        raise RefusedError(404, "no-form", f"unknown format {form[:40]!r}; there are: {', '.join(FORMS)}")
    _open(number)
    return file_of(_archive().export(number, form), number, form)


@blueprint.get("/matches/<int:number>/evaluations")
def evaluations(number: int) -> Response:
    house: House = current_app.config["HOUSE"]
    if house.analyst is None:
        raise RefusedError(404, "no-advice", "this server has no player to analyse a match")
    _open(number)
    return jsonify(evaluations=[list(each) for each in house.analyst.evaluations(number)])
