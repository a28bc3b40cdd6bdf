"""A camera that stalls, stands on its head, gives small pictures or none at all, in the middle of a match."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from engine.registry import find_game
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.settings.eyes import refereed
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import simulated
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from vision.frame import Frame, Image

ACTIONS = 4
LONG = 12
"""Pictures for which it lasts, while nobody touches the table."""


@dataclass(frozen=True)
class Recognised:
    """What came of a match: actions that were played, and those that were seen as they were, and nothing else."""

    played: int
    right: int
    wrong: int
    told: bool
    """Whether it was said that the board could not be seen."""


def _turned(bgr: Image) -> Image:
    return np.ascontiguousarray(bgr[::-1, ::-1])


def _mirrored(bgr: Image) -> Image:
    return np.ascontiguousarray(bgr[:, ::-1])


def _shrunk(bgr: Image) -> Image:
    return np.asarray(cv2.resize(bgr, (320, 180)), dtype=np.uint8)


def _dark(bgr: Image) -> Image:
    return np.zeros_like(bgr)


TROUBLES: dict[str, Callable[[Image], Image] | None] = {
    "stalls": None,
    "stands on its head": _turned,
    "mirrors": _mirrored,
    "shrinks": _shrunk,
    "goes dark": _dark,
}


def play_with(trouble: str, seed: int) -> Recognised:
    """A short match at the virtual table with this trouble after every action."""
    random, games = Random(seed), refereed()[:2]
    sitting = Sitting(Gear(NoLights()), "sim")
    sitting.play(MatchPlan(find_game(games[seed % len(games)]).configure(), Seating.parse("2")))
    camera = simulated(sitting, in_time=False, seed=seed, actions=ACTIONS)
    accepted, other, lost, waited, last = 0, 0, False, 0.0, 0
    for frame in camera.frames():
        late = None if frame is None else Frame(frame.bgr, frame.seconds + waited)
        troubled: Iterator[Frame | None] = iter(())
        if late is not None and accepted > last:
            last, length = accepted, random.randrange(3, LONG)
            troubled = _troubled(late, TROUBLES[trouble], length)
            waited += length / 10
        for each in (late, *troubled):
            for said in sitting.attend(each):
                event = said.record()["event"]
                accepted += event == "action"
                other += event in ("illegal", "undo", "unclear") and said.is_kept
                lost = lost or event == "lost"
    camera.close()
    return Recognised(ACTIONS, min(accepted, ACTIONS), other + max(accepted - ACTIONS, 0), lost)


def _troubled(frame: Frame, change: Callable[[Image], Image] | None, length: int) -> Iterator[Frame | None]:
    for number in range(length):
        yield None if change is None else Frame(change(frame.bgr), frame.seconds + (number + 1) / 10)
