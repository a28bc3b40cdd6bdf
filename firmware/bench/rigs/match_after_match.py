"""Memory over many matches at one table: what a match took must be free again when the next begins."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random

import cv2
import numpy as np

from engine.match import Match
from engine.registry import find_game
from firmware.bench.rigs.tables import in_the_open
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.playing import resumed_table
from vision.frame import Frame

PLIES, FRAMES = 12, 8
"""Actions on the board in the pictures, and how many pictures of a match are looked at."""
TABLES = 4
"""How many different boards are drawn, unless told otherwise: matches take turns at them."""
WARM = 2
"""How often each board is played at the least before memory is compared. What is drawn for a board is kept, and only
from the second time on there is a match before it that goes as the next one begins; after that nothing may come."""
SPARING = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "1048576", "MALLOC_TRIM_THRESHOLD_": "1048576"}
"""What the installer sets on machines with little memory: pictures are given back at once, which costs some time."""
BUDGET = 256
"""Megabytes that the program may then take beside its page: of the 512 of a Pi Zero 2 W the system leaves some 400."""


@dataclass(frozen=True)
class MemoryUse:
    """Megabytes of one process in use."""

    matches: int
    early: float
    """After a tenth of the matches, and not before every board has been played twice."""
    late: float
    most: float

    @property
    def grown(self) -> float:
        return self.late / self.early


def match_after_match(matches: int, seed: int, boards: int = TABLES) -> MemoryUse:
    """Match after match, in a process of its own: drawing takes more memory than the program itself."""
    context = get_context("spawn")
    with context.Pool(1) as painter:
        tables = [painter.apply(_drawn, (seed + number,)) for number in range(boards)]
    before = dict(os.environ)
    os.environ.update(SPARING)
    try:
        with context.Pool(1) as table:
            return table.apply(_play, (tables, matches))
    finally:
        for name in SPARING.keys() - before.keys():
            del os.environ[name]
        os.environ.update(before)


Drawn = tuple[Match, list[bytes]]
"""Pictures as files, so that they do not count."""


def _drawn(seed: int) -> Drawn:
    """Some actions of a random match, and pictures of the board as it then stands."""
    from firmware.devices.simulated import SimulatedCamera, at_random

    random = Random(seed)
    games = in_the_open()
    rules = find_game(games[seed % len(games)]).configure()
    match = Match.begin(rules, 2, {})
    while match.ply < PLIES:
        match = match.play(random.choice(sorted(match.position.legal(), key=str)))
    turns = resumed_table(match, {}).stand.turns
    camera = SimulatedCamera(match, rules.game.board(2, {}), seed, at_random(seed, 1), lambda _: None, turns=turns)
    seen = islice((frame for frame in camera.frames() if frame is not None), FRAMES)
    return match, [cv2.imencode(".png", frame.bgr)[1].tobytes() for frame in seen]


def _play(tables: list[Drawn], matches: int) -> MemoryUse:
    cv2.setNumThreads(1)
    sitting, taken = Sitting(Gear(NoLights()), "sim"), list[float]()
    for number in range(matches):
        match, frames = tables[number % len(tables)]
        sitting.play(MatchPlan(match.rules, Seating.parse("2")), (number, resumed_table(match, {})))
        for place, file in enumerate(frames):
            picture = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR)
            assert picture is not None
            sitting.attend(Frame(np.asarray(picture, np.uint8), place / 10))
        taken.append(_resident())
    early = max(taken[: max(matches // 10, WARM * len(tables))])
    return MemoryUse(matches, early, max(taken[-len(tables) :]), max(taken))


@cache
def _page() -> int:
    import resource

    return resource.getpagesize()


def _resident() -> float:
    """Megabytes that this process has in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * _page() / 2**20
