"""The coach at one table: hints for those who ask, and what the program wants played in its own seats.

The coach never waits: it asks the thinker, and hears the answer some frames later.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import COLOURS, Action, Game, GameError, Json, Position, Word
from engine.match import Match
from engine.players.facts import Reason, changed_sites, remarked, tell
from engine.players.hints import STEPS, Hint
from engine.players.words import TABLE
from engine.referee.table import Table
from engine.spoken import SpokenError
from engine.words import LANGUAGES
from firmware.coaching.computers import check_played, held_to
from firmware.coaching.help import Agreement
from firmware.coaching.shown_card import ShownCard
from firmware.coaching.thinker import Thinker, hint_question, play_question
from firmware.log.match.seating import Seating


@dataclass(frozen=True, slots=True)
class Advice:
    """What the coach says; the log does not keep it."""

    seat: int | None
    text: str

    def record(self, _: Game) -> Json:
        return {"event": "advice", "seat": self.seat, "text": self.text}


class Coach:
    """Follows one match."""

    def __init__(self, thinker: Thinker, seating: Seating, seed: int) -> None:
        self.agreed = Agreement.usual(len(seating))
        self.levels = seating.levels
        """The seats that the program plays."""
        self.wanted: Action | None = None
        """What the program wants played now, once it has thought."""
        self.hint: Hint | None = None
        self.step = 0
        """How much of the hint is told."""
        self.shown: ShownCard | None = None
        """The card that somebody holds up beside the board."""
        self.earned: tuple[int, tuple[Reason, ...]] | None = None
        """Who acted last, and what the game says of it, where that is paid for."""
        self._thinker, self._colours, self._seed = thinker, seating.to_table_colours, seed
        self._position: Position | None = None
        self._asked = False

    # What happens

    def follow(self, table: Table) -> list[Advice]:
        """Keep up with the match: what the program wants played, or has to say to whoever asked for a hint."""
        if table.closed:
            self._rest()
            return []
        match = table.match
        if match.position is not self._position:
            self._turn_to(match)
        answer = self._thinker.answer()
        if answer is None:
            return []
        if answer.hint is None:
            self.wanted = match.rules.parse(answer.action)
        else:
            self.hint, self.step, self._asked = answer.hint, 0, False
        return self._said(match.position.seat)

    def show(self, table: Table, card: str | None) -> None:
        """Somebody holds up this card, or none any more."""
        position = table.match.position
        level = self.agreed.seats[position.seat].level if position.seat is not None else "off"
        if card is None or level == "off":
            self.shown = None
        elif self.shown is None or not self.shown.is_about(position, card, level):
            self.shown = ShownCard.of(position, card, level)

    def give_hint(self, table: Table | None) -> list[Advice]:
        """Somebody wants a hint: the next step of the one there is, or else a new one; raises `GameError` if he may
        have none."""
        seat = _mover(table)
        if table is None or seat is None:
            raise SpokenError("there is no match to give a hint for")
        if table.match.rules.game.covers:
            raise SpokenError("in this game nobody may look up what is covered: there are no hints")
        # A hint is paid for once; then it says more each time it is asked.
        paid = self.agreed.after_hint(seat) if self.hint is None else self.agreed
        if seat in self.levels:
            raise SpokenError("it is the program's turn")
        is_late = self._asked or table.match.position is not self._position
        if not is_late and self.hint is None:
            self._thinker.ask(hint_question(table.match.positions, self._seed + table.match.ply))
            self._asked, self.agreed = True, paid
            return []
        if not is_late:
            self.step = min(self.step + 1, len(STEPS) - 1)
        return self._said(seat) if self.hint is not None else []

    def press(self, table: Table | None) -> list[Advice]:
        """The hint button lies on the table for all to see: who is shown where figures may go may press it too."""
        seat = _mover(table)
        try:
            if seat is not None and self.agreed.seats[seat].level == "targets":
                self.agreed = self.agreed.change(self.agreed.seats[seat].record() | {"seat": seat, "level": "hints"})
            return self.give_hint(table)
        except GameError as error:
            return [Advice(seat, str(error))]

    def _turn_to(self, match: Match) -> None:
        self.earned = self._earned(match) if self._position is not None else None
        self._position, self.wanted, self.hint, self._asked = match.position, None, None, False
        self.shown = None
        self._thinker.forget()
        seat = match.position.seat
        if seat is not None and seat in self.levels:
            self._thinker.ask(play_question(match.positions, self.levels[seat], self._seed + match.ply))

    def _earned(self, match: Match) -> tuple[int, tuple[Reason, ...]] | None:
        """What the last action is paid for, where that is counted on the board."""
        if match.rules.payment is None or not match.actions or self._position not in match.positions[:-1]:
            return None
        before = match.positions[-2]
        if before.seat is None or self.agreed.seats[before.seat].level == "off":
            return None
        return before.seat, tuple(remarked(before, match.actions[-1]))

    def _rest(self) -> None:
        """The match will not go on: nothing is wanted, and nobody needs a hint."""
        if self._position is not None:
            self._position = self.wanted = self.hint = None
            self._asked = False
            self._thinker.forget()

    def _said(self, seat: int | None) -> list[Advice]:
        return [Advice(seat, self.text() or "")]

    # What the referee may accept

    def hold(self, before: Table, after: Table) -> Table:
        """The table as it is to be after a step: in the program's seats nothing counts but what it wants."""
        known = self.wanted if self._position is before.match.position else None
        return held_to(known, self.levels, before, after)

    def check(self, match: Match, text: str) -> None:
        """Raises `GameError` if somebody says that something else than the program wants was played in its seat."""
        seat = match.position.seat
        if seat is not None and seat in self.levels and self.wanted is not None:
            check_played(self._colours.get(COLOURS[seat], COLOURS[seat]), str(self.wanted), text)

    # What is shown

    def sites(self) -> tuple[str, ...]:
        """What the lights on the board point at."""
        return self._pointed()[0]

    def _pointed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self.wanted is not None and self._position is not None:
            return changed_sites(self._position, self.wanted), tuple(self.wanted.turns)
        if self.hint is not None:
            return self.hint.pointed(self.step)
        return (self.shown.sites if self.shown is not None else ()), ()

    def text(self, language: str = "en") -> str | None:
        """What there is to say now."""
        seat = self._position.seat if self._position is not None else None
        if seat is None:
            return None
        facts = {"colour": Word(COLOURS[seat])}
        if self.wanted is not None:
            return tell(TABLE["asks"], language, facts | {"action": str(self.wanted)}, self._colours)
        if self.hint is not None:
            return self.hint.told(self.step, language, self._colours)
        if self.shown is not None:
            return self.shown.told(language)
        if self.earned is not None and self.earned[1] and seat not in self.levels:
            who, what = self.earned
            return (
                tell("{colour}", language, {"colour": Word(COLOURS[who])}, self._colours)
                + ": "
                + " ".join(each.say(language, self._colours) for each in what)
            )
        return tell(TABLE["thinks"], language, facts, self._colours) if seat in self.levels else None

    def record(self) -> Json | None:
        """What the page shows, in all languages; None if there is nothing to show."""
        text = self.text()
        if text is None or self._position is None:
            return None
        sites, sheets = self._pointed()
        kind = "play" if self._position.seat in self.levels else "hint" if self.hint is not None else "told"
        return {
            "seat": self._position.seat,
            "kind": kind,
            "action": str(self.wanted) if self.wanted is not None else None,
            "step": STEPS[self.step] if kind == "hint" else None,
            "sites": list(sites),
            "sheets": list(sheets),
            "texts": {language: self.text(language) for language in LANGUAGES},
        }

    def computers(self, players: int) -> list[int | None]:
        """For each seat the level of the program, if it plays there."""
        return [self.levels[seat].number if seat in self.levels else None for seat in range(players)]

    def key(self) -> object:
        """Changes whenever there is something else to show."""
        position = self._position and self._position.key()
        return self.agreed, position, str(self.wanted), id(self.hint), self.step, self._asked, self.shown, self.earned


def _mover(table: Table | None) -> int | None:
    """Whose turn it is, while the match goes on."""
    return table.match.position.seat if table is not None and not table.closed else None
