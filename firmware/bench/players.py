"""How strong the players are (levels against each other and against random play, as Elo) and how fast a hint is.

Levels think in nodes, not in seconds, so that everything but the time of a hint comes out the same everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time

from engine.core import Position, Rules
from engine.players.arena import Rating, Strategy, at_random, elo, of_level, play_match, wilson
from engine.players.hints import advise
from engine.players.levels import LEVELS
from firmware.bench import Row
from firmware.bench.rigs.tables import games

ROUNDS = 10
"""Matches of each pair with each of the two beginning."""
WITH_STRONGEST = 4
"""The same where the strongest level is one of the two, which thinks eight times as long as the next."""
AGAINST_CHANCE = 50
"""The same for the middle level against chance."""
NAMES = ("at random", *(level.name for level in LEVELS))
PLAYERS: tuple[Strategy, ...] = (at_random, *(of_level(level) for level in LEVELS))
MIDDLE = 3
CHANCE_GOAL, HINT_GOAL = 0.99, 1.0
HINTS_ASKED = 12


def measure() -> list[Row]:
    rows: list[Row] = []
    for rules in (game.configure() for game in games()):
        rows += [chance_row(rules), *elo_rows(rules), hint_row(rules)]
    return rows


def pairs() -> Iterator[tuple[int, int]]:
    """Who meets whom: neighbours, and the next but one below the strongest, which takes long."""
    for one in range(len(PLAYERS)):
        for other in (one + 1, one + 2):
            if other < len(PLAYERS) and (other == one + 1 or other < len(PLAYERS) - 1):
                yield one, other


def rounds(pair: tuple[int, int]) -> int:
    return WITH_STRONGEST if len(PLAYERS) - 1 in pair else ROUNDS


def met(rules: Rules, one: int, other: int, rounds: int) -> tuple[float, float]:
    """What two players score against each other, each beginning as often."""
    score = 0.0
    for seed in range(rounds):
        for first in (True, False):
            seats = (PLAYERS[one], PLAYERS[other]) if first else (PLAYERS[other], PLAYERS[one])
            score += play_match(rules, seats, seed).score(0 if first else 1, 2)
    return score, 2 * rounds - score


def elo_rows(rules: Rules) -> list[Row]:
    scores = {pair: met(rules, *pair, rounds(pair)) for pair in pairs()}
    return rating_rows(rules, elo(scores, len(PLAYERS)))


def rating_rows(rules: Rules, ratings: list[Rating]) -> list[Row]:
    return [
        Row(what=f"{rules.game.name}: Elo of {name}", value=round(rating.points), unit=f"± {rating.within:.0f}")
        for name, rating in zip(NAMES[1:], ratings[1:], strict=True)
    ]


def chance_row(rules: Rules) -> Row:
    """The middle level against chance. Where luck is dealt too, there is no goal for it."""
    matches = 2 * AGAINST_CHANCE
    score, _ = met(rules, MIDDLE, 0, matches // 2)
    low, high = wilson(score, matches)
    goal = None if rules.game.luck else CHANCE_GOAL
    what = f"{rules.game.name}: score of {NAMES[MIDDLE]} against chance"
    return Row(what=what, value=score / matches, unit=f"({low:.3f} to {high:.3f}, {matches} matches)", goal=goal)


def hint_row(rules: Rules) -> Row:
    """The slowest of some hints from the middle of matches, in seconds of one core."""
    slowest = 0.0
    for seed in range(HINTS_ASKED):
        *earlier, position = _middle(rules, seed)
        start = process_time()
        advise(position, earlier, Random(seed))
        slowest = max(slowest, process_time() - start)
    return Row(what=f"{rules.game.name}: slowest hint", value=slowest, unit="s", goal=HINT_GOAL, at_most=True)


def _middle(rules: Rules, seed: int) -> list[Position]:
    """The positions of a match up to somewhere in its middle."""
    chance = Random(seed)
    seen = [rules.start(2, rules.deal(2, chance))]
    for _ in range(6 + 3 * seed):
        after = seen[-1].after(PLAYERS[2](seen[-1], seen[:-1], Random(chance.random())))
        if after.outcome is not None:
            break
        seen.append(after)
    return seen
