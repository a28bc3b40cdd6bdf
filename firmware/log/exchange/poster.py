"""A picture of how a match ended, to hang up or send around: the last position, who played, who won, when."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from engine.board import Board
from engine.core import Json
from engine.svg import INK
from firmware.log.exchange.gif import Studio
from firmware.log.match.record import Moment, Player
from hardware.printing.fonts import BOLD, REGULAR, font_file

WIDTH = 1200
"""Pixels."""
EDGE, LINE = 48, 64
"""Pixels: the margin, and from one line of text to the next."""
PAPER, SOFT = "#ffffff", "#5b6168"
PAINTS = {"red": "#d0202e", "yellow": "#f4c20d", "green": "#17853b", "blue": "#1f55c4"}
_BIG, _SMALL = 46, 32


def poster(
    board: Board, last: Moment, title: str, players: Sequence[Player], result: Json | None, started: str
) -> bytes:
    """A PNG."""
    table = Image.fromarray(Studio(board, WIDTH - 2 * EDGE).picture(last))
    image = Image.new("RGB", (WIDTH, 2 * EDGE + table.height + LINE * (2 + (len(players) + 1) // 2)), PAPER)
    pen = ImageDraw.Draw(image)
    pen.text((EDGE, EDGE), title, INK, _fitting(title, BOLD, _BIG, WIDTH // 2), anchor="lt")
    pen.text((WIDTH - EDGE, EDGE), _day(started), SOFT, _font(REGULAR, _SMALL), anchor="rt")
    image.paste(table, (EDGE, EDGE + LINE + EDGE // 2))
    first = EDGE + LINE + EDGE // 2 + table.height + LINE
    for seat, player in enumerate(players):
        place = (EDGE + seat % 2 * WIDTH // 2, first + seat // 2 * LINE)
        _name(pen, place, player, won=seat in _winners(result))
    out = BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def _name(pen: ImageDraw.ImageDraw, at: tuple[int, int], player: Player, won: bool) -> None:
    x, y = at
    pen.ellipse((x, y - 16, x + 32, y + 16), fill=PAINTS[player.colour], outline=INK, width=2)
    style = BOLD if won else REGULAR
    font = _fitting(player.title, style, _BIG, WIDTH // 2 - 2 * EDGE - 90)
    pen.text((x + 48, y), player.title, INK, font, anchor="lm")
    if won:
        _star(pen, (x + 48 + font.getlength(player.title) + 34, y))


def _star(pen: ImageDraw.ImageDraw, at: tuple[float, float]) -> None:
    tips = [(9 if k % 2 else 20, k * pi / 5) for k in range(10)]
    points = [(at[0] + reach * sin(angle), at[1] - reach * cos(angle)) for reach, angle in tips]
    pen.polygon(points, fill=PAINTS["yellow"], outline=INK)


def _winners(result: Json | None) -> Sequence[int]:
    winner = (result or {}).get("winner")
    return winner if isinstance(winner, list) else [] if winner is None else [winner]


def _day(started: str) -> str:
    try:
        return datetime.fromisoformat(started).astimezone().date().isoformat()
    except ValueError:
        return started


def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(font_file(name)), size)


def _fitting(text: str, name: str, size: int, width: int) -> ImageFont.FreeTypeFont:
    """A font in which the text is no wider than this."""
    while (font := _font(name, size)).getlength(text) > width and size > _SMALL // 2:
        size -= 2
    return font
