"""The demo: a match at the virtual table, seen and refereed, told in the terminal with the lights drawn."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from random import Random
from typing import TextIO

from engine.core import Json
from engine.match import Match
from engine.registry import find_game
from firmware.companion import Companion
from firmware.eyes import check_refereed, make_eye
from firmware.lights import NoLights, drawn
from firmware.seating import Seating
from firmware.simulated import SimulatedCamera
from firmware.table_args import dealt
from firmware.watching import in_words


def demonstrate(game: str, players: int, seed: int, actions: int, fast: bool) -> int:
    """Play, watch, referee and tell."""
    out = sys.stdout
    rules = find_game(game).configure()
    setup = dealt(rules, players, Random(seed))
    match = Match.begin(rules, players, setup)
    check_refereed(game)
    board = rules.game.board(players, setup)
    start = time.monotonic()
    camera = SimulatedCamera(match, board, seed, actions, (lambda _: None) if fast else _in_time(start))
    companion = Companion(
        make_eye(board), match, Seating.parse(str(players)), store=None, lights=NoLights(), wall=lambda: ""
    )
    live = out.isatty()
    print(f"{rules.game.title} at the virtual table: a hand plays, the eye watches, the referee speaks.", file=out)
    for frame in camera.frames():
        if frame is None:
            continue
        for event in companion.see(frame):
            _tell(event, companion, live, out)
        if live:
            print(f"\r{frame.seconds:8.1f} s  {drawn(companion.shown)}  ", end="", file=out, flush=True)
    table = companion.table
    if live:
        print(file=out)
    if table is not None:
        print(f"\n{table.match.position.draw()}\n\n{table.match.ply} actions seen.", file=out)
    return 0


def _tell(event: Json, companion: Companion, live: bool, out: TextIO) -> None:
    line = f"{in_words(event)}  {drawn(companion.shown, ansi=live)}"
    print(f"\r{line}" if live else line, file=out, flush=True)


def _in_time(start: float) -> Callable[[float], None]:
    """Waits until it is as late here as at the table."""

    def wait(seconds: float) -> None:
        time.sleep(max(0.0, start + seconds - time.monotonic()))

    return wait
