"""How fast the virtual table is: frames of a live match with moving hands, and single pictures, on one core."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from random import Random
from time import process_time
from typing import TYPE_CHECKING

from engine.board import Board
from engine.match import Match
from engine.registry import find_game
from firmware.bench import Row
from firmware.bench.rigs.tables import followed
from firmware.machine.errors import UsageError

if TYPE_CHECKING:
    from hardware.virtual.scene import Scene

GOAL = 10.0
ROUNDS = 3
"""The best of these counts: other work on the machine slows caches and memory too."""
LIVE_FRAMES = 80
STILLS = 8
SKIPPED = 250
"""Frames at the start of a match, when the board is still empty, are not measured."""


def measure() -> list[Row]:
    try:
        import cv2
    except ImportError as error:
        raise UsageError("this benchmark needs OpenCV: pip install opencv-python-headless") from error
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        return [row for game in followed() for row in _rows(game)]
    finally:
        cv2.setNumThreads(threads)


def _rows(game: str) -> list[Row]:
    from hardware.virtual.painting.render import Renderer

    board = _board(game)
    live, stills = list(_live(game, board)), list(_stills(game, board))
    renderer = Renderer(board)
    renderer.render(live[0])
    rate = _rate(lambda: [renderer.render(scene) for scene in live], len(live))
    single = _rate(lambda: [renderer.render(scene) for scene in stills], len(stills))
    return [
        Row(what=f"{game}: live frames/s at 1280x720", value=rate, goal=GOAL),
        Row(what=f"{game}: all-different pictures/s at 1280x720", value=single),
    ]


def _rate(work: Callable[[], object], count: int) -> float:
    """Per second of this process's own time: what neighbours on the machine take does not count."""
    best = 0.0
    for _ in range(ROUNDS):
        start = process_time()
        work()
        best = max(best, count / (process_time() - start))
    return best


def _live(game: str, board: Board) -> list[Scene]:
    """A stretch of a match: hands come and go, pieces are carried, sheets are turned."""
    from hardware.virtual.acting.chance import random_deeds
    from hardware.virtual.acting.player import TablePlayer
    from hardware.virtual.camera import Pose
    from hardware.virtual.scene import Scene

    match = Match.begin(find_game(game).configure(), 2, {})
    scene = replace(Scene(board, seed=1), pose=Pose(distance=680, tilt=25, direction=200, hfov=68))
    player = TablePlayer(match, scene, seed=1)
    shots = player.scenes(random_deeds(match, scene, 40, 1))
    return [shot.scene for shot in islice(shots, SKIPPED, SKIPPED + LIVE_FRAMES)]


def _stills(game: str, board: Board) -> list[Scene]:
    from hardware.virtual.sample import random_scene

    dice, scenes = Random(1), []
    for seed in range(STILLS):
        position = find_game(game).configure().start(2, {})
        for _ in range(20):
            position = position.after(dice.choice(position.legal()))
        scenes.append(random_scene(board, position.faces(), seed))
    return scenes


def _board(game: str) -> Board:
    make = find_game(game).board
    assert make is not None
    return make(2, {})
