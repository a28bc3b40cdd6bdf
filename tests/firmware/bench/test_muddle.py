"""After anything the referee finds back, and it is never silent for long, at tables where everything goes wrong."""

from __future__ import annotations

from collections import Counter

import pytest

from firmware.bench.rigs.muddle import TROUBLE, Muddle

SILENT = 3.0
"""Seconds for which a table may show something new without an event or a stated wait."""
TABLES = {"rings": 12, "memento-tuos": 8, "memento-ludis": 4, "dimenticato": 8, "triominos": 3}


@pytest.mark.parametrize("game", TABLES)
def test_whatever_happened_the_referee_finds_back_and_is_never_silent(game: str) -> None:
    outcomes: Counter[str] = Counter()
    for seed in range(TABLES[game]):
        ending = Muddle(game, seed).run()
        outcomes[ending.outcome] += 1
        assert ending.outcome != "lost", (seed, ending.troubles, ending.said[-8:])
        assert ending.silent <= SILENT, (seed, ending.troubles, ending.said[-8:])
    # Most of it is understood at once.
    assert outcomes["known"] + outcomes["asked"] >= TABLES[game] // 2, outcomes


def test_all_kinds_of_trouble_come_up() -> None:
    drawn = {name for seed in range(14) for name in Muddle("rings", seed).troubles}
    assert drawn == set(TROUBLE)
