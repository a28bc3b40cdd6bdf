"""What a game looks like in the middle of a match, for pictures of it."""

from __future__ import annotations

from random import Random

from engine.core import Json, Position
from engine.registry import find_game

ACTIONS = 9
"""After so many random actions."""


def example_of(game: str) -> tuple[Json, Position]:
    """How an example of a match was set up, and its position; always the same one."""
    rules, random = find_game(game).configure(), Random(7)
    players = rules.game.seats[0]
    setup = rules.deal(players, random)
    position = rules.start(players, setup)
    for _ in range(ACTIONS):
        if not (legal := position.legal()):
            break
        position = position.after(random.choice(legal))
    return setup, position
