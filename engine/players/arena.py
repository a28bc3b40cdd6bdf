"""Matches of players against each other, and the ratings that follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from random import Random

from engine.core import Action, Outcome, Position, Rules
from engine.players.levels import Level, decide

Strategy = Callable[[Position, Sequence[Position], Random], Action]
"""What a player does in a position, having seen the earlier ones."""
CAP = 300
"""Actions after which a match counts as drawn: the games themselves have no draws."""
SURE = 1.96
"""Standard deviations for a 95 % interval."""


@dataclass(frozen=True)
class Result:
    """How one match went; seats are those of the table."""

    outcome: Outcome | None
    plies: int

    def score(self, seat: int, players: int) -> float:
        """One for a win, divided among shared winners; an unfinished match is divided among all."""
        if self.outcome is None:
            return 1 / players
        winners = self.outcome.winners
        return 1 / len(winners) if seat in winners else 0.0


def at_random(position: Position, _: Sequence[Position], random: Random) -> Action:
    """Any legal action, each as likely as any other."""
    return random.choice(position.legal())


def of_level(level: Level) -> Strategy:
    """A player of this level."""

    def play(position: Position, earlier: Sequence[Position], random: Random) -> Action:
        action, _ = decide(level, position, earlier, random)
        return position.rules.attempt(position, action)

    return play


def play_match(rules: Rules, seats: Sequence[Strategy], seed: int, cap: int = CAP) -> Result:
    """One match; the same seed gives the same match."""
    chance = Random(seed)
    position = rules.start(len(seats), rules.deal(len(seats), chance))
    earlier: list[Position] = []
    while position.outcome is None and len(earlier) < cap:
        assert position.seat is not None
        action = seats[position.seat](position, earlier, Random(chance.random()))
        earlier.append(position)
        position = position.after(action)
    return Result(position.outcome, len(earlier))


def wilson(score: float, count: int) -> tuple[float, float]:
    """The 95 % interval of the true share if `score` of `count` were counted."""
    share, spread = score / count, SURE * SURE / count
    centre = (share + spread / 2) / (1 + spread)
    reach = sqrt(share * (1 - share) * spread + spread * spread / 4) / (1 + spread)
    return max(0.0, centre - reach), min(1.0, centre + reach)


@dataclass(frozen=True)
class Rating:
    """Elo points above the first player, and their uncertainty."""

    points: float
    within: float


def elo(scores: Mapping[tuple[int, int], tuple[float, float]], players: int) -> list[Rating]:
    """The likeliest ratings for these scores of pairs (what the first scored, what the second scored).

    One win each way is added to every pair that met, so that a clean sweep gives a finite number.
    """
    met = {pair: (one + 0.5, other + 0.5) for pair, (one, other) in scores.items()}
    strength = [0.0] * players
    for _ in range(200):
        slope, bend = _slopes(met, strength)
        step = _solve([row[1:] for row in bend[1:]], slope[1:])
        strength = [0.0, *(now + max(-1.0, min(1.0, by)) for now, by in zip(strength[1:], step, strict=True))]
        if max(map(abs, step), default=0.0) < 1e-9:
            break
    bend = _slopes(met, strength)[1]
    rest = [row[1:] for row in bend[1:]]
    points = 400 / log(10)
    unit = [[float(row == column) for row in range(players - 1)] for column in range(players - 1)]
    spread = [sqrt(max(_solve(rest, each)[place], 0.0)) for place, each in enumerate(unit)]
    pairs = zip(strength[1:], spread, strict=True)
    return [Rating(0.0, 0.0), *(Rating(points * value, points * SURE * error) for value, error in pairs)]


def _slopes(
    met: Mapping[tuple[int, int], tuple[float, float]], strength: Sequence[float]
) -> tuple[list[float], list[list[float]]]:
    """How the likelihood changes with each strength, and how that changes."""
    size = len(strength)
    slope, bend = [0.0] * size, [[0.0] * size for _ in range(size)]
    for (one, other), (won, lost) in met.items():
        expected = 1 / (1 + exp(strength[other] - strength[one]))
        surplus, weight = won - (won + lost) * expected, (won + lost) * expected * (1 - expected)
        slope[one] += surplus
        slope[other] -= surplus
        for row, column, sign in ((one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1)):
            bend[row][column] += sign * weight
    return slope, bend


def _solve(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """A small system of linear equations."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for place in range(size):
        pivot = max(range(place, size), key=lambda row: abs(rows[row][place]))
        rows[place], rows[pivot] = rows[pivot], rows[place]
        for row in range(size):
            if row != place and rows[row][place]:
                factor = rows[row][place] / rows[place][place]
                rows[row] = [value - factor * other for value, other in zip(rows[row], rows[place], strict=True)]
    return [rows[place][size] / rows[place][place] for place in range(size)]
