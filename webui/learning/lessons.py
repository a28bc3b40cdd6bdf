"""Lessons on the page: the list with progress, and each lesson, on the page or at the real table."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, jsonify, render_template
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from engine.core import Game, GameError, Json
from engine.registry import find_game
from engine.words import say
from webui.access.safety import check_change
from webui.api.bodies import read_body
from webui.api.openapi import answer as described
from webui.api.paths import GAME, LESSON, MAYBE, TEXT, described_post, told
from webui.api.paths import TEXTS as SITES
from webui.api.schemas import ACTION, NOTHING, record, text
from webui.boards import board_for, page_board
from webui.house import House
from webui.learning.texts import pointer_texts
from webui.words.languages import language
from webui.words.texts import N_, spoken

blueprint = Blueprint("lessons", __name__)

EVENT = record(
    {"event": text(20)},
    {
        "ply": {"type": "integer"},
        "action": ACTION,
        "rule": text(40),
        "text": text(600, 0),
        "sites": {"type": "array", "items": text(20), "maxItems": 200},
    },
)
DONE: Json = {"anyOf": [record({"action": ACTION}), record({"event": EVENT})]}
"""What a learner did: an action on the page, or an event of the referee at the table."""
_VERDICT = told(
    {
        "verdict": {"type": "string", "enum": ["", "done", "other", "refused"]},
        "text": TEXT,
        "rule": TEXT,
        "sites": SITES,
        "position": MAYBE,
    }
)
PATHS: Json = {
    "/lessons/{game}/{lesson}": described_post(
        "Whether what a learner did solves a lesson", DONE, described("a verdict", _VERDICT), parameters=(GAME, LESSON)
    ),
    "/lessons/{game}/{lesson}/table": described_post(
        "Do a lesson at the real table",
        NOTHING,
        described("done", {"type": "object"}),
        parameters=(GAME, LESSON),
        guarded=True,
    ),
}
TEXTS = {
    "solved": N_("Solved"),
    "progress": N_("{done} of {all} solved"),
    "laid": N_("Set up the board as shown. The referee is watching."),
    "break_off": N_("Abandon the match being played now?"),
    "now": N_("Everything is in place. Now do it on the table."),
}


def game_of(name: str) -> Game:
    try:
        return find_game(name)
    except GameError:
        abort(404)


def lessons_of(game: Game) -> list[Json]:
    """The lessons of a game, in the order in which to take them."""
    house: House = current_app.config["HOUSE"]
    return list(house.school.lessons(game.name))


def lesson_of(game: Game, name: str) -> Json:
    found = next((lesson for lesson in lessons_of(game) if lesson["name"] == name), None)
    if found is None:
        abort(404)
    return found


def sitting(game: Game, lesson: Json) -> Json:
    """What a lesson's position is made from, for scripts."""
    return {"game": game.name} | {name: lesson[name] for name in ("variant", "players", "setup")}


@blueprint.app_template_filter("engine")
def _engine(words: str) -> str:
    """A text of the engine in the language of the page."""
    return say(words, language())


@blueprint.get("/lessons/<name>")
def index(name: str) -> str:
    """The lessons of a game."""
    game = game_of(name)
    return render_template("lessons.html", game=game, lessons=lessons_of(game), script_texts=spoken(TEXTS))


@blueprint.get("/lessons/<name>/<lesson_name>")
def lesson(name: str, lesson_name: str) -> str:
    """One lesson."""
    game = game_of(name)
    found = lesson_of(game, lesson_name)
    lessons = lessons_of(game)
    number = lessons.index(found)
    board = board_for(game.name, found["players"], found["setup"])
    return render_template(
        "lesson.html",
        game=game,
        lesson=found,
        number=number + 1,
        all=len(lessons),
        following=lessons[number + 1] if number + 1 < len(lessons) else None,
        before=lessons[number - 1] if number else None,
        board=page_board(board, found["faces"], {}, label=_("Board")),
        at_table=is_for_the_table(game, found),
        sitting=sitting(game, found) | {"lesson": found["name"], "marks": found["marks"]},
        script_texts=spoken(TEXTS) | pointer_texts(language()),
    )


@blueprint.post("/api/v1/lessons/<name>/<lesson_name>")
def judge(name: str, lesson_name: str) -> Response:
    """Whether what a learner did solves the lesson."""
    body = read_body(DONE)
    game = game_of(name)
    found = lesson_of(game, lesson_name)
    house: House = current_app.config["HOUSE"]
    return jsonify(house.school.judge(game.name, found["name"], body, language()))


def is_for_the_table(game: Game, lesson: Json) -> bool:
    """Whether a lesson can be done at the real table: the referee can follow it, and the cards that happen to lie there
    need not be those of the lesson."""
    house: House = current_app.config["HOUSE"]
    return game.name in house.state().state.get("refereed", ()) and bool(lesson["fits_any_table"])


@blueprint.post("/api/v1/lessons/<name>/<lesson_name>/table")
def at_the_table(name: str, lesson_name: str) -> Response:
    """Do this lesson at the real table: the referee watches a match that starts from its position."""
    check_change()
    read_body(NOTHING)
    game = game_of(name)
    found = lesson_of(game, lesson_name)
    house: House = current_app.config["HOUSE"]
    return jsonify(house.wish("lesson", sitting(game, found) | {"name": found["name"]}))
