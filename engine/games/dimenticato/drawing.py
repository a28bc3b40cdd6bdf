"""Dimenticato's plan in plain text."""

from __future__ import annotations

from string import ascii_lowercase
from typing import TYPE_CHECKING

from engine.canvas import Label, picture
from engine.core import COLOURS

if TYPE_CHECKING:
    from engine.games.dimenticato.rules import DimenticatoPosition

_COLUMNS = 6
_LETTERS_ROW, _NUMBERS_COLUMN = -3.0, -3.0


def draw(position: DimenticatoPosition) -> str:
    """The dice in sight (`3r`: a red three), figures (`[R]`; with the number, if it is known to all), and start fields.

    A figure that has not been out yet stands in round brackets.
    """
    plan = position.plan
    labels: list[Label] = [
        (column * _COLUMNS, _LETTERS_ROW, letter) for column, letter in enumerate(ascii_lowercase[: 2 * plan.width])
    ]
    labels += [(_NUMBERS_COLUMN * _COLUMNS, float(row), str(row + 1)) for row in range(2 * plan.height)]
    for site, (column, row) in enumerate(plan.places):
        labels.append((column * _COLUMNS, float(row), _label(position, site)))
    mover = "the match is over" if position.seat is None else f"to move: {COLOURS[position.seat]}"
    return f"{picture(labels)}\n\n{mover}"


def _label(position: DimenticatoPosition, site: int) -> str:
    owner = position.owner(site)
    if owner is None:
        on_track = site < position.plan.size
        return _die(position, site) if on_track else position.plan.texts[site]
    initial = COLOURS[owner][0].upper()
    if position.unopened >> site & 1:
        return f"({initial})"
    return f"[{initial}{position.dice.pips[site]}]" if position.known >> site & 1 else f"[{initial}]"


def _die(position: DimenticatoPosition, field: int) -> str:
    return f"{position.dice.pips[field]}{COLOURS[position.dice.colours[field]][0]}"
