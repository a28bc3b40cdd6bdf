"""What the camera shows of each site, cut out of the flat picture: at the height of the board and at those of the tops
that may be there, turned so that the camera is always on the same side."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.flat_view import FlatView
from vision.frame import Floats, Image

SIDE, STEP = 48, 1.2
"""Pixels of a view each way, and millimetres from one to the next."""
PLANES = 4
"""Heights at which it is cut: the board's, and those of markers on one, two and three stones."""
CHANNELS = 3 * PLANES + 3 + 2
"""Colours at these heights, the print, how far the view leans and how sure the camera's height is."""
_OFF = (np.arange(SIDE) - (SIDE - 1) / 2) * STEP
_ACROSS, _TOWARDS = np.meshgrid(_OFF, _OFF)


def site_views(view: FlatView, sites: Floats, heights: Floats) -> Image:
    """(n, SIDE, SIDE, colours): what is seen at these heights above the board (millimetres), and the print."""
    towards = view.towards(sites)
    right = np.stack([-towards[:, 1], towards[:, 0]], axis=-1)
    places = (
        sites[:, None, None] + _ACROSS[..., None] * right[:, None, None] + _TOWARDS[..., None] * towards[:, None, None]
    )
    cut = [_cut(view.codes, view, view.appear(places, view.plane.level + z)) for z in (0.0, *heights)]
    return np.concatenate([*cut, _cut(view.print_codes, view, places)], axis=-1)


def site_angles(view: FlatView, sites: Floats) -> npt.NDArray[np.float32]:
    """(n, 2): how far the view leans at each site, and how sure the camera's height is."""
    return np.stack([view.lean(sites), np.full(len(sites), view.doubt)], axis=-1).astype(np.float32)


def _cut(picture: Image, view: FlatView, places: Floats) -> Image:
    x, y = np.moveaxis(view.plane.to_flat(places).astype(np.float32).reshape(-1, SIDE, 2), -1, 0)
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(seen, np.uint8).reshape(len(places), SIDE, SIDE, 3)
