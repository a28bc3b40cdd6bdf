"""The board for lights underneath: rings of bare paper round the sites, and nothing else changed.

Light does not get through the near-black discs; through bare paper it does. Sheets, sites and fiducials stay where they
are, so the eye that knows the usual board reads this one, too; `magister bench backlit` measures how well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import dist

from engine.board import Board, Disc, Shape, Sheet

WHITE = "#ffffff"
THIN = 1.4
"""Width of the ring round a piece that covers the site's own ring, mm."""
OFF = 1.0
"""Between such a piece and the ring, mm: pieces stand a little off."""
NEAR = 0.5
"""From a site to the middle of its ring, mm."""


def backlit(board: Board) -> Board:
    """The same board with rings left white."""
    widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
    sheets = tuple(
        replace(sheet, art=tuple(_art(sheet, widest))) if _has_sites(board, sheet) else sheet for sheet in board.sheets
    )
    return replace(board, sheets=sheets)


def takes_lights(board: Board) -> bool:
    """Whether light can come up round every site: not where cards lie on the sites."""
    return bool(board.sites) and len(list(_rings(board))) == len(board.sites)


def ring_beyond(board: Board) -> float | None:
    """The radius of the rings that are drawn round the pieces beside the sites' own; None where pieces cover none."""
    widest = max((piece.diameter for piece in board.pieces.values()), default=0.0)
    covered = takes_lights(board) and any(_is_covered(ring, widest) for ring in _rings(board))
    return widest / 2 + OFF + THIN / 2 if covered else None


def _rings(board: Board) -> Iterator[Disc]:
    """The rings round the sites, those of the usual print."""
    for sheet in board.sheets:
        places = [site.at for site in board.sites.values() if site.sheet == sheet.name]
        for shape, after in pairwise(sheet.art):
            if (
                isinstance(shape, Disc)
                and isinstance(after, Disc)
                and is_ring(shape, after)
                and any(dist(sheet.to_table(shape.at), place) < NEAR for place in places)
            ):
                yield shape


def _is_covered(ring: Disc, widest: float) -> bool:
    return widest / 2 > ring.radius - THIN


def _has_sites(board: Board, sheet: Sheet) -> bool:
    return any(site.sheet == sheet.name for site in board.sites.values())


def _art(sheet: Sheet, widest: float) -> Iterator[Shape]:
    for shape, after in zip(sheet.art, (*sheet.art[1:], None), strict=True):
        if not (isinstance(shape, Disc) and isinstance(after, Disc) and is_ring(shape, after)):
            yield shape
            continue
        if _is_covered(shape, widest):
            yield Disc(shape.at, widest / 2 + OFF + THIN / 2, stroke=WHITE, width=THIN)
        yield replace(shape, fill=WHITE)


def is_ring(outer: Disc, inner: Disc) -> bool:
    """Whether the two discs, one painted over the other, are a light ring round a dark site."""
    return outer.at == inner.at and outer.radius > inner.radius and outer.fill is not None and inner.fill is not None
