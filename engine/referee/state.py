"""A match under the referee's eye, as a value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.core import Action, Json, Position
from engine.match import Match
from engine.referee.arms import Arms
from engine.referee.evidence import UNTAUGHT, Evidence, Habit
from engine.referee.explain import Lead
from engine.referee.news import News
from engine.referee.purse import Purse
from engine.referee.reading import Reading
from engine.referee.stands import Stand
from engine.referee.story import Story
from engine.referee.visits import HandVisit

TICK = 1e-6
"""Seconds: times that differ by less are the same."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long the referee waits, and how sure it must be."""

    frames: int = 3
    """How many matching pictures in a row settle a position …"""
    seconds: float = 0.6
    """… or how long the pictures must match, whichever is shorter."""
    grace: float = 1.5
    """Seconds for which a position that no legal action explains may stand before it is called illegal."""
    calm: float = 0.2
    """Seconds without any motion in the picture before something is called illegal: a hand beside the board may be
    busy."""
    lying: float = 2.0
    """Seconds after which what covers a site without a break counts as left lying, not as a hand."""
    rim: float = 1.0
    """The same for one more site beside such a thing."""
    blink: float = 0.35
    """Seconds for which the board may be out of sight without that meaning anything."""
    unpaid: float = 10.0
    """Seconds for which a row may have other than is due before that is said."""
    baffled: float = 3.0
    """Seconds after which people are asked what has happened if neither an action nor a known mistake explains it."""
    margin: float = 3.0
    """How much better than the next the best explanation must be to be clear."""


@dataclass(frozen=True)
class Seen:
    """A look at the table; no reading means that the board cannot be seen."""

    seconds: float
    reading: Reading | None
    restless: bool = False
    """Whether something is moving in the picture, even beside the board: somebody may still be busy."""


@dataclass(frozen=True, slots=True)
class Settling:
    """Matching pictures in a row."""

    picture: Stand
    reading: Reading
    """What they say together, without what may still move …"""
    evidence: Evidence
    """… and as it was weighed last."""
    since: float
    frames: int = 1
    explained: int = 0
    """How many of them something legal explains …"""
    lately: int = 0
    """… and how many of the last ones, without a break."""
    best: tuple[Lead, int | None] | None = None
    """What explains the last of them best, actions or an earlier position …"""
    best_since: float = 0.0
    """… and since when it does without a break."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Why the referee says nothing although the table may show something new."""

    why: str
    """`hand`: something is over the board; `moving`: something moves in the picture; `wavering`: the pictures do not
    agree; `unsure`: they agree, but not enough for a verdict yet."""
    sites: tuple[str, ...]
    """Where; empty where that cannot be said."""
    since: float


@dataclass(frozen=True)
class Reached:
    """Another player's arm than the mover's seems to have played an action."""

    seat: int
    stories: tuple[Story, ...]
    """What those between may have done before, unseen, if it was that player's action."""


@dataclass(frozen=True)
class Course:
    """What is accepted: the match so far, and how the table looked."""

    match: Match
    stands: tuple[Stand, ...]
    """What the table showed at each ply, from the start to now."""
    unsure: frozenset[str] = frozenset()
    """Sheets whose position is not certain yet: their turns show only in what stands on them."""
    inferred: frozenset[int] = frozenset()
    """Plies of actions that no camera saw, inferred from the next one that was seen."""
    habit: Habit = UNTAUGHT
    """Where the eye was mistaken when the last accepted position was seen."""
    arms: Arms = field(default_factory=Arms)
    """From where players' arms have come."""
    reached: Reached | None = None
    """If it was another player's arm that played the last action."""


@dataclass(frozen=True)
class Watch:
    """What is going on at the table but does not count yet."""

    settling: Settling | None = None
    covered: Mapping[str, float] = field(default_factory=dict)
    """Sites that something covers, and since when."""
    bared: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Sites that something covered a moment ago: since when, and until when."""
    moved: float = float("-inf")
    """When something last moved in the picture."""
    last_seen: float = float("-inf")
    """When the board was last seen."""
    lost: bool = False
    """Whether the referee has said that the board cannot be seen."""
    lifted: Mapping[str, int] = field(default_factory=dict)
    """Sites whose piece was clearly seen to be gone since the table last showed its position, and how often; only where
    that means anything."""
    wait: Wait | None = None
    """What is waited for, while a word is due."""
    visit: HandVisit | None = None
    """What is over the board, or was last."""
    glimpsed: tuple[str, int] | None = None
    """The one sheet that was last seen in another position, all others unchanged, while a hand was over the board: its
    name and that position."""


@dataclass(frozen=True)
class AlreadySaid:
    """What the referee has said and thought since the last accepted action, so as not to say it again."""

    asked: frozenset[Action | Story] = frozenset()
    """The actions, or the stories, that were asked about."""
    half_done: Stand | None = None
    """The picture that was called unfinished."""
    told: tuple[Stand, ...] = ()
    """Pictures that were called illegal."""
    troubled: bool = False
    """Whether the referee has said that the table shows something other than the last accepted position."""
    stories: tuple[Story, ...] = ()
    """What may have happened instead of the last mistake that was called: whoever plays on shows it."""
    is_baffled: bool = False
    """Whether that mistake is none that the game knows."""
    leads: tuple[Lead, ...] = ()
    """What may have been played according to the last settled picture; a later one decides."""
    puzzled: float = float("inf")
    """Since when one of these has been in question, while hands come and go."""


@dataclass(frozen=True)
class Heard:
    """What people have said to the referee."""

    denied: frozenset[Lead | Story] = frozenset()
    """What they said, when asked, has not happened since the last accepted position."""
    rejected: tuple[Action, ...] = ()
    """Actions that they have taken back: the same picture must not bring them in again."""
    closed: bool = False
    """Whether they have ended the match: by resigning, or by agreeing a draw."""


@dataclass(frozen=True)
class Table:
    """A match under the referee's eye. A value: every step makes another one."""

    accepted: Course
    watch: Watch = Watch()
    said: AlreadySaid = AlreadySaid()
    heard: Heard = Heard()
    purse: Purse = field(default_factory=Purse)
    patience: Patience = Patience()
    news: tuple[News, ...] = ()
    """What this step has to say."""

    @classmethod
    def begin(
        cls, match: Match, turns: Mapping[str, int], patience: Patience | None = None, unsure: Iterable[str] = ()
    ) -> Table:
        """A match that starts with the turnable sheets in these positions, some of which are not certain."""
        stand = Stand(match.position.faces(), dict(turns))
        return cls(Course(match, (stand,), frozenset(unsure)), patience=patience or Patience())

    @property
    def match(self) -> Match:
        return self.accepted.match

    @property
    def position(self) -> Position:
        return self.accepted.match.position

    @property
    def stands(self) -> tuple[Stand, ...]:
        return self.accepted.stands

    @property
    def stand(self) -> Stand:
        return self.accepted.stands[-1]

    @property
    def closed(self) -> bool:
        return self.heard.closed

    def known_turns(self, ply: int = -1) -> dict[str, int]:
        """The positions of the sheets then, as far as they are certain."""
        return {name: turn for name, turn in self.stands[ply].turns.items() if name not in self.accepted.unsure}

    def records(self) -> list[Json]:
        """The news as the event log writes them."""
        return [each.record(self.match.rules.game) for each in self.news]

    def with_watch(self, **changes: Any) -> Table:  # noqa: ANN401 - fields of `Watch`
        return replace(self, watch=replace(self.watch, **changes))

    def with_said(self, **changes: Any) -> Table:  # noqa: ANN401 - fields of `AlreadySaid`
        return replace(self, said=replace(self.said, **changes))

    def saying(self, *news: News) -> Table:
        """The same with more news."""
        return replace(self, news=(*self.news, *news))
