"""What becomes of a match in the archive: other names, put away, taken out again. The log itself only ever grows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware.log.match.record import Event
from firmware.log.match.seating import Seating
from firmware.log.store import Store


def rename_players(store: Store, number: int, names: Sequence[str], at: str) -> None:
    """Give the players of a match other names; raises `GameError` if there are too many or too few."""
    seating = Seating(store.history(number).players).renamed(names)
    _add(store, number, "names", {"names": [player.name for player in seating.players]}, at)


def put_away(store: Store, number: int, removed: bool, at: str) -> None:
    """Leave a match out of lists and statistics, or let it be seen in them again."""
    if is_removed(store.events(number)) != removed:
        _add(store, number, "removed", {"removed": removed}, at)


def is_removed(events: Iterable[Event]) -> bool:
    return bool(next((event.payload.get("removed") for event in reversed(list(events)) if event.kind == "removed"), 0))


def _add(store: Store, number: int, kind: str, payload: dict[str, object], at: str) -> None:
    store.append(number, kind, payload, at=at, seconds=store.last_seconds(number))
