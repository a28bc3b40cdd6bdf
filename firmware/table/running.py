"""The companion at a real table: camera, buttons, lights, log and page, put together round the loop."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any

from engine.core import GameError, Rules
from firmware.coaching.computers import computer_seats, named
from firmware.devices.chain import open_chain
from firmware.devices.gpio import find_gpio
from firmware.devices.lights import open_lights
from firmware.devices.panel import open_panel
from firmware.devices.phone.camera import PhoneCamera
from firmware.devices.phone.link import PhoneLink
from firmware.devices.phone.server import PhoneServer
from firmware.devices.recorded import flaws
from firmware.devices.sources import check_source
from firmware.devices.speaker import Speaker
from firmware.hub.line import HubLine
from firmware.log.disk.place import default_log
from firmware.log.match.record import LogEmptyError, LogUnwritableError
from firmware.log.match.seating import Seating, names_of
from firmware.log.outbox import Outbox, patient_log
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.page.desk import Desk, Opening
from firmware.page.greeting import greeting, here, invitation, reachable, show_in_browser
from firmware.page.keys import Keys
from firmware.settings.arguments import chosen_clock
from firmware.settings.config import Config, HubTable, PageSettings
from firmware.settings.eyes import check_refereed, make_eye, read_colours, read_lens
from firmware.settings.own import OwnSettings
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan, clock_for
from firmware.table.cameras.chosen import SIMULATED_ACTIONS, Awaited, Cameras, KnownCameras, glance, simulated
from firmware.table.events import Said, counted, in_words
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.playing import Resumed
from firmware.table.requests.resuming import found_match, reopen, resume
from firmware.table.state import state_of, trace_of
from firmware.table.voice import TableVoice

BACKED_UP = {"settings": "config", "lens": "lens", "colours": "colours"}
"""What a backup on the page holds beside the log, and the options that name it."""
AGAIN = 75
"""What `keep_company` returns where somebody wants the program to start anew."""
WELCOME = "start"
"""The page for whoever has played nothing yet."""
PORTS = 50
"""How many ports are tried where none was asked for by name."""


def keep_company(rules: Rules | None, args: argparse.Namespace) -> int:
    """Watch a table until the camera ends or somebody presses Ctrl-C; `AGAIN` if it is to start anew."""
    check_source(args.camera)
    plan, seating = None, _seating(args)
    path: Path = args.log or default_log()
    own, config = _settings(args, path)
    control = chosen_clock(args.clock, config)
    if rules is not None:
        check_refereed(rules.game.name)
        plan = MatchPlan(rules, seating, clock_for(control, seating))
    has_page = config.page.on and not args.no_page
    with ExitStack() as stack:
        outbox = stack.enter_context(patient_log(path, _say))
        notes = [outbox.store.note] if outbox.store is not None and outbox.store.note else []
        begun = taken_up(outbox, path, plan, args, notes.append) or plan
        if begun is None and not has_page:
            raise UsageError("choose a game with --game: there is no match to resume, and no page to choose one on")
        gpio = find_gpio(args.lights, notes.append)
        lights = open_lights(config.pins, config.lights, gpio, notes.append)
        stack.callback(lights.close)
        known = KnownCameras(args.camera)
        kept = path.with_name("page.json")
        keys = Keys.kept(kept, _say)
        link = PhoneLink(bytes.fromhex(keys.secret))
        gear = Gear(
            lights,
            outbox,
            read_lens(args.lens),
            lambda board: open_chain(board.sites, config.lights, gpio, _say),
            wall_clock,
            Random(),
            known,
            known.name,
            glance=partial(glance, settings=config.camera),
            phone=link,
            make_eye=partial(make_eye, paints=read_colours(args.colours)),
            control=control,
            rules=config.rules,
            own=own,
        )
        gear.speaks(config.page.language)
        sitting = Sitting(gear, known.chosen)
        stack.callback(sitting.close)
        gear.hub = joined(config.hub, args, path, stack)
        if isinstance(begun, MatchPlan):
            sitting.play(begun)
        elif begun is not None:
            sitting.play(*begun)
        serve = partial(PhoneServer, link=link, place=path.with_name("phone.pem"), certificate=args.certificate)
        phone = partial(PhoneCamera, config.camera, link, serve)
        # Without a page nobody could begin another match: then it ends by itself.
        played = partial(simulated, in_time=has_page, actions=None if has_page else SIMULATED_ACTIONS)
        camera = Cameras(sitting, config.camera, played, known.source, phone)
        stack.callback(camera.close)
        _say_all(notes)
        buttons = _buttons(config, gpio, stack)
        _announce(sitting, path)
        _say_what_is_missing(camera, has_page)
        desk = None
        if has_page:
            is_new = outbox.store is not None and outbox.store.last_match() is None
            desk = open_page(sitting, args, config.page, keys, path, WELCOME if is_new else "")
            stack.callback(desk.close)
            gear.change_pin = partial(_change_pin, keys, kept, desk)
        _invite_phone(link)
        voice = _voice(args.voice or config.voice.language, stack)
        Attendant(sitting, buttons, desk, lambda said: _print(said, sitting), _say, voice).follow(camera)
        _say_all(flaws(camera.now, known.chosen))
        return AGAIN if sitting.wants_restart else 0


def _settings(args: argparse.Namespace, log: Path) -> tuple[OwnSettings, Config]:
    """The table's own settings and the file's; the lens and colours they name are taken where the call names none."""
    own = OwnSettings(log, args.config)
    config = own.load(_say)
    args.lens, args.colours = args.lens or own.file("lens"), args.colours or own.file("colours")
    return own, config


def _say_all(notes: Iterable[str]) -> None:
    for note in notes:
        _say(note)


def _invite_phone(link: PhoneLink) -> None:
    """Where the phone is the camera, the code that leads it there."""
    if link.page and (code := invitation(link.address, sys.stdout)):
        print(code, flush=True)


def _buttons(config: Config, gpio: Any, stack: ExitStack) -> SimpleQueue[str]:  # noqa: ANN401
    """What is pressed on the panel, if there is one."""
    pressed: SimpleQueue[str] = SimpleQueue()
    panel = open_panel(pressed, config.pins, config.panel, gpio, _say)
    if panel is not None:
        stack.callback(panel.close)
    return pressed


def _say_what_is_missing(camera: Cameras, has_page: bool) -> None:
    if isinstance(camera.now, Awaited):
        choice = "; the page lets you choose another." if has_page else "."
        _say(f"{camera.now.trouble} The match waits for it{choice}")


def _change_pin(keys: Keys, kept: Path, desk: Desk, pin: str) -> None:
    desk.knows_pin(keys.change_pin(kept, pin).pin)


def joined(settings: HubTable, args: argparse.Namespace, log: Path, stack: ExitStack) -> HubLine | None:
    """The line to the hub, if the table is to have one."""
    url, table = args.hub or settings.url, args.table or settings.table
    if not url:
        if args.table or args.token:
            raise UsageError("--table and --token belong to --hub mqtt://HOST")
        return None
    from firmware.hub.joining import open_link

    home = settings.home_assistant
    token = args.token or settings.token
    link = open_link(url, table, log, _say, token=token, ca=settings.ca, home_assistant=home)
    stack.callback(link.close)
    return link


def taken_up(
    outbox: Outbox, path: Path, plan: MatchPlan | None, args: argparse.Namespace, say: Callable[[str], None]
) -> tuple[MatchPlan, Resumed] | None:
    """The match of the log that goes on, if one does."""
    if args.match is not None and (plan is not None or args.new):
        raise UsageError("--match goes on with a match as it was begun: leave out --game and --new")
    if args.match is None and (args.new or (outbox.store is None and not path.exists())):
        return None
    try:
        with ExitStack() as reading:
            # What cannot be written now may be read all the same.
            store = outbox.store or reading.enter_context(Store(path, read_only=True))
            if args.match is None:
                return resume(store, plan, say)
            found = found_match(store, args.match)
        outbox.put(lambda store: reopen(store, args.match, wall_clock()))
        say(f"resuming match {args.match} after {counted(found[1][1].match.ply, 'action')}")
        return found
    except LogUnwritableError as error:
        say(str(error))
        return None
    except LogEmptyError:
        # A full disk took the file's name and nothing more: what is played waits in memory.
        if args.match is None and outbox.problem:
            return None
        raise
    except GameError as error:
        raise UsageError(f"{error}; `magister log list` shows all matches") from error


def _seating(args: argparse.Namespace) -> Seating:
    """Who plays, people and the program, as the call says it."""
    seating = Seating.parse(args.players)
    computers = computer_seats(args.seat, seating.colours)
    if computers and args.camera == "sim":
        raise UsageError("the simulated table plays every seat itself: --seat needs a real table")
    return named(seating, computers)


def _voice(language: str, stack: ExitStack) -> TableVoice | None:
    """The table's voice, if one is wanted and anything can speak."""
    if language in ("", "none"):
        return None
    speaker = Speaker()
    stack.callback(speaker.close)
    if speaker.problem:
        _say(speaker.problem)
    return TableVoice(speaker, language)


def _announce(sitting: Sitting, path: Path) -> None:
    if sitting.playing is not None:
        game, players = sitting.playing.start.rules.game, names_of(sitting.playing.seating.players)
        print(f"{game.title}: {players}. Match log: {path}.", flush=True)


def open_page(
    sitting: Sitting, args: argparse.Namespace, settings: PageSettings, keys: Keys, log: Path, first: str = ""
) -> Desk:
    """Start the page and say where it is. A port that was asked for must be free; else the next free one is taken.
    `first`: the page that a browser opens here, if it is to open one."""
    host: str = args.host or settings.host
    port, tries = (settings.port, PORTS) if args.port is None else (args.port, 1)
    files = {kind: str(file) for kind, name in BACKED_UP.items() if (file := getattr(args, name, None)) is not None}
    kept = {"pin": keys.pin, "secret": keys.secret, "log": str(log)}
    opening = Opening(
        host=host,
        port=port,
        tries=tries,
        files=files,
        names=(host, *settings.further_names),
        screen=settings.screen,
        index=settings.index,
        **kept,
    )
    desk = Desk(opening, _say)
    address = desk.open(state_of(sitting), trace_of(sitting))
    print(greeting(reachable(address, host), keys.pin, sys.stdout), flush=True)
    if getattr(args, "open", False):
        # Whoever sits at this machine may change things.
        show_in_browser(f"{here(address)}{first}#pin={keys.pin}")
    return desk


def _print(said: Said, sitting: Sitting) -> None:
    print(in_words(said.record(), sitting.names), flush=True)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
