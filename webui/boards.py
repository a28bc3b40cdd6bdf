"""The board on the page: the same drawing as in print, with a name for everything that moves or can be pointed at.

`static/board.js` turns the sheets, moves the pieces and marks the sites; it knows nothing of a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from html import escape
from math import cos, pi, sin

from markupsafe import Markup

from engine.board import Board, DiceDesign, Disc, Fiducial, Polygon, Sector, Shape, Sheet, Text
from engine.core import COLOURS, Json
from engine.example import example_of
from engine.face import EMPTY, Face, spelled
from engine.registry import find_game
from engine.svg import INK, PAPER, UNKNOWN, fixed, n, pictures

WALL = 0.24
"""How much of a piece's height is seen of its side, as if from a little south of above."""
REACH = 15.0
"""Radius of the area around a site that can be tapped, mm."""
MARGIN = 14.0
"""About what is played on, mm."""
QUIET = 0.3
"""How much is left of the marks by which the camera tells how a sheet is turned: people look at the pieces."""
NAME, CELL_NAME, BELOW = 9.5, 5.9, 13.0
"""Size of a site's name, of that of a cell for cards, and how far south of the middle it is written where something
stands, mm."""


@lru_cache(maxsize=16)
def _board(game: str, players: int, setup: str) -> Board:
    board = find_game(game).board(players, json.loads(setup))
    base, *others = board.sheets
    # Fiducials and reference colours are for the camera: on the page they would only distract.
    patches = {patch.at for patch in board.patches}
    art = [
        shape
        for shape in base.art
        if not isinstance(shape, Fiducial) and not (isinstance(shape, Disc) and shape.at in patches)
    ]
    return replace(board, sheets=(replace(base, art=tuple(art)), *map(_quieter, others)))


def _quieter(sheet: Sheet) -> Sheet:
    """A sheet that turns, with what only tells the camera how it lies close to the colour of its ground."""
    ground, *art = sheet.art
    if sheet.turns < 2 or not isinstance(ground, Disc | Polygon) or ground.fill is None:
        return sheet
    return replace(sheet, art=(ground, *(_mixed(shape, ground.fill) for shape in art)))


def _mixed(shape: Shape, ground: str) -> Shape:
    if not isinstance(shape, Polygon | Sector) or shape.fill is None:
        return shape
    return replace(shape, fill=_between(ground, shape.fill, QUIET))


def _between(one: str, other: str, share: float) -> str:
    """A colour on the way from one to another."""
    pairs = ((int(one[k : k + 2], 16), int(other[k : k + 2], 16)) for k in (1, 3, 5))
    return "#" + "".join(f"{round(first + share * (second - first)):02x}" for first, second in pairs)


def has_names(board: Board) -> bool:
    """Whether the names of its sites are printed on a board."""
    written = {shape.text for sheet in board.sheets for shape in sheet.art if isinstance(shape, Text)}
    return bool(written & board.sites.keys())


def board_for(game: str, players: int, setup: Json | None) -> Board:
    """The board of a game that was set up so, without what only the camera needs."""
    return _board(game, players, json.dumps(setup, sort_keys=True))


@lru_cache(maxsize=16)
def example_svg(game: str) -> str:
    """The board of a game as a picture, in the middle of a match."""
    setup, position = example_of(game)
    board = board_for(game, position.players, setup)
    shown = {site: face for site, face in position.faces().items() if site in board.sites}
    faces = spelled(shown)
    defs = "".join(_definitions(board, "", set(faces.values())))
    drawing = _assembled(board, faces, {}, position.rules.game.title, "", defs)
    # Nobody points at anything in a picture.
    seen = str(drawing).partition('<g class="sites">')[0] + "</svg>"
    if board.cards and shown:
        seen = re.sub('viewBox="[^"]*"', f'viewBox="{_about(board, shown)}"', seen, count=1)
    return seen.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def _about(board: Board, sites: Iterable[str], margin: float = 45.0) -> str:
    """The part of a board, as wide as high, in which these sites are."""
    places = [board.sites[site].at for site in sites if board.sites[site].sheet == "base"]
    (west, east), (north, south) = ((min(each), max(each)) for each in zip(*places, strict=True))
    side = max(east - west, south - north) + 2 * margin
    return f"{n((west + east - side) / 2)} {n((north + south - side) / 2)} {n(side)} {n(side)}"


def page_board(
    board: Board,
    faces: Mapping[str, str],
    turns: Mapping[str, int],
    *,
    label: str,
    prefix: str = "",
    named: bool = True,
) -> Markup:
    """The board as part of a page; `prefix` keeps apart the ids of two boards on one page, and `named` says whether
    the names of sites are written on it where it has none."""
    return _assembled(board, faces, turns, label, prefix, "".join(_definitions(board, prefix)), named)


def further_board(
    board: Board,
    faces: Mapping[str, str],
    turns: Mapping[str, int],
    *,
    label: str,
    prefix: str = "",
    named: bool = True,
) -> Markup:
    """The same board once more on a page that has it already: it uses that one's definitions."""
    return _assembled(board, faces, turns, label, prefix, "", named)


def _assembled(
    board: Board,
    faces: Mapping[str, str],
    turns: Mapping[str, int],
    label: str,
    prefix: str,
    defs: str,
    named: bool = False,
) -> Markup:
    sheets = "".join(_sheet(sheet, turns.get(sheet.name, 0), prefix) for sheet in fixed(board))
    pieces = "".join(_piece(board, site, face, prefix) for site, face in faces.items() if site in board.sites)
    rules = find_game(board.game).configure()
    rows = {site for seats in rules.game.seats for row in rules.rows(seats) for site in row}
    sites = "".join(_site(board, name, name in rows) for name in board.sites)
    cards = ' data-cards="1"' if board.cards else ""
    return Markup(  # noqa: S704 - every name in it is the engine's own, and escaped
        f'<svg class="board" viewBox="{_view_box(board)}" role="group" aria-label="{escape(label)}"'
        f' data-prefix="{escape(prefix)}"{_names(board) if named else ""}{cards}>{defs}'
        f'<g class="sheets">{sheets}</g><g class="dice"></g><g class="beside"></g><g class="marks"></g>'
        f'<g class="pieces">{pieces}</g>'
        f'<g class="signs"></g><g class="sites">{sites}</g></svg>'
    )


def _site(board: Board, name: str, in_row: bool) -> str:
    """Where a site can be pointed at."""
    site, row = board.sites[name], ' class="row"' if in_row else ""
    place = f'cx="{n(site.at[0])}" cy="{n(site.at[1])}" r="{n(_reach(board))}"'
    angle = f' data-angle="{n(site.angle)}"' if site.angle else ""
    return f'<circle data-site="{escape(name)}"{row}{angle}{_die_turn(board, name)} {place}/>'


def _names(board: Board) -> str:
    """How the script is to write what sites are called: how large, how far below what stands there, and whether always
    (`full`), only in free cells, or only of a site that is pointed at, where more would hide what is printed."""
    look = "quiet" if has_names(board) or board.design is not None else "cells" if board.cards else "full"
    size, down = (CELL_NAME, 0.0) if look == "cells" else (NAME, BELOW)
    return f' data-names="{n(size)} {n(down)} {look}"'


def _view_box(board: Board) -> str:
    """What is played on, and a margin: without the fiducials the base is larger than the page needs."""
    west, north, east, south = _extent(board)
    width, height = board.base.size
    # A stack at the edge is drawn beyond it: nothing is cut off.
    west, north = max(west - MARGIN, -width / 2), north - MARGIN / 2
    east, south = min(east + MARGIN, width / 2), min(south + MARGIN, height / 2)
    return f"{n(west)} {n(north)} {n(east - west)} {n(south - north)}"


def _extent(board: Board) -> tuple[float, float, float, float]:
    tall = max((_height(board, face) for face in board.faces.lawful), default=0.0)
    corners = [(site.at, (REACH, REACH)) for site in board.sites.values()]
    corners += [((site.at[0], site.at[1] - tall), (REACH, REACH)) for site in board.sites.values()]
    corners += [(sheet.at, (sheet.size[0] / 2, sheet.size[1] / 2)) for sheet in fixed(board)[1:]]
    return (
        min(at[0] - half[0] for at, half in corners),
        min(at[1] - half[1] for at, half in corners),
        max(at[0] + half[0] for at, half in corners),
        max(at[1] + half[1] for at, half in corners),
    )


def _height(board: Board, face: Face) -> float:
    """How far north the top of a stack is drawn."""
    return sum(WALL * board.pieces[name].height for name in face.pieces)


def _reach(board: Board) -> float:
    return 8.0 if board.cards else REACH


def _sheet(sheet: Sheet, turn: int, prefix: str) -> str:
    x, y = sheet.centre
    turning = f'transform="rotate({n(sheet.angle_at(turn))} {n(x)} {n(y)})"'
    told = f'data-sheet="{sheet.name}" data-turns="{sheet.turns}" data-angle="{n(sheet.angle)}" data-turn="{turn}"'
    place = f'<use href="#sheet-{prefix}{sheet.name}" x="{n(sheet.at[0])}" y="{n(sheet.at[1])}"/>'
    return f'<g class="sheet" {told} data-x="{n(x)}" data-y="{n(y)}" {turning}>{place}</g>'


def _piece(board: Board, site: str, face: str, prefix: str) -> str:
    x, y = board.sites[site].at
    known = face if board.faces.get(face, EMPTY) in board.faces.lawful else "unknown"
    place = f"translate({n(x)} {n(y)}) rotate({n(board.sites[site].angle)})"
    return (
        f'<use class="piece" data-site="{escape(site)}" data-face="{escape(face)}"'
        f' href="#face-{prefix}{escape(known)}" transform="{place}"/>'
    )


def _definitions(board: Board, prefix: str, shown: Collection[str] | None = None) -> Iterable[str]:
    """All that can be drawn on a board; of faces only those `shown`, where nothing will change."""
    faces = [face for face in board.faces.lawful if shown is None or face.name in shown]
    cards = board.cards if shown is None else {face.sheet for face in faces if face.sheet}
    yield "<defs>"
    yield from pictures([*fixed(board), *(board.by_name[name] for name in sorted(cards))], prefix)
    for face in faces:
        yield _card(face, prefix) if face.sheet else _symbol(face.name, _stacked(board, face), prefix)
    if board.design is not None:
        for colour in board.design.colours:
            for pips in board.design.pips:
                drawn = _die(board.design, pips, colour)
                yield f'<symbol id="die-{prefix}{pips}-{colour}" overflow="visible">{drawn}</symbol>'
    query = f'<circle r="11" fill="{UNKNOWN}" stroke="{INK}" stroke-width=".8"/>'
    letter = f'<text font-size="13" font-weight="600" fill="{PAPER}" text-anchor="middle" dy=".35em">?</text>'
    yield _symbol("unknown", query + letter, prefix)
    yield "</defs>"


def _die(design: DiceDesign, pips: int, colour: str) -> str:
    """A die as it is printed on the first field of a card."""
    side = n(design.side)
    square = f'<rect x="{n(-design.side / 2)}" y="{n(-design.side / 2)}" width="{side}" height="{side}" rx="3"'
    dots = "".join(f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(design.pip)}" fill="{INK}"/>' for x, y in design.pips[pips])
    light = f'<circle r="{n(design.radius)}" fill="{design.light}"/>'
    return f'{square} fill="{design.colours[colour]}"/>{light}{dots}'


def _die_turn(board: Board, site: str) -> str:
    """How a die on a site is turned; nothing for other sites."""
    turns = [90 * fields.index(site) for fields in board.fields.values() if site in fields]
    return f' data-die="{turns[0]}"' if turns else ""


def _symbol(face: str, drawn: str, prefix: str) -> str:
    return f'<symbol id="face-{prefix}{escape(face)}" overflow="visible">{drawn}</symbol>'


def _card(face: Face, prefix: str) -> str:
    turning = f' transform="rotate({n(face.angle)})"' if face.angle else ""
    return f'<use id="face-{prefix}{escape(face.name)}" href="#sheet-{prefix}{escape(face.sheet)}"{turning}/>'


def _stacked(board: Board, face: Face) -> str:
    """Pieces on top of each other as they look on the table, seen a little from the south. In white, on what tells
    whose it is, the player's shape; beside a stack of several, how many storeys it has."""
    pieces, parts = [board.pieces[name] for name in face.pieces], []
    up = 0.0
    for piece in pieces:
        wall = WALL * piece.height
        parts.append(_side(piece.diameter / 2, up, wall, piece.colour))
        up += wall
    if face.kind not in COLOURS:
        # Nobody's: it has no sign.
        return "".join(parts)
    top = pieces[-1]
    # Their looks stand here and not in a style sheet: a part that is used elsewhere does not know where it is.
    edge = f'stroke="{INK}" stroke-opacity=".7" stroke-width=".9" stroke-linejoin="round"'
    parts.append(f'<path d="{shape(face.kind, 0.21 * top.diameter, -up)}" fill="{PAPER}" {edge}/>')
    if face.level > 1:
        x, y = 0.45 * top.diameter, -up - 0.3 * top.diameter
        look = f'fill="{PAPER}" font-size="10" font-weight="600" text-anchor="middle"'
        parts.append(f'<circle cx="{n(x)}" cy="{n(y)}" r="6.6" fill="{INK}" stroke="{PAPER}" stroke-width="1.2"/>')
        parts.append(f'<text x="{n(x)}" y="{n(y)}" dy=".36em" {look}>{face.level}</text>')
    return "".join(parts)


def _side(radius: float, up: float, wall: float, colour: str) -> str:
    """A round piece: its side from the table up, and its top."""
    edge = f'stroke="{INK}" stroke-width=".7"'
    side = (
        f"M{n(-radius)} {n(-up)}a{n(radius)} {n(radius)} 0 0 0 {n(2 * radius)} 0v{n(-wall)}"
        f"a{n(radius)} {n(radius)} 0 0 1 {n(-2 * radius)} 0z"
    )
    top = f'<circle cy="{n(-up - wall)}" r="{n(radius)}" fill="{colour}" {edge}/>'
    return f'<path d="{side}" fill="{_between(INK, colour, 0.68)}" {edge}/>{top}'


def shape(colour: str, size: float, y: float = 0.0) -> str:
    """A player's symbol, so that nobody needs to tell colours apart: disc, triangle, square, diamond."""
    if colour not in COLOURS[1:]:
        return (
            f"M{n(-size)} {n(y)}a{n(size)} {n(size)} 0 1 1 {n(2 * size)} 0a{n(size)} {n(size)} 0 1 1 {n(-2 * size)} 0z"
        )
    corners, first, reach = {"yellow": (3, -90, 1.3), "green": (4, -45, 1.28), "blue": (4, -90, 1.25)}[colour]
    angles = [(first + 360 / corners * k) * pi / 180 for k in range(corners)]
    sunk = y + (0.12 * size if colour == "yellow" else 0)
    points = [f"{n(reach * size * cos(angle))} {n(sunk + reach * size * sin(angle))}" for angle in angles]
    return f"M{'L'.join(points)}z"


def sign_svg(colour: str) -> Markup:
    """A player's symbol in their colour, shown beside a name."""
    return Markup(  # noqa: S704 - made of numbers and a colour's name
        f'<svg class="sign sign-{escape(colour)}" viewBox="-12 -12 24 24" aria-hidden="true">'
        f'<path d="{shape(colour, 8.0)}"/></svg>'
    )
