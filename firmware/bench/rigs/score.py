"""How well the referee did: every event of a match compared with what really happened."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from engine.core import Json
from firmware.bench.rigs.hit_rate import HitRate

GRACE = 1.5
"""Seconds after which a half-done action may be called illegal."""
JUDGED = ("action", "undo", "illegal", "result", "peek")


@dataclass
class MatchScore:
    """Everything counted over many matches."""

    actions: HitRate = field(default_factory=HitRate)
    wrong: int = 0
    """Actions and undos that were said and never happened, and nobody was asked."""
    asked: int = 0
    matches: HitRate = field(default_factory=HitRate)
    noticed: HitRate = field(default_factory=HitRate)
    named: HitRate = field(default_factory=HitRate)
    undos: HitRate = field(default_factory=HitRate)
    unseen: int = 0
    """Actions and mistakes of which the camera could see nothing: they count neither for nor against."""
    alarms: int = 0
    """Illegal was said of what was not."""
    waits: list[float] = field(default_factory=list)
    """Seconds from the last frame with a hand over the board to the light."""
    frames: int = 0
    rows: HitRate = field(default_factory=HitRate)
    """Matches at whose end the pieces in all rows were counted right, and so were those that are due."""

    def wait(self, share: float) -> float:
        ordered = sorted(self.waits)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else float("nan")


def score(records: Iterable[Json]) -> MatchScore:
    total = MatchScore()
    for record in records:
        _add(total, record)
    return total


def _add(total: MatchScore, record: Json) -> None:
    expected = [event for event in record["expected"] if event["event"] in JUDGED]
    got = _said(record["got"], {_key(event) for event in expected})
    pairs = _paired(expected, got)
    used = {id(met) for met in pairs.values()}
    mistakes = sum(_missed(total, event, pairs.get(id(event))) for event in expected)
    mistakes += sum(_made_up(total, event) for event in got if id(event) not in used)
    total.asked += sum(event["event"] == "unclear" for event in record["got"])
    total.matches.add(not mistakes)
    total.frames += record["frames"]
    if rows := record.get("rows"):
        total.rows.add(rows["seen"] == rows["due"] == rows["true"])


def _missed(total: MatchScore, event: Json, met: Json | None) -> bool:
    """Count an expected event beside what was said of it; whether nothing was, and could have been."""
    if event.get("unseen") and (met is None or "answered" in met):
        total.unseen += 1
        return False
    kind = event["event"]
    counts = {"action": total.actions, "undo": total.undos, "illegal": total.noticed}
    if kind in counts:
        counts[kind].add(met is not None)
    if met is None:
        return True
    if kind == "illegal":
        total.named.add(met["rule"] in event["rules"])
    if kind in ("action", "undo") and "answered" not in met:
        total.waits.append(met["gone"])
    return False


def _made_up(total: MatchScore, event: Json) -> bool:
    """Count something said that was not expected; whether that was a mistake."""
    if event["event"] != "illegal":
        total.wrong += event["event"] in ("action", "undo")
        return True
    # An action left half done for this long is rightly called illegal.
    if event["half"] and event["stood"] >= GRACE:
        return False
    total.alarms += 1
    return True


def _said(got: Sequence[Json], expected: Set[tuple[object, ...]]) -> list[Json]:
    """What was judged. Taking several actions back shows the positions between: only the last one counts, and what
    looked like an action on the way there, and was none, is taken back with the rest."""
    said: list[Json] = []
    for event in got:
        if event["event"] not in JUDGED:
            continue
        while event["event"] == "undo" and said and _is_on_the_way(said[-1], event, expected):
            said.pop()
        said.append(event)
    return said


def _is_on_the_way(event: Json, undo: Json, expected: Set[tuple[object, ...]]) -> bool:
    if event["event"] == "action":
        return bool(event.get("half")) and event["ply"] >= undo["to_ply"] and _key(event) not in expected
    return bool(event["event"] == "undo")


def _paired(expected: Sequence[Json], got: Sequence[Json]) -> dict[int, Json]:
    """For every expected event, by its id, the one that says the same, in the same order."""
    matcher = SequenceMatcher(None, [_key(event) for event in expected], [_key(event) for event in got], autojunk=False)
    return {
        id(expected[block.a + k]): got[block.b + k]
        for block in matcher.get_matching_blocks()
        for k in range(block.size)
    }


def _key(event: Json) -> tuple[object, ...]:
    match event["event"]:
        case "action":
            return ("action", event["ply"], event["seat"], event["action"])
        case "undo":
            return ("undo", event["to_ply"])
        case "result":
            return ("result", str(event["winner"]), event["by"])
        case kind:
            return (kind,)
