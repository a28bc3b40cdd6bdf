"""How well a pixel goes with each of the colours that a set of cards is printed in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.colour import FROM_CODE, chroma, linear
from vision.frame import Image, Mask
from vision.readers.palette import HANDS

Scores = npt.NDArray[np.float32]
Packed = npt.NDArray[np.uint16]
"""Colours in 5, 6 and 5 bits."""

SHADES = (0.18, 0.26, 0.37, 0.52, 0.72, 1.0, 1.35)
"""Of full light: how dark shadow may make a print, and how bright glare."""
SHADED = 0.5
"""Log-likelihood that each halving of the light costs: cards lie in the same light as the mat, or in shadow."""
PALER, PALEST = (0.0, 0.12, 0.25, 0.4), (0.0, 0.06, 0.12)
"""Share of white in what is seen of a colour, and of what has none: lettering, the bare card beside it, gloss."""
PALED = 2.0
"""Log-likelihood that nothing but white would cost."""
WHITE = 0.85
"""Of white: what it is mixed with."""
COLOURED = 0.12
"""How far from grey, in shares of blue, green and red, a colour is one."""
SPREAD = 0.055
"""Of the root of a reflectance, one sigma: what blur, noise and an eye that mistakes the light leave."""
HANDLIKE = 0.8
"""By so much must a hand be likelier for a pixel to show rather that: brown skin is a red print in the shade."""
STRANGE = -4.5
"""Log-likelihood from which a pixel may as well show anything else: a hand, another card's edge, a shadow's rim."""


class Inks:
    """The colours of a print, by number."""

    def __init__(self, colours: Sequence[str]) -> None:
        self.colours = tuple(colours)
        self._table = _table(self.colours)

    def scores(self, packed: Packed) -> Scores:
        """For colours (…) in 5, 6 and 5 bits the log-likelihood of each ink (…, n), none below STRANGE."""
        return np.asarray(self._table.take(packed, axis=0), np.float32)

    def tell(self, packed: Packed) -> Mask:
        """Which colours are likelier to be one of the inks than anything strange."""
        return np.asarray(self._labels.take(packed) > 0)

    def labels(self, codes: Image) -> npt.NDArray[np.uint8]:
        """For every pixel of a picture the number of the likeliest colour, from 1; 0 where it has none of them."""
        packed = np.asarray(cv2.cvtColor(codes, cv2.COLOR_BGR2BGR565), np.uint8).view(np.uint16)[..., 0]
        return np.asarray(self._labels.take(packed), np.uint8)

    @property
    def _labels(self) -> npt.NDArray[np.uint8]:
        return _labels(self.colours)


@lru_cache(maxsize=8)
def _table(colours: tuple[str, ...]) -> Scores:
    """The scores of every colour of 5, 6 and 5 bits."""
    packed = np.arange(65536)
    codes = np.stack([(packed & 31) * 8 + 4, (packed >> 5 & 63) * 4 + 2, (packed >> 11) * 8 + 4], axis=1)
    roots = np.sqrt(FROM_CODE[codes])
    table = np.full((65536, len(colours)), STRANGE, np.float32)
    for number, colour in enumerate(colours):
        own = linear(colour)
        coloured = np.linalg.norm(chroma(own) - 1 / 3) > COLOURED
        for shade, pale in product(SHADES, PALER if coloured else PALEST):
            seen = np.sqrt(shade * ((1 - pale) * own + pale * WHITE)).astype(np.float32)
            off = ((roots - seen) ** 2) @ np.ones(3, np.float32)
            cost = SHADED * abs(np.log2(shade)) + PALED * pale
            np.maximum(table[:, number], -off / (2 * SPREAD**2) - cost, out=table[:, number])
    hands = np.full(65536, -np.inf, np.float32)
    for skin, shade in product(HANDS, SHADES[1:]):
        off = ((roots - np.sqrt(shade * skin).astype(np.float32)) ** 2) @ np.ones(3, np.float32)
        np.maximum(hands, -off / (2 * SPREAD**2) - SHADED * abs(np.log2(shade)), out=hands)
    table[hands[:, None] > table + HANDLIKE] = STRANGE
    return table


@lru_cache(maxsize=8)
def _labels(colours: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    table = _table(colours)
    return np.where(table.max(axis=1) > STRANGE, table.argmax(axis=1) + 1, 0).astype(np.uint8)
