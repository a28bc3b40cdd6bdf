"""How every turnable sheet lies, from its printed marks."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.board import Board
from vision.frame import Floats
from vision.scenery import Map, Mask, Scenery

TONE = 0.45
"""Log brightness: how far a printed tone usually is from what is seen, shadows and pieces apart."""
WORST = 2.0
"""A place that fits worse than so many TONEs counts as that: something lies on it."""
INDEPENDENT = 90.0
"""As how many independent places all marks of one sheet count."""


class TurnReader:
    """Compares brightness with the art of each position, only where the positions differ."""

    def __init__(self, board: Board, scenery: Scenery, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.sheets: dict[str, tuple[Mask, Floats]] = {}
        for sheet in board.turnable:
            pieces = scenery.sheets[sheet.name]
            brightness = np.zeros((sheet.turns, *scenery.size[::-1]), dtype=np.float32)
            covered = np.ones(scenery.size[::-1], dtype=bool)
            for turn, piece in enumerate(pieces):
                whole = np.zeros(scenery.size[::-1], dtype=np.float32)
                piece.of(whole)[...] = np.log(piece.colours.mean(axis=2) + 0.01)
                cover = np.zeros(scenery.size[::-1], dtype=np.float32)
                piece.of(cover)[...] = piece.cover
                brightness[turn] = whole
                covered &= cover > 0.95
            differs = covered & (np.ptp(brightness, axis=0) > 0.5)
            for site in board.sites.values():
                if site.sheet == sheet.name:
                    x, y = scenery.to_flat(np.array(site.at))
                    rows, columns = np.ogrid[: scenery.size[1], : scenery.size[0]]
                    differs &= (columns - x) ** 2 + (rows - y) ** 2 > clear**2
            self.sheets[sheet.name] = (differs, brightness[:, differs].astype(float))

    def read(self, flat: Map, level: Floats, unusable: Mask) -> Mapping[str, tuple[float, ...]]:
        """Log-likelihoods of every sheet's positions. `flat` is linear, `level` the log brightness of white."""
        seen = np.log(flat.mean(axis=2) + 1e-4) - level
        result = {}
        for name, (differs, expected) in self.sheets.items():
            use = ~unusable[differs]
            share = use.mean() if len(use) else 0.0
            if share < 0.05:
                result[name] = (0.0,) * len(expected)
                continue
            miss = (seen[differs][use] - expected[:, use]) / TONE
            miss -= np.clip(np.median(miss, axis=1, keepdims=True), -2.0, 1.0)
            cost = np.minimum(miss**2, WORST**2).mean(axis=1)
            result[name] = tuple((-0.5 * INDEPENDENT * share * (cost - cost.min())).tolist())
        return result
