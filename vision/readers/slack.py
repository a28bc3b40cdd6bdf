"""How far every turnable sheet lies off its exact position: nobody turns a ring to the degree.

The pieces stand where the sheet lies, so its sites are looked for there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board, Sheet
from vision.frame import Floats, Image
from vision.light import FROM_CODE
from vision.scenery import Piecework, Scenery

OFF = np.arange(-7.0, 7.01, 1.0)
"""Degrees that are tried; what is farther off is on its way from one position to another."""
TONE, WORST = 0.35, 2.0
"""Log brightness: how far a printed tone usually is from what is seen, and the most TONEs that one place may miss."""
INDEPENDENT = 60.0
"""As how many independent places all places of one sheet count."""
CLEARLY = 3.0
"""Log-likelihood by which another angle must explain the sheet better than the exact one."""
MOST = 240
"""Places of a sheet that are looked at."""
EDGE = 0.35
"""Log brightness that the print changes by from one side of such a place to the other."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Places of a sheet where its print changes along the way it turns, in its first position: millimetres from what
    it turns about, and their tones."""

    sheet: Sheet
    from_centre: Floats
    tones: Floats

    def at(self, degrees: Floats | float) -> Floats:
        """(…, places, 2): where these places lie when the sheet is turned clockwise."""
        return np.asarray(self.sheet.centre) + turned_about(self.from_centre, degrees)


class SlackReader:
    """Turns the print a little to and fro until it fits best."""

    def __init__(self, board: Board, scenery: Scenery, clear: float) -> None:
        """`clear`: millimetres round a site that pieces may cover and that are left out."""
        self.scenery = scenery
        self.at = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self.on = np.array([site.sheet for site in board.sites.values()])
        self.edges = {
            sheet.name: _edges(sheet, scenery.sheets[sheet.name][0], scenery, self.at, clear)
            for sheet in board.turnable
        }

    def read(self, codes: Image, turns: Mapping[str, int]) -> dict[str, float]:
        """Degrees clockwise by which each sheet lies off its position; 0 where that cannot be told."""
        return {name: self._slack(codes, edges, turns[name]) for name, edges in self.edges.items()}

    def sites(self, slack: Mapping[str, float]) -> Floats:
        """Where all sites of the board are when its sheets lie off their positions by so much."""
        places = self.at.copy()
        for name, degrees in slack.items():
            if degrees:
                own, centre = self.on == name, np.asarray(self.edges[name].sheet.centre)
                places[own] = centre + turned_about(places[own] - centre, degrees)
        return places

    def _slack(self, codes: Image, edges: Edges, turn: int) -> float:
        spots = np.rint(self.scenery.to_flat(edges.at(turn * 360 / edges.sheet.turns + OFF))).astype(np.intp)
        width, height = self.scenery.size
        looks = FROM_CODE[codes[np.clip(spots[..., 1], 0, height - 1), np.clip(spots[..., 0], 0, width - 1)]]
        miss = (_tones(looks) - edges.tones) / TONE
        miss -= np.median(miss, axis=1, keepdims=True)
        fits = -0.5 * INDEPENDENT * np.minimum(miss**2, WORST**2).mean(axis=1)
        best = int(fits.argmax())
        if fits[best] < fits[len(OFF) // 2] + CLEARLY or not 0 < best < len(OFF) - 1:
            return 0.0
        low, top, high = fits[best - 1 : best + 2]
        return float(OFF[best] + (OFF[1] - OFF[0]) * (low - high) / 2 / min(low - 2 * top + high, -1e-9))


def turned_about(places: Floats, degrees: Floats | float) -> Floats:
    """Places (n, 2) turned clockwise about the origin, by one angle or by each of several."""
    angles = np.deg2rad(np.asarray(degrees, dtype=float))[..., None]
    x, y = places[:, 0], places[:, 1]
    return np.stack([x * np.cos(angles) - y * np.sin(angles), x * np.sin(angles) + y * np.cos(angles)], axis=-1)


def _edges(sheet: Sheet, art: Piecework, scenery: Scenery, sites: Floats, clear: float) -> Edges:
    tones = _tones(art.colours).astype(np.float32)
    rows, columns = np.mgrid[: tones.shape[0], : tones.shape[1]]
    places = scenery.to_board(np.stack([columns + art.x, rows + art.y], axis=-1))
    out = places - np.asarray(sheet.centre)
    ways = np.stack([-out[..., 1], out[..., 0]], axis=-1) / np.maximum(np.linalg.norm(out, axis=-1), 1e-6)[..., None]
    slopes = np.stack([cv2.Sobel(tones, cv2.CV_32F, *order, scale=0.25) for order in ((1, 0), (0, 1))], axis=-1)
    inside = cv2.erode((art.cover > 0.98).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edge = inside & (np.abs((slopes * ways).sum(axis=-1)) > EDGE)
    edge = cv2.dilate(edge.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
    edge &= inside & (((places[..., None, :] - sites) ** 2).sum(axis=-1).min(axis=-1) > clear**2)
    chosen = np.flatnonzero(edge)
    chosen = chosen[:: max(1, len(chosen) // MOST)]
    return Edges(sheet, out.reshape(-1, 2)[chosen], tones.ravel()[chosen].astype(float))


def _tones(colours: npt.NDArray[np.floating]) -> Floats:
    return np.asarray(np.log(colours.mean(axis=-1) + 0.03), dtype=float)
