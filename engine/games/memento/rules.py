"""The rules of Memento: what is legal, and what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import Action, Game, Json, Outcome, Position, Refusal, Remark, Rules, Value
from engine.face import BARE, EMPTY, Face, spelled
from engine.games.memento import actions as notation
from engine.games.memento.actions import PASS, TURNS, Enter, Move, Split, Turn
from engine.games.memento.drawing import draw
from engine.games.memento.faces import FACES, FIGURES, HIGHEST
from engine.games.memento.mistakes import diagnose
from engine.games.memento.points import (
    ENTRIES,
    MARKERS,
    MIDDLES,
    NAMES,
    TALLEST,
    TRIANGLES,
    TURNS_TO_ITSELF,
    Ways,
    bits,
    stones_for,
    turn_points,
)
from engine.games.memento.refusals import objections
from engine.games.memento.remarks import remarks
from engine.games.memento.setup import read_setup, write_setup
from engine.games.memento.worth import winning, worth


class Memento(Rules):
    """MEMENTO TUOS and memento ludis."""

    def __init__(self, game: Game, variant: str | None, options: Mapping[str, Value]) -> None:
        super().__init__(game, variant, options)
        self.ways = Ways(self.options)

    def begin(self, players: int, setup: Mapping[str, Any]) -> MementoPosition:
        return MementoPosition(self, players, **read_setup(players, setup))

    def parse(self, text: str) -> Action:
        return notation.parse(text)

    def between(self, before: Face, after: Face) -> Iterable[Face]:
        """A stack is rebuilt stone by stone, briefly without its marker, and may be too high for a moment."""
        kinds = {BARE} | {face.kind for face in (before, after) if face != EMPTY}
        return (FACES.of(kind, stones) for kind in kinds for stones in range(1, HIGHEST + 1))

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        assert isinstance(position, MementoPosition)
        return diagnose(position, seen, turned)

    def worth(self, position: Position) -> Sequence[int]:
        assert isinstance(position, MementoPosition)
        return worth(position)

    def winning(self, position: Position) -> Action | None:
        assert isinstance(position, MementoPosition)
        return winning(position)

    def remarks(self, position: Position, action: Action) -> Iterable[Remark]:
        assert isinstance(position, MementoPosition)
        return remarks(position, action)


@dataclass(frozen=True, slots=True)
class MementoPosition(Position):
    """Where all figures stand and how high, whose turn it is, and who turned last."""

    rules: Memento
    players: int
    seat: int | None
    figures: tuple[int, ...]
    """For each seat, the points its figures stand on."""
    doubles: int
    tripples: int
    entered: int = 0
    """Seats that have ever had a figure, one bit each."""
    turned: int = 0
    """Seats whose own last action was a turn, one bit each."""
    just_turned: bool = False
    """Whether the previous action, by any player, was a turn."""
    outcome: Outcome | None = None

    # State

    @property
    def occupied(self) -> int:
        points = 0
        for own in self.figures:
            points |= own
        return points

    @property
    def supply(self) -> int:
        """Stones that are not on the board."""
        on_board = self.occupied.bit_count() + self.doubles.bit_count() + 2 * self.tripples.bit_count()
        return stones_for(self.players) - on_board

    def spare_markers(self, seat: int) -> int:
        return MARKERS - self.figures[seat].bit_count()

    def height(self, point: int) -> int:
        """Stones of the figure on an occupied point."""
        return 1 + (self.doubles >> point & 1) + 2 * (self.tripples >> point & 1)

    def owner(self, point: int) -> int | None:
        for seat, own in enumerate(self.figures):
            if own >> point & 1:
                return seat
        return None

    @property
    def mover(self) -> int:
        """Whose turn it is, in a match that goes on."""
        assert self.seat is not None
        return self.seat

    def is_out(self, seat: int) -> bool:
        """A player who has lost all figures is out for good."""
        return bool(self.entered >> seat & 1) and not self.figures[seat]

    # Legal actions

    def legal(self) -> Sequence[Action]:
        seat = self.seat
        if seat is None:
            return ()
        if not self.entered:
            return notation.FIRSTS
        occupied = self.occupied
        spare = self.spare_markers(seat)
        found: list[Action] = []
        if self.supply >= 2 and spare >= 2:
            found += notation.entering_two(ENTRIES & ~occupied)
        if self.may_turn(seat):
            found += [turn for turn in TURNS if self.changes(turn.tile)]
        targets = self.rules.ways.targets
        for origin in bits(self.figures[seat]):
            height = self.height(origin)
            reached = targets(origin, height, occupied)
            free = reached & ~occupied
            found += notation.moving(origin, free, reached & occupied)
            if height > 1 and spare:
                found += notation.splitting(origin, free, height, min(spare, 2))
        return found or (PASS,)

    def may_turn(self, seat: int) -> bool:
        """Not after another turn, and not twice in a row by the same player."""
        return not self.just_turned and not self.turned >> seat & 1

    def changes(self, tile: int) -> bool:
        """Whether any point has another owner or height after a turn of this triangle."""
        shift = 7 * tile
        for points in (*self.figures, self.doubles, self.tripples):
            if not TURNS_TO_ITSELF[points >> shift & 127]:
                return True
        return False

    def objections(self, action: Action) -> Iterable[Refusal]:
        return objections(self, action)

    # Consequences

    def after(self, action: Action) -> MementoPosition:
        match action:
            case Enter():
                return self._entered(action)
            case Move():
                return self._moved(action)
            case Split():
                return self._split(action)
            case Turn():
                return self._turned(action)
            case _:
                return self._next(self.figures, self.doubles, self.tripples)

    def _entered(self, action: Enter) -> MementoPosition:
        own = self.figures[self.mover]
        for point in action.points:
            own |= 1 << point
        return self._next(self._with_own(own), self.doubles, self.tripples)

    def _turned(self, action: Turn) -> MementoPosition:
        figures = tuple(turn_points(own, action.tile, action.clockwise) for own in self.figures)
        doubles = turn_points(self.doubles, action.tile, action.clockwise)
        tripples = turn_points(self.tripples, action.tile, action.clockwise)
        return self._next(figures, doubles, tripples, turned=True)

    def _moved(self, action: Move) -> MementoPosition:
        origin, target = 1 << action.origin, 1 << action.target
        height = self.height(action.origin)
        figures = self.figures
        if action.captures:
            height += self.height(action.target)
            if height > TALLEST:
                height -= TALLEST
            figures = tuple([own & ~target for own in figures])
        seat = self.mover
        own = figures[seat] & ~origin | target
        figures = (*figures[:seat], own, *figures[seat + 1 :])
        elsewhere = ~(origin | target)
        doubles, tripples = self.doubles & elsewhere, self.tripples & elsewhere
        if height == 2:
            doubles |= target
        elif height == 3:
            tripples |= target
        return self._next(figures, doubles, tripples)

    def _split(self, action: Split) -> MementoPosition:
        elsewhere = ~(1 << action.origin)
        own = self.figures[self.mover] & elsewhere
        doubles = self.doubles & elsewhere
        for point, height in action.parts:
            own |= 1 << point
            if height == 2:
                doubles |= 1 << point
        return self._next(self._with_own(own), doubles, self.tripples & elsewhere)

    def _with_own(self, own: int) -> tuple[int, ...]:
        seat = self.mover
        return (*self.figures[:seat], own, *self.figures[seat + 1 :])

    def _next(self, figures: tuple[int, ...], doubles: int, tripples: int, turned: bool = False) -> MementoPosition:
        """The turn goes to the next player who is not out, unless the mover has won."""
        mover = self.mover
        entered = self.entered | (1 << mover if figures[mover] else 0)
        turns = self.turned | 1 << mover if turned else self.turned & ~(1 << mover)
        players = self.players
        seat = (mover + 1) % players
        while entered >> seat & 1 and not figures[seat] and seat != mover:
            seat = (seat + 1) % players
        by = _win(figures[mover], seat == mover)
        if by is None:
            return MementoPosition(self.rules, players, seat, figures, doubles, tripples, entered, turns, turned)
        won = Outcome((mover,), by)
        return MementoPosition(self.rules, players, None, figures, doubles, tripples, entered, turns, turned, won)

    # Views

    def faces(self) -> Mapping[str, Face]:
        return {
            NAMES[point]: FIGURES[seat][self.height(point) - 1]
            for seat, own in enumerate(self.figures)
            for point in bits(own)
        }

    def view(self, viewer: int | None) -> Json:
        """Nothing is hidden in Memento: every viewer sees the same."""
        return {
            "seat": self.seat,
            "sites": spelled(self.faces()),
            "stones": self.supply,
            "markers": [self.spare_markers(seat) for seat in range(self.players)],
            "out": [seat for seat in range(self.players) if self.is_out(seat)],
            "turn_barred": self.seat is not None and not self.may_turn(self.seat),
            "result": self.outcome and self.outcome.record(),
        }

    def setup(self) -> Json:
        return write_setup(self)

    def draw(self) -> str:
        return draw(self)

    def key(self) -> Hashable:
        return self.seat, self.figures, self.doubles, self.tripples, self.entered, self.turned, self.just_turned


def _win(own: int, alone: bool) -> str | None:
    """How the mover has won with these figures; None if not."""
    if own & MIDDLES:
        # Both wins on the board need a middle point.
        if own & MIDDLES == MIDDLES:
            return "middles"
        for triangle in TRIANGLES:
            if own & triangle == triangle:
                return "triangle"
    return "last" if alone else None
