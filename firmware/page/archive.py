"""The matches on disk, for the page: read alongside the writer, and cached as long as nothing is added."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from engine.core import Json
from engine.face import spelled
from firmware.log.filing import is_removed
from firmware.log.match.clocks import moments_left
from firmware.log.match.history import tell
from firmware.log.match.seating import Seating
from firmware.log.match.summary import MatchSummary, summarise
from firmware.log.store import Event, History, LogError, SavedMatch, Store
from firmware.machine.errors import UsageError
from webui.house import BackupError, NoSuchMatchError

KEPT = 2000
"""Number of summaries to cache."""


class StoredArchive:
    """A log, opened for each request: it may not exist yet, and is never kept open."""

    def __init__(self, path: Path, files: Mapping[str, Path] | None = None) -> None:
        """`files` are settings, lens and colours: what a backup holds beside the log."""
        self._path, self._files = path, files or {}
        self._lock = Lock()
        self._briefs: OrderedDict[tuple[int, int], Json] = OrderedDict()

    def matches(self) -> Sequence[Json]:
        try:
            with Store(self._path, read_only=True) as store:
                return [brief for number in reversed(store.ids()) if (brief := self._brief(store, number)) is not None]
        except LogError:
            return []

    def records(self) -> Sequence[Json]:
        try:
            with Store(self._path, read_only=True) as store:
                told = ((number, self._brief(store, number)) for number in store.ids())
                return [
                    brief | {"events": [event.record() for event in store.events(number)]}
                    for number, brief in told
                    if brief is not None and not brief["removed"]
                ]
        except LogError:
            return []

    def match(self, number: int) -> Json:
        history, events = self._told(number)
        return whole(history, events)

    def export(self, number: int, form: str) -> bytes:
        # Animations need OpenCV; load it only when one is exported.
        from firmware.log.exchange.export import FORMATS, export

        if form not in FORMATS:
            raise NoSuchMatchError(f"unknown format {form}; there are: {', '.join(FORMATS)}")
        return export(*self._told(number), form)

    def backup(self) -> tuple[str, bytes]:
        from firmware.log.backup import make_backup, name_of

        made = datetime.now(UTC).isoformat()
        try:
            return name_of(made), make_backup(self._path, self._files, made)
        except UsageError as error:
            raise BackupError(str(error)) from error

    def take_in(self, data: bytes) -> str:
        from firmware.log.backup import read_backup

        draft = self._path.with_name(f"{self._path.name}.uploaded")
        try:
            draft.write_bytes(data)
            read_backup(draft)
        except OSError as error:
            raise BackupError(f"cannot keep the backup: {error.strerror}") from error
        except UsageError as error:
            draft.unlink()
            raise BackupError(str(error).replace(str(draft), "the file")) from error
        return str(draft)

    def _told(self, number: int) -> tuple[History, list[Event]]:
        try:
            with Store(self._path, read_only=True) as store:
                events = store.events(number)
                return tell(store.match(number), events), events
        except LogError as error:
            raise NoSuchMatchError(str(error)) from error

    def _brief(self, store: Store, number: int) -> Json | None:
        """A summary of a match; None if it cannot be read (`magister log verify` says why)."""
        try:
            length = store.length(number)
            with self._lock:
                if (number, length) in self._briefs:
                    return self._briefs[number, length]
            saved, events = store.match(number), store.events(number)
            told = brief(saved, summarise(saved, events), events)
        except LogError:
            return None
        with self._lock:
            self._briefs[number, length] = told
            while len(self._briefs) > KEPT:
                self._briefs.popitem(last=False)
        return told


def brief(saved: SavedMatch, counted: MatchSummary, events: Sequence[Event]) -> Json:
    """A match as the list of matches shows it."""
    return {
        "id": saved.id,
        "started": saved.started,
        "game": saved.game,
        "variant": saved.variant,
        "options": dict(saved.options),
        "players": [player.record() for player in counted.players],
        "result": counted.result,
        "actions": counted.actions,
        "illegal": counted.illegal,
        "undone": sum(event.kind == "undo" or event.payload.get("what") == "take_back" for event in events),
        "seconds": round(events[-1].seconds - events[0].seconds, 1) if events else 0.0,
        "imported": any(event.kind == "imported" for event in events),
        "removed": is_removed(events),
    }


def whole(history: History, events: Sequence[Event]) -> Json:
    """A match with the table after every action not taken back."""
    from firmware.log.exchange.export import as_json

    saved = history.saved
    played, seating, known = _times(events), Seating(saved.players), history.match.rules.game.faces
    moments: list[Json] = [
        {
            "faces": spelled(seating.on_table(moment.faces, known)),
            "turns": dict(moment.turns),
            "caption": moment.caption,
        }
        for moment in history.moments()
    ]
    first = len(moments) - len(history.match.positions)
    if history.match.rules.game.row_face is not None:
        for place, position in enumerate(history.match.positions):
            moments[first + place]["rows"] = spelled(history.match.rules.beside(position))
    for ply, action in enumerate(history.match.actions):
        seat = history.match.positions[ply].seat
        moments[first + ply + 1] |= {"action": str(action), "seat": seat, "seconds": played.get(ply)}
    for moment, left in zip(moments, moments_left(events, len(moments)), strict=False):
        moment["left"] = left
    return as_json(history, events) | {
        "moments": moments,
        "board": {"players": len(saved.players), "setup": saved.setup},
        "removed": is_removed(events),
        "secret": history.may_go_on and history.match.rules.game.hides,
    }


def _times(events: Sequence[Event]) -> dict[int, float]:
    """When each remaining ply was played, on the table's clock."""
    times: dict[int, float] = {}
    for event in events:
        if event.payload.get("what") == "position":
            times.clear()
        if "action" in event.payload and isinstance(event.payload.get("ply"), int):
            times[event.payload["ply"]] = event.seconds
    return times
