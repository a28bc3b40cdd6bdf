"""What the board lies on: wood, cloth or a plain top, made from a seed. One pixel per mm, repeated as in mirrors
without end."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from hardware.virtual.painting.colour import Bgr, paint
from hardware.virtual.scene import TableTop

SIZE = 1200
"""Size of the pattern, pixels; beyond it the pattern is mirrored."""


PATTERNS = 4
"""Patterns of each kind; each scene lays one of them down at its own angle."""


@lru_cache(maxsize=3 * PATTERNS)
def pattern(kind: str, number: int) -> NDArray[np.float32]:
    """How bright each place is, around 1: (SIZE, SIZE), looked up by pixel."""
    return {"wood": _wood, "cloth": _cloth, "plain": _plain}[kind](np.random.default_rng([number, 7]))


def coloured(table: TableTop, shade: NDArray[np.float32]) -> Bgr:
    """Brightness as colour. Where wood is darker it is also redder, as resin is."""
    warmth = np.float32(0.2 if table.kind == "wood" else 0.0) * (shade - 1)
    blue, green, red = paint(table.colour)
    return np.stack([blue * shade * (1 + warmth), green * shade, red * shade * (1 - warmth)]).astype(np.float32)


def _noise(random: np.random.Generator, across: int, down: int) -> NDArray[np.float32]:
    """Smooth noise about zero with this many bumps each way."""
    rough = random.standard_normal((down + 3, across + 3)).astype(np.float32)
    return np.asarray(cv2.resize(rough, (SIZE, SIZE), interpolation=cv2.INTER_CUBIC), np.float32)


def _wood(random: np.random.Generator) -> NDArray[np.float32]:
    plank = int(random.integers(90, 190))
    across = np.arange(SIZE, dtype=np.float32)[:, None]
    number = (across // plank).astype(int)
    count = SIZE // plank + 1
    slope = random.uniform(-0.01, 0.01, count)[number]
    along = np.arange(SIZE, dtype=np.float32)[None, :]
    bent = across + slope * along + 5 * _noise(random, 4, 10) + 1.2 * _noise(random, 12, 40)
    rings = 0.6 + 0.4 * np.sin(bent * (2 * np.pi / random.uniform(7, 16)) + 2.0 * np.sin(bent / 37))
    fibre = _noise(random, 30, SIZE // 2)
    tone = random.uniform(0.85, 1.12, count)[number]
    shade = tone * (1 - 0.22 * rings - 0.03 * fibre + 0.05 * _noise(random, 5, 8))
    joint = np.minimum(across % plank, plank - across % plank)
    return np.asarray(np.clip(shade * (1 - 0.55 * np.exp(-((joint / 0.9) ** 2))), 0.1, 1.5), np.float32)


def _cloth(random: np.random.Generator) -> NDArray[np.float32]:
    x = np.arange(SIZE, dtype=np.float32)
    weave = 0.05 * (np.sin(x * 2.1)[:, None] + np.sin(x * 2.3)[None, :])
    folds = 0.07 * _noise(random, 3, 4)
    speckle = 0.03 * random.standard_normal((SIZE, SIZE))
    return np.asarray(np.clip(1 + weave + folds + speckle, 0.3, 1.6), np.float32)


def _plain(random: np.random.Generator) -> NDArray[np.float32]:
    return np.asarray(
        np.clip(1 + 0.03 * _noise(random, 4, 4) + 0.012 * random.standard_normal((SIZE, SIZE)), 0.5, 1.5), np.float32
    )
