"""How well a board with lights under it is read: the same scenes with the usual print, and backlit with lights on.

`MAGISTER_SCENES` sets how many scenes of each game are read (default 150). The eye is told neither of the lights nor
of the print. Seeds are odd, as in the benchmark of reading.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from firmware.bench import Row, setting
from firmware.bench.rigs.hit_rate import HitRate
from firmware.bench.rigs.tables import in_the_open
from firmware.devices.chain import HINT, OWN, TARGET
from firmware.devices.signals import AMBER, RED, WHITE

if TYPE_CHECKING:
    import numpy as np

    from engine.face import Face
    from hardware.virtual.painting.render import Rendered
    from hardware.virtual.scene import Scene
    from vision.look import Eye

COLOURS = (OWN, TARGET, RED, AMBER, HINT, WHITE)
"""All that the chain shows."""
GLOW = (0.3, 3.0)
"""Least and most brightness of a light in bare paper, white paper under the lamp being 1."""
AS_WELL = 0.99
"""A lit board is read as well as an unlit one if it loses no more than one in a hundred of its boards."""
LOOKS = ("usual print, unlit", "backlit print, unlit", "backlit print, lit")


def measure() -> list[Row]:
    rows = []
    for game in in_the_open():
        scores = read(game, max(1, setting("MAGISTER_SCENES", 150)))
        usual = scores[LOOKS[0]]
        for name, (boards, sites) in scores.items():
            rows.append(Row(what=f"{game}: sites right, {name} ({sites.right}/{sites.all})", value=sites.share))
            judged = name != LOOKS[0]
            rows.append(
                Row(
                    what=f"{game}: boards without a mistake, {name} ({boards.right}/{boards.all})",
                    value=boards.share,
                    reference=usual[0].share if judged else None,
                    of=LOOKS[0] if judged else None,
                    goal=AS_WELL if judged else None,
                )
            )
    return rows


def read(game: str, scenes: int) -> dict[str, tuple[HitRate, HitRate]]:
    """For each look of the board how often it was read whole, and how often its sites were."""
    import numpy as np

    from engine.registry import find_game
    from firmware.bench.vision import draw_scene
    from firmware.settings.eyes import make_eye
    from hardware.printing.backlit import backlit
    from hardware.virtual.painting.render import Renderer

    board = find_game(game).board(2, {})
    white = backlit(board)
    eye, renderers = make_eye(board), (Renderer(board), Renderer(white), Renderer(white))
    scores = {name: (HitRate(), HitRate()) for name in LOOKS}
    for seed in range(1, 2 * scenes, 2):
        scene, faces, _ = draw_scene(board, seed)
        printed = replace(scene, board=white)
        shown = (scene, printed, light_up(printed, np.random.default_rng([seed, 17])))
        for name, renderer, each in zip(LOOKS, renderers, shown, strict=True):
            _count(eye, renderer.render(each), faces, *scores[name])
    return scores


def light_up(scene: Scene, random: np.random.Generator) -> Scene:
    """Some sites lit in one or two colours, as figures, targets, hints and mistakes are."""
    sites = list(scene.board.sites)
    lit: dict[str, tuple[float, float, float]] = {}
    for _ in range(int(random.integers(1, 3))):
        chosen = random.choice(sites, int(random.integers(1, len(sites) // 2)), replace=False)
        lit |= dict.fromkeys(map(str, chosen), COLOURS[int(random.integers(len(COLOURS)))])
    low, high = GLOW
    return replace(scene, lit=lit, glow=float(low * (high / low) ** random.uniform()))


def _count(eye: Eye, picture: Rendered, faces: dict[str, Face], boards: HitRate, sites: HitRate) -> None:
    from engine.face import EMPTY
    from vision.frame import Frame
    from vision.look import BoardNotFoundError

    try:
        reading = eye.look(Frame(picture.bgr)).reading
    except BoardNotFoundError:
        boards.add(False)
        return
    whole = True
    for site, guess in reading.guesses().items():
        if picture.sites[site].covered <= 0.5:
            right = guess.best == faces.get(site, EMPTY)
            sites.add(right)
            whole &= right
    boards.add(whole)
