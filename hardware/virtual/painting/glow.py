"""Light from under the board, which shines through bare paper, faintly through print, and not through near-black."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Disc, Point, Polygon, turned
from hardware.virtual.camera import Camera
from hardware.virtual.painting.colour import paint, planes
from hardware.virtual.painting.layer import Layer
from hardware.virtual.painting.surface import on_plane
from hardware.virtual.scene import Scene, SpacePoint

GREY = "#808080"
HOLE = 15.0
"""Radius of the hole under a site, mm: so far the light is even."""
FADES = 5.0
"""Beyond, the light fades within so many millimetres of acrylic."""
PRINT = 0.5
"""Of the light that paper lets through, toner of a colour lets through so much of what it reflects."""
SOFT = 0.25
"""Edges blur within the paper, mm."""


def add_glow(layer: Layer, scene: Scene, camera: Camera) -> None:
    """Add the light of a scene to a layer of what lies flat."""
    board = scene.board
    for name, colour in scene.lit.items():
        site = board.sites[name]
        x, y = on_plane(camera, layer.window, site.z)
        place = _on_table(scene.board_at, site.at)
        away = np.hypot(x - np.float32(place[0]), y - np.float32(place[1]))
        near = away < HOLE + FADES
        if not near.any():
            continue
        through = np.zeros_like(away)
        through[near] = _through(board, name, away[near])
        red, green, blue = colour
        layer.ambient += planes((blue, green, red)) * (np.float32(scene.glow) * through)[None]


def _on_table(board_at: SpacePoint, at: Point) -> Point:
    """Where a place of the board is, which may have been pushed about."""
    x, y = turned(at, board_at[2])
    return x + board_at[0], y + board_at[1]


def _through(board: Board, site: str, away: NDArray[np.float32]) -> NDArray[np.float32]:
    """The share of the light that comes through, by the distance from the site's centre."""
    ground, shapes = _rings(board, site)
    share = np.full_like(away, ground)
    for disc in shapes:
        if disc.fill is not None:
            share += (_passes(disc.fill) - share) * _under(away, disc.radius)
        if disc.stroke is not None and disc.width:
            ring = _under(away, disc.radius + disc.width / 2) - _under(away, disc.radius - disc.width / 2)
            share += (_passes(disc.stroke) - share) * ring
    fades: NDArray[np.float32] = np.clip((HOLE + FADES - away) / FADES, 0, 1)
    return share * fades


def _under(away: NDArray[np.float32], radius: float) -> NDArray[np.float32]:
    edge: NDArray[np.float32] = np.clip((radius - away) / (2 * SOFT) + 0.5, 0, 1)
    return edge


@cache
def _passes(colour: str) -> float:
    light = sum(paint(colour)) / 3
    return 1.0 if light > 0.99 else PRINT * light


def _rings(board: Board, site: str) -> tuple[float, list[Disc]]:
    """What the print round a site lets through, and the discs that are painted about it."""
    place = board.sites[site]
    sheet = board.by_name[place.sheet]
    found = [
        shape
        for shape in sheet.art
        if isinstance(shape, Disc) and np.hypot(*np.subtract(sheet.to_table(shape.at), place.at)) < 0.5
    ]
    grounds = (shape.fill for shape in sheet.art if isinstance(shape, Disc | Polygon))
    return _passes(next((fill for fill in grounds if fill is not None), GREY)), found
