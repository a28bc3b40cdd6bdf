"""Seats that the program plays: `--seat yellow=computer:3`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.players.levels import LEVELS, Level, find_level
from firmware.log.seating import Seating
from firmware.machine.errors import UsageError

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
        help=f"let the program play this seat, at level {levels} (default {_USUAL.number})",
    )


def named(seating: Seating, levels: Mapping[int, Level]) -> Seating:
    """The same players, some of them the program; a seat of it that nobody has named has the name of its level."""
    players = list(seating.players)
    for seat, level in levels.items():
        player = players[seat]
        name = level.name if player.name == player.colour else player.name
        players[seat] = replace(player, name=name, level=level.number)
    return replace(seating, players=tuple(players))


def taken_over(before: Seating, now: Seating) -> Seating:
    """Those who played before, but for seats that go from a person to the program, or back, or to another level."""
    pairs = zip(before.players, now.players, strict=True)
    return Seating(tuple(old if old.level == new.level else new for old, new in pairs))


def computer_seats(texts: Sequence[str], colours: Sequence[str]) -> Mapping[int, Level]:
    """The seats that the program plays, and how well; `colours` are those at the table, in seat order."""
    found: dict[int, Level] = {}
    for text in texts:
        colour, _, player = text.partition("=")
        kind, _, level = player.partition(":")
        if colour not in colours or kind != _KIND:
            raise UsageError(
                f"--seat must be COLOUR={_KIND}:LEVEL with one of the colours {', '.join(colours)}, not {text!r}"
            )
        found[colours.index(colour)] = find_level(level) if level else _USUAL
    if len(found) == len(colours):
        raise UsageError("leave at least one seat for a person (to watch the program play, try magister demo)")
    return found
