"""How large cards are beside the mat they lie on: both are printed, and perhaps not at the same scale.

How a card's print differs from what is seen is explained by small changes of its place, turn and size, by blur, and by
light. Each changes the picture in its own way, so that together they are a problem of least squares.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np

from engine.board import Sheet
from engine.face import Face
from vision.flatten.flat_view import FlatView
from vision.flatten.sheet_art import Pictures
from vision.frame import Floats
from vision.readers.cards.card_print import CardPrint, placed
from vision.readers.cards.fitting import Fit, fit, grid
from vision.readers.cards.settings import PRINT, SIZE, SOFT
from vision.readers.cards.soft_print import soft_colours

SHIFT, TURN, GROWTH = slice(0, 2), 2, 3
"""Where these are among the unknowns."""


class CardSizes:
    """Measures cards whose faces are known."""

    def __init__(self, cards: CardPrint, sheets: Mapping[str, Sheet], pictures: Pictures) -> None:
        self._cards, self._sheets, self._pictures = cards, sheets, pictures
        self._near, self._fine = grid(SIZE.off, 2.0, SIZE.askew, 4.0), grid(1.5, 0.75, 2.0, 1.0)
        axis = np.arange(-cards.reach, cards.reach, SIZE.step)
        spots = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
        self._points = spots[cards.within(spots, [(np.zeros(2), 0.0)], -SIZE.inset)]
        self._changes = cache(self._changes_of)

    def size(self, view: FlatView, face: Face, cell: Floats, angle: float) -> float | None:
        """That of a card with this face, about a cell that is turned like this; 1 is that of the mat. None where it is
        not clearly in sight."""
        aside, turns = self._near
        number = np.array([self._cards.faces.index(face)])
        poses = cell + aside, angle + turns, np.zeros(len(turns))
        lying = fit(self._cards, view, poses, self._fine, faces=number)
        if lying.shown.whole < SIZE.whole or lying.shown.pattern < PRINT.clear:
            return None
        return self._measured(view, face, lying)

    def _measured(self, view: FlatView, face: Face, lying: Fit) -> float | None:
        print_, changes = self._changes(face.sheet)
        at, angle, size = lying.at, lying.angle + face.angle, 1.0
        z = view.plane.level + self._cards.height
        for _ in range(SIZE.rounds):
            spots = placed(size * self._points, at[None], np.array([angle]))[0]
            column, row = view.plane.to_flat(view.appear(spots, z)).astype(np.float32).T[:, None]
            # The flat picture is coded as roots of reflectances.
            seen = cv2.remap(view.codes, column, row, cv2.INTER_LINEAR)[0].astype(float)
            gain = (seen * print_).sum(axis=0) / (print_**2).sum(axis=0)
            if (gain <= 0.0).any():
                return None
            steps = np.linalg.lstsq(changes, (print_ - seen / gain).ravel(), rcond=None)[0]
            at = at + placed(size * steps[None, SHIFT], np.zeros((1, 2)), np.array([angle]))[0, 0]
            angle += float(np.degrees(steps[TURN]))
            size *= 1 + float(steps[GROWTH])
        is_near = np.hypot(*(at - lying.at)) < SIZE.astray and abs(size - 1) < SIZE.most
        return size if is_near else None

    def _changes_of(self, sheet: str) -> tuple[Floats, Floats]:
        """The roots of what a camera shows of a card (points, 3), and how they change (points * 3, unknowns)."""

        def soft(x: float = 0.0, y: float = 0.0, blur: float = SOFT.blur) -> Floats:
            points = self._points + np.array((x, y))
            return np.sqrt(soft_colours(self._sheets[sheet], self._pictures[sheet], points, blur))

        print_, by = soft(), SOFT.blur / 2
        across, down = ((soft(*step) - soft(*(-step))) / (2 * by) for step in by * np.eye(2))
        x, y = self._points[:, :1], self._points[:, 1:]
        moved = [across, down, down * x - across * y, across * x + down * y]
        colours = np.eye(3)[:, None]
        light = [*(colours * print_), *np.broadcast_to(colours, (3, *print_.shape))]
        columns = [*moved, soft(blur=SOFT.blur + by) - print_, *light]
        return print_, np.stack([each.ravel() for each in columns], axis=-1)
