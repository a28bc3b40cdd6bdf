"""What people wish for, by the page or by a command, carried out at the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.core import COLOURS, GameError, IllegalActionError, InvalidActionError, InvalidSetupError, Json
from engine.face import spelled
from engine.lessons import fits_any_table
from engine.registry import find_game
from engine.spoken import SpokenError, facts_record, refusal_record
from firmware.devices.sources import check_source
from firmware.hub.line import HubLine, HubWish
from firmware.log.match.seating import Seating
from firmware.machine.errors import UsageError
from firmware.settings.eyes import check_refereed
from firmware.settings.own import OwnSettings
from firmware.table.beginning.plans import MatchPlan, read_plan
from firmware.table.events import Said
from firmware.table.loop import Sitting
from firmware.table.playing import Playing
from firmware.table.requests.archiving import bring_in, remove_match, rename_match
from firmware.table.requests.corrections import WISHES
from firmware.table.requests.deeds import ask_for_hint, correct, pause_clock, rename, restore_log, take_up, the_match

GRACE = 0.5
"""Seconds before the program restarts: whoever asked for it gets an answer."""

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


def grant_arbiter(sitting: Sitting, hub: HubLine, wish: HubWish) -> Granted:
    """The same for an arbiter at the hub, who has seen one position and decides about no other."""
    if wish.kind == "calm":
        hub.call(False)
        return {}, []
    if wish.kind == "begin":
        return _begin_for(sitting, wish.payload)
    playing = the_match(sitting)
    if (playing.log.number, playing.match.ply) != (wish.match, wish.ply):
        raise SpokenError("the table has moved on in the meantime")
    return grant(sitting, wish.kind, wish.payload)


def _begin_for(sitting: Sitting, payload: Json) -> Granted:
    """A director sends players to this table: nothing that is being played is put aside for them."""
    playing = sitting.playing
    if playing is not None and playing.match.ply and playing.goes_on:
        raise SpokenError("a match is still being played at this table")
    return _new(sitting, {name: payload.get(name) for name in ("game", "players")})


def _new(sitting: Sitting, payload: Json) -> Granted:
    plan = read_plan(payload, sitting.gear.random, sitting.gear.control)
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


def _camera(sitting: Sitting, payload: Json) -> Granted:
    """Another camera, or the same once more: `{"camera": NAME}`, one of those that are known, or `url:ADDRESS`."""
    camera = str(payload.get("camera"))
    if camera not in sitting.gear.cameras():
        if not camera.startswith("url:"):
            raise SpokenError("there is no camera {camera}", camera=camera)
        check_source(camera)
        camera = sitting.gear.know_camera(camera)
    if camera == "sim" and sitting.playing is not None and sitting.playing.seating.levels:
        raise SpokenError("the simulated table plays every seat itself")
    sitting.camera, sitting.wants_camera = camera, True
    return {"camera": camera}, []


def _invite_phone(sitting: Sitting, _: Json) -> Granted:
    """The link for a phone that is to be the camera: whoever has it can feed pictures, so it is told only here."""
    link = sitting.gear.phone
    if link is None or not link.page:
        raise SpokenError("no phone is expected as the camera now: choose one first")
    return {"address": link.address, "code": link.code(), "fingerprint": link.fingerprint}, []


def _lesson(sitting: Sitting, payload: Json) -> Granted:
    """A lesson at the table: `{"game", "variant", "players", "setup", "name"}`, in the colours of the rules."""
    rules = find_game(str(payload.get("game"))).configure(payload.get("variant"))
    check_refereed(rules.game.name)
    players, setup = payload.get("players"), payload.get("setup")
    if type(players) is not int or not isinstance(setup, dict):
        raise GameError("a lesson needs a number of players and a set-up")
    rules.start(players, setup)
    if not fits_any_table(rules, players, setup):
        raise SpokenError("the cards on the table are not those of the lesson: do it on the page")
    plan = MatchPlan(rules, Seating.parse(",".join(COLOURS[:players])))
    name = f"{rules.game.name}/{payload.get('name')}"
    sitting.abandon()
    sitting.wants_camera = sitting.camera == "sim"
    # Where the cards differ from table to table, those that lie there are as good.
    sitting.play(plan, setup=None if rules.game.surveyed and rules.game.covers else setup, guided=True, lesson=name)
    return {"lesson": name}, []


def _again(sitting: Sitting, _: Json) -> Granted:
    the_match(sitting)
    sitting.play_again()
    return {}, []


def _resume(sitting: Sitting, payload: Json) -> Granted:
    number = _number(payload)
    take_up(sitting, number)
    return {"match": number}, []


def _rename_match(sitting: Sitting, payload: Json) -> Granted:
    rename_match(sitting, _number(payload), _names_in(payload))
    return {}, []


def _remove_match(sitting: Sitting, payload: Json) -> Granted:
    remove_match(sitting, _number(payload), payload.get("removed") is True)
    return {}, []


def _import_match(sitting: Sitting, payload: Json) -> Granted:
    return {"match": bring_in(sitting, str(payload.get("text")))}, []


def _number(payload: Json) -> int:
    number = payload.get("match")
    if type(number) is not int:
        raise GameError("match must be a number")
    return number


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


def _call_arbiter(sitting: Sitting, payload: Json) -> Granted:
    hub, calling = sitting.gear.hub, payload.get("calling")
    if hub is None:
        raise SpokenError("this table has not joined a hub")
    if not isinstance(calling, bool):
        raise GameError("calling must be true or false")
    hub.call(calling)
    return {"calling": calling}, []


def _names(sitting: Sitting, payload: Json) -> Granted:
    rename(sitting, _names_in(payload))
    return {}, []


def _names_in(payload: Json) -> list[str]:
    names = payload.get("names")
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise GameError("names must be a list of strings")
    return names


def _clock(sitting: Sitting, payload: Json) -> Granted:
    is_paused = payload.get("paused")
    if not isinstance(is_paused, bool):
        raise GameError("paused must be true or false")
    pause_clock(sitting, is_paused)
    return {}, []


def _settings(sitting: Sitting, payload: Json) -> Granted:
    """What is chosen at this table, after these changes."""
    own = _own(sitting)
    needs_restart = own.change(payload) if payload else False
    if payload:
        config = own.load(lambda _: None)
        sitting.gear.control, sitting.gear.rules = config.clock.control, config.rules
        sitting.gear.speaks(config.page.language)
    return own.state() | {"restart": needs_restart}, []


def _file(sitting: Sitting, payload: Json) -> Granted:
    _own(sitting).take_in(payload["kind"], payload["content"])
    return {"restart": True}, []


def _new_pin(sitting: Sitting, payload: Json) -> Granted:
    if sitting.gear.change_pin is None:
        raise SpokenError("the settings of this table are not kept")
    sitting.gear.change_pin(str(payload.get("pin")))
    return {}, []


def _restart(sitting: Sitting, _: Json) -> Granted:
    _own(sitting)
    sitting.restart_at = sitting.gear.monotonic() + GRACE
    return {}, []


def _own(sitting: Sitting) -> OwnSettings:
    if sitting.gear.own is None:
        raise SpokenError("the settings of this table are not kept")
    return sitting.gear.own


def _trick(sitting: Sitting, payload: Json) -> Granted:
    """Something for the simulated table: `{"what": "cheat"}`."""
    if sitting.camera != "sim" or sitting.phase != "playing":
        raise SpokenError("tricks need a simulated table and a match that is being played")
    sitting.stage.ask(str(payload.get("what")))
    return {}, []


def _position(sitting: Sitting, payload: Json) -> Granted:
    playing = the_match(sitting)
    if not playing.match.rules.game.placeable:
        raise SpokenError("In this game the position cannot be set by hand: take actions back, or begin anew.")
    _check_since(playing, payload.get("since"))
    return {}, correct(sitting, "position", _placed(playing, payload))


def _check_since(playing: Playing, since: object) -> None:
    """Whoever says what position he started from overwrites nothing that has happened since."""
    if since is None:
        return
    shown = spelled(playing.on_table(playing.match.position.faces()))
    if since != {"ply": playing.match.ply, "faces": shown}:
        raise SpokenError("The match has gone on in the meantime: look at the position again before you set it.")


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
    "camera": _camera,
    "phone": _invite_phone,
    "lesson": _lesson,
    "again": _again,
    "resume": _resume,
    "rename_match": _rename_match,
    "remove_match": _remove_match,
    "import_match": _import_match,
    "restore": _restore,
    "begin": _begin,
    "setup": _setup,
    "assist": _agree_on_help,
    "hint": _hint,
    "arbiter": _call_arbiter,
    "trick": _trick,
    "names": _names,
    "settings": _settings,
    "file": _file,
    "new_pin": _new_pin,
    "restart": _restart,
    "clock": _clock,
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
