"""What the rows of counted pieces make of the table: purchases, whose action it was, and what is still due."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.core import COLOURS, Fact, Refusal, Remark, Word
from engine.match import Match
from engine.referee.changes import accept, undo
from engine.referee.news import Accepted, Illegal, Miscounted, Undone
from engine.referee.purse import Purse, due, earner, payment
from engine.referee.state import TICK, Table
from engine.referee.unseen import unseen


def settle_up(table: Table, seconds: float) -> Table:
    """The table after a look, once what the rows tell is taken in."""
    purse, patience = table.purse, table.patience
    counts = purse.settled(seconds, patience.frames, patience.seconds - TICK)
    is_new = any(isinstance(news, Accepted | Undone) for news in table.news)
    if counts is None:
        # Who did what may show once the rows are in sight.
        return _with(table, paid=_is_paid(table, purse)) if is_new else table
    if not purse.rest:
        return _with(table, rest=counts)
    if not (purse.in_play or any(counts)):
        return table
    if any(isinstance(news, Undone) for news in table.news):
        table = _further_back(table, counts)
    if is_new:
        return _remind(_with(table, rest=counts, paid=_is_paid(table, purse)), seconds)
    if _is_at_rest(table):
        table = _changed(table, counts, seconds)
    return _remind(table, seconds)


def _with(table: Table, **changes: object) -> Table:
    return replace(table, purse=replace(table.purse, **changes))  # type: ignore[arg-type]


def _is_paid(table: Table, purse: Purse) -> bool:
    """Whether it is settled who did what was just accepted: the rows cannot tell, or its player has been paid."""
    last = table.news[-1]
    if not isinstance(last, Accepted) or last.inferred or not purse.changes:
        return not isinstance(last, Accepted)
    return purse.changes.get(last.seat, 0) > 0


def _further_back(table: Table, counts: tuple[int, ...]) -> Table:
    """The board looked the same at earlier plies, and the rows tell at which: everything since then was taken back."""
    match = table.match
    news = tuple(each for each in table.news if not isinstance(each, Undone))
    for ply in range(match.ply, -1, -1):
        position = match.positions[ply]
        if position.faces() != match.position.faces():
            break
        if due(position) == counts:
            return table if ply == match.ply else replace(undo(table, ply), news=(*news, Undone(ply)))
    return table


def _is_at_rest(table: Table) -> bool:
    """Whether the board shows the last accepted position, and has for long enough to count."""
    settling, outcome = table.watch.settling, table.position.outcome
    if settling is None or outcome is not None or settling.picture != table.stand:
        return False
    return settling.frames >= table.patience.frames


def _changed(table: Table, counts: tuple[int, ...], seconds: float) -> Table:
    """Only the rows may have changed since the board last did."""
    changes, position = table.purse.changes, table.position
    if not changes:
        return table
    back = _further_back(table, counts)
    if back is not table:
        return _with(back, rest=counts)
    paid = payment(position, changes)
    if paid is None:
        return _late(table, counts)
    (seat,) = changes
    if table.purse.rest[seat] > due(position)[seat]:
        # What was taken too much was given back.
        return _with(table, rest=counts)
    if paid.actions:
        bought = accept(table, paid.actions, None, len(paid.actions) - 1)
        return _with(bought, rest=counts, paid=True)
    if seconds - table.purse.since < table.patience.grace - TICK:
        return table
    return _with(table.saying(Illegal(position.seat, paid.refusals)), rest=counts)


def _late(table: Table, counts: tuple[int, ...]) -> Table:
    """Somebody has taken what is due for the last action: if that is not the player whose turn it seemed to be, the
    action was theirs, and the players between have passed."""
    changes, match = table.purse.changes or {}, table.match
    before, rest = match.positions[-2] if match.ply else None, _with(table, rest=counts)
    if before is None or table.purse.paid or match.ply - 1 in table.accepted.inferred:
        return rest
    if before.seat is not None and changes.get(before.seat, 0) > 0:
        return _with(rest, paid=True)
    actions = earner(before, match.actions[-1], changes)
    if actions is None or match.actions[-1] in unseen(before):
        return rest
    again = accept(undo(table, match.ply - 1), actions, None, len(actions) - 1)
    return _with(again, rest=counts, paid=True)


def _remind(table: Table, seconds: float) -> Table:
    """Say of every row that has not been as it should be for a while what is due; once."""
    owed, off = due(table.position), {}
    told = {each for each in table.purse.told if owed[each[0]] == each[2] and table.purse.rest[each[0]] == each[1]}
    for seat, (seen, right) in enumerate(zip(table.purse.rest, owed, strict=True)):
        if seen == right:
            continue
        known = table.purse.off.get(seat)
        since = known[2] if known is not None and known[:2] == (seen, right) else seconds
        off[seat] = (seen, right, since)
        if seconds - since >= table.patience.unpaid - TICK and (seat, seen, right) not in told:
            told.add((seat, seen, right))
            table = table.saying(Miscounted(seat, seen, right, _sentence(table.match, seat, seen, right)))
    return _with(table, off=off, told=frozenset(told))


def reminders(table: Table) -> tuple[Miscounted, ...]:
    """What was said of rows that are still not as they should be."""
    owed, rest = due(table.position), table.purse.rest
    return tuple(
        Miscounted(seat, seen, right, _sentence(table.match, seat, seen, right))
        for seat, seen, right in sorted(table.purse.told)
        if rest and (rest[seat], owed[seat]) == (seen, right)
    )


def _sentence(match: Match, seat: int, seen: int, right: int) -> Refusal:
    """What is due and what is there; if the last action's reward is missing, or a part of it, also what that is for."""
    facts: dict[str, Fact] = {"colour": Word(COLOURS[seat]), "number": abs(right - seen), "due": right, "seen": seen}
    if seen > right:
        return Refusal("chips.less", (), facts)
    for remark in _rewarded(match, seat, right - seen):
        if (code := f"chips.{remark.code}") in match.rules.game.sentences:
            return Refusal(code, remark.sites, {**facts, **remark.facts})
    return Refusal("chips.more", (), facts)


def _rewarded(match: Match, seat: int, missing: int) -> Iterable[Remark]:
    """What the game says of a player's last action, if it earned all that is missing."""
    ply = next((ply for ply in reversed(range(match.ply)) if match.positions[ply].seat == seat), None)
    if ply is None:
        return ()
    before, after = match.positions[ply : ply + 2]
    earned = due(after)[seat] - due(before)[seat]
    return match.rules.remarks(before, match.actions[ply]) if missing <= earned else ()
