"""The games there are: the folders of `engine.games`, what installed packages bring, and what is registered here.

A package brings games by an entry point of the group `magister.games` that names a module with `GAMES`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from itertools import combinations

import engine.games
from engine.board import FIDUCIAL_IDS
from engine.core import Game, GameError, UnknownNameError

GROUP = "magister.games"

_registered: list[Game] = []


class RegistryError(GameError):
    """Games that cannot be offered side by side, or at all."""


@cache
def all_games() -> tuple[Game, ...]:
    """Every game, by name."""
    games = sorted((*_in_house(), *_installed(), *_registered), key=lambda game: str(game.name))
    _check(games)
    return tuple(games)


@cache
def packages() -> tuple[str, ...]:
    """The folders that the games are in, each of which may have catalogues of its own."""
    return tuple(dict.fromkeys(game.package for game in all_games()))


def find_game(name: str) -> Game:
    """The game of that name."""
    game = known_game(name)
    if game is None:
        raise UnknownNameError(f"unknown game {name!r}; there are: {', '.join(game.name for game in all_games())}")
    return game


def known_game(name: str | None) -> Game | None:
    """The game of that name, if there is one: a log may tell of one that is not installed any more."""
    return next((game for game in all_games() if game.name == name), None)


def register(*games: Game) -> None:
    """Offer games that are neither in a folder of `engine.games` nor installed."""
    _check([*all_games(), *games])
    _registered.extend(games)
    forget()


def unregister(*games: Game) -> None:
    """Offer games no longer that were registered."""
    for game in games:
        _registered.remove(game)
    forget()


def forget() -> None:
    """Look anew, the next time somebody asks, what games there are."""
    all_games.cache_clear()
    packages.cache_clear()


def free_fiducials(count: int) -> range:
    """So many ids that no game's board has: for the board of a new game, which writes them down and keeps them."""
    taken = {number for game in all_games() for number in game.fiducials}
    for first in FIDUCIAL_IDS:
        block = range(first, first + count)
        if block.stop <= FIDUCIAL_IDS.stop and taken.isdisjoint(block):
            return block
    raise RegistryError(f"there are no {count} fiducials in a row left")


def _in_house() -> Iterator[Game]:
    for found in pkgutil.iter_modules(engine.games.__path__):
        if found.ispkg:
            yield from importlib.import_module(f"engine.games.{found.name}").GAMES


def _installed() -> Iterator[Game]:
    for entry in entry_points(group=GROUP):
        try:
            yield from entry.load().GAMES
        except (ImportError, AttributeError) as error:
            raise RegistryError(f"the installed game {entry.name!r} cannot be loaded: {error}") from error


def _check(games: Iterable[Game]) -> None:
    """Whether each game has a name and fiducials of its own; games of one folder may share a board."""
    for game in games:
        if game.fiducials.start not in FIDUCIAL_IDS or game.fiducials[-1] not in FIDUCIAL_IDS:
            raise RegistryError(f"the fiducials of {game.name} must be within 0 to {FIDUCIAL_IDS[-1]}")
    for one, other in combinations(games, 2):
        if one.name == other.name:
            raise RegistryError(f"there are two games called {one.name!r}: take one of them away")
        if one.package != other.package and not set(one.fiducials).isdisjoint(other.fiducials):
            raise RegistryError(
                f"the boards of {one.name} and {other.name} have the same fiducials: take one game away, or give its"
                " board ids that are free (magister.free_fiducials)"
            )
