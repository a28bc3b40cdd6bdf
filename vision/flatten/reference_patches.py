"""The printed discs of known colours: by them it is told what a camera makes of contrasts and of colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.flatten.board_plane import BoardPlane, Mask
from vision.flatten.flat_view import circle
from vision.flatten.light import CLIPPED, DARK, FAINTEST, LOGS, Illumination, added
from vision.frame import Floats, Image

IN_PATCH, ABOUT_PATCH = (0.15, 0.45), (1.45, 1.6)
"""Where a printed disc is looked at, and where the paper about it, in radii."""
SPOTS = 16
"""Spots on each of those circles."""
COLOURED, DEEP, WHITE = 0.1, 0.4, 0.6
"""Tints from which a print is not grey, and is a colour; reflectance from which it is white."""
LEAST_TOLD = 6
"""Looks at greys (three channels each) by which a contrast is told."""
OWN_HUE, LEAST_COLOURS = 0.8, 5
"""Cosine of the angle between a tint and its own from which it may be that print; and how many must be so: more
than a hand over all of them could look like."""
USUAL, HARDEST = 0.15, 0.9
"""Log of a contrast: so much gloss and dust do to any, and more than this none has."""
PALE, PALEST = 0.62, 2.0
"""How deep, as a share of the print, colours look at least under gloss; and how many times paler a picture may be."""


@dataclass(frozen=True, eq=False)
class ReferencePatches:
    """Printed discs with the paper about each: by them it is told what a camera makes of contrasts and colours."""

    inside: npt.NDArray[np.intp]
    """(patches, spots): pixels of the flat picture, counted row by row."""
    about: npt.NDArray[np.intp]
    """(patches, spots): those of the paper."""
    steps: Floats
    """(patches, 3): how much darker than the paper they are printed, logs of linear light."""
    tints: Floats
    """(patches, 3): see `_tints`."""
    greys: Mask
    """Which of them are neither dark, nor white, nor coloured."""

    @classmethod
    def of(cls, board: Board, plane: BoardPlane) -> ReferencePatches:
        """Those of a board, without their rims: the flat picture shows the base a little aside."""
        at = np.array([patch.at for patch in board.patches]).reshape(-1, 1, 2)
        radii = np.array([patch.radius for patch in board.patches]).reshape(-1, 1, 1)
        inside, about = (
            plane.numbers(at + radii * np.concatenate([far * circle(SPOTS) for far in reach]))
            for reach in (IN_PATCH, ABOUT_PATCH)
        )
        printed = plane.expected((0,) * len(board.turnable)).reshape(-1, 3)
        colours, paper = (np.median(printed[spots], axis=1).astype(float) for spots in (inside, about))
        tints = _tints(colours)
        greys = (np.abs(tints).max(axis=1) < COLOURED) & (colours.min(axis=1) > DARK) & (colours.max(axis=1) < WHITE)
        return cls(inside, about, np.log(paper + FAINTEST) - np.log(colours + FAINTEST), tints, greys)

    def contrast(self, flat: Image) -> float:
        """The power of light that a picture's linear values are: cameras and renderers have curves of their own.

        What covers both a grey and its paper makes them look more alike, hardly ever less.
        """
        inside, about = (_usual(flat, spots[self.greys]) for spots in (self.inside, self.about))
        told = (about < CLIPPED - 5) & (inside > 0) & (inside < about)
        if told.sum() < LEAST_TOLD:
            return 1.0
        found = np.log(np.quantile(((LOGS[about] - LOGS[inside]) / self.steps[self.greys])[told], 0.75))
        return float(np.exp(np.sign(found) * np.clip(abs(found) - USUAL, 0.0, HARDEST)))

    def paleness(self, flat: Image, light: Illumination) -> float:
        """How many times paler than they may be colours look, at least 1. Hands and gloss make only some paler."""
        coloured = np.abs(self.tints).max(axis=1) > DEEP
        values, printed = _usual(flat, self.inside[coloured]), self.tints[coloured]
        tints = _tints(np.exp(LOGS[values] / light.contrast) / light.balance)
        along = added(tints * printed)
        seen = along > OWN_HUE * np.sqrt(added(tints**2) * added(printed**2))
        if seen.sum() < LEAST_COLOURS:
            return 1.0
        return float(np.clip(PALE / (along / added(printed**2))[seen].max(), 1.0, PALEST))


def _usual(flat: Image, spots: npt.NDArray[np.intp]) -> npt.NDArray[np.intp]:
    """The usual values (places, 3) of a flat picture in the spots of each place."""
    return np.asarray(np.median(flat.reshape(-1, 3)[spots], axis=1), dtype=np.intp)


def _tints(colours: Floats) -> Floats:
    """How far the channels of colours (n, 3), coded as roots, are from their mean, as shares of it: alike in shade."""
    roots = np.sqrt(colours) + FAINTEST
    return np.asarray(roots / roots.mean(axis=1, keepdims=True) - 1)
