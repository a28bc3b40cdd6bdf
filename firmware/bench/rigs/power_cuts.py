"""Power cuts, replayed from what a writer wrote and when: of what was not synced, any part may be on the disk."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from engine.match import Match
from engine.registry import find_game
from firmware.log.disk.file import part_of
from firmware.log.disk.journal import HEADER
from firmware.log.match.record import seated
from firmware.log.store import Store

SECTOR = 512
"""Bytes that a disk writes whole or not at all."""
UNSYNCED = 20
"""Events after which the second copy, which is never synced, has come to the disk by itself."""
WHEN = "2026-01-01T00:00:00+00:00"
FILES = ("", "-wal", ".witness")
Files = dict[str, bytes]


@dataclass(frozen=True)
class Snapshot:
    """The files of a log when so many events of a match were announced."""

    files: Files
    announced: tuple[tuple[int, int, str], ...]
    """Match, number and action of each."""


@dataclass
class Cuts:
    """What came of it."""

    cuts: int = 0
    announced: int = 0
    lost: int = 0
    alarms: int = 0
    """Logs that were called damaged, though nothing had happened to them but a cut."""
    flaws: list[str] = field(default_factory=list)


def power_cuts(cuts: int, folder: Path, random: Random) -> Cuts:
    """Cut the power again and again while matches are written, and look each time what is left."""
    told = Cuts()
    moments = _traced(folder / "traced" / "matches.sqlite", random)
    for number in range(cuts):
        place = random.randrange(len(moments) - 1)
        log = folder / f"cut-{number}" / "matches.sqlite"
        log.parent.mkdir()
        announced = _cut(moments, place, log, random)
        told.cuts += 1
        told.announced += len(announced)
        with Store(log) as store:
            told.alarms += store.note is not None
            there = {
                (match, event.number, str(event.payload.get("action", event.kind)))
                for match in store.ids()
                for event in store.events(match)
            }
            told.lost += len(set(announced) - there)
            told.flaws += store.problems()
        shutil.rmtree(log.parent)
    return told


def _traced(log: Path, random: Random) -> list[Snapshot]:
    """The files after each event of some matches."""
    rules, announced = find_game("rings").configure(), list[tuple[int, int, str]]()
    moments: list[Snapshot] = []
    with Store(log) as store:
        for _ in range(4):
            number, match = store.begin_match(rules, seated(["Ada", "Bo"]), {}, started=WHEN), Match.begin(rules, 2, {})
            while match.position.outcome is None and match.ply < 30:
                action = random.choice(sorted(match.position.legal(), key=str))
                payload = {"ply": match.ply, "seat": match.position.seat, "action": str(action)}
                event = store.append(number, "action", payload, at=WHEN, seconds=float(match.ply))
                announced.append((number, event.number, str(action)))
                match = match.play(action)
                moments.append(Snapshot(files_of(log), tuple(announced)))
            event = store.append(number, "draw", {}, at=WHEN, seconds=99.0)
            announced.append((number, event.number, "draw"))
            moments.append(Snapshot(files_of(log), tuple(announced)))
    return moments


def files_of(log: Path) -> Files:
    return {part: part_of(log, part).read_bytes() for part in FILES if part_of(log, part).exists()}


def _cut(moments: list[Snapshot], place: int, log: Path, random: Random) -> tuple[tuple[int, int, str], ...]:
    """Write the files as a cut between two events may leave them; what was announced by then."""
    before, after = moments[place], moments[place + 1]
    files = {"-wal": _torn(before.files["-wal"], after.files["-wal"], random), "": before.files[""]}
    # The second copy is written when the journal is safe.
    witness = before.files[".witness"]
    if random.random() < 0.5:
        witness = after.files[".witness"]
        # The file itself is written only when its journal is safe.
        files = {"-wal": after.files["-wal"], "": _torn(before.files[""], after.files[""], random)}
    # Names are synced, contents are not: they end somewhere, or in zeros.
    least = len(moments[max(place - UNSYNCED, 0)].files[".witness"])
    end = random.randrange(least, len(witness) + 1)
    files[".witness"] = witness[:end] + bytes(random.choice((0, 0, len(witness) - end)))
    for part, data in files.items():
        part_of(log, part).write_bytes(data)
    return before.announced


def _torn(before: bytes, after: bytes, random: Random) -> bytes:
    """Of every sector the old or the new, and an end between the two."""
    size = max(random.randrange(min(len(before), len(after)), max(len(before), len(after)) + 1), HEADER)
    torn = bytearray(after[:size].ljust(size, b"\0"))
    for start in range(0, size, SECTOR):
        if random.random() < 0.5:
            old = before[start : start + SECTOR]
            torn[start : start + len(old)] = old
            torn[start + len(old) : start + SECTOR] = bytes(len(torn[start + len(old) : start + SECTOR]))
    if before[:HEADER] != after[:HEADER]:
        # A journal that is begun anew has its new header synced before anything follows it.
        torn[:HEADER] = after[:HEADER]
    return bytes(torn[:size])
