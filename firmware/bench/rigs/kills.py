"""Kills the whole program at random moments, again and again: everything it has reported must be in the log.

Unix only.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from queue import SimpleQueue
from random import Random
from subprocess import DEVNULL, PIPE
from threading import Thread
from time import monotonic, sleep

from firmware.log.store import Store

GAME = "rings"
LINES, LONGER = 6, 0.5
"""A program lives until it has said so many lines at most, and so many seconds more."""
PATIENCE = 300.0
"""Seconds that it may need for a line."""


@dataclass
class Killed:
    """What came of it."""

    kills: int = 0
    confirmed: int = 0
    lost: list[str] = field(default_factory=list)
    slowest: float = 0.0
    """The longest time from a start to the first line, seconds."""


def kill_runs(log: Path, kills: int, random: Random) -> Killed:
    """Kill `magister run` at the virtual table, and look each time whether the log has all that it printed."""
    told = Killed()
    for number in range(kills):
        lines = _killed(log, random, told, fresh=number == 0)
        told.kills += 1
        said = [words[-1] for line in lines if len(words := line.split()) > 3 and words[2] == "action"]
        told.confirmed += len(said)
        with Store(log) as store:
            written = [
                event.payload["action"]
                for match in store.ids()
                for event in store.events(match)
                if event.kind == "action"
            ]
            told.lost += ([store.note] if store.note else []) + store.problems()
        told.lost += [f"run {number}: {action}" for action in said if action not in written]
        told.lost += [] if _in_order(said, written) else [f"run {number}: another order"]
    return told


def _killed(log: Path, random: Random, told: Killed, fresh: bool) -> list[str]:
    """What one program printed before it was killed."""
    words = ["run", "--game", GAME, "--camera", "sim", "--lights", "none", "--no-page", "--log", str(log)]
    start = monotonic()
    command = [sys.executable, "-m", "firmware", *words, *(["--new"] if fresh else [])]
    with subprocess.Popen(command, stdout=PIPE, stderr=DEVNULL, text=True) as program:  # noqa: S603 - our own program
        lines: SimpleQueue[str] = SimpleQueue()
        reader = Thread(target=_drain, args=(program, lines), daemon=True)
        reader.start()
        said = [lines.get(timeout=PATIENCE)]
        told.slowest = max(told.slowest, monotonic() - start)
        said += [lines.get(timeout=PATIENCE) for _ in range(random.randrange(LINES))]
        sleep(random.uniform(0, LONGER))
        program.kill()
        reader.join()
    while not lines.empty():
        said.append(lines.get())
    return [line for line in said if line.endswith("\n")]


def _drain(program: subprocess.Popen[str], lines: SimpleQueue[str]) -> None:
    assert program.stdout is not None
    for line in program.stdout:
        lines.put(line)


def _in_order(said: list[str], written: list[str]) -> bool:
    """Whether all that was said was written, in this order."""
    left = iter(written)
    return all(action in left for action in said)
