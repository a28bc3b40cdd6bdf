"""Calls of the command with arguments that nobody would give it: none may end in a traceback, none may hang."""

from __future__ import annotations

import json
import os
import re
import runpy
import signal
import sys
import time
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

LONGEST = 60
"""Seconds after which a call counts as hanging."""
HELP = 1
"""The stream on which a command tells its help."""
LEFT_OUT = {"demo", "bench", "play"}
"""They go on until somebody ends them; `run` and `watch` are given recordings, which end."""
TRACEBACK = b"Traceback (most recent call last)"
ODD = (
    *("", "0", "-1", "1", "2", "7", "999999999999999999999", "1e400", "nan", "inf", "é\u202e", "\udcff", "a" * 5000),
    *("red,blue", "red=,=", "true", "../../..", "/", "/dev/null", "{}", "[]", "--", "-", "rings", "memento-tuos"),
    *("triominos", "dimenticato", "frames:", "video:", "usb:99", "url:http://127.0.0.1:9/", "sim", "%s%n", "a\nb"),
)


@dataclass
class Fuzzed:
    """What came of it."""

    calls: int = 0
    tracebacks: list[str] = field(default_factory=list)
    hung: list[str] = field(default_factory=list)


def fuzz(calls: int, folder: Path, random: Random) -> Fuzzed:
    """So many calls, each in a fork of this process, in a folder with all sorts of files."""
    told, files = Fuzzed(), _files(folder)
    # Loaded once, for all forks.
    runpy.run_module("firmware", run_name="fuzzed")
    commands = _commands(folder)
    for _ in range(calls):
        words = _call(commands, files, random)
        told.calls += 1
        spoken = ascii(words)
        match _tried(words, folder):
            case None:
                told.hung.append(spoken)
            case bytes() as said if TRACEBACK in said:
                told.tracebacks.append(spoken)
    return told


def _files(folder: Path) -> list[str]:
    import cv2
    import numpy as np

    picture = np.random.default_rng(1).integers(0, 255, (360, 640, 3), dtype=np.uint8)
    (folder / "frames").mkdir()
    cv2.imwrite(str(folder / "frames" / "frame-000000.png"), picture)
    cv2.imwrite(str(folder / "picture.png"), picture)
    made = {
        "empty": b"",
        "noise.sqlite": bytes(5000),
        "text.json": b'{"a": 1}',
        "deep.json": b"[" * 100_000,
        "big.json": json.dumps({"sites": {"T1": "red9" * 1000}, "fx": 1e308}).encode(),
        "bad.toml": b"[rules",
        "lens.json": b'{"size": [0, -1], "fx": "x"}',
        "torn.png": (folder / "picture.png").read_bytes()[:999],
        "film.avi": b"RIFF" + bytes(500),
    }
    for name, data in made.items():
        (folder / name).write_bytes(data)
    os.mkfifo(folder / "pipe.png")
    names = [*made, "picture.png", "frames", "nowhere/at/all", "pipe.png"]
    return [*names, "frames:frames", "video:film.avi", "frames:nowhere"]


def _commands(folder: Path, words: tuple[str, ...] = ()) -> dict[tuple[str, ...], list[str]]:
    """All commands with their options, as their own help tells them; those within others too."""
    told = (_tried([*words, "--help"], folder, HELP) or b"").decode()
    within = re.findall(r"^    ([a-z-]+)(?: |$)", told, re.MULTILINE) if len(words) < 2 else []
    found: dict[tuple[str, ...], list[str]] = {}
    for name in within:
        if name not in LEFT_OUT:
            found |= _commands(folder, (*words, name))
    return found or {words: sorted(set(re.findall(r"--[a-z][a-z-]*", told)) - {"--help"})}


def _call(commands: dict[tuple[str, ...], list[str]], files: list[str], random: Random) -> list[str]:
    name = random.choice(sorted(commands))
    words = [*name, *(random.choice([*ODD, *files]) for _ in range(random.choice((0, 1, 1, 1, 2))))]
    for option in commands[name]:
        if random.random() < 0.4:
            words += [option, *(random.choice([*ODD, *files]) for _ in range(random.choice((0, 1, 1, 1, 1, 2))))]
    if name == ("run",):
        words += ["--camera", random.choice(("frames:frames", "video:film.avi")), "--lights", "none", "--no-page"]
    return words


def _tried(words: list[str], folder: Path, place: int = 2) -> bytes | None:
    """What a call said on stderr, or on another stream; None if it went on too long."""
    errors = folder / ".said"
    child = os.fork()
    if not child:
        _become(words, folder, errors, place)
    end = time.monotonic() + LONGEST
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.005)
    return errors.read_bytes()


def _become(words: list[str], folder: Path, errors: Path, kept: int) -> None:
    """Be that call, and nothing else any more; what it says on one stream is kept."""
    for place in range(3):
        name, how = (str(errors), os.O_RDWR | os.O_CREAT | os.O_TRUNC) if place == kept else (os.devnull, os.O_RDWR)
        os.dup2(os.open(name, how, 0o600), place)
    os.chdir(folder)
    os.environ |= {"HOME": str(folder), "MAGISTER_DATA": str(folder / "data")}
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(place, mode, errors="backslashreplace") for place, mode in enumerate("rww")
    )
    sys.argv = ["magister", *words]
    try:
        runpy.run_module("firmware", run_name="__main__")
    finally:
        # An error of ours goes on as a traceback, and the fork ends in any case.
        error = sys.exc_info()[1]
        if error is not None and not isinstance(error, SystemExit):
            traceback.print_exception(error)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
