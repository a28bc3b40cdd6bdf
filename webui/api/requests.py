"""The API: state and requests. Each body is described once, for validation and for OpenAPI."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, request
from werkzeug.wrappers import Response

from engine.core import Json
from webui.access.safety import PIN as PIN_HEADER
from webui.access.safety import RefusedError, check_change, check_origin, is_let_in, let_in, token
from webui.api.bodies import read_body
from webui.api.openapi import describe
from webui.api.schemas import HARMLESS, PIN, WISHES
from webui.games import told_games
from webui.house import House
from webui.words.clock import aged
from webui.words.languages import language
from webui.words.telling import told_state

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")


def house() -> House:
    found: House = current_app.config["HOUSE"]
    return found


@blueprint.get("/state")
def state() -> Response:
    return _fresh(
        jsonify(aged(told_state(house().state(), language())) | {"alive": house().alive(), "version": house().version})
    )


@blueprint.get("/games")
def games() -> Response:
    return _fresh(jsonify(games=told_games(language())))


@blueprint.get("/picture.jpg")
def picture() -> Response:
    """What the camera sees; with `overlay=1`, with what was read drawn on it."""
    overlay = request.args.get("overlay", "0")
    if overlay not in ("0", "1"):
        raise RefusedError(400, "bad-request", "overlay must be 0 or 1")
    jpeg = house().picture(overlay == "1")
    if jpeg is None:
        raise RefusedError(404, "no-picture", "there is no picture yet")
    return _fresh(Response(jpeg, mimetype="image/jpeg"))


@blueprint.get("/session")
def session() -> Response:
    """Whether this device may change things, and the token that its changes must show."""
    return _fresh(jsonify(may_change=is_let_in(), token=token()))


@blueprint.post("/pin")
def pin() -> Response:
    body = read_body(PIN)
    check_origin()
    let_in(body["pin"])
    return jsonify(may_change=True)


@blueprint.get("/openapi.json")
def openapi() -> Response:
    return jsonify(describe())


def _wishing(path: str) -> None:
    wish, schema = WISHES[path]

    def carry_out() -> tuple[Response, int]:
        if wish in HARMLESS and PIN_HEADER not in request.headers:
            check_origin()
        else:
            check_change()
        body: Json = read_body(schema)
        return jsonify(house().wish(wish, body)), 200

    blueprint.add_url_rule(path, f"wish_{wish}", carry_out, methods=["POST"])


for _path in WISHES:
    _wishing(_path)


def _fresh(answer: Response) -> Response:
    answer.headers["Cache-Control"] = "no-store"
    return answer
