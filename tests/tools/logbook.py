"""A log with matches in it, for whoever reads logs: random play with illegal tries, undos and thinking time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from engine.core import Position
from engine.match import Match
from engine.registry import find_game
from engine.spoken import refusal_record
from firmware.log.store import Player, Store

START = datetime(2026, 5, 2, 19, 30, tzinfo=UTC)
PEOPLE = ("Ada", "Ben", "Олена", "Zoë")


def write_log(
    path: Path, matches: int = 6, plies: int = 40, games: tuple[str, ...] = ("memento-tuos", "rings")
) -> Path:
    """A log of so many matches, the same each time."""
    with Store(path) as store:
        for number in range(matches):
            write_match(store, games[number % len(games)], number, plies)
    return path


def write_match(store: Store, game: str, seed: int, plies: int) -> int:
    dice = Random(seed)
    rules = find_game(game).configure()
    seated = [Player(PEOPLE[(seed + seat) % len(PEOPLE)], colour) for seat, colour in enumerate(("red", "yellow"))]
    setup = rules.deal(2, dice)
    began = START + timedelta(days=seed, minutes=7 * seed)
    match = Match.begin(rules, 2, setup)
    row = store.begin_match(rules, seated, setup, started=began.isoformat())
    clock = 0.0

    def note(kind: str, **payload: object) -> None:
        store.append(row, kind, payload, at=(began + timedelta(seconds=clock)).isoformat(), seconds=round(clock, 2))

    for ply in range(plies):
        if match.position.outcome is not None:
            break
        clock += dice.lognormvariate(1.6, 0.7)
        if ply % 9 == 4 and (told := _slip(match.position, dice)):
            note("illegal", seat=match.position.seat, **told)
            clock += 4
            note("restored")
            clock += 2
        action = dice.choice(match.position.legal())
        note("action", ply=match.ply, seat=match.position.seat, action=str(action))
        match = match.play(action)
        if ply % 17 == 11 and match.position.outcome is None:
            clock += 3
            match = match.undo()
            note("undo", to_ply=match.ply)
    clock += 1
    if match.position.outcome is not None:
        note("result", **match.position.outcome.record())
    elif seed % 3:
        note("resign", seat=match.position.seat)
    else:
        note("draw")
    return row


def _slip(position: Position, dice: Random) -> dict[str, object] | None:
    """Somebody tries what was allowed to somebody else a moment ago."""
    rules = position.rules
    other = rules.start(position.players, rules.deal(position.players, dice))
    for _ in range(12):
        other = other.after(dice.choice(other.legal()))
    for action in dice.sample(other.legal(), min(20, len(other.legal()))):
        if refusals := position.refusals(action):
            first = refusals[0]
            return {"rule": first.rule, "sites": list(first.sites), "refusals": [refusal_record(first)]}
    return None
