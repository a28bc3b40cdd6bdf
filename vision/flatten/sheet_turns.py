"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import FROM_CODE, added, chroma
from vision.frame import Floats, Image, Numbers

CLOSEST = 0.98
"""The most that tones can go together: there is always some doubt. By hand."""
FINE, FARTHEST = 0.02, 8.0
"""Steps in which log brightness is told apart, and how far off it counts: a table of it is looked up."""


@dataclass(frozen=True, kw_only=True)
class TurnSettings:
    """Brightness is in logs, a tint in shares of blue, green and red. "By hand": a round number, fitted to nothing."""

    differing: float = 0.5
    """Brightness by which the print of two positions must differ where a sheet is looked at. By hand."""
    most_places: int = 320
    """Pixels of a sheet that are looked at. By hand: more cost time and tell nothing new."""
    least_places: int = 20
    """Of these, how many must be in sight if anything is to be said. By hand."""
    tint: float = 0.09
    """How far print may be off its own tint; what is farther off lies on it. By hand."""
    black: float = 0.01
    """Of white: what is darker has no tint by which it could be told. By hand."""
    independent: float = 45.0
    """As how many independent places all marks of one sheet count for how their tones go together … By hand."""
    witnesses: float = 12.0
    """… and for the tones themselves: their mistakes are of the same kind all over a sheet. By hand."""
    noise: float = 0.4
    """Brightness, one sigma, where light falls as it does on the board at large. By hand."""
    shaded: float = 0.3
    """Share of the places that lie in the shadow of something, … By hand."""
    deep: float = 1.2
    """… and by how much that darkens them, on average. By hand."""
    shiny: float = 0.2
    """Share of those that gloss and haze brighten, … By hand."""
    bright: float = 0.7
    """… and by how much. By hand."""
    anything: float = 1e-4
    """Density of whatever else a place may look like. By hand."""
    plain: float = 2.0
    """Log-odds against one plain thing on all of a sheet that is in sight. By hand."""
    shades: tuple[float, float, int] = (-2.0, 0.4, 7)
    """Brightness of the light on a whole sheet against that on the board at large: from, to, and in how many steps.
    By hand."""
    shade: float = 0.8
    """How that spreads, one sigma. By hand."""


TURNS = TurnSettings()


@dataclass(frozen=True, eq=False)
class TurnMarks:
    """Where a sheet is looked at."""

    places: Numbers
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

    def __init__(self, board: Board, plane: BoardPlane, clear: float, settings: TurnSettings = TURNS) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.settings, self.tones = settings, ToneLikelihoods(settings)
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
            differs = covered & (np.ptp(_tones(colours), axis=0) > settings.differing)
            places = np.flatnonzero(differs)
            places = places[:: max(1, len(places) // settings.most_places)]
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
            seen = (off < self.settings.tint**2) | (added(looks) / 3 < self.settings.black)
            if seen.sum() < self.settings.least_places:
                result[name] = (0.0,) * len(marks.tones)
                continue
            tones, share = _tones(looks), float(seen.mean())
            told = _level(np.vstack([tones, marks.tones]) * seen, marks.falls_off * seen[:, None])
            alike = np.clip(told[1:] @ told[0], 0.0, CLOSEST)
            fits = self.tones.of(tones[seen], marks.tones[:, seen], share)
            fits -= 0.5 * self.settings.independent * share * np.log1p(-(alike**2))
            result[name] = tuple((fits - fits.max()).tolist())
        return result


class ToneLikelihoods:
    """How likely it is that places are so much brighter or darker than they are printed."""

    def __init__(self, settings: TurnSettings = TURNS) -> None:
        self.settings, self._table = settings, _table(settings)

    def of(self, tones: Floats, printed: Floats, share: float) -> Floats:
        """Log-likelihoods of positions by the tones of places (positions, places), some of which are in shadow or
        shine; `share`: how many of all places these are."""
        settings, every = self.settings, np.linspace(*self.settings.shades)
        told = self._mean(_steps(tones - printed) - _steps(every)[:, None, None]) * settings.witnesses * share
        plain = self._mean(_steps(tones - np.median(tones))) * settings.witnesses * share - settings.plain
        shaded = np.logaddexp.reduce(told - (every[:, None] / settings.shade) ** 2 / 2, axis=0)
        return np.asarray(np.logaddexp(shaded, plain))

    def _mean(self, steps: Numbers) -> Floats:
        return np.asarray(self._table.take(steps + len(self._table) // 2, mode="clip").mean(axis=-1))


def _table(settings: TurnSettings) -> Floats:
    """Log-likelihoods of how much brighter a place is than it is printed, in fine steps from the darkest."""
    off, noise, deep, bright = (
        np.arange(-FARTHEST, FARTHEST + FINE, FINE),
        settings.noise,
        settings.deep,
        settings.bright,
    )
    fair = np.exp(-(off**2) / 2 / noise**2) / noise / np.sqrt(2 * np.pi)
    shaded, shiny = np.exp(np.minimum(off, 0) / deep) / deep, np.exp(-np.maximum(off, 0) / bright) / bright
    usual = 1 - settings.shaded - settings.shiny
    told = usual * fair + settings.shaded * shaded * (off < 0) + settings.shiny * shiny * (off > 0)
    return np.asarray(np.log(told + settings.anything))


def _steps(off: Floats) -> Numbers:
    return np.rint(off / FINE).astype(np.intp)


def _level(tones: Floats, falls_off: Floats) -> Floats:
    """Rows of tones without what even light, more on one side, would explain; each of length 1."""
    normal = falls_off.T @ falls_off + 1e-9 * np.eye(3)  # what is in sight may lie in one line
    explained = np.linalg.solve(normal, falls_off.T @ tones.T)
    rest = tones - (falls_off @ explained).T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9))


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(added(colours) / 3 + 0.01), dtype=float)
