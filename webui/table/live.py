"""The live page: the board, whose turn it is, what the referee says, and how to correct it."""

from __future__ import annotations

from flask import Blueprint, current_app, render_template
from flask_babel import gettext as _

from engine.board import Board
from engine.core import Json
from engine.registry import known_game
from engine.words import say
from webui.boards import board_for, page_board, sign_svg
from webui.house import House, Update
from webui.learning.texts import pointer_texts
from webui.words import clock, voice
from webui.words.languages import language
from webui.words.telling import told_state
from webui.words.texts import N_, spoken

blueprint = Blueprint("live", __name__)

TEXTS = {
    "stale": N_("Out of date: there has been no news from the table for a while."),
    "offline": N_("Connection lost. Trying again …"),
    "empty": N_("{site}, empty"),
    "stands": N_("{site}: {face}"),
    "to_move": N_("to move"),
    "pass": N_("Pass"),
    "trick": N_("In a moment. Watch what the referee says."),
    "eraser": N_("Eraser: take pieces away"),
    "rule": N_("Rule"),
    "mark_last": N_("the last action"),
    "mark_wrong": N_("not allowed"),
    "mark_missing": N_("missing on the table"),
    "mark_extra": N_("does not belong here"),
    "mark_way": N_("move it there"),
    "mark_hint": N_("hint"),
    "mark_hidden": N_("covered now"),
    "mark_lying": N_("something lies here"),
    "camera_off": N_("The camera has no picture yet."),
    "set_done": N_("Position set."),
    "taken_back": N_("Taken back."),
    "named": N_("Names saved."),
    "resigns": N_("{name} resigns"),
    "really": N_("Does {name} really resign?"),
    "doubts": N_("The camera is not sure here. What do you see?"),
    "nearer": N_("Zoom in"),
    "whole": N_("Whole mat"),
    "pair": N_("Two cards look alike. Is that right?"),
    "alike": N_("These cards are alike, and that is right"),
    "number": N_("The number under {site} is {number}"),
    "wrong": N_("A wrong number was said for {site}"),
    "direct": N_("Show what is under the figures? Players must not look."),
    "covered": N_("{site}: {number} on {colour}"),
    "draw": N_("Do all players agree on a draw?"),
    "anew": N_(
        "Begin a new match with the same players? This one stays in the archive and can be taken up again there."
    ),
    "option": N_("It was {action}"),
    "gone_on": N_("The match has gone on in the meantime: this is the position now, with your changes in it."),
    "or_else": N_("No mistake? Then say what happened:"),
    "which": N_("Which one was it?"),
    "nothing": N_("Nothing has happened yet."),
    "white": N_("white, fading in and out"),
    "rainbow": N_("all colours in turn"),
    "glow": N_("faint green"),
    "light_seen": N_("one long green flash"),
    "light_undone": N_("two blue flashes"),
    "light_illegal": N_("quick red flashes"),
    "light_unfinished": N_("slow amber flashes"),
    "light_waiting": N_("a white flash every two seconds"),
    "light_rebuild": N_("long blue flashes"),
    "light_unclear": N_("amber and player colour in turn"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
}


@blueprint.get("/")
def live() -> str:
    house: House = current_app.config["HOUSE"]
    update = house.state()
    state = clock.aged(told_state(update, language())) | {"alive": house.alive()}
    board = board_shown(update)
    return render_template(
        "live.html",
        state=state,
        board=board and page_board(board, state["faces"], state["turns"], label=_("The board")),
        faces=faces_of(board, state) if board else [],
        covers=covers(state),
        is_placeable=is_placeable(state),
        tap=tap(state),
        sign=sign_svg,
        sounds=voice.SOUNDS,
        script_texts=pointer_texts(language()) | spoken(TEXTS | clock.TEXTS | voice.TEXTS),
    )


def board_shown(update: Update) -> Board | None:
    """The board that the running match is played on."""
    trace, state = update.trace, update.state
    if state.get("survey") is not None:
        return board_for(state["game"], len(state["players"]), None)
    if trace is None or "game" not in state:
        return None
    if (game := known_game(trace["game"])) is not None and game.covers and not state.get("result"):
        # What pieces cover is not on the page, not even under them; the dice in sight are laid on it.
        return board_for(trace["game"], trace["players"], None)
    return board_for(trace["game"], trace["players"], trace["setup"])


def covers(state: Json) -> bool:
    """Whether pieces cover what nobody may look up."""
    game = known_game(state.get("game"))
    return game is not None and game.covers


def is_placeable(state: Json) -> bool:
    """Whether people can set the position by hand."""
    game = known_game(state.get("game"))
    return game is not None and game.placeable


def tap(state: Json) -> str:
    """What to tap to learn where it may go, in the game's own words if it has any."""
    game = known_game(state.get("game"))
    if game is not None and game.tap:
        return say(game.tap, language())
    return str(_("Tap a piece to see where it may go, and why it cannot go elsewhere."))


def faces_of(board: Board, state: Json) -> list[str]:
    """What can be put on a site by hand: the faces of the players."""
    colours = [player["colour"] for player in state.get("players", ())]
    return [face.name for face in board.faces.lawful if face.kind in colours]
