"""The lines of the rings once more, straight from the page of the rules, from what is written and what is seen."""

from __future__ import annotations

import re

from engine.core import COLOURS, Action, Position
from engine.face import spelled


def _turned(site: str, ring: str, steps: int) -> str:
    return f"{ring}{(int(site[1]) - 1 + steps) % 8 + 1}" if site[0] == ring else site


def _laid(position: Position, action: Action) -> tuple[dict[str, str], set[str], str | None]:
    """What stands where once the pawn is placed, moved or turned, but nothing taken yet; the spent; the pawn's cell."""
    faces, spent = spelled(position.faces()), set(position.view(None)["spent"])
    text = str(action).partition("x")[0]
    if ring := re.fullmatch(r"([abc])([<>])", text):
        steps = 1 if ring[2] == ">" else -1
        return (
            {_turned(site, ring[1], steps): face for site, face in faces.items()},
            {_turned(site, ring[1], steps) for site in spent},
            None,
        )
    if text.startswith("+"):
        return faces | {text[1:]: COLOURS[position.seat or 0]}, spent, text[1:]
    origin, _, target = text.partition("-")
    faces[target] = faces.pop(origin)
    return faces, spent - {origin}, target


def _ring_line(free: set[str], cell: str) -> list[str] | None:
    for start in (-2, -1, 0):
        line = [f"{cell[0]}{(int(cell[1]) - 1 + start + step) % 8 + 1}" for step in range(3)]
        if set(line) <= free:
            return line
    return None


def _free(position: Position, action: Action) -> tuple[set[str], str | None]:
    """The mover's pawns that may be in a line."""
    faces, spent, cell = _laid(position, action)
    return {site for site, face in faces.items() if face == COLOURS[position.seat or 0]} - spent, cell


def lines_made(position: Position, action: Action) -> int:
    """How many lines an action makes."""
    free, cell = _free(position, action)
    # A ring that turns parts all that stood together on a radius, so every full radius is new.
    radii = "12345678" if cell is None else cell[1]
    made = sum({f"{ring}{radius}" for ring in "abc"} <= free for radius in radii)
    return made + (cell is not None and _ring_line(free, cell) is not None)


def is_spent_after(position: Position, action: Action, site: str) -> bool:
    """Whether the pawn on this site, after the action, can be in no new line."""
    _, spent, cell = _laid(position, action)
    line = _ring_line(_free(position, action)[0], cell) if cell is not None else None
    return site in spent or (line is not None and site in (line[0], line[2]))
