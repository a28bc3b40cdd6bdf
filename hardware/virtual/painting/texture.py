"""A sheet's picture as light."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hardware.printing.raster import SheetPicture
from hardware.virtual.painting.colour import linear

Texture = NDArray[np.float32]
"""(height, width, 4), linear blue, green and red times alpha, and alpha; in 0…1."""

INK, PAPER = 0.035, 0.88
"""Share of the light that the blackest and the whitest print reflect."""


def texture(picture: SheetPicture) -> Texture:
    """A picture as light, its colours weighted by alpha, so that it may be scaled and turned."""
    # No ink absorbs all light and no paper reflects all of it.
    table = (INK + (PAPER - INK) * linear(np.arange(256) / 255)).astype(np.float32)
    alpha = picture[..., 3:].astype(np.float32) / 255
    return np.concatenate([table[picture[..., :3]] * alpha, alpha], axis=2)
