"""A table for the referee's tests: pictures as readings without doubt, ten a second, no camera."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.board import Board
from engine.core import Rules
from engine.face import EMPTY, FaceSet, spelled
from engine.match import Match
from engine.referee.reading import Reading
from engine.referee.table import Seen, Table, step
from engine.registry import all_games, find_game

SURE = -12.0


def read(board: Board, names: Mapping[str, str], turns: Mapping[str, int], hidden: Iterable[str] = ()) -> Reading:
    """What a perfect eye would read of faces given by their names; a hidden sheet name hides its mark."""
    covered, faces = frozenset(hidden), board.faces.read(names)
    known = {EMPTY, *board.faces.lawful, *faces.values()}
    sites = {
        site: {face: 0.0 if face == faces.get(site, EMPTY) else SURE for face in known}
        for site in board.sites
        if site not in covered
    }
    sheets = {
        sheet.name: tuple(
            0.0 if sheet.name in covered or (turn - turns.get(sheet.name, 0)) % sheet.turns == 0 else SURE
            for turn in range(sheet.turns)
        )
        for sheet in board.turnable
    }
    return Reading(sites, sheets, covered & set(board.sites))


@dataclass
class Tabletop:
    """Shows pictures to a referee and collects what it says."""

    rules: Rules
    players: int = 2
    setup: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.board = self.rules.game.board(self.players, dict(self.setup))
        self.table = Table.begin(Match.begin(self.rules, self.players, self.setup), {})
        self.turns = {sheet.name: 0 for sheet in self.board.turnable}
        self.said: list[dict[str, Any]] = []
        self.seen: Reading | None = None

    @classmethod
    def of(cls, game: str, sites: Mapping[str, str] | None = None, **rest: object) -> Tabletop:
        setup = {"sites": sites, **rest} if sites is not None else {}
        return cls(find_game(game).configure(), setup=setup)

    def show(
        self,
        faces: Mapping[str, str] | None,
        seconds: float = 0.5,
        hand: bool = False,
        hidden: Iterable[str] = (),
        moving: Iterable[str] = (),
        restless: bool = False,
    ) -> list[dict[str, Any]]:
        """The same picture for a while (None: no board to be seen); what the referee says to it."""
        news: list[dict[str, Any]] = []
        seen = read(self.board, faces, self.turns, hidden) if faces is not None else None
        for _ in range(round(seconds * 10)):
            reading = None
            if seen is not None:
                reading = Reading(seen.sites, seen.sheets, seen.hidden, hand, frozenset(moving) | self.stirred(seen))
            self.table = step(self.table, Seen(self.seconds, reading, restless))
            news += self.table.records()
            self.seconds += 0.1
        self.said += news
        return news

    def stirred(self, reading: Reading) -> frozenset[str]:
        """The sites on which, or under which, something else is seen than in the picture before: it moved there."""
        before, self.seen = self.seen, reading
        if before is None or before is reading:
            return frozenset()
        known, now = before.guesses(), reading.guesses()
        turned = {name for name in reading.sheets if before.turn(name)[0] != reading.turn(name)[0]}
        moved = {site for site in known.keys() & now.keys() if known[site].best != now[site].best}
        return frozenset(moved | {name for name, site in self.board.sites.items() if site.sheet in turned})

    def play(self, text: str) -> list[dict[str, Any]]:
        """A legal action, carried out by a hand that comes and goes."""
        action = self.rules.parse(text)
        after = self.table.match.position.play(action)
        self.show(self.faces, 0.3, hand=True)
        for name, steps in action.turns.items():
            self.turns[name] += steps
        return self.show(spelled(after.faces()))

    @property
    def faces(self) -> dict[str, str]:
        """What stands on the table after the actions accepted so far, by name."""
        return spelled(self.table.match.position.faces())

    def changed(self, **changes: str | None) -> dict[str, str]:
        """The same with some sites changed; None empties one."""
        return {site: face for site, face in {**self.faces, **changes}.items() if face is not None}


def look(table: Tabletop, reading: Reading, frames: int = 4) -> list[dict[str, Any]]:
    """The same reading for some frames, ten a second."""
    news = []
    for _ in range(frames):
        moved = replace(reading, moving=reading.moving | table.stirred(reading))
        table.table = step(table.table, Seen(table.seconds, moved))
        news += table.table.records()
        table.seconds += 0.1
    return news


def doubted(reading: Reading, **doubts: dict[str, float]) -> Reading:
    """The same reading with other likelihoods for some faces, by name, of some sites."""
    known = faces_of(reading)
    sites = {
        site: {**values, **{known.get(name, EMPTY): value for name, value in doubts.get(site, {}).items()}}
        for site, values in reading.sites.items()
    }
    return replace(reading, sites=sites)


def faces_of(reading: Reading) -> FaceSet:
    """The faces of the game that was read."""
    seen = {face for values in reading.sites.values() for face in values if face != EMPTY}
    return next(game.faces for game in all_games() if seen <= set(game.faces.values()))


def named(news: list[dict[str, Any]]) -> list[object]:
    return [each.get("action") or each.get("rule") or each["event"] for each in news]
