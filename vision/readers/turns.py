"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.frame import Floats, Image
from vision.light import FROM_CODE
from vision.scenery import PX_PER_MM, Scenery

TONE = 0.45
"""Log brightness: how far a printed tone usually is from what is seen, shadows and pieces apart."""
WORST = 2.0
"""A place that fits worse than so many TONEs counts as that: something lies on it."""
INDEPENDENT = 90.0
"""As how many independent places all marks of one sheet count."""
MOST = 600
"""Pixels of a sheet that are looked at."""


class TurnReader:
    """Compares brightness with the art of each position, only where the positions differ."""

    def __init__(self, board: Board, scenery: Scenery, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.sheets: dict[str, tuple[npt.NDArray[np.intp], Floats]] = {}
        shape = scenery.size[::-1]
        for sheet in board.turnable:
            tones = np.zeros((sheet.turns, *shape), dtype=np.float32)
            covered = np.ones(shape, dtype=bool)
            for turn, piece in enumerate(scenery.sheets[sheet.name]):
                piece.place(tones[turn])[...] = np.log(piece.colours.mean(axis=2) + 0.01)
                cover = np.zeros(shape, dtype=np.float32)
                piece.place(cover)[...] = piece.cover
                covered &= cover > 0.95
            differs = covered & (np.ptp(tones, axis=0) > 0.5)
            rows, columns = np.ogrid[: shape[0], : shape[1]]
            for site in board.sites.values():
                x, y = scenery.to_flat(np.array(site.at))
                differs &= (columns - x) ** 2 + (rows - y) ** 2 > (clear * PX_PER_MM) ** 2
            places = np.flatnonzero(differs)
            places = places[:: max(1, len(places) // MOST)]
            self.sheets[sheet.name] = (places, tones.reshape(sheet.turns, -1)[:, places].astype(float))

    def read(self, codes: Image) -> Mapping[str, tuple[float, ...]]:
        """Log-likelihoods of every sheet's positions from a balanced flat picture."""
        flat = codes.reshape(-1, 3)
        result = {}
        for name, (places, expected) in self.sheets.items():
            seen = np.log(FROM_CODE[flat[places]].mean(axis=1) + 0.01)
            miss = (seen - expected) / TONE
            miss -= np.clip(np.median(miss, axis=1, keepdims=True), -2.0, 1.0)
            cost = np.minimum(miss**2, WORST**2).mean(axis=1)
            result[name] = tuple((-0.5 * INDEPENDENT * (cost - cost.min())).tolist())
        return result
