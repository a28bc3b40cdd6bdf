"""How fair the games are, measured once and kept in their folders: what the program scores against itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from engine.core import Json, Rules
from engine.players.words import BALANCE, CAPPED
from engine.registry import find_game
from engine.words import say

FILE = "balance.json"


@dataclass(frozen=True)
class Balance:
    """One table of one game: matches of one level against itself."""

    game: str
    variant: str | None
    players: int
    level: str
    matches: int
    first: tuple[float, float, float]
    """The score of the player who begins, and its 95 % interval."""
    plies: tuple[int, int, int]
    """Actions in a match: 5 %, 50 % and 95 % quantiles."""
    ends: Mapping[str, int]
    """How the matches ended; `capped`: unfinished."""

    @classmethod
    def read(cls, record: Json) -> Balance:
        first, plies = tuple(record["first"]), tuple(record["plies"])
        return cls(**{**record, "first": first, "plies": plies})

    def record(self) -> Json:
        return {
            "game": self.game,
            "variant": self.variant,
            "players": self.players,
            "level": self.level,
            "matches": self.matches,
            "first": list(self.first),
            "plies": list(self.plies),
            "ends": dict(self.ends),
        }

    def say(self, language: str = "en") -> list[str]:
        """The facts as sentences."""
        share, low, high = (round(100 * part) for part in self.first)
        short, middle, long = self.plies
        known = {by: ending.short for by, ending in find_game(self.game).endings.items()} | {"capped": CAPPED}
        ends = ", ".join(
            f"{say(known[by], language)} {round(100 * number / self.matches)} %" for by, number in self.ends.items()
        )
        return [
            say(BALANCE["source"], language, level=self.level, count=self.matches),
            say(BALANCE["first"], language, number=share, low=low, high=high),
            say(BALANCE["length"], language, low=short, high=long, number=middle),
            say(BALANCE["ends"], language, ends=ends),
        ]


@cache
def measured(package: str) -> tuple[Balance, ...]:
    """Everything that was measured of the games in a folder."""
    file = resources.files(package) / FILE
    return tuple(map(Balance.read, json.loads(file.read_text(encoding="utf-8")))) if file.is_file() else ()


def balances(rules: Rules) -> Iterator[Balance]:
    """The measurements for exactly these rules, whatever the game is called, for each number of players."""
    for each in measured(rules.game.package):
        theirs = find_game(each.game).configure(each.variant)
        if type(theirs) is type(rules) and theirs.options == rules.options:
            yield each
