"""perft: the number of action sequences of a given length, which two implementations of the same rules must share."""

from __future__ import annotations

from engine.core import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` actions from here; a finished match has none."""
    if depth == 0:
        return 1
    actions = position.legal()
    if depth == 1:
        return len(actions)
    return sum(perft(position.after(action), depth - 1) for action in actions)
