"""Pieces that are lifted and put back, where something lies under them that nobody may look at."""

from __future__ import annotations

from engine.face import EMPTY
from engine.referee.changes import accept, steady
from engine.referee.evidence import Evidence
from engine.referee.news import Peek
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.state import Table

GONE = 3.0
"""How much must speak against the piece that stood on a site for it to be clearly gone. By hand: the hand that holds it
often hides half of the site."""
LOOKS = 2
"""So many pictures must show that: one alone may be a whim of the eye."""


def noticed(table: Table, reading: Reading) -> Table:
    """The table with a note of the pieces that are lifted just now, whether or not a hand is over the board."""
    if not table.match.rules.game.covers:
        return table
    lifted = dict(table.watch.lifted)
    for site, known in table.stand.faces.items():
        likely = reading.sites.get(site)
        if likely is None:
            continue
        best = max(likely, key=likely.__getitem__)
        if best == EMPTY and likely[best] - likely.get(known, -GONE) >= GONE:
            lifted[site] = lifted.get(site, 0) + 1
    return table.with_watch(lifted=lifted) if lifted != table.watch.lifted else table


def is_lifted(table: Table, stand: Stand, evidence: Evidence) -> bool:
    """Whether everything is as it stood except for pieces that somebody holds and may still put down."""
    if not table.match.rules.game.covers:
        return False
    differing = evidence.differing(stand)
    return len(differing) == 1 and evidence.best(differing[0]) == EMPTY


def put_back(table: Table, evidence: Evidence) -> Table | None:
    """What it means if the table shows its position again after pieces were lifted; None if none were. A player who
    puts a mistake right has not looked.
    """
    lifted = [site for site, looks in table.watch.lifted.items() if looks >= LOOKS]
    if not lifted or table.said.told or table.position.outcome is not None:
        return None
    position = table.position
    meant = {site: position.rules.looked_under(position, site) for site in lifted}
    calls = [action for action in meant.values() if action is not None]
    call = calls[0] if len(calls) == 1 else None
    peeks = [Peek(site) for site in lifted if call is None or meant[site] is None]
    if call is None:
        return steady(table, evidence).saying(*peeks)
    return accept(table.saying(*peeks), (call,), evidence)
