"""What was seen and how sure it is, drawn on the photo: this is how people come to trust a reading, or report it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import pi

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board, Site
from engine.face import BARE, EMPTY
from engine.referee.reading import Guess
from vision.frame import Floats, Image
from vision.look import Look

SURE = 0.9
"""A reading less likely than this is drawn as unsure."""
INKS = {"red": (46, 32, 208), "yellow": (13, 194, 244), "green": (59, 133, 23), "blue": (196, 85, 31)}
WHITE, BLACK, AMBER = (255, 255, 255), (20, 20, 20), (0, 170, 255)
LINE = 16.0
"""Pixels from one line of lettering to the next."""
FONT = cv2.FONT_HERSHEY_SIMPLEX


def annotate(bgr: Image, board: Board, look: Look) -> Image:
    """The photo with every site ringed: its colour and height where something stands, dashed where it is unsure."""
    picture = bgr.copy()
    guesses = look.reading.guesses()
    for name, site in board.sites.items():
        if name in look.reading.hidden:
            _cross(picture, _ring(look, site, 9.0), WHITE)
        elif name in guesses:
            _draw_site(picture, look, site, guesses[name])
    # Rings turn about one middle: what is told of them stands in lines there, the last where that of a tile does.
    lines = Counter(sheet.centre for sheet in board.turnable)
    for sheet in board.turnable:
        if sheet.name in look.reading.sheets:
            turn, p = look.reading.turn(sheet.name)
            middle = look.pose.project(np.array([[*sheet.centre, sheet.z]]))[0]
            lines[sheet.centre] -= 1
            at = middle + np.array([0.0, 26.0 - LINE * lines[sheet.centre]])
            write_label(picture, at, f"{sheet.name.split('-')[-1]}:{turn}", 0.38, AMBER if p < SURE else WHITE)
    told = f"{board.game}: {look.pose.distance:.0f} mm, {look.pose.tilt:.0f} deg"
    write_label(picture, np.array([10.0, bgr.shape[0] - 12.0]), told, 0.5, WHITE, centred=False)
    return picture


def _draw_site(picture: Image, look: Look, site: Site, guess: Guess) -> None:
    sure = guess.p >= SURE
    if guess.best == EMPTY:
        cv2.polylines(picture, [_fixed(_ring(look, site, 6.0))], True, WHITE if sure else AMBER, 1, cv2.LINE_AA, 4)
        return
    face = guess.best
    ink = INKS.get(face.kind, (160, 200, 220))
    ring = _ring(look, site, 16.0)
    cv2.polylines(picture, [_fixed(ring)], True, BLACK, 4, cv2.LINE_AA, 4)
    if sure:
        cv2.polylines(picture, [_fixed(ring)], True, ink, 2, cv2.LINE_AA, 4)
    else:
        for start in range(0, len(ring), 4):
            cv2.polylines(picture, [_fixed(ring[start : start + 3])], False, ink, 2, cv2.LINE_AA, 4)
    told = ("?" if face.kind == BARE else face.kind[:1].upper()) + (str(face.level) if face.level else "")
    told += "" if sure else f" {100 * guess.p:.0f}%"
    write_label(picture, ring[ring[:, 1].argmax()] + np.array([0.0, 12.0]), told, 0.45, WHITE if sure else AMBER)


def _ring(look: Look, site: Site, radius: float) -> Floats:
    """A circle about a site, as it lies in the picture."""
    angles = np.arange(24) * pi / 12
    ring = np.array(site.at) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
    return look.pose.project(np.column_stack([ring, np.full(len(ring), site.z)]))


def _cross(picture: Image, ring: Floats, ink: Sequence[int]) -> None:
    for one, other in ((3, 15), (9, 21)):
        stroke = [_fixed(ring[[one, other]])]
        cv2.polylines(picture, stroke, False, BLACK, 4, cv2.LINE_AA, 4)
        cv2.polylines(picture, stroke, False, ink, 1, cv2.LINE_AA, 4)


def write_label(picture: Image, at: Floats, text: str, size: float, ink: Sequence[int], centred: bool = True) -> None:
    """Lettering on a dark plate, readable on any table."""
    (width, height), below = cv2.getTextSize(text, FONT, size, 1)
    x, y = int(at[0] - (width / 2 if centred else 0)), int(at[1])
    cv2.rectangle(picture, (x - 3, y - height - 3), (x + width + 3, y + below), BLACK, cv2.FILLED)
    cv2.putText(picture, text, (x, y), FONT, size, ink, 1, cv2.LINE_AA)


def _fixed(points: Floats) -> npt.NDArray[np.int32]:
    """Points in sixteenths of a pixel, as OpenCV draws them finely."""
    return np.rint(points * 16).astype(np.int32)
