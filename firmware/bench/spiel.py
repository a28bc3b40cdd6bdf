"""Our search against OpenSpiel's (UCT, random rollouts) on our positions, both with the same time per action.

Time is that of the processor, so that whatever else runs here disturbs neither; ours gets for every action as much as
the other has just taken for its last.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from time import process_time
from typing import Any

from engine.core import Action, Position, Rules
from engine.players.arena import wilson
from engine.players.search import think
from engine.registry import find_game
from firmware.bench import Row
from firmware.machine.errors import UsageError

GAMES = {"memento-tuos": 3, "rings": 12}
"""Simulations that the other gets for an action: about a tenth of a second."""
MATCHES = 200
CAP = 300
GOAL = 0.8
EXPLORATION = 2.0
"""OpenSpiel's usual constant of UCT."""
FIRST = 0.05
"""Seconds for our action when the other has not acted yet."""


def measure() -> list[Row]:
    rows: list[Row] = []
    for name, simulations in GAMES.items():
        tally = Meetings()
        rules = find_game(name).configure()
        for number in range(MATCHES):
            tally.add(meet(rules, simulations, number))
        rows += tally.rows(name)
    return rows


@dataclass(frozen=True)
class Meeting:
    """One match: what we scored, and how long each side thought about its actions."""

    score: float
    ours: tuple[float, ...]
    theirs: tuple[float, ...]


class Meetings:
    """All matches of one game."""

    def __init__(self) -> None:
        self.meetings: list[Meeting] = []

    def add(self, meeting: Meeting) -> None:
        self.meetings.append(meeting)

    def rows(self, name: str) -> list[Row]:
        score, count = sum(meeting.score for meeting in self.meetings), len(self.meetings)
        low, high = wilson(score, count)
        ours = [seconds for meeting in self.meetings for seconds in meeting.ours]
        theirs = [seconds for meeting in self.meetings for seconds in meeting.theirs]
        told = f"({low:.3f} to {high:.3f}, {count} matches)"
        mean, reference = sum(ours) / len(ours), sum(theirs) / len(theirs)
        return [
            Row(what=f"{name}: score against OpenSpiel's MCTS", value=score / count, unit=told, goal=GOAL),
            Row(what=f"{name}: seconds an action", value=mean, reference=reference, of="OpenSpiel's MCTS"),
        ]


def meet(rules: Rules, simulations: int, number: int) -> Meeting:
    """One match; we begin in every other one."""
    we = number % 2
    choose = _other(simulations, number)
    position, plies, seen = rules.start(2, rules.deal(2, Random(number))), 0, set[Hashable]()
    times: tuple[list[float], list[float]] = ([], [])
    while position.outcome is None and plies < CAP:
        start = process_time()
        if position.seat == we:
            action = _ours(position, start + (times[1][-1] if times[1] else FIRST), number, seen)
        else:
            action = choose(position)
        times[position.seat != we].append(process_time() - start)
        position = position.after(action)
        seen.add(position.key())
        plies += 1
    score = 0.5 if position.outcome is None else float(position.outcome.winners == (we,))
    return Meeting(score, tuple(times[0]), tuple(times[1]))


def _ours(position: Position, until: float, seed: int, seen: set[Hashable]) -> Action:
    stop = _at(until)
    return think(position, random=Random(seed), nodes=1 << 40, stop=stop, shun=seen).best.action


def _at(until: float) -> Callable[[], bool]:
    return lambda: process_time() >= until


def _other(simulations: int, seed: int) -> Callable[[Position], Action]:
    """OpenSpiel's search as it comes: UCT that proves wins, one random rollout to the end a simulation."""
    try:
        import numpy

        pyspiel, mcts = map(import_module, ("pyspiel", "open_spiel.python.algorithms.mcts"))
    except ImportError as error:
        raise UsageError("this benchmark needs OpenSpiel: run make test once, or pip install open-spiel") from error
    random = numpy.random.RandomState(seed)
    evaluator = mcts.RandomRolloutEvaluator(1, random)
    kind = _Kind(pyspiel.GameType.RewardModel.TERMINAL, pyspiel.GameType.Dynamics.SEQUENTIAL)
    bot = mcts.MCTSBot(_Game(kind), EXPLORATION, simulations, evaluator, solve=True, random_state=random)

    def choose(position: Position) -> Action:
        number: int = bot.step(State(position))
        return position.legal()[number]

    return choose


# What OpenSpiel's search asks of a game and its states, and no more: through the whole of its interface every step of
# a rollout would cost it several times as long.


@dataclass(frozen=True)
class _Kind:
    reward_model: Any
    dynamics: Any


@dataclass(frozen=True)
class _Game:
    kind: _Kind

    def get_type(self) -> _Kind:
        return self.kind

    def max_utility(self) -> float:
        return 1.0


@cache
def _numbers(count: int) -> Any:  # noqa: ANN401 - see `legal_actions`
    import numpy

    return numpy.arange(count)


class State:
    """A position whose actions are numbers; it changes, as OpenSpiel's do."""

    __slots__ = ("_actions", "position")

    def __init__(self, position: Position) -> None:
        self.position = position
        self._actions: Sequence[Action] | None = None

    def clone(self) -> State:
        return State(self.position)

    def is_terminal(self) -> bool:
        return self.position.outcome is not None

    def is_chance_node(self) -> bool:
        return False

    def current_player(self) -> int:
        return -4 if self.position.seat is None else self.position.seat

    def legal_actions(self, _: int | None = None) -> Any:  # noqa: ANN401 - an array of numbers
        if self._actions is None:
            self._actions = self.position.legal()
        # An array, made once for every length: what its rollouts draw from, and much faster so than a list.
        return _numbers(len(self._actions))

    def apply_action(self, number: int) -> None:
        actions = self.position.legal() if self._actions is None else self._actions
        self.position, self._actions = self.position.after(actions[number]), None

    def returns(self) -> list[float]:
        outcome = self.position.outcome
        if outcome is None:
            return [0.0] * self.position.players
        return [1.0 if seat in outcome.winners else -1.0 for seat in range(self.position.players)]
