"""Drawings of the camera position: from the side, with the promised range, and what the picture shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import atan, cos, degrees, pi, radians, sin, tan

import cv2
import numpy as np

from engine.board import Board, Disc, Sheet
from engine.words import say
from hardware.build.plan import CameraPlan
from hardware.build.sizes import sizes
from hardware.build.stand import Mounting
from hardware.build.svg import FAINT, INK, SOFT, Spot, box, document, dot, line, polygon, text
from hardware.virtual.camera import Camera
from hardware.virtual.scene import SpacePoint

SIZE = (1120.0, 620.0)
FOOT: Spot = (330.0, 520.0)
"""The board's centre in the drawing."""
SCALE = 0.5
"""Drawn millimetres a millimetre."""
VIEW: Spot = (700.0, 150.0)
VIEW_WIDTH = 380.0
BLUE, GREEN, AMBER = "#1f55c4", "#17853b", "#d9772b"
TUBE = "#9aa1a8"

WORDS = {
    "en": {
        "title": "Where the camera hangs: {game}",
        "board": "board",
        "up": "straight down",
        "range": "promised: {near:.0f} to {far:.0f} mm, up to {tilt:.0f}° off straight down",
        "fits": "whole board in view from {near:.0f} mm with this lens",
        "none": "with this lens the board is never whole in view",
        "lens": "{distance:.0f} mm, {tilt:.0f}°",
        "picture": "what the camera sees ({width} × {height} pixels)",
        "cell": "a cell of the printed squares: {cell:.1f} pixels",
        "piece": "{name}: {small:.0f} to {large:.0f} pixels wide",
        "arm": "arm {arm:.0f} mm up",
        "reach": "tube to tube {reach:.0f} mm",
        "edge": "centre to the table’s edge: {edge:.0f} mm",
    },
    "de": {
        "title": "Wo die Kamera hängt: {game}",
        "board": "Spielbrett",
        "up": "senkrecht",
        "range": "zugesagt: {near:.0f} bis {far:.0f} mm, bis {tilt:.0f}° schräg",
        "fits": "mit diesem Objektiv ist ab {near:.0f} mm alles im Bild",
        "none": "mit diesem Objektiv ist nie das ganze Brett im Bild",
        "lens": "{distance:.0f} mm, {tilt:.0f}°",
        "picture": "was die Kamera sieht ({width} × {height} Pixel)",
        "cell": "ein Feld der gedruckten Quadrate: {cell:.1f} Pixel",
        "piece": "{name}: {small:.0f} bis {large:.0f} Pixel breit",
        "arm": "Arm {arm:.0f} mm hoch",
        "reach": "Rohr bis Rohr {reach:.0f} mm",
        "edge": "Mitte bis Tischkante: {edge:.0f} mm",
    },
}


def draw_plan(
    plan: CameraPlan, span: tuple[float, float] | None, language: str = "en", stand: Mounting | None = None
) -> str:
    """The plan from the side and as a picture, in one SVG document."""
    words = WORDS[language]
    title = words["title"].format(game=plan.board.game)
    shapes = [
        text((40, 46), title, 24, bold=True),
        *_side(plan, span, words, 580.0 if stand is None else stand.edge),
        *_picture(plan, words, language),
    ]
    if stand is not None:
        shapes += _stand(stand, words)
    return document(SIZE, shapes, title)


def _at(distance: float, tilt: float) -> Spot:
    """A place of the lens in the drawing: the camera leans towards the right, where who plays south sits."""
    angle = radians(tilt)
    return FOOT[0] + SCALE * distance * sin(angle), FOOT[1] - SCALE * distance * cos(angle)


def _sector(near: float, far: float, tilt: tuple[float, float]) -> list[Spot]:
    tilts = np.linspace(tilt[0], tilt[1], 24)
    return [_at(far, each) for each in tilts] + [_at(near, each) for each in reversed(tilts)]


def _side(plan: CameraPlan, span: tuple[float, float] | None, words: dict[str, str], table: float) -> Iterator[str]:
    """`table`: from the board's centre to its edge."""
    promised, pose = plan.board.camera, plan.pose
    (near, far), steep = promised.distance, promised.tilt[1]
    yield polygon(_sector(near, far, promised.tilt), "#e9f1ea", "#9dbda4", 1.2)
    if span is not None:
        tilts = (max(pose.tilt - 4, promised.tilt[0]), min(pose.tilt + 4, steep))
        yield polygon(_sector(*span, tilts), "#b9d9c1", GREEN, 1.2)
    lens = _at(pose.distance, pose.tilt)
    yield from _view(plan, lens)
    half = plan.board.base.size[1] / 2 * SCALE
    yield line([(60, FOOT[1] + 6), (FOOT[0] + SCALE * table, FOOT[1] + 6)], "#a58a63", 5)
    yield line([(FOOT[0] - half, FOOT[1]), (FOOT[0] + half, FOOT[1])], INK, 6)
    yield text((FOOT[0], FOOT[1] + 28), words["board"], 13, INK, "middle", bold=True)
    yield line([FOOT, _at(far + 30, 0)], SOFT, 1.2, dash="5 5")
    yield text((FOOT[0] + 8, _at(far + 30, 0)[1] + 8), words["up"], 12, SOFT)
    yield line([FOOT, lens], BLUE, 2, dash="8 5")
    yield from _camera_body(lens, pose.tilt)
    yield text(
        (lens[0] - 34, lens[1] + 12),
        words["lens"].format(distance=pose.distance, tilt=pose.tilt),
        15,
        BLUE,
        "end",
        bold=True,
    )
    yield line([(lens[0], lens[1] + 16), (lens[0], FOOT[1])], SOFT, 1.2, dash="3 4")
    half_way = (lens[1] + FOOT[1]) / 2
    yield text((lens[0] - 6, half_way + 100), f"{plan.lens_height:.0f} mm", 13, SOFT, "end")
    if plan.aside > 1:
        yield line([(FOOT[0], FOOT[1] + 44), (lens[0], FOOT[1] + 44)], SOFT, 1.2)
        yield text(((FOOT[0] + lens[0]) / 2, FOOT[1] + 60), f"{plan.aside:.0f} mm", 12, SOFT, "middle")
    yield text((40, 76), words["range"].format(near=near, far=far, tilt=steep), 14, "#4d7a58")
    fits = words["none"] if span is None else words["fits"].format(near=span[0])
    yield text((40, 98), fits, 14, AMBER if span is None else GREEN)


def _stand(stand: Mounting, words: dict[str, str]) -> Iterator[str]:
    """The tubes of the stand, and the three measures by which it is set up."""
    behind = sizes()["table"]["tube_at"]
    upright, top = FOOT[0] + SCALE * (stand.edge + behind), FOOT[1] - SCALE * (stand.arm + 30)
    arm, tube = FOOT[1] - SCALE * stand.arm, FOOT[0] + SCALE * stand.tube[0]
    yield line([(upright, FOOT[1] + 38), (upright, top)], TUBE, 8 * SCALE * 2)
    yield line([(upright + 14, arm), (tube - 14, arm)], TUBE, 8 * SCALE * 2)
    yield dot((tube, FOOT[1] - SCALE * stand.tube[1]), 8 * SCALE + 2, TUBE, INK)
    told = words["arm"].format(arm=stand.arm), words["reach"].format(reach=stand.reach)
    for number, each in enumerate(told):
        yield text((upright + 14, FOOT[1] - 50 + 18 * number), each, 12.5, INK)
    edge = upright - SCALE * behind
    yield line([(FOOT[0], FOOT[1] + 74), (edge, FOOT[1] + 74)], SOFT, 1.2)
    yield text(((FOOT[0] + edge) / 2, FOOT[1] + 90), words["edge"].format(edge=stand.edge), 12, SOFT, "middle")


def _view(plan: CameraPlan, lens: Spot) -> Iterator[str]:
    """The rays of the picture's upper and lower edge."""
    pose = plan.pose
    vertical = degrees(atan(tan(radians(pose.hfov / 2)) * pose.size[1] / pose.size[0]))
    spots = [lens]
    for edge in (-vertical, vertical):
        slope = tan(radians(min(pose.tilt + edge, 85)))
        spots.append((lens[0] - slope * (FOOT[1] - lens[1]), FOOT[1]))
    yield polygon(spots, BLUE, "#8fa8da", 1, opacity=0.08)


def _camera_body(lens: Spot, tilt: float) -> Iterator[str]:
    turn = f'<g transform="translate({lens[0]:.1f} {lens[1]:.1f}) rotate({tilt:.1f})">'
    yield turn + box((-19, -22), (38, 18), fill="#2a3035", rounding=3) + box((-8, -4), (16, 7), fill=SOFT) + "</g>"


def _picture(plan: CameraPlan, words: dict[str, str], language: str) -> Iterator[str]:
    """The outlines of the sheets and the printed squares as they fall on the sensor."""
    width, height = plan.pose.size
    scale = VIEW_WIDTH / width
    yield text((VIEW[0], VIEW[1] - 12), words["picture"].format(width=width, height=height), 14, SOFT)
    yield box(VIEW, (VIEW_WIDTH, scale * height), fill="#f1efe9", stroke=BLUE, width=2)
    yield from _sheets(plan.board, partial(_seen, Camera.at(plan.pose), scale))
    y = VIEW[1] + scale * height + 34
    yield text((VIEW[0], y), words["cell"].format(cell=plan.cell), 14)
    for number, (name, (small, large)) in enumerate(plan.pieces.items(), start=1):
        spoken = say(name, language)
        yield text((VIEW[0], y + 22 * number), words["piece"].format(name=spoken, small=small, large=large), 14)
    for number, problem in enumerate(plan.problems if language == "en" else ()):
        yield text((VIEW[0], y + 22 * (len(plan.pieces) + 1 + number)), problem, 12.5, AMBER)


def _seen(camera: Camera, scale: float, points: Sequence[SpacePoint]) -> list[Spot]:
    return [(VIEW[0] + scale * float(x), VIEW[1] + scale * float(y)) for x, y in camera.near(points)]


def _sheets(board: Board, spots: Callable[[Sequence[SpacePoint]], list[Spot]]) -> Iterator[str]:
    for sheet in sorted(board.sheets, key=lambda each: (each.z, -each.size[0])):
        yield polygon(spots(_outline(sheet)), "#ffffff" if sheet.z == 0 else "#dfe6e2", "#8a979e", 1)
    for mark in board.fiducials:
        half, (x, y) = mark.size / 2, mark.at
        square = [(x + dx * half, y + dy * half, 0.0) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        yield polygon(spots(square), INK, INK, 0.5)
    for site in board.sites.values():
        yield dot(spots([(*site.at, site.z)])[0], 3.0, FAINT, SOFT)


def _outline(sheet: Sheet) -> list[SpacePoint]:
    """The outer edge of a sheet on the table; all of them are convex."""
    edge = sheet.outline[0]
    middles, radius = ([edge.at], edge.radius) if isinstance(edge, Disc) else (edge.points, edge.rounding)
    turns = [2 * pi * k / 48 for k in range(48)] if radius else [0.0]
    cloud = [(x + radius * cos(a), y + radius * sin(a)) for x, y in middles for a in turns]
    hull = cv2.convexHull(np.array(cloud, dtype=np.float32)).reshape(-1, 2)
    return [(*sheet.to_table((float(x), float(y))), sheet.z) for x, y in hull]
