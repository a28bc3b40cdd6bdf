"""Hands, sleeves, cups: what covers the board and is no part of the game."""

from __future__ import annotations

import cv2
import numpy as np

from engine.board import Board
from vision.frame import Floats
from vision.light import CELL, Light, chroma
from vision.scenery import Map, Mask, Scenery

OFF_COLOUR = 0.075
"""How far (in shares of blue, green and red) a cell may be off its print."""
TOO_LIGHT, TOO_DARK = 0.8, -2.6
"""Log brightness against the print: lighter than any glare, darker than any shadow."""
COVERED = 0.5
"""Share of the ground about a site that must be covered for the site to be hidden."""


def foreign_cells(seen: Map, expected: Map, light: Light, places: Floats, pieces: Mask) -> Mask:
    """Cells of the board where something lies that is neither print nor piece."""
    white = light.balance * light.brightness(places)[..., None]
    reflectance = seen / white
    # Dark print has hardly a colour of its own: what is added to it shows in brightness.
    trust = np.clip(expected.mean(axis=2) / 0.1, 0.15, 1.0)
    off = np.linalg.norm(chroma(reflectance) - chroma(expected), axis=2) * trust
    shade = np.log((reflectance.mean(axis=2) + 0.02) / (expected.mean(axis=2) + 0.02))
    strange = (off > OFF_COLOUR) | (shade > TOO_LIGHT) | (shade < TOO_DARK)
    strange &= ~pieces
    kernel = np.ones((3, 3), np.uint8)
    opened = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, kernel)
    return opened.astype(bool)


def hidden_sites(board: Board, foreign: Mask, scenery: Scenery) -> frozenset[str]:
    """Sites whose surroundings are mostly covered."""
    hidden = set()
    height, width = foreign.shape
    rows, columns = np.mgrid[:height, :width]
    for site in board.sites.values():
        x, y = (scenery.to_flat(np.array(site.at)) + 0.5) / CELL - 0.5
        near = (columns - x) ** 2 + (rows - y) ** 2 < (22 / CELL) ** 2
        if foreign[near].mean() > COVERED:
            hidden.add(site.name)
    return frozenset(hidden)
