"""What the referee has to say, and how the event log writes it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core import Action, Game, Json, Outcome, Refusal
from engine.referee.story import Story
from engine.words import sentence


@dataclass(frozen=True, slots=True)
class Accepted:
    ply: int
    seat: int
    action: Action
    inferred: bool = False
    """Whether no camera could see it: it follows from what came after it."""

    def record(self, _: Game) -> Json:
        told = {"event": "action", "ply": self.ply, "seat": self.seat, "action": str(self.action)}
        return told | ({"inferred": True} if self.inferred else {})


@dataclass(frozen=True, slots=True)
class Illegal:
    """Nothing legal leads to what is on the table."""

    seat: int | None
    refusals: tuple[Refusal, ...]

    def record(self, game: Game) -> Json:
        first = self.refusals[0]
        told = " ".join(sentence(game, refusal) for refusal in self.refusals)
        rules = [refusal.rule for refusal in self.refusals]
        return {"event": "illegal", "seat": self.seat, "rule": first.rule, "sites": list(first.sites), "text": told} | (
            {"rules": rules} if len(rules) > 1 else {}
        )


@dataclass(frozen=True, slots=True)
class Unfinished:
    sites: tuple[str, ...]

    def record(self, _: Game) -> Json:
        return {"event": "unfinished", "sites": list(self.sites)}


@dataclass(frozen=True, slots=True)
class Unclear:
    actions: tuple[Action | Story, ...]
    """What may have been played; or, when nothing explains the table from the last accepted position, what may have
    happened since an earlier one."""

    def record(self, _: Game) -> Json:
        told = {"event": "unclear", "actions": sorted(map(str, self.actions))}
        stories = [each for each in self.actions if isinstance(each, Story)]
        return told | ({"stories": [story.record() for story in stories]} if stories else {})


@dataclass(frozen=True, slots=True)
class Undone:
    to_ply: int

    def record(self, _: Game) -> Json:
        return {"event": "undo", "to_ply": self.to_ply}


@dataclass(frozen=True, slots=True)
class Plain:
    """`restored`, `lost`, `found` or `abandon`, or `rebuild`: the pieces of a match that goes on are not where it was
    left. There is nothing more to say."""

    event: str

    def record(self, _: Game) -> Json:
        return {"event": self.event}


@dataclass(frozen=True, slots=True)
class Peek:
    """Somebody has lifted a piece to see what is under it, and put it back: no action, and no mistake."""

    site: str

    def record(self, _: Game) -> Json:
        return {"event": "peek", "site": self.site}


@dataclass(frozen=True, slots=True)
class Called:
    """The number that a player has called for what a piece covers."""

    seat: int
    site: str
    number: int

    def record(self, _: Game) -> Json:
        return {"event": "call", "seat": self.seat, "site": self.site, "said": self.number}


@dataclass(frozen=True, slots=True)
class Ended:
    outcome: Outcome

    def record(self, _: Game) -> Json:
        return {"event": "result"} | self.outcome.record()


@dataclass(frozen=True, slots=True)
class Agreed:
    """The players ended the match themselves: `resign` (of a seat) or `draw`."""

    by: str
    seat: int | None = None

    def record(self, _: Game) -> Json:
        return {"event": self.by} | ({"seat": self.seat} if self.seat is not None else {})


@dataclass(frozen=True, slots=True)
class OutOfTime:
    """A player's time has run out. By itself it ends nothing."""

    seat: int

    def record(self, _: Game) -> Json:
        return {"event": "clock", "what": "out", "seat": self.seat}


@dataclass(frozen=True, slots=True)
class LostOnTime:
    """Time decides here: of two players the other has won, of more nobody."""

    winner: int | None

    def record(self, _: Game) -> Json:
        return {"event": "result", "winner": self.winner, "by": "time"}


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person set the position by hand; the match goes on from it."""

    setup: Json

    def record(self, _: Game) -> Json:
        return {"event": "correction", "setup": self.setup}


@dataclass(frozen=True)
class Dealt:
    """The table has shown how the match begins. For the log and the director: it may hold what players must not see."""

    told: Json

    def record(self, _: Game) -> Json:
        return {"event": "setup"} | self.told


@dataclass(frozen=True, slots=True)
class Miscounted:
    """A row has not been as it should be for a while: said once, kindly."""

    seat: int
    seen: int
    due: int
    told: Refusal
    """The same as a sentence."""

    def record(self, game: Game) -> Json:
        counted = {"seat": self.seat, "seen": self.seen, "due": self.due}
        return {"event": "chips"} | counted | {"text": sentence(game, self.told)}


News = (
    Dealt
    | Miscounted
    | Peek
    | Called
    | Agreed
    | OutOfTime
    | LostOnTime
    | Corrected
    | Accepted
    | Illegal
    | Unfinished
    | Unclear
    | Undone
    | Plain
    | Ended
)
