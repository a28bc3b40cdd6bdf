"""Learning: where a figure may go, how much help each player gets, and links to rules and lessons."""

from __future__ import annotations

from flask import Blueprint, current_app, jsonify, render_template, request
from werkzeug.wrappers import Response

from engine.core import GameError, Json
from engine.registry import all_games
from webui.access.safety import RefusedError
from webui.api.bodies import read_body
from webui.api.openapi import answer, described_get
from webui.api.paths import MAYBE, POSITION, REACH, described_post, told
from webui.house import House
from webui.learning.bodies import POINT, TRY
from webui.words.languages import language
from webui.words.telling import name_of
from webui.words.texts import N_, spoken

blueprint = Blueprint("teach", __name__)

LEVELS = {
    "off": (N_("No help"), N_("The referee stays silent unless a rule is broken.")),
    "legality": (N_("Right or wrong"), N_("Says whether an action is allowed and, if not, why.")),
    "targets": (N_("Where to"), N_("Also shows where a piece may go, and why it cannot go elsewhere.")),
    "hints": (N_("Hints"), N_("Also suggests a good action, as often as agreed.")),
}
"""How much help a player has: each level gives all that the one before gives."""
SHOWING = ("targets", "hints")
USUAL: Json = {"level": "targets", "hints": 3}
MOST_PICKS = 12
TEXTS = {
    "saved": N_("Agreed."),
    "progress": N_("{done} of {all} solved"),
}


_PICKS: Json = {
    "name": "pick",
    "in": "query",
    "required": False,
    "schema": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 20}, "maxItems": MOST_PICKS},
}
PATHS: Json = {
    "/targets": described_get(
        "What can be picked next in the match at the table, and why nothing else",
        answer("where to", REACH),
        400,
        409,
        parameters=[_PICKS],
    ),
    "/point": described_post("The same for a position given in the request", POINT, answer("where to", REACH)),
    "/try": described_post(
        "Play an action in a position given in the request; nothing changes at the table",
        TRY,
        answer("the result", {"allOf": [POSITION, told({"legal": {"type": "boolean"}, "refusal": MAYBE})]}),
    ),
}


@blueprint.get("/teach")
def index() -> str:
    """Rules and lessons of every game, and the help of the players at the table."""
    house: House = current_app.config["HOUSE"]
    state = house.state().state
    players = state.get("players", ())
    assist = state.get("assist") or [USUAL] * len(players)
    return render_template(
        "teach.html",
        games=[(game, house.school.lessons(game.name)) for game in all_games()],
        seats=[(seat, players[seat], name_of(state, seat, language()), assist[seat]) for seat in range(len(players))],
        levels=LEVELS,
        playing=state.get("phase") in ("playing", "setup"),
        script_texts=spoken(TEXTS),
    )


def level_of(state: Json) -> str:
    """How much help the player to move gets."""
    seat, assist = state.get("seat"), state.get("assist")
    return str(assist[seat]["level"]) if assist and seat is not None and seat < len(assist) else str(USUAL["level"])


@blueprint.get("/api/v1/targets")
def targets() -> Response:
    """What can be picked next in the match at the table, and why nothing else."""
    picks = request.args.getlist("pick")
    if len(picks) > MOST_PICKS or any(not 0 < len(pick) <= 20 for pick in picks):
        raise RefusedError(400, "bad-request", f"at most {MOST_PICKS} picks of at most 20 characters each")
    house: House = current_app.config["HOUSE"]
    update = house.state()
    if level_of(update.state) not in SHOWING:
        raise RefusedError(409, "no-help", N_("This player plays without help."))
    if update.trace is None:
        raise RefusedError(409, "no-match", N_("There is no match at the table."))
    colours = [player["colour"] for player in update.state.get("players", ())]
    shown = jsonify(house.school.targets(update.trace, picks, colours, language()))
    shown.headers["Cache-Control"] = "no-store"
    return shown


@blueprint.post("/api/v1/point")
def point() -> Response:
    """The same in a position that the request describes: a set-up and the actions played since."""
    body = read_body(POINT)
    house: House = current_app.config["HOUSE"]
    try:
        return jsonify(house.school.point(body, body["picks"], language()))
    except GameError as error:
        raise RefusedError(400, "bad-request", str(error)) from error


@blueprint.post("/api/v1/try")
def try_out() -> Response:
    """Play an action in a position that the request describes; nothing at the table changes."""
    body = read_body(TRY)
    house: House = current_app.config["HOUSE"]
    try:
        return jsonify(house.school.attempt(body, body["action"], language()))
    except GameError as error:
        raise RefusedError(400, "bad-request", str(error)) from error
