"""The printed discs of known colours, which show what a camera makes of contrasts and of colours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.board import Board
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import CLIPPED, FAINTEST, LOGS, added
from vision.flatten.flat_view import circle
from vision.flatten.light import Illumination
from vision.flatten.settings import LIGHT, PATCHES, PatchSettings
from vision.frame import Floats, Image, Mask, Numbers


@dataclass(frozen=True, eq=False)
class ReferencePatches:
    """Printed discs and the paper around each."""

    inside: Numbers
    """(patches, spots): pixels of the flat picture, counted row by row."""
    about: Numbers
    """(patches, spots): those of the paper around."""
    steps: Floats
    """(patches, 3): how much darker than the paper they are printed, as the log of linear light."""
    tints: Floats
    """(patches, 3): see `_tints`."""
    greys: Mask
    """Which of them are neither dark, nor white, nor coloured."""
    settings: PatchSettings

    @classmethod
    def of(cls, board: Board, plane: BoardPlane, settings: PatchSettings = PATCHES) -> ReferencePatches:
        """The discs of a board, without their rims: the flat picture shows the base a little off its place."""
        at = np.array([patch.at for patch in board.patches]).reshape(-1, 1, 2)
        radii = np.array([patch.radius for patch in board.patches]).reshape(-1, 1, 1)
        inside, about = (
            plane.numbers(at + radii * np.concatenate([far * circle(settings.spots) for far in reach]))
            for reach in (settings.inside, settings.about)
        )
        printed = plane.expected((0,) * len(board.turnable)).reshape(-1, 3)
        colours, paper = (np.median(printed[spots], axis=1).astype(float) for spots in (inside, about))
        tints = _tints(colours)
        greys = np.abs(tints).max(axis=1) < settings.grey
        greys &= (colours.min(axis=1) > LIGHT.dark) & (colours.max(axis=1) < settings.white)
        return cls(inside, about, np.log(paper + FAINTEST) - np.log(colours + FAINTEST), tints, greys, settings)

    def contrast(self, flat: Image) -> float:
        """The power to which a picture's linear values raise light: cameras and renderers have curves of their own.

        Anything that covers both a grey and its paper makes them look more alike, hardly ever less.
        """
        inside, about = (_usual(flat, spots[self.greys]) for spots in (self.inside, self.about))
        told = (about < CLIPPED - LIGHT.clear_of_clipped) & (inside > 0) & (inside < about)
        if told.sum() < self.settings.least_greys:
            return 1.0
        contrasts = ((LOGS[about] - LOGS[inside]) / self.steps[self.greys])[told]
        found = np.log(np.quantile(contrasts, self.settings.upper))
        more = np.clip(abs(found) - self.settings.usual_contrast, 0.0, self.settings.hardest_contrast)
        return float(np.exp(np.sign(found) * more))

    def paleness(self, flat: Image, light: Illumination) -> float:
        """How many times paler colours look than gloss alone makes them, at least 1. Hands make only some paler."""
        coloured = np.abs(self.tints).max(axis=1) > self.settings.coloured
        values, printed = _usual(flat, self.inside[coloured]), self.tints[coloured]
        tints = _tints(np.exp(LOGS[values] / light.contrast) / light.balance)
        along = added(tints * printed)
        seen = along > self.settings.own_hue * np.sqrt(added(tints**2) * added(printed**2))
        if seen.sum() < self.settings.least_colours:
            return 1.0
        return float(np.clip(self.settings.pale / (along / added(printed**2))[seen].max(), 1.0, self.settings.palest))


def _usual(flat: Image, spots: Numbers) -> Numbers:
    """The median values (places, 3) of a flat picture over the spots of each place."""
    return np.asarray(np.median(flat.reshape(-1, 3)[spots], axis=1), dtype=np.intp)


def _tints(colours: Floats) -> Floats:
    """How far the channels of colours (n, 3), coded as roots, are from their mean, as shares of it: alike in shade."""
    roots = np.sqrt(colours) + FAINTEST
    return np.asarray(roots / roots.mean(axis=1, keepdims=True) - 1)
