"""Running at a real table: camera, buttons, lights and log put together round one loop that owns the match."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from random import Random

from engine.core import Rules
from engine.match import Match
from engine.referee.table import Table
from firmware.camera import Camera
from firmware.chain import open_chain
from firmware.commands.log import default_log
from firmware.companion import Companion, resumed_table
from firmware.config import Config
from firmware.errors import UsageError
from firmware.eyes import check_refereed, make_eye, read_lens
from firmware.lights import open_lights
from firmware.live_camera import open_camera
from firmware.panel import open_panel
from firmware.pins import find_gpio
from firmware.seating import Seating, names_of
from firmware.simulated import SimulatedCamera
from firmware.store import Store
from firmware.table_args import dealt
from firmware.watching import in_words

SIMULATED_ACTIONS = 40


def keep_company(rules: Rules, args: argparse.Namespace) -> int:
    """Watch a table until the camera ends or somebody presses Ctrl-C."""
    check_refereed(rules.game.name)
    config, seating = Config.load(args.config), Seating.parse(args.players)
    setup = dealt(rules, len(seating), Random(0))
    match = Match.begin(rules, len(seating), setup)
    board = rules.game.board(len(seating), setup)
    eye = make_eye(board, read_lens(args.lens))
    path = args.log or default_log()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot keep a log in {path.parent}: {error.strerror}") from error
    with ExitStack() as stack:
        store = stack.enter_context(Store(path))
        if store.note:
            _say(store.note)
        resumed = None if args.new else _resume(store, match, seating)
        camera = open_camera(
            args.camera,
            config.camera,
            sim=lambda: SimulatedCamera(match, board, 1, SIMULATED_ACTIONS, lambda _: None),
        )
        stack.callback(camera.close)
        gpio = find_gpio(args.lights, _say)
        words: SimpleQueue[str] = SimpleQueue()
        lights = open_lights(config.pins, config.lights, gpio, _say)
        stack.callback(lights.close)
        chain = open_chain(board.sites, config.lights, gpio, _say)
        panel = open_panel(words, config.pins, config.panel, gpio, _say)
        for device in (chain, panel):
            if device is not None:
                stack.callback(device.close)
        companion = Companion(eye, match, seating, store=store, lights=lights, chain=chain, wall=_now, resumed=resumed)
        print(f"{rules.game.title}: {names_of(seating.players)}. The log is {path}.", flush=True)
        _loop(companion, camera, words)
    return 0


def _loop(companion: Companion, camera: Camera, words: SimpleQueue[str]) -> None:
    for frame in camera.frames():
        if frame is None:
            continue
        for event in companion.see(frame):
            print(in_words(event), flush=True)
        while (word := _next(words)) is not None:
            for event in companion.obey(word, frame.seconds):
                print(in_words(event), flush=True)


def _next(words: SimpleQueue[str]) -> str | None:
    try:
        return words.get_nowait()
    except Empty:
        return None


def _resume(store: Store, match: Match, seating: Seating) -> tuple[int, Table] | None:
    """The last match of the log, if it is unfinished and was played so too."""
    last = store.unfinished_match()
    if last is None:
        return None
    saved, rebuilt = store.match(last), store.rebuild(last)
    if rebuilt.rules != match.rules or [player.colour for player in saved.players] != [
        player.colour for player in seating.players
    ]:
        return None
    _say(f"going on with match {last}, {rebuilt.ply} actions so far (--new begins another one)")
    return last, resumed_table(rebuilt, saved.turns)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
