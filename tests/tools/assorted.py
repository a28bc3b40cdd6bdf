"""Scenes drawn by lot over the whole range that the vision is promised to work in: for benchmarks and tuning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from engine.board import Board
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.scene import SKINS, Arm, Cup, Light, Scene, Sensor, Stack, TableTop, on_site

TABLES = ("#8a6239", "#5b3a22", "#c9b48f", "#2b2b2e", "#d8d3c8", "#6d7f6a", "#35405e")
SLEEVES = ("#7a2a30", "#2f5b33", "#23345e", "#d8d3c8", "#26262a", "#c8a23c", None)
AIM = 40.0
"""How far the optical axis may miss the board's centre, mm."""


@dataclass(frozen=True)
class Drawn:
    """A scene with what a reader should find in it."""

    scene: Scene
    faces: Mapping[str, tuple[str | None, int]]
    """For every occupied site the colour and the number of stones, or pawns."""
    turns: Mapping[str, int]


def draw_scene(board: Board, seed: int, hand: bool | None = None) -> Drawn:
    """A random scene: same seed, same scene."""
    random = np.random.default_rng([seed, 77])
    faces = _pieces(board, random)
    sloppy = float(random.choice([0.3, 0.8, 1.5]))
    stacks = [
        on_site(board, site, _pile(board, colour, height), sloppy, seed) for site, (colour, height) in faces.items()
    ]
    turns = {sheet.name: int(random.integers(sheet.turns)) for sheet in board.turnable}
    blank = Scene.showing(board, {}, {name: float(turn) for name, turn in turns.items()}, seed=seed)
    with_hand = random.random() < 0.35 if hand is None else hand
    scene = replace(
        blank,
        stacks=(*stacks, *_spares(board, random)),
        arms=(_arm(board, random),) if with_hand else (),
        things=tuple(_cups(board, random)),
        pose=draw_pose(board, random),
        table=TableTop(str(random.choice(["wood", "cloth", "plain"])), str(random.choice(TABLES))),
        light=_light(random),
        sensor=_sensor(random),
    )
    return Drawn(scene, faces, turns)


def draw_pose(board: Board, random: np.random.Generator) -> Pose:
    """A camera within the promised range that has every sheet whole in the picture."""
    reach = board.camera
    while True:
        pose = Pose(
            distance=float(random.uniform(*reach.distance)),
            tilt=float(random.uniform(*reach.tilt)),
            direction=float(random.uniform(0, 360)),
            roll=float(random.uniform(0, 360)),
            aim=(float(random.uniform(-AIM, AIM) * 0.7), float(random.uniform(-AIM, AIM) * 0.7)),
            hfov=float(random.uniform(*reach.hfov)),
            size=reach.size,
            k1=float(random.uniform(-0.12, 0.05)),
        )
        if Camera.at(pose).sees(board, margin=2.0):
            return pose


def _pieces(board: Board, random: np.random.Generator) -> dict[str, tuple[str | None, int]]:
    colours = [name.split("-")[1] for name in board.pieces if "-" in name]
    count = int(random.integers(0, 13))
    sites = random.choice(list(board.sites), size=min(count, len(board.sites)), replace=False)
    tall = "stone" in board.pieces
    faces: dict[str, tuple[str | None, int]] = {}
    for site in sites:
        height = int(random.choice([1, 2, 3, 4, 5], p=[0.4, 0.3, 0.22, 0.05, 0.03])) if tall else 1
        colour = None if tall and random.random() < 0.03 else str(random.choice(colours))
        faces[str(site)] = (colour, height)
    return faces


def _pile(board: Board, colour: str | None, height: int) -> tuple[str, ...]:
    top = next((name for name in board.pieces if name.endswith(f"-{colour}")), None)
    stones = ("stone",) * height if "stone" in board.pieces else ()
    return (*stones, top) if top else stones


def _spares(board: Board, random: np.random.Generator) -> list[Stack]:
    """Pieces lying beside the board."""
    half = max(board.base.size) / 2
    spares = []
    for _ in range(int(random.integers(0, 7))):
        far, bearing = random.uniform(half * 1.25, half * 1.7), random.uniform(0, 2 * np.pi)
        spares.append(Stack((str(random.choice(list(board.pieces))),), (far * np.cos(bearing), far * np.sin(bearing))))
    return spares


def _cups(board: Board, random: np.random.Generator) -> list[Cup]:
    if random.random() > 0.3:
        return []
    far, bearing = max(board.base.size) * random.uniform(0.8, 0.95), random.uniform(0, 2 * np.pi)
    return [Cup((far * np.cos(bearing), far * np.sin(bearing)), colour=str(random.choice(["#d8d4cc", "#a32020"])))]


def _arm(board: Board, random: np.random.Generator) -> Arm:
    x, y = (random.uniform(-0.42, 0.42) * side for side in board.base.size)
    sleeve = SLEEVES[int(random.integers(len(SLEEVES)))]
    return Arm(
        grip=(float(x), float(y), float(random.uniform(25, 90))),
        comes_from=float(random.uniform(0, 360)),
        grasp=float(random.uniform(0, 1)),
        skin=str(random.choice(SKINS)),
        sleeve=sleeve,
        bare=float(random.uniform(20, 120)),
        left=bool(random.random() < 0.5),
    )


def _light(random: np.random.Generator) -> Light:
    bearing, away = random.uniform(0, 2 * np.pi), random.uniform(80, 650)
    kelvin = float(random.uniform(2700, 6500))
    error = random.normal(0, 0.06, 2)
    return Light(
        lamp=(float(away * np.cos(bearing)), float(away * np.sin(bearing)), float(random.uniform(400, 1000))),
        radius=float(random.uniform(8, 120)),
        ambient=float(random.uniform(0.12, 0.8)),
        kelvin=kelvin,
        room_kelvin=float(random.uniform(3500, 6500)),
        balanced_for=float(np.clip(kelvin + random.normal(0, 700), 2700, 6500)),
        gains=(float(np.exp(error[0])), 1.0, float(np.exp(error[1]))),
        exposure=float(random.choice([0.95, 0.8, 0.55, 0.3, 0.16])),
    )


def _sensor(random: np.random.Generator) -> Sensor:
    return Sensor(
        noise=float(random.uniform(0.002, 0.02)),
        read_noise=float(random.uniform(0.0005, 0.004)),
        defocus=float(random.uniform(0.3, 1.1)),
        motion=(float(random.normal(0, 0.4)), float(random.normal(0, 0.4))),
        vignetting=float(random.uniform(0, 0.35)),
        jpeg=int(random.integers(70, 97)),
    )
