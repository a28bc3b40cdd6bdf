"""What the empty board looks like, and the board in a picture laid flat beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from engine.board import Board, Sheet
from vision.find.pose import BoardPose
from vision.frame import Floats, Image

Map = npt.NDArray[np.float32]
Mask = npt.NDArray[np.bool_]
Pixels = npt.NDArray[np.intp]
Part = tuple[slice, slice]
"""Rows and columns of a flat picture."""
Pictures = Mapping[str, Image]
"""For each sheet its printed picture: blue, green, red and alpha, covering the sheet's size exactly."""

PX_PER_MM = 1.4
"""Of the flat picture: about what the camera sees."""
CELL = 4
"""Pixels of the flat picture whose average is taken at once where detail does not matter."""
LEAN = 1.65
"""Millimetres by which a thing may lean away from the camera for each of its height, seen in the flat picture."""
MARGIN = 4
"""Pixels of the flat picture that are kept about a sheet's art."""
HIGHER = 1.5
"""As many times as high as the highest stack may something be that stands on a site by mistake."""
GRID = 16
"""Pixels of the flat picture between two points that are really projected; between them the way is all but straight."""


def linear(colour: str) -> Floats:
    """A colour `#rrggbb` as linear blue, green, red."""
    return np.asarray(TO_LINEAR[[int(colour[place : place + 2], 16) for place in (5, 3, 1)]], dtype=float)


def _srgb_to_linear(value: Floats) -> Floats:
    return np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)


TO_LINEAR: Map = _srgb_to_linear(np.arange(256) / 255).astype(np.float32)
"""Linear light of the 256 values of a picture, as far as a picture is sRGB."""


@dataclass(frozen=True, eq=False)
class SheetArt:
    """The art of a sheet in one position: where it lies in the flat picture, its colours, and how much it covers."""

    x: int
    y: int
    colours: Map
    cover: Map

    def place(self, whole: npt.NDArray[np.generic]) -> npt.NDArray[np.generic]:
        """The part of a flat picture where it lies."""
        high, wide = self.cover.shape
        return whole[self.y : self.y + high, self.x : self.x + wide]


class BoardPlane:
    """One board, drawn flat: expected colours for any position of its sheets.

    The flat picture shows the plane of the sheets that lie on the base (`level`), where the pieces stand: things in
    that plane keep their shape in it. The base itself, a little lower, appears shifted a little.
    """

    def __init__(self, board: Board, pictures: Pictures) -> None:
        self.board = board
        low, high = _bounds(board)
        size = np.ceil((high - low) * PX_PER_MM / CELL).astype(int) * CELL
        self.size = (int(size[0]), int(size[1]))
        self._zero = (np.array(self.size) - 1) / 2 - (low + high) / 2 * PX_PER_MM
        self._last, self._strides = np.array(self.size) - 1.0, np.array([1.0, self.size[0]])
        """The pixel of the flat picture that shows the middle of the base."""
        on_base = () if board.cards else board.sheets[1:]
        self.level = on_base[0].z if on_base else 0.0
        """The height of the sheets that lie on the base."""
        art = {sheet.name: _soften(sheet, pictures[sheet.name]) for sheet in (board.base, *on_base)}
        self._base = self._lay(board.base, 0, art["base"])
        self._fixed = [self._lay(sheet, 0, art[sheet.name]) for sheet in on_base if sheet.turns == 1]
        self.sheets: dict[str, tuple[SheetArt, ...]] = {
            sheet.name: tuple(self._lay(sheet, turn, art[sheet.name]) for turn in range(sheet.turns))
            for sheet in on_base
            if sheet.turns > 1
        }
        """For every turnable sheet its art in each position."""
        self.raised = self._raised()
        """Where the flat picture shows a sheet that lies on the base."""
        self.known = self._base_cover() > 0.98
        """Where it shows the board at all."""
        self.beyond = np.flatnonzero(~self.known)
        """The pixels, counted row by row, where it does not …"""
        self.outside = self.beyond[::7]
        """… and some of them."""
        self.expected = lru_cache(maxsize=8)(self._expected)
        """Linear colours of the whole empty board with its turnable sheets in these positions."""
        self.ways = lru_cache(maxsize=2)(self._way)
        self.in_camera = lru_cache(maxsize=2)(self._in_camera)
        """Where (255), in a camera's picture of which so many pixels each way are one, the flat picture comes from."""
        self._sites = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self._widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
        self._tallest = max((_height(board, stack) for stack in _stacks(board)), default=0.0)

    def to_flat(self, points: Floats) -> Floats:
        """Pixels of the flat picture for places on the board in millimetres."""
        return np.asarray(points, dtype=float) * PX_PER_MM + self._zero

    def numbers(self, points: Floats) -> Pixels:
        """Of the pixels nearest to places on the board: their numbers in the flat picture, counted row by row."""
        spots = self.to_flat(points)
        np.rint(spots, out=spots)
        np.maximum(spots, 0.0, out=spots)
        np.minimum(spots, self._last, out=spots)
        return np.asarray(spots @ self._strides, dtype=np.intp)

    def to_board(self, pixels: Floats) -> Floats:
        """Places on the board, millimetres, for pixels of the flat picture."""
        return (np.asarray(pixels, dtype=float) - self._zero) / PX_PER_MM

    def clear_of_sites(self, by: float) -> Mask:
        """Where the flat picture shows nothing that is nearer to a site than so many millimetres."""
        mask = np.ones(self.size[::-1], dtype=bool)
        rows, columns = np.ogrid[: mask.shape[0], : mask.shape[1]]
        for x, y in self.to_flat(self._sites):
            mask &= (columns - x) ** 2 + (rows - y) ** 2 > (by * PX_PER_MM) ** 2
        return mask

    def cell_places(self) -> Floats:
        """The middle of every cell on the board, millimetres."""
        width, height = self.size[0] // CELL, self.size[1] // CELL
        x, y = np.meshgrid((np.arange(width) + 0.5) * CELL - 0.5, (np.arange(height) + 0.5) * CELL - 0.5)
        return self.to_board(np.dstack([x, y]))

    def _base_cover(self) -> Map:
        cover = np.zeros(self.size[::-1], dtype=np.float32)
        self._base.place(cover)[...] = self._base.cover
        return cover

    def _raised(self) -> Mask:
        mask = np.zeros(self.size[::-1], dtype=bool)
        for piece in (*self._fixed, *(turns[0] for turns in self.sheets.values())):
            piece.place(mask)[piece.cover > 0.5] = True
        return mask

    def _expected(self, turns: tuple[int, ...]) -> Map:
        picture = self._unturnable.copy()
        for pieces, turn in zip(self.sheets.values(), turns, strict=True):
            _draw(pieces[turn], picture)
        return picture

    @cached_property
    def _unturnable(self) -> Map:
        """Linear colours of the board without its turnable sheets."""
        picture = np.full((*self.size[::-1], 3), 0.2, dtype=np.float32)
        self._base.place(picture)[...] = self._base.colours
        for piece in self._fixed:
            _draw(piece, picture)
        return picture

    def _lay(self, sheet: Sheet, turn: int, art: Map) -> SheetArt:
        """A sheet's softened art where it lies in the flat picture."""
        high, wide = art.shape[:2]
        corners = [(-0.5, -0.5), (wide - 0.5, -0.5), (-0.5, high - 0.5)]
        half = np.array(sheet.size) / 2
        on_sheet = [(-half[0], -half[1]), (half[0], -half[1]), (-half[0], half[1])]
        places = self.to_flat(np.array([sheet.to_table((x, y), turn) for x, y in on_sheet]))
        every = np.vstack([places, places[1] + places[2] - places[0]])
        left, top = np.maximum(0, np.floor(every.min(axis=0))).astype(int)
        right, bottom = np.minimum(self.size, np.ceil(every.max(axis=0)) + 1).astype(int)
        way = cv2.getAffineTransform(
            np.array(corners, dtype=np.float32), (places - np.array((left, top))).astype(np.float32)
        )
        laid = np.asarray(
            cv2.warpAffine(art, way, (int(right - left), int(bottom - top)), flags=cv2.INTER_LINEAR), dtype=np.float32
        )
        x, y, wide, high = cv2.boundingRect((laid[..., 3] > 0).astype(np.uint8))
        x, y, right, bottom = max(0, x - MARGIN), max(0, y - MARGIN), x + wide + MARGIN, y + high + MARGIN
        laid = laid[y:bottom, x:right]
        colours = np.asarray(laid[..., :3] / np.maximum(laid[..., 3:], np.float32(1e-3)), np.float32)
        return SheetArt(int(left) + x, int(top) + y, colours, np.ascontiguousarray(laid[..., 3]))

    def flatten(self, bgr: Image, pose: BoardPose, part: Part) -> Image:
        """The board in a picture as seen in the plane of its sheets; black where the picture ends, and but for a part
        of what is `laid`."""
        (left, top), whole, rest = self.ways(pose)
        rows, columns = part
        here = slice(rows.start - top, rows.stop - top), slice(columns.start - left, columns.stop - left)
        flat = np.zeros((self.size[1], self.size[0], 3), np.uint8)
        # With a fourth channel it is done in two thirds of the time.
        four = cv2.cvtColor(bgr, cv2.COLOR_BGR2BGRA)
        laid = cv2.remap(four, whole[here], rest[here], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
        cv2.cvtColor(laid, cv2.COLOR_BGRA2BGR, dst=flat[part])
        return flat

    def laid(self, pose: BoardPose) -> Part:
        """The part of the flat picture, seen from there, where the board or a stack can be."""
        (left, top), whole, _ = self.ways(pose)
        return slice(top, top + whole.shape[0]), slice(left, left + whole.shape[1])

    def part_of(self, changed: Image, pose: BoardPose, every: int) -> Part | None:
        """The part of the flat picture where it shows what changed (255) in a camera's picture, of which so many pixels
        each way are one; None if it shows nothing of that."""
        (left, top), whole, _ = self.ways(pose)
        height, width = changed.shape
        # So that nothing that changed is between them, and what is beside it is in the part too.
        step = GRID // 2
        columns, rows = np.moveaxis(whole[::step, ::step] // every, -1, 0)
        near = cv2.dilate(changed, np.ones((5, 5), np.uint8))
        stirred = near[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
        if not stirred.any():
            return None
        x, y, wide, high = (step * each for each in cv2.boundingRect(stirred))
        bottom, right = min(y + high + step, whole.shape[0]), min(x + wide + step, whole.shape[1])
        return slice(top + max(0, y - step), top + bottom), slice(left + max(0, x - step), left + right)

    def _in_camera(self, pose: BoardPose, every: int) -> Image:
        width, height = pose.lens.size
        mask = np.zeros((round(height / every), round(width / every)), np.uint8)
        pixels = self.ways(pose)[1]
        edge = np.concatenate([pixels[0], pixels[:, -1], pixels[-1, ::-1], pixels[::-1, 0]])[::GRID]
        return np.asarray(cv2.fillPoly(mask, [np.rint(edge / every).astype(np.int32)], 255), np.uint8)

    def upwards(self, eye: Floats, step: float) -> Floats:
        """(levels, sites, 2): where an eye there sees every site, and what is above it, in steps of so many millimetres
        as high as anything may stand there; on the plane of the sheets, millimetres."""
        up = float(eye[2]) - self.level
        levels = np.arange(0.0, 1.0 + HIGHER * self._tallest, step)
        by = up / np.maximum(up - levels, up / 2)
        return np.asarray(eye[:2] + (self._sites - eye[:2]) * by[:, None, None])

    def _window(self, pose: BoardPose) -> tuple[Pixels, Pixels]:
        """The first pixel and the size of what must be laid flat: the board, and where stacks may lean."""
        up = float(pose.eye[2]) - self.level
        by = up / max(up - 2 * self._tallest, up / 2)
        half = np.array(self.board.base.size) / 2
        sites = self._sites + np.array([(-1.0, -1.0), (1.0, 1.0)])[:, None] * self._widest
        leaning = pose.eye[:2] + (sites - pose.eye[:2]) * by
        places = self.to_flat(np.vstack([-half, half, sites.reshape(-1, 2), leaning.reshape(-1, 2)]))
        first = np.clip(np.floor(places.min(axis=0)), 0, None).astype(np.intp)
        last = np.minimum(np.ceil(places.max(axis=0)) + 1, self.size).astype(np.intp)
        return first, last - first

    def _way(self, pose: BoardPose) -> tuple[Pixels, npt.NDArray[np.int16], npt.NDArray[np.uint16]]:
        """For every pixel of a part of the flat picture, whose first is told, where it is in the camera's: whole pixels
        and the rest, as `cv2.remap` wants them to be fast."""
        # cv2.resize puts the middle of source pixel k at GRID * k + (GRID - 1) / 2; one more all round for its edges.
        first, (width, height) = self._window(pose)
        across, down = -(-width // GRID) + 2, -(-height // GRID) + 2
        x, y = np.meshgrid((np.arange(across) - 0.5) * GRID - 0.5, (np.arange(down) - 0.5) * GRID - 0.5)
        places = self.to_board(np.column_stack([x.ravel(), y.ravel()]) + first)
        pixels = pose.project(np.column_stack([places, np.full(len(places), self.level)])).astype(np.float32)
        coarse = pixels.reshape(down, across, 2)
        fine = cv2.resize(coarse, (across * GRID, down * GRID), interpolation=cv2.INTER_LINEAR)
        inner, none = fine[GRID : GRID + height, GRID : GRID + width], np.empty(0, np.float32)
        whole, rest = cv2.convertMaps(inner, none, cv2.CV_16SC2)
        return first, np.asarray(whole, np.int16), np.asarray(rest, np.uint16)


def _draw(piece: SheetArt, picture: Map) -> None:
    """Lay a sheet's art over a flat picture."""
    part = piece.place(picture)
    part[...] = cv2.blendLinear(piece.colours, np.asarray(part, np.float32), piece.cover, 1 - piece.cover)


def _bounds(board: Board) -> tuple[Floats, Floats]:
    """The least and the greatest place to lay flat: the base, and round every site what a stack there may cover."""
    half = np.array(board.base.size) / 2
    sites = np.array([site.at for site in board.sites.values()] or [(0.0, 0.0)])
    reach = 0.0 if board.cards else max((_reach(board, stack) for stack in _stacks(board)), default=0.0)
    return np.minimum(-half, sites.min(axis=0) - reach), np.maximum(half, sites.max(axis=0) + reach)


def _stacks(board: Board) -> list[tuple[str, ...]]:
    """The stacks that a position can show."""
    return [face.pieces for face in board.faces.lawful if face.pieces]


def _reach(board: Board, stack: Sequence[str]) -> float:
    """Millimetres about its site that a stack may cover, seen from anywhere."""
    return LEAN * _height(board, stack) + max(board.pieces[name].diameter for name in stack) / 2


def _height(board: Board, stack: Sequence[str]) -> float:
    return sum(board.pieces[name].height for name in stack)


def _soften(sheet: Sheet, picture: Image) -> Map:
    """A sheet's picture in linear light, about as fine as a camera shows it."""
    shrink = max(1, round(picture.shape[1] / sheet.size[0] / (2 * PX_PER_MM)))
    small = cv2.resize(_light(picture), None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 0.45 * small.shape[1] / sheet.size[0]), np.float32)


def _light(picture: Image) -> Map:
    """A picture in linear light, weighted by alpha, so that it may be scaled and turned."""
    alpha = picture[..., 3:].astype(np.float32) / 255
    return np.concatenate([TO_LINEAR[picture[..., :3]] * alpha, alpha], axis=2)
