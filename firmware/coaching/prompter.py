"""The program as a player: its moves in its own seats, and hints on request. It never blocks the loop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from engine.core import COLOURS, Action, Json, Position, Refusal, Word
from engine.match import Match
from engine.players.facts import changed_sites, tell
from engine.players.hints import STEPS, Hint
from engine.players.levels import Level
from engine.players.words import TABLE
from engine.referee.news import Accepted, Illegal, Unclear
from engine.referee.table import Table, accept
from engine.spoken import SpokenError
from engine.words import LANGUAGES
from firmware.coaching.adviser import Adviser, hint_question, play_question


class Prompter:
    """Follows one match. `levels` are the seats the program plays."""

    def __init__(self, adviser: Adviser, levels: Mapping[int, Level], colours: Mapping[str, str], seed: int) -> None:
        """`colours` are those on the table, by the colours of the rules."""
        self.levels = levels
        self.wanted: Action | None = None
        """The program's move, once it has decided."""
        self.hint: Hint | None = None
        self.step = 0
        """How much of the hint has been given."""
        self._adviser, self._colours, self._seed = adviser, colours, seed
        self._position: Position | None = None
        self._asked = False

    # What happens

    def follow(self, match: Match) -> bool:
        """Follow the match; returns whether there is something new to say."""
        if match.position is not self._position:
            self._position, self.wanted, self.hint, self._asked = match.position, None, None, False
            self._adviser.forget()
            seat = match.position.seat
            if seat is not None and seat in self.levels:
                self._adviser.ask(play_question(match.positions, self.levels[seat], self._seed + match.ply))
        answer = self._adviser.answer()
        if answer is None:
            return False
        if answer.hint is None:
            self.wanted = match.rules.parse(answer.action)
        else:
            self.hint, self.step, self._asked = answer.hint, 0, False
        return True

    def rest(self) -> None:
        """The match is over: no more moves or hints."""
        if self._position is not None:
            self._position = self.wanted = self.hint = None
            self._asked = False
            self._adviser.forget()

    def ask(self, match: Match) -> bool:
        """Give the next step of the present hint, or start a new one; returns whether it is new."""
        position = match.position
        if position.seat is None:
            raise SpokenError("the match is over")
        if position.seat in self.levels:
            raise SpokenError("it is the program's turn")
        if self._asked or position is not self._position:
            return False
        if self.hint is not None:
            self.step = min(self.step + 1, len(STEPS) - 1)
            return False
        self._adviser.ask(hint_question(match.positions, self._seed + match.ply))
        self._asked = True
        return True

    # What the referee may accept

    def hold(self, before: Table, after: Table) -> Table:
        """The table after a step: in the program's seats only its own move is accepted."""
        known = self.wanted if self._position is before.match.position else None
        for news in after.news:
            if isinstance(news, Unclear) and known in news.actions and known is not None:
                return accept(replace(after, accepted=before.accepted, news=()), (known,))
        accepted = [news for news in after.news if isinstance(news, Accepted)]
        for place, news in enumerate(accepted):
            if news.seat in self.levels and (place or news.action != known):
                return self._held(before, after, accepted[:place], news, known)
        return after

    def _held(
        self, before: Table, after: Table, good: Sequence[Accepted], wrong: Accepted, known: Action | None
    ) -> Table:
        watch = replace(after.watch, settling=before.watch.settling, glimpsed=before.watch.glimpsed)
        quiet = replace(before, watch=watch, news=())
        if good:
            return accept(quiet, [news.action for news in good])
        shown = after.stands[len(before.stands)]
        if known is None or shown in before.said.told:
            # It is still thinking, or has already said so.
            return quiet
        sites = changed_sites(before.match.position, wrong.action)
        facts = {"colour": Word(COLOURS[wrong.seat]), "wanted": str(known), "action": str(wrong.action)}
        blamed = Illegal(wrong.seat, (Refusal("unknown", sites, facts),))
        return quiet.with_said(told=(*before.said.told, shown), troubled=True).saying(blamed)

    def check(self, match: Match, text: str) -> None:
        """Raises `GameError` if somebody reports a move in a program's seat that is not its own."""
        seat = match.position.seat
        if seat is not None and seat in self.levels and self.wanted is not None and text != str(self.wanted):
            colour = COLOURS[seat]
            mine = Word(self._colours.get(colour, colour))
            differs = TABLE["differs"]
            raise SpokenError(differs, colour=mine, wanted=str(self.wanted), action=text)

    # What is shown

    def sites(self) -> tuple[str, ...]:
        """The sites the lights on the board point at."""
        return self._pointed()[0]

    def _pointed(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if self.wanted is not None and self._position is not None:
            return changed_sites(self._position, self.wanted), tuple(self.wanted.turns)
        return self.hint.pointed(self.step) if self.hint is not None else ((), ())

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
        return tell(TABLE["thinks"], language, facts, self._colours) if seat in self.levels else None

    def record(self) -> Json | None:
        """What the page shows, in all languages; None if nothing."""
        text = self.text()
        if text is None or self._position is None:
            return None
        sites, sheets = self._pointed()
        kind = "play" if self._position.seat in self.levels else "hint"
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
        """For each seat, the level of the program if it plays there."""
        return [self.levels[seat].number if seat in self.levels else None for seat in range(players)]

    def key(self) -> object:
        """Changes whenever there is something new to show."""
        return self._position and self._position.key(), str(self.wanted), id(self.hint), self.step, self._asked
