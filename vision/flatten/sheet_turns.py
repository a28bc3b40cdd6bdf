"""The position of every turnable sheet, from its printed marks."""

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
"""The highest correlation that tones can have: there is always some doubt. By hand."""
FINE, FARTHEST = 0.02, 8.0
"""Steps and range of the lookup table for log brightness."""


@dataclass(frozen=True, kw_only=True)
class TurnSettings:
    """Brightness is in logs, a tint in shares of blue, green and red. "By hand": a round number, not fitted to
    anything."""

    differing: float = 0.5
    """Brightness by which the print of two positions must differ for a place to be looked at. By hand."""
    most_places: int = 320
    """Pixels of a sheet that are looked at. By hand: more take time and add nothing."""
    least_places: int = 20
    """How many of these must be in sight for anything to be said. By hand."""
    tint: float = 0.09
    """How far print may be from its own tint; anything farther off must be lying on it. By hand."""
    black: float = 0.01
    """Share of white: anything darker has no usable tint. By hand."""
    independent: float = 45.0
    """How many independent places all marks of one sheet count as for the correlation of their tones … By hand."""
    witnesses: float = 12.0
    """… and for the tones themselves: their errors are of the same kind all over a sheet. By hand."""
    noise: float = 0.4
    """Brightness, one sigma, where the light is as on the board as a whole. By hand."""
    shaded: float = 0.3
    """Share of the places that are in the shadow of something, … By hand."""
    deep: float = 1.2
    """… and by how much that darkens them, on average. By hand."""
    shiny: float = 0.2
    """Share of the places that gloss and haze brighten, … By hand."""
    bright: float = 0.7
    """… and by how much. By hand."""
    anything: float = 1e-4
    """Probability density of anything else that a place may look like. By hand."""
    plain: float = 2.0
    """Log-odds against one plain thing covering all that can be seen of a sheet. By hand."""
    shades: tuple[float, float, int] = (-2.0, 0.4, 7)
    """Brightness of the light on a whole sheet compared with that on the board: from, to, and in how many steps.
    By hand."""
    shade: float = 0.8
    """Spread of that, one sigma. By hand."""


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
    """(places, 3): ways in which the light may change across the sheet."""


class SheetTurnReader:
    """Compares brightness with the art of each position, only where the positions differ, in two ways.

    How brightly the sheet is lit, how faint its print is in glare or shadow, and how the light falls off across it are
    not known, so what counts is how well the tones rise and fall together. And no print looks brighter than it is
    printed, however dark a shadow makes it: what looks bright is not black, though what looks black may be white.
    """

    def __init__(self, board: Board, plane: BoardPlane, clear: float, settings: TurnSettings = TURNS) -> None:
        """`clear`: the radius in millimetres round a site that pieces may cover and that is left out."""
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
        """Log-likelihoods of every sheet's positions from a balanced flat picture; `known` sheets are not looked at."""
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
    """How likely it is that places look this much brighter or darker than they are printed."""

    def __init__(self, settings: TurnSettings = TURNS) -> None:
        self.settings, self._table = settings, _table(settings)

    def of(self, tones: Floats, printed: Floats, share: float) -> Floats:
        """Log-likelihoods of positions by the tones of places (positions, places), some of which are in shadow or
        shine; `share`: what share of all places these are."""
        settings, every = self.settings, np.linspace(*self.settings.shades)
        told = self._mean(_steps(tones - printed) - _steps(every)[:, None, None]) * settings.witnesses * share
        plain = self._mean(_steps(tones - np.median(tones))) * settings.witnesses * share - settings.plain
        shaded = np.logaddexp.reduce(told - (every[:, None] / settings.shade) ** 2 / 2, axis=0)
        return np.asarray(np.logaddexp(shaded, plain))

    def _mean(self, steps: Numbers) -> Floats:
        return np.asarray(self._table.take(steps + len(self._table) // 2, mode="clip").mean(axis=-1))


def _table(settings: TurnSettings) -> Floats:
    """Log-likelihoods of how much brighter a place looks than it is printed, in fine steps from the darkest."""
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
    """Rows of tones without what even light, or light that falls off to one side, would explain; each of length 1."""
    normal = falls_off.T @ falls_off + 1e-9 * np.eye(3)  # all that is in sight may lie on one line
    explained = np.linalg.solve(normal, falls_off.T @ tones.T)
    rest = tones - (falls_off @ explained).T
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=1, keepdims=True), 1e-9))


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(added(colours) / 3 + 0.01), dtype=float)
