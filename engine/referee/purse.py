"""Pieces that players keep in rows for all to see: the row that grows or shrinks tells who did what.

No row holds anything up. A row that is one shorter while nothing else changed is an action that changes nothing else,
such as a purchase; an action is another player's if that player's row grew by just what it earns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from engine.core import Action, Position, Refusal
from engine.face import EMPTY
from engine.referee.reading import Reading, guess
from engine.referee.unseen import unseen, unseen_courses

SURE = 0.9
"""How likely it must be that a place is taken, or is not, for its row to be counted."""

Counts = tuple[int | None, ...]
"""For each seat how many pieces are in its row; None where that cannot be seen."""


@dataclass(frozen=True)
class Purse:
    """The rows of a table, as they were seen."""

    counts: Counts = ()
    """At the last look …"""
    since: float = 0.0
    """… since when they are so …"""
    frames: int = 0
    """… and in how many pictures."""
    rest: tuple[int, ...] = ()
    """When they were last settled and taken for good."""
    paid: bool = True
    """Whether the last action may still turn out to be another player's."""
    off: Mapping[int, tuple[int, int, float]] = field(default_factory=dict)
    """For every seat whose row is not as it should be what was seen there, what is due, and since when."""
    told: frozenset[tuple[int, int, int]] = frozenset()
    """What was said of that."""

    @property
    def in_play(self) -> bool:
        """Whether pieces are counted on the board at all: all rows were empty when first seen, or none was."""
        return any(self.rest)

    def seen(self, counts: Counts, seconds: float) -> Purse:
        """After another look."""
        if counts == self.counts:
            return replace(self, frames=self.frames + 1)
        return replace(self, counts=counts, since=seconds, frames=1)

    def settled(self, seconds: float, frames: int, wait: float) -> tuple[int, ...] | None:
        """The rows, if all are in sight and have been so for long enough."""
        whole = tuple(count for count in self.counts if count is not None)
        if len(whole) < len(self.counts) or not whole:
            return None
        return whole if self.frames >= frames or seconds - self.since >= wait else None

    @property
    def changes(self) -> dict[int, int] | None:
        """By how much each row differs from when it was last at rest; None where that cannot be seen."""
        if not self.rest or len(self.rest) != len(self.counts):
            return None
        found = {}
        for seat, (count, before) in enumerate(zip(self.counts, self.rest, strict=True)):
            if count is None:
                return None
            if count != before:
                found[seat] = count - before
        return found


@dataclass(frozen=True, slots=True)
class Payment:
    """A purchase, after the passes before it, or why there can be none."""

    actions: tuple[Action, ...]
    refusals: tuple[Refusal, ...]


def parted(reading: Reading, position: Position) -> tuple[Reading, Counts]:
    """A reading without all rows, and how many pieces are in those of the players.

    What covers a place in a row hides nothing of the rest.
    """
    rules = position.rules
    every = {site for row in rules.rows(max(rules.game.seats)) for site in row}
    if not every:
        return reading, ()
    rest = {site: likelihoods for site, likelihoods in reading.sites.items() if site not in every}
    counts = tuple(_counted(reading, row) for row in rules.rows(position.players))
    hidden = reading.hidden - every
    covered = reading.covered and (bool(hidden) or not reading.hidden)
    return replace(reading, sites=rest, hidden=hidden, covered=covered), counts


def _counted(reading: Reading, row: Sequence[str]) -> int | None:
    """How many pieces are in a row; None where that cannot be seen."""
    count = 0
    for site in row:
        if site not in reading.sites:
            return None
        seen = guess(reading.sites[site])
        if seen.p < SURE:
            return None
        count += seen.best != EMPTY
    return count


def due(position: Position) -> tuple[int, ...]:
    """How many pieces should be in each row."""
    lies = position.rules.beside(position)
    return tuple(sum(site in lies for site in row) for row in position.rules.rows(position.players))


def earner(position: Position, action: Action, changes: Mapping[int, int]) -> tuple[Action, ...] | None:
    """If the rows say that another player than the mover did this: that action, after the passes and purchases before
    it. None if they do not say so, or if it cannot have been."""
    seat = whose(position, action, changes)
    if seat is None:
        return None
    others = {each: by for each, by in changes.items() if each != seat}
    for spent in (others, {}):
        for lead, then in unseen_courses(position):
            if then.seat == seat and _spent(position, then) == spent and action in then.legal():
                return (*lead, action)
    return None


def _spent(before: Position, after: Position) -> dict[int, int]:
    """By how much what is due in each row differs between two positions, where it does."""
    rows = zip(due(before), due(after), strict=True)
    return {seat: then - now for seat, (now, then) in enumerate(rows) if then != now}


def whose(position: Position, action: Action, changes: Mapping[int, int]) -> int | None:
    """The other player whose row grew by just what this action earns, while the mover's did not."""
    grown = {seat: by for seat, by in changes.items() if by > 0}
    if len(grown) != 1 or position.seat in grown:
        return None
    ((seat, by),) = grown.items()
    earned = due(position.turned_to(seat).after(action))[seat] - due(position)[seat]
    return seat if earned == by else None


def _passed_to(position: Position, seat: int) -> tuple[Action, ...] | None:
    """The passes by which it becomes this seat's turn: actions that change neither the board nor a row."""
    passes: list[Action] = []
    while position.seat != seat:
        quiet = [action for action in unseen(position) if due(position.after(action)) == due(position)]
        if not quiet or len(passes) == position.players:
            return None
        passes.append(quiet[0])
        position = position.after(quiet[0])
    return tuple(passes)


def payment(position: Position, changes: Mapping[int, int]) -> Payment | None:
    """What is told by one row that is one shorter while all else is as it was."""
    if len(changes) != 1 or set(changes.values()) != {-1}:
        return None
    (seat,) = changes
    before = _passed_to(position, seat) or ()
    then = position
    for action in before:
        then = then.after(action)
    pays = then.rules.payment
    assert pays is not None
    refusals = then.refusals(pays, by=seat)
    return Payment(() if refusals else (*before, pays), refusals)
