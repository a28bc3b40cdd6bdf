"""All matches of all tables: searched, shown again, rated and counted."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from flask import Blueprint, abort, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from engine.core import Json
from engine.registry import known_game
from webui.boards import board_for, page_board, sign_svg
from webui.hub.guard import check_watching, club, delay, to_log_in
from webui.words.languages import language
from webui.words.telling import event_text, result_text
from webui.words.texts import N_

blueprint = Blueprint("hub_matches", __name__)

FIELDS = {
    "player": N_("Player"),
    "table": N_("Table"),
    "opening": N_("Opening (first actions)"),
    "action": N_("Action"),
    "least_actions": N_("Actions, at least"),
    "most_actions": N_("Actions, at most"),
    "least_illegal": N_("Mistakes, at least"),
}


@blueprint.get("/matches")
def index() -> str | Response:
    wanted = {name: request.args.get(name, "")[:100] for name in (*FIELDS, "game", "rule", "before")}
    if away := to_log_in():
        return away
    found = [_row(each) for each in club().find(wanted, delay())]
    older = (
        {**{name: value for name, value in wanted.items() if value}, "before": found[-1]["received"]} if found else {}
    )
    return render_template(
        "hub_matches.html",
        matches=found,
        wanted=wanted,
        fields={name: _(title) for name, title in FIELDS.items()},
        games=_titles(club().games()),
        older=older if len(found) == 50 else None,
        sign=sign_svg,
    )


@blueprint.get("/api/v1/matches")
def api_matches() -> dict[str, object]:
    check_watching()
    wanted = {name: request.args.get(name, "")[:100] for name in (*FIELDS, "game", "rule", "before")}
    return {"matches": list(club().find(wanted, delay()))}


@blueprint.get("/matches/<id_>")
def match(id_: str) -> str | Response:
    if away := to_log_in():
        return away
    told = club().match(id_)
    if told is None or (delay() and (told["ended"] is None or told["ended"] > time.time() - delay())):
        # What is still played, or has just ended, is seen with the delay, at its table.
        abort(404)
    row, game = _row(told), known_game(told["game"])
    moments, board = told["moments"], None
    if moments and game is not None:
        setup = None if game.covers and told["result"] is None else told["start"]["setup"]
        drawn = board_for(game.name, len(told["players"]), setup or None)
        board = page_board(drawn, moments[0]["faces"], moments[0]["turns"], label=_("The board"))
    return render_template(
        "hub_match.html",
        match=row,
        lines=_lines(told),
        moments=moments if board else None,
        board=board,
        why=told.get("why"),
        sign=sign_svg,
    )


@blueprint.get("/ratings")
def ratings() -> str | Response:
    if away := to_log_in():
        return away
    game = request.args.get("game", "")[:40]
    courses = club().ratings(game, delay())
    rows = [
        {
            "name": name,
            "rating": round(course[-1][2]),
            "change": round(course[-1][2] - (course[-2][2] if len(course) > 1 else 1500)),
            "matches": len(course),
            "best": round(max(point[2] for point in course)),
            "line": _line([1500.0, *(point[2] for point in course)]),
        }
        for name, course in courses.items()
    ]
    rows.sort(key=lambda row: str(row["name"]))
    rows.sort(key=lambda row: float(str(row["rating"])), reverse=True)
    return render_template("hub_ratings.html", rows=rows, game=game, games=_titles(club().games()))


@blueprint.get("/mistakes")
def mistakes() -> str | Response:
    if away := to_log_in():
        return away
    game, player = request.args.get("game", "")[:40], request.args.get("player", "")[:40]
    rows = [_broken(each) for each in club().broken_rules(game, player)]
    most = max((row["times"] for row in rows), default=1)
    return render_template(
        "hub_mistakes.html", rows=rows, most=most, game=game, player=player, games=_titles(club().games())
    )


def _titles(games: Sequence[str]) -> dict[str, str]:
    return {name: known.title if (known := known_game(name)) is not None else name for name in games}


def _row(told: Json) -> Json:
    """A match of the list, in words."""
    state = {"game": told["game"], "players": told["players"]}
    result = told["result"]
    begun = datetime.fromtimestamp(told["received"], UTC).astimezone()
    known = known_game(told["game"])
    return told | {
        "title": known.title if known is not None else told["game"],
        "said": result_text(result, state, language()) if result and "by" in result else "",
        "day": begun.strftime("%Y-%m-%d %H:%M"),
    }


def _lines(told: Json) -> list[Json]:
    """All that happened, in words."""
    state: Json = {"game": told["game"], "players": told["players"]}
    lines = []
    for event in told["events"]:
        payload: Mapping[str, object] = event.get("payload", {})
        kind = event["event"]
        try:
            said = event_text({"t": 0} | dict(payload) | {"event": kind}, state, language())
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            said = str(kind)
        lines.append({"text": said, "kind": kind, "t": event["t"], "action": payload.get("action")})
    return lines


def _broken(told: Json) -> Json:
    known = known_game(told["game"])
    sentence = known.sentences.get(told["rule"], "") if known is not None else ""
    from engine.words import say

    said = say(sentence, language()) if sentence else ""
    return told | {"title": known.title if known is not None else told["game"], "sentence": said}


def _line(values: Sequence[float]) -> str:
    """A course as the points of a small drawing, 120 by 32."""
    low, high = min(values), max(values)
    span = max(high - low, 1.0)
    wide = max(len(values) - 1, 1)
    return " ".join(f"{k * 120 / wide:.1f},{30 - 28 * (value - low) / span:.1f}" for k, value in enumerate(values))
