"""What was seen, and how certainly, drawn on the photo, so that people can trust a reading or report it."""

from __future__ import annotations

from collections import Counter
from math import pi

import cv2
import numpy as np

from engine.board import Board, Site
from engine.face import BARE, EMPTY
from engine.referee.reading import Guess
from vision.drawing import AMBER, LINE, SURE, WHITE, caption, cross, dashes, fixed, ink_of, label, stroke
from vision.frame import Floats, Image
from vision.look import Look


def annotate(bgr: Image, board: Board, look: Look) -> Image:
    """The photo with every site ringed: with colour and height where something stands, dashed where it is unsure."""
    picture = bgr.copy()
    guesses = look.reading.guesses()
    for name, site in board.sites.items():
        if name in look.reading.hidden:
            cross(picture, _ring(look, site, 9.0), WHITE)
        elif name in guesses:
            _draw_site(picture, board, look, site, guesses[name])
    # Rings all turn about one centre, so their labels are stacked there, the last one where that of a tile would be.
    lines = Counter(sheet.centre for sheet in board.turnable)
    for sheet in board.turnable:
        if sheet.name in look.reading.sheets:
            turn, p = look.reading.turn(sheet.name)
            middle = look.pose.project(np.array([[*sheet.centre, sheet.z]]))[0]
            lines[sheet.centre] -= 1
            at = middle + np.array([0.0, 26.0 - LINE * lines[sheet.centre]])
            label(picture, at, f"{sheet.name.split('-')[-1]}:{turn}", 0.38, AMBER if p < SURE else WHITE)
    caption(picture, f"{board.game}: {look.pose.distance:.0f} mm, {look.pose.tilt:.0f} deg")
    return picture


def _draw_site(picture: Image, board: Board, look: Look, site: Site, guess: Guess) -> None:
    sure = guess.p >= SURE
    if guess.best == EMPTY:
        cv2.polylines(picture, [fixed(_ring(look, site, 6.0))], True, WHITE if sure else AMBER, 1, cv2.LINE_AA, 4)
        return
    face = guess.best
    ink = ink_of(board, face.kind)
    ring = _ring(look, site, 16.0)
    (stroke if sure else dashes)(picture, ring, ink)
    told = ("?" if face.kind == BARE else face.kind[:1].upper()) + (str(face.level) if face.level else "")
    told += "" if sure else f" {100 * guess.p:.0f}%"
    label(picture, ring[ring[:, 1].argmax()] + np.array([0.0, 12.0]), told, 0.45, WHITE if sure else AMBER)


def _ring(look: Look, site: Site, radius: float) -> Floats:
    """A circle about a site, as it lies in the picture."""
    angles = np.arange(24) * pi / 12
    ring = np.array(site.at) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return look.pose.project(np.column_stack([ring, np.full(len(ring), site.z)]))
