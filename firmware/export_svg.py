"""A board as SVG, still or as the film of a match: drawn from the same shapes as the print and the simulation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from engine.board import Board, Colour, Disc, Fiducial, Line, Point, Polygon, Sector, Shape, Sheet, Text, turned
from firmware.store_record import Moment, Turns
from hardware.virtual.art import marker_cells

SECONDS = 1.2
"""An action's time in a film."""
TURNING = 0.4
"""The share of that time in which a sheet turns."""
INK, PAPER, UNKNOWN = "#23292e", "#ffffff", "#8a8a8a"
CAPTION = 16.0
"""Height of the line below a film, mm."""


def board_svg(board: Board, faces: Mapping[str, str], turns: Turns) -> str:
    """A picture of the board with these faces on its sites and its sheets in these positions."""
    shown = [_standing(board, site, face) for site, face in faces.items() if site in board.sites]
    parts = [*_definitions(board, faces.values()), *(_laid(sheet, turns.get(sheet.name, 0)) for sheet in fixed(board))]
    return _document(board, 0.0, [*parts, *shown])


def film_svg(board: Board, moments: Sequence[Moment]) -> str:
    """The film of a match: one picture a moment, for ever from the beginning."""
    spans: dict[tuple[str, str], list[int]] = {}
    for number, moment in enumerate(moments):
        for site, face in moment.faces.items():
            if site in board.sites:
                spans.setdefault((site, face), []).append(number)
    parts = _definitions(board, {face for _, face in spans})
    parts += [_laid(sheet, 0, _turning(sheet, moments)) for sheet in fixed(board)]
    parts += [_seen(_standing(board, site, face), when, len(moments)) for (site, face), when in spans.items()]
    parts += [_seen(_caption(board, moment.caption), [k], len(moments)) for k, moment in enumerate(moments)]
    return _document(board, CAPTION, parts)


def fixed(board: Board) -> list[Sheet]:
    """The sheets that always lie on the table, lowest first; cards lie only where a face says so."""
    loose = {sheet for sheet, _ in board.cards.values()}
    return sorted((sheet for sheet in board.sheets if sheet.name not in loose), key=lambda sheet: sheet.z)


def _document(board: Board, below: float, parts: Iterable[str]) -> str:
    width, height = board.base.size
    box = f"{_n(-width / 2)} {_n(-height / 2)} {_n(width)} {_n(height + below)}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="Source Sans 3, sans-serif">'
    ground = (
        f'<rect x="{_n(-width / 2)}" y="{_n(height / 2)}" width="{_n(width)}" height="{_n(below)}" fill="{PAPER}"/>'
    )
    return "\n".join([head, f"<title>{escape(board.game)}</title>", *([ground] if below else []), *parts, "</svg>\n"])


# Sheets


def _definitions(board: Board, faces: Iterable[str]) -> list[str]:
    cards = {board.cards[face][0] for face in faces if face in board.cards}
    wanted = [*fixed(board), *(board.by_name[name] for name in sorted(cards))]
    return ["<defs>", *map(_defined, wanted), "</defs>"]


def _defined(sheet: Sheet) -> str:
    """The sheet's picture in its own frame, with what is cut away masked out."""
    width, height = sheet.size
    kept, *cut = sheet.outline
    mask = "".join([_outline(kept, PAPER), *(_outline(shape, "#000000") for shape in cut)])
    box = f'x="{_n(-width / 2)}" y="{_n(-height / 2)}" width="{_n(width)}" height="{_n(height)}"'
    art = "".join(map(shape_svg, sheet.art))
    return (
        f'<mask id="cut-{sheet.name}" maskUnits="userSpaceOnUse" {box}>{mask}</mask>'
        f'<g id="sheet-{sheet.name}" mask="url(#cut-{sheet.name})"><rect {box} fill="{PAPER}"/>{art}</g>'
    )


def _laid(sheet: Sheet, turn: float, film: str = "") -> str:
    x, y = sheet.centre
    place = f'<use href="#sheet-{sheet.name}" x="{_n(sheet.at[0])}" y="{_n(sheet.at[1])}"/>'
    return f'<g transform="rotate({_n(sheet.angle_at(turn))} {_n(x)} {_n(y)})">{film}{place}</g>'


def _standing(board: Board, site: str, face: str) -> str:
    """What a face looks like on its site: a card, a stack of rounds with its height, or a query."""
    x, y = board.sites[site].at
    if face in board.cards:
        card, angle = board.cards[face]
        place = f"translate({_n(x)} {_n(y)}) rotate({_n(board.sites[site].angle + angle)})"
        return f'<use href="#sheet-{card}" transform="{place}"/>'
    return "".join(map(shape_svg, stack(board, site, face)))


# Shapes


def stack(board: Board, site: str, face: str) -> list[Disc | Text]:
    """What stands on a site, seen from above: rounds, with the height where the face tells one."""
    at = board.sites[site].at
    pieces = [board.pieces[name] for name in board.stacks.get(face, ())]
    if not pieces:
        return [Disc(at, 11.0, UNKNOWN, INK, 0.8), Text(at, face, 9.0, PAPER)]
    rounds = [Disc(at, piece.diameter / 2, piece.colour, INK, 0.8) for piece in pieces]
    height = face[len(face.rstrip("0123456789")) :]
    top = pieces[-1]
    return [*rounds, *([Text(at, height, 0.6 * top.diameter, _readable(top.colour), bold=True)] if height else [])]


def _readable(ground: Colour) -> Colour:
    """What can be read on a ground of this colour."""
    red, green, blue = (int(ground[k : k + 2], 16) for k in (1, 3, 5))
    return INK if 0.3 * red + 0.6 * green + 0.1 * blue > 140 else PAPER


def shape_svg(shape: Shape) -> str:
    """One shape of a sheet's art."""
    match shape:
        case Disc() | Polygon():
            ink = f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}"' if shape.stroke else ""
            grown = isinstance(shape, Polygon) and shape.rounding > 0 and shape.fill
            if grown and shape.fill:
                return _outline(shape, shape.fill) + (_edge(shape, f' fill="none"{ink}') if ink else "")
            return _edge(shape, f' fill="{shape.fill or "none"}"{ink}')
        case Line():
            round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
            ink = f'fill="none" stroke="{shape.stroke}" stroke-width="{_n(shape.width)}" {round_ends}'
            return f'<polyline points="{_points(shape.points)}" {ink}/>'
        case Sector():
            return _sector(shape)
        case Text():
            at = f'transform="translate({_n(shape.at[0])} {_n(shape.at[1])}) rotate({_n(shape.angle)})"'
            weight = ' font-weight="bold"' if shape.bold else ""
            look = f'font-size="{_n(shape.size)}" fill="{shape.fill}"{weight} text-anchor="middle" dy=".35em"'
            return f"<text {at} {look}>{escape(shape.text)}</text>"
        case Fiducial():
            return _fiducial(shape)


def _outline(shape: Polygon | Disc, colour: str) -> str:
    """A shape filled to its outermost edge: a polygon grown by its rounding."""
    grown = shape.rounding if isinstance(shape, Polygon) else 0.0
    ink = f' stroke="{colour}" stroke-width="{_n(2 * grown)}" stroke-linejoin="round"' if grown else ""
    return _edge(shape, f' fill="{colour}"{ink}')


def _edge(shape: Polygon | Disc, look: str) -> str:
    if isinstance(shape, Polygon):
        return f'<polygon points="{_points(shape.points)}"{look}/>'
    return f'<circle cx="{_n(shape.at[0])}" cy="{_n(shape.at[1])}" r="{_n(shape.radius)}"{look}/>'


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
    return f"A{_n(radius)} {_n(radius)} 0 0 {clockwise} {_pair(to)}"


def _fiducial(shape: Fiducial) -> str:
    cells = marker_cells(shape.marker)
    side, count = shape.size / len(cells), len(cells)
    white = "".join(f"M{x} {y}h1v1h-1z" for y in range(count) for x in range(count) if cells[y, x])
    place = f"translate({_n(shape.at[0])} {_n(shape.at[1])}) rotate({_n(shape.angle)}) scale({_n(side)})"
    middle = f"translate({_n(-count / 2)} {_n(-count / 2)})"
    black = f'<rect width="{count}" height="{count}" fill="#000000"/>'
    return f'<g transform="{place} {middle}">{black}<path d="{white}" fill="{PAPER}"/></g>'


# Film


def _caption(board: Board, text: str) -> str:
    size = 0.7 * CAPTION
    look = f'font-size="{_n(size)}" fill="{INK}" text-anchor="middle"'
    return f'<text y="{_n(board.base.size[1] / 2 + size)}" {look}>{escape(text)}</text>'


def _seen(content: str, when: Sequence[int], moments: int) -> str:
    """Something that is seen in these moments and in no other; where nothing moves, the first moment is seen."""
    shown = [False] * moments
    for k in when:
        shown[k] = True
    changes = [0, *(k for k in range(1, moments) if shown[k] != shown[k - 1])]
    words = ["visible" if shown[k] else "hidden" for k in changes]
    times = ";".join(_t(k / moments) for k in changes)
    film = _animated('<animate attributeName="visibility" calcMode="discrete"', ";".join(words), times, moments)
    return f'<g visibility="{words[0]}">{film}{content}</g>'


def _turning(sheet: Sheet, moments: Sequence[Moment]) -> str:
    """A sheet that turns at the beginning of the moments in which it lies otherwise than before."""
    if sheet.turns == 1:
        return ""
    turns = [moment.turns.get(sheet.name, 0) for moment in moments]
    x, y = sheet.centre
    keys = [(0.0, turns[0])]
    for k in range(1, len(turns)):
        if turns[k] != turns[k - 1]:
            keys += [(k / len(turns), turns[k - 1]), ((k + TURNING) / len(turns), turns[k])]
    keys.append((1.0, turns[-1]))
    values = ";".join(f"{_n(sheet.angle_at(turn))} {_n(x)} {_n(y)}" for _, turn in keys)
    times = ";".join(_t(time) for time, _ in keys)
    return _animated('<animateTransform attributeName="transform" type="rotate"', values, times, len(moments))


def _animated(head: str, values: str, times: str, moments: int) -> str:
    clock = f'dur="{_n(moments * SECONDS)}s" repeatCount="indefinite"'
    return f'{head} values="{values}" keyTimes="{times}" {clock}/>'


def _n(number: float) -> str:
    """Millimetres or degrees, to the hundredth and as short as that can be."""
    return f"{round(number, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def _t(share: float) -> str:
    return f"{share:.5f}".rstrip("0").rstrip(".")


def _pair(point: Point) -> str:
    return f"{_n(point[0])} {_n(point[1])}"


def _points(points: Sequence[Point]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)
