"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.frame import Floats, Image
from vision.light import FROM_CODE, chroma
from vision.scenery import PX_PER_MM, Scenery

TONE = 0.45
"""Log brightness: how far a printed tone usually is from what is seen, shadows and pieces apart."""
WORST = 2.0
"""A place that fits worse than so many TONEs counts as that: something lies on it."""
INDEPENDENT = 90.0
"""As how many independent places all marks of one sheet count."""
TINT = 0.09
"""How far, in shares of blue, green and red, print may be off its own colour; what is farther off lies on it."""
BLACK = 0.01
"""Of white: what is darker has no colour by which it could be told."""
LEAST = 20
"""Places that must be in sight if anything is to be said."""
MOST = 600
"""Pixels of a sheet that are looked at."""


class TurnReader:
    """Compares brightness with the art of each position, only where the positions differ."""

    def __init__(self, board: Board, scenery: Scenery, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.sheets: dict[str, tuple[npt.NDArray[np.intp], Floats, Floats]] = {}
        """For every sheet the places that are looked at, and for each of its positions their tones and tints."""
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
            self.sheets[sheet.name] = (places, _tones(looked_at), chroma(looked_at))

    def read(self, codes: Image) -> Mapping[str, tuple[float, ...]]:
        """Log-likelihoods of every sheet's positions from a balanced flat picture."""
        flat = codes.reshape(-1, 3)
        result = {}
        for name, (places, tones, tints) in self.sheets.items():
            looks = FROM_CODE[flat[places]].astype(float)
            off = ((chroma(looks) - tints) ** 2).sum(axis=-1).min(axis=0)
            seen = (off < TINT**2) | (looks.mean(axis=1) < BLACK)
            if seen.sum() < LEAST:
                result[name] = (0.0,) * len(tones)
                continue
            miss = (_tones(looks[seen]) - tones[:, seen]) / TONE
            miss -= np.clip(np.median(miss, axis=1, keepdims=True), -2.0, 1.0)
            cost = np.minimum(miss**2, WORST**2).sum(axis=1) / len(places)
            result[name] = tuple((-0.5 * INDEPENDENT * (cost - cost.min())).tolist())
        return result


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(colours.mean(axis=-1) + 0.01), dtype=float)
