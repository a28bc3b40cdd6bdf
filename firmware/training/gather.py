"""Views of sites with the truth about them, from random tables: `python -m firmware.training.gather FOLDER`.

Half of the tables are drawn by the virtual camera, half path-traced (`--traced`, needs Mitsuba).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.face import BARE, Face
from engine.registry import find_game
from firmware.settings.eyes import make_eye
from hardware.printing.raster import Painter, rasterise
from hardware.virtual.covering import covered_shares
from hardware.virtual.errors import VirtualTableError
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene
from hardware.virtual.strangers import strange_pieces, strange_print, strange_scene
from vision.find.not_found import BoardNotFoundError
from vision.frame import Frame
from vision.look import Eye
from vision.readers.stacks.site_views import site_angles, site_views

GAME = "memento-tuos"
TABLES = 12
"""Pictures of one set of pieces and prints."""


@dataclass(frozen=True)
class Lot:
    """Pictures to make at one go."""

    first: int
    """The first seed; even ones are for training, odd ones measure."""
    count: int
    file: Path
    traced: bool


def random_faces(board: Board, random: np.random.Generator) -> dict[str, Face]:
    """What may stand on a board, and what should not but does."""
    kinds = list(board.faces.tops)
    faces = {}
    for site in random.choice(list(board.sites), int(random.integers(0, 16)), replace=False):
        chance, level = random.uniform(), int(random.integers(1, 4))
        if chance < 0.9:
            faces[str(site)] = board.faces.of(str(random.choice(kinds)), level)
        elif chance < 0.96:
            faces[str(site)] = board.faces.of(BARE, level)
        else:
            faces[str(site)] = board.faces.of(str(random.choice(kinds)), level + 3)
    return faces


def gather(lot: Lot) -> tuple[int, float]:
    """Make the pictures, cut out the sites, write them down."""
    cv2.setNumThreads(1)
    began = time.monotonic()
    board = find_game(GAME).board(2, {})
    eye = make_eye(board)
    eye.readers = {}
    parts = [part for part in _parts(lot, board, eye) if part]
    if parts:
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        half = lot.file.with_suffix(".part")
        with half.open("wb") as file:
            np.savez(file, allow_pickle=False, **columns)
        half.rename(lot.file)
    return len(parts), time.monotonic() - began


def _parts(lot: Lot, plain: Board, eye: Eye) -> Iterator[dict[str, npt.NDArray[np.generic]] | None]:
    board, renderer = plain, None
    painter: Painter = rasterise
    for number in range(lot.count):
        seed = 2 * (lot.first + number)
        random = np.random.default_rng([seed, 78])
        if number % TABLES == 0:
            board = strange_pieces(plain, random)
            painter = strange_print(random) if random.uniform() < 0.6 else rasterise
            renderer = None if lot.traced else Renderer(board, painter)
        faces = random_faces(board, random)
        try:
            scene = strange_scene(board, faces, seed)
            picture, covered = _picture(scene, painter, renderer)
            yield _sites(picture, covered, faces, board, eye)
        except (VirtualTableError, BoardNotFoundError) as error:
            print(seed, error)
            yield None


def _picture(scene: Scene, painter: Painter, renderer: Renderer | None) -> tuple[Frame, dict[str, float]]:
    if renderer is None:
        from hardware.virtual.painting.traced import traced

        picture, covered = traced(scene, painter)
        return Frame(picture), dict(covered)
    rendered = renderer.render(scene)
    return Frame(rendered.bgr), covered_shares(scene, rendered.camera)


def _sites(
    frame: Frame, covered: dict[str, float], faces: dict[str, Face], board: Board, eye: Eye
) -> dict[str, npt.NDArray[np.generic]]:
    look = eye.look(frame)
    view = eye.view(look)
    tall = [piece.height for piece in eye.board.pieces.values()]
    kinds = ["", BARE, *board.faces.tops]
    truth = [(kinds.index(faces[name].kind), faces[name].level) if name in faces else (0, 0) for name in board.sites]
    return {
        "views": site_views(view, view.sites, max(tall) * np.arange(1.0, 4.0) + min(tall)),
        "angles": site_angles(view, view.sites),
        "truth": np.array(truth, np.int64),
        "covered": np.array([covered[name] for name in board.sites], np.float32),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--lots", type=int, default=100)
    parser.add_argument("--count", type=int, default=24)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--traced", action="store_true")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    name = "traced" if asked.traced else "drawn"
    lots = [
        Lot(first, asked.count, asked.folder / f"{name}-{first}.npz", asked.traced)
        for first in range(asked.first, asked.first + asked.lots * asked.count, asked.count)
    ]
    with get_context("spawn").Pool(asked.processes) as pool:
        total = 0
        for count, seconds in pool.imap_unordered(gather, lots):
            total += count
            print(f"{total} pictures, the last {count} in {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
