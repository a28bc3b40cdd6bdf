"""Tests the log: a writer is killed at random moments, again and again, and nothing it confirmed may be lost.

Run as a program it is the writers: they play random matches into a log and print a line for every event that is safe.
Unix only.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from subprocess import PIPE
from time import perf_counter, sleep

from engine.core import Rules
from engine.registry import find_game
from firmware.log.match.record import seated
from firmware.log.store import Store

GAME = "rings"
WHEN = "2026-01-01T00:00:00+00:00"
LONGEST = 0.05
"""Seconds that a writer lives once it is ready to write."""
EARLY, OPENING = 0.2, 0.03
"""The share of writers that are killed while they open the log, and the seconds these may live."""


@dataclass
class Survival:
    """What came of it."""

    kills: int = 0
    confirmed: dict[tuple[int, int], str] = field(default_factory=dict)
    """By match and number of the event: its action."""
    lost: list[str] = field(default_factory=list)
    slowest: float = 0.0
    """The longest time to open the log again and play the match up to where it was, seconds."""


def survive(path: Path, kills: int, random: Random) -> Survival:
    """Kill writers of a log and look after each whether all is there that it confirmed."""
    told = Survival()
    command = [sys.executable, "-m", __name__, str(path)]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as nursery:  # noqa: S603 - our own program
        for _ in range(kills):
            confirmed = _killed(nursery, random)
            told.kills += 1
            told.confirmed |= confirmed
            start = perf_counter()
            with Store(path) as store:
                if (match := store.unfinished_match()) is not None:
                    store.rebuild(match)
                told.slowest = max(told.slowest, perf_counter() - start)
                told.lost += ([store.note] if store.note else []) + _missing(store, confirmed)
    with Store(path) as store:
        told.lost += _missing(store, told.confirmed) + store.problems()
    return told


def _killed(nursery: subprocess.Popen[str], random: Random) -> dict[tuple[int, int], str]:
    """What one more writer confirmed before it was killed."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    print(random.random(), file=nursery.stdin, flush=True)
    writer = int(nursery.stdout.readline())
    if random.random() < EARLY:
        sleep(random.uniform(0, OPENING))
    else:
        nursery.stdout.readline()
        sleep(random.uniform(0, LONGEST))
    os.kill(writer, signal.SIGKILL)
    confirmed = {}
    while (words := nursery.stdout.readline().split()) != ["dead"]:
        if words[0] == "confirmed":
            _, match, number, action = words
            confirmed[int(match), int(number)] = action
    return confirmed


def _missing(store: Store, confirmed: dict[tuple[int, int], str]) -> list[str]:
    there = {
        (match, event.number): str(event.payload.get("action", event.kind))
        for match in {match for match, _ in confirmed}
        for event in store.events(match)
    }
    return [f"{place}: {action}" for place, action in confirmed.items() if there.get(place) != action]


def _write(path: Path, rules: Rules, random: Random) -> None:
    with Store(path) as store:
        while True:
            number = store.unfinished_match()
            if number is None:
                number = store.begin_match(rules, seated(["Ada", "Bo"]), {}, started=WHEN)
            match = store.rebuild(number)
            _say("ready")
            while match.position.outcome is None:
                action = random.choice(sorted(match.position.legal(), key=str))
                payload = {"ply": match.ply, "seat": match.position.seat, "action": str(action)}
                event = store.append(number, "action", payload, at=WHEN, seconds=match.ply)
                _say(f"confirmed {number} {event.number} {action}")
                match = match.play(action)
            event = store.append(number, "result", match.position.outcome.record(), at=WHEN, seconds=match.ply)
            _say(f"confirmed {number} {event.number} result")


def _say(line: str) -> None:
    # One write: a line is said whole or not at all, whenever the writer is killed.
    os.write(sys.stdout.fileno(), f"{line}\n".encode())


def _raise_writers(path: Path) -> None:
    """A writer for every line that comes, each a process of its own: a fork, since starting Python takes longer."""
    rules = find_game(GAME).configure()
    for seed in sys.stdin:
        writer = os.fork()
        if not writer:
            # Whoever reads must know the number before anything else is said.
            _say(str(os.getpid()))
            _write(path, rules, Random(seed))
        os.waitpid(writer, 0)
        _say("dead")


if __name__ == "__main__":
    _raise_writers(Path(sys.argv[1]))
