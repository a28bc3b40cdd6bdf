"""What people may tell the referee: corrections, answers, and what no camera can see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.core import GameError
from engine.match import Match
from engine.referee.changes import retell
from engine.referee.news import Agreed, Called, Corrected, LostOnTime
from engine.referee.stands import Stand
from engine.referee.state import Course, Heard
from engine.referee.table import Table, accept, undo
from engine.referee.unseen import unseen_before
from engine.spoken import SpokenError


def take_back(table: Table) -> Table:
    """The last action is not what happened. The same picture will not bring it back, nor those taken back just
    before."""
    if not table.match.ply:
        raise SpokenError("there is no action to take back")
    after = undo(replace(table, news=()), table.match.ply - 1)
    rejected = (*table.match.actions[after.match.ply :], *table.heard.rejected)
    return replace(after, heard=Heard(rejected=rejected))


def declare(table: Table, text: str) -> Table:
    """An action, or a story, given as text: what was asked about, or something unseen (a pass, a purchase, a call)."""
    _check_open(table)
    quiet = replace(table, news=())
    reached = table.accepted.reached
    for story in (*table.said.stories, *(reached.stories if reached is not None else ())):
        if str(story) == text:
            return retell(quiet, story)
    action = table.match.rules.parse(text)
    position = table.position
    for lead in table.said.leads:
        before = unseen_before(position, lead)
        if before and lead[before : before + 1] == (action,):
            # What was asked about was seen; what came before it was not.
            return accept(quiet, lead[: before + 1], inferred=before)
    action = position.rules.declared(position, action)
    position.play(action)
    return accept(quiet, (action,))


def call(table: Table, site: str, number: int) -> Table:
    """The number that the player to move calls for what their piece covers: if it is wrong, the turn is over."""
    _check_open(table)
    position = table.position
    action = position.rules.called(position, site, number)
    assert position.seat is not None
    said = replace(table, news=(Called(position.seat, site, number),))
    return said if action is None else accept(said, (action,))


def deny(table: Table) -> Table:
    """Nothing that was asked about has happened: something else explains the table, or it is a mistake."""
    _check_open(table)
    if not table.said.asked:
        raise SpokenError("there is no open question")
    heard = replace(table.heard, denied=table.heard.denied.union(table.said.leads, table.said.stories))
    # The picture keeps its age, but the explanations counted so far are void.
    settling = table.watch.settling and replace(table.watch.settling, explained=0, lately=0)
    quiet = replace(table, heard=heard, news=()).with_watch(settling=settling)
    return quiet.with_said(asked=frozenset(), leads=(), stories=())


def set_position(table: Table, setup: Mapping[str, Any]) -> Table:
    """The position as a person has set it; the match goes on from there as a new one with the same rules."""
    match = Match.begin(table.match.rules, table.match.position.players, setup)
    stand = Stand(match.position.faces(), table.stand.turns)
    course = Course(match, (stand,), table.accepted.unsure)
    return Table(course, patience=table.patience, news=(Corrected(dict(setup)),))


def resign(table: Table, seat: int) -> Table:
    """A player gives up; with two players the other one has won, with more the match ends without a winner."""
    _check_open(table)
    seats = range(table.position.players)
    if seat not in seats:
        raise GameError(f"there is no seat {seat}; the seats are: {', '.join(map(str, seats))}")
    return _ended(table, Agreed("resign", seat))


def agree_draw(table: Table) -> Table:
    """The players agree that nobody has won."""
    _check_open(table)
    return _ended(table, Agreed("draw"))


def lose_on_time(table: Table, seat: int) -> Table:
    """A player's time has run out, and time decides; this is said after what the table has to say."""
    winner = 1 - seat if table.position.players == 2 else None
    return replace(table.saying(LostOnTime(winner)), heard=replace(table.heard, closed=True))


def _ended(table: Table, news: Agreed) -> Table:
    return replace(table, heard=replace(table.heard, closed=True), news=(news,))


def _check_open(table: Table) -> None:
    if table.closed or table.position.outcome is not None:
        raise SpokenError("the match is over")
