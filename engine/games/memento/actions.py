"""What a player can do in Memento, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.core import Action, InvalidActionError, Pass
from engine.games.memento.points import INDEX, NAMES, TILES, bits


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """Singles put on free points: one to begin the match, two later."""

    points: tuple[int, ...]

    def __str__(self) -> str:
        return "+" + ",".join(NAMES[point] for point in self.points)


@dataclass(frozen=True, slots=True)
class Turn(Action):
    """A triangle turned by 120°."""

    tile: int
    clockwise: bool

    def __str__(self) -> str:
        return TILES[self.tile] + (">" if self.clockwise else "<")

    @property
    def turns(self) -> Mapping[str, int]:
        return {f"tile-{TILES[self.tile]}": 1 if self.clockwise else -1}


@dataclass(frozen=True, slots=True)
class Move(Action):
    """A figure moved; onto another one, it captures."""

    origin: int
    target: int
    captures: bool

    def __str__(self) -> str:
        return f"{NAMES[self.origin]}{'x' if self.captures else '-'}{NAMES[self.target]}"


@dataclass(frozen=True, slots=True)
class Split(Action):
    """A figure divided: each part is a point and a height, in point order."""

    origin: int
    parts: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        written = ",".join(("2" if height == 2 else "") + NAMES[point] for point, height in self.parts)
        return f"{NAMES[self.origin]}/{written}"


PASS = Pass()
FIRSTS = tuple(Enter((point,)) for point in range(28))
TURNS = tuple(Turn(tile, clockwise) for tile in range(4) for clockwise in (True, False))
_MOVES = tuple(
    tuple(tuple(Move(origin, target, captures) for captures in (False, True)) for target in range(28))
    for origin in range(28)
)
_PAIRS = {pair: Enter(pair) for pair in combinations(range(28), 2)}

# The same few sets of points keep recurring in a match, so lists of actions are cached by set.


@lru_cache(maxsize=2048)
def entering_two(free: int) -> tuple[Enter, ...]:
    """Two Singles on any two of these points."""
    return tuple(_PAIRS[pair] for pair in combinations(bits(free), 2))


@lru_cache(maxsize=1 << 12)
def moving(origin: int, quiet: int, captures: int) -> tuple[Move, ...]:
    """A figure to any of these free points, and onto any of these occupied ones."""
    ways = _MOVES[origin]
    return tuple(ways[target][0] for target in bits(quiet)) + tuple(ways[target][1] for target in bits(captures))


@lru_cache(maxsize=2048)
def splitting(origin: int, free: int, height: int, spare: int) -> tuple[Split, ...]:
    """A figure of this height onto any of these free points, with this many spare markers."""
    ones = [_ONES[point] for point in bits(free)]
    found: list[tuple[tuple[int, int], ...]] = []
    if spare >= 1 and height == 2:
        found += combinations(ones, 2)
    if spare >= 1 and height == 3:
        for one, other in combinations(ones, 2):
            found += [(_TWOS[one[0]], other), (one, _TWOS[other[0]])]
    if spare >= 2 and height == 3:
        found += combinations(ones, 3)
    return tuple([_split(origin, parts) for parts in found])


_ONES = tuple((point, 1) for point in range(28))
_TWOS = tuple((point, 2) for point in range(28))
_split = lru_cache(maxsize=1 << 12)(Split)
"""Ways to split a figure come up again and again; but there are about a hundred thousand on the whole board."""


_POINT = "[TLRI][1-7]"
_ENTER = re.compile(rf"\+({_POINT}(?:,{_POINT})*)")
_TURN = re.compile(r"([TLRI])([<>])")
_MOVE = re.compile(rf"({_POINT})([-x])({_POINT})")
_SPLIT = re.compile(rf"({_POINT})/(2?{_POINT}(?:,2?{_POINT}){{1,2}})")


def parse(text: str) -> Action:
    """Parse an action: exactly the texts that `str` of an action produces."""
    action = _read(text)
    if action is None or str(action) != text:
        raise InvalidActionError(
            f"{text!r} is not an action of Memento (such as +T1,L3  T>  T1-T5  T1xT5  T7/T1,T4  --)"
        )
    return action


def _read(text: str) -> Action | None:
    if text == "--":
        return PASS
    if found := _ENTER.fullmatch(text):
        return Enter(tuple(sorted({INDEX[name] for name in found[1].split(",")})))
    if found := _TURN.fullmatch(text):
        return Turn(TILES.index(found[1]), found[2] == ">")
    if found := _MOVE.fullmatch(text):
        return Move(INDEX[found[1]], INDEX[found[3]], found[2] == "x")
    if found := _SPLIT.fullmatch(text):
        parts = {INDEX[part[-2:]]: len(part) - 1 for part in found[2].split(",")}
        return Split(INDEX[found[1]], tuple(sorted(parts.items())))
    return None
