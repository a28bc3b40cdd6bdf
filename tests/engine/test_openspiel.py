"""OpenSpiel's own simulation test over our games of open information: another project's idea of a sound game."""

from __future__ import annotations

from random import Random

import pyspiel
import pytest

from engine.core import Game, Position
from engine.registry import all_games
from engine.trace import legal_texts

CAP = 60
"""Plies after which a match counts as drawn here, because OpenSpiel wants every game to end."""
SIMULATIONS = 1
OPEN_GAMES = [game for game in all_games() if game.configure().deal(2, Random(0)) == {}]


class Numbers:
    """OpenSpiel's actions are numbers: a text gets the next free one when it is first met."""

    LIMIT = 1 << 18

    def __init__(self) -> None:
        self.of: dict[str, int] = {}
        self.text: list[str] = []

    def __call__(self, text: str) -> int:
        if text not in self.of:
            self.of[text] = len(self.text)
            self.text.append(text)
        return self.of[text]


def game_type(game: Game, variant: str | None, players: int) -> pyspiel.GameType:
    return pyspiel.GameType(
        short_name=f"magister_{game.name}_{variant}_{players}".replace("-", "_"),
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """One of our games with its number of players."""

    kind: pyspiel.GameType
    start: Position
    numbers: Numbers

    def __init__(self, params: object = None) -> None:
        players = self.start.players
        facts = pyspiel.GameInfo(
            num_distinct_actions=Numbers.LIMIT,
            max_chance_outcomes=0,
            num_players=players,
            min_utility=-1.0,
            max_utility=float(players - 1),
            utility_sum=0.0,
            max_game_length=CAP,
        )
        super().__init__(self.kind, facts, {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """One of our positions."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.numbers = game.numbers
        self.position: Position = game.start
        self.ply = 0

    def current_player(self) -> int:
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.seat or 0

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.numbers(text) for text in legal_texts(self.position))

    def _apply_action(self, action: int) -> None:
        self.position = self.position.play(self.position.rules.parse(self.numbers.text[action]))
        self.ply += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return self.numbers.text[action]

    def is_terminal(self) -> bool:
        return self.position.outcome is not None or self.ply >= CAP

    def returns(self) -> list[float]:
        players, outcome = self.position.players, self.position.outcome
        if outcome is None:
            return [0.0] * players
        return [players - 1.0 if seat in outcome.winners else -1.0 for seat in range(players)]

    def __str__(self) -> str:
        return f"{self.ply}\n{self.position.draw()}"


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    ("game", "variant"), [(game, variant) for game in OPEN_GAMES for variant in (game.variants or (None,))]
)
def test_open_spiel_finds_the_game_sound(game: Game, variant: str | None, players: int) -> None:
    kind = game_type(game, variant, players)
    start = game.configure(variant).start(players, {})
    # A class, as OpenSpiel's own games do: it outlives the interpreter's end, a function would not.
    pyspiel.register_game(
        kind, type(kind.short_name, (SpielGame,), {"kind": kind, "start": start, "numbers": Numbers()})
    )
    loaded = pyspiel.load_game(kind.short_name)
    pyspiel.random_sim_test(loaded, num_sims=SIMULATIONS, serialize=True, verbose=False)


def test_the_games_of_open_information_are_meant() -> None:
    assert {game.name for game in OPEN_GAMES} == {"memento-tuos", "memento-ludis", "rings"}
