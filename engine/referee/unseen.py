"""What no camera sees: actions that must have come before the one that was seen, because it shows who acted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

from engine.core import Action, Position

MOST = 8
"""How many ways of acting unseen are tried for each number of actions, the first in canonical order."""


@lru_cache(maxsize=128)
def unseen(position: Position) -> tuple[Action, ...]:
    """The legal actions that no camera can see, in the order of their canonical texts."""
    return tuple(sorted(position.rules.unseen(position), key=str))


def unseen_before(position: Position, course: Sequence[Action]) -> int:
    """How many actions of a course no camera could see: those before the first one that was seen, if any."""
    count = 0
    while count + 1 < len(course) and course[count] in unseen(position):
        position = position.after(course[count])
        count += 1
    return count


def unseen_courses(position: Position) -> Iterator[tuple[tuple[Action, ...], Position]]:
    """Actions that nobody saw, with the position after them, shortest courses first. Each player does at most one
    before somebody else acts: after a whole round it would be the same player's turn again."""
    for count in range(1, position.players):
        yield from islice(_courses(position, count), MOST)


def _courses(position: Position, count: int) -> Iterator[tuple[tuple[Action, ...], Position]]:
    if not count:
        yield (), position
        return
    for action in unseen(position):
        for more, then in _courses(position.after(action), count - 1):
            yield (action, *more), then
