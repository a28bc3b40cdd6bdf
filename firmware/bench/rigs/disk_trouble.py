"""A disk that is full or may only be read, and clocks that jump, in the middle of matches."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random

from engine.match import Match
from engine.registry import find_game
from firmware.log.lines import LogLine, MatchLog
from firmware.log.match.seating import Seating
from firmware.log.outbox import AGAIN, Outbox, patient_log
from firmware.log.store import Store
from firmware.table.playing import resumed_table

NOBODY = 65534
YEARS = (
    "2026-01-02T20:00:00+00:00",
    "1970-01-01T00:00:00+00:00",
    "2038-01-19T03:14:08+00:00",
    "2026-01-02T19:00:00+00:00",
)


@dataclass(frozen=True)
class Trouble:
    """What came of one match."""

    played: int
    lost: int
    told: bool
    """Whether it was said while it lasted."""


def full_disk(log: Path, seed: int) -> Trouble:
    return _apart(_full, log, seed)


def read_only_disk(log: Path, seed: int) -> Trouble:
    return _apart(_read_only, log, seed)


def clock_jumps(log: Path, seed: int) -> Trouble:
    return _apart(_jumping, log, seed)


def _apart(deed: Callable[[Path, int], Trouble], log: Path, seed: int) -> Trouble:
    """In a process of its own."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(deed, (log, seed))


def _full(log: Path, seed: int) -> Trouble:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def change(is_bad: bool) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]) if is_bad else before)

    return _played(log, seed, change)


def _read_only(log: Path, seed: int) -> Trouble:
    if os.geteuid() == 0:
        # Root may write whatever the rights are.
        os.chown(log.parent, NOBODY, NOBODY)
        os.setgid(NOBODY)
        os.setuid(NOBODY)

    def change(is_bad: bool) -> None:
        log.parent.chmod(0o500 if is_bad else 0o700)
        for file in log.parent.iterdir():
            file.chmod(0o400 if is_bad else 0o600)

    change(True)
    return _played(log, seed, change, at_start=True)


def _played(log: Path, seed: int, change: Callable[[bool], None], *, at_start: bool = False) -> Trouble:
    random, told, now = Random(seed), False, 0.0
    begin, end = (0, random.randrange(5, 15)) if at_start else sorted(random.sample(range(1, 25), 2))
    with patient_log(log, lambda _: None) as outbox:
        match, write = _match_of(outbox)
        for ply in range(25):
            if ply in (begin, end):
                change(ply == begin)
            now += AGAIN
            outbox.tend(now)
            match = write(match, random)
            told = told or bool(outbox.problem)
        change(False)
        outbox.tend(now + AGAIN)
    return Trouble(match.ply, _missing(log, match), told)


def _match_of(outbox: Outbox, wall: Callable[[], str] = lambda: YEARS[0]) -> tuple[Match, partial[Match]]:
    rules = find_game("rings").configure()
    pages = MatchLog(outbox, wall)
    return Match.begin(rules, 2, {}), partial(_write, pages)


def _write(pages: MatchLog, match: Match, random: Random) -> Match:
    action = random.choice(sorted(match.position.legal(), key=str))
    line = LogLine("action", {"ply": match.ply, "seat": match.position.seat, "action": str(action)})
    after = match.play(action)
    pages.write(line, resumed_table(after, {}), Seating.parse("2"), float(match.ply))
    return after


def _missing(log: Path, match: Match) -> int:
    with Store(log, read_only=True) as store:
        written = store.history(store.ids()[-1]).actions
        wrong = store.problems()
    played = list(map(str, match.actions))
    return (
        len(wrong)
        + sum(one != other for one, other in zip(played, written, strict=False))
        + abs(len(played) - len(written))
    )


def _jumping(log: Path, seed: int) -> Trouble:
    random = Random(seed)
    with patient_log(log, lambda _: None) as outbox:
        match, write = _match_of(outbox, lambda: random.choice(YEARS))
        for _ in range(25):
            outbox.tend(random.uniform(-1e9, 1e9))
            match = write(match, random)
    with Store(log) as store:
        is_resumed = store.unfinished_match() == store.ids()[-1]
    return Trouble(match.ply, _missing(log, match), is_resumed)
