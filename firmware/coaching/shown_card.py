"""A card that somebody holds up: where it fits, as far as the player to move has agreed to be helped."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Fact, Position
from engine.players.facts import remarked
from engine.players.words import SHOWN
from engine.targets import named, spelling
from engine.words import say
from firmware.coaching.help import SHOWING, targets


@dataclass(frozen=True)
class ShownCard:
    """What there is to say of a card in one position."""

    position: Position
    card: str
    level: str
    fits: tuple[str, ...]
    """Where it may be laid."""
    lies: tuple[str, ...]
    """Where it lies already: then the one that is shown is of another set."""

    @classmethod
    def of(cls, position: Position, card: str, level: str) -> ShownCard:
        lies = tuple(site for site, face in position.faces().items() if face.kind == card)
        return cls(position, card, level, () if lies else targets(position, card), lies)

    def is_about(self, position: Position, card: str, level: str) -> bool:
        return (self.position, self.card, self.level) == (position, card, level)

    @property
    def sites(self) -> tuple[str, ...]:
        """Where the lights and the page point."""
        return self.lies or (self.fits if self.level in SHOWING else ())

    def told(self, language: str) -> str:
        what = named(self.position.rules, self.card, language)
        facts: dict[str, Fact] = {"what": what, "number": len(self.fits), "sites": ", ".join(self.lies)}
        told = say(SHOWN[self._code()], language, **facts)
        return f"{told} {self._best(language)}" if self.level == "hints" and len(self.fits) > 1 else told

    def _code(self) -> str:
        if self.lies:
            return "lies"
        if not self.fits:
            return "none"
        if self.level not in SHOWING:
            return "some"
        return "one" if len(self.fits) == 1 else "many"

    def _best(self, language: str) -> str:
        """Where it earns most, and what."""
        position, seat = self.position, self.position.seat
        assert seat is not None
        ways = [each for each in position.legal() if self.card in spelling(position, each)[0]]
        best = max(ways, key=lambda each: position.rules.worth(position.after(each))[seat])
        why = (reason.say(language) for reason in remarked(position, best))
        (site,) = spelling(position, best)[1]
        return " ".join((say(SHOWN["best"], language, site=site), *why))
