"""Light as numbers: linear blue-green-red in 0…1, as OpenCV orders it."""

from __future__ import annotations

from functools import cache
from math import log

import numpy as np
from numpy.typing import NDArray

Bgr = NDArray[np.float32]
"""Three planes: (3, height, width)."""
Triple = tuple[float, float, float]


def linear(coded: NDArray[np.floating]) -> NDArray[np.floating]:
    """sRGB values in 0…1 as amounts of light."""
    low, high = coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4
    return np.where(coded <= 0.04045, low, high)


def coded(light: NDArray[np.floating]) -> NDArray[np.floating]:
    """Amounts of light in 0…1 as sRGB values."""
    light = np.clip(light, 0, 1)
    return np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)


def planes(colour: Triple) -> Bgr:
    """A colour in a shape that can be multiplied with planes."""
    return np.array(colour, np.float32)[:, None, None]


@cache
def paint(colour: str) -> Triple:
    """The linear blue, green and red of `#rrggbb`."""
    values = linear(np.array([int(colour[k : k + 2], 16) for k in (5, 3, 1)]) / 255)
    return (float(values[0]), float(values[1]), float(values[2]))


@cache
def black_body(kelvin: float) -> Triple:
    """The colour of a lamp of this temperature, green being 1 (a well-known fit to Planck's curve)."""
    hundreds = kelvin / 100
    red = 255.0 if hundreds <= 66 else 329.7 * (hundreds - 60) ** -0.1332
    green = 99.47 * log(hundreds) - 161.12 if hundreds <= 66 else 288.12 * (hundreds - 60) ** -0.0755
    blue = 255.0 if hundreds >= 66 else (138.52 * log(hundreds - 10) - 305.04 if hundreds > 19 else 1.0)
    values = linear(np.clip([blue, green, red], 1, 255) / 255)
    return (float(values[0] / values[1]), 1.0, float(values[2] / values[1]))
