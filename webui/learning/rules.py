"""The rules in brief, with the options in force, and for every rule a small position to try it in."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, current_app, render_template
from flask_babel import gettext as _
from markupsafe import Markup

from engine.core import Game, Json, Value
from engine.words import say
from webui.boards import board_for, further_board, page_board
from webui.games import house_rules
from webui.house import House
from webui.learning.lessons import game_of, lessons_of, sitting
from webui.learning.texts import pointer_texts
from webui.words.languages import language

blueprint = Blueprint("rules", __name__)


@dataclass(frozen=True)
class Paragraph:
    """One rule, with the lesson that shows it, if there is one."""

    text: str
    lesson: Json | None
    board: Markup | None
    sitting: Json | None


@blueprint.get("/rules/<name>")
def rules(name: str) -> str:
    game = game_of(name)
    house: House = current_app.config["HOUSE"]
    variant, options = _in_force(game)
    return render_template(
        "rules.html",
        game=game,
        variant=variant and say(variant, language()),
        options=house_rules(game, variant, options, language()),
        paragraphs=list(_paragraphs(game)),
        facts=house.school.fairness(game.name, variant, options, language()),
        script_texts=pointer_texts(language()),
    )


def _in_force(game: Game) -> tuple[str | None, dict[str, Value]]:
    """Variant and options of the match at the table if it is of this game, else the usual ones."""
    house: House = current_app.config["HOUSE"]
    state = house.state().state
    played = state if state.get("game") == game.name else {}
    variant = played.get("variant") or next(iter(game.variants), None)
    return variant, game.defaults(variant) | played.get("options", {})


def _paragraphs(game: Game) -> list[Paragraph]:
    shown: dict[str, Json] = {}
    for lesson in lessons_of(game):
        # A refusal is worth a lesson, but as an example of a rule what it allows says more.
        if not lesson["is_refusal"]:
            shown.setdefault(lesson["rule"], lesson)
    found: list[Paragraph] = []
    draw = page_board
    for text in game.brief:
        if text not in shown:
            found.append(Paragraph(text, None, None, None))
            continue
        lesson = shown[text]
        board = board_for(game.name, lesson["players"], lesson["setup"])
        drawn = draw(board, lesson["faces"], {}, label=_("Board"), named=not board.cards)
        # The definitions of the first board serve all: the sheets of a game look alike in every lesson.
        draw = further_board
        told = sitting(game, lesson) | {"marks": lesson["marks"]}
        found.append(Paragraph(text, lesson, drawn, told))
    return found
