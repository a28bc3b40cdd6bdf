"""The match requested on the page: game, house rules, players and who begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from engine.clock import Clock, TimeControl
from engine.core import COLOURS, GameError, Json, Rules
from engine.players.levels import Level, find_level
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.coaching.computers import named
from firmware.log.match.seating import Seating, check_names, one_line
from firmware.log.store import Player


@dataclass(frozen=True)
class MatchPlan:
    """Rules, and who plays by them."""

    rules: Rules
    seating: Seating
    clock: Clock | None = None
    """How it stands when the match begins, or goes on."""


def clock_for(control: TimeControl | None, seating: Seating) -> Clock | None:
    """A clock for these players; the program's time is not counted, for people make its moves."""
    return None if control is None else Clock.begin(control, len(seating), frozenset(seating.levels))


def read_plan(payload: Json, random: Random, usual: TimeControl | None = None) -> MatchPlan:
    """`{"game", "variant", "options", "players": [{"name", "colour", "level"}], "first": seat or "lot", "clock"}`; the
    one who begins takes the first seat, and the others follow in their order. A player with a `level` is the program.
    `clock` is text or null; where nothing is said of it, the `usual` one of this table is set."""
    options = payload.get("options") or {}
    if not isinstance(options, dict):
        raise GameError("options must be an object")
    rules = find_game(str(payload.get("game"))).configure(payload.get("variant"), options)
    told = _list(payload.get("players"))
    players = _players(told)
    levels = {seat: level for seat, each in enumerate(told) if (level := _level(each)) is not None}
    if len(players) not in rules.game.seats:
        rules.start(len(players), {})
    if len(levels) == len(players):
        raise SpokenError("at least one player must be a person")
    seat = _first(payload.get("first", 0), len(players), random)
    seated = named(Seating(tuple(players)), levels).players
    in_order = Seating((*seated[seat:], *seated[:seat]))
    if rules.game.seats_printed:
        in_order = _as_printed(in_order)
    wanted = payload.get("clock", usual)
    control = TimeControl.parse(wanted) if isinstance(wanted, str) else wanted
    return MatchPlan(rules, in_order, clock_for(control, in_order))


def _first(first: object, players: int, random: Random) -> int:
    """Who begins: the one named, or whoever the lot falls on."""
    seat = random.randrange(players) if first == "lot" else first
    if type(seat) is not int or not 0 <= seat < players:
        raise GameError(f"the first player must be 'lot' or a number from 0 to {players - 1}")
    return seat


def _as_printed(seating: Seating) -> Seating:
    """The same players in the colours of the board's seats: whoever begins sits at the first."""
    return Seating(
        tuple(
            replace(player, colour=colour, name=colour if player.name == player.colour else player.name)
            for player, colour in zip(seating.players, COLOURS, strict=False)
        )
    )


def check_seats(plan: MatchPlan) -> None:
    """Refuse colours that the board has no seats for."""
    due = COLOURS[: len(plan.seating)]
    if plan.rules.game.seats_printed and plan.seating.colours != due:
        raise SpokenError("on this board the players are, in seat order: {colours}", colours=", ".join(due))


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise GameError("players must be a list")
    return value


def _players(told: Sequence[object]) -> list[Player]:
    players = [_player(each) for each in told]
    if len({player.colour for player in players}) < len(players):
        raise SpokenError("every player needs a different colour")
    check_names([player.name for player in players])
    return players


def _player(told: object) -> Player:
    colour = told.get("colour") if isinstance(told, dict) else None
    if not isinstance(told, dict) or colour not in COLOURS:
        raise GameError(f"a player needs one of the colours {', '.join(COLOURS)}")
    name = one_line(str(told.get("name") or ""))
    return Player(name or colour, colour)


def _level(told: object) -> Level | None:
    number = told.get("level") if isinstance(told, dict) else None
    return None if number is None else find_level(str(number))
