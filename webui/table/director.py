"""The director's view: what lies under the figures of a running match, for whoever knows the PIN and asks for it."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify
from werkzeug.wrappers import Response

from engine.core import Json
from engine.registry import known_game
from webui.access.safety import RefusedError, check_change
from webui.api.bodies import read_body
from webui.api.openapi import answer as described
from webui.api.paths import described_post, told
from webui.api.schemas import NOTHING
from webui.house import House
from webui.words.texts import N_

blueprint = Blueprint("director", __name__, url_prefix="/api/v1")

_DIE: Json = told({"pips": {"type": "integer"}, "colour": {"type": "string"}})
PATHS: Json = {
    "/director": described_post(
        "The dice under the figures in the match at the table, which players may not look up",
        NOTHING,
        described("the dice", told({"under": {"type": "object", "additionalProperties": _DIE}})),
        guarded=True,
    ),
}


@blueprint.post("/director")
def director() -> Response:
    check_change()
    read_body(NOTHING)
    house: House = current_app.config["HOUSE"]
    update = house.state()
    trace = update.trace
    game = known_game(trace["game"]) if trace is not None else None
    if trace is None or game is None or not game.covers:
        raise RefusedError(409, "nothing-covered", N_("In this match nothing is hidden under the figures."))
    fields = trace["setup"].get("fields", {})
    shown = jsonify(under={site: fields[site] for site in update.state["faces"] if site in fields})
    shown.headers["Cache-Control"] = "no-store"
    return shown
