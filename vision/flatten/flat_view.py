"""Where things of a certain height appear in the flat picture: seen from one eye, with the lens out of the way."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import numpy.typing as npt

from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import FLOOR, FROM_CODE, added, chroma
from vision.frame import Floats, Image, Map, Mask, Numbers

TINT = 0.085
"""How far printed ground may be from its own colour, in shares of blue, green and red."""
TABLE = 0.1
"""Share of what is seen around the board that must have a label for it to be the table's."""
ENOUGH_TABLE = 2000
"""How many pixels of the table are enough to tell its colour."""
LIKE_TABLE = 0.12
"""How far a pixel of the table may be from the table's usual colour, in shares of blue, green and red."""
ACROSS = 100.0
"""Millimetres: the scale on which tints change across a mat."""
OFF_MAT, REFITS = 0.3, 4
"""Log tint farther than which from the mat's something lies there; and how often it is fitted again without that."""
BRIGHTER, DARKER = 1.7, 0.2
"""Glare and shadow on the print, as factors."""
_REFLECTANCE: Floats = FROM_CODE.astype(float)


@dataclass(frozen=True, eq=False)
class FlatView:
    """The flat picture of one look: coded reflectances, the eye above it and what the empty board would show."""

    codes: Image
    eye: Floats
    plane: BoardPlane
    turns: tuple[int, ...]
    """Positions of the turnable sheets."""
    sites: Floats
    """Where the board's sites are (n, 2): they move with a sheet that is off its exact position."""
    doubt: float = 0.0
    """How uncertain (relative, one sigma) the eye's height is: from straight above, an unknown lens leaves it open."""

    @cached_property
    def packed(self) -> npt.NDArray[np.uint16]:
        """The colours of all pixels, counted row by row, in 5, 6 and 5 bits."""
        return np.asarray(cv2.cvtColor(self.codes, cv2.COLOR_BGR2BGR565), np.uint8).view(np.uint16).reshape(-1)

    def showing(self, pattern: Floats, at: Floats, angles: Floats, z: float) -> Numbers:
        """Where a flat pattern of points (p, 2) appears whose middle is at these places (n, 2) at this height, turned
        by these angles (n): the pixels (n, p), counted row by row."""
        by = float(self.magnify(z)) * self.plane.px_per_mm
        c, s = by * np.cos(np.radians(angles)), by * np.sin(np.radians(angles))
        middles = self.plane.to_flat(self.appear(at, z)).astype(np.float32)
        found = []
        for axis, turn in enumerate((np.stack([c, -s], axis=1), np.stack([s, c], axis=1))):
            seen = turn.astype(np.float32) @ pattern.T.astype(np.float32) + middles[:, axis, None]
            np.rint(seen, out=seen)
            found.append(np.clip(seen, 0, self.plane.size[axis] - 1, out=seen).astype(np.int32))
        return np.asarray(found[0] + self.plane.size[0] * found[1], np.intp)

    def magnify(self, z: Floats | float) -> Floats:
        """How much larger a horizontal thing at height z appears than on the sheets: closer things look larger."""
        up = self.eye[2] - self.plane.level
        return np.asarray(up / np.maximum(self.eye[2] - np.asarray(z, dtype=float), 1.0))

    def appear(self, places: Floats, z: Floats | float) -> Floats:
        """Where on the plane of the sheets places (…, 2) at heights z (…) appear; millimetres."""
        by = self.magnify(z)[..., None]
        return np.asarray(self.eye[:2] + (np.asarray(places, dtype=float) - self.eye[:2]) * by)

    def stand(self, seen: Floats, z: Floats | float) -> Floats:
        """The inverse: the places at height z that appear there on the plane of the sheets."""
        return np.asarray(self.eye[:2] + (seen - self.eye[:2]) / self.magnify(z)[..., None])

    def towards(self, seen: Floats) -> Floats:
        """Unit vectors from places on the plane to the point below the eye."""
        way = self.eye[:2] - seen
        return np.asarray(way / np.maximum(np.linalg.norm(way, axis=-1, keepdims=True), 1e-6))

    def lean(self, seen: Floats) -> Floats:
        """How far an upright thing seems to lean away per millimetre of height: the tangent of the viewing angle."""
        return np.asarray(np.linalg.norm(self.leaning(seen), axis=-1))

    def leaning(self, seen: Floats) -> Floats:
        """The same as a vector."""
        return np.asarray((seen - self.eye[:2]) / (self.eye[2] - self.plane.level))

    def pixels(self, seen: Floats) -> tuple[Floats, Floats]:
        """The nearest rows and columns to places on the plane, clipped to the picture."""
        rows, columns = np.divmod(self.plane.numbers(seen), self.plane.size[0])
        return rows, columns

    def looks(self, seen: Floats) -> Floats:
        """Reflectances (…, 3) at places on the plane."""
        return np.asarray(_REFLECTANCE.take(self.codes.reshape(-1, 3).take(self.plane.numbers(seen), axis=0)))

    def ground(self, seen: Floats) -> Floats:
        """The print expected at places on the plane; that of the base, which is lower, appears a little farther off."""
        farther = np.where(self.plane.raised.ravel().take(self.plane.numbers(seen)), 1.0, self._below)
        places = self.plane.numbers(self.eye[:2] + (seen - self.eye[:2]) * farther[..., None])
        return np.asarray(self.expected.reshape(-1, 3).take(places, axis=0), dtype=float)

    def without_table(self, labels: Image, near: Image | None = None) -> Image:
        """Labels of colours, without those of pixels that may be the table round the board; only what is `near`
        matters."""
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
            # Shares of blue, green and red as in `chroma`, multiplied out because there are many pixels.
            like = added((seen - whole[:, None] * usual) ** 2) < (LIKE_TABLE * whole) ** 2
            kept.ravel()[pixels[like]] = 0
        return kept

    @cached_property
    def expected(self) -> Map:
        """Linear colours that the empty board would show."""
        return self.plane.expected(self.turns)

    @property
    def print_codes(self) -> Image:
        """The same, coded as the flat picture is."""
        return self.plane.print_codes(self.turns)

    @cached_property
    def _below(self) -> float:
        return float(self.eye[2] / (self.eye[2] - self.plane.level))


def circle(count: int) -> Floats:
    """This many unit vectors, all the way round."""
    turns = np.arange(count) * 2 * np.pi / count
    return np.stack([np.cos(turns), np.sin(turns)], axis=-1)


def looks_printed(seen: npt.NDArray[np.floating], expected: npt.NDArray[np.floating]) -> Mask:
    """Which looks may be the expected print, lit or in shadow: of its colour, hardly brighter, not much darker."""
    tint = added((chroma(seen) - chroma(expected)) ** 2)
    shade = (added(seen) + 3 * FLOOR) / (added(expected) + 3 * FLOOR)
    return np.asarray((tint < TINT**2) & (shade < BRIGHTER) & (shade > DARKER))


def tints_across(at: Floats, view: FlatView) -> Floats:
    """How blue, green and red the mat itself appears at each of these places (n, 2), where lamps of two colours tint it
    more and more from one side to the other. What lies on some of them is left out."""
    logs = np.log((view.looks(at) + FLOOR) / (view.ground(at) + FLOOR))
    logs -= logs.mean(axis=1, keepdims=True)
    across = np.column_stack([np.ones(len(at)), at / ACROSS])
    fitted = np.broadcast_to(np.median(logs, axis=0), logs.shape)
    for _ in range(REFITS):
        is_mat = np.abs(logs - fitted).max(axis=1) < OFF_MAT
        if is_mat.sum() < len(at) / 3:
            break
        fitted = across @ np.linalg.lstsq(across[is_mat], logs[is_mat], rcond=None)[0]
    tints = np.exp(fitted)
    return np.asarray(tints / tints.mean(axis=1, keepdims=True))


def tint_of(at: Floats, view: FlatView) -> Floats:
    """How blue, green and red the mat itself appears: where a lamp outshines the camera's blue, the whole mat is
    tinted, and most of these places (n, 2) show nothing else."""
    tint = np.median((view.looks(at) + FLOOR) / (view.ground(at) + FLOOR), axis=0)
    return np.asarray(tint / tint.mean())
