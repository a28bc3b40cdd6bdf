"""Positions to pick in: the one at the table, or one given in a request. Nothing here changes the table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.core import COLOURS, Fact, GameError, Json, Position, Refusal, Word
from engine.face import spelled
from engine.match import Match
from engine.registry import find_game
from engine.targets import Reach, concerned, named, reach
from engine.words import OUTCOMES, say, sentence
from webui.boards import board_for
from webui.safety import RefusedError
from webui.schemas import ACTION, record, text
from webui.texts import N_

DEEPEST = 4
"""How far a set-up is nested: set-up, position, sites, die."""
PICKS: Json = {"type": "array", "items": text(20), "maxItems": 12}


def _anything(depth: int) -> Json:
    """JSON of a few levels."""
    plain = ["string", "integer", "boolean", "null"]
    if not depth:
        return {"type": plain, "maxLength": 40}
    inner = _anything(depth - 1)
    deep: Json = {"items": inner, "maxItems": 64, "additionalProperties": inner, "maxProperties": 200}
    return {"type": [*plain, "array", "object"], "maxLength": 40} | deep


SETUP: Json = {"type": "object", "additionalProperties": _anything(DEEPEST - 1), "maxProperties": 20}
SITTING: Json = {
    "game": text(40),
    "players": {"type": "integer", "minimum": 2, "maximum": 4},
    "setup": SETUP,
}
PLAYED: Json = {
    "variant": {"type": ["string", "null"], "maxLength": 40},
    "actions": {"type": "array", "items": ACTION, "maxItems": 200},
}
POINT = record(SITTING | {"picks": PICKS}, PLAYED)
TRY = record(SITTING | {"action": ACTION}, PLAYED)


def described(body: Mapping[str, Any]) -> Match:
    """The match that a request describes."""
    try:
        rules = find_game(body["game"]).configure(body.get("variant"))
        return Match.replay(rules, body["players"], body["setup"], body.get("actions", ()))
    except GameError as error:
        raise RefusedError(400, "bad-request", str(error)) from error


def at_the_table(trace: Json | None) -> Position:
    """The position of the match that is being played."""
    if trace is None:
        raise RefusedError(409, "no-match", N_("There is no match at the table."))
    return _replayed(json.dumps(trace, sort_keys=True)).position


@lru_cache(maxsize=4)
def _replayed(trace: str) -> Match:
    told = json.loads(trace)
    rules = find_game(told["game"]).configure(told.get("variant"), told.get("options"))
    return Match.replay(rules, told["players"], told["setup"], told["actions"])


def told_reach(
    position: Position, picks: Sequence[str], language: str, *, viewer: int | None = None, colours: Sequence[str] = ()
) -> Json:
    """What can be picked next and why nothing else, for the page."""
    rules = position.rules
    sites = board_for(rules.game.name, position.players, position.setup()).sites if position.seat is not None else {}
    found = reach(position, picks, sites, viewer)
    spoken = {pick: _spoken(found, pick, position, language, colours) for pick in found.refused}
    names = (*found.onward, *found.refused)
    return {
        "picks": list(found.picks),
        "onward": list(found.onward),
        "done": [_preview(position, action, colours) for action in found.done],
        "refused": spoken,
        "names": {pick: named(rules, pick, language) for pick in (*picks, *names)},
        "places": {pick: concerned(pick, sites) for pick in (*picks, *names)},
    }


def _preview(position: Position, action: Any, colours: Sequence[str]) -> Json:  # noqa: ANN401 - an action of whichever game
    after = position.after(action) if action in position.legal() else None
    played, recoloured = dict(zip(COLOURS, colours, strict=False)), position.rules.game.faces.recoloured
    return {
        "action": str(action),
        "faces": {site: recoloured(face, played).name for site, face in (after or position).faces().items()},
        "turns": dict(action.turns),
    }


def _spoken(found: Reach, pick: str, position: Position, language: str, colours: Sequence[str]) -> Json:
    refusal = found.refused[pick]
    return told_refusal(position, refusal, language, colours) | {"action": str(found.tries[pick])}


def told_refusal(position: Position, refusal: Refusal, language: str, colours: Sequence[str] = ()) -> Json:
    """Why something is refused; `colours` are those in use, in seat order."""
    facts = {name: _seen(fact, colours) for name, fact in refusal.facts.items()}
    told = sentence(position.rules.game, Refusal(refusal.rule, refusal.sites, facts), language)
    return {"rule": refusal.rule, "text": told, "sites": list(refusal.sites)}


def _seen(fact: Fact, colours: Sequence[str]) -> Fact:
    if colours and isinstance(fact, Word) and fact in COLOURS[: len(colours)]:
        return Word(colours[COLOURS.index(fact)])
    return fact


def told_position(match: Match, language: str) -> Json:
    """A position for trying things out."""
    position = match.position
    turns: dict[str, int] = {}
    for action in match.actions:
        for sheet, steps in action.turns.items():
            turns[sheet] = turns.get(sheet, 0) + steps
    result = ""
    if position.outcome is not None:
        winners = ", ".join(say(COLOURS[seat], language) for seat in position.outcome.winners)
        result = say(OUTCOMES[position.outcome.by], language, winner=winners)
    return {
        "actions": [str(action) for action in match.actions],
        "faces": spelled(position.faces()),
        "turns": turns,
        "seat": position.seat,
        "result": result,
    }
