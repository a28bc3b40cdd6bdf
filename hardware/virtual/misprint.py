"""A board whose cards come from another print: somebody chose "fit to page" for one of the two."""

from __future__ import annotations

from dataclasses import replace

from engine.board import Board, Disc, Point, Polygon, Shape, Sheet, Text


def mat_printed_at(board: Board, share: float) -> Board:
    """This board with a mat printed at a share of its size, and photographed from as much nearer: what changes is that
    the cards on it are larger."""
    cards = board.cards
    return replace(
        board, sheets=tuple(_scaled(each, 1 / share) if each.name in cards else each for each in board.sheets)
    )


def _scaled(sheet: Sheet, by: float) -> Sheet:
    return replace(
        sheet,
        size=_far(sheet.size, by),
        outline=tuple(_larger_patch(shape, by) for shape in sheet.outline),
        art=tuple(_larger(shape, by) for shape in sheet.art),
    )


def _far(point: Point, by: float) -> Point:
    return (point[0] * by, point[1] * by)


def _larger(shape: Shape, by: float) -> Shape:
    match shape:
        case Polygon() | Disc():
            return _larger_patch(shape, by)
        case Text():
            return replace(shape, at=_far(shape.at, by), size=shape.size * by)
        case _:
            raise TypeError(f"no card shows a {type(shape).__name__}")


def _larger_patch(shape: Polygon | Disc, by: float) -> Polygon | Disc:
    if isinstance(shape, Disc):
        return replace(shape, at=_far(shape.at, by), radius=shape.radius * by, width=shape.width * by)
    points = tuple(_far(point, by) for point in shape.points)
    return replace(shape, points=points, rounding=shape.rounding * by, width=shape.width * by)
