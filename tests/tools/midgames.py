"""Positions from matches: from the middle, played at random but never to the end; and up to the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.core import Position, Rules
from engine.players.levels import LEVELS, decide


def midgames(rules: Rules, players: int, seed: int, plies: int) -> Iterator[tuple[Position, ...]]:
    """Every position of one match, each with all before it, the last one being meant; whoever could win does not."""
    dice = Random(seed)
    played = (rules.start(players, rules.deal(players, dice)),)
    for _ in range(plies):
        yield played
        actions = list(played[-1].legal())
        dice.shuffle(actions)
        going_on = (after for after in map(played[-1].after, actions) if after.outcome is None)
        after = next(going_on, None)
        if after is None:
            return
        played = (*played, after)


def ended(rules: Rules, players: int, seed: int, last: int) -> list[tuple[Position, ...]]:
    """The last so many positions of a match of a beginner against itself, each with all before it."""
    dice = Random(seed)
    played = [rules.start(players, rules.deal(players, dice))]
    while True:
        *before, position = played
        action, _ = decide(LEVELS[1], position, before, Random(dice.random()))
        after = position.after(rules.attempt(position, action))
        if after.outcome is not None:
            return [tuple(played[: len(played) - back]) for back in range(last)]
        played.append(after)
