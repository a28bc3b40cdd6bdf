"""The registry: which games there are, and that their boards can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from types import SimpleNamespace

import pytest

from engine import registry
from engine.board import FIDUCIAL_IDS
from engine.core import Game
from engine.registry import RegistryError, all_games, find_game, forget, free_fiducials, register, unregister

FROZEN = {
    "dimenticato": range(25, 37),
    "memento-ludis": range(13),
    "memento-tuos": range(13),
    "rings": range(13, 25),
    "triominos": range(37, 49),
}
"""What is printed and lies on tables."""


class Elsewhere(find_game("rings").make):  # type: ignore[misc]
    """Rules that are in another folder."""


@pytest.fixture
def newcomer() -> Game:
    return replace(find_game("rings"), name="newcomer", make=Elsewhere, fiducials=free_fiducials(6))


@pytest.fixture(autouse=True)
def _afresh() -> Iterator[None]:
    yield
    forget()


def test_boards_keep_their_fiducials() -> None:
    assert {game.name: game.fiducials for game in all_games()} == FROZEN


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_board_has_the_fiducials_that_its_game_claims(game: Game) -> None:
    used = [{mark.id for mark in game.board(players).fiducials} for players in game.seats]
    assert set().union(*used) == set(game.fiducials)


def test_a_registered_game_is_there_until_it_is_taken_away(newcomer: Game) -> None:
    register(newcomer)
    try:
        assert find_game("newcomer") is newcomer
        assert free_fiducials(6).start == newcomer.fiducials.stop
    finally:
        unregister(newcomer)
    assert newcomer not in all_games()


def test_free_fiducials_are_nobodys_and_there_is_an_end_of_them() -> None:
    assert free_fiducials(12) == range(49, 61)
    assert free_fiducials(FIDUCIAL_IDS.stop - 49).stop == FIDUCIAL_IDS.stop
    with pytest.raises(RegistryError, match="no 202 fiducials in a row left"):
        free_fiducials(202)


def test_a_game_with_fiducials_of_another_is_refused(newcomer: Game) -> None:
    with pytest.raises(RegistryError, match="triominos and newcomer"):
        register(replace(newcomer, fiducials=range(48, 54)))
    with pytest.raises(RegistryError, match="within 0 to 249"):
        register(replace(newcomer, fiducials=range(245, 251)))
    with pytest.raises(RegistryError, match="two games called 'rings'"):
        register(replace(newcomer, name="rings"))
    assert len(all_games()) == len(FROZEN)


def test_installed_packages_bring_games(newcomer: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    brought = SimpleNamespace(name="new", load=lambda: SimpleNamespace(GAMES=(newcomer,)))
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [brought] if group == "magister.games" else [])
    forget()
    assert find_game("newcomer") is newcomer


def test_an_installed_package_that_does_not_load_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = metadata.EntryPoint("broken", "no_such_package", "magister.games")
    monkeypatch.setattr(registry, "entry_points", lambda *, group: [broken])
    forget()
    with pytest.raises(RegistryError, match="'broken' cannot be loaded"):
        all_games()
