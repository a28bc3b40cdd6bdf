"""What people may tell the referee: corrections, answers, and what no camera can see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.core import GameError
from engine.match import Match
from engine.referee.news import Agreed, Corrected
from engine.referee.stands import Stand
from engine.referee.table import Table, accept, undo
from engine.spoken import SpokenError


def take_back(table: Table) -> Table:
    """The last action was not what happened. The picture that brought it in will not bring it in again, nor others that
    were taken back just before."""
    if not table.match.ply:
        raise SpokenError("there is no action to take back")
    rejected = (table.match.actions[-1], *table.rejected)
    return replace(undo(replace(table, news=(), closed=False), table.match.ply - 1), rejected=rejected)


def declare(table: Table, text: str) -> Table:
    """An action as its text: the answer to an unclear picture, or what cannot be seen (a pass, a purchase, a call)."""
    _check_open(table)
    action = table.match.rules.parse(text)
    table.match.position.play(action)
    return accept(replace(table, news=()), (action,))


def deny(table: Table) -> Table:
    """Nothing that was asked about has happened: whatever else explains the table did, or a mistake."""
    _check_open(table)
    if not table.asked:
        raise SpokenError("there is no open question")
    # It has stood as long as it has, but nothing that counted so far explains it.
    settling = table.settling and replace(table.settling, explained=0, lately=0)
    denied = table.denied | set(table.leads)
    return replace(table, denied=denied, asked=frozenset(), leads=(), settling=settling, news=())


def set_position(table: Table, setup: Mapping[str, Any]) -> Table:
    """The position as a person has put it; the match goes on from there as a new one with the same rules."""
    match = Match.begin(table.match.rules, table.match.position.players, setup)
    stand = Stand(match.position.faces(), table.stand.turns)
    return replace(Table(match, (stand,), table.patience, table.unsure), news=(Corrected(dict(setup)),))


def resign(table: Table, seat: int) -> Table:
    """A player gives up; with two players the other one has won, with more the match ends undecided."""
    _check_open(table)
    seats = range(table.match.position.players)
    if seat not in seats:
        raise GameError(f"there is no seat {seat}; the seats are: {', '.join(map(str, seats))}")
    return replace(table, closed=True, news=(Agreed("resign", seat),))


def agree_draw(table: Table) -> Table:
    """The players agree that nobody has won."""
    _check_open(table)
    return replace(table, closed=True, news=(Agreed("draw"),))


def _check_open(table: Table) -> None:
    if table.closed or table.match.position.outcome is not None:
        raise SpokenError("the match is over")
