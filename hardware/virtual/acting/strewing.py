"""Cards as people lay them: each a little off its place, and a little askew, but on no other."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Disc, Point, Sheet, turned
from engine.face import Face, Faces

TRIES = 60
Floats = NDArray[np.float64]


def strewn(board: Board, seed: int, off: float = 4.0, askew: float = 4.0) -> Board:
    """The same board with its cards up to this many millimetres and degrees off, and what is on them moved along."""
    random = np.random.default_rng([seed, 23])
    lying: list[Floats] = []
    sheets = dict(board.by_name)
    for name in board.fields:
        for attempt in range(TRIES):
            # Where there is too little room, people lay a card more carefully.
            loose = 1 - attempt / (TRIES - 1)
            sheet = _laid(
                board.by_name[name], _within(random, off / 2, off, 2) * loose, _within(random, askew / 2, askew) * loose
            )
            edge = _edge(sheet)
            if not any(_overlap(edge, other) for other in lying):
                break
        lying.append(edge)
        sheets[name] = sheet
    sites = {
        name: replace(site, at=_carried(board.by_name[site.sheet], sheets[site.sheet], site.at))
        for name, site in board.sites.items()
    }
    return replace(board, sheets=tuple(sheets.values()), sites=sites)


def laid_loosely(board: Board, faces: Faces, seed: int, off: float = 4.0, askew: float = 6.0) -> Board:
    """The same board with these cards moved by up to this many millimetres and degrees, their sites with them, and none
    on another card."""
    random, sites = np.random.default_rng([seed, 29]), dict(board.sites)
    cards = {name: face for name, face in faces.items() if face.sheet}
    edges = {name: _outline(board, board.sites[name].at, board.sites[name].angle, face) for name, face in cards.items()}
    for name, face in cards.items():
        site = board.sites[name]
        for attempt in range(TRIES):
            loose = 1 - attempt / (TRIES - 1)
            by = random.normal(scale=off / 2, size=2)
            by *= loose * min(1.0, off / max(float(np.hypot(*by)), 1e-6))
            twist = float(_within(random, askew / 2, askew)[0]) * loose
            at = (site.at[0] + float(by[0]), site.at[1] + float(by[1]))
            edge = _outline(board, at, site.angle + twist, face)
            if not any(_overlap(edge, other) for there, other in edges.items() if there != name):
                break
        edges[name], sites[name] = edge, replace(site, at=at, angle=site.angle + twist)
    return replace(board, sites=sites)


def _outline(board: Board, at: Point, angle: float, face: Face) -> Floats:
    outline = board.by_name[face.sheet].outline[0]
    assert not isinstance(outline, Disc)
    far = 1 + 2 * outline.rounding / max(float(np.hypot(*point)) for point in outline.points)
    points = [turned((far * x, far * y), angle + face.angle) for x, y in outline.points]
    return np.array([(at[0] + x, at[1] + y) for x, y in points])


def _within(random: np.random.Generator, usual: float, most: float, count: int = 1) -> Floats:
    return np.clip(random.normal(scale=usual, size=count), -most, most)


def _laid(sheet: Sheet, off: Floats, askew: Floats) -> Sheet:
    return replace(
        sheet, at=(sheet.at[0] + float(off[0]), sheet.at[1] + float(off[1])), angle=sheet.angle + float(askew[0])
    )


def _carried(before: Sheet, after: Sheet, at: Point) -> Point:
    """Where a place on a sheet comes to lie when the sheet is moved."""
    x, y = turned(at, after.angle - before.angle, before.at)
    return (x + after.at[0] - before.at[0], y + after.at[1] - before.at[1])


def _edge(sheet: Sheet) -> Floats:
    x, y = sheet.size[0] / 2, sheet.size[1] / 2
    return np.array([sheet.to_table(corner) for corner in ((-x, -y), (x, -y), (x, y), (-x, y))])


def _overlap(one: Floats, other: Floats) -> bool:
    return bool(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0] > 0.5)
