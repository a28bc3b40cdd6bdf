"""How fair the games are: a level plays itself at every table. `python -m firmware.bench.balance` saves the figures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from itertools import groupby, product
from pathlib import Path

from engine.core import Rules
from engine.players.arena import of_level, play_match, wilson
from engine.players.balance import FILE, Balance
from engine.players.levels import LEVELS
from engine.registry import find_game
from firmware.bench import Row
from firmware.bench.rigs.tables import games

LEVEL = LEVELS[1]
"""It looks one action ahead and errs a little, so that no match is like another; and it takes wins at once."""
MATCHES = 40
"""At each table."""


def measure() -> list[Row]:
    return [_row(each) for each in balances()]


def balances() -> Iterator[Balance]:
    """Every table of every game, one after the other."""
    for game in games():
        for variant, players in product(game.variants or (None,), game.seats):
            yield weigh(game.configure(variant), players)


def weigh(rules: Rules, players: int) -> Balance:
    """So many matches of one table."""
    player, matches = of_level(LEVEL), MATCHES
    results = [play_match(rules, [player] * players, seed) for seed in range(matches)]
    score = sum(result.score(0, players) for result in results)
    low, high = wilson(score, matches)
    plies = sorted(result.plies for result in results)
    ends = Counter("capped" if result.outcome is None else result.outcome.by for result in results)
    return Balance(
        game=rules.game.name,
        variant=rules.variant,
        players=players,
        level=LEVEL.name,
        matches=matches,
        first=(round(score / matches, 3), round(low, 3), round(high, 3)),
        plies=(plies[matches // 20], plies[matches // 2], plies[-1 - matches // 20]),
        ends=dict(ends.most_common()),
    )


def _row(each: Balance) -> Row:
    share, low, high = each.first
    table = " ".join([each.game, *([each.variant] if each.variant else []), f"for {each.players}"])
    told = f"({low:.3f} to {high:.3f}, {each.matches} matches; even: {1 / each.players:.3f})"
    return Row(what=f"{table}: score of the first player", value=share, unit=told)


def keep() -> None:
    """Write what is measured where the rules page finds it."""
    for package, found in groupby(balances(), lambda each: find_game(each.game).package):
        path = Path(str(resources.files(package) / FILE))
        path.write_text(json.dumps([each.record() for each in found], indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    keep()
