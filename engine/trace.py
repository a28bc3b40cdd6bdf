"""Traces: a match as JSON objects, one per line, that any other implementation of the rules can replay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from typing import Any

from engine.core import Action, GameError, IllegalActionError, InvalidActionError, Json, Position, Rules
from engine.registry import find_game
from engine.words import sentence


class TraceError(GameError, ValueError):
    """The lines are not a trace of a known game."""


class ReplayError(GameError):
    """A trace plays an action that the rules forbid."""


def random_trace(rules: Rules, players: int, setup: Mapping[str, Any], random: Random, plies: int) -> Iterator[Json]:
    """A match of random legal actions, until it ends or has this many plies."""
    position = rules.start(players, setup)
    yield header(rules, players, setup)
    for ply in range(plies):
        if position.outcome is not None:
            break
        texts = legal_texts(position)
        played = random.choice(sorted(texts))
        yield _line(ply, position, texts, played)
        position = position.after(texts[played])
    yield _end(position)


def replay(lines: Iterable[Json]) -> Iterator[Json]:
    """A trace recomputed from its header and the actions played."""
    source = iter(lines)
    rules, players, setup = read_header(next(source, {}))
    position = rules.start(players, setup)
    yield header(rules, players, setup)
    for ply, (played, is_late) in enumerate(_plies(source)):
        if is_late and position.outcome is None:
            raise ReplayError(f"ply {ply}: {played} is not legal: game-over: it comes after the result line")
        texts = legal_texts(position)
        if played not in texts:
            raise _refused(rules, position, ply, played)
        yield _line(ply, position, texts, played)
        position = position.after(texts[played])
    yield _end(position)


def header(rules: Rules, players: int, setup: Mapping[str, Any]) -> Json:
    """The first line of a trace."""
    return {
        "game": rules.game.name,
        "variant": rules.variant,
        "players": players,
        "options": rules.house_rules,
        "setup": dict(setup),
    }


def read_header(line: Json) -> tuple[Rules, int, Json]:
    """Rules, number of players and set-up that the first line of a trace names."""
    game, variant, players = line.get("game"), line.get("variant"), line.get("players")
    options, setup = line.get("options", {}), line.get("setup", {})
    if not isinstance(game, str) or type(players) is not int:
        raise TraceError("not a trace: the first line must name a game and its number of players")
    if not (variant is None or isinstance(variant, str)) or not isinstance(options, dict):
        raise TraceError("not a trace: the first line's variant must be a name or null, its options an object")
    return find_game(game).configure(variant, options), players, setup


def legal_texts(position: Position) -> dict[str, Action]:
    """The legal actions by their texts."""
    return {str(action): action for action in position.legal()}


def _plies(lines: Iterable[Json]) -> Iterator[tuple[str, bool]]:
    """The actions of a trace, and of each whether it comes after the result."""
    ended = False
    for line in lines:
        if "result" in line:
            ended = True
            continue
        played = line.get("played")
        if not isinstance(played, str):
            raise TraceError("not a trace: a line has neither an action 'played' nor a 'result'")
        yield played, ended


def _line(ply: int, position: Position, texts: Iterable[str], played: str) -> Json:
    return {"ply": ply, "seat": position.seat, "legal": sorted(texts), "played": played}


def _end(position: Position) -> Json:
    return {"result": position.outcome.record() if position.outcome else "capped"}


def _refused(rules: Rules, position: Position, ply: int, text: str) -> GameError:
    try:
        position.play(rules.parse(text))
    except InvalidActionError as error:
        return ReplayError(f"ply {ply}: {error}: unknown")
    except IllegalActionError as error:
        told = "; ".join(f"{refusal.rule}: {sentence(rules.game, refusal)}" for refusal in error.refusals)
        return ReplayError(f"ply {ply}: {text} is not legal: {told}")
    raise AssertionError(f"{text} is not in the list of legal actions, yet it breaks no rule")
