"""Drawings of the camera position: from the side, with the promised range, and what the picture shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import atan, cos, degrees, pi, radians, sin, tan

import cv2
import numpy as np

from engine.board import Board, Disc, Sheet
from engine.words import say
from hardware.build.plan import Plan
from hardware.build.svg import FAINT, INK, SOFT, Spot, box, document, dot, line, polygon, text
from hardware.virtual.camera import Camera

Place = tuple[float, float, float]

SIZE = (1120.0, 620.0)
FOOT: Spot = (330.0, 520.0)
"""The board's centre in the drawing."""
SCALE = 0.5
"""Drawn millimetres a millimetre."""
VIEW: Spot = (700.0, 150.0)
VIEW_WIDTH = 380.0
BLUE, GREEN, AMBER = "#1f55c4", "#17853b", "#d9772b"

WORDS = {
    "en": {
        "title": "Where the camera hangs: {game}",
        "board": "board",
        "up": "straight down",
        "range": "promised: {near:.0f} to {far:.0f} mm, up to {tilt:.0f}° off straight down",
        "fits": "whole board in view from {near:.0f} mm with this lens",
        "none": "with this lens the board is never whole in view",
        "lens": "{distance:.0f} mm, {tilt:.0f}°",
        "height": "{height:.0f} mm above the table",
        "picture": "what the camera sees ({width} × {height} pixels)",
        "cell": "a cell of the printed squares: {cell:.1f} pixels",
        "piece": "{name}: {small:.0f} to {large:.0f} pixels wide",
    },
    "de": {
        "title": "Wo die Kamera hängt: {game}",
        "board": "Spielbrett",
        "up": "senkrecht",
        "range": "zugesagt: {near:.0f} bis {far:.0f} mm, bis {tilt:.0f}° schräg",
        "fits": "mit diesem Objektiv ist ab {near:.0f} mm alles im Bild",
        "none": "mit diesem Objektiv ist nie das ganze Brett im Bild",
        "lens": "{distance:.0f} mm, {tilt:.0f}°",
        "height": "{height:.0f} mm über dem Tisch",
        "picture": "was die Kamera sieht ({width} × {height} Pixel)",
        "cell": "ein Feld der gedruckten Quadrate: {cell:.1f} Pixel",
        "piece": "{name}: {small:.0f} bis {large:.0f} Pixel breit",
    },
}


def draw_plan(plan: Plan, span: tuple[float, float] | None, language: str = "en") -> str:
    """The plan from the side and as a picture, in one SVG document."""
    words = WORDS[language]
    title = words["title"].format(game=plan.board.game)
    shapes = [text((40, 46), title, 24, bold=True), *_side(plan, span, words), *_picture(plan, words, language)]
    return document(SIZE, shapes, title)


def _at(distance: float, tilt: float) -> Spot:
    """A place of the lens in the drawing: the camera leans towards the right, where who plays south sits."""
    angle = radians(tilt)
    return FOOT[0] + SCALE * distance * sin(angle), FOOT[1] - SCALE * distance * cos(angle)


def _sector(near: float, far: float, tilt: tuple[float, float]) -> list[Spot]:
    tilts = np.linspace(tilt[0], tilt[1], 24)
    return [_at(far, each) for each in tilts] + [_at(near, each) for each in reversed(tilts)]


def _side(plan: Plan, span: tuple[float, float] | None, words: dict[str, str]) -> Iterator[str]:
    promised, pose = plan.board.camera, plan.pose
    (near, far), steep = promised.distance, promised.tilt[1]
    yield polygon(_sector(near, far, promised.tilt), "#e9f1ea", "#9dbda4", 1.2)
    if span is not None:
        tilts = (max(pose.tilt - 4, promised.tilt[0]), min(pose.tilt + 4, steep))
        yield polygon(_sector(*span, tilts), "#b9d9c1", GREEN, 1.2)
    lens = _at(pose.distance, pose.tilt)
    yield from _view(plan, lens)
    half = plan.board.base.size[1] / 2 * SCALE
    yield line([(60, FOOT[1] + 6), (620, FOOT[1] + 6)], "#a58a63", 5)
    yield line([(FOOT[0] - half, FOOT[1]), (FOOT[0] + half, FOOT[1])], INK, 6)
    yield text((FOOT[0], FOOT[1] + 28), words["board"], 13, INK, "middle", bold=True)
    yield line([FOOT, _at(far + 30, 0)], SOFT, 1.2, dash="5 5")
    yield text((FOOT[0] + 8, _at(far + 30, 0)[1] + 8), words["up"], 12, SOFT)
    yield line([FOOT, lens], BLUE, 2, dash="8 5")
    yield from _camera_body(lens, pose.tilt)
    yield text(
        (lens[0] + 24, lens[1] - 14), words["lens"].format(distance=pose.distance, tilt=pose.tilt), 15, BLUE, bold=True
    )
    yield line([(lens[0], lens[1] + 16), (lens[0], FOOT[1])], SOFT, 1.2, dash="3 4")
    yield text((lens[0] + 8, (lens[1] + FOOT[1]) / 2 + 60), words["height"].format(height=plan.lens_height), 13, SOFT)
    if plan.aside > 1:
        yield line([(FOOT[0], FOOT[1] + 44), (lens[0], FOOT[1] + 44)], SOFT, 1.2)
        yield text(((FOOT[0] + lens[0]) / 2, FOOT[1] + 60), f"{plan.aside:.0f} mm", 12, SOFT, "middle")
    yield text((40, 76), words["range"].format(near=near, far=far, tilt=steep), 14, "#4d7a58")
    fits = words["none"] if span is None else words["fits"].format(near=span[0])
    yield text((40, 98), fits, 14, AMBER if span is None else GREEN)


def _view(plan: Plan, lens: Spot) -> Iterator[str]:
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


def _picture(plan: Plan, words: dict[str, str], language: str) -> Iterator[str]:
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


def _seen(camera: Camera, scale: float, points: Sequence[Place]) -> list[Spot]:
    return [(VIEW[0] + scale * float(x), VIEW[1] + scale * float(y)) for x, y in camera.near(points)]


def _sheets(board: Board, spots: Callable[[Sequence[Place]], list[Spot]]) -> Iterator[str]:
    for sheet in sorted(board.sheets, key=lambda each: (each.z, -each.size[0])):
        yield polygon(spots(_outline(sheet)), "#ffffff" if sheet.z == 0 else "#dfe6e2", "#8a979e", 1)
    for mark in board.fiducials:
        half, (x, y) = mark.size / 2, mark.at
        square = [(x + dx * half, y + dy * half, 0.0) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        yield polygon(spots(square), INK, INK, 0.5)
    for site in board.sites.values():
        yield dot(spots([(*site.at, site.z)])[0], 3.0, FAINT, SOFT)


def _outline(sheet: Sheet) -> list[Place]:
    """The outer edge of a sheet on the table; all of them are convex."""
    edge = sheet.outline[0]
    middles, radius = ([edge.at], edge.radius) if isinstance(edge, Disc) else (edge.points, edge.rounding)
    turns = [2 * pi * k / 48 for k in range(48)] if radius else [0.0]
    cloud = [(x + radius * cos(a), y + radius * sin(a)) for x, y in middles for a in turns]
    hull = cv2.convexHull(np.array(cloud, dtype=np.float32)).reshape(-1, 2)
    return [(*sheet.to_table((float(x), float(y))), sheet.z) for x, y in hull]
