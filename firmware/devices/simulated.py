"""The virtual table as a camera: a match that plays itself, hands and mistakes included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.match import Match
from hardware.virtual.acting.chance import Rates, random_deeds
from hardware.virtual.acting.deeds import Deed
from hardware.virtual.acting.player import TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.sample import random_light, random_table, spare_pieces
from hardware.virtual.scene import Lying, Scene
from vision.frame import Frame

EVENTFUL = Rates(mistake=0.2, undo=0.05, quick=0.0, interrupted=0.05, nudge=0.1, lamp=0.05, thing=0.0)
"""Shares of mistakes and bumps in a typical evening."""


FPS = 10.0


Script = Callable[[Match, Scene], Iterator[Deed]]
"""What happens at a table where a match is played."""


def at_random(seed: int, actions: int) -> Script:
    """So many actions more, with the mistakes of a typical evening."""
    return lambda match, scene: random_deeds(match, scene, match.ply + actions, seed, EVENTFUL)


class SimulatedCamera:
    """Films a match at a virtual table."""

    def __init__(
        self,
        match: Match,
        board: Board,
        seed: int,
        script: Script,
        pace: Callable[[float], None],
        held: Callable[[], bool] = lambda: False,
        turns: Mapping[str, int] | None = None,
        stays: Callable[[float], bool] = lambda _: False,
    ) -> None:
        """`pace` is called with the time of each frame before it is yielded, and may wait; while `held` nobody
        touches the table. `turns` is how the sheets lie at the start. `stays` is asked, so many seconds after the
        last deed, whether the table is still filmed."""
        random = np.random.default_rng([seed, 3])
        scene = replace(
            Scene(board, spare_pieces(board, random, 5), seed=seed),
            sheets={sheet.name: Lying((turns or {}).get(sheet.name, 0) % sheet.turns) for sheet in board.turnable},
            pose=Pose(distance=690, tilt=27, direction=185, hfov=66),
            table=random_table(random),
            light=replace(random_light(random), exposure=0.85),
        )
        self._player = TablePlayer(match, scene, seed=seed)
        self._deeds = script(match, scene)
        self._pace, self._held, self._stays = pace, held, stays

    def frames(self) -> Iterator[Frame | None]:
        waited, last = 0.0, None
        for shot in self._player.frames(self._deeds):
            self._pace(shot.t + waited)
            frame = None if shot.bgr is None else Frame(shot.bgr, shot.t + waited)
            yield frame
            last = frame or last
            while self._held() and frame is not None:
                waited += 1 / FPS
                self._pace(shot.t + waited)
                frame = last = Frame(frame.bgr, shot.t + waited)
                yield frame
        yield from self._afterwards(last)

    def _afterwards(self, last: Frame | None) -> Iterator[Frame]:
        """All is done; the table stands there."""
        rested = 0.0
        while last is not None and self._stays(rested):
            rested += 1 / FPS
            last = Frame(last.bgr, last.seconds + 1 / FPS)
            self._pace(last.seconds)
            yield last

    def close(self) -> None:
        """Nothing to release."""
