"""A table in a process of its own that may be killed at any moment: `python -m firmware.bench.rigs.hub_table`.

It plays without a camera: legal actions, one after another, into a real log with a real line to a hub. Its clock jumps.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from engine.match import Match
from engine.registry import find_game
from firmware.hub.joining import open_link
from firmware.log.claim import own_log
from firmware.log.match.record import seated
from firmware.log.store import Store

GAME = "rings"
LONGEST = 200
"""Actions of one match: then another begins."""


def play(log: Path, name: str, port: int, pause: float, seed: int, stop: Path) -> None:
    random = Random(seed)

    def jumping() -> str:
        return (datetime.now(UTC) + timedelta(hours=random.choice((0, 0, -30, 50)))).isoformat()

    with own_log(log) as store:
        link = open_link(f"mqtt://127.0.0.1:{port}", name, log, lambda _: None)
        rules = find_game(GAME).configure()
        while not stop.exists():
            number, match = _taken_up(store, jumping)
            link.show({"phase": "playing", "ply": match.ply})
            while match.position.outcome is None and match.ply < LONGEST and not stop.exists():
                action = random.choice(match.position.legal())
                payload = {"ply": match.ply, "seat": match.position.seat, "action": str(action)}
                match = match.play(action)
                store.append(number, "action", payload, at=jumping(), seconds=time.monotonic())
                link.show({"phase": "playing", "ply": match.ply, "game": rules.game.name})
                time.sleep(pause)
            if not stop.exists():
                store.append(number, "draw", {}, at=jumping(), seconds=time.monotonic())
        # It stays until the hub has it all, and is killed then.
        while True:
            time.sleep(1)


def _taken_up(store: Store, wall: object) -> tuple[int, Match]:
    """The match that was being played when the power went, or a new one."""
    number = store.unfinished_match()
    if number is not None:
        return number, store.rebuild(number)
    rules = find_game(GAME).configure()
    setup = rules.deal(2, Random(1))
    assert callable(wall)
    number = store.begin_match(rules, seated(("Ada", "Ben")), setup, started=wall())
    return number, Match.begin(rules, 2, setup)


if __name__ == "__main__":
    log, name, port, pause, seed, stop = sys.argv[1:]
    play(Path(log), name, int(port), float(pause), int(seed), Path(stop))
