"""Positions from the middle of matches, played at random but never to the end."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from engine.core import Position, Rules


def midgames(rules: Rules, players: int, seed: int, plies: int) -> Iterator[tuple[Position, ...]]:
    """Every position of one match, each with all before it, the last one being meant; whoever could win does not."""
    dice = Random(seed)
    played = (rules.start(players, rules.deal(players, dice)),)
    for _ in range(plies):
        yield played
        afters = [played[-1].after(action) for action in played[-1].legal()]
        going_on = [after for after in afters if after.outcome is None]
        if not going_on:
            return
        played = (*played, dice.choice(going_on))
