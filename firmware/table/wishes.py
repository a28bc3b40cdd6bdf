"""What people wish for, by the page or by a command, carried out at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.core import COLOURS, GameError, IllegalActionError, InvalidActionError, InvalidSetupError, Json
from engine.registry import find_game
from engine.spoken import SpokenError, facts_record, refusal_record
from firmware.log.seating import Seating
from firmware.machine.errors import UsageError
from firmware.settings.eyes import check_refereed
from firmware.table.corrections import WISHES
from firmware.table.events import Said
from firmware.table.loop import Sitting
from firmware.table.people import ask_for_hint, correct, rename, restore_log, take_up, the_match
from firmware.table.plans import MatchPlan, read_plan
from firmware.table.playing import Playing

Granted = tuple[Json, list[Said]]
"""What to answer, and what there is to say."""


def grant(sitting: Sitting, kind: str, payload: Json) -> Granted:
    """Carry out a wish. Raises `GameError` where it cannot be."""
    if kind in _GRANTS:
        return _GRANTS[kind](sitting, payload)
    the_match(sitting)
    if kind not in WISHES:
        raise GameError(f"unknown command {kind!r}")
    return {}, correct(sitting, kind, payload)


def _new(sitting: Sitting, payload: Json) -> Granted:
    plan = read_plan(payload, sitting.gear.random)
    check_refereed(plan.rules.game.name)
    camera = payload.get("camera") or sitting.camera
    if camera != sitting.camera and camera not in sitting.gear.cameras():
        raise SpokenError("there is no camera {camera}", camera=str(camera))
    if plan.seating.levels and camera == "sim":
        raise SpokenError("the simulated table plays every seat itself")
    sitting.abandon()
    sitting.wants_camera = camera != sitting.camera or camera == "sim"
    sitting.camera = camera
    sitting.play(plan, guided=True)
    return {"first": plan.seating.players[0].record()}, []


def _lesson(sitting: Sitting, payload: Json) -> Granted:
    """A lesson at the table: `{"game", "variant", "players", "setup", "name"}`, in the colours of the rules."""
    rules = find_game(str(payload.get("game"))).configure(payload.get("variant"))
    check_refereed(rules.game.name)
    if rules.game.covers:
        raise SpokenError("the cards on the table are not those of the lesson: do it on the page")
    players, setup = payload.get("players"), payload.get("setup")
    if type(players) is not int or not isinstance(setup, dict):
        raise GameError("a lesson needs a number of players and a set-up")
    rules.start(players, setup)
    plan = MatchPlan(rules, Seating.parse(",".join(COLOURS[:players])))
    name = f"{rules.game.name}/{payload.get('name')}"
    sitting.abandon()
    sitting.wants_camera = sitting.camera == "sim"
    sitting.play(plan, setup=setup, guided=True, lesson=name)
    return {"lesson": name}, []


def _again(sitting: Sitting, _: Json) -> Granted:
    the_match(sitting)
    sitting.play_again()
    return {}, []


def _resume(sitting: Sitting, payload: Json) -> Granted:
    number = payload.get("match")
    if type(number) is not int:
        raise GameError("match must be a number")
    take_up(sitting, number)
    return {"match": number}, []


def _restore(sitting: Sitting, payload: Json) -> Granted:
    return {"done": restore_log(sitting, Path(str(payload.get("file"))))}, []


def _begin(sitting: Sitting, _: Json) -> Granted:
    the_match(sitting)
    sitting.begin()
    return {}, []


def _agree_on_help(sitting: Sitting, payload: Json) -> Granted:
    coach = the_match(sitting).coach
    coach.agreed = coach.agreed.change(payload)
    return {}, []


def _hint(sitting: Sitting, _: Json) -> Granted:
    return {}, ask_for_hint(sitting)


def _names(sitting: Sitting, payload: Json) -> Granted:
    names = payload.get("names")
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise GameError("names must be a list of strings")
    rename(sitting, names)
    return {}, []


def _trick(sitting: Sitting, payload: Json) -> Granted:
    """Something for the simulated table: `{"what": "cheat"}`."""
    if sitting.camera != "sim" or sitting.phase != "playing":
        raise SpokenError("only a simulated table does tricks, while a match is played")
    sitting.stage.ask(str(payload.get("what")))
    return {}, []


def _position(sitting: Sitting, payload: Json) -> Granted:
    return {}, correct(sitting, "position", _placed(the_match(sitting), payload))


def _answer(sitting: Sitting, payload: Json) -> Granted:
    playing = the_match(sitting)
    if playing.table is not None:
        playing.coach.check(playing.match, str(payload.get("action")))
    return {}, correct(sitting, "answer", payload)


def _placed(playing: Playing, payload: Json) -> Json:
    """A position as the rules know it: their colours, and the sheets lying as they are seen to."""
    setup = playing.seating.known(
        {name: value for name, value in payload.items() if name in ("sites", "seat")}, playing.faces
    )
    position = playing.match.position
    setup = position.rules.placed(position, setup.get("sites", {}), setup.get("seat"))
    reading = playing.reading
    turns = {name: reading.turn(name)[0] for name in reading.sheets} if reading is not None else {}
    return {"setup": setup, "turns": turns}


def _setup(sitting: Sitting, payload: Json) -> Granted:
    """What lies where the eye was not sure: `{"told": {place: …}}`, as the survey offered it; null takes it back."""
    playing, told = the_match(sitting), payload.get("told")
    if playing.is_known:
        raise SpokenError("the match has already begun")
    if not isinstance(told, dict):
        raise GameError("told must be an object")
    playing.beginning.hear(told)
    return {}, []


_GRANTS: Mapping[str, Callable[[Sitting, Json], Granted]] = {
    "new": _new,
    "lesson": _lesson,
    "again": _again,
    "resume": _resume,
    "restore": _restore,
    "begin": _begin,
    "setup": _setup,
    "assist": _agree_on_help,
    "hint": _hint,
    "trick": _trick,
    "names": _names,
    "position": _position,
    "answer": _answer,
}


def told_refusal(error: GameError | UsageError, payload: Json, playing: Playing | None) -> Json:
    """Why the table refuses a wish, as plain values: `message` in English; beside it a text of the catalogues with its
    facts, or the rules that were broken, so that the page says it in the language of whoever wished."""
    plain: Json = {"message": str(error)}
    match error:
        case IllegalActionError() if playing is not None:
            refusals = [refusal_record(playing.seating.spoken(refusal)) for refusal in error.refusals]
            return plain | {"action": str(error.action), "game": playing.start.rules.game.name, "refusals": refusals}
        case SpokenError():
            return plain | _said(error)
        case InvalidActionError():
            return plain | _said(
                SpokenError("{action} is not an action of this game.", action=str(payload.get("action")))
            )
        case InvalidSetupError():
            return plain | _said(SpokenError("This cannot be played: {why}", why=str(error)))
    return plain


def _said(error: SpokenError) -> Json:
    return {"text": error.text, "facts": facts_record(error.facts)}
