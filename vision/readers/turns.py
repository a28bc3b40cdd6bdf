"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.frame import Floats, Image
from vision.light import FROM_CODE, added, chroma
from vision.scenery import PX_PER_MM, Scenery

INDEPENDENT = 90.0
"""As how many independent places all marks of one sheet count."""
TINT = 0.09
"""How far, in shares of blue, green and red, print may be off its own colour; what is farther off lies on it."""
BLACK = 0.01
"""Of white: what is darker has no colour by which it could be told."""
CLOSEST = 0.98
"""The most that tones can go together: there is always some doubt."""
LEAST = 20
"""Places that must be in sight if anything is to be said."""
MOST = 320
"""Pixels of a sheet that are looked at."""


@dataclass(frozen=True, eq=False)
class Marks:
    """Where a sheet is looked at."""

    places: npt.NDArray[np.intp]
    """Pixels of the flat picture, counted row by row."""
    tones: Floats
    """(positions, places): printed log brightness."""
    tints: Floats
    falls_off: Floats
    """(places, 3): ways in which light may change across the sheet."""


class TurnReader:
    """Compares brightness with the art of each position, only where the positions differ.

    How bright the sheet lies, how faint its print is in glare or shadow and how the light falls off across it is not
    known; so what counts is how well the tones go up and down together.
    """

    def __init__(self, board: Board, scenery: Scenery, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.sheets: dict[str, Marks] = {}
        shape = scenery.size[::-1]
        for sheet in board.turnable:
            colours = np.zeros((sheet.turns, *shape, 3), dtype=np.float32)
            covered = np.ones(shape, dtype=bool)
            for turn, piece in enumerate(scenery.sheets[sheet.name]):
                piece.place(colours[turn])[...] = piece.colours
                cover = np.zeros(shape, dtype=np.float32)
                piece.place(cover)[...] = piece.cover
                covered &= cover > 0.95
            differs = covered & (np.ptp(_tones(colours), axis=0) > 0.5)
            rows, columns = np.ogrid[: shape[0], : shape[1]]
            for site in board.sites.values():
                x, y = scenery.to_flat(np.array(site.at))
                differs &= (columns - x) ** 2 + (rows - y) ** 2 > (clear * PX_PER_MM) ** 2
            places = np.flatnonzero(differs)
            places = places[:: max(1, len(places) // MOST)]
            looked_at = colours.reshape(sheet.turns, -1, 3)[:, places].astype(float)
            across = np.stack(np.unravel_index(places, shape), axis=-1) / max(shape) - 0.5
            falls_off = np.column_stack([np.ones(len(places)), across])
            self.sheets[sheet.name] = Marks(places, _tones(looked_at), chroma(looked_at), falls_off)

    def read(self, codes: Image) -> Mapping[str, tuple[float, ...]]:
        """Log-likelihoods of every sheet's positions from a balanced flat picture."""
        flat = codes.reshape(-1, 3)
        result = {}
        for name, marks in self.sheets.items():
            looks = FROM_CODE.take(flat.take(marks.places, axis=0)).astype(float)
            off = added((chroma(looks) - marks.tints) ** 2).min(axis=0)
            seen = (off < TINT**2) | (added(looks) / 3 < BLACK)
            if seen.sum() < LEAST:
                result[name] = (0.0,) * len(marks.tones)
                continue
            told = _level(np.vstack([_tones(looks), marks.tones]) * seen, marks.falls_off * seen[:, None])
            alike = np.clip(told[1:] @ told[0], 0.0, CLOSEST)
            fits = -0.5 * INDEPENDENT * seen.mean() * np.log1p(-(alike**2))
            result[name] = tuple((fits - fits.max()).tolist())
        return result


def _level(tones: Floats, falls_off: Floats) -> Floats:
    """Rows of tones without what even light, more on one side, would explain; each of length 1."""
    normal = falls_off.T @ falls_off + 1e-9 * np.eye(3)  # what is in sight may lie in one line
    explained = np.linalg.solve(normal, falls_off.T @ tones.T)
    rest = tones - (falls_off @ explained).T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9))


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(added(colours) / 3 + 0.01), dtype=float)
