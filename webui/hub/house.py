"""What the hub's page is given. Plain values only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from engine.core import Json
from webui.words.texts import N_

WRONG = {
    "name": N_("Please choose a name of 1 to 40 letters."),
    "taken": N_("This name is taken: choose another."),
    "password": N_("Please choose a password of at least 8 characters."),
    "table": N_("A table’s name has up to 32 letters, digits, spaces, dots and hyphens."),
}
"""Why an account or a table cannot be made so."""
NO_TOURNAMENT = {
    "name": N_("Please choose a name of 1 to 40 letters."),
    "taken": N_("This name is taken: choose another."),
    "many": N_("A tournament can have up to 400 players."),
    "game": N_("This game cannot be played by that many at one table."),
    "few": N_("Too few players for another round."),
    "open": N_("The last round is not over yet: some results are missing."),
    "complete": N_("All rounds have been played."),
    "played": N_("A round in which somebody has played cannot be taken back."),
    "scores": N_("That result is not possible."),
    "over": N_("The tournament is over."),
    "unknown": N_("There is no such thing in this tournament."),
    "busy": N_("Somebody else is changing this tournament: please try again."),
}
"""Why something cannot be done in a tournament."""


class TableSilentError(Exception):
    """The table has not answered."""

    def __init__(self) -> None:
        super().__init__(N_("The table does not answer."))


class ClubClosedError(Exception):
    """The hub cannot reach its database."""

    def __init__(self) -> None:
        super().__init__(N_("The hub cannot reach its database: please try again in a moment."))


class BadAccountError(Exception):
    """An account cannot be made so; the text is a sentence."""


class BadTournamentError(Exception):
    """It cannot be done in this tournament; the text is a sentence."""


class Member(Protocol):
    """Somebody who has an account."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def mark(self) -> str:
        """Changes with the password and the role."""

    def may(self, role: str) -> bool:
        """Whether this one has a role, or one that may more."""


class Club(Protocol):
    """The hub, as its page sees it."""

    @property
    def version(self) -> str: ...

    # The tables
    def number(self) -> int:
        """Of the last change."""

    def tables(self, delay: float) -> Sequence[Json]:
        """All tables as they were so many seconds ago: `table`, `online`, `calling`, `skew`, `state`."""

    def wait(self, since: int, timeout: float, delay: float) -> tuple[int, Sequence[str], str]:
        """What has changed: the number of the last change, the tables as JSON, and what is wrong with the hub."""

    def wish(self, table: str, kind: str, payload: Json, match: int | None, ply: int | None) -> Json:
        """What a table answers to an arbiter; raises `TableSilentError`."""

    # The matches
    def find(self, wanted: Mapping[str, str], delay: float) -> Sequence[Json]:
        """With a delay only matches that had ended so many seconds ago."""

    def match(self, id_: str) -> Json | None: ...
    def ratings(self, game: str, delay: float) -> Mapping[str, Sequence[tuple[float, str, float]]]: ...
    def broken_rules(self, game: str, player: str) -> Sequence[Json]: ...
    def games(self) -> Sequence[str]: ...

    # The tournaments
    def tournaments(self, delay: float) -> Sequence[Json]: ...
    def tournament(self, id_: str, delay: float) -> Json | None:
        """As it was so many seconds ago."""

    def begin_tournament(self, who: str, payload: Json) -> str:
        """Its id; raises `BadTournamentError`, as `direct` does."""

    def direct(self, id_: str, who: str, kind: str, payload: Json) -> None: ...

    # The people
    def member(self, id_: str) -> Member | None: ...
    def log_in(self, name: str, password: str) -> Member | None: ...
    def role_of(self, token: str) -> str | None:
        """What an invitation that still holds is for."""

    def accept(self, token: str, name: str, password: str) -> Member | None:
        """Make an account by an invitation; raises `BadAccountError`."""

    def invite(self, role: str) -> str: ...
    def members(self) -> Sequence[Json]: ...
    def remove_member(self, id_: str) -> str | None: ...
    def known_tables(self) -> Sequence[Json]: ...
    def invite_table(self, name: str) -> str:
        """The command with which a table joins; raises `BadAccountError`."""

    def remove_table(self, name: str) -> bool: ...
    def note(self, who: str, deed: str, about: str, address: str) -> None:
        """For the audit log."""

    def notes(self) -> Sequence[Json]: ...
    def delay(self) -> float:
        """Seconds by which spectators see everything later."""

    def is_open(self) -> bool:
        """Whether anyone may watch without an account."""

    def settle(self, delay: float, is_open: bool) -> None: ...
