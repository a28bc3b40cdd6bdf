"""Starting a match: game, house rules, players, who begins, camera; then checks until the table is ready."""

from __future__ import annotations

from flask import Blueprint, abort, current_app, render_template
from werkzeug.wrappers import Response

from engine.core import COLOURS, Json
from engine.players.levels import LEVELS
from engine.registry import all_games, known_game
from engine.words import say
from webui.boards import example_svg, sign_svg
from webui.games import told_games
from webui.house import House
from webui.words.clock import aged
from webui.words.languages import language
from webui.words.telling import told_state
from webui.words.texts import N_, spoken, tell

blueprint = Blueprint("starting", __name__)

TEXTS = {
    "stale": N_("Out of date: there has been no news from the table for a while."),
    "offline": N_("Connection lost. Trying again …"),
    "light": N_("There is enough light."),
    "light_dark": N_("It is too dark: switch on a lamp or open the curtains."),
    "light_bright": N_("The picture is overexposed: turn the lamp away."),
    "board": N_("The board is in the picture."),
    "board_missing": N_("No board in the picture: put it under the camera and check the focus."),
    "board_other": N_("This is the board of another game."),
    "board_seats": N_("This board is for a different number of players."),
    "board_twice": N_("There is more than one board in the picture: show only one."),
    "board_lens": N_(
        "The lens file in the settings ({given}°) does not match this picture ({seen}°): remove it there."
    ),
    "board_covered": N_("Most of the black squares of the board are covered: {seen} of {of} are visible."),
    "fiducials": N_("Black squares visible: {seen} of {of}."),
    "fiducials_covered": N_("Something is covering the black squares: {seen} of {of} are visible."),
    "distance": N_("The camera is {centimetres} cm away."),
    "distance_far": N_("The camera is too far away: {centimetres} cm."),
    "distance_near": N_("The camera is too close: {centimetres} cm."),
    "tilt": N_("The camera angle is fine: {degrees}°."),
    "tilt_tilted": N_("The camera is tilted too far: {degrees}°. Raise it, or move it over the board."),
    "sharpness": N_("The picture is sharp; the smallest piece is {pixels} pixels wide."),
    "sharpness_blurred": N_("The picture is blurred: focus the camera on the board, wipe the lens, or fix the camera."),
    "sharpness_small": N_("The board is too small in the picture: mount the camera lower, or choose a larger picture."),
    "glare": N_("No lamp is reflected in the board."),
    "glare_left": N_("Too bright on the left of the picture: turn the lamp away there, or dim it."),
    "glare_right": N_("Too bright on the right of the picture: turn the lamp away there, or dim it."),
    "glare_top": N_("Too bright at the top of the picture: turn the lamp away there, or dim it."),
    "glare_bottom": N_("Too bright at the bottom of the picture: turn the lamp away there, or dim it."),
    "colours": N_("All colours can be told apart in this light."),
    "colours_white": N_("Hard to tell apart in this light: {one} and {other}. Use a white lamp, not a coloured one."),
    "colours_cloth": N_("Hard to tell apart: {one} and {other}. Put a plain cloth of another colour under the board."),
    "colours_lamp_left": N_("Hard to tell apart in this light: {one} and {other}. Add a lamp from the left."),
    "colours_lamp_right": N_("Hard to tell apart in this light: {one} and {other}. Add a lamp from the right."),
    "colours_lamp_top": N_(
        "Hard to tell apart in this light: {one} and {other}. Add a lamp: the top of the picture is darkest."
    ),
    "colours_lamp_bottom": N_(
        "Hard to tell apart in this light: {one} and {other}. Add a lamp: the bottom of the picture is darkest."
    ),
    "table": N_("the table"),
    "stone": N_("wood"),
    "chip": N_("chips"),
    "pieces": N_("The pieces are in their starting places."),
    "pieces_hand": N_("A hand is over the board."),
    "pieces_occupied": N_("These places are not set up for the start: {sites}."),
    "survey": N_("The camera has read the whole set-up."),
    "survey_open": N_("The set-up is not clear yet."),
    "doubts": N_("The camera is not sure here. What do you see?"),
    "pair": N_("Two cards look alike. Is that right?"),
    "alike": N_("These cards are alike, and that is right"),
    "ready": N_("Everything is ready: begin!"),
    "not_ready": N_("Not ready yet"),
    "begin": N_("Begin"),
    "begin_anyway": N_("Begin anyway"),
    "twice": N_("Two players are called {name}: please give each a name of their own."),
    "begins": N_("{name} begins."),
    "looking": N_("Looking at the table …"),
    "camera_off": N_("The camera has no picture yet."),
    "camera_sees": N_("What the camera sees"),
    "colour": N_("Colour of player {number}"),
    "name": N_("Name of player {number}"),
    "player": N_("Player {number}"),
    "who": N_("Who plays as player {number}"),
    "person": N_("a person"),
    "program": N_("the program"),
    "make_it": N_("The page and the lights show what the program plays; please make its moves on the board."),
    "no_program": N_("The simulated table plays every seat itself."),
    "plays": N_("{name} is played by the program."),
    "lot": N_("Draw lots"),
    "usual": N_("standard"),
    "rules_kept": N_("Kept: from now on {game} is played by these rules here, unless you choose others."),
    "usual_rules": N_("Standard rules"),
    "red": N_("red"),
    "yellow": N_("yellow"),
    "green": N_("green"),
    "blue": N_("blue"),
}


@blueprint.get("/new")
def new() -> str:
    house: House = current_app.config["HOUSE"]
    state = aged(told_state(house.state(), language())) | {"alive": house.alive()}
    return render_template(
        "new.html",
        state=state,
        games=[game | {"follows": game["name"] in state.get("refereed", ())} for game in told_games(language())],
        signs={colour: sign_svg(colour) for colour in COLOURS},
        variants={each: say(each, language()) for game in all_games() for each in game.variants},
        levels=told_levels(language()),
        script_texts=spoken(TEXTS),
    )


def told_check(check: Json, language: str) -> str:
    """One thing that was looked at before a match, as a sentence."""
    facts = {name: value for name, value in check.items() if name not in ("name", "problem", "ok")}
    facts |= {name: tell(TEXTS[facts[name]], language) for name in ("one", "other") if facts.get(name) in TEXTS}
    facts |= {"sites": ", ".join(facts.get("sites", ())), "centimetres": round(facts.get("millimetres", 0) / 10)}
    name = f"{check['name']}_{check['problem']}" if check["problem"] else check["name"]
    return tell(TEXTS[name], language).format(**facts)


@blueprint.get("/board/<name>.svg")
def picture(name: str) -> Response:
    """What a game looks like."""
    if known_game(name) is None:
        abort(404)
    answer = Response(example_svg(name), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "public, max-age=86400"
    return answer


def told_levels(language: str) -> list[Json]:
    """How well the program can play a seat."""
    return [
        {
            "number": level.number,
            "name": level.name,
            "word": say(level.word, language),
            "about": say(level.about, language),
        }
        for level in LEVELS
    ]
