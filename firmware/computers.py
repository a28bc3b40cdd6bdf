"""Seats that the program plays: `--seat yellow=computer:3`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.players.levels import LEVELS, Level, find_level
from firmware.errors import UsageError
from firmware.seating import Seating

_KIND = "computer"
_USUAL = LEVELS[2]


def add_seats(parser: argparse.ArgumentParser) -> None:
    """--seat COLOUR=computer:LEVEL."""
    levels = ", ".join(f"{level.number} {level.name}" for level in LEVELS)
    parser.add_argument(
        "--seat",
        metavar="COLOUR=computer:LEVEL",
        action="append",
        default=[],
        help=f"let the program play this seat; levels: {levels} (default {_USUAL.number})",
    )


def named(seating: Seating, levels: Mapping[int, Level]) -> Seating:
    """The same players; a seat of the program that nobody has named has the name of its level."""
    players = tuple(
        replace(player, name=levels[seat].name) if seat in levels and player.name == player.colour else player
        for seat, player in enumerate(seating.players)
    )
    return replace(seating, players=players)


def computer_seats(texts: Sequence[str], colours: Sequence[str]) -> Mapping[int, Level]:
    """The seats that the program plays, and how well; `colours` are those at the table, in seat order."""
    found: dict[int, Level] = {}
    for text in texts:
        colour, _, player = text.partition("=")
        kind, _, level = player.partition(":")
        if colour not in colours or kind != _KIND:
            raise UsageError(f"--seat wants COLOUR={_KIND}:LEVEL with a colour of {', '.join(colours)}, not {text!r}")
        found[colours.index(colour)] = find_level(level) if level else _USUAL
    if len(found) == len(colours):
        raise UsageError("somebody must be left to play: not every seat can be the program's (see magister demo)")
    return found
