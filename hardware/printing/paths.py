"""Outlines of shapes as PDF paths, in the data's own frame (millimetres, y south, angles clockwise from north)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import atan2, ceil, cos, degrees, hypot, radians, sin, tan

from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from engine.board import Disc, Point, Polygon, Sector

Box = tuple[float, float, float, float]
"""West, north, east, south."""

FINEST_ARC = 45.0
"""Degrees that one Bézier curve stands for: it then leaves the circle by less than a thousandth of a millimetre."""


def outline(canvas: Canvas, shape: Polygon | Disc | Sector) -> PDFPathObject:
    """The edge of a shape; that of a polygon with its rounding."""
    path = canvas.beginPath()
    match shape:
        case Disc():
            _circle(path, shape.at, shape.radius)
        case Sector():
            path.moveTo(*_on_circle(shape.at, shape.outer, shape.start))
            _arc(path, shape.at, shape.outer, shape.start, shape.end)
            path.lineTo(*_on_circle(shape.at, shape.inner, shape.end))
            _arc(path, shape.at, shape.inner, shape.end, shape.start)
            path.close()
        case Polygon(rounding=rounding) if rounding > 0:
            _widened(path, shape)
        case Polygon():
            polyline(path, shape.points)
            path.close()
    return path


def box(canvas: Canvas, bounds: Box) -> PDFPathObject:
    west, north, east, south = bounds
    path = canvas.beginPath()
    path.rect(west, north, east - west, south - north)
    return path


def polyline(path: PDFPathObject, points: tuple[Point, ...]) -> None:
    path.moveTo(*points[0])
    for point in points[1:]:
        path.lineTo(*point)


def _on_circle(at: Point, radius: float, angle: float) -> Point:
    return (at[0] + radius * sin(radians(angle)), at[1] - radius * cos(radians(angle)))


def _circle(path: PDFPathObject, at: Point, radius: float) -> None:
    path.moveTo(*_on_circle(at, radius, 0))
    _arc(path, at, radius, 0, 360)
    path.close()


def _arc(path: PDFPathObject, at: Point, radius: float, start: float, end: float) -> None:
    """Goes on from the point at `start` along the circle to that at `end`."""
    parts = max(1, ceil(abs(end - start) / FINEST_ARC))
    reach = 4 / 3 * tan(radians((end - start) / parts) / 4) * radius
    for one, other in pairwise(start + (end - start) * k / parts for k in range(parts + 1)):
        (x1, y1), (x2, y2) = _on_circle(at, radius, one), _on_circle(at, radius, other)
        c1, s1, c2, s2 = cos(radians(one)), sin(radians(one)), cos(radians(other)), sin(radians(other))
        path.curveTo(x1 + reach * c1, y1 + reach * s1, x2 - reach * c2, y2 - reach * s2, x2, y2)


def corners_of(polygon: Polygon) -> Iterator[tuple[Point, Point, Point, Point]]:
    """Each corner clockwise, with the outward normals of the sides before and after it, and where the sides of the
    widened polygon would meet."""
    corners = [point for k, point in enumerate(polygon.points) if point != polygon.points[k - 1]]
    if sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(corners, corners[1:] + corners[:1], strict=True)) < 0:
        corners.reverse()
    normals = [_normal(corners[k - 1], corner) for k, corner in enumerate(corners)]
    for k, (x, y) in enumerate(corners):
        before, after = normals[k], normals[(k + 1) % len(corners)]
        reach = polygon.rounding / (1 + before[0] * after[0] + before[1] * after[1])
        yield (x, y), before, after, (x + reach * (before[0] + after[0]), y + reach * (before[1] + after[1]))


def _widened(path: PDFPathObject, polygon: Polygon) -> None:
    """A polygon grown by its rounding: an arc round each corner that sticks out, a sharp corner where one goes in."""
    margin, begun = polygon.rounding, False
    for (x, y), before, after, first in corners_of(polygon):
        start = sweep = 0.0
        if before[0] * after[1] - before[1] * after[0] >= 0:
            start = degrees(atan2(before[0], -before[1]))
            sweep = (degrees(atan2(after[0], -after[1])) - start) % 360
            first = _on_circle((x, y), margin, start)
        (path.lineTo if begun else path.moveTo)(*first)
        begun = True
        if sweep:
            _arc(path, (x, y), margin, start, start + sweep)
    path.close()


def _normal(one: Point, other: Point) -> Point:
    """Outwards, for a side of a polygon whose corners go round clockwise."""
    dx, dy = other[0] - one[0], other[1] - one[1]
    length = hypot(dx, dy)
    return (dy / length, -dx / length)
