"""Random tables, lamps, cameras and mishaps from a seed, over the whole promised range."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, radians, sin

import numpy as np

from engine.board import Board, Colour, turned
from engine.face import Face
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.errors import PoseError
from hardware.virtual.scene import SKINS, Arm, Cloth, Cup, Light, Lying, Scene, Sensor, Stack, TableTop, stand

Random = np.random.Generator

WOODS = ("#c89f6b", "#a9764a", "#8a6239", "#5d3b22", "#3b2418")
CLOTHS = ("#2b4a3a", "#5b1f2a", "#c9c2b2", "#26304a", "#1d1d1f", "#8c8577")
PLAINS = ("#e4e2dc", "#24211f", "#6b6f73", "#b7a58c")
SLEEVES = ("#7a2a30", "#35507a", "#2f5a3c", "#d8d2c4", "#1c1c20", "#6b6b70", "#c98a2b")
_POSE_TRIES = 4000


def random_pose(board: Board, random: Random, margin: float = 2.0) -> Pose:
    """A pose in the board's promised range with every sheet entirely in the picture."""
    where = board.camera
    for _ in range(_POSE_TRIES):
        off, bearing = 45 * random.uniform() ** 0.5, random.uniform(0, 2 * np.pi)
        pose = Pose(
            distance=_between(random, where.distance),
            tilt=_between(random, where.tilt),
            direction=_between(random, (0.0, 360.0)),
            roll=_between(random, (-180.0, 180.0)) if random.uniform() < 0.5 else float(random.normal(0, 6)),
            aim=(round(off * cos(bearing), 2), round(off * sin(bearing), 2)),
            hfov=_between(random, where.hfov),
            size=where.size,
            k1=_between(random, (-0.12, 0.05)),
        )
        if Camera.at(pose).sees(board, margin):
            return pose
    raise PoseError(f"no camera in the promised range sees the whole board of {board.game}")


def random_table(random: Random) -> TableTop:
    kind = str(random.choice(("wood", "wood", "cloth", "plain")))
    colours = {"wood": WOODS, "cloth": CLOTHS, "plain": PLAINS}[kind]
    return TableTop(kind, str(random.choice(colours)))


def random_light(random: Random) -> Light:
    """A lamp somewhere round the board, 2700 to 6500 K, with the camera's white balance off by as much as happens."""
    bearing, away = random.uniform(0, 2 * np.pi), random.uniform(80, 520)
    kelvin, room = _between(random, (2700.0, 6500.0)), _between(random, (2700.0, 6500.0))
    ambient = _between(random, (0.12, 0.7))
    mean = ambient * room + (1 - ambient) * kelvin
    return Light(
        lamp=(float(away * cos(bearing)), float(away * sin(bearing)), _between(random, (420.0, 950.0))),
        radius=float(np.exp(random.uniform(np.log(12), np.log(130)))),
        ambient=ambient,
        kelvin=kelvin,
        room_kelvin=room,
        balanced_for=float(np.clip(mean * np.exp(random.normal(0, 0.12)), 2500, 7500)),
        gains=(float(np.exp(random.normal(0, 0.04))), 1.0, float(np.exp(random.normal(0, 0.04)))),
        exposure=_between(random, (0.4, 0.95)),
    )


def random_sensor(random: Random) -> Sensor:
    dim = random.uniform() < 0.25
    shaken = random.uniform() < 0.2
    way, far = random.uniform(0, 2 * np.pi), random.uniform(1.0, 4.0)
    return Sensor(
        noise=_between(random, (0.012, 0.035) if dim else (0.003, 0.012)),
        read_noise=_between(random, (0.002, 0.006) if dim else (0.0005, 0.002)),
        defocus=_between(random, (0.4, 1.2)),
        motion=(float(far * cos(way)), float(far * sin(way))) if shaken else (0.0, 0.0),
        vignetting=_between(random, (0.0, 0.35)),
        jpeg=int(random.integers(70, 97)),
    )


def random_arm(board: Board, random: Random) -> Arm:
    """An arm over some site, from any side."""
    site = board.sites[str(random.choice(list(board.sites)))]
    x, y = (float(v + random.normal(0, 12)) for v in site.at)
    return Arm(
        grip=(x, y, _between(random, (12.0, 70.0))),
        comes_from=_between(random, (0.0, 360.0)),
        grasp=float(random.choice((1.0, 1.0, 0.6, 0.0))),
        skin=str(random.choice(SKINS)),
        sleeve=random_sleeve(random),
        bare=_between(random, (15.0, 140.0)),
        left=bool(random.integers(2)),
    )


def random_sleeve(random: Random) -> Colour | None:
    return None if random.uniform() < 0.4 else str(random.choice(SLEEVES))


def spare_pieces(board: Board, random: Random, count: int) -> tuple[Stack, ...]:
    """Pieces beside the board, lying about as they do in a game."""
    width, height = board.base.size
    stacks: list[Stack] = []
    for _ in range(count if board.pieces else 0):
        bearing = random.uniform(0, 2 * np.pi)
        edge = 1 / max(abs(cos(bearing)) / (width / 2), abs(sin(bearing)) / (height / 2))
        far = edge + random.uniform(35, 120)
        at = (float(far * cos(bearing)), float(far * sin(bearing)))
        if all(np.hypot(at[0] - other.at[0], at[1] - other.at[1]) > 40 for other in stacks):
            piece = str(random.choice(list(board.pieces)))
            stacks.append(Stack((piece,) * int(random.integers(1, 3)), at))
    return tuple(stacks)


def random_thing(board: Board, random: Random, on_board: bool) -> Cup | Cloth:
    """A cup, or a sleeve left lying; beside the board or on it."""
    bearing = random.uniform(0, 2 * np.pi)
    far = random.uniform(30, 150) if on_board else random.uniform(330, 380)
    at = (float(far * cos(bearing)), float(far * sin(bearing)))
    if random.uniform() < 0.5:
        return Cup(at, z=3.0 if on_board else -2.0, colour=str(random.choice(("#d8d4cc", "#a8322a", "#2d5f8a"))))
    way, long = random.uniform(0, 2 * np.pi), random.uniform(70, 140)
    other = (at[0] + float(long * cos(way)), at[1] + float(long * sin(way)))
    return Cloth(at, other, _between(random, (16.0, 26.0)), colour=str(random.choice(SLEEVES)))


def random_scene(
    board: Board,
    faces: Mapping[str, Face],
    seed: int,
    turns: Mapping[str, float] | None = None,
    hand: bool | None = None,
    sloppy: float = 0.8,
) -> Scene:
    """These faces under a random camera and light, with things lying about; if `hand` is None, it is there at
    random."""
    random = np.random.default_rng([seed, 1])
    lying = {sheet.name: float(random.integers(sheet.turns)) for sheet in board.turnable} | dict(turns or {})
    with_hand = random.uniform() < 0.3 if hand is None else hand
    things = (random_thing(board, random, on_board=False),) if random.uniform() < 0.3 else ()
    scene = Scene(
        board,
        stand(board, faces, sloppy, seed) + spare_pieces(board, random, int(random.integers(0, 7))),
        sheets={name: Lying(turn) for name, turn in lying.items()},
        cards={site: face for site, face in faces.items() if face.sheet},
        things=things,
        pose=random_pose(board, random),
        table=random_table(random),
        light=random_light(random),
        sensor=random_sensor(random),
        seed=seed,
    )
    return replace(scene, arms=(random_arm(board, random),)) if with_hand else scene


def set_askew(scene: Scene, degrees: float, seed: int) -> Scene:
    """The same table with its turnable sheets about this far off their positions, carrying the pieces along."""
    random = np.random.default_rng([seed, 7])
    board = scene.board
    off = {sheet.name: float(random.normal(0, degrees)) for sheet in board.turnable}
    lying = {
        name: replace(sheet, turn=sheet.turn + off.get(name, 0.0) * board.by_name[name].turns / 360)
        for name, sheet in scene.sheets.items()
    }
    stacks = []
    for stack in scene.stacks:
        sheet = board.by_name[board.sites[stack.site].sheet] if stack.site else None
        at = turned(stack.at, off[sheet.name], sheet.centre) if sheet and sheet.name in off else stack.at
        stacks.append(replace(stack, at=at))
    return replace(scene, sheets=lying, stacks=tuple(stacks))


def _between(random: Random, limits: tuple[float, float]) -> float:
    return float(random.uniform(*limits))


def bearing_of(degrees: float, far: float) -> tuple[float, float]:
    """The place at this distance from the board's centre, this many degrees clockwise from north."""
    return (far * sin(radians(degrees)), -far * cos(radians(degrees)))
