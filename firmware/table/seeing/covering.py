"""What covers the board: a hand that comes and goes, or something left lying on it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Game, Json
from engine.referee.state import TICK
from engine.referee.table import Table

GLANCE = 0.25
"""Seconds for which a hand is shown where it was: nobody need follow every frame of it."""
FORGOTTEN = 10.0
"""Seconds after which a thing that lies there again is said again."""


@dataclass(frozen=True, slots=True)
class LeftLying:
    """Something lies on these sites, and is no hand."""

    sites: tuple[str, ...]

    def record(self, game: Game) -> Json:
        one = game.lying if len(self.sites) == 1 else ""
        told = one or "something is lying on {sites}: the referee cannot see what stands there"
        text = told.format(sites=", ".join(self.sites))
        return {"event": "lying", "sites": list(self.sites), "text": text}


class Covering:
    """Which sites the referee cannot see, and why."""

    def __init__(self) -> None:
        self.lying: tuple[str, ...] = ()
        """Sites that have been covered without a break for so long that it is no hand."""
        self.hidden: tuple[str, ...] = ()
        """Sites under something that may go away again."""
        self._glanced = float("-inf")
        self._told: dict[str, float] = {}

    def follow(self, table: Table, seconds: float) -> list[LeftLying]:
        """Keep up with the table; what there is to say: once of a thing, however long it lies."""
        # A match that is over is looked at no more, and what covered it then may be long gone.
        covered = {} if table.closed else {site: since for site, since in table.watch.covered.items() if site}
        long_ago = seconds - table.patience.lying + TICK
        self.lying = tuple(sorted(site for site, since in covered.items() if since <= long_ago))
        hidden = tuple(sorted(covered.keys() - set(self.lying)))
        if not hidden or not 0 <= seconds - self._glanced < GLANCE:
            self.hidden, self._glanced = hidden, seconds
        new = [site for site in self.lying if not 0 <= seconds - self._told.get(site, float("-inf")) < FORGOTTEN]
        self._told |= dict.fromkeys(self.lying, seconds)
        return [LeftLying(tuple(new))] if new else []

    def record(self) -> Json:
        return {"lying": list(self.lying), "hidden": list(self.hidden)}
