"""Where the print shows the light: plain places that are always the same and hardly ever under a piece."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from engine.board import Board
from vision.flatten.board_plane import BoardPlane
from vision.flatten.colour import FAINTEST, added
from vision.flatten.settings import IlluminationSettings
from vision.frame import Floats, Mask, Numbers


@dataclass(frozen=True, eq=False)
class PlainPrint:
    """Plain places by which the light is measured."""

    pixels: Numbers
    """Pixels of the flat picture, counted row by row."""
    terms: Floats
    """(6, places): terms for where they are on the board (see `terms_of`)."""
    logs: Floats
    """(3, places): what is printed there, as the log of linear light (see LOGS)."""
    greens: Floats
    """The linear green of that print."""
    fair: Mask
    """Which of them show the light's colour: where print is dark in one channel, gloss drowns it out."""

    @classmethod
    def of(cls, board: Board, plane: BoardPlane, settings: IlluminationSettings) -> PlainPrint:
        """The plain places of a board, on its tiles and on its base."""
        printed, plain = _plain(board, plane, settings)
        chosen = []
        for part in (plain & plane.raised, plain & ~plane.raised):
            pixels = np.flatnonzero(part)
            chosen.append(pixels[:: max(1, len(pixels) // settings.most_places)])
        pixels = np.concatenate(chosen)
        rows, columns = np.unravel_index(pixels, plain.shape)
        colours = printed.reshape(-1, 3)[pixels].astype(float)
        terms = np.ascontiguousarray(terms_of(plane.to_board(np.column_stack([columns, rows]))).T)
        logs = np.ascontiguousarray(np.log(colours + FAINTEST).T)
        return cls(pixels, terms, logs, colours[:, 1].copy(), colours.min(axis=1) > settings.dark)


def _plain(board: Board, plane: BoardPlane, settings: IlluminationSettings) -> tuple[Floats, Mask]:
    """The print, and where it is even in every position of the sheets and clear of pieces."""
    most = max((sheet.turns for sheet in board.turnable), default=1)
    every = [plane.expected(tuple(turn % sheet.turns for sheet in board.turnable)) for turn in range(most)]
    kernel = np.ones((settings.even_px, settings.even_px), np.uint8)
    plain = plane.known & plane.clear_of_sites(plane.widest / 2 + settings.clear_of_pieces)
    for picture in every:
        uneven = np.maximum.reduce(cv2.split(cv2.morphologyEx(picture, cv2.MORPH_GRADIENT, kernel)))
        plain &= uneven < settings.even_step + settings.even_share * added(picture) / 3
    turning = np.maximum.reduce(every) - np.minimum.reduce(every)
    plain &= np.maximum.reduce(cv2.split(turning)) < settings.same_turned
    plain &= np.minimum.reduce(cv2.split(every[0])) > settings.darkest
    return np.asarray(every[0]), plain


def terms_of(places: Floats) -> Floats:
    """For places on the board in millimetres: the terms of the polynomial for the light's log brightness there."""
    x, y = places[..., 0] / 100, places[..., 1] / 100
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)
