"""The rules of My First Triominos: what is legal, and what it leads to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TYPE_CHECKING, Any

from engine.core import Action, Json, Outcome, Position, Refusal, Remark, Rules
from engine.face import EMPTY, Face, spelled
from engine.games.triominos import actions as notation
from engine.games.triominos.actions import BUY, PASS, Buy, Place, Swap
from engine.games.triominos.cards import CARD_OF, CARDS, JOKER, JOKER_FACE, UNSEEN, fitting
from engine.games.triominos.drawing import draw
from engine.games.triominos.faces import CHIP, FACES
from engine.games.triominos.lattice import site
from engine.games.triominos.mistakes import diagnose
from engine.games.triominos.purse import row
from engine.games.triominos.refusals import objections
from engine.games.triominos.remarks import remarks
from engine.games.triominos.setup import deal, read_setup, write_setup
from engine.games.triominos.survey import survey
from engine.games.triominos.table import LaidCards
from engine.games.triominos.worth import winning, worth

if TYPE_CHECKING:
    from engine.referee.reading import Reading
    from engine.survey import Survey


class Triominos(Rules):
    """My First Triominos."""

    payment = BUY

    def deal(self, players: int, random: Random) -> Json:
        return deal(players, random)

    def begin(self, players: int, setup: Mapping[str, Any]) -> TriominosPosition:
        return TriominosPosition(self, players, **read_setup(players, setup))

    def parse(self, text: str) -> Action:
        return notation.parse(text)

    def survey(self, players: int, readings: Sequence[Reading], told: Mapping[str, Any]) -> Survey:
        return survey(players, readings)

    def rows(self, players: int) -> tuple[tuple[str, ...], ...]:
        return tuple(map(row, range(players)))

    def beside(self, position: Position) -> Mapping[str, Face]:
        assert isinstance(position, TriominosPosition)
        return {site: FACES[CHIP] for seat, chips in enumerate(position.chips) for site in row(seat)[:chips]}

    def between(self, before: Face, after: Face) -> Iterable[Face]:
        # The joker is taken before another card is laid in its place.
        return (EMPTY,) if before.name == JOKER_FACE and after != EMPTY else ()

    def diagnose(self, position: Position, seen: Mapping[str, Face], turned: Mapping[str, int]) -> Iterable[Refusal]:
        assert isinstance(position, TriominosPosition)
        return diagnose(position, seen)

    def worth(self, position: Position) -> Sequence[int]:
        assert isinstance(position, TriominosPosition)
        return worth(position)

    def winning(self, position: Position) -> Action | None:
        assert isinstance(position, TriominosPosition)
        return winning(position)

    def remarks(self, position: Position, action: Action) -> Iterable[Remark]:
        assert isinstance(position, TriominosPosition)
        return remarks(position, action)


@dataclass(frozen=True, slots=True)
class TriominosPosition(Position):
    """What lies on the table, in the racks and in the pot, the chips, and how near the end is.

    At a real table nobody tells the referee what is in the racks: then all their cards, and the pot's, are `UNSEEN`.
    """

    rules: Triominos
    players: int
    seat: int | None
    table: LaidCards
    racks: tuple[tuple[str, ...], ...]
    """For each seat its cards, sorted: the order in a rack does not matter."""
    pot: tuple[str, ...]
    """In the order in which cards will be drawn."""
    chips: tuple[int, ...]
    joker_with: int | None = None
    """The seat whose rack holds the joker, as everyone saw when it was swapped; None if nobody can know."""
    passes: int = 0
    """Passes in a row up to now."""
    turns_left: int | None = None
    """Turns until the end, once the last pot card has been drawn."""
    outcome: Outcome | None = None

    # State

    @property
    def mover(self) -> int:
        """Whose turn it is, in a match that goes on."""
        assert self.seat is not None
        return self.seat

    @property
    def hidden(self) -> bool:
        """Whether the referee does not know the racks and the pot."""
        return UNSEEN in self.pot or any(UNSEEN in rack for rack in self.racks)

    def candidates(self, seat: int) -> frozenset[str]:
        """The cards that may be in this rack, as far as the referee knows."""
        rack = self.racks[seat]
        if UNSEEN not in rack:
            return frozenset(rack)
        if self.joker_with == seat and len(rack) == 1:
            return frozenset({JOKER})
        unseen = frozenset(CARDS).difference(self.table.places)
        return unseen if self.joker_with in (None, seat) else unseen - {JOKER}

    def certain(self, seat: int) -> frozenset[str]:
        """The cards that must be in this rack, as far as the referee knows."""
        candidates = self.candidates(seat)
        if len(candidates) == len(self.racks[seat]):
            return candidates
        return frozenset({JOKER}) if self.joker_with == seat else frozenset()

    # Legal actions

    def legal(self) -> Sequence[Action]:
        seat = self.seat
        if seat is None:
            return ()
        found: list[Action] = list(self._plays(self.candidates(seat)))
        if self.pot and self.chips[seat]:
            found.append(BUY)
        elif not any(self._plays(self.certain(seat))):
            found.append(PASS)
        return found

    def _plays(self, cards: frozenset[str]) -> Iterator[Action]:
        """Every way of laying or swapping in one of these cards."""
        if not cards:
            return
        table = self.table
        for cell in sorted(table.frontier):
            for face, card in fitting(table.asked(cell)):
                if card in cards:
                    yield Place(face, cell)
        if table.joker is not None:
            for face, card in fitting(table.asked(table.joker)):
                if card in cards:
                    yield Swap(face, table.joker)

    def objections(self, action: Action) -> Iterable[Refusal]:
        return objections(self, action)

    # Consequences

    def after(self, action: Action) -> TriominosPosition:
        match action:
            case Place():
                return self._placed(action)
            case Swap():
                return self._swapped(action)
            case Buy():
                return self._bought()
            case _:
                return self._next(self, passes=self.passes + 1)

    def _placed(self, action: Place) -> TriominosPosition:
        card = CARD_OF[action.face]
        rack = _without(self.racks[self.mover], card)
        reward = 1 + self.table.bonus(action.cell) + (not rack)
        changed = replace(
            self,
            table=self.table.lay(action.cell, action.face),
            racks=self._with_rack(rack),
            chips=self._with_chips(reward),
            joker_with=None if card == JOKER else self.joker_with,
        )
        return self._next(changed)

    def _swapped(self, action: Swap) -> TriominosPosition:
        rack = self.racks[self.mover]
        if UNSEEN not in rack:
            rack = tuple(sorted((*_without(rack, CARD_OF[action.face]), JOKER)))
        table = self.table.lay(action.cell, action.face)
        return self._next(replace(self, table=table, racks=self._with_rack(rack), joker_with=self.mover))

    def _bought(self) -> TriominosPosition:
        rack = tuple(sorted((*self.racks[self.mover], self.pot[0])))
        return self._next(replace(self, racks=self._with_rack(rack), pot=self.pot[1:], chips=self._with_chips(-1)))

    def _with_rack(self, rack: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
        return (*self.racks[: self.mover], rack, *self.racks[self.mover + 1 :])

    def _with_chips(self, change: int) -> tuple[int, ...]:
        seat = self.mover
        return (*self.chips[:seat], self.chips[seat] + change, *self.chips[seat + 1 :])

    def _next(self, changed: TriominosPosition, passes: int = 0) -> TriominosPosition:
        """The turn goes on to the next player, unless this was the last one of the match."""
        left = None if self.turns_left is None else self.turns_left - 1
        if self.pot and not changed.pot:
            left = self.players
        if left == 0 or passes == self.players:
            won = _most_chips(changed.chips)
            return replace(changed, seat=None, passes=passes, turns_left=left, outcome=won)
        return replace(changed, seat=(self.mover + 1) % self.players, passes=passes, turns_left=left)

    # Views

    def faces(self) -> Mapping[str, Face]:
        return {site(cell): FACES[face] for cell, face in sorted(self.table.faces.items())}

    def view(self, viewer: int | None) -> Json:
        own = None if viewer is None or self.hidden else list(self.racks[viewer])
        return {
            "seat": self.seat,
            "sites": spelled(self.faces()),
            "chips": list(self.chips),
            "rack_sizes": [len(rack) for rack in self.racks],
            "pot_size": len(self.pot),
            "rack": own,
            "joker": self.joker_with,
            "passes": self.passes,
            "turns_left": self.turns_left,
            "result": self.outcome and self.outcome.record(),
        }

    def witnessed(self) -> TriominosPosition:
        racks = tuple((UNSEEN,) * len(rack) for rack in self.racks)
        return replace(self, racks=racks, pot=(UNSEEN,) * len(self.pot))

    def redeal(self, viewer: int | None, random: Random) -> TriominosPosition:
        if self.hidden:
            return self
        others = [seat for seat in range(self.players) if seat != viewer]
        kept = {seat: (JOKER,) if seat == self.joker_with else () for seat in others}
        pool = sorted([*self.pot, *(card for seat in others for card in _less(self.racks[seat], kept[seat]))])
        random.shuffle(pool)
        racks = list(self.racks)
        for seat in others:
            number = len(racks[seat]) - len(kept[seat])
            racks[seat] = tuple(sorted((*kept[seat], *pool[:number])))
            del pool[:number]
        return replace(self, racks=tuple(racks), pot=tuple(pool))

    def setup(self) -> Json:
        return write_setup(self)

    def draw(self) -> str:
        return draw(self)

    def key(self) -> Hashable:
        return self.seat, self.table, self.racks, self.pot, self.chips, self.joker_with, self.passes, self.turns_left


def _without(rack: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The rack less a card, or less any card if none of them has been seen."""
    place = rack.index(UNSEEN if UNSEEN in rack else card)
    return rack[:place] + rack[place + 1 :]


def _less(rack: tuple[str, ...], kept: tuple[str, ...]) -> list[str]:
    return [card for card in rack if card not in kept]


def _most_chips(chips: tuple[int, ...]) -> Outcome:
    winners = tuple(seat for seat, number in enumerate(chips) if number == max(chips))
    return Outcome(winners, "chips", chips)
