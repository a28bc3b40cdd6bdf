"""The demo: a match at the virtual table, shown on the page and in the terminal, with its lights.

It is the same program as `magister run`, with the simulator as its camera.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import cycle
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import TextIO

from engine.registry import find_game
from firmware.devices.lights import NoLights, drawn
from firmware.devices.recorded import FrameSource
from firmware.log.match.seating import Seating
from firmware.log.outbox import patient_log
from firmware.machine.clock import wall_clock
from firmware.page.keys import Keys
from firmware.settings.config import CameraSettings, PageSettings
from firmware.settings.eyes import check_refereed, refereed
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import Cameras, simulated
from firmware.table.events import Said, counted, in_words
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.running import open_page
from hardware.virtual.acting.show import LONGEST
from vision.frame import Frame

REST = 12.0
"""Seconds for which a finished match is shown before the next one begins."""
SETTING_UP = 90.0
"""Seconds after which a match that a visitor has set up, and nobody begins, begins by itself."""


def demonstrate(args: argparse.Namespace) -> int:
    """Play, watch, referee and tell: match after match until Ctrl-C, or so many actions and no more."""
    rules = find_game(args.game).configure()
    check_refereed(args.game)
    out = sys.stdout
    live = out.isatty() and not args.fast
    actions = FEW if args.actions is None and args.fast else args.actions
    with ExitStack() as stack:
        path: Path = args.log or Path(stack.enter_context(TemporaryDirectory(prefix="magister-"))) / "demo.sqlite"
        lights = NoLights()
        gear = Gear(
            lights,
            stack.enter_context(patient_log(path, _warn)),
            wall=wall_clock,
            random=Random(args.seed),
            cameras=lambda: ["sim"],
        )
        sitting = Sitting(gear, "sim")
        sitting.play(MatchPlan(rules, Seating.parse(str(args.players))))
        print(
            f"{rules.game.title} at the virtual table: a hand plays, the camera watches, the referee comments.",
            file=out,
        )
        desk = open_page(sitting, args, PageSettings(), Keys.new(), path)
        stack.callback(desk.close)
        if actions is None:
            print(WHAT_TO_TRY, file=out, flush=True)
        programme = Programme(sitting, args.game, args.seed)
        sim = partial(
            simulated,
            in_time=not args.fast,
            actions=actions,
            stays=programme.goes_on,
            longest=LONGEST,
            patience=SETTING_UP,
        )
        stage = partial(TerminalCamera, lights=lights, out=out if live else None, end=partial(_sum_up, sitting, live))
        cameras = Cameras(sitting, CameraSettings(), lambda table: stage(sim(table, seed=programme.next_seed())))
        stack.callback(cameras.close)
        Attendant(sitting, SimpleQueue(), desk, lambda said: _tell(said, lights, live, out)).follow(cameras)
    return 0


FEW = 12
"""Actions of a demonstration that nobody watches."""
WHAT_TO_TRY = """Try on the page: let a hand cheat, move the lamp, bump the table, put a cup on it; tap a point on the
board; take an action back; open "What the camera sees". One match follows another; Ctrl-C ends it."""


class Programme:
    """Which match comes after which: every game in turn."""

    def __init__(self, sitting: Sitting, first: str, seed: int) -> None:
        games = refereed()
        start = games.index(first)
        self._games = cycle((*games[start + 1 :], *games[: start + 1]))
        self._sitting, self._seed = sitting, seed - 1

    def next_seed(self) -> int:
        """Another match, other hands and another light."""
        self._seed += 1
        return self._seed

    def goes_on(self, rested: float) -> bool:
        """Whether the table is still shown as it was left; if not, the next match begins."""
        if rested < REST:
            return True
        playing = self._sitting.playing
        game, players = find_game(next(self._games)), len(playing.seating) if playing is not None else 2
        self._sitting.abandon()
        self._sitting.wants_camera = True
        seats = players if players in game.seats else game.seats[0]
        self._sitting.play(MatchPlan(game.configure(), Seating.parse(str(seats))))
        return False


class TerminalCamera:
    """The simulated camera with its lights drawn in the terminal."""

    def __init__(self, camera: FrameSource, lights: NoLights, out: TextIO | None, end: Callable[[], None]) -> None:
        self._camera, self._lights, self._out, self._end = camera, lights, out, end

    def frames(self) -> Iterator[Frame | None]:
        for frame in self._camera.frames():
            yield frame
            if self._out is not None and frame is not None:
                line = f"\r{frame.seconds:8.1f} s  {drawn(self._lights.value)}  "
                print(line, end="", file=self._out, flush=True)
        self._end()

    def close(self) -> None:
        self._camera.close()


def _sum_up(sitting: Sitting, live: bool) -> None:
    if live:
        print()
    table = sitting.playing.table if sitting.playing is not None else None
    if table is not None:
        print(f"\n{table.match.position.draw()}\n\n{counted(table.match.ply, 'action')} seen.", flush=True)
    elif sitting.playing is not None:
        print(f"\nNext: {sitting.playing.start.rules.game.title}.", flush=True)


def _warn(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _tell(said: Said, lights: NoLights, live: bool, out: TextIO) -> None:
    line = f"{in_words(said.record())}  {drawn(lights.value, ansi=live)}"
    print(f"\r{line}" if live else line, file=out, flush=True)
