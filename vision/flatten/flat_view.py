"""Where things of a certain height appear in the flat picture: seen from one eye, no lens left to think of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import FLOOR, FROM_CODE, added, chroma
from vision.frame import Floats, Image, Map, Mask

TINT = 0.085
"""How far, in shares of blue, green and red, printed ground may be off its own colour."""
TABLE = 0.1
"""Share of what is seen about the board that must have a label if it is to be the table's."""
ENOUGH_TABLE = 2000
"""So many pixels of the table tell its colour."""
LIKE_TABLE = 0.12
"""How far, in shares of blue, green and red, a pixel of the table may be off the table's usual colour."""
BRIGHTER, DARKER = 1.7, 0.2
"""Glare and shadow on the print, as factors."""
_REFLECTANCE: Floats = FROM_CODE.astype(float)


@dataclass(frozen=True, eq=False)
class FlatView:
    """The flat picture of one look: coded reflectances, the eye above it, and what the empty board would show."""

    codes: Image
    eye: Floats
    plane: BoardPlane
    turns: tuple[int, ...]
    """Positions of the turnable sheets."""
    sites: Floats
    """Where the board's sites are (n, 2): they go with a sheet that lies off its exact position."""
    doubt: float = 0.0
    """How far off (relative, one sigma) the eye's height may be: from straight above an unknown lens leaves it open."""

    def magnify(self, z: Floats | float) -> Floats:
        """How much larger a horizontal thing at height z appears than on the sheets: nearer things look larger."""
        up = self.eye[2] - self.plane.level
        return np.asarray(up / np.maximum(self.eye[2] - np.asarray(z, dtype=float), 1.0))

    def appear(self, places: Floats, z: Floats | float) -> Floats:
        """Where, on the plane of the sheets, places (…, 2) at heights z (…) are seen; millimetres."""
        by = self.magnify(z)[..., None]
        return np.asarray(self.eye[:2] + (np.asarray(places, dtype=float) - self.eye[:2]) * by)

    def stand(self, seen: Floats, z: Floats | float) -> Floats:
        """The inverse: places at height z of what is seen there on the plane of the sheets."""
        return np.asarray(self.eye[:2] + (seen - self.eye[:2]) / self.magnify(z)[..., None])

    def towards(self, seen: Floats) -> Floats:
        """Unit vectors from places on the plane to the point below the eye."""
        way = self.eye[:2] - seen
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-6))

    def lean(self, seen: Floats) -> Floats:
        """How far, per millimetre of height, an upright thing is seen to lean away: the tangent of the view's angle."""
        return np.asarray(np.linalg.norm(self.leaning(seen), axis=-1))

    def leaning(self, seen: Floats) -> Floats:
        """That way itself, as a vector."""
        return np.asarray((seen - self.eye[:2]) / (self.eye[2] - self.plane.level))

    def pixels(self, seen: Floats) -> tuple[Floats, Floats]:
        """Nearest rows and columns of places on the plane, cut to the picture."""
        rows, columns = np.divmod(self.plane.numbers(seen), self.plane.size[0])
        return rows, columns

    def looks(self, seen: Floats) -> Floats:
        """Reflectances (…, 3) at places on the plane."""
        return np.asarray(_REFLECTANCE.take(self.codes.reshape(-1, 3).take(self.plane.numbers(seen), axis=0)))

    def ground(self, seen: Floats) -> Floats:
        """The print expected at places on the plane; that of the base, lower, is seen a little farther off."""
        farther = np.where(self.plane.raised.ravel().take(self.plane.numbers(seen)), 1.0, self._below)
        places = self.plane.numbers(self.eye[:2] + (seen - self.eye[:2]) * farther[..., None])
        return np.asarray(self.expected.reshape(-1, 3).take(places, axis=0), dtype=float)

    def without_table(self, labels: Image, near: Image | None = None) -> Image:
        """Labels of colours, without those of pixels that may be the table about the board; where it is not `near`,
        nobody asks."""
        outside, codes = self.plane.outside, self.codes.reshape(-1, 3)
        about = labels.ravel().take(outside)
        shares = np.bincount(about, minlength=256) / max(1, len(outside))
        common = np.flatnonzero(shares[1:] > TABLE) + 1
        if not len(common):
            return labels
        kept, beyond = labels.copy(), self.plane.beyond
        if near is not None:
            beyond = beyond[near.ravel().take(beyond) > 0]
        of_it = labels.ravel().take(beyond)
        for label in common:
            table, pixels = outside[about == label], beyond[of_it == label]
            some = table[:: max(1, len(table) // ENOUGH_TABLE)]
            usual = np.median(chroma(_REFLECTANCE[codes[some]]), axis=0).astype(np.float32)
            seen = FROM_CODE.take(codes.take(pixels, axis=0)) + np.float32(FLOOR)
            whole = added(seen)
            # Shares of blue, green and red as `chroma` has them, multiplied out: there are many pixels.
            like = added((seen - whole[:, None] * usual) ** 2) < (LIKE_TABLE * whole) ** 2
            kept.ravel()[pixels[like]] = 0
        return kept

    @cached_property
    def expected(self) -> Map:
        """Linear colours that the empty board would show."""
        return self.plane.expected(self.turns)

    @cached_property
    def _below(self) -> float:
        return float(self.eye[2] / (self.eye[2] - self.plane.level))


def circle(count: int) -> Floats:
    """So many unit vectors, all round."""
    turns = np.arange(count) * 2 * np.pi / count
    return np.stack([np.cos(turns), np.sin(turns)], axis=-1)


def looks_printed(seen: npt.NDArray[np.floating], expected: npt.NDArray[np.floating]) -> Mask:
    """Which looks may be the expected print, lit or in shadow: its colour, hardly brighter, not much darker."""
    tint = added((chroma(seen) - chroma(expected)) ** 2)
    shade = (added(seen) + 3 * FLOOR) / (added(expected) + 3 * FLOOR)
    return np.asarray((tint < TINT**2) & (shade < BRIGHTER) & (shade > DARKER))
