"""Search: alpha-beta with iterative deepening, for any position without hidden information.

One player thinks against all others together ("paranoid"): with two players that is the usual game of two sides, with
more it is the one assumption that lets branches be cut as soon as they are refuted. A search takes a number of nodes
and a source of chance and always gives the same answer for both; it can be told to stop at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator
from dataclasses import dataclass
from random import Random

from engine.core import Action, Outcome, Position

WIN = 1_000_000
"""The value of an immediate win; a later one is worth one less per action."""
SURE = WIN - 1_000
"""A value beyond this, either way, is a proven win or loss."""
DEEPEST = 40
EARLY = 6
"""This many of the likeliest actions are searched at full depth; the others first one less."""
STORED = 1 << 18
"""Size of the transposition table before it is cleared."""
ALARM = 120
"""An action that loses this much when searched one deeper was a mistake."""
SHUNNED = 30
"""The penalty for repeating a position, so that a player who is ahead makes progress."""


@dataclass(frozen=True, slots=True)
class Scored:
    """An action and its worth to the player to move."""

    action: Action
    value: int
    line: tuple[Action, ...] = ()
    """What is expected to follow."""


@dataclass(frozen=True, slots=True)
class Thought:
    """The result of a search: every legal action, the best one first."""

    seat: int
    ranked: tuple[Scored, ...]
    depth: int
    """The depth that was searched completely."""
    nodes: int

    @property
    def best(self) -> Scored:
        return self.ranked[0]


def never() -> bool:
    """Never asks the search to stop."""
    return False


class _StopError(Exception):
    """The budget is used up, or the search was asked to stop."""


def think(
    position: Position,
    *,
    random: Random,
    nodes: int,
    depth: int = DEEPEST,
    stop: Callable[[], bool] = never,
    shun: Collection[Hashable] = (),
    only: Action | None = None,
) -> Thought:
    """The legal actions by their worth. However small the budget, immediate wins and losses are found.

    `shun` holds keys of positions that were on the table before: coming back to them is worth a little less. With
    `only` nothing but this action is weighed.
    """
    assert position.seat is not None
    actions = list(position.legal()) if only is None else [only]
    random.shuffle(actions)
    return _Search(position.seat, nodes, stop, frozenset(shun)).deepen(position, actions, depth, alone=only is not None)


_EXACT, _AT_LEAST, _AT_MOST = range(3)


def _decides(value: int, kind: int, alpha: int, beta: int) -> bool:
    """Whether a stored value, exact or a bound, is enough between alpha and beta."""
    return kind == _EXACT or (value >= beta if kind == _AT_LEAST else value <= alpha)


_Entry = tuple[int, int, int, Action | None]
"""Depth, value, which of the three kinds it is, and the best action."""


class _Search:
    """One search: its budget and what it remembers."""

    def __init__(self, seat: int, nodes: int, stop: Callable[[], bool], shun: frozenset[Hashable]) -> None:
        self.seat, self.limit, self.stop, self.shun = seat, nodes, stop, shun
        self.nodes = 0
        self.stored: dict[Hashable, _Entry] = {}
        self.killers: list[list[Action]] = [[] for _ in range(DEEPEST + 2)]
        self.counting = False

    def deepen(self, position: Position, actions: list[Action], depth: int, alone: bool) -> Thought:
        children = [(action, position.after(action)) for action in actions]
        values = [self._first(child) for _, child in children]
        order = sorted(range(len(children)), key=lambda index: -values[index])
        self.counting = True
        reached = 1
        while reached < min(depth, DEEPEST) and (alone or len(order) > 1) and abs(values[order[0]]) < SURE:
            try:
                self._deeper(children, values, order, reached)
            except _StopError:
                break
            finally:
                order.sort(key=lambda index: -values[index])
            reached += 1
        ranked = tuple(Scored(children[index][0], values[index], self._line(children[index][1])) for index in order)
        return Thought(self.seat, ranked, reached, self.nodes)

    def _first(self, child: Position) -> int:
        value = self._value(child, 0, -WIN, WIN, 1)
        return value - SHUNNED if child.key() in self.shun and abs(value) < SURE else value

    def _deeper(self, children: list[tuple[Action, Position]], values: list[int], order: list[int], depth: int) -> None:
        """Search one action deeper: the best one exactly, the others only for whether they are better."""
        best, was = -WIN, [*values]
        for place, index in enumerate(order):
            if was[index] <= -SURE:
                break  # this one and all after it lose at once
            child = children[index][1]
            price = SHUNNED if child.key() in self.shun else 0
            if child.outcome is not None:
                value = was[index]
            elif place == 0:
                value = self._value(child, depth, -WIN, WIN, 1) - price
            else:
                reduced = depth - (place >= EARLY)
                value = self._value(child, reduced, best + price, best + price + 1, 1) - price
                if value > best:
                    value = self._value(child, depth, best + price, WIN, 1) - price
            # Of what is not better only a bound is known: it ranks below the best.
            values[index] = value if value > best else min(value, best - 1)
            best = max(best, value)
            if place == 0 and was[index] - value < ALARM:
                # Less deeply searched actions must not outrank it, unless it turned out to be a mistake.
                for later in order[1:]:
                    values[later] = min(values[later], best - 1)

    def _value(self, position: Position, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The worth of a position to the searching player, within alpha and beta."""
        if position.outcome is not None:
            return self._final(position.outcome, ply)
        self._count()
        mine = position.seat == self.seat
        rules = position.rules
        if rules.winning(position) is not None:
            return WIN - ply - 1 if mine else ply + 1 - WIN
        if depth <= 0:
            return self._static(position)
        key = position.key()
        known = self.stored.get(key)
        if known is not None and known[0] >= depth and _decides(known[1], known[2], alpha, beta):
            return known[1]
        value, best = self._search(position, mine, depth, alpha, beta, ply, known[3] if known else None)
        if len(self.stored) >= STORED:
            self.stored.clear()
        kind = _AT_MOST if value <= alpha else _AT_LEAST if value >= beta else _EXACT
        self.stored[key] = (depth, value, kind, best)
        return value

    def _search(
        self, position: Position, mine: bool, depth: int, alpha: int, beta: int, ply: int, first: Action | None
    ) -> tuple[int, Action | None]:
        best = -WIN if mine else WIN
        best_action: Action | None = None
        for place, (action, child) in enumerate(self._ordered(position, mine, depth, ply, first)):
            value = self._probe(child, mine, place, depth - 1, alpha, beta, ply + 1)
            if mine:
                if value > best:
                    best, best_action = value, action
                    alpha = max(alpha, value)
            elif value < best:
                best, best_action = value, action
                beta = min(beta, value)
            if alpha >= beta:
                self._remember(action, ply)
                break
        return best, best_action

    def _probe(self, child: Position, mine: bool, place: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Late actions are first searched less deeply, only for whether they beat the best one so far."""
        if place and beta - alpha > 1 and depth > 0:
            low, high = (alpha, alpha + 1) if mine else (beta - 1, beta)
            value = self._value(child, depth - (place >= EARLY), low, high, ply)
            if value <= alpha if mine else value >= beta:
                return value
        elif place >= EARLY and depth > 0:
            value = self._value(child, depth - 1, alpha, beta, ply)
            if value <= alpha if mine else value >= beta:
                return value
        return self._value(child, depth, alpha, beta, ply)

    def _ordered(
        self, position: Position, mine: bool, depth: int, ply: int, first: Action | None
    ) -> Iterator[tuple[Action, Position]]:
        """The actions, likely refutations first."""
        actions = list(position.legal())
        for favourite in (first, *self.killers[ply]):
            if favourite is not None and favourite in actions:
                actions.remove(favourite)
                yield favourite, position.after(favourite)
        if depth == 1:
            for action in actions:
                yield action, position.after(action)
            return
        children = [(action, position.after(action)) for action in actions]
        children.sort(key=lambda each: self._rough(each[1], ply), reverse=mine)
        yield from children

    def _rough(self, child: Position, ply: int) -> int:
        return self._static(child) if child.outcome is None else self._final(child.outcome, ply)

    def _remember(self, action: Action, ply: int) -> None:
        killers = self.killers[ply]
        if action not in killers:
            self.killers[ply] = [action, *killers[:1]]

    def _static(self, position: Position) -> int:
        worth = position.rules.worth(position)
        seat = self.seat
        if len(worth) == 2:
            return worth[seat] - worth[1 - seat]
        return len(worth) * worth[seat] - sum(worth)

    def _final(self, outcome: Outcome, ply: int) -> int:
        if outcome.winners == (self.seat,):
            return WIN - ply
        return 0 if self.seat in outcome.winners else ply - WIN

    def _count(self) -> None:
        self.nodes += 1
        if self.counting and (self.nodes >= self.limit or (self.nodes % 64 == 0 and self.stop())):
            raise _StopError

    def _line(self, position: Position) -> tuple[Action, ...]:
        """What is expected to follow, as far as it is remembered."""
        found: list[Action] = []
        while len(found) < DEEPEST and position.outcome is None:
            winning = position.rules.winning(position)
            if winning is not None:
                return (*found, winning)
            known = self.stored.get(position.key())
            if known is None or known[3] is None:
                break
            found.append(known[3])
            position = position.after(known[3])
        return tuple(found)
