"""Colours as numbers: linear light, the codes of a balanced picture, and shares of blue, green and red."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from vision.frame import Floats, Map


def _srgb_to_linear(value: Floats) -> Floats:
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


TO_LINEAR: Map = _srgb_to_linear(np.arange(256) / 255).astype(np.float32)
"""Linear light of the 256 values of a picture, insofar as it is sRGB."""
FAINTEST = 1e-4
"""Share of white below which nothing is distinguished (a third of the darkest value of a picture other than black)."""
LOGS: Floats = np.log(TO_LINEAR.astype(float) + FAINTEST)
"""Log of the linear light of the 256 values of a picture."""
CLIPPED = 250
"""Value of a picture that stands for this much or more: what a camera's curve makes of the last few is unknown."""
BRIGHTEST = 2.0
"""Largest reflectance that a balanced picture can show, white being 1; glare can be brighter than paper."""
FROM_CODE: Map = ((np.arange(256) / 255) ** 2 * BRIGHTEST).astype(np.float32)
"""Reflectances of the 256 values of a balanced picture: coded as square roots, so that dark tones keep their detail."""
FLOOR = 0.012
"""Share of white that stray light and noise add to every colour; it keeps the colour of black from meaning anything."""


def linear(colour: str) -> Floats:
    """A colour `#rrggbb` as linear blue, green, red."""
    return np.asarray(TO_LINEAR[[int(colour[place : place + 2], 16) for place in (5, 3, 1)]], dtype=float)


def chroma(reflectance: npt.NDArray[np.floating]) -> Floats:
    """Shares of blue, green and red; the same in shadow and in light."""
    lifted = reflectance + FLOOR
    return np.asarray(lifted / added(lifted)[..., None], dtype=float)


def added(colours: npt.NDArray[np.floating]) -> Floats:
    """Blue, green and red added up; many times faster than a sum over such a short axis."""
    return np.asarray(colours @ np.ones(3, colours.dtype))
