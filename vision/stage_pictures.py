"""Pictures of the result of each stage of a look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board
from engine.face import EMPTY
from engine.referee.reading import Reading, guess
from vision.drawing import (
    AMBER,
    BLACK,
    FONT,
    GREEN,
    LINE,
    SURE,
    WHITE,
    Ink,
    caption,
    cross,
    dashes,
    fixed,
    in_words,
    ink_of,
    label,
    stroke,
)
from vision.find.fiducials import Corners
from vision.flatten.colour import FROM_CODE
from vision.flatten.flat_view import FlatView, circle
from vision.flatten.rectifier import FlatPart
from vision.frame import Floats, Frame, Image
from vision.look import Eye, Look
from vision.readers.reader import Candidate

ENLARGED = 1.5
"""How many times larger than the flat picture drawings on it are, to leave room for lettering."""
ARROW = 0.35
"""Length of the arrow that shows a sheet's turn, as a share of the sheet's smaller side."""
PALE = 0.45
"""How much white lies over the board where things are drawn on it."""
LEVELS = np.arange(0.2, 1.0, 0.1)
"""Shares of the greatest brightness at which lines of equal brightness are drawn."""
SHORTEST = 40
"""Length in pixels from which such a line is worth drawing."""
PANEL = 470
"""Width in pixels of the list beside the verdict."""
GREY = (190, 190, 190)
ROUND = circle(24)


def draw_fiducials(bgr: Image, board: Board, look: Look) -> Image:
    """The photo with the board's outline and its fiducials, those found and those not."""
    picture, pose = bgr.copy(), look.pose
    wide, deep = board.base.size
    edge = [(x * wide / 2, y * deep / 2, 0.0) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    stroke(picture, pose.project(np.array(edge)), WHITE, width=1)
    for number, corners in pose.expected_corners(board).items():
        _square(picture, number, corners, GREEN if number in pose.fiducials else AMBER)
    found = f"{len(pose.fiducials)} of {len(board.fiducials)} squares, {pose.fit:.2f} pixels off"
    caption(picture, f"{found}; camera at {pose.distance:.0f} mm, tilted {pose.tilt:.0f} deg")
    return picture


def draw_squares(bgr: Image, corners: Corners) -> Image:
    """The photo with the fiducials that are in it, whatever board they belong to."""
    picture = bgr.copy()
    for number, four in corners.items():
        _square(picture, number, four, GREEN)
    caption(picture, f"{len(corners)} squares found")
    return picture


def _square(picture: Image, number: int, corners: Floats, ink: Sequence[int]) -> None:
    stroke(picture, corners, ink)
    label(picture, np.array([corners[:, 0].mean(), corners[:, 1].max() + 16.0]), str(number), 0.45, ink)


def draw_rectified(eye: Eye, frame: Frame, look: Look) -> Image:
    """The board in the photo, seen in the plane of its sheets."""
    rectifier = eye.flattener.rectifier
    part = rectifier.laid(look.pose)
    return np.ascontiguousarray(rectifier.flatten(frame.bgr, look.pose, part)[part])


def draw_light(eye: Eye, look: Look) -> Image:
    """What white paper all over the board would look like in the photo."""
    light, terms = look.flat.light, eye.flattener.terms
    cells = np.exp((light.slope.astype(np.float32) @ terms.reshape(6, -1)).reshape(terms.shape[1:]))
    bright = cv2.resize(cells, eye.plane.size, interpolation=cv2.INTER_LINEAR)[eye.flattener.rectifier.laid(look.pose)]
    bright = bright / bright.max()
    picture = _coded(bright[..., None] * light.balance / light.balance.max())
    for level in LEVELS:
        lines, _ = cv2.findContours((bright > level).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        for line in lines:
            # The edge of the picture closes every line: only the parts inside are of equal brightness.
            points = line[:, 0][((line[:, 0] > 2) & (line[:, 0] < np.array(bright.shape[::-1]) - 3)).all(axis=1)]
            if len(points) > SHORTEST:
                cv2.polylines(picture, [points], False, BLACK, 1, cv2.LINE_AA)
                at = np.clip(points[len(points) // 2], 30, np.array(bright.shape[::-1]) - 30).astype(float)
                label(picture, at, f"{100 * level:.0f} %", 0.45, WHITE)
    blue, _, red = light.balance
    tone = f"contrast {light.contrast:.2f}, colours made {light.paleness:.2f} times as deep"
    caption(picture, f"blue {blue:.2f} and red {red:.2f} of green; {tone}")
    return picture


def draw_even(look: Look, part: FlatPart) -> Image:
    """The flat board in even white light."""
    return _coded(FROM_CODE[look.flat.codes[part]])


@dataclass(frozen=True, eq=False)
class Sketch:
    """The flat board, larger and faded, to draw on."""

    board: Board
    view: FlatView
    reading: Reading
    part: FlatPart
    even: Image
    """That part of it in even light."""

    def candidates(self, candidates: Sequence[Candidate]) -> Image:
        """What may be a piece, and how the turnable sheets lie."""
        picture = self._pale()
        for site in self._places(self.view.sites):
            cv2.circle(picture, _whole(site), 3, BLACK, cv2.FILLED, cv2.LINE_AA)
        turnable = [sheet for sheet in self.board.turnable if sheet.name in self.reading.sheets]
        for number, sheet in enumerate(turnable):
            turn, p = self.reading.turn(sheet.name)
            angle, middle = np.deg2rad(sheet.angle_at(turn)), np.array(sheet.centre)
            tip = middle + ARROW * min(sheet.size) * np.array([np.sin(angle), -np.cos(angle)])
            start, end = (_whole(place) for place in self._places(np.stack([middle, tip])))
            for ink, width in ((BLACK, 6), (WHITE, 2)):
                cv2.arrowedLine(picture, start, end, ink, width, cv2.LINE_AA, tipLength=0.2)
            at, ink = np.array([10.0, 24.0 + 1.4 * LINE * number]), WHITE if p >= SURE else AMBER
            label(picture, at, f"{sheet.name}: position {turn}, {100 * p:.0f} %", 0.5, ink, centred=False)
        for each in candidates:
            ring = self._places(np.array(each.at) + each.radius * ROUND)
            stroke(picture, ring, ink_of(self.board, each.kind), width=3)
            label(picture, np.array([ring[:, 0].mean(), ring[:, 1].min() - 6]), each.kind, 0.5, WHITE)
        caption(picture, f"candidates: {len(candidates)}; dots are sites, arrows show how sheets are turned")
        return picture

    def verdict(self, trails: Mapping[str, Sequence[str]]) -> Image:
        """What stands on each site, and beside it what the witnesses said about those that are not plainly empty."""
        picture, lines = self._pale(), []
        for name, at in zip(self.board.sites, self.view.sites, strict=True):
            ring = self._places(at + self.view.plane.widest / 2 * ROUND)
            if verdict := self._verdict(picture, name, ring):
                text, ink = verdict
                label(picture, np.array([ring[:, 0].mean(), ring[:, 1].max() + 15]), f"{name} {text}", 0.45, ink)
                lines += [(f"{name}: {text}", ink), *((f"    {said}", GREY) for said in trails.get(name, ()))]
        return _with_panel(picture, lines)

    def _verdict(self, picture: Image, name: str, ring: Floats) -> tuple[str, Ink] | None:
        """Draws what stands on a site, and names it in words unless the site is plainly empty."""
        if name in self.reading.hidden:
            cross(picture, ring, WHITE)
            return "hidden", AMBER
        if name not in self.reading.sites:
            return None
        best = guess(self.reading.sites[name])
        sure = best.p >= SURE
        if best.best != EMPTY:
            (stroke if sure else dashes)(picture, ring, ink_of(self.board, best.best.kind), width=3)
        elif sure:
            cv2.polylines(picture, [fixed(ring)], True, WHITE, 1, cv2.LINE_AA, 4)
            return None
        words = in_words(best.best)
        return (words, WHITE) if sure else (f"{words} {100 * best.p:.0f} %", AMBER)

    def _pale(self) -> Image:
        large = cv2.resize(self.even, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
        return np.asarray(cv2.addWeighted(large, 1 - PALE, np.full_like(large, 255), PALE, 0), np.uint8)

    def _places(self, points: Floats) -> Floats:
        """Pixels for places on the plane of the sheets, millimetres."""
        corner = (self.part[1].start, self.part[0].start)
        return np.asarray((self.view.plane.to_flat(points) - corner + 0.5) * ENLARGED - 0.5)


def _with_panel(picture: Image, lines: Sequence[tuple[str, Ink]]) -> Image:
    """The picture with a list to its right."""
    step = 1.2 * LINE
    height = max(picture.shape[0], round(step * (len(lines) + 1)))
    whole = np.full((height, picture.shape[1] + PANEL, 3), BLACK[0], np.uint8)
    whole[: picture.shape[0], : picture.shape[1]] = picture
    for number, (text, ink) in enumerate(lines, 1):
        at = (picture.shape[1] + 16, round(step * (number + 0.3)))
        cv2.putText(whole, text, at, FONT, 0.5, ink, 1, cv2.LINE_AA)
    return whole


def _whole(place: Floats) -> tuple[int, int]:
    x, y = np.rint(place).astype(int).tolist()
    return x, y


def _coded(light: npt.NDArray[np.floating]) -> Image:
    """Linear light as a picture."""
    clipped = np.clip(light, 0.0, 1.0)
    coded = np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * clipped ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * coded), np.uint8)
