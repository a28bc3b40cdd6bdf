"""How fast the rules are, beside python-chess: both generate every action and apply every one they count."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING

from engine.core import Position, Rules
from engine.registry import all_games, find_game
from firmware.bench import Row
from firmware.machine.errors import UsageError

if TYPE_CHECKING:
    import chess

ROUNDS = 9
"""Ours and the reference are measured in turn this often, and the best of each counts: these machines are noisy."""
PLAYOUTS = 20
PLAYOUT_PLIES = 150
LEGAL_GOAL_MS = 2.0


def measure() -> list[Row]:
    try:
        import chess
    except ImportError as error:
        raise UsageError("this benchmark needs python-chess: run make test once, or pip install chess") from error
    memento = find_game("memento-tuos").configure().start(2, {})
    # After a first figure there are about as many sequences of two as chess has of three: both work equally long.
    begun = [memento.after(first) for first in memento.legal()]
    perft, chess_perft = _in_turn(lambda number: _walk(begun[number], 2), lambda _: _chess_walk(chess.Board(), 3))
    plies, chess_plies = _in_turn(
        lambda number: _playouts(memento, number), lambda number: _chess_playouts(chess.Board, number)
    )
    rows = [
        Row(what="perft nodes/s", value=perft, reference=chess_perft, of="python-chess", goal=1.0),
        Row(what="random playout plies/s", value=plies, reference=chess_plies, of="python-chess", goal=1.0),
    ]
    for game in all_games():
        millis = _legal_millis(game.configure())
        rows.append(Row(what=f"legal() of {game.name}", value=millis, unit="ms", goal=LEGAL_GOAL_MS, at_most=True))
    return rows


def _in_turn(ours: Callable[[int], int], reference: Callable[[int], int]) -> tuple[float, float]:
    """Counts per second of both; each work is told which round it is, so that no match is played twice."""
    best = [0.0, 0.0]
    for number in range(ROUNDS):
        for which, work in enumerate((ours, reference)):
            start = perf_counter()
            count = work(number)
            best[which] = max(best[which], count / (perf_counter() - start))
    return best[0], best[1]


def _walk(position: Position, depth: int) -> int:
    """Every sequence of this length played out: each action generated, and applied."""
    if depth == 0:
        return 1
    count = 0
    for action in position.legal():
        count += _walk(position.after(action), depth - 1)
    return count


def _chess_walk(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += _chess_walk(board, depth - 1)
        board.pop()
    return count


def _playouts(start: Position, seed: int) -> int:
    dice, plies = Random(seed), 0
    for _ in range(PLAYOUTS):
        position = start
        for _ in range(PLAYOUT_PLIES):
            actions = position.legal()
            if not actions:
                break
            position = position.after(dice.choice(actions))
            plies += 1
    return plies


def _chess_playouts(start: Callable[[], chess.Board], seed: int) -> int:
    dice, plies = Random(seed), 0
    for _ in range(PLAYOUTS):
        board = start()
        for _ in range(PLAYOUT_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(dice.choice(moves))
            plies += 1
    return plies


def _legal_millis(rules: Rules) -> float:
    """Mean time of `legal()` over the positions of random matches from the tenth ply on, none asked twice."""
    dice, seconds, calls = Random(rules.game.name), 0.0, 0
    for _ in range(PLAYOUTS // 2):
        position = rules.start(2, rules.deal(2, dice))
        for ply in range(PLAYOUT_PLIES):
            start = perf_counter()
            actions = position.legal()
            if ply >= 10:
                seconds += perf_counter() - start
                calls += 1
            if not actions:
                break
            position = position.after(dice.choice(actions))
    return 1000 * seconds / calls
