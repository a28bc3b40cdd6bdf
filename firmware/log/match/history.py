"""What remains of a logged match after undos and corrections.

A correction is complete in itself, so that a power cut cannot leave half of it: the log writes it instead of an
`action` or `undo`, not beside one.

- `{"what": "answer", "ply": 3, "seat": 1, "action": "T>"}`: a person said which action was played.
- `{"what": "none"}`: a person said that nothing was played of what the referee asked about.
- `{"what": "take_back", "to_ply": 2}`: a person took actions back.
- `{"what": "position", "setup": {…}, "turns": {…}}`: a person set the position; plies count from 0 again.
- `{"what": "reopen"}`: a resignation or a draw was a mistake; play goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core import Game, GameError, Json
from engine.match import Match
from engine.spoken import reasons
from firmware.log.match.clocks import seconds_left
from firmware.log.match.record import (
    GAP,
    Entry,
    Event,
    HistoryError,
    Moment,
    Placed,
    Played,
    Player,
    Resigned,
    SavedMatch,
    TakenBack,
    Tried,
    Turns,
    resignation,
)


@dataclass(frozen=True)
class History:
    """A match up to an event. Immutable: every event returns a new one."""

    saved: SavedMatch
    players: tuple[Player, ...]
    match: Match
    """Since the start, or since the position was last set by hand."""
    turns: tuple[Turns, ...]
    """At each ply of `match`."""
    earlier: tuple[Moment, ...] = ()
    """What was played before the position was last set by hand."""
    entries: tuple[Entry, ...] = ()
    ended: Json | None = None
    resigned: frozenset[int] = field(default_factory=frozenset)
    clock: str | None = None
    """How the clock was set, where there was one."""
    is_held_back: bool = False
    """Whether what nobody may look up yet was taken out: see `firmware/log/discretion.py`."""

    @property
    def result(self) -> Json | None:
        """How it ended; None while it goes on. Without a winner, `by` says why."""
        if self.ended is not None:
            return self.ended
        if self.resigned:
            return resignation(len(self.players), self.resigned)
        outcome = self.match.position.outcome
        return outcome.record() if outcome else None

    @property
    def may_go_on(self) -> bool:
        """Whether it has no end: an abandoned match may be taken up again, and what it hides must be remembered."""
        return self.match.position.outcome is None and (self.result or {"by": "abandon"})["by"] == "abandon"

    @property
    def actions(self) -> list[str]:
        """All actions not taken back."""
        return [entry.action for entry in self.entries if isinstance(entry, Played)]

    @property
    def illegal(self) -> int:
        return sum(isinstance(entry, Tried) for entry in self.entries)

    def moments(self) -> tuple[Moment, ...]:
        """The table at the start and after each action not taken back."""
        begun = "position set by hand" if self.earlier else "start"
        captions = [begun]
        for ply, action in enumerate(self.match.actions):
            seat = self.match.positions[ply].seat
            captions.append(f"{ply + 1}. {'' if seat is None else self.players[seat].title} {action}")
        now = zip(self.match.positions, self.turns, captions, strict=True)
        return (*self.earlier, *(Moment(position.faces(), turns, told) for position, turns, told in now))


def tell(saved: SavedMatch, events: Iterable[Event]) -> History:
    """The history of a match; raises `HistoryError` at the first event that breaks the rules."""
    try:
        match = Match.begin(saved.rules(), len(saved.players), saved.setup)
    except GameError as error:
        raise HistoryError(f"match {saved.id} cannot be replayed: {error}") from error
    history = History(saved, saved.players, match, (dict(saved.turns),))
    is_lost = False
    for event in events:
        # After a gap nobody knows how the table stood, until somebody sets the position.
        is_lost = event.kind == GAP or (is_lost and event.payload.get("what") != "position")
        if is_lost:
            continue
        try:
            history = _STEPS.get(event.kind, _nothing)(history, event.payload)
            if history.clock is None and isinstance(event.payload.get("clock"), dict):
                history = replace(history, clock=str(event.payload["clock"].get("set")))
        except GameError as error:
            raise HistoryError(f"match {saved.id}, event {event.number}: {error}") from error
    return history


def _nothing(history: History, _: Json) -> History:
    return history


def _play(history: History, payload: Json) -> History:
    match, text = history.match, _given(payload, "action", str)
    for name, true in (("ply", match.ply), ("seat", match.position.seat)):
        if name in payload and payload[name] != true:
            raise GameError(f"{text} is recorded for {name} {payload[name]}, but it was {name} {true}")
    action = match.rules.parse(text)
    turns = dict(history.turns[-1])
    for sheet, steps in action.turns.items():
        turns[sheet] = turns.get(sheet, 0) + steps
    return replace(
        history,
        match=match.play(action),
        turns=(*history.turns, turns),
        entries=(*history.entries, Played(text, seconds_left(payload))),
    )


def _take_back(history: History, payload: Json) -> History:
    to_ply = _given(payload, "to_ply", int)
    match = history.match.undo(to_ply)
    entries, taken = list(history.entries), history.match.ply - to_ply
    played = [place for place, entry in enumerate(entries) if isinstance(entry, Played)][-taken:] if taken else []
    # It is told where it was played: what was tried after it came after it.
    entries.insert(min(played, default=len(entries)), TakenBack(to_ply, tuple(map(str, match.undone[-1].actions))))
    for place in reversed(played):
        del entries[place + 1]
    return replace(
        history,
        match=match,
        turns=history.turns[: to_ply + 1],
        entries=tuple(entries),
        ended=None,
        resigned=frozenset(),
    )


def _place(history: History, payload: Json) -> History:
    setup, turns = _given(payload, "setup", dict), _given(payload, "turns", dict, {})
    return replace(
        history,
        match=Match.begin(history.match.rules, len(history.players), setup),
        turns=(turns,),
        earlier=history.moments(),
        entries=(*history.entries, Placed(setup, turns)),
        ended=None,
        resigned=frozenset(),
    )


def _reopen(history: History, _: Json) -> History:
    entries = [entry for entry in history.entries if not isinstance(entry, Resigned)]
    return replace(history, entries=tuple(entries), ended=None, resigned=frozenset())


def _correct(history: History, payload: Json) -> History:
    what = _given(payload, "what", str)
    if what not in _CORRECTIONS:
        raise GameError(f"unknown correction {what!r}; there are: {', '.join(_CORRECTIONS)}")
    return _CORRECTIONS[what](history, payload)


def _blame(history: History, payload: Json) -> History:
    rule, sites = _given(payload, "rule", str), tuple(_given(payload, "sites", list, []))
    text = illegal_text(payload, history.match.rules.game)
    tried = Tried(payload.get("seat"), rule, sites, " ".join(text.split()))
    return replace(history, entries=(*history.entries, tried))


def illegal_text(payload: Json, game: Game, language: str = "en") -> str:
    """Why a try was illegal; an old log may have no more than an English sentence of it."""
    try:
        return reasons(game, payload["refusals"], language) if "refusals" in payload else str(payload.get("text", ""))
    except (KeyError, TypeError, ValueError) as error:
        raise GameError(f"the refusals are not complete: {error}") from error


def _resign(history: History, payload: Json) -> History:
    seat = _given(payload, "seat", int)
    if not 0 <= seat < len(history.players):
        raise GameError(f"seat {seat} cannot resign: there is no such seat")
    return replace(history, entries=(*history.entries, Resigned(seat)), resigned=history.resigned | {seat})


def _end(history: History, payload: Json) -> History:
    outcome, by = history.match.position.outcome, _given(payload, "by", str)
    if outcome is not None and payload != outcome.record():
        raise GameError(f"the result is recorded as {payload}, but it is {outcome.record()}")
    if outcome is None and by in history.match.rules.game.endings:
        raise GameError(f"the result is recorded as {payload}, but the match is not over")
    return replace(history, ended=payload)


def _name(history: History, payload: Json) -> History:
    names = _given(payload, "names", list)
    if len(names) != len(history.players):
        raise GameError(f"{len(names)} names for {len(history.players)} players")
    players = zip(names, history.players, strict=True)
    return replace(history, players=tuple(replace(player, name=str(name)) for name, player in players))


def _given(payload: Json, name: str, kind: type[Any], default: object = None) -> Any:  # noqa: ANN401 - see `kind`
    value = payload.get(name, default)
    if type(value) is not kind:
        raise GameError(f"{name!r} is missing or not of type {kind.__name__}")
    return value


_Step = Callable[[History, Json], History]
_CORRECTIONS: Mapping[str, _Step] = {
    "answer": _play,
    "none": lambda history, _: history,
    "take_back": _take_back,
    "position": _place,
    "reopen": _reopen,
}
_STEPS: Mapping[str, _Step] = {
    "action": _play,
    "undo": _take_back,
    "correction": _correct,
    "illegal": _blame,
    "resign": _resign,
    "result": _end,
    "draw": lambda history, _: replace(history, ended={"winner": None, "by": "draw"}),
    "abandon": lambda history, _: replace(history, ended={"winner": None, "by": "abandon"}),
    "names": _name,
}
