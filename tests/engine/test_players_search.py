"""Looking ahead: wins at once are found, losses at once stopped, and nobody peeks."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from midgames import midgames

from engine.core import Action, Game, Position
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.players.hidden import ponder, worlds
from engine.players.levels import LEVELS, decide, find_level
from engine.players.search import SURE, WIN, think
from engine.registry import all_games, find_game

TABLES = [
    pytest.param(game, variant, players, id=f"{game.name}-{variant}-{players}")
    for game in all_games()
    for variant in (game.variants or (None,))
    for players in game.seats
]
ENOUGH = 20
"""Wins, and losses that can be stopped, of each game."""
OPEN = [("memento-tuos", "original"), ("memento-tuos", "complex"), ("rings", None)]


def wins(position: Position) -> list[Action]:
    """By trying everything."""
    return [
        action
        for action in position.legal()
        if (outcome := position.after(action).outcome) is not None and outcome.winners == (position.seat,)
    ]


def is_stopped(position: Position, action: Action) -> bool:
    """Whether nobody can win with the very next action."""
    after = position.after(action)
    return after.outcome is None and not wins(after)


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_a_win_is_known_exactly_where_trying_everything_finds_one(
    game: Game, variant: str | None, players: int
) -> None:
    rules = game.configure(variant)
    for seed in range(3):
        for *_, position in midgames(rules, players, seed, 60):
            for seat in range(players):
                if position.turned_to(seat).legal() and not getattr(position, "is_out", lambda _: False)(seat):
                    asked = position.turned_to(seat)
                    found, expected = rules.winning(asked), wins(asked)
                    assert found in expected if expected else found is None, (str(found), position.setup())


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize(("name", "variant"), OPEN)
def test_wins_at_once_are_found_and_losses_at_once_stopped(name: str, variant: str | None, players: int) -> None:
    """With the fewest nodes there are, so that more can only help."""
    rules = find_game(name).configure(variant)
    won = stopped = 0
    for seed in range(100, 140):
        if min(won, stopped) == ENOUGH:
            return
        for *_, position in midgames(rules, players, seed, 120):
            at_once = wins(position) if rules.winning(position) else []
            following = position.turned_to(((position.seat or 0) + 1) % players)
            if (won if at_once else stopped) >= ENOUGH or not (at_once or rules.winning(following)):
                continue
            safe = [] if at_once else [action for action in position.legal() if is_stopped(position, action)]
            for nodes in (1, 300) if at_once or safe else ():
                choice = think(position, random=Random(seed), nodes=nodes).best
                assert choice.action in (at_once or safe), (str(choice.action), nodes, position.setup())
            won, stopped = won + bool(at_once), stopped + bool(safe)
    pytest.fail(f"only {won} wins and {stopped} losses were met")


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_same_seed_and_nodes_give_the_same_thought(game: Game) -> None:
    rules = game.configure()
    *_, last = midgames(rules, 2, 5, 24)
    *before, position = last
    first, again = (ponder(position, earlier=before, random=Random(8), nodes=900) for _ in range(2))
    assert first == again
    assert {str(scored.action) for scored in first.ranked} >= {str(first.best.action)}
    assert [scored.value for scored in first.ranked] == sorted((s.value for s in first.ranked), reverse=True)


def test_a_search_keeps_to_its_nodes_and_stops_when_told() -> None:
    *_, last = midgames(find_game("rings").configure(), 2, 5, 24)
    position = last[-1]
    actions = len(position.legal())
    few = think(position, random=Random(0), nodes=500)
    assert max(actions, 500) <= few.nodes <= max(actions, 500) + 1
    told: list[int] = []

    def stop() -> bool:
        told.append(1)
        return len(told) == 3

    stopped = think(position, random=Random(0), nodes=10**9, stop=stop)
    assert stopped.nodes < 3 * 64 + actions + 64
    assert {scored.action for scored in stopped.ranked} == set(position.legal())


def test_more_nodes_look_deeper_and_a_forced_win_is_told() -> None:
    rules = find_game("memento-tuos").configure()
    # Red threatens the triangle T with two entries and the middles with one step: yellow, far away, cannot stop both.
    setup = {
        "sites": {"T7": "red1", "L7": "red1", "I7": "red1", "R4": "red2", "T4": "red1", "L1": "yellow1"},
        "seat": 0,
    }
    position = rules.start(2, setup)
    thought = think(position, random=Random(1), nodes=20_000)
    assert thought.best.value >= SURE
    assert rules.winning(position) is not None
    assert think(position, random=Random(1), nodes=1).best.value == WIN - 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("memory", [0, 3])
def test_nobody_peeks_under_a_figure(players: int, memory: int) -> None:
    rules = find_game("dimenticato").configure()
    changed = 0
    for seed in range(3):
        for *before, position in list(midgames(rules, players, seed, 40))[25::5]:
            earlier = before[len(before) - memory :]
            other = rules.recall(position, earlier, position.seat or 0, Random(seed + 50))
            assert isinstance(other, DimenticatoPosition)
            disguised = [replace(each, dice=other.dice) for each in earlier if isinstance(each, DimenticatoPosition)]
            assert other.view(position.seat) == position.view(position.seat)
            changed += other != position
            for level in LEVELS[:3]:
                chosen, _ = decide(level, position, earlier, Random(9))
                assert decide(level, other, disguised, Random(9))[0] == chosen
    assert changed >= 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_peeks_into_a_rack(players: int) -> None:
    rules = find_game("triominos").configure()
    changed = 0
    for seed in range(2):
        for *_, position in list(midgames(rules, players, seed, 30))[4::8]:
            other = position.redeal(position.seat, Random(seed + 50))
            changed += other != position
            for level in LEVELS[:3]:
                chosen, _ = decide(level, position, (), Random(9))
                assert decide(level, other, (), Random(9))[0] == chosen
    assert changed >= 3


def test_who_remembers_everything_knows_every_number() -> None:
    rules = find_game("dimenticato").configure()
    *_, last = midgames(rules, 2, 1, 40)
    *before, position = last
    assert position.seat is not None
    assert [world for world, _ in worlds(position, before, position.seat, Random(0))] == [position]
    assert len(worlds(position, (), position.seat, Random(0))) > 1


def test_a_wrong_number_is_a_wrong_call() -> None:
    rules = find_game("dimenticato").configure()
    for *_, position in midgames(rules, 2, 1, 60):
        calls = [action for action in position.legal() if ":" in str(action) and not str(action).endswith("?")]
        for action in calls:
            text = str(action)
            origin, number, rest = text[: text.index(":")], int(text[text.index(":") + 1]), text[text.index(":") + 2 :]
            wrong = rules.parse(f"{origin}:{number % 6 + 1}{rest}")
            assert str(rules.attempt(position, wrong)) == f"{origin}:?"
            assert rules.attempt(position, action) == action


def test_levels_have_names_and_numbers() -> None:
    assert [find_level(str(level.number)) for level in LEVELS] == list(LEVELS)
    assert find_level("magister") is LEVELS[-1]
    with pytest.raises(LookupError, match="unknown level '6'"):
        find_level("6")
