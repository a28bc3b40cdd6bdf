"""What people do in the archive: the thread that writes the log does it for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.spoken import SpokenError
from firmware.log.exchange.importing import import_match, read_match
from firmware.log.filing import put_away, rename_players
from firmware.log.store import Store
from firmware.table.loop import Sitting
from firmware.table.playing import Playing
from firmware.table.requests.deeds import rename


def rename_match(sitting: Sitting, number: int, names: Sequence[str]) -> None:
    """Give the players of a match other names, also while it is played."""
    if _at_the_table(sitting, number) is not None:
        rename(sitting, names)
        return
    _write(sitting, lambda store, at: rename_players(store, number, names, at))


def remove_match(sitting: Sitting, number: int, removed: bool) -> None:
    """Put a match of the archive away, or take it out again."""
    playing = _at_the_table(sitting, number)
    if playing is not None and (playing.table is None or playing.goes_on):
        raise SpokenError("match {number} is being played", number=number)
    _write(sitting, lambda store, at: put_away(store, number, removed, at))


def bring_in(sitting: Sitting, text: str) -> int:
    """Take in a match that was exported elsewhere, and return its number."""
    draft, numbers = read_match(text), list[int]()
    _write(sitting, lambda store, at: numbers.append(import_match(store, draft, at)))
    return numbers[0]


def _at_the_table(sitting: Sitting, number: int) -> Playing | None:
    playing = sitting.playing
    return playing if playing is not None and playing.log.number == number else None


def _write(sitting: Sitting, deed: Callable[[Store, str], None]) -> None:
    """At once or not at all: nobody waits in the archive for a disk to be mended."""
    outbox = sitting.gear.outbox
    if outbox.store is None or outbox.problem:
        raise SpokenError("the archive cannot be changed now: its file cannot be written")
    deed(outbox.store, sitting.gear.wall())
