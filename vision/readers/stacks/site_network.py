"""What stands on a site, told by a small neural network that was trained on many tables (see `firmware.training`)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.flatten.flat_view import FlatView
from vision.frame import Floats
from vision.readers.stacks.site_views import SIDE, site_angles, site_views

WEIGHTS = Path(__file__).with_name("sites.onnx")
KINDS = ("", "bare", "red", "yellow", "green", "blue")
"""What it tells apart, in this order; after these comes what is covered by something that is no piece."""
LEVELS = 6
"""Stones of the highest stack that it knows."""


@dataclass(frozen=True, eq=False)
class SiteOdds:
    """Probabilities, a row for each site."""

    kinds: Floats
    """As in `KINDS`."""
    covered: Floats
    levels: Floats
    """Of one stone, two stones and so on, if there are any."""


class SiteNetwork:
    """Looks at sites one by one, all at once."""

    def __init__(self, heights: Floats) -> None:
        """`heights`: of the tops of markers on one, two and three stones, millimetres above the board."""
        self._heights = heights
        self._net = cv2.dnn.readNetFromONNX(str(WEIGHTS))

    def tell(self, view: FlatView, sites: Floats) -> SiteOdds:
        """What is on these sites (n, 2)."""
        if not len(sites):
            return SiteOdds(np.zeros((0, len(KINDS))), np.zeros(0), np.zeros((0, LEVELS)))
        seen = site_views(view, sites, self._heights)
        shown = np.empty((len(sites), seen.shape[-1] + 2, SIDE, SIDE), np.float32)
        np.multiply(seen.transpose(0, 3, 1, 2), np.float32(1 / 255), out=shown[:, :-2])
        shown[:, -2:] = site_angles(view, sites)[..., None, None]
        self._net.setInput(shown)
        told = np.asarray(self._net.forward(), float)
        kinds = _shares(told[:, : len(KINDS) + 1])
        return SiteOdds(kinds[:, :-1], kinds[:, -1], _shares(told[:, len(KINDS) + 1 :]))


def _shares(logits: Floats) -> Floats:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))
