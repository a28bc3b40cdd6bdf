"""What covers the board: a hand that comes and goes, or something left lying on it."""

from __future__ import annotations

from engine.core import Json
from engine.referee.state import TICK
from engine.referee.table import Table

GLANCE = 0.25
"""Seconds for which a hand is shown where it was: nobody need follow every frame of it."""
FORGOTTEN = 10.0
"""Seconds after which a thing that lies there again is said again."""


class Covering:
    """Which sites the referee cannot see, and why."""

    def __init__(self) -> None:
        self.lying: tuple[str, ...] = ()
        """Sites that have been covered without a break for so long that it is no hand."""
        self.hidden: tuple[str, ...] = ()
        """Sites under something that may go away again."""
        self._glanced = float("-inf")
        self._told: dict[str, float] = {}

    def see(self, table: Table, seconds: float) -> list[Json]:
        """Look at the table; what there is to say: once of a thing, however long it lies."""
        # A match that is over is looked at no more, and what covered it then may be long gone.
        covered = {} if table.closed else {site: since for site, since in table.watch.covered.items() if site}
        long_ago = seconds - table.patience.lying + TICK
        self.lying = tuple(sorted(site for site, since in covered.items() if since <= long_ago))
        hidden = tuple(sorted(covered.keys() - set(self.lying)))
        if not hidden or not 0 <= seconds - self._glanced < GLANCE:
            self.hidden, self._glanced = hidden, seconds
        new = [site for site in self.lying if not 0 <= seconds - self._told.get(site, float("-inf")) < FORGOTTEN]
        self._told |= dict.fromkeys(self.lying, seconds)
        if not new:
            return []
        text = f"something is lying on {', '.join(new)}: the referee cannot see what stands there"
        return [{"t": round(seconds, 3), "event": "lying", "sites": new, "text": text}]

    def record(self) -> Json:
        return {"lying": list(self.lying), "hidden": list(self.hidden)}
