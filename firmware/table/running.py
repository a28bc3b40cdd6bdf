"""Running at a table: camera, buttons, lights, log and page put together round one loop that owns the match."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random

from engine.core import GameError, Json, Rules
from engine.referee.table import Table
from firmware.coaching.computers import computer_seats, named, taken_over
from firmware.devices.chain import open_chain
from firmware.devices.gpio import find_gpio
from firmware.devices.lights import open_lights
from firmware.devices.panel import OFF, open_panel
from firmware.log.claim import own_log
from firmware.log.place import default_log
from firmware.log.seating import Seating, names_of
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.machine.heartbeat import Heartbeat
from firmware.machine.poweroff import ask_for_poweroff
from firmware.page.desk import Desk, Opening, Wish
from firmware.page.greeting import greeting, reachable
from firmware.page.keys import Keys
from firmware.page.photographer import Photographer
from firmware.settings.config import Config, PageSettings
from firmware.settings.eyes import check_refereed, make_eye, read_colours, read_lens
from firmware.table.cameras import Cameras, cameras_here, simulated
from firmware.table.companion import resumed_table
from firmware.table.gear import Gear
from firmware.table.granting import grant
from firmware.table.plans import Plan
from firmware.table.refusing import told_refusal
from firmware.table.sitting import Sitting
from firmware.table.watching import counted, in_words
from vision.frame import Frame

PORTS = 50
"""How many ports are tried where none was asked for by name."""
Tell = Callable[[Json], None]


def keep_company(rules: Rules | None, args: argparse.Namespace) -> int:
    """Watch a table until the camera ends or somebody presses Ctrl-C."""
    seating = Seating.parse(args.players)
    computers = computer_seats(args.seat, [player.colour for player in seating.players])
    if computers and args.camera == "sim":
        raise UsageError("the simulated table plays every seat itself: --seat needs a real table")
    seating = named(seating, computers)
    if rules is not None:
        check_refereed(rules.game.name)
    config = Config.load(args.config)
    has_page = config.page.on and not args.no_page
    path: Path = args.log or default_log()
    with ExitStack() as stack:
        store = stack.enter_context(own_log(path))
        # A camera that is not there is the one thing to say; all else can wait until it is.
        notes = [store.note] if store.note else []
        plan = Plan(rules, seating) if rules is not None else None
        resumed = None if args.new else resume(store, plan, notes.append)
        if plan is None and resumed is None and not has_page:
            raise UsageError("choose a game with --game: there is no match to resume, and no page to choose one on")
        gpio = find_gpio(args.lights, notes.append)
        words: SimpleQueue[str] = SimpleQueue()
        lights = open_lights(config.pins, config.lights, gpio, notes.append)
        stack.callback(lights.close)
        gear = Gear(
            lights,
            store,
            read_lens(args.lens),
            lambda board: open_chain(board.sites, config.lights, gpio, _say),
            wall_clock,
            Random(),
            lambda: cameras_here(args.camera),
            make_eye=partial(make_eye, paints=read_colours(args.colours)),
        )
        sitting = Sitting(gear, args.camera)
        stack.callback(sitting.close)
        if resumed is not None:
            sitting.play(*resumed)
        elif plan is not None:
            sitting.play(plan)
        camera = Cameras(sitting, config.camera, partial(simulated, in_time=has_page))
        stack.callback(camera.close)
        for note in notes:
            _say(note)
        panel = open_panel(words, config.pins, config.panel, gpio, _say)
        if panel is not None:
            stack.callback(panel.close)
        if sitting.companion is not None:
            game, players = sitting.companion.watcher.match.rules.game, names_of(sitting.companion.seating.players)
            print(f"{game.title}: {players}. Match log: {path}.", flush=True)
        desk = None
        if has_page:
            desk = open_page(sitting, args, config.page, Keys.kept(path.with_name("page.json")), path)
            stack.callback(desk.close)
        attend(sitting, camera, words, desk, lambda event: print(in_words(event, sitting.names), flush=True))
    return 0


def open_page(sitting: Sitting, args: argparse.Namespace, settings: PageSettings, keys: Keys, log: Path) -> Desk:
    """Start the page and say where it is. A port that was asked for must be free; else the next free one is taken."""
    host: str = args.host or settings.host
    port, tries = (settings.port, PORTS) if args.port is None else (args.port, 1)
    opening = Opening(host=host, port=port, tries=tries, pin=keys.pin, secret=keys.secret, log=str(log))
    desk = Desk(opening, _say)
    address = desk.open(sitting.state(), sitting.trace())
    print(greeting(reachable(address, host), keys.pin, sys.stdout), flush=True)
    return desk


def attend(sitting: Sitting, cameras: Cameras, words: SimpleQueue[str], desk: Desk | None, tell: Tell) -> None:
    """Frame after frame until the camera ends; between two frames what people wish for."""
    photographer = Photographer(desk) if desk is not None else None
    heart = Heartbeat.from_environment(os.environ, os.getpid())
    try:
        ended = False
        while not ended:
            ended = True
            for frame in cameras.now.frames():
                heart.beat(time.monotonic())
                attend_frame(sitting, frame, words, desk, photographer, tell)
                if sitting.wants_camera:
                    cameras.change()
                    ended = False
                    break
    finally:
        heart.stopping()
        if photographer is not None:
            photographer.close()


def attend_frame(
    sitting: Sitting,
    frame: Frame | None,
    words: SimpleQueue[str],
    desk: Desk | None,
    photographer: Photographer | None,
    tell: Tell,
) -> None:
    """One frame (None: it is missing), then buttons, wishes and the page."""
    news = sitting.see(frame) if frame is not None else sitting.miss()
    while (word := _next(words)) is not None:
        if word == OFF:
            ask_for_poweroff(os.environ, _say)
        else:
            news += sitting.obey(word)
    for event in news:
        tell(event)
    if desk is None:
        return
    if frame is not None or sitting.companion is None:
        desk.beat()
    carry_out(sitting, desk, tell)
    if photographer is not None:
        board = sitting.companion.watcher.eye.board if sitting.companion is not None else None
        photographer.serve(sitting.frame.bgr if sitting.frame is not None else None, board, sitting.look)


def carry_out(sitting: Sitting, desk: Desk, tell: Tell) -> None:
    """Do what was wished, tell the page what is new, then answer: whoever asked sees it done."""
    answers: list[tuple[Wish, Json | None, Json | None]] = []
    for wish in desk.wishes():
        try:
            done, more = grant(sitting, wish.kind, wish.payload)
        except (GameError, UsageError) as error:
            answers.append((wish, None, told_refusal(error, wish.payload, sitting.companion)))
            continue
        for event in more:
            tell(event)
        answers.append((wish, done, None))
    if sitting.changed():
        desk.publish(sitting.state(), sitting.trace(), sitting.fresh())
    for wish, told, refused in answers:
        desk.answer(wish, told, refused)


def _next(words: SimpleQueue[str]) -> str | None:
    try:
        return words.get_nowait()
    except Empty:
        return None


def resume(store: Store, plan: Plan | None, say: Callable[[str], None]) -> tuple[Plan, tuple[int, Table]] | None:
    """The last match of the log and who plays it, if it is unfinished; if something else is to be played, none."""
    last = store.unfinished_match()
    if last is None:
        if flaw := store.flaw_of_last_match():
            say(f"{flaw}: that match cannot be resumed (see `magister log verify`)")
        return None
    history = store.history(last)
    found = Plan(history.match.rules, Seating(history.players))
    if plan is not None:
        if found.rules != plan.rules or found.seating.colours != plan.seating.colours:
            return None
        found = Plan(plan.rules, taken_over(found.seating, plan.seating))
    say(f"resuming match {last} after {counted(history.match.ply, 'action')} (use --new to start another)")
    return found, (last, resumed_table(history.match, history.turns[0]))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
