"""Golden playthroughs: one match of every table, told line by line. They say "changed"; a person says "wrong".

`python tests/playthroughs/test_playthroughs.py` writes them anew after a rule was changed on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest

from engine.core import COLOURS
from engine.registry import all_games, find_game

GOLDEN = Path(__file__).parent
PLIES = 40
TABLES = [
    (game.name, variant, players)
    for game in all_games()
    for variant in (game.variants or (None,))
    for players in game.seats
]


def file_of(game: str, variant: str | None, players: int) -> Path:
    return GOLDEN / f"{'-'.join([game, variant] if variant else [game])}-{players}.txt"


def playthrough(game: str, variant: str | None, players: int) -> Iterator[str]:
    """One line a ply: who played what, how many actions were legal and a digest of them, what stands where then."""
    rules = find_game(game).configure(variant)
    dice = Random(f"{game} {variant} {players}")
    position = rules.start(players, rules.deal(players, dice))
    for ply in range(PLIES):
        if position.outcome is not None:
            break
        texts = {str(action): action for action in position.legal()}
        digest = sha256(" ".join(sorted(texts)).encode()).hexdigest()[:8]
        played = _choose(sorted(texts), dice)
        told = f"{ply} {COLOURS[position.seat or 0]} {played} of {len(texts)} {digest}"
        position = position.after(texts[played])
        yield f"{told} {' '.join(f'{site}={face}' for site, face in sorted(position.faces().items()))}"
    yield f"{position.outcome.record()}" if position.outcome else "goes on"


def _choose(texts: list[str], dice: Random) -> str:
    """Captures, splits and turns are rare among random actions: prefer one kind, so that all kinds are met."""
    mark = dice.choice(["x", "/", ">", "-", ":", "@", "~", "+", ""])
    return dice.choice([text for text in texts if mark in text] or texts)


@pytest.mark.parametrize(("game", "variant", "players"), TABLES)
def test_playthrough(game: str, variant: str | None, players: int) -> None:
    golden = file_of(game, variant, players)
    told = golden.read_text().splitlines()
    for number, (want, got) in enumerate(zip_longest(told, playthrough(game, variant, players)), start=1):
        assert got == want, f"{golden.name}, line {number}"


def test_every_table_has_a_playthrough_and_every_playthrough_a_table() -> None:
    assert {path.name for path in GOLDEN.glob("*.txt")} == {file_of(*table).name for table in TABLES}


if __name__ == "__main__":
    for table in TABLES:
        file_of(*table).write_text("\n".join(playthrough(*table)) + "\n")
