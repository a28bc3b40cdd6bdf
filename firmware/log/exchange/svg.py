"""An animation of a match as SVG; the board itself is drawn by `engine.svg`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from engine.board import Board, Sheet
from engine.face import Face
from engine.svg import INK, board_svg, definitions, document, fixed, laid, n, stack, standing
from firmware.log.match.record import Moment

SECONDS = 1.2
"""Seconds per action in an animation."""
TURNING = 0.4
"""The share of that time in which a sheet turns."""
CAPTION = 16.0
"""Height of the caption below an animation, mm."""

__all__ = ["CAPTION", "INK", "SECONDS", "board_svg", "film_svg", "fixed", "stack"]


def film_svg(board: Board, moments: Sequence[Moment]) -> str:
    """The animation of a match, in an endless loop."""
    spans: dict[tuple[str, Face], list[int]] = {}
    for number, moment in enumerate(moments):
        for site, face in moment.faces.items():
            if site in board.sites:
                spans.setdefault((site, face), []).append(number)
    parts = definitions(board, {face for _, face in spans})
    parts += [laid(sheet, 0, _turning(sheet, moments)) for sheet in fixed(board)]
    parts += [_seen(standing(board, site, face), when, len(moments)) for (site, face), when in spans.items()]
    parts += [_seen(_caption(board, moment.caption), [k], len(moments)) for k, moment in enumerate(moments)]
    return document(board, CAPTION, parts)


def _caption(board: Board, text: str) -> str:
    size = 0.7 * CAPTION
    look = f'font-size="{n(size)}" fill="{INK}" text-anchor="middle"'
    return f'<text y="{n(board.base.size[1] / 2 + size)}" {look}>{escape(text)}</text>'


def _seen(content: str, when: Sequence[int], moments: int) -> str:
    """An element visible only in these frames; without animation, the first frame is shown."""
    shown = [False] * moments
    for k in when:
        shown[k] = True
    changes = [0, *(k for k in range(1, moments) if shown[k] != shown[k - 1])]
    words = ["visible" if shown[k] else "hidden" for k in changes]
    times = ";".join(_t(k / moments) for k in changes)
    film = _animated('<animate attributeName="visibility" calcMode="discrete"', ";".join(words), times, moments)
    return f'<g visibility="{words[0]}">{film}{content}</g>'


def _turning(sheet: Sheet, moments: Sequence[Moment]) -> str:
    """A sheet that turns at the beginning of each frame in which its position changes."""
    if sheet.turns == 1:
        return ""
    turns = [moment.turns.get(sheet.name, 0) for moment in moments]
    x, y = sheet.centre
    keys = [(0.0, turns[0])]
    for k in range(1, len(turns)):
        if turns[k] != turns[k - 1]:
            keys += [(k / len(turns), turns[k - 1]), ((k + TURNING) / len(turns), turns[k])]
    keys.append((1.0, turns[-1]))
    values = ";".join(f"{n(sheet.angle_at(turn))} {n(x)} {n(y)}" for _, turn in keys)
    times = ";".join(_t(time) for time, _ in keys)
    return _animated('<animateTransform attributeName="transform" type="rotate"', values, times, len(moments))


def _animated(head: str, values: str, times: str, moments: int) -> str:
    clock = f'dur="{n(moments * SECONDS)}s" repeatCount="indefinite"'
    return f'{head} values="{values}" keyTimes="{times}" {clock}/>'


def _t(share: float) -> str:
    return f"{share:.5f}".rstrip("0").rstrip(".")
