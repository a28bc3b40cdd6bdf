"""Seats that the program plays (`--seat yellow=computer:3`), and what may be played in them."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core import COLOURS, Action, Refusal, Word
from engine.players.facts import changed_sites
from engine.players.levels import LEVELS, Level, find_level
from engine.players.words import TABLE
from engine.referee.news import Accepted, Illegal, Unclear
from engine.referee.table import Table, accept
from engine.spoken import SpokenError
from firmware.log.match.seating import Seating
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
    """The same players, some of them the program; an unnamed program seat gets the name of its level."""
    players = list(seating.players)
    for seat, level in levels.items():
        player = players[seat]
        name = level.name if player.name == player.colour else player.name
        players[seat] = replace(player, name=name, level=level.number)
    return replace(seating, players=tuple(players))


def taken_over(before: Seating, now: Seating) -> Seating:
    """The previous players, except in seats that change between person and program or to another level."""
    pairs = zip(before.players, now.players, strict=True)
    return Seating(tuple(old if old.level == new.level else new for old, new in pairs))


def computer_seats(texts: Sequence[str], colours: Sequence[str]) -> Mapping[int, Level]:
    """The seats the program plays, with their levels; `colours` are those at the table, in seat order."""
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


# What the referee may accept in these seats


def held_to(wanted: Action | None, levels: Mapping[int, Level], before: Table, after: Table) -> Table:
    """The table as it is to be after a step: in the program's seats nothing counts but what it wants, which is not
    known while it thinks."""
    for news in after.news:
        if isinstance(news, Unclear) and wanted in news.actions and wanted is not None:
            return accept(replace(after, accepted=before.accepted, news=()), (wanted,))
    accepted = [news for news in after.news if isinstance(news, Accepted)]
    for place, news in enumerate(accepted):
        if news.seat in levels and (place or news.action != wanted):
            return _held(before, after, accepted[:place], news, wanted)
    return after


def _held(before: Table, after: Table, good: Sequence[Accepted], wrong: Accepted, wanted: Action | None) -> Table:
    watch = replace(after.watch, settling=before.watch.settling, glimpsed=before.watch.glimpsed)
    quiet = replace(before, watch=watch, news=())
    if good:
        return accept(quiet, [news.action for news in good])
    shown = after.stands[len(before.stands)]
    if wanted is None or shown in before.said.told:
        # It is still thinking, or has already said so.
        return quiet
    sites = changed_sites(before.match.position, wrong.action)
    facts = {"colour": Word(COLOURS[wrong.seat]), "wanted": str(wanted), "action": str(wrong.action)}
    blamed = Illegal(wrong.seat, (Refusal("unknown", sites, facts),))
    return quiet.with_said(told=(*before.said.told, shown), troubled=True).saying(blamed)


def check_played(colour: str, wanted: str, played: str) -> None:
    """Raises `GameError` if somebody says that something else than the program wants was played in its seat."""
    if played != wanted:
        differs = TABLE["differs"]
        raise SpokenError(differs, colour=Word(colour), wanted=wanted, action=played)
