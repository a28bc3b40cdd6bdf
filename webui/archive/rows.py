"""A logged match as the replay shows it: what changes at each step, and the list of what happened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.core import Json
from webui.words.telling import event_text

TOLD = (
    "peek",
    "call",
    "chips",
    "illegal",
    "undo",
    "resign",
    "draw",
    "abandon",
    "result",
    "correction",
    "gap",
    "imported",
)
"""Events other than actions to show in the list."""


@dataclass
class ListedEvent:
    """One line of the list."""

    kind: str
    moment: int
    """The position it leads to: for an action the one after it."""
    text: str
    seat: int | None = None
    number: int | None = None
    """Of an action: which one it was, from 1."""
    seconds: float | None = None
    """Of an action: how long it took."""
    sites: tuple[str, ...] = ()
    notation: str = ""
    undone: bool = field(default=False)


@dataclass(frozen=True, slots=True)
class Recall:
    """How well a player remembered."""

    seat: int
    right: int
    calls: int
    ago: float | None
    """How many actions ago what was remembered had been seen, on average."""


def remembered_by(record: Json) -> list[Recall]:
    """For every player who had to remember something how well that went."""
    told: Sequence[Mapping[str, Any]] = record.get("remembered", ())
    found = []
    for seat in sorted({each["seat"] for each in told}):
        own = [each for each in told if each["seat"] == seat]
        right = [each["ago"] for each in own if each["right"]]
        found.append(Recall(seat, len(right), len(own), sum(right) / len(right) if right else None))
    return found


def rows_of(record: Json, language: str) -> list[ListedEvent]:
    """Everything that happened, in order: actions, illegal moves, what was taken back."""
    rows: list[ListedEvent] = []
    stood: list[ListedEvent] = []
    first, since = 0, 0.0
    for event in record["events"]:
        kind, now = str(event["event"]), float(event["t"])
        here = first + len(stood)
        if "action" in event and kind in ("action", "correction"):
            text = event_text(event | {"event": "action", "seat": event.get("seat")}, record, language)
            row = ListedEvent("action", here + 1, text, event.get("seat"), len(stood) + 1, max(0.0, now - since))
            row.notation = str(event["action"])
            stood.append(row)
            rows.append(row)
        elif kind in TOLD or event.get("what") == "out":
            if "to_ply" in event:
                for row in stood[event["to_ply"] :]:
                    row.undone = True
                del stood[event["to_ply"] :]
                here = first + len(stood)
                # The replay shows what remained in the end; undone actions are shown from where they began.
                for row in rows:
                    row.moment = min(row.moment, here)
            elif "setup" in event:
                first, stood = here + 1, []
                here = first
            rows.append(_told(event, here, record, language))
        if kind in ("action", "undo", "correction"):
            since = now
    return rows


def _told(event: Json, moment: int, record: Json, language: str) -> ListedEvent:
    kind = str(event["event"])
    if kind == "correction" and event.get("what") == "take_back":
        kind = "undo"
    text = event_text(event | {"event": kind}, record, language)
    return ListedEvent(kind, moment, text, event.get("seat"), sites=tuple(event.get("sites", ())))


def changes_of(moments: Sequence[Json]) -> list[Json]:
    """The positions, each as the difference from the previous one: an empty site is null."""
    before: Mapping[str, Any] = {}
    found = []
    for moment in moments:
        faces = moment["faces"]
        changed = {site: face for site, face in faces.items() if before.get(site) != face}
        gone = dict.fromkeys(site for site in before if site not in faces)
        beside = {"rows": moment["rows"]} if moment.get("rows") else {}
        found.append({"faces": changed | gone, "turns": moment["turns"], "seat": moment.get("seat")} | beside)
        before = faces
    return found
