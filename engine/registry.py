"""The registered games: every folder of `engine.games` that has `GAMES`."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

import engine.games
from engine.core import Game, UnknownNameError


@cache
def all_games() -> tuple[Game, ...]:
    """Every game, by name."""
    folders = sorted(module.name for module in pkgutil.iter_modules(engine.games.__path__))
    modules = [importlib.import_module(f"engine.games.{folder}") for folder in folders]
    return tuple(sorted((game for module in modules for game in module.GAMES), key=lambda game: str(game.name)))


def find_game(name: str) -> Game:
    """The game of that name."""
    for game in all_games():
        if game.name == name:
            return game
    raise UnknownNameError(f"unknown game {name!r}; there are: {', '.join(game.name for game in all_games())}")
