"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.flatten.board_plane import BoardPlane
from vision.flatten.light import FROM_CODE, added, chroma
from vision.frame import Floats, Image

INDEPENDENT = 45.0
"""As how many independent places all marks of one sheet count for how their tones go together …"""
WITNESSES = 12.0
"""… and for the tones themselves: their mistakes are of the same kind all over a sheet."""
NOISE = 0.4
"""Spread of log brightness where light falls as it does on the board at large."""
SHADED, DEEP = 0.3, 1.2
"""Share of the places that lie in the shadow of something, and by how much that darkens them, in log brightness."""
SHINY, BRIGHT = 0.2, 0.7
"""The same of gloss and haze, which brighten."""
NOT_ALL = 1e-4
"""Density of whatever else a place may look like."""
PLAIN = 2.0
"""Log-odds against one plain thing on all of a sheet that is in sight."""
SHADES, SHADE = np.linspace(-2.0, 0.4, 7), 0.8
"""Log brightness of the light on a whole sheet against that on the board at large, and how that spreads."""
FINE, FARTHEST = 0.02, 8.0
"""Steps in which log brightness is told apart, and how far off it counts."""
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
class TurnMarks:
    """Where a sheet is looked at."""

    places: npt.NDArray[np.intp]
    """Pixels of the flat picture, counted row by row."""
    tones: Floats
    """(positions, places): printed log brightness."""
    tints: Floats
    falls_off: Floats
    """(places, 3): ways in which light may change across the sheet."""


class SheetTurnReader:
    """Compares brightness with the art of each position, only where the positions differ, in two ways.

    How bright the sheet lies, how faint its print is in glare or shadow and how the light falls off across it is not
    known; so what counts is how well the tones go up and down together. And no print is brighter than it is printed,
    however dark a shadow makes it: what is bright is not black, though what is black may be white.
    """

    def __init__(self, board: Board, plane: BoardPlane, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.sheets: dict[str, TurnMarks] = {}
        shape = plane.size[::-1]
        free = plane.clear_of_sites(clear)
        for sheet in board.turnable:
            colours = np.zeros((sheet.turns, *shape, 3), dtype=np.float32)
            covered = free.copy()
            for turn, piece in enumerate(plane.sheets[sheet.name]):
                piece.place(colours[turn])[...] = piece.colours
                cover = np.zeros(shape, dtype=np.float32)
                piece.place(cover)[...] = piece.cover
                covered &= cover > 0.95
            differs = covered & (np.ptp(_tones(colours), axis=0) > 0.5)
            places = np.flatnonzero(differs)
            places = places[:: max(1, len(places) // MOST)]
            looked_at = colours.reshape(sheet.turns, -1, 3)[:, places].astype(float)
            across = np.stack(np.unravel_index(places, shape), axis=-1) / max(shape) - 0.5
            falls_off = np.column_stack([np.ones(len(places)), across])
            self.sheets[sheet.name] = TurnMarks(places, _tones(looked_at), chroma(looked_at), falls_off)

    def read(
        self, codes: Image, known: Mapping[str, tuple[float, ...]] | None = None
    ) -> Mapping[str, tuple[float, ...]]:
        """Log-likelihoods of every sheet's positions from a balanced flat picture; what is `known` is not looked at."""
        flat = codes.reshape(-1, 3)
        result = {}
        for name, marks in self.sheets.items():
            if known and name in known:
                result[name] = known[name]
                continue
            looks = FROM_CODE.take(flat.take(marks.places, axis=0)).astype(float)
            off = added((chroma(looks) - marks.tints) ** 2).min(axis=0)
            seen = (off < TINT**2) | (added(looks) / 3 < BLACK)
            if seen.sum() < LEAST:
                result[name] = (0.0,) * len(marks.tones)
                continue
            tones, share = _tones(looks), float(seen.mean())
            told = _level(np.vstack([tones, marks.tones]) * seen, marks.falls_off * seen[:, None])
            alike = np.clip(told[1:] @ told[0], 0.0, CLOSEST)
            fits = likely_in_light(tones[seen], marks.tones[:, seen], share) - 0.5 * INDEPENDENT * share * np.log1p(
                -(alike**2)
            )
            result[name] = tuple((fits - fits.max()).tolist())
        return result


def _likely() -> Floats:
    """Log-likelihoods of how much brighter a place is than it is printed, in fine steps from the darkest."""
    off = np.arange(-FARTHEST, FARTHEST + FINE, FINE)
    fair = np.exp(-(off**2) / 2 / NOISE**2) / NOISE / np.sqrt(2 * np.pi)
    shaded, shiny = np.exp(np.minimum(off, 0) / DEEP) / DEEP, np.exp(-np.maximum(off, 0) / BRIGHT) / BRIGHT
    told = (1 - SHADED - SHINY) * fair + SHADED * shaded * (off < 0) + SHINY * shiny * (off > 0)
    return np.asarray(np.log(told + NOT_ALL))


LIKELY = _likely()


def likely_in_light(tones: Floats, printed: Floats, share: float) -> Floats:
    """Log-likelihoods of positions by the tones of places, some of which are in shadow or shine; `share`: how many of
    all places these are."""
    shades = _steps(SHADES)[:, None, None]
    told = _told(_steps(tones - printed) - shades) * WITNESSES * share
    plain = _told(_steps(tones - np.median(tones))) * WITNESSES * share - PLAIN
    return np.asarray(np.logaddexp(np.logaddexp.reduce(told - (SHADES[:, None] / SHADE) ** 2 / 2, axis=0), plain))


def _steps(off: Floats) -> npt.NDArray[np.intp]:
    return np.rint(off / FINE).astype(np.intp)


def _told(steps: npt.NDArray[np.intp]) -> Floats:
    return np.asarray(LIKELY.take(steps + len(LIKELY) // 2, mode="clip").mean(axis=-1))


def _level(tones: Floats, falls_off: Floats) -> Floats:
    """Rows of tones without what even light, more on one side, would explain; each of length 1."""
    normal = falls_off.T @ falls_off + 1e-9 * np.eye(3)  # what is in sight may lie in one line
    explained = np.linalg.solve(normal, falls_off.T @ tones.T)
    rest = tones - (falls_off @ explained).T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9))


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(added(colours) / 3 + 0.01), dtype=float)
