"""The board on the page: the same drawing as in print, with a name for everything that moves or can be pointed at.

`static/board.js` turns the sheets, moves the pieces and marks the sites; it knows nothing of a game.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from html import escape
from math import cos, pi, sin

from markupsafe import Markup

from engine.board import Board, DiceDesign, Disc, Fiducial, Sheet
from engine.core import COLOURS, Json
from engine.face import EMPTY, Face
from engine.registry import find_game
from engine.svg import INK, PAPER, UNKNOWN, defined, fixed, n, readable

LIFT = 3.4
"""How far north a piece is drawn for each piece below it, mm, so that a stack looks like one."""
REACH = 15.0
"""Radius of the area around a site that can be tapped, mm."""
MARGIN = 14.0
"""About what is played on, mm."""


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
    return replace(board, sheets=(replace(base, art=tuple(art)), *others))


def board_for(game: str, players: int, setup: Json | None) -> Board:
    """The board of a game that was set up so, without what only the camera needs."""
    return _board(game, players, json.dumps(setup, sort_keys=True))


def page_board(
    board: Board, faces: Mapping[str, str], turns: Mapping[str, int], *, label: str, prefix: str = ""
) -> Markup:
    """The board as part of a page; `prefix` keeps apart the ids of two boards on one page."""
    return _assembled(board, faces, turns, label, prefix, "".join(_definitions(board, prefix)))


def further_board(
    board: Board, faces: Mapping[str, str], turns: Mapping[str, int], *, label: str, prefix: str = ""
) -> Markup:
    """The same board once more on a page that has it already: it uses that one's definitions."""
    return _assembled(board, faces, turns, label, prefix, "")


def _assembled(
    board: Board, faces: Mapping[str, str], turns: Mapping[str, int], label: str, prefix: str, defs: str
) -> Markup:
    sheets = "".join(_sheet(sheet, turns.get(sheet.name, 0), prefix) for sheet in fixed(board))
    pieces = "".join(_piece(board, site, face, prefix) for site, face in faces.items() if site in board.sites)
    sites = "".join(
        f'<circle class="site" data-site="{escape(name)}" data-angle="{n(site.angle)}"{_die_turn(board, name)}'
        f' cx="{n(site.at[0])}" cy="{n(site.at[1])}" r="{n(_reach(board))}"/>'
        for name, site in board.sites.items()
    )
    return Markup(  # noqa: S704 - every name in it is the engine's own, and escaped
        f'<svg class="board" viewBox="{_view_box(board)}" role="group" aria-label="{escape(label)}"'
        f' data-prefix="{escape(prefix)}">{defs}'
        f'<g class="sheets">{sheets}</g><g class="dice"></g><g class="marks"></g><g class="pieces">{pieces}</g>'
        f'<g class="signs"></g><g class="sites">{sites}</g></svg>'
    )


def _view_box(board: Board) -> str:
    """What is played on, and a margin: without the fiducials the base is larger than the page needs."""
    west, north, east, south = _extent(board)
    width, height = board.base.size
    west, north = max(west - MARGIN, -width / 2), max(north - MARGIN, -height / 2)
    east, south = min(east + MARGIN, width / 2), min(south + MARGIN, height / 2)
    return f"{n(west)} {n(north)} {n(east - west)} {n(south - north)}"


def _extent(board: Board) -> tuple[float, float, float, float]:
    corners = [(site.at, (REACH, REACH)) for site in board.sites.values()]
    corners += [(sheet.at, (sheet.size[0] / 2, sheet.size[1] / 2)) for sheet in fixed(board)[1:]]
    return (
        min(at[0] - half[0] for at, half in corners),
        min(at[1] - half[1] for at, half in corners),
        max(at[0] + half[0] for at, half in corners),
        max(at[1] + half[1] for at, half in corners),
    )


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


def _definitions(board: Board, prefix: str) -> Iterable[str]:
    yield "<defs>"
    yield from (defined(sheet, prefix) for sheet in fixed(board))
    yield from (defined(board.by_name[name], prefix) for name in sorted(board.cards))
    for face in board.faces.lawful:
        card = f'<use href="#sheet-{prefix}{face.sheet}" transform="rotate({n(face.angle)})"/>'
        yield _symbol(face.name, card if face.sheet else _stacked(board, face), prefix)
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


def _stacked(board: Board, face: Face) -> str:
    """Pieces on top of each other, seen a little from the south, with the sign and the level on the uppermost."""
    pieces, parts = [board.pieces[name] for name in face.pieces], []
    up = 0.0
    for piece in pieces:
        wall = LIFT * min(piece.height / 10, 1)
        radius = piece.diameter / 2
        parts.append(_disc(radius, up, _darker(piece.colour)) + _disc(radius, up + wall, piece.colour))
        up += wall
    sign = readable(pieces[-1].colour)
    parts.append(f'<path d="{shape(face.kind, 0.36 * pieces[-1].diameter, -up)}" fill="{sign}"/>')
    if face.level:
        look = f'font-size="9.5" font-weight="600" fill="{readable(sign)}" text-anchor="middle"'
        parts.append(f'<text y="{n(-up + _sink(face.kind))}" dy=".36em" {look}>{face.level}</text>')
    return "".join(parts)


def _disc(radius: float, up: float, fill: str) -> str:
    return f'<circle cy="{n(-up)}" r="{n(radius)}" fill="{fill}" stroke="{INK}" stroke-width=".7"/>'


def _darker(colour: str) -> str:
    red, green, blue = (int(colour[k : k + 2], 16) * 7 // 10 for k in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _sink(colour: str) -> float:
    return 1.2 if colour == "yellow" else 0.0


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
