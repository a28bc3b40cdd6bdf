"""What moved between two pictures, site by site, so that the rest of the board can be read meanwhile."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from vision.frame import Image
from vision.scenery import CELL, PX_PER_MM, Scenery

Coarse = npt.NDArray[np.int16]

CHANGED = 14.0
"""Steps of 255 by which a cell of the balanced flat picture must differ: noise averages out below that."""
NOISY, LOUDEST = 5.0, 40.0
"""The same as a multiple of how much cells usually differ: in the dark a picture is noisier. But no noise is so loud as
the second: if most cells differ by much, it is another light or another place, and all must be read anew."""
NEAR = 26.0
"""Millimetres about a site in which motion counts as its own."""
MOVING, STILL = 0.12, 0.004
"""Of the cells about a site: so many have changed when something moves there, and fewer when nothing does."""


def coarse(codes: Image) -> Coarse:
    """A balanced flat picture cell by cell: what is kept of it to see what moves next."""
    half = cv2.resize(codes, None, fx=2 / CELL, fy=2 / CELL, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(half, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.int16)


def changes(board: Board, scenery: Scenery, before: Coarse, now: Coarse) -> dict[str, float]:
    """For every site how much of what is about it changed: a hand, its shadow, or a piece on its way."""
    if before.shape != now.shape:
        return dict.fromkeys(board.sites, 1.0)
    blue, green, red = cv2.split(cv2.absdiff(now, before))
    difference = cv2.max(cv2.max(blue, green), red)
    usual = np.partition(difference, difference.size // 2, axis=None)[difference.size // 2]
    noise = min(NOISY * float(usual), LOUDEST)
    changed = (difference > max(CHANGED, noise)).astype(np.float32)
    reach = round(NEAR * PX_PER_MM / CELL)
    about = np.asarray(cv2.blur(changed, (2 * reach + 1, 2 * reach + 1), borderType=cv2.BORDER_REPLICATE))
    height, width = about.shape
    places = np.rint((scenery.to_flat(np.array([site.at for site in board.sites.values()])) + 0.5) / CELL - 0.5)
    columns, rows = np.clip(places.astype(np.intp), 0, (width - 1, height - 1)).T
    return dict(zip(board.sites, about[rows, columns].tolist(), strict=True))


def moving_sites(shares: Mapping[str, float]) -> frozenset[str]:
    """Sites about which much changed."""
    return frozenset(site for site, share in shares.items() if share > MOVING)


def still_sites(shares: Mapping[str, float]) -> frozenset[str]:
    """Sites about which nothing changed."""
    return frozenset(site for site, share in shares.items() if share < STILL)


def is_still(shares: Mapping[str, float]) -> bool:
    """Whether so little changed anywhere that nothing can stand otherwise than before."""
    return all(share < STILL for share in shares.values())
