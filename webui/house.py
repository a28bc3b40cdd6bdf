"""What the page is given: a view of the table and a place to leave requests. Plain values only.

The one thread that owns the match carries a wish out between two frames and answers it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from engine.core import Json
from webui.words.texts import N_


class WishRefusedError(Exception):
    """The table refuses; the text is one sentence that says why, in English. `told` is what the sentence is made
    from in other languages: a text of the engine's catalogues and its facts, or the rules that were broken."""

    def __init__(self, message: str, told: Json | None = None) -> None:
        super().__init__(message)
        self.told: Json = told or {}


class HouseClosedError(Exception):
    """The program behind the page does not answer."""

    def __init__(self) -> None:
        super().__init__(N_("The table does not answer."))


class BackupError(Exception):
    """A backup cannot be made, or is none of ours; the text is one sentence in English."""


class NoIndexError(Exception):
    """Whether there is a newer version cannot be told now."""


class NoSuchMatchError(LookupError):
    """There is no match of that number, or it cannot be read."""


@dataclass(frozen=True)
class Update:
    """What a listener has missed."""

    number: int
    """Grows with every change; a listener sends back the last one it saw."""
    state: Json
    news: tuple[Json, ...] = ()
    """The events since, as `magister watch --json` prints them, each with its `number`."""
    trace: Json | None = None
    """What the position can be made from (game, variant, options, players, setup, actions), to teach from. It may hold
    what players must not see: it never leaves the server."""


class Archive(Protocol):
    """The matches on disk."""

    def matches(self) -> Sequence[Json]:
        """All matches in brief, newest first: id, started, game, variant, options, players, result, actions (how
        many), illegal, undone, seconds (the table's time from first to last event), imported, removed."""

    def records(self) -> Sequence[Json]:
        """All matches that nobody has removed in brief, each with its `events`: what statistics are made from."""

    def match(self, number: int) -> Json:
        """One match whole: as `magister log export --format json` has it, with `moments` (faces, turns, caption,
        action, seat, seconds), `board` (players and set-up that its board is drawn from) and `secret` (whether it
        hides something and is still played, or may be taken up again without having ended)."""

    def export(self, number: int, form: str) -> bytes:
        """A match as text, json, csv, svg or gif."""

    def backup(self) -> tuple[str, bytes]:
        """All matches, settings, lens and colours in one file, and its name; raises `BackupError`."""

    def take_in(self, data: bytes) -> str:
        """Keep a backup that is to be restored, for the wish `restore`: what to name there; raises `BackupError`."""


class School(Protocol):
    """Whoever knows the rules of the games, for pages that teach. A position is described by `game`, `variant`,
    `players`, `setup` and `actions`; where none is described, `GameError` is raised."""

    def targets(self, trace: Json, picks: Sequence[str], colours: Sequence[str], language: str) -> Json:
        """What can be picked next in the match at the table, and why nothing else: `picks`, `onward`, `done`,
        `refused`, `names`, `places`. `colours` are those in use."""

    def point(self, told: Mapping[str, Any], picks: Sequence[str], language: str) -> Json:
        """The same in a position that is described, for the player to move."""

    def attempt(self, told: Mapping[str, Any], action: str, language: str) -> Json:
        """What an action comes to in a position that is described: `legal`, `refusal`, `faces`, `turns`, …"""

    def lessons(self, game: str) -> Sequence[Json]:
        """The lessons of a game in their order, each with its texts in English, the `faces` it begins with and whether
        it `fits_any_table`."""

    def judge(self, game: str, lesson: str, done: Mapping[str, Any], language: str) -> Json:
        """Whether what a learner did, an `action` or an `event` at the table, solves a lesson."""

    def fairness(
        self, game: str, variant: str | None, options: Mapping[str, Any], language: str
    ) -> Sequence[tuple[str, Sequence[str]]]:
        """How fair a game is by these rules: what was measured, for each number of players."""


class Analyst(Protocol):
    """Whoever can judge a match."""

    def evaluations(self, number: int) -> Sequence[Sequence[float]]:
        """For every moment of a match each seat's chance to win, from 0 to 1."""

    def judgements(self, number: int, language: str) -> Sequence[Json]:
        """What each action was worth: the `moment` it was played at, `seat`, `action`, `mark` (empty, ? or ??),
        `comment`, the mover's `chance` after it, the `best` action with its `best_chance`, its `sites`, and an `arrow`
        from one site to another where one piece goes."""

    def what_if(self, number: int, moment: int, tried: Sequence[str], language: str) -> Json:
        """The table after these actions, played from a moment of a match: `faces`, `turns`, `seat`, `legal` actions,
        whether it is `over`, and the `best` action with `best_chance`, `why`, `sites` and `arrow`; or a `refusal`."""


class Updates(Protocol):
    """Whoever knows which versions of the program there are."""

    @property
    def index(self) -> str:
        """Where newer versions are looked for; empty: nowhere."""

    @property
    def waiting(self) -> str:
        """The version that begins with the next start, if it is another one; else empty."""

    def offered(self) -> str:
        """A newer version that can be had; empty if there is none. Raises `NoIndexError`."""


class House(Protocol):
    """The program, as the page sees it."""

    @property
    def version(self) -> str:
        """Of the program."""

    @property
    def archive(self) -> Archive | None: ...

    @property
    def school(self) -> School: ...

    @property
    def analyst(self) -> Analyst | None: ...

    @property
    def updates(self) -> Updates: ...

    def state(self) -> Update:
        """The current state."""

    def wait(self, since: int, timeout: float) -> Update | None:
        """What changed after `since`, as soon as there is something; None if nothing does for `timeout` seconds."""

    def alive(self) -> bool:
        """Whether the program behind the page has responded lately."""

    def wish(self, kind: str, payload: Json) -> Json:
        """Send a request; raises `WishRefusedError` or `HouseClosedError`."""

    def board_to_print(self, game: str, players: int, paper: str, language: str, address: str) -> bytes:
        """What `magister print` makes of a game's board, as PDF; `address` is the page's, for the code on the cover."""

    def picture(self, overlay: bool) -> bytes | None:
        """The camera picture as JPEG, optionally with the reading drawn on it; None if there is none."""

    def glance(self, camera: str) -> bytes | None:
        """What a webcam sees that is not in use, as JPEG; None if it gives nothing."""


@dataclass(frozen=True)
class Access:
    """Who may change things: whoever knows the PIN. The secret signs the cookie of a device."""

    pin: str
    secret: bytes
    address: str = ""
    """Where phones in the network find the page, if they do."""
    names: frozenset[str] = frozenset()
    """Names of the table beside those of the machine: only under these is the page answered."""
    screen: bool = False
    """Whether a browser at the machine itself sees address and PIN."""
