"""The virtual table as a camera: a match that plays itself, hands and mistakes included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from engine.board import Board
from engine.match import Match
from hardware.virtual.camera import Pose
from hardware.virtual.chance import Rates, random_deeds
from hardware.virtual.player import TablePlayer
from hardware.virtual.sample import random_light, random_table, spare_pieces
from hardware.virtual.scene import Lying, Scene
from vision.frame import Frame

EVENTFUL = Rates(mistake=0.2, undo=0.05, quick=0.0, interrupted=0.05, nudge=0.1, lamp=0.05, thing=0.0)
"""Shares of mistakes and bumps in a typical evening."""


FPS = 10.0


class SimulatedCamera:
    """Films a random match at a virtual table."""

    def __init__(
        self,
        match: Match,
        board: Board,
        seed: int,
        actions: int,
        pace: Callable[[float], None],
        held: Callable[[], bool] = lambda: False,
        turns: Mapping[str, int] | None = None,
    ) -> None:
        """`pace` is called with the time of each frame before it is yielded, and may wait; while `held` nobody
        touches the table. `turns` is how the sheets lie at the start."""
        random = np.random.default_rng([seed, 3])
        scene = replace(
            Scene(board, spare_pieces(board, random, 5), seed=seed),
            sheets={sheet.name: Lying((turns or {}).get(sheet.name, 0) % sheet.turns) for sheet in board.turnable},
            pose=Pose(distance=690, tilt=27, direction=185, hfov=66),
            table=random_table(random),
            light=replace(random_light(random), exposure=0.85),
        )
        self._player = TablePlayer(match, scene, seed=seed)
        self._deeds = random_deeds(match, scene, actions, seed, EVENTFUL)
        self._pace, self._held = pace, held

    def frames(self) -> Iterator[Frame | None]:
        waited = 0.0
        for shot in self._player.frames(self._deeds):
            self._pace(shot.t + waited)
            frame = None if shot.bgr is None else Frame(shot.bgr, shot.t + waited)
            yield frame
            while self._held() and frame is not None:
                waited += 1 / FPS
                self._pace(shot.t + waited)
                frame = Frame(frame.bgr, shot.t + waited)
                yield frame

    def close(self) -> None:
        """Nothing to release."""
