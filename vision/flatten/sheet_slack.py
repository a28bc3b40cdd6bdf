"""How far every turnable sheet is off its exact position: nobody turns a ring to the very degree.

The pieces move with the sheet, so its sites are looked for where it really lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.board import Board, Sheet
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import BRIGHTEST, FROM_CODE
from vision.flatten.sheet_art import SheetArt
from vision.flatten.sheet_turns import CLOSEST
from vision.frame import Floats, Image, Mask, Numbers

TONES = np.log(FROM_CODE.astype(float) + 0.03)
"""Log brightness of the values of a balanced picture, with the darkest about the same."""


@dataclass(frozen=True, kw_only=True)
class SlackSettings:
    """ "By hand": a round number, not fitted to anything."""

    farthest: float = 7.0
    """Degrees; a sheet farther off is on its way from one position to another. By hand: less than half of that way."""
    step: float = 1.0
    """Degrees from one angle tried to the next; the best is interpolated between them. By hand."""
    sectors: int = 8
    """Parts of a sheet, all round its middle, that are looked at separately, because a hand may cover some of them or a
    lamp light them; … By hand."""
    places: int = 30
    """… and the places in each. By hand."""
    independent: float = 8.0
    """How many independent places those of one sector count as. By hand."""
    clear: float = 5.0
    """How much better than none the best angle must be, as a log-likelihood: under a hand it is not. By hand."""
    edge: float = 0.35
    """Log brightness by which the print changes from one side of such a place to the other. By hand."""

    @property
    def angles(self) -> Floats:
        """The angles that are tried, degrees."""
        return np.arange(-self.farthest, self.farthest + 0.01, self.step)


SLACK = SlackSettings()


@dataclass(frozen=True, eq=False)
class PrintEdges:
    """Places on a sheet where its print changes in the direction of turning."""

    centre: Floats
    pixels: Numbers
    """(positions, angles, sectors, places): where they are in the flat picture, counted row by row."""
    tones: Floats
    """(sectors, places)."""


class SheetSlackReader:
    """Turns the print a little back and forth to find where it fits best."""

    def __init__(self, board: Board, plane: BoardPlane, clear: float, settings: SlackSettings = SLACK) -> None:
        """`clear`: the radius in millimetres round a site that pieces may cover and that is left out."""
        self.settings = settings
        self.at = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self.on = np.array([site.sheet for site in board.sites.values()])
        free = plane.clear_of_sites(clear)
        self.edges = {
            sheet.name: _edges(sheet, plane.sheets[sheet.name][0], plane, free, settings) for sheet in board.turnable
        }

    def read(self, codes: Image, turns: Sequence[int]) -> dict[str, float]:
        """How far each sheet is off its position, degrees clockwise; 0 if that cannot be determined."""
        grey = cv2.cvtColor(codes, cv2.COLOR_BGR2GRAY).ravel()
        return {
            name: _slack((_even(TONES[grey[edges.pixels[turn]]]) * edges.tones).sum(axis=-1), self.settings)
            for (name, edges), turn in zip(self.edges.items(), turns, strict=True)
        }

    def sites(self, codes: Image, turns: Sequence[int]) -> Floats:
        """Where all sites of the board are (n, 2), given how its sheets really lie."""
        places = self.at.copy()
        for name, degrees in self.read(codes, turns).items():
            if degrees:
                own, centre = self.on == name, self.edges[name].centre
                places[own] = centre + turned_about(places[own] - centre, degrees)
        return places


def _slack(alike: Floats, settings: SlackSettings) -> float:
    """Degrees at which the tones best match the print's, from how well they match at every angle (angles, sectors)."""
    fits = -0.5 * settings.independent * np.log1p(-(np.clip(alike, 0.0, CLOSEST) ** 2)).sum(axis=1)
    best, angles = int(fits.argmax()), settings.angles
    if fits[best] < settings.clear or not 0 < best < len(angles) - 1:
        return 0.0
    low, top, high = fits[best - 1 : best + 2]
    return float(angles[best] + (angles[1] - angles[0]) * (low - high) / 2 / min(low - 2 * top + high, -1e-9))


def _even(tones: Floats) -> Floats:
    """Tones with their mean subtracted, scaled to length 1."""
    rest = tones - tones.mean(axis=-1, keepdims=True)
    return np.asarray(rest / np.maximum(np.linalg.norm(rest, axis=-1, keepdims=True), 1e-9))


def turned_about(places: Floats, degrees: Floats | float) -> Floats:
    """Places (n, 2) turned clockwise about the origin, by one angle or by each of several (…, n, 2)."""
    angles = np.deg2rad(np.asarray(degrees, dtype=float))[..., None]
    x, y = places[:, 0], places[:, 1]
    return np.stack([x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)], axis=-1)


def _edges(sheet: Sheet, art: SheetArt, plane: BoardPlane, free: Mask, settings: SlackSettings) -> PrintEdges:
    codes = np.rint(255 * np.sqrt(np.clip(art.colours / BRIGHTEST, 0.0, 1.0))).astype(np.uint8)
    tones = TONES[cv2.cvtColor(codes, cv2.COLOR_BGR2GRAY)]
    rows, columns = np.mgrid[: tones.shape[0], : tones.shape[1]]
    places = plane.to_board(np.stack([columns + art.x, rows + art.y], axis=-1))
    centre = np.asarray(sheet.centre)
    out = places - centre
    ways = np.stack([-out[..., 1], out[..., 0]], axis=-1) / np.maximum(np.linalg.norm(out, axis=-1), 1e-6)[..., None]
    slopes = np.stack(
        [cv2.Sobel(tones.astype(np.float32), cv2.CV_32F, *order, scale=0.25) for order in ((1, 0), (0, 1))], axis=-1
    )
    inside = cv2.erode((art.cover > 0.98).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edge = inside & (np.abs((slopes * ways).sum(axis=-1)) > settings.edge)
    edge = cv2.dilate(edge.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edge &= inside & art.place(free).astype(bool)
    chosen = np.flatnonzero(edge)
    round_about = np.argsort(np.arctan2(*out.reshape(-1, 2)[chosen].T), kind="stable")
    chosen = chosen[round_about[np.linspace(0, len(chosen) - 1, settings.sectors * settings.places).astype(np.intp)]]
    angles = np.arange(sheet.turns)[:, None] * 360 / sheet.turns + settings.angles
    spots = np.rint(plane.to_flat(centre + turned_about(out.reshape(-1, 2)[chosen], angles))).astype(np.intp)
    width, height = plane.size
    pixels = np.clip(spots[..., 1], 0, height - 1) * width + np.clip(spots[..., 0], 0, width - 1)
    parts = (settings.sectors, settings.places)
    return PrintEdges(centre, pixels.reshape(*pixels.shape[:2], *parts), _even(tones.ravel()[chosen].reshape(parts)))
