"""How well a pixel matches each of the colours that a set of cards is printed in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.colour import FLOOR, FROM_CODE, added, chroma, linear
from vision.frame import Image, Mask
from vision.readers.cards.settings import INKS
from vision.readers.palette import HANDS

Scores = npt.NDArray[np.float32]
Packed = npt.NDArray[np.uint16]
"""Colours in 5, 6 and 5 bits."""


class Inks:
    """The colours of a print, by number."""

    def __init__(self, colours: Sequence[str]) -> None:
        self.colours = tuple(colours)
        self._table = _table(self.colours)

    def scores(self, packed: Packed) -> Scores:
        """For colours (…) in 5, 6 and 5 bits the log-likelihood of each ink (…, n), none below `strange`."""
        return np.asarray(self._table.take(packed, axis=0), np.float32)

    def are_no_hand(self, packed: Packed) -> Mask:
        """Which colours are not likelier to be a hand's than any of the inks."""
        return np.asarray(_no_hands(self.colours).take(packed))

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
    likely = _inklike(colours)
    return np.where((_handlike() > likely + INKS.handlike), np.float32(INKS.strange), np.maximum(likely, INKS.strange))


@lru_cache(maxsize=8)
def _inklike(colours: tuple[str, ...]) -> Scores:
    """How likely every colour of 5, 6 and 5 bits is each ink."""
    roots = _roots()
    table = np.full((len(roots), len(colours)), -np.inf, np.float32)
    for number, colour in enumerate(colours):
        own = linear(colour)
        coloured = np.linalg.norm(chroma(own) - 1 / 3) > INKS.coloured
        for shade, pale in product(INKS.shades, INKS.paler if coloured else INKS.palest):
            seen = np.sqrt(shade * ((1 - pale) * own + pale * INKS.white)).astype(np.float32)
            off = ((roots - seen) ** 2) @ np.ones(3, np.float32)
            cost = INKS.shaded * abs(np.log2(shade)) + INKS.paled * pale
            np.maximum(table[:, number], -off / (2 * INKS.spread**2) - cost, out=table[:, number])
    return table


@lru_cache(maxsize=1)
def _handlike() -> Scores:
    """How likely it is a hand's (65536, 1)."""
    roots = _roots()
    hands = np.full(len(roots), -np.inf, np.float32)
    for skin, shade in product(HANDS, INKS.shades[1:]):
        off = ((roots - np.sqrt(shade * skin).astype(np.float32)) ** 2) @ np.ones(3, np.float32)
        np.maximum(hands, -off / (2 * INKS.spread**2) - INKS.shaded * abs(np.log2(shade)), out=hands)
    return hands[:, None]


@lru_cache(maxsize=8)
def _no_hands(colours: tuple[str, ...]) -> Mask:
    return np.asarray(_handlike()[:, 0] <= np.maximum(_inklike(colours).max(axis=1), INKS.strange) + INKS.handlike)


@lru_cache(maxsize=1)
def _roots() -> Scores:
    """The roots of the reflectances of every colour of 5, 6 and 5 bits."""
    packed = np.arange(65536)
    codes = np.stack([(packed & 31) * 8 + 4, (packed >> 5 & 63) * 4 + 2, (packed >> 11) * 8 + 4], axis=1)
    return np.asarray(np.sqrt(FROM_CODE[codes]), np.float32)


@lru_cache(maxsize=1)
def lights() -> Scores:
    """The log brightness of every colour of 5, 6 and 5 bits."""
    return np.log(added(_roots() ** 2) + FLOOR).astype(np.float32)


@lru_cache(maxsize=8)
def _labels(colours: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    table = _table(colours)
    return np.where(table.max(axis=1) > INKS.strange, table.argmax(axis=1) + 1, 0).astype(np.uint8)
