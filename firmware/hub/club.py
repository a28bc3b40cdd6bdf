"""The hub, as its page sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any

from engine.core import Json
from firmware.hub.assembly import Hub
from firmware.hub.database import TROUBLE, get_setting, set_setting
from firmware.hub.hall import LONGEST_DELAY
from firmware.hub.library import Search
from firmware.hub.listener import NoAnswerError
from firmware.hub.people import Person
from firmware.hub.ratings import FIRST
from firmware.hub.tournaments.record import TournamentError
from firmware.hub.tournaments.showing import shown
from firmware.machine.versions import OURS, version_of
from webui.hub.house import (
    NO_TOURNAMENT,
    WRONG,
    BadAccountError,
    BadTournamentError,
    ClubClosedError,
    TableSilentError,
)

Method = Callable[..., Any]


def _guarded(method: Method) -> Method:
    """The same, where a database that cannot be reached is an error that the page knows."""

    @wraps(method)
    def guarded(*given: object, **named: object) -> Any:  # noqa: ANN401 - what the method gives
        try:
            return method(*given, **named)
        except TROUBLE as error:
            raise ClubClosedError from error
        except TournamentError as error:
            raise BadTournamentError(NO_TOURNAMENT[str(error)]) from error

    return guarded


def _all_guarded(club: type[HubClub]) -> type[HubClub]:
    for name, member in vars(club).items():
        if not name.startswith("_") and callable(member):
            setattr(club, name, _guarded(member))
    return club


@_all_guarded
class HubClub:
    """Thread-safe, as its parts are."""

    def __init__(self, hub: Hub, address: str) -> None:
        """`address`: how tables reach the broker."""
        self._hub, self._address = hub, address
        self.version = version_of(OURS) or "from source"

    def number(self) -> int:
        return self._hub.hall.number

    def tables(self, delay: float) -> Sequence[Json]:
        return self._hub.hall.records(delay)

    def wait(self, since: int, timeout: float, delay: float) -> tuple[int, Sequence[str], str]:
        return self._hub.hall.wait(since, timeout, delay)

    def wish(self, table: str, kind: str, payload: Json, match: int | None, ply: int | None) -> Json:
        view = self._hub.hall.view(table)
        if view is None or not view.online:
            raise TableSilentError
        try:
            return self._hub.listener.wish(table, kind, payload, match, ply)
        except NoAnswerError as error:
            raise TableSilentError from error

    def find(self, wanted: Mapping[str, str], delay: float) -> Sequence[Json]:
        search = Search(
            player=wanted.get("player", "").strip(),
            game=wanted.get("game", ""),
            table=wanted.get("table", "").strip(),
            opening=wanted.get("opening", ""),
            action=wanted.get("action", "").strip(),
            rule=wanted.get("rule", ""),
            least_actions=_count(wanted.get("least_actions", "")),
            most_actions=_count(wanted.get("most_actions", "")),
            least_illegal=_count(wanted.get("least_illegal", "")),
            before=_seconds(wanted.get("before", "")),
            ended_by=self._hub.wall() - delay if delay else None,
        )
        return self._hub.library.find(search)

    def match(self, id_: str) -> Json | None:
        return self._hub.library.match(id_)

    def ratings(self, game: str, delay: float) -> Mapping[str, Sequence[tuple[float, str, float]]]:
        until = self._hub.wall() - delay if delay else None
        return {
            name: [(point.at, point.match, point.rating) for point in course]
            for name, course in self._hub.library.ratings(game, until).items()
        }

    def broken_rules(self, game: str, player: str) -> Sequence[Json]:
        return self._hub.library.broken_rules(game, player)

    def games(self) -> Sequence[str]:
        return self._hub.library.games()

    def tournaments(self, delay: float) -> Sequence[Json]:
        return self._hub.tournaments.all(self._hub.wall() - delay)

    def tournament(self, id_: str, delay: float) -> Json | None:
        self._hub.tournaments.take_results(id_)
        deeds = self._hub.tournaments.deeds(id_, self._hub.wall() - delay)
        return shown(id_, deeds) if deeds else None

    def begin_tournament(self, who: str, payload: Json) -> str:
        known = {
            name.casefold(): course[-1].rating for name, course in self._hub.library.ratings(payload["game"]).items()
        }
        players = [
            {"name": each["name"], "rating": each["rating"] or round(known.get(each["name"].casefold(), FIRST))}
            for each in payload["players"]
        ]
        return self._hub.tournaments.begin(who, payload | {"players": players})

    def direct(self, id_: str, who: str, kind: str, payload: Json) -> None:
        if kind == "draw":
            online = [view.name for view in self._hub.hall.views() if view.online]
            self._hub.tournaments.draw(id_, who, online)
        else:
            self._hub.tournaments.do(id_, who, kind, payload)

    def member(self, id_: str) -> Person | None:
        return self._hub.people.person(id_) if id_ else None

    def log_in(self, name: str, password: str) -> Person | None:
        return self._hub.people.log_in(name, password)

    def role_of(self, token: str) -> str | None:
        return self._hub.people.role_of(token)

    def accept(self, token: str, name: str, password: str) -> Person | None:
        try:
            return self._hub.people.accept(token, name, password)
        except ValueError as error:
            raise BadAccountError(WRONG[str(error)]) from error

    def invite(self, role: str) -> str:
        return self._hub.people.invite(role)

    def members(self) -> Sequence[Json]:
        return self._hub.people.everybody()

    def remove_member(self, id_: str) -> str | None:
        return self._hub.people.remove(id_)

    def known_tables(self) -> Sequence[Json]:
        return self._hub.people.tables()

    def invite_table(self, name: str) -> str:
        try:
            return join_command(self._address, name, self._hub.people.invite_table(name))
        except ValueError as error:
            raise BadAccountError(WRONG["table"]) from error

    def remove_table(self, name: str) -> bool:
        return self._hub.people.remove_table(name)

    def note(self, who: str, deed: str, about: str, address: str) -> None:
        self._hub.people.note(who, deed, about, address)

    def notes(self) -> Sequence[Json]:
        return self._hub.people.notes()

    def delay(self) -> float:
        return min(_seconds(get_setting(self._hub.engine, "delay")) or 0.0, LONGEST_DELAY)

    def is_open(self) -> bool:
        return get_setting(self._hub.engine, "open") == "yes"

    def settle(self, delay: float, is_open: bool) -> None:
        set_setting(self._hub.engine, "delay", str(round(delay)))
        set_setting(self._hub.engine, "open", "yes" if is_open else "no")


def join_command(address: str, name: str, token: str) -> str:
    """What to type at the table."""
    named = f'"{name}"' if " " in name else name
    return f"magister run --hub {address} --table {named} --token {token}"


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


def _seconds(text: str) -> float | None:
    try:
        found = float(text)
    except ValueError:
        return None
    return found if 0 <= found < 1e12 else None
