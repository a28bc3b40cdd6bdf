"""The rows of places for chips on the mat: one for each seat, so that everybody sees who has how many."""

from __future__ import annotations

from engine.core import COLOURS

START = 4
"""Chips that everybody has when a match starts."""
PLACES = 12
"""In each row. Who has more keeps the others beside the mat."""


def place(colour: str, number: int) -> str:
    """The name of a place for a chip: the row of a colour, and which place of it, from 1."""
    return f"{colour}${number}"


def row(seat: int) -> tuple[str, ...]:
    """All places of a seat's row."""
    return tuple(place(COLOURS[seat], number) for number in range(1, PLACES + 1))
