"""A board as SVG: drawn from the same shapes as the print and the simulation, for films, files and the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby

from engine.board import Board, Disc, Fiducial, Line, Point, Polygon, Sector, Shape, Sheet, Text, turned
from engine.face import Face
from engine.fiducial_cells import SIDE, white_cells

INK, PAPER, UNKNOWN = "#23292e", "#ffffff", "#8a8a8a"


def board_svg(board: Board, faces: Mapping[str, Face], turns: Mapping[str, int]) -> str:
    """A picture of the board with these faces on its sites and its sheets in these positions."""
    shown = [standing(board, site, face) for site, face in faces.items() if site in board.sites]
    parts = [*definitions(board, faces.values()), *(laid(sheet, turns.get(sheet.name, 0)) for sheet in fixed(board))]
    return document(board, 0.0, [*parts, *shown])


def fixed(board: Board) -> list[Sheet]:
    """The sheets that always lie on the table, lowest first; cards lie only where a face says so."""
    return sorted((sheet for sheet in board.sheets if sheet.name not in board.cards), key=lambda sheet: sheet.z)


def view_box(board: Board, below: float = 0.0) -> str:
    """All of the base, with a strip below it if wished."""
    width, height = board.base.size
    return f"{n(-width / 2)} {n(-height / 2)} {n(width)} {n(height + below)}"


def document(board: Board, below: float, parts: Iterable[str]) -> str:
    width, height = board.base.size
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box(board, below)}"'
        ' font-family="Source Sans 3, sans-serif">'
    )
    ground = f'<rect x="{n(-width / 2)}" y="{n(height / 2)}" width="{n(width)}" height="{n(below)}" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(board.game)}</title>", *([ground] if below else []), *parts, "</svg>\n"])


# Sheets


def definitions(board: Board, faces: Iterable[Face]) -> list[str]:
    """The pictures of all sheets that lie on the table when these faces are shown."""
    cards = {face.sheet for face in faces if face.sheet}
    wanted = [*fixed(board), *(board.by_name[name] for name in sorted(cards))]
    return ["<defs>", *pictures(wanted), "</defs>"]


def pictures(sheets: Iterable[Sheet], prefix: str = "") -> Iterator[str]:
    """Each sheet's picture in its own frame, with what is cut away masked out; `prefix` keeps two boards' ids apart."""
    cuts: dict[str, str] = {}
    for sheet in sheets:
        width, height = sheet.size
        kept, *cut = sheet.outline
        box = f'x="{n(-width / 2)}" y="{n(-height / 2)}" width="{n(width)}" height="{n(height)}"'
        holes = "".join(_outline(shape, "#000000") for shape in cut)
        mask = f'maskUnits="userSpaceOnUse" {box}>{_outline(kept, PAPER)}{holes}</mask>'
        # Cards that are cut alike have one mask.
        if mask not in cuts:
            cuts[mask] = f"cut-{prefix}{sheet.name}"
            yield f'<mask id="{cuts[mask]}" {mask}'
        ground = "" if _is_ground(sheet.art[:1], kept) else f'<rect {box} fill="{PAPER}"/>'
        yield f'<g id="sheet-{prefix}{sheet.name}" mask="url(#{cuts[mask]})">{ground}{_art(sheet.art)}</g>'


def _is_ground(shapes: Sequence[Shape], kept: Shape) -> bool:
    """Whether a sheet's art begins with all that is kept of it."""
    return any(isinstance(shape, Disc | Polygon) and shape.fill is not None and shape == kept for shape in shapes)


def laid(sheet: Sheet, turn: float, film: str = "") -> str:
    """A sheet where it lies on the table."""
    x, y = sheet.centre
    place = f'<use href="#sheet-{sheet.name}" x="{n(sheet.at[0])}" y="{n(sheet.at[1])}"/>'
    return f'<g transform="rotate({n(sheet.angle_at(turn))} {n(x)} {n(y)})">{film}{place}</g>'


def standing(board: Board, site: str, face: Face) -> str:
    """What a face looks like on its site: a card, a stack of rounds with its level, or a query."""
    x, y = board.sites[site].at
    if face.sheet:
        place = f"translate({n(x)} {n(y)}) rotate({n(board.sites[site].angle + face.angle)})"
        return f'<use href="#sheet-{face.sheet}" transform="{place}"/>'
    return "".join(map(shape_svg, stack(board, site, face)))


# Shapes


def stack(board: Board, site: str, face: Face) -> list[Disc | Text]:
    """What stands on a site, seen from above: rounds, with the level where the face has one."""
    at = board.sites[site].at
    pieces = [board.pieces[name] for name in face.pieces]
    if not pieces:
        return [Disc(at, 11.0, UNKNOWN, INK, 0.8), Text(at, face.name, 9.0, PAPER)]
    rounds = [Disc(at, piece.diameter / 2, piece.colour, INK, 0.8) for piece in pieces]
    top = pieces[-1]
    level = Text(at, str(face.level), 0.6 * top.diameter, readable(top.colour), bold=True)
    return [*rounds, level] if face.level else [*rounds]


def readable(ground: str) -> str:
    """What can be read on a ground of this colour."""
    red, green, blue = (int(ground[k : k + 2], 16) for k in (1, 3, 5))
    return INK if 0.3 * red + 0.6 * green + 0.1 * blue > 140 else PAPER


def _art(shapes: Iterable[Shape]) -> str:
    """The shapes of a sheet; those that follow each other and look alike are one path."""
    return "".join(_path(look, alike) if look else "".join(map(shape_svg, alike)) for look, alike in _by_look(shapes))


def _by_look(shapes: Iterable[Shape]) -> Iterator[tuple[str, list[Shape]]]:
    return ((look, list(alike)) for look, alike in groupby(shapes, _look))


def _look(shape: Shape) -> str:
    """How a line or a plain area looks; nothing for any other shape."""
    match shape:
        case Line():
            round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
            return f'fill="none" stroke="{shape.stroke}" stroke-width="{n(shape.width)}" {round_ends}'
        case Polygon() if shape.fill and not shape.stroke and not shape.rounding:
            return f'fill="{shape.fill}"'
    return ""


def _path(look: str, shapes: Iterable[Shape]) -> str:
    return f'<path d="{"".join(map(_run, shapes))}" {look}/>'


def _run(shape: Shape) -> str:
    if isinstance(shape, Polygon):
        # All the same way round, or those that overlap would leave a hole.
        points = shape.points if _area(shape.points) > 0 else shape.points[::-1]
        return f"M{' '.join(map(_pair, points))}z"
    assert isinstance(shape, Line), "only lines and polygons have a look"
    return f"M{' '.join(map(_pair, shape.points))}"


def _area(points: Sequence[Point]) -> float:
    """Twice that of a polygon; less than 0 if it runs anticlockwise."""
    return sum(x * v - u * y for (x, y), (u, v) in zip(points, (*points[1:], points[0]), strict=True))


def shape_svg(shape: Shape) -> str:
    """One shape of a sheet's art."""
    match shape:
        case Disc() | Polygon():
            ink = f' stroke="{shape.stroke}" stroke-width="{n(shape.width)}"' if shape.stroke else ""
            grown = isinstance(shape, Polygon) and shape.rounding > 0 and shape.fill
            if grown and shape.fill:
                return _outline(shape, shape.fill) + (_edge(shape, f' fill="none"{ink}') if ink else "")
            return _edge(shape, f' fill="{shape.fill or "none"}"{ink}')
        case Line():
            return _path(_look(shape), [shape])
        case Sector():
            return _sector(shape)
        case Text():
            turning = f" rotate({n(shape.angle)})" if shape.angle else ""
            at = f'transform="translate({n(shape.at[0])} {n(shape.at[1])}){turning}"'
            weight = ' font-weight="bold"' if shape.bold else ""
            look = f'font-size="{n(shape.size)}" fill="{shape.fill}"{weight} text-anchor="middle" dy=".35em"'
            return f"<text {at} {look}>{escape(shape.text)}</text>"
        case Fiducial():
            return _fiducial(shape)


def _outline(shape: Polygon | Disc, colour: str) -> str:
    """A shape filled to its outermost edge: a polygon grown by its rounding."""
    grown = shape.rounding if isinstance(shape, Polygon) else 0.0
    ink = f' stroke="{colour}" stroke-width="{n(2 * grown)}" stroke-linejoin="round"' if grown else ""
    return _edge(shape, f' fill="{colour}"{ink}')


def _edge(shape: Polygon | Disc, look: str) -> str:
    if isinstance(shape, Polygon):
        return f'<polygon points="{_points(shape.points)}"{look}/>'
    return f'<circle cx="{n(shape.at[0])}" cy="{n(shape.at[1])}" r="{n(shape.radius)}"{look}/>'


def _sector(shape: Sector) -> str:
    span = shape.end - shape.start
    steps = [shape.start + span * k / 4 for k in range(5)]
    out, back = ([_round(shape.at, radius, angle) for angle in steps] for radius in (shape.outer, shape.inner))
    path = [f"M{_pair(out[0])}", *(_arc(shape.outer, 1, to) for to in out[1:])]
    path += [f"L{_pair(back[-1])}", *(_arc(shape.inner, 0, to) for to in back[-2::-1])]
    return f'<path d="{"".join(path)}Z" fill="{shape.fill}"/>'


def _round(at: Point, radius: float, angle: float) -> Point:
    x, y = turned((0.0, -radius), angle)
    return (at[0] + x, at[1] + y)


def _arc(radius: float, clockwise: int, to: Point) -> str:
    return f"A{n(radius)} {n(radius)} 0 0 {clockwise} {_pair(to)}"


def _fiducial(shape: Fiducial) -> str:
    white = "".join(f"M{x} {y}h1v1h-1z" for x, y in white_cells(shape.id))
    place = f"translate({n(shape.at[0])} {n(shape.at[1])}) rotate({n(shape.angle)}) scale({n(shape.size / SIDE)})"
    middle = f"translate({n(-SIDE / 2)} {n(-SIDE / 2)})"
    black = f'<rect width="{SIDE}" height="{SIDE}" fill="#000000"/>'
    return f'<g class="fiducial" transform="{place} {middle}">{black}<path d="{white}" fill="{PAPER}"/></g>'


def n(number: float) -> str:
    """Millimetres or degrees, to the hundredth and as short as that can be."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _pair(point: Point) -> str:
    return f"{n(point[0])} {n(point[1])}"


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{n(x)},{n(y)}" for x, y in points)
