"""How much help each player has agreed to: what the page may show, and how many hints there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.core import GameError, Json, Position
from engine.face import EMPTY, Face
from engine.referee.reading import Reading
from engine.spoken import SpokenError
from engine.targets import can_point, reach

LEVELS = ("off", "legality", "targets", "hints")
"""Each level includes the one before: nothing, right or wrong, where a figure may go, a good action."""
SHOWING = ("targets", "hints")
"""The levels at which a player is shown where a figure may go."""
MOST_HINTS = 99
SURE = 0.9
"""A site has changed if it is at least as likely as this."""


@dataclass(frozen=True, slots=True)
class Help:
    """The help one player gets."""

    level: str = "targets"
    hints: int = 3
    """How many hints are left."""

    def record(self) -> Json:
        return {"level": self.level, "hints": self.hints}


@dataclass(frozen=True, slots=True)
class Agreement:
    """The help of all players, in seat order. Immutable: a change returns a new one."""

    seats: tuple[Help, ...] = ()

    @classmethod
    def usual(cls, players: int) -> Agreement:
        return cls((Help(),) * players)

    def change(self, payload: Json) -> Agreement:
        """The help after a player has agreed to another level: `{"seat": 0, "level": "hints", "hints": 3}`."""
        seat, level, hints = payload.get("seat"), payload.get("level"), payload.get("hints", 0)
        if type(seat) is not int or not 0 <= seat < len(self.seats):
            raise GameError(f"there is no seat {seat}")
        if level not in LEVELS:
            raise GameError(f"unknown help level {level!r}; there are: {', '.join(LEVELS)}")
        if type(hints) is not int or not 0 <= hints <= MOST_HINTS:
            raise GameError(f"the number of hints must be 0 to {MOST_HINTS}")
        return self._with(seat, Help(level, hints))

    def after_hint(self, seat: int) -> Agreement:
        """The help after this player has asked for a hint; raises `GameError` if none is allowed."""
        helped = self.seats[seat]
        if helped.level != "hints":
            raise SpokenError("this player plays without hints")
        if not helped.hints:
            raise SpokenError("this player has no hints left")
        return self._with(seat, replace(helped, hints=helped.hints - 1))

    def shows(self, seat: int | None) -> bool:
        """Whether the player to move is shown where a figure may go."""
        return seat is not None and seat < len(self.seats) and self.seats[seat].level in SHOWING

    def records(self) -> list[Json]:
        return [helped.record() for helped in self.seats]

    def _with(self, seat: int, helped: Help) -> Agreement:
        return Agreement((*self.seats[:seat], helped, *self.seats[seat + 1 :]))


def lifted(faces: Mapping[str, Face], reading: Reading) -> str | None:
    """The site whose figure somebody has lifted: it is empty, and nothing else has changed."""
    changed = {
        site: guess.best
        for site, guess in reading.guesses().items()
        if guess.best != faces.get(site, EMPTY) and guess.p >= SURE
    }
    return next(iter(changed)) if list(changed.values()) == [EMPTY] else None


@lru_cache(maxsize=64)
def targets(position: Position, site: str) -> tuple[str, ...]:
    """Where the figure on a site may go, without revealing anything hidden; only sites of the board."""
    if position.seat is None or not can_point(position.rules):
        return ()
    sites = position.rules.game.board(position.players, position.setup()).sites
    return tuple(pick for pick in reach(position, (site,), ()).onward if pick in sites)
