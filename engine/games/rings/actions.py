"""What a player can do in Rings, and how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

from engine.core import Action, InvalidActionError, Pass
from engine.games.rings.cells import INDEX, NAMES, RINGS, bits, cell_set, full_radii, turn_cells

# The pawns taken are a set of cells as they stand after placing, turning or moving: a set has one order to be
# written in, so that no two actions can differ only in their text.


@dataclass(frozen=True, slots=True)
class Place(Action):
    """A pawn from the reserve put on a cell."""

    cell: int
    taken: int = 0

    def __str__(self) -> str:
        return f"+{NAMES[self.cell]}{_written(self.taken)}"


@dataclass(frozen=True, slots=True)
class Turn(Action):
    """A ring turned by one radius."""

    ring: int
    clockwise: bool
    taken: int = 0

    def __str__(self) -> str:
        return f"{RINGS[self.ring]}{'>' if self.clockwise else '<'}{_written(self.taken)}"

    @property
    def turns(self) -> Mapping[str, int]:
        return {f"ring-{RINGS[self.ring]}": 1 if self.clockwise else -1}


@dataclass(frozen=True, slots=True)
class Move(Action):
    """A pawn moved to another cell, next to its own or, in flight, anywhere."""

    origin: int
    target: int
    taken: int = 0

    def __str__(self) -> str:
        return f"{NAMES[self.origin]}-{NAMES[self.target]}{_written(self.taken)}"


RingsAction = Place | Turn | Move


def _written(taken: int) -> str:
    return "x" + ",".join(NAMES[cell] for cell in bits(taken)) if taken else ""


# The same few sets of cells keep recurring in a match, so lists of actions are cached by set.

_PLACES = tuple(Place(cell) for cell in range(24))
_MOVES = tuple(tuple(Move(origin, target) for target in range(24)) for origin in range(24))


@lru_cache(maxsize=1 << 12)
def placing(cells: int) -> tuple[Place, ...]:
    """A pawn placed on any of these cells, nothing taken."""
    return tuple(_PLACES[cell] for cell in bits(cells))


@lru_cache(maxsize=1 << 12)
def moving(origin: int, cells: int) -> tuple[Move, ...]:
    """The pawn on this cell moved to any of these, nothing taken."""
    ways = _MOVES[origin]
    return tuple(ways[target] for target in bits(cells))


@lru_cache(maxsize=1 << 12)
def turning(live: int, barred: int | None) -> tuple[tuple[Turn, ...], tuple[tuple[Turn, int], ...]]:
    """The turns that make no radius line of these pawns, and those that make some, with their number."""
    quiet: list[Turn] = []
    loud: list[tuple[Turn, int]] = []
    for ring, clockwise in product(range(3), (True, False)):
        if ring == barred:
            continue
        turn = Turn(ring, clockwise)
        # A turn parts every radius there was, so each radius that is full after it is a new line.
        if lines := full_radii(turn_cells(live, ring, clockwise)).bit_count():
            loud.append((turn, lines))
        else:
            quiet.append(turn)
    return tuple(quiet), tuple(loud)


@lru_cache(maxsize=1 << 10)
def takings(lines: int, opponents: tuple[int, ...]) -> tuple[int, ...]:
    """Every way to take what this many lines earn, from opponents with pawns on these cells."""
    shares = [
        [cell_set(chosen) for chosen in combinations(bits(pawns), min(lines, pawns.bit_count()))] for pawns in opponents
    ]
    return tuple(sum(choice) for choice in product(*shares))


_CELL = "[abc][1-8]"
_TAKEN = rf"(?:x({_CELL}(?:,{_CELL})*))?"
_PLACE = re.compile(rf"\+({_CELL}){_TAKEN}")
_TURN = re.compile(rf"([abc])([<>]){_TAKEN}")
_MOVE = re.compile(rf"({_CELL})-({_CELL}){_TAKEN}")


def parse(text: str) -> Action:
    """Parse an action: exactly the texts that `str` of an action produces."""
    action = _read(text)
    if action is None or str(action) != text:
        raise InvalidActionError(f"{text!r} is not an action of Trois Anneaux (such as +b3  b>  b3-b4  +b3xa1,c4)")
    return action


def _read(text: str) -> Action | None:
    if text == "--":
        return Pass()
    if found := _PLACE.fullmatch(text):
        return Place(INDEX[found[1]], _read_taken(found[2]))
    if found := _TURN.fullmatch(text):
        return Turn(RINGS.index(found[1]), found[2] == ">", _read_taken(found[3]))
    if found := _MOVE.fullmatch(text):
        return Move(INDEX[found[1]], INDEX[found[2]], _read_taken(found[3]))
    return None


def _read_taken(names: str | None) -> int:
    return cell_set(INDEX[name] for name in names.split(",")) if names else 0
