"""Whether the referee owes a word, and what it waits for: nobody at a table should wonder whether it is still
watching."""

from __future__ import annotations

from dataclasses import replace

from engine.referee.evidence import Evidence
from engine.referee.explain import GOOD
from engine.referee.news import Miscounted, Peek
from engine.referee.state import TICK, Settling, Table, Wait


def waiting(table: Table, seconds: float) -> Table:
    """The table after a look, with what the referee waits for: nothing once all that the table shows is known or has
    been spoken of."""
    wait = None if any(not isinstance(each, Miscounted | Peek) for each in table.news) else _wait(table, seconds)
    before = table.watch.wait
    if wait is not None and before is not None:
        wait = replace(wait, since=before.since)
    return table if wait == before else table.with_watch(wait=wait)


def _wait(table: Table, seconds: float) -> Wait | None:
    settling, patience = table.watch.settling, table.patience
    if settling is None:
        fresh = [site for site, since in table.watch.covered.items() if seconds - since < patience.lying - TICK]
        return Wait("hand", tuple(sorted(site for site in fresh if site)), seconds)
    sites = settling.evidence.differing(table.stand)
    if not _is_settled(table, settling, seconds):
        # What looks as it did is taken to be so from the first picture on.
        return Wait("wavering", sites, seconds) if sites or table.watch.wait is not None else None
    if _is_talked_about(table, settling.evidence):
        return None
    return Wait("moving" if seconds - table.watch.moved < patience.calm - TICK else "unsure", sites, seconds)


def _is_settled(table: Table, settling: Settling, seconds: float) -> bool:
    patience = table.patience
    return settling.frames >= patience.frames or seconds - settling.since >= patience.seconds - TICK


def _is_talked_about(table: Table, evidence: Evidence) -> bool:
    """Whether the table stood like this already, or people have been told what is wrong, or asked what it is."""
    known = (table.stand, *table.said.told, *((table.said.half_done,) if table.said.half_done else ()))
    return bool(table.said.asked) or any(evidence.strain(each) <= GOOD for each in known)
