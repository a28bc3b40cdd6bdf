"""The archive for other programs."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.safety import RefusedError, check_change
from webui.access.thrift import spend
from webui.api.openapi import SECURITY, answer, described_get, refusals
from webui.api.paths import NUMBER, in_path, told
from webui.archive.matches import FORMS, STILL_PLAYED, file_of, hushed, is_removed, why_hidden
from webui.house import Archive, House, NoSuchMatchError
from webui.words.languages import language
from webui.words.telling import action_text
from webui.words.texts import N_

NOT_TEXT = N_("This file is not a match: export one as JSON or text notation.")
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
        "imported": {"type": "boolean"},
        "removed": {"type": "boolean"},
    }
)
_FILE: Json = {kind.partition(";")[0]: {"schema": {"type": "string"}} for _, kind, _name in FORMS.values()}
_FORM = in_path("form", {"type": "string", "enum": list(FORMS)})
_KINDS = ("application/json", "text/plain")
_LARGEST = 8 * 1024 * 1024
"""Bytes of a match that is sent: an evening of one has a tenth."""
_REMOVED: Json = {"name": "removed", "in": "query", "required": False, "schema": {"type": "string", "enum": ["0", "1"]}}
MOST_TRIED = 40
_EVERYTHING: Json = {
    "name": "everything",
    "in": "query",
    "required": False,
    "description": "1, with the PIN: also a match with hidden things that can be taken up again",
    "schema": {"type": "string", "enum": ["0", "1"]},
}
_TRIED: Json = {
    "name": "action",
    "in": "query",
    "required": False,
    "schema": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 60}, "maxItems": MOST_TRIED},
}
_CHANCES: Json = {"type": "array", "items": {"type": "array", "items": {"type": "number"}}}
PATHS: Json = {
    "/matches": described_get(
        "All matches in brief, newest first: those that are listed, or those that were removed",
        answer("matches", told({"matches": {"type": "array", "items": _BRIEF}})),
        400,
        parameters=[_REMOVED],
    ),
    "/archive/import": {
        "post": {
            "summary": "Import a match that was exported as JSON or text notation; answers with its number here",
            "requestBody": {"required": True, "content": {kind: {"schema": {"type": "string"}} for kind in _KINDS}},
            "responses": {"200": answer("the match", told({"match": {"type": "integer"}}))}
            | refusals(400, 401, 403, 404, 409, 413, 415, 429, 503),
            "security": SECURITY,
        }
    },
    "/matches/{number}": described_get(
        "One match with all its events",
        answer("a match", {"type": "object"}),
        403,
        404,
        409,
        429,
        parameters=[NUMBER, _EVERYTHING],
    ),
    "/matches/{number}/export/{form}": described_get(
        "One match as a file",
        {"description": "the file", "content": _FILE},
        403,
        404,
        409,
        429,
        parameters=[NUMBER, _FORM, _EVERYTHING],
    ),
    "/matches/{number}/evaluations": described_get(
        "Each seat's chance of winning at every point of a match, and what each action was worth",
        answer(
            "chances", told({"evaluations": _CHANCES, "judgements": {"type": "array", "items": {"type": "object"}}})
        ),
        403,
        404,
        409,
        429,
        parameters=[NUMBER, _EVERYTHING],
    ),
    "/matches/{number}/what-if/{moment}": described_get(
        "The table after actions tried out from a point of a match, what could follow, and what would be best",
        answer("the table, or why an action is refused", {"type": "object"}),
        400,
        403,
        404,
        409,
        429,
        parameters=[NUMBER, in_path("moment", {"type": "integer", "minimum": 0}), _TRIED, _EVERYTHING],
    ),
}


def _archive() -> Archive:
    house: House = current_app.config["HOUSE"]
    if house.archive is None:
        raise NoSuchMatchError(N_("Matches are not recorded here."))
    return house.archive


def _open(number: int) -> Json:
    """A match that this reader may see."""
    record = _archive().match(number)
    if why := why_hidden(record):
        raise RefusedError(409, "still-played" if why == STILL_PLAYED else "put-aside", why)
    return record


@blueprint.get("/matches")
def matches() -> Response:
    house: House = current_app.config["HOUSE"]
    told = house.archive.matches() if house.archive is not None else []
    removed = request.args.get("removed", "0")
    if removed not in ("0", "1"):
        raise RefusedError(400, "bad-request", "removed must be 0 or 1")
    return jsonify(matches=[each for each in told if is_removed(each) == (removed == "1")])


@blueprint.get("/matches/<int:number>")
def match(number: int) -> Response:
    record = _open(number)
    return hushed(jsonify(record), record)


@blueprint.get("/matches/<int:number>/export/<form>")
def export(number: int, form: str) -> Response:
    if form not in FORMS:
        raise RefusedError(404, "no-form", f"unknown format {form[:40]!r}; there are: {', '.join(FORMS)}")
    record = _open(number)
    spend()
    return hushed(file_of(_archive().export(number, form), number, form), record)


@blueprint.get("/matches/<int:number>/evaluations")
def evaluations(number: int) -> Response:
    house: House = current_app.config["HOUSE"]
    if house.analyst is None:
        raise RefusedError(404, "no-advice", "this server has no player to analyse a match")
    record = _open(number)
    spend()
    judgements = [_with_words(each, record) for each in house.analyst.judgements(number, language())]
    told = jsonify(evaluations=[list(each) for each in house.analyst.evaluations(number)], judgements=judgements)
    return hushed(told, record)


def _with_words(advice: Json, record: Json) -> Json:
    """What is best, or legal, said in words besides: `said`, by action."""
    actions = dict.fromkeys([*advice.get("legal", ()), *([advice["best"]] if advice.get("best") else ())])
    return advice | {"said": {each: action_text(each, advice["seat"], record, language()) for each in actions}}


@blueprint.get("/matches/<int:number>/what-if/<int:moment>")
def what_if(number: int, moment: int) -> Response:
    """Nothing of it is kept: the match stays what it was."""
    house: House = current_app.config["HOUSE"]
    if house.analyst is None:
        raise RefusedError(404, "no-advice", "this server has no player to analyse a match")
    tried = request.args.getlist("action")
    if len(tried) > MOST_TRIED or any(not 0 < len(each) <= 60 for each in tried):
        raise RefusedError(400, "bad-request", f"at most {MOST_TRIED} actions of at most 60 characters each")
    record = _open(number)
    spend()
    return hushed(jsonify(_with_words(house.analyst.what_if(number, moment, tried, language()), record)), record)


@blueprint.post("/archive/import")
def take_in() -> Response:
    """A match that was exported, here or elsewhere."""
    check_change()
    if request.mimetype not in _KINDS:
        raise RefusedError(415, "no-match-file", "the body must be a match, sent as application/json or text/plain")
    request.max_content_length = _LARGEST
    try:
        text = request.get_data().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RefusedError(400, "no-match-file", NOT_TEXT) from error
    _archive()
    house: House = current_app.config["HOUSE"]
    return jsonify(house.wish("import_match", {"text": text}))
