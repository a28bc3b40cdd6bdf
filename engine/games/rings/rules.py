"""The rules of Rings: what is legal, and what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core import Action, Game, Json, Outcome, Position, Refusal, Remark, Rules, Value
from engine.face import Face, spelled
from engine.games.rings import actions as notation
from engine.games.rings.actions import Move, Place, RingsAction, Turn, moving, placing, takings, turning
from engine.games.rings.cells import (
    ALL,
    FLYING,
    NAMES,
    NEIGHBOURS,
    OUT,
    PAWNS,
    RADIUS_LINES,
    RING_LINES,
    RINGS,
    bits,
    completing,
    full_radii,
    turn_cells,
)
from engine.games.rings.drawing import draw
from engine.games.rings.faces import BY_SEAT
from engine.games.rings.mistakes import diagnose
from engine.games.rings.refusals import objections
from engine.games.rings.remarks import remarks
from engine.games.rings.setup import read_setup, write_setup
from engine.games.rings.worth import winning, worth

RING_LINE_CHOICES = ("first-clockwise", "first-counterclockwise")


class Rings(Rules):
    """The French game of three turning rings."""

    def __init__(self, game: Game, variant: str | None, options: Mapping[str, Value]) -> None:
        super().__init__(game, variant, options)
        self.flying = bool(self.options["flying"])
        clockwise = self.options["ring_line_choice"] == RING_LINE_CHOICES[0]
        self.ring_lines = RING_LINES if clockwise else tuple(lines[::-1] for lines in RING_LINES)
        """For every cell the ring lines that hold it; the first that is complete counts."""

    def begin(self, players: int, setup: Mapping[str, Any]) -> RingsPosition:
        return RingsPosition(self, players, **read_setup(players, setup))

    def parse(self, text: str) -> Action:
        return notation.parse(text)

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        assert isinstance(position, RingsPosition)
        return diagnose(position, seen, turned)

    def worth(self, position: Position) -> Sequence[int]:
        assert isinstance(position, RingsPosition)
        return worth(position)

    def winning(self, position: Position) -> Action | None:
        assert isinstance(position, RingsPosition)
        return winning(position)

    def remarks(self, position: Position, action: Action) -> Iterable[Remark]:
        assert isinstance(position, RingsPosition)
        return remarks(position, action)


@dataclass(frozen=True, slots=True)
class InterimTrack:
    """The track after placing, turning or moving, before anything is taken or newly spent."""

    pawns: tuple[int, ...]
    spent: int
    lines: int
    """How many lines count."""
    ends: int = 0
    """The ends of the ring line that counts, if one does."""


@dataclass(frozen=True, slots=True)
class RingsPosition(Position):
    """Where all pawns stand, which are spent, what is in reserve, and which ring was turned last."""

    rules: Rings
    players: int
    seat: int | None
    pawns: tuple[int, ...]
    """For each seat, the cells its pawns stand on."""
    reserve: tuple[int, ...]
    """For each seat, its pawns still to be placed."""
    spent: int = 0
    """The cells of pawns that cannot be in a new line."""
    last_turned: int | None = None
    """The ring turned last, by any player."""
    outcome: Outcome | None = None

    # State

    @property
    def occupied(self) -> int:
        cells = 0
        for own in self.pawns:
            cells |= own
        return cells

    @property
    def mover(self) -> int:
        """Whose turn it is, in a match that goes on."""
        assert self.seat is not None
        return self.seat

    def owner(self, cell: int) -> int | None:
        for seat, own in enumerate(self.pawns):
            if own >> cell & 1:
                return seat
        return None

    def taken(self, seat: int) -> int:
        """Pawns of this seat that have left the match."""
        return PAWNS - self.reserve[seat] - self.pawns[seat].bit_count()

    def is_out(self, seat: int) -> bool:
        return self.reserve[seat] + self.pawns[seat].bit_count() <= OUT

    def flies(self, seat: int) -> bool:
        """Whether this player must move one pawn to any free cell."""
        return self.rules.flying and not self.reserve[seat] and self.pawns[seat].bit_count() <= FLYING

    # Legal actions

    def legal(self) -> Sequence[Action]:
        if self.seat is None:
            return ()
        free = ALL & ~self.occupied
        if self.flies(self.seat):
            return self._moves(free, anywhere=True) if free else self._turns()
        found = self._turns() + self._moves(free, anywhere=False)
        if self.reserve[self.seat]:
            found += self._places(free)
        return found

    def _turns(self) -> list[Action]:
        quiet, loud = turning(self.pawns[self.mover] & ~self.spent, self.last_turned)
        found: list[Action] = [*quiet]
        for turn, lines in loud:
            turned = tuple(turn_cells(own, turn.ring, turn.clockwise) for own in self._opponents())
            found += [Turn(turn.ring, turn.clockwise, taken) for taken in takings(lines, turned)]
        return found

    def _places(self, free: int) -> list[Action]:
        quiet, takes = self._arrivals(self.pawns[self.mover] & ~self.spent, free)
        return [*placing(quiet), *(Place(cell, taken) for cell, taken in takes)]

    def _moves(self, free: int, anywhere: bool) -> list[Action]:
        own = self.pawns[self.mover]
        live = own & ~self.spent
        # Lifting the pawn that moves can only unmake lines: if there is none to be made with it, there is none without.
        any_line = any(cells & free for cells in completing(live))
        found: list[Action] = []
        for origin in bits(own):
            targets = free if anywhere else free & NEIGHBOURS[origin]
            if not any_line:
                found += moving(origin, targets)
                continue
            quiet, takes = self._arrivals(live & ~(1 << origin), targets)
            found += moving(origin, quiet)
            found += [Move(origin, cell, taken) for cell, taken in takes]
        return found

    def _arrivals(self, live: int, targets: int) -> tuple[int, list[tuple[int, int]]]:
        """Of these targets those where a pawn makes no line with the live ones, and the others with what it takes."""
        on_ring, on_radius = completing(live)
        loud = (on_ring | on_radius) & targets
        if not loud:
            return targets, []
        opponents = self._opponents()
        takes = [
            (cell, taken)
            for cell in bits(loud)
            for taken in takings((on_ring >> cell & 1) + (on_radius >> cell & 1), opponents)
        ]
        return targets & ~loud, takes

    def _opponents(self) -> tuple[int, ...]:
        """The cells of each opponent's pawns."""
        return self.pawns[: self.mover] + self.pawns[self.mover + 1 :]

    def objections(self, action: Action) -> Iterable[Refusal]:
        return objections(self, action)

    # Consequences

    def step(self, action: RingsAction) -> InterimTrack:
        """What the placing, turning or moving alone does, and the lines it makes for the mover."""
        if isinstance(action, Turn):
            pawns = tuple(turn_cells(own, action.ring, action.clockwise) for own in self.pawns)
            spent = turn_cells(self.spent, action.ring, action.clockwise)
            return InterimTrack(pawns, spent, full_radii(pawns[self.mover] & ~spent).bit_count())
        if isinstance(action, Move):
            left, cell = 1 << action.origin, action.target
        else:
            left, cell = 0, action.cell
        seat = self.mover
        own, spent = self.pawns[seat] & ~left | 1 << cell, self.spent & ~left
        pawns = (*self.pawns[:seat], own, *self.pawns[seat + 1 :])
        live = own & ~spent
        ends = next((line.ends for line in self.rules.ring_lines[cell] if not line.cells & ~live), 0)
        on_radius = not RADIUS_LINES[cell] & ~live
        return InterimTrack(pawns, spent, bool(ends) + on_radius, ends)

    def after(self, action: Action) -> RingsPosition:
        assert isinstance(action, Place | Turn | Move)
        step = self.step(action)
        seat, reserve, last_turned = self.mover, self.reserve, self.last_turned
        if isinstance(action, Place):
            reserve = (*reserve[:seat], reserve[seat] - 1, *reserve[seat + 1 :])
        elif isinstance(action, Turn):
            last_turned = action.ring
        left = ~action.taken
        pawns = tuple([own & left for own in step.pawns])
        return self._next(pawns, reserve, (step.spent | step.ends) & left, last_turned)

    def _next(
        self, pawns: tuple[int, ...], reserve: tuple[int, ...], spent: int, last_turned: int | None
    ) -> RingsPosition:
        """The turn goes to the next player who is not out; if there is none, the mover has won."""
        mover, players = self.mover, self.players
        seat = (mover + 1) % players
        while seat != mover and reserve[seat] + pawns[seat].bit_count() <= OUT:
            seat = (seat + 1) % players
        if seat != mover:
            return RingsPosition(self.rules, players, seat, pawns, reserve, spent, last_turned)
        won = Outcome((mover,), "last")
        return RingsPosition(self.rules, players, None, pawns, reserve, spent, last_turned, won)

    # Views

    def faces(self) -> Mapping[str, Face]:
        return {NAMES[cell]: BY_SEAT[seat] for seat, own in enumerate(self.pawns) for cell in bits(own)}

    def view(self, viewer: int | None) -> Json:
        """Nothing is hidden in Rings: every viewer sees the same."""
        seats = range(self.players)
        return {
            "seat": self.seat,
            "sites": spelled(self.faces()),
            "spent": [NAMES[cell] for cell in bits(self.spent)],
            "reserve": list(self.reserve),
            "taken": [self.taken(seat) for seat in seats],
            "out": [seat for seat in seats if self.is_out(seat)],
            "last_turned": None if self.last_turned is None else RINGS[self.last_turned],
            "flying": self.seat is not None and self.flies(self.seat),
            "result": self.outcome and self.outcome.record(),
        }

    def setup(self) -> Json:
        return write_setup(self)

    def draw(self) -> str:
        return draw(self)

    def key(self) -> Hashable:
        return self.seat, self.pawns, self.reserve, self.spent, self.last_turned
