"""Four small pictures of the virtual table for the documentation: `python -m hardware.virtual.gallery FOLDER`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import cv2

from engine.board import Board
from engine.registry import find_game
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import SKINS, Arm, Cup, Light, Scene, Sensor, Stack, TableTop

WIDTH = 480
QUALITY = 82


def scenes() -> Mapping[str, Scene]:
    """The scenes by the names of their pictures."""
    memento, rings = _board("memento-tuos"), _board("rings")
    figures = {"T1": "red1", "T7": "blue2", "L3": "red3", "I7": "blue3", "R5": "red2", "L4": "blue1", "R2": "red1"}
    faces = memento.faces.read(figures)
    pawns = {"a1": "red", "a4": "blue", "b2": "red", "b3": "red", "b6": "blue", "c1": "blue", "c5": "red", "c8": "blue"}
    lamp = replace(
        Scene.showing(memento, faces, {"tile-L": 1}, sloppy=0.7, seed=4),
        pose=Pose(640, 32, 195, -4, (0, 5), 70),
        table=TableTop("wood", "#6a4427"),
        light=Light((-330, -160, 480), 28, 0.22, 2900, 4500, 3600, exposure=0.85),
    ).with_stacks(
        Stack(("stone",) * 2, (-255, 60)), Stack(("marker-red",), (-262, 105)), Stack(("marker-blue",), (262, 20))
    )
    hand = replace(
        Scene.showing(memento, faces | {"I3": memento.faces["red1"]}, {"tile-T": 2}, sloppy=0.7, seed=9),
        pose=Pose(660, 24, 170, 6, (0, 0), 70),
        table=TableTop("cloth", "#26304a"),
        light=Light((260, -300, 640), 60, 0.4, 4200),
        arms=(Arm((-60, 84, 46), 230, 1.0, 20, SKINS[3], "#c98a2b", 60),),
    )
    x, y = memento.sites["L1"].at
    hand = hand.with_stacks(Stack(("stone", "marker-blue"), (-60, 84), 28), Stack(("stone",), (x, y), 3.0, site="L1"))
    day = replace(
        Scene.showing(rings, rings.faces.read(pawns), {"ring-b": 3, "ring-c": 5}, sloppy=0.6, seed=2),
        pose=Pose(640, 30, 160, 0, (0, 0), 70),
        table=TableTop("wood", "#c89f6b"),
        light=Light((-250, -350, 800), 110, 0.6, 5600, 6200, 5700, exposure=0.92),
        things=(Cup((285, -120)),),
    )
    night = replace(
        Scene.showing(rings, rings.faces.read(pawns), {"ring-a": 6, "ring-c": 5}, sloppy=0.6, seed=3),
        pose=Pose(640, 20, 20, 8, (5, 0), 70),
        table=TableTop("plain", "#24211f"),
        light=Light((300, 220, 560), 22, 0.15, 2700, 3500, 3300, exposure=0.45),
        sensor=Sensor(noise=0.03, read_noise=0.004, jpeg=80),
        arms=(Arm((34, -34, 14), 60, 0.35, 20, SKINS[0], "#7a2a30", 40),),
    )
    return {"table-lamp": lamp, "table-hand": hand, "table-day": day, "table-night": night}


def write_gallery(folder: Path) -> list[Path]:
    """Render the four scenes into a folder and return the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for name, scene in scenes().items():
        picture = Renderer(scene.board, fine=True).render(scene).bgr
        height = round(picture.shape[0] * WIDTH / picture.shape[1])
        small = cv2.resize(picture, (WIDTH, height), interpolation=cv2.INTER_AREA)
        file = folder / f"{name}.jpg"
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        file.write_bytes(data.tobytes())
        files.append(file)
    return files


def _board(game: str) -> Board:
    make = find_game(game).board
    assert make is not None
    return make(2, {})


if __name__ == "__main__":
    for written in write_gallery(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")):
        print(written)
