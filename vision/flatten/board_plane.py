"""The plane in which the board's sheets lie, as a flat picture, and what the empty board would show there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from engine.board import Board, Sheet
from vision.flatten.colour import BRIGHTEST
from vision.flatten.settings import FLAT, FlatSettings
from vision.flatten.sheet_art import Pictures, SheetArt, lay, soften
from vision.frame import Floats, Image, Map, Mask, Numbers
from vision.recent import Recent

CODED = np.float32(255**2 / BRIGHTEST)
"""Square of the value of a balanced picture that shows a white of 1."""


class BoardPlane:
    """One board, drawn flat: expected colours for any position of its sheets.

    The flat picture shows the plane of the sheets that lie on the base (`level`), where the pieces stand: things in
    that plane keep their shape in it. The base itself, a little lower, appears shifted a little.
    """

    def __init__(self, board: Board, pictures: Pictures, settings: FlatSettings = FLAT) -> None:
        self.board, self.settings = board, settings
        self.px_per_mm, self.cell = settings.px_per_mm, settings.cell
        low, high = _bounds(board, settings.lean)
        low, high = low - settings.around, high + settings.around
        size = np.ceil((high - low) * self.px_per_mm / self.cell).astype(int) * self.cell
        self.size = (int(size[0]), int(size[1]))
        self._zero = (np.array(self.size) - 1) / 2 - (low + high) / 2 * self.px_per_mm
        """The pixel of the flat picture that shows the middle of the base."""
        self._last, self._strides = np.array(self.size) - 1.0, np.array([1.0, self.size[0]])
        self.sites = np.array([site.at for site in board.sites.values()]).reshape(-1, 2)
        self.widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
        """Millimetres: the widest piece."""
        self.tallest = max((_height(board, stack) for stack in _stacks(board)), default=0.0)
        """Millimetres: the tallest stack."""
        self.ring = next(((dark.radius, light.radius) for light, dark in board.rings), (0.0, 0.0))
        """Millimetres: the radii of the dark disc that marks a site, and of the light ring round it."""
        on_base = () if board.cards else board.sheets[1:]
        self.level = on_base[0].z if on_base else 0.0
        """The height of the sheets that lie on the base."""
        art = {sheet.name: soften(sheet, pictures[sheet.name], settings) for sheet in (board.base, *on_base)}
        self._base = self._lay(board.base, 0, art["base"])
        self._fixed = [self._lay(sheet, 0, art[sheet.name]) for sheet in on_base if sheet.turns == 1]
        self.sheets: dict[str, tuple[SheetArt, ...]] = {
            sheet.name: tuple(self._lay(sheet, turn, art[sheet.name]) for turn in range(sheet.turns))
            for sheet in on_base
            if sheet.turns > 1
        }
        """For every turnable sheet its art in each position."""
        self.raised = self._raised()
        """Where the flat picture shows a sheet lying on the base."""
        self.known = self._base_cover() > 0.98
        """Where it shows the board at all."""
        self.beyond = np.flatnonzero(~self.known)
        """The pixels, counted row by row, where it does not …"""
        self.outside = self.beyond[::7]
        """… and some of them."""
        self._prints: Recent[Map] = Recent(2)
        self._codes: Recent[Image] = Recent(2)

    def to_flat(self, points: Floats) -> Floats:
        """The pixels of the flat picture for places on the board in millimetres."""
        return np.asarray(points, dtype=float) * self.px_per_mm + self._zero

    def numbers(self, points: Floats) -> Numbers:
        """The pixels nearest to places on the board, as numbers in the flat picture, counted row by row."""
        spots = self.to_flat(points)
        np.rint(spots, out=spots)
        np.maximum(spots, 0.0, out=spots)
        np.minimum(spots, self._last, out=spots)
        return np.asarray(spots @ self._strides, dtype=np.intp)

    def to_board(self, pixels: Floats) -> Floats:
        """Places on the board, millimetres, for pixels of the flat picture."""
        return (np.asarray(pixels, dtype=float) - self._zero) / self.px_per_mm

    def clear_of_sites(self, by: float) -> Mask:
        """Where the flat picture shows only what is at least this many millimetres from every site."""
        mask = np.ones(self.size[::-1], dtype=bool)
        rows, columns = np.ogrid[: mask.shape[0], : mask.shape[1]]
        reach = by * self.px_per_mm
        for x, y in self.to_flat(self.sites):
            down, across = (slice(max(0, int(at - reach)), max(0, int(at + reach) + 2)) for at in (y, x))
            mask[down, across] &= (columns[:, across] - x) ** 2 + (rows[down] - y) ** 2 > reach**2
        return mask

    def cell_places(self) -> Floats:
        """The middle of every cell on the board, millimetres."""
        cell, (width, height) = self.cell, (side // self.cell for side in self.size)
        x, y = np.meshgrid((np.arange(width) + 0.5) * cell - 0.5, (np.arange(height) + 0.5) * cell - 0.5)
        return self.to_board(np.dstack([x, y]))

    def upwards(self, eye: Floats, step: float) -> Floats:
        """(levels, sites, 2): where an eye there sees every site and what is above it, in steps of this many
        millimetres up to the height of anything that may stand there; millimetres on the plane of the sheets."""
        up = float(eye[2]) - self.level
        levels = np.arange(0.0, 1.0 + self.settings.higher * self.tallest, step)
        by = up / np.maximum(up - levels, up / 2)
        return np.asarray(eye[:2] + (self.sites - eye[:2]) * by[:, None, None])

    def expected(self, turns: tuple[int, ...]) -> Map:
        """Linear colours of the whole empty board with its turnable sheets in these positions."""
        return self._prints.get(turns, lambda: self._drawn(turns))

    def print_codes(self, turns: tuple[int, ...]) -> Image:
        """The same, coded as a balanced picture is."""
        return self._codes.get(turns, lambda: np.sqrt(self.expected(turns) * CODED).astype(np.uint8))

    def _drawn(self, turns: tuple[int, ...]) -> Map:
        picture = self._unturnable.copy()
        for arts, turn in zip(self.sheets.values(), turns, strict=True):
            arts[turn].draw(picture)
        return picture

    @cached_property
    def _unturnable(self) -> Map:
        """Linear colours of the board without its turnable sheets."""
        picture = np.full((*self.size[::-1], 3), 0.2, dtype=np.float32)
        self._base.place(picture)[...] = self._base.colours
        for art in self._fixed:
            art.draw(picture)
        return picture

    def _base_cover(self) -> Map:
        cover = np.zeros(self.size[::-1], dtype=np.float32)
        self._base.place(cover)[...] = self._base.cover
        return cover

    def _raised(self) -> Mask:
        mask = np.zeros(self.size[::-1], dtype=bool)
        for art in (*self._fixed, *(turns[0] for turns in self.sheets.values())):
            art.place(mask)[art.cover > 0.5] = True
        return mask

    def _lay(self, sheet: Sheet, turn: int, art: Map) -> SheetArt:
        """A sheet's softened art where it lies in the flat picture."""
        half = np.array(sheet.size) / 2
        on_sheet = [(-half[0], -half[1]), (half[0], -half[1]), (-half[0], half[1])]
        corners = self.to_flat(np.array([sheet.to_table((x, y), turn) for x, y in on_sheet]))
        return lay(art, corners, self.size, self.settings.art_margin)


def _bounds(board: Board, lean: float) -> tuple[Floats, Floats]:
    """The corners of what to lay flat: the base, and round every site whatever a stack there may cover."""
    half = np.array(board.base.size) / 2
    sites = np.array([site.at for site in board.sites.values()] or [(0.0, 0.0)])
    reach = 0.0 if board.cards else max((_reach(board, stack, lean) for stack in _stacks(board)), default=0.0)
    return np.minimum(-half, sites.min(axis=0) - reach), np.maximum(half, sites.max(axis=0) + reach)


def _stacks(board: Board) -> list[tuple[str, ...]]:
    """The stacks that a position can show."""
    return [face.pieces for face in board.faces.lawful if face.pieces]


def _reach(board: Board, stack: Sequence[str], lean: float) -> float:
    """How many millimetres round its site a stack may cover, seen from anywhere."""
    return lean * _height(board, stack) + max(board.pieces[name].diameter for name in stack) / 2


def _height(board: Board, stack: Sequence[str]) -> float:
    return sum(board.pieces[name].height for name in stack)
