"""The board for lights underneath: rings of bare paper round the sites, and nothing else changed.

Light does not get through the near-black discs; through bare paper it does. Sheets, sites and fiducials stay where they
are, so the eye that knows the usual board reads this one, too; `magister bench backlit` measures how well.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from engine.board import Board, Disc, Shape, Sheet

WHITE = "#ffffff"
THIN = 1.4
"""Width of the ring round a piece that covers the site's own ring, mm."""
OFF = 1.0
"""Between such a piece and the ring, mm: pieces stand a little off."""


def backlit(board: Board) -> Board:
    """The same board with rings left white."""
    widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
    rings = {outer for outer, _ in board.rings}
    sheets = tuple(
        replace(sheet, art=tuple(_art(sheet, rings, widest))) if _has_sites(board, sheet) else sheet
        for sheet in board.sheets
    )
    return replace(board, sheets=sheets)


def takes_lights(board: Board) -> bool:
    """Whether light can come up round every site: not where cards lie on the sites."""
    return bool(board.sites) and len(board.rings) == len(board.sites)


def ring_beyond(board: Board) -> float | None:
    """The radius of the rings that are drawn round the pieces beside the sites' own; None where pieces cover none."""
    widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
    covered = takes_lights(board) and any(_is_covered(outer, widest) for outer, _ in board.rings)
    return widest / 2 + OFF + THIN / 2 if covered else None


def _is_covered(ring: Disc, widest: float) -> bool:
    return widest / 2 > ring.radius - THIN


def _has_sites(board: Board, sheet: Sheet) -> bool:
    return any(site.sheet == sheet.name for site in board.sites.values())


def _art(sheet: Sheet, rings: Collection[Shape], widest: float) -> Iterator[Shape]:
    for shape in sheet.art:
        if not isinstance(shape, Disc) or shape not in rings:
            yield shape
            continue
        if _is_covered(shape, widest):
            yield Disc(shape.at, widest / 2 + OFF + THIN / 2, stroke=WHITE, width=THIN)
        yield replace(shape, fill=WHITE)
