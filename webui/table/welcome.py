"""The first start, step by step: choose a game, print its board, aim a camera, check the table, play."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, render_template, request
from werkzeug.wrappers import Response

from engine.core import Json
from engine.registry import known_game
from webui.access.thrift import spend
from webui.api.openapi import refusals
from webui.games import told_games
from webui.house import Access, House
from webui.words.languages import language

blueprint = Blueprint("welcome", __name__)

PAPERS = {"a4": "A4", "a3": "A3", "letter": "Letter"}
PATHS: Json = {
    "/board/{game}.pdf": {
        "get": {
            "summary": "The board of a game to print, true to scale",
            "parameters": [
                {"name": "game", "in": "path", "required": True, "schema": {"type": "string"}},
                {"name": "paper", "in": "query", "schema": {"type": "string", "enum": list(PAPERS), "default": "a4"}},
                {"name": "players", "in": "query", "schema": {"type": "integer", "minimum": 2, "default": 2}},
            ],
            "responses": {"200": {"description": "the PDF", "content": {"application/pdf": {}}}} | refusals(404, 429),
        }
    }
}


@blueprint.get("/start")
def start() -> str:
    house: House = current_app.config["HOUSE"]
    state = house.state().state
    games = [game for game in told_games(language()) if game["name"] in state.get("refereed", ())]
    asked = request.args.get("game", "")
    chosen = next((game for game in games if game["name"] == asked), games[0] if games else None)
    return render_template("welcome.html", games=games, chosen=chosen, papers=PAPERS, camera=state.get("camera", {}))


@blueprint.get("/api/v1/board/<name>.pdf")
def board_to_print(name: str) -> Response:
    """Everything to make a board, as `magister print` makes it."""
    game, paper = known_game(name), request.args.get("paper", "a4")
    players = request.args.get("players", "2")
    if game is None or paper not in PAPERS or not players.isdecimal() or int(players) not in game.seats:
        abort(404)
    spend()
    house: House = current_app.config["HOUSE"]
    access: Access = current_app.config["ACCESS"]
    pdf = house.board_to_print(name, int(players), paper, language(), access.address)
    answer = Response(pdf, mimetype="application/pdf")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}-{paper}.pdf"'
    return answer
