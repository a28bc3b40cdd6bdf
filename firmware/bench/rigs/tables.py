"""The games that are measured: all there are, or all that the eye can follow, whoever brings them.

`MAGISTER_GAME` names the only one that is wanted.
"""

from __future__ import annotations

import os
from itertools import count, islice

from engine.core import Game
from engine.registry import all_games, find_game
from firmware.settings.eyes import can_follow

GameVariant = tuple[str, str | None]
"""A game and its variant."""

KNOWN: tuple[GameVariant, ...] = (
    ("memento-tuos", "original"),
    ("rings", None),
    ("memento-tuos", "complex"),
    ("rings", None),
    ("memento-tuos", "simple"),
    ("memento-ludis", None),
)
"""The tables of the reports, by which a seed means the same match as ever; games that came later follow."""


def games() -> tuple[Game, ...]:
    """One game of each folder, the one with most variants: the others are played by the same rules."""
    chosen: dict[str, Game] = {}
    for game in all_games():
        if game.package not in chosen or len(game.variants) > len(chosen[game.package].variants):
            chosen[game.package] = game
    return tuple(chosen.values())


def followed() -> tuple[str, ...]:
    """Those of them that the eye can follow; of these only the one that is asked for, if any."""
    return tuple(game.name for game in games() if can_follow(game) and game.name == (asked_for() or game.name))


def asked_for() -> str | None:
    """The one game that is to be measured (`MAGISTER_GAME`)."""
    name = os.environ.get("MAGISTER_GAME")
    return find_game(name).name if name else None


def in_the_open() -> tuple[str, ...]:
    """Those of which all is on the board: what stands there is the whole match."""
    return tuple(name for name in followed() if not find_game(name).hides)


def tables() -> tuple[GameVariant, ...]:
    """Every table that the eye can follow."""
    if (only := asked_for()) is not None:
        return tuple((only, variant) for variant in find_game(only).variants or (None,))
    every = [(game.name, variant) for game in all_games() if can_follow(game) for variant in game.variants or (None,)]
    return (*KNOWN, *(table for table in every if table not in KNOWN))


def table_of(seed: int) -> GameVariant:
    """The table of an odd seed; that of the even one before is the same."""
    every = tables()
    return every[seed // 2 % len(every)]


def seeds_of(game: str, number: int) -> tuple[int, ...]:
    """The first odd seeds that mean a table of this game."""
    return tuple(islice((seed for seed in count(1, 2) if table_of(seed)[0] == game), number))
