"""Damaged logs: a bit of the journal, a page of the file, its description. What is noticed, and what is saved?"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from random import Random

from engine.match import Match
from engine.registry import find_game
from firmware.bench.rigs.hit_rate import HitRate
from firmware.log.damage.carving import carved_rows
from firmware.log.disk.file import PARTS, part_of
from firmware.log.match.record import LogError, seated
from firmware.log.store import Store

WHEN = "2026-01-01T00:00:00+00:00"
PAGE = 4096
Known = dict[tuple[int, int], str]


@dataclass
class Damage:
    """What came of it."""

    noticed: HitRate
    """Of the changes that cost an event, if nobody saved it."""
    rescued: HitRate
    """Events of pages that can be read."""


def write_logs(folder: Path, random: Random) -> tuple[Path, Path]:
    """A log that was closed, and the same with two more matches that are in its journal only."""
    log, cut, whole = folder / "matches.sqlite", folder / "cut" / "matches.sqlite", folder / "whole" / "matches.sqlite"
    with Store(log) as store:
        for _ in range(8):
            _play(store, random)
    _copied(log, whole)
    with Store(log) as store:
        for _ in range(2):
            _play(store, random)
        _copied(log, cut)
    return whole, cut


def damaged_journals(cut: Path, tries: int, random: Random, *, second_copy: bool) -> Damage:
    """One bit of the journal is changed, or its end is missing."""
    told, known = Damage(HitRate(), HitRate()), _known(cut)
    for _ in range(tries):
        victim = _copied(cut, cut.parent.parent / "victim" / cut.name)
        if not second_copy:
            part_of(victim, ".witness").unlink()
        journal = part_of(victim, "-wal")
        data = bytearray(journal.read_bytes())
        place = random.randrange(len(data))
        if second_copy and random.random() < 0.2:
            del data[place:]
        else:
            data[place] ^= 1 << random.randrange(8)
        journal.write_bytes(data)
        is_sound, seen = _verdict(victim), _known_or_none(victim)
        if seen != known or not is_sound:
            told.noticed.add(not is_sound)
        _count(victim, known, known, told.rescued)
    return told


def damaged_files(whole: Path, tries: int, random: Random, *, second_copy: bool) -> Damage:
    """A page is overwritten, some bytes are changed, the file is cut off, or its description is wrong."""
    told, known = Damage(HitRate(), HitRate()), _known(whole)
    for number in range(tries):
        victim = _copied(whole, whole.parent.parent / "victim" / whole.name)
        if not second_copy:
            part_of(victim, ".witness").unlink()
        data = bytearray(victim.read_bytes())
        pages = len(data) // PAGE
        page = random.randrange(pages)
        match number % 4:
            case 0:
                data[page * PAGE : (page + 1) * PAGE] = random.randbytes(PAGE)
            case 1:
                for _ in range(3):
                    data[page * PAGE + random.randrange(PAGE)] ^= 0x55
            case 2:
                page = pages - 1
                del data[page * PAGE :]
            case _:
                page = 0
                data = bytearray(bytes(data).replace(b"CREATE TRIGGER events", b"CREATE TRIGGES events", 1))
        gone = _events_on(whole, page)
        victim.write_bytes(data)
        if _known_or_none(victim) != known:
            told.noticed.add(not _verdict(victim))
        readable = {place: action for place, action in known.items() if place not in gone or second_copy}
        if second_copy or _starts_elsewhere(whole, page):
            _count(victim, known, readable, told.rescued)
    return told


def _count(victim: Path, known: Known, readable: Known, rescued: HitRate) -> None:
    with Store(victim) as store:
        kept = [
            (match, str(event.payload.get("action", event.kind)))
            for match in store.ids()
            for event in store.events(match)
        ]
    left = list(kept)
    for (match, number), action in known.items():
        there = (match, action) in left
        if there:
            left.remove((match, action))
        if (match, number) in readable:
            rescued.add(there)


def _play(store: Store, random: Random) -> None:
    rules = find_game("rings").configure()
    number, match = store.begin_match(rules, seated(["Ada", "Bo"]), {}, started=WHEN), Match.begin(rules, 2, {})
    while match.position.outcome is None and match.ply < 40:
        action = random.choice(sorted(match.position.legal(), key=str))
        payload = {"ply": match.ply, "seat": match.position.seat, "action": str(action)}
        store.append(number, "action", payload, at=WHEN, seconds=match.ply + 0.5)
        match = match.play(action)


def _copied(log: Path, copy: Path) -> Path:
    shutil.rmtree(copy.parent, ignore_errors=True)
    copy.parent.mkdir()
    for part in PARTS:
        if part != "-shm" and part_of(log, part).exists():
            shutil.copy(part_of(log, part), part_of(copy, part))
    return copy


def _known(log: Path) -> Known:
    with Store(log, read_only=True) as store:
        return {
            (match, event.number): str(event.payload.get("action", event.kind))
            for match in store.ids()
            for event in store.events(match)
        }


def _known_or_none(log: Path) -> Known | None:
    try:
        return _known(log)
    except LogError:
        return None


def _verdict(log: Path) -> bool:
    """Whether `magister log verify` finds nothing."""
    try:
        with Store(log, read_only=True) as store:
            return not store.problems()
    except LogError:
        return False


def _events_on(log: Path, page: int) -> set[tuple[object, object]]:
    return {(row[0], row[1]) for row in _rows_on(log, page) if len(row) == 7}


def _starts_elsewhere(log: Path, page: int) -> bool:
    """Whether this page says of no match how it began: without that, events mean nothing."""
    return not any(len(row) == 9 for row in _rows_on(log, page))


def _rows_on(log: Path, page: int) -> list[tuple[object, ...]]:
    data = log.read_bytes()
    alone = log.with_name("page")
    alone.write_bytes(bytes(PAGE) + data[page * PAGE : (page + 1) * PAGE])
    return list(carved_rows(alone))
