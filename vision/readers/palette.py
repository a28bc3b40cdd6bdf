"""Which balanced pixels have a piece's colour: its paint, in any shade, with white gloss over it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board, Disc, Polygon
from vision.flatten.colour import FROM_CODE, added, chroma, linear
from vision.frame import Floats, Image, Mask
from vision.readers.paints import Paints, paints_of
from vision.readers.settings import PALETTE

HANDS = np.array([linear(skin) for skin in PALETTE.hands])
"""Hands, from light to dark."""
STONE = linear("#d9c7a3")
"""Plain wood."""
STRANGERS = np.concatenate([[STONE], HANDS])
"""What is never a marker: stones and hands."""


class Palette:
    """The colours by which a board's pieces are recognised; labels count from 1 in the order of `names`, and 0 is
    no piece's colour."""

    def __init__(self, board: Board, paints: Paints | None = None) -> None:
        """`paints`: colours of pieces that have been measured."""
        known = paints_of(board, paints)
        self.names: Sequence[str] = tuple(board.faces.tops)
        self.colours = np.array([known[name] for name in board.faces.tops.values()], dtype=float).reshape(-1, 3)
        fills = (shape.fill for sheet in board.sheets for shape in sheet.outline if isinstance(shape, Disc | Polygon))
        self._grounds = [linear(fill) for fill in fills if fill is not None]
        self._labels = self._table()

    def labels(self, codes: Image) -> Image:
        """For every pixel of a balanced picture, which colour it has."""
        packed = np.asarray(cv2.cvtColor(codes, cv2.COLOR_BGR2BGR565), dtype=np.uint8)
        return np.asarray(np.take(self._labels, packed.view(np.uint16)[..., 0]), dtype=np.uint8)

    def fits(self, looks: Floats) -> Floats:
        """How well looks (n, 3) match each colour, whatever else may look similar; 0 or less: not at all."""
        both = np.stack([self.colours, burnt(self.colours)])
        return np.asarray(
            mixtures(looks[:, None, None], both, np.array([[PALETTE.dimmest], [PALETTE.burnt_share]])).max(axis=1)
        )

    def _table(self) -> npt.NDArray[np.uint8]:
        """The label of each colour coded in 5, 6 and 5 bits."""
        if not len(self.names):
            return np.zeros(65536, dtype=np.uint8)
        looks, tints = _every_look()
        fits = self.fits(looks)
        fits[strange(looks)] = 0.0
        bright = added(looks)
        for ground in self._grounds:
            near = added((tints - chroma(ground)) ** 2) < PALETTE.strange**2
            fits[near & (bright < PALETTE.brightest_ground * ground.sum())] = 0.0
        return np.where(fits.max(axis=1) > 0, fits.argmax(axis=1) + 1, 0).astype(np.uint8)


@lru_cache(maxsize=1)
def _every_look() -> tuple[Floats, Floats]:
    """The reflectances (65536, 3) of every colour of 5, 6 and 5 bits, and their tints."""
    packed = np.arange(65536)
    codes = [(packed & 31) * 8 + 4, (packed >> 5 & 63) * 4 + 2, (packed >> 11) * 8 + 4]
    looks = FROM_CODE[np.stack(codes, axis=1)].astype(float)
    return looks, chroma(looks)


def strange(looks: Floats) -> Mask:
    """Which looks (n, 3) may be those of a stone or a hand."""
    tints = chroma(looks)
    near = [added((tints - stranger) ** 2) < PALETTE.strange**2 for stranger in chroma(STRANGERS)]
    return np.asarray(np.any(near, axis=0))


def off_hue(tints: Floats, colours: Floats) -> Floats:
    """How far tints (n, 3: shares of blue, green and red) are off the hues of colours (k, 3), radians (n, k)."""
    ways, hues = tints - 1 / 3, chroma(colours) - 1 / 3
    deep = np.linalg.norm(ways, axis=1)[:, None] * np.linalg.norm(hues, axis=1)
    return np.asarray(np.arccos(np.clip(ways @ hues.T / np.maximum(deep, 1e-9), -1.0, 1.0)))


def is_skin(looks: Floats, colour: Floats) -> bool:
    """Whether these looks (n, 3) have a hand's hue rather than this colour's: fingertips can be just as red."""
    off = off_hue(
        np.median(chroma(looks), axis=0)[None], np.concatenate([HANDS, colour ** np.array(PALETTE.own_light)[:, None]])
    )[0]
    return bool(off[: len(HANDS)].min() < off[len(HANDS) :].min() / 2)


def burnt(colours: Floats) -> Floats:
    """The colours as an overexposed picture shows them: the strongest channel cannot grow any more, the others do."""
    strongest = colours.max(axis=1, keepdims=True)
    return np.asarray(np.minimum(PALETTE.burnt * colours, strongest))


def mixtures(looks: Floats, colours: Floats, dimmest: Floats | float = PALETTE.dimmest) -> Floats:
    """How well looks match dimmed colours (both …, 3) plus white; 0 or less: not at all. `dimmest` (…): see DIMMEST."""
    tints = colours - colours.mean(axis=-1, keepdims=True)
    # A pale paint that is overexposed has no tint left at all, and says nothing.
    deep = np.maximum(np.linalg.norm(tints, axis=-1), 1e-6)
    along = tints / deep[..., None]
    across = np.cross(along, np.ones(3) / np.sqrt(3))
    share = added(looks * along) / deep
    gloss = added(looks) / 3 - share * colours.mean(axis=-1)
    lit = np.clip((share - PALETTE.shade) / (PALETTE.bright - PALETTE.shade), 0.0, 1.0)
    most = share * (PALETTE.gloss_in_shade + (PALETTE.gloss_in_light - PALETTE.gloss_in_shade) * lit) + PALETTE.noise
    off = np.abs(added(looks * across)) / (
        PALETTE.hue * share * deep + PALETTE.noise + PALETTE.gloss_tint * np.maximum(gloss, 0.0)
    )
    # Each term is 1 at its best and 0 at its limit; one below its limit rules the match out.
    fits = np.minimum(1 - off, (share - dimmest) / 0.1)
    return np.asarray(
        np.minimum(fits, np.minimum(1 - gloss / most, 1 + gloss / (PALETTE.deeper * share + PALETTE.noise)))
    )
