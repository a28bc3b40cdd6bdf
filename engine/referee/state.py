"""A match under the referee's eye, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine.core import Action, Json
from engine.match import Match
from engine.referee.evidence import UNTAUGHT, Habit
from engine.referee.explain import Lead
from engine.referee.news import News
from engine.referee.reading import Reading
from engine.referee.stands import Stand

TICK = 1e-6
"""Seconds: times that differ by less are the same."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long the referee waits, and how sure it must be."""

    frames: int = 3
    """So many like pictures in a row settle a position …"""
    seconds: float = 0.6
    """… or like pictures for so long, whichever is shorter."""
    grace: float = 1.5
    """Seconds that a position which no legal action explains may stand before it is called illegal."""
    calm: float = 0.2
    """Seconds without any motion in the picture before something is called illegal: a hand beside the board is busy."""
    lying: float = 2.0
    """Seconds after which what covers a site without a break counts as left lying, not as a hand."""
    rim: float = 1.0
    """The same for one site more beside such a thing."""
    blink: float = 0.35
    """Seconds for which the board may be out of sight without that meaning anything."""
    margin: float = 3.0
    """By so much must the best explanation be better than the next for it to be clear."""


@dataclass(frozen=True)
class Seen:
    """A look at the table; no reading means that the board is not to be seen."""

    seconds: float
    reading: Reading | None
    restless: bool = False
    """Whether something moves in the picture, be it beside the board: somebody may still be busy."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Like pictures in a row."""

    picture: Stand
    since: float
    frames: int = 1
    explained: int = 0
    """How many of them something legal explains …"""
    lately: int = 0
    """… and how many of the last ones, without a break."""
    best: object = None
    """What explains the last of them best …"""
    best_since: float = 0.0
    """… and since when it does without a break."""


@dataclass(frozen=True)
class Table:
    """A match under the referee's eye. A value: every step makes another one."""

    match: Match
    stands: tuple[Stand, ...]
    """What the table showed at each ply, from the start to now."""
    patience: Patience = Patience()
    unsure: frozenset[str] = frozenset()
    """Sheets of which nobody could tell for certain yet how they lie: only what stands on them tells that they turn."""
    settling: Settling | None = None
    covered: Mapping[str, float] = field(default_factory=dict)
    """Sites that something is over, and since when."""
    bared: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Sites that something was over a moment ago: since when, and until when."""
    habit: Habit = UNTAUGHT
    """Where the eye was mistaken when the last accepted position was seen."""
    moved: float = float("-inf")
    """When something last moved in the picture."""
    last_seen: float = float("-inf")
    """When the board was last to be seen."""
    asked: frozenset[Action] = frozenset()
    """The actions that were asked about: not again."""
    half_done: Stand | None = None
    """The picture that was called unfinished: not again."""
    told: tuple[Stand, ...] = ()
    """Pictures that were called illegal since the last accepted action: once is enough."""
    leads: tuple[Lead, ...] = ()
    """What may have been played by the last settled picture; a later one decides."""
    puzzled: float = float("inf")
    """Since when one of these was in question, hands coming and going."""
    glimpsed: tuple[str, int] | None = None
    """The one sheet that was last seen to lie otherwise, all others as before, while a hand was over the board: which,
    and how."""
    troubled: bool = False
    """Whether the table shows something other than the last accepted position, and that was said."""
    lost: bool = False
    denied: frozenset[Lead] = frozenset()
    """What a person has said did not happen since the last accepted position, when asked about it."""
    rejected: tuple[Action, ...] = ()
    """Actions that a person has taken back: the same picture must not bring them in again."""
    closed: bool = False
    """Whether the players have ended the match: by resigning, or by agreeing a draw."""
    news: tuple[News, ...] = ()
    """What this step has to say."""

    @classmethod
    def begin(
        cls, match: Match, turns: Mapping[str, int], patience: Patience | None = None, unsure: Iterable[str] = ()
    ) -> Table:
        """A match that starts with the turnable sheets in these positions, some of which are not certain."""
        stand = Stand(match.position.faces(), dict(turns))
        return cls(match, (stand,), patience or Patience(), unsure=frozenset(unsure))

    @property
    def stand(self) -> Stand:
        return self.stands[-1]

    def known_turns(self, ply: int = -1) -> dict[str, int]:
        """How the sheets lay then, as far as that is certain."""
        return {name: turn for name, turn in self.stands[ply].turns.items() if name not in self.unsure}

    def records(self) -> list[Json]:
        """The news as the event log writes them."""
        return [each.record(self.match.rules.game) for each in self.news]
