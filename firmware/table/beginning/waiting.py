"""A match that cannot begin, because the camera does not see its board: people are told why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.core import Game, Json

if TYPE_CHECKING:
    from vision.look import BoardNotFoundError

PATIENCE = 3.0
"""Seconds for which a board may be out of sight before a word is said: somebody is still laying it out."""


@dataclass(frozen=True, slots=True)
class NotThere:
    """The board is not to be seen."""

    why: str

    def record(self, _: Game) -> Json:
        return {"event": "waiting", "text": self.why}


class Waiting:
    """Before a match has begun."""

    def __init__(self) -> None:
        self.others: tuple[str, ...] = ()
        """The games of which there is a board on the table instead."""
        self._since: float | None = None
        self._told = ""

    def follow(self, not_found: BoardNotFoundError | None, seconds: float) -> list[NotThere]:
        """What there is to say: each thing once, and only when it has been so for a while."""
        if not_found is None:
            self.others, self._since = (), None
            return []
        if self._since is None:
            self._since = seconds
        if seconds - self._since < PATIENCE:
            return []
        self.others = not_found.others
        why = str(not_found) if self.others else f"waiting for the board: {not_found}"
        if why == self._told:
            return []
        self._told = why
        return [NotThere(why)]
