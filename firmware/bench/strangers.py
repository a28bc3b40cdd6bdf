"""How well the eye reads tables of people nobody here has met: worn prints, other dyes, odd lamps, gloves, held pieces.

`MAGISTER_STRANGERS` sets how many scenes are read (default 200). Seeds are odd: even ones are for tuning and training.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from firmware.bench import Row, setting
from firmware.bench.rigs.hit_rate import HitRate

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np

    from engine.board import Board
    from engine.face import Face
    from hardware.virtual.scene import Scene
    from vision.frame import Image
    from vision.look import Eye

GAME = "memento-tuos"
GOAL = 0.98
FIRST = 500_001
EVERY = 6
"""So many tables are laid with one set of pieces and one print."""
COVERED, UNSEEN = 0.3, 0.1
"""Sites are judged that a hand covers less than so far, and of which pieces leave more than so much in sight."""
SURE = 0.9


def measure() -> list[Row]:
    scores: dict[str, HitRate] = defaultdict(HitRate)
    _read_tables(max(1, setting("MAGISTER_STRANGERS", 200)), scores)
    rows = []
    for what, rate in sorted(scores.items()):
        low, high = rate.interval
        told = f"{GAME}: {what} ({rate.right}/{rate.all}, {100 * low:.2f}–{100 * high:.2f} %)"
        rows.append(Row(what=told, value=rate.share, goal=GOAL if what == "boards without a mistake" else None))
    return rows


def _read_tables(count: int, scores: Mapping[str, HitRate]) -> None:
    import numpy as np

    from engine.registry import find_game
    from firmware.settings.eyes import make_eye
    from hardware.printing.raster import rasterise
    from hardware.virtual.painting.render import Renderer
    from hardware.virtual.strangers import strange_pieces, strange_print, strange_scene

    plain = find_game(GAME).board(2, {})
    eye = make_eye(plain)
    board, renderer, worn = plain, Renderer(plain), False
    for number in range(count):
        seed = FIRST + 2 * number
        random = np.random.default_rng([seed, 79])
        if number % EVERY == 0:
            board, worn = strange_pieces(plain, random), random.uniform() < 0.6
            renderer = Renderer(board, strange_print(random) if worn else rasterise)
        faces = _proper_faces(board, random)
        scene = strange_scene(board, faces, seed)
        slices = [
            "worn prints" if worn else "new prints",
            "with hands" if scene.arms else "without a hand",
            "below 20°" if scene.pose.tilt < 20 else "from 20°",
        ]
        _score(eye, scene, renderer.render(scene).bgr, faces, slices, scores)


def _proper_faces(board: Board, random: np.random.Generator) -> dict[str, Face]:
    """What may stand on a board."""
    sites = random.choice(list(board.sites), int(random.integers(0, 13)), replace=False)
    return {str(site): board.faces.lawful[int(random.integers(len(board.faces.lawful)))] for site in sites}


def _score(
    eye: Eye,
    scene: Scene,
    picture: Image,
    faces: Mapping[str, Face],
    slices: list[str],
    scores: Mapping[str, HitRate],
) -> None:
    from engine.face import EMPTY
    from hardware.virtual.camera import Camera
    from hardware.virtual.covering import covered_shares
    from hardware.virtual.painting.render import Renderer
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    boards = ["boards without a mistake", *(f"boards without a mistake, {part}" for part in slices)]
    try:
        reading = eye.look(Frame(picture)).reading
    except BoardNotFoundError:
        for name in (*boards, "boards found"):
            scores[name].add(False)
        return
    scores["boards found"].add(True)
    covered = covered_shares(scene, Camera.at(scene.pose))
    alone = replace(scene, arms=(), things=(), stacks=tuple(stack for stack in scene.stacks if stack.site))
    seen = {name: truth.seen for name, truth in Renderer(scene.board).render(alone).sites.items()}
    right, guesses = True, reading.guesses()
    for site in scene.board.sites:
        if covered[site] > COVERED or seen[site] < UNSEEN:
            continue
        known, guess = faces.get(site, EMPTY), guesses.get(site)
        hit = guess is not None and guess.best == known
        scores["sites in view that are called hidden"].add(guess is None)
        scores["sites right"].add(hit)
        if guess is not None and guess.p > SURE:
            scores[f"sites right of those that are sure (p > {SURE})"].add(hit)
        right &= hit
    for name in boards:
        scores[name].add(right)
