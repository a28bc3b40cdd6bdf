"""Carries out requests from the page or the command line at the table."""

from __future__ import annotations

from engine.core import COLOURS, GameError, Json
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.log.seating import Seating
from firmware.settings.eyes import check_refereed
from firmware.table.companion import Companion
from firmware.table.corrections import WISHES
from firmware.table.plans import Plan, read_plan
from firmware.table.sitting import Sitting


def grant(sitting: Sitting, kind: str, payload: Json) -> tuple[Json, list[Json]]:
    """Carry out a wish; what to answer, and what there is to say. Raises `GameError` where it cannot be."""
    if kind == "new":
        return _new(sitting, payload), []
    if kind == "lesson":
        return _teach(sitting, payload), []
    companion = sitting.companion
    if companion is None:
        raise SpokenError("there is no match: start one first")
    if kind == "begin":
        sitting.begin()
        return {}, []
    if kind == "assist":
        sitting.counsel.assistance = sitting.assistance.agree(payload)
        return {}, []
    if kind == "hint":
        return {}, sitting.counsel.hint(companion, sitting.seconds)
    if kind == "names":
        companion.rename(_texts(payload.get("names")), sitting.seconds)
        return {}, []
    if kind not in WISHES:
        raise GameError(f"unknown command {kind!r}")
    if kind == "position":
        payload = _placed(companion, payload)
    if kind == "answer" and companion.table is not None:
        sitting.prompter.check(companion.table.match, str(payload.get("action")))
    return {}, sitting.correct(kind, payload)


def _placed(companion: Companion, payload: Json) -> Json:
    """A position as the rules know it: their colours, and the sheets lying as they are seen to."""
    setup = {name: value for name, value in payload.items() if name in ("sites", "seat")}
    setup = companion.seating.known(setup, companion.faces)
    reading = companion.reading
    turns = {name: reading.turn(name)[0] for name in reading.sheets} if reading is not None else {}
    return {"setup": setup, "turns": turns}


def _new(sitting: Sitting, payload: Json) -> Json:
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
    return {"first": plan.seating.players[0].record()}


def _teach(sitting: Sitting, payload: Json) -> Json:
    """A lesson at the table: `{"game", "variant", "players", "setup", "name"}`, in the colours of the rules."""
    rules = find_game(str(payload.get("game"))).configure(payload.get("variant"))
    check_refereed(rules.game.name)
    players, setup = payload.get("players"), payload.get("setup")
    if type(players) is not int or not isinstance(setup, dict):
        raise GameError("a lesson needs a number of players and a set-up")
    rules.start(players, setup)
    plan = Plan(rules, Seating.parse(",".join(COLOURS[:players])))
    sitting.abandon()
    sitting.wants_camera = sitting.camera == "sim"
    sitting.play(plan, guided=True, lesson=(f"{rules.game.name}/{payload.get('name')}", setup))
    return {"lesson": sitting.lesson}


def _texts(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise GameError("names must be a list of strings")
    return value
