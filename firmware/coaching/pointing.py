"""Pointing at a position: where one may go, why not elsewhere, and what a try comes to. Nothing is changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from engine.core import COLOURS, Action, Fact, IllegalActionError, Json, Position, Refusal, Word
from engine.face import spelled
from engine.match import Match
from engine.registry import find_game
from engine.targets import Reach, concerned, named, reach
from engine.words import ending_sentence, say, sentence


def described(told: Mapping[str, Any]) -> Match:
    """The match that game, variant, players, set-up and actions describe; raises `GameError` if there is none."""
    rules = find_game(told["game"]).configure(told.get("variant"), told.get("options"))
    return Match.replay(rules, told["players"], told["setup"], told.get("actions", ()))


@lru_cache(maxsize=4)
def replayed(trace: str) -> Match:
    """The same from JSON, played once for all who point at the match at the table."""
    return described(json.loads(trace))


def told_reach(
    position: Position, picks: Sequence[str], language: str, *, viewer: int | None = None, colours: Sequence[str] = ()
) -> Json:
    """What can be picked next and why nothing else; `colours` are those in use, in seat order."""
    rules = position.rules
    sites = _sites(position) if position.seat is not None else ()
    found = reach(position, picks, sites, viewer)
    every = (*picks, *found.onward, *found.refused)
    return {
        "picks": list(found.picks),
        "onward": list(found.onward),
        "done": [_preview(position, action, colours) for action in found.done],
        "refused": {pick: _refused(found, pick, position, language, colours) for pick in found.refused},
        "names": {pick: named(rules, pick, language) for pick in every},
        "places": {pick: concerned(pick, sites) for pick in every},
    }


def _sites(position: Position) -> tuple[str, ...]:
    return _board_sites(position.rules.game.name, position.players, json.dumps(position.setup(), sort_keys=True))


@lru_cache(maxsize=16)
def _board_sites(game: str, players: int, setup: str) -> tuple[str, ...]:
    return tuple(find_game(game).board(players, json.loads(setup)).sites)


def _preview(position: Position, action: Action, colours: Sequence[str]) -> Json:
    after = position.after(action) if action in position.legal() else position
    used, recoloured = dict(zip(COLOURS, colours, strict=False)), position.rules.game.faces.recoloured
    return {
        "action": str(action),
        "faces": {site: recoloured(face, used).name for site, face in after.faces().items()},
        "turns": dict(action.turns),
    }


def _refused(found: Reach, pick: str, position: Position, language: str, colours: Sequence[str]) -> Json:
    return told_refusal(position, found.refused[pick], language, colours) | {"action": str(found.tries[pick])}


def told_refusal(position: Position, refusal: Refusal, language: str, colours: Sequence[str] = ()) -> Json:
    """Why something is refused."""
    facts = {name: _in_use(fact, colours) for name, fact in refusal.facts.items()}
    told = sentence(position.rules.game, Refusal(refusal.rule, refusal.sites, facts), language)
    return {"rule": refusal.rule, "text": told, "sites": list(refusal.sites)}


def _in_use(fact: Fact, colours: Sequence[str]) -> Fact:
    if colours and isinstance(fact, Word) and fact in COLOURS[: len(colours)]:
        return Word(colours[COLOURS.index(fact)])
    return fact


def told_try(match: Match, text: str, language: str) -> Json:
    """A position after an action, or as it is if the rules forbid it, and why."""
    try:
        after = match.play(match.rules.parse(text))
    except IllegalActionError as error:
        refusal = told_refusal(match.position, error.refusals[0], language)
        return told_position(match, language) | {"legal": False, "refusal": refusal}
    return told_position(after, language) | {"legal": True, "refusal": None}


def told_position(match: Match, language: str) -> Json:
    """A position for trying things out."""
    position = match.position
    result = ""
    if position.outcome is not None:
        winners = ", ".join(say(COLOURS[seat], language) for seat in position.outcome.winners)
        result = ending_sentence(match.rules.game, position.outcome.by, winners, language)
    return {
        "actions": [str(action) for action in match.actions],
        "faces": spelled(position.faces()),
        "turns": _turns(match.actions),
        "seat": position.seat,
        "result": result,
    }


def _turns(actions: Iterable[Action]) -> dict[str, int]:
    """By how much the sheets have been turned."""
    turns: dict[str, int] = {}
    for action in actions:
        for sheet, steps in action.turns.items():
            turns[sheet] = turns.get(sheet, 0) + steps
    return turns
