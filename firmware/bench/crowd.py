"""Three players: one that assumes all others play together against it, and one that uses max^n.

Both have the same nodes, the same worth of a position and the same look for wins at once; they differ only in what they
expect of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from random import Random

from engine.core import Action, Position, Rules
from engine.players.arena import Strategy, play_match, wilson
from engine.players.search import think
from engine.registry import find_game
from firmware.bench import Row
from firmware.bench.rigs.tables import followed

SEATS = 3
NODES = 600
ROUNDS = 8
WIN = 1_000_000
Worths = tuple[int, ...]


def measure() -> list[Row]:
    rows = []
    for name in followed():
        score, matches = meet(find_game(name).configure(), ROUNDS)
        low, high = wilson(score, matches)
        told = f"({low:.3f} to {high:.3f}, {matches} matches, one against two; even: {1 / SEATS:.3f})"
        rows.append(Row(what=f"{name} for {SEATS}: score against max^n", value=score / matches, unit=told))
    return rows


def meet(rules: Rules, rounds: int) -> tuple[float, int]:
    """One of ours against two of the others, from every seat."""
    score = 0.0
    for seed in range(rounds):
        for seat in range(SEATS):
            seats: list[Strategy] = [everybody_for_himself] * SEATS
            seats[seat] = all_against_one
            score += play_match(rules, seats, seed).score(seat, SEATS)
    return score, rounds * SEATS


def all_against_one(position: Position, earlier: Sequence[Position], random: Random) -> Action:
    return think(position, random=random, nodes=NODES, shun=[each.key() for each in earlier]).best.action


class _EnoughError(Exception):
    """There are no nodes left."""


def everybody_for_himself(position: Position, earlier: Sequence[Position], random: Random) -> Action:
    """Max^n by iterative deepening: nothing can be cut, because what is bad for one may be good for another."""
    seat = position.seat
    assert seat is not None
    shun = {each.key() for each in earlier}
    actions = list(position.legal())
    random.shuffle(actions)
    left = [NODES]
    for depth in count():
        values: list[int] = []
        try:
            for action in actions:
                after = position.after(action)
                values.append(_worths(after, depth, left if depth else [NODES])[seat] - 30 * (after.key() in shun))
        except _EnoughError:
            break
        order = sorted(range(len(actions)), key=lambda index: -values[index])
        actions = [actions[index] for index in order]
        if depth >= 6:
            break
    return actions[0]


def _worths(position: Position, depth: int, left: list[int]) -> Worths:
    """What the position is worth to each seat, less what it is worth to the others."""
    if position.outcome is not None:
        return _won(position, position.outcome.winners[0], depth)
    left[0] -= 1
    if left[0] < 0:
        raise _EnoughError
    seat = position.seat
    assert seat is not None
    if position.rules.winning(position) is not None:
        return _won(position, seat, depth)
    if depth == 0:
        worth = position.rules.worth(position)
        total = sum(worth)
        return tuple(len(worth) * each - total for each in worth)
    return max(
        (_worths(position.after(action), depth - 1, left) for action in position.legal()), key=lambda each: each[seat]
    )


def _won(position: Position, winner: int, depth: int) -> Worths:
    return tuple(WIN + depth if seat == winner else -WIN - depth for seat in range(position.players))
