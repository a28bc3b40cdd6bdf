"""The demo: a match at the virtual table, shown on the page and in the terminal, with its lights.

It is the same program as `magister run`, with the simulator as its camera.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from tempfile import TemporaryDirectory
from typing import TextIO

from engine.registry import find_game
from firmware.devices.lights import NoLights, drawn
from firmware.devices.recorded import FrameSource
from firmware.log.outbox import patient_log
from firmware.log.seating import Seating
from firmware.machine.clock import wall_clock
from firmware.page.keys import Keys
from firmware.settings.config import CameraSettings, PageSettings
from firmware.settings.eyes import check_refereed
from firmware.table.attending import Attendant
from firmware.table.cameras import Cameras, simulated
from firmware.table.events import Said, counted, in_words
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.plans import MatchPlan
from firmware.table.running import open_page
from vision.frame import Frame

LINGER = 0.5
"""Seconds between two looks at a table where the match is over."""


def demonstrate(args: argparse.Namespace) -> int:
    """Play, watch, referee and tell."""
    rules = find_game(args.game).configure()
    check_refereed(args.game)
    out = sys.stdout
    live = out.isatty() and not args.fast
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
        sim = partial(simulated, in_time=not args.fast, seed=args.seed, actions=args.actions)
        stage = partial(TerminalCamera, lights=lights, out=out if live else None, end=partial(_sum_up, sitting, live))
        cameras = Cameras(sitting, CameraSettings(), lambda table: stage(sim(table)))
        stack.callback(cameras.close)
        Attendant(sitting, SimpleQueue(), desk, lambda said: _tell(said, lights, live, out)).follow(cameras)
    return 0


class TerminalCamera:
    """The simulated camera with its lights drawn in the terminal; where somebody watches it stays when all is over."""

    def __init__(self, camera: FrameSource, lights: NoLights, out: TextIO | None, end: Callable[[], None]) -> None:
        self._camera, self._lights, self._out, self._end = camera, lights, out, end

    def frames(self) -> Iterator[Frame | None]:
        last = None
        for frame in self._camera.frames():
            yield frame
            last = frame or last
            if self._out is not None and frame is not None:
                line = f"\r{frame.seconds:8.1f} s  {drawn(self._lights.value)}  "
                print(line, end="", file=self._out, flush=True)
        self._end()
        while self._out is not None and last is not None:
            time.sleep(LINGER)
            last = Frame(last.bgr, last.seconds + LINGER)
            yield last

    def close(self) -> None:
        self._camera.close()


def _sum_up(sitting: Sitting, live: bool) -> None:
    if live:
        print()
    table = sitting.playing.table if sitting.playing is not None else None
    if table is not None:
        print(f"\n{table.match.position.draw()}\n\n{counted(table.match.ply, 'action')} seen.", flush=True)
    if live:
        print("The page stays open; press Ctrl-C to quit.", flush=True)


def _warn(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _tell(said: Said, lights: NoLights, live: bool, out: TextIO) -> None:
    line = f"{in_words(said.record())}  {drawn(lights.value, ansi=live)}"
    print(f"\r{line}" if live else line, file=out, flush=True)
