"""Referees a recording: frames in, events out, and into a log if requested."""

from __future__ import annotations

import json
import sys
from contextlib import ExitStack
from pathlib import Path
from random import Random

from engine.board import Board
from engine.core import Json, Rules
from engine.referee.table import Table
from engine.words import sentence
from firmware.devices.lights import NoLights
from firmware.devices.recorded import FrameSource, flaws, open_recording
from firmware.log.claim import own_log
from firmware.log.disk.file import parts_of
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.photos.bundle import Bundle
from firmware.photos.looking import told
from firmware.settings.arguments import dealt, read_setup
from firmware.settings.eyes import check_refereed, make_eye, read_colours, read_lens
from firmware.table.beginning.plans import MatchPlan
from firmware.table.events import in_words
from firmware.table.gear import Gear
from firmware.table.loop import Sitting

SLOWEST, FASTEST = 0.001, 1000.0
"""Frames a second."""


def watch(
    rules: Rules,
    source: str,
    players: int,
    *,
    setup: Path | None = None,
    fps: float | None,
    as_json: bool,
    lens: Path | None,
    colours: Path | None,
    bundle: Path | None,
    log: Path | None,
    settings: Path | None = None,
) -> int:
    """Print the events of a recording; `setup` is a file with its set-up, where that is known, `settings` the one that
    the rules come from."""
    _check_speed(fps)
    check_refereed(rules.game.name)
    begun = beginning_of(rules, players, setup)
    board = rules.game.board(players, begun)
    with ExitStack() as stack:
        camera = open_recording(source, fps)
        stack.callback(camera.close)
        inputs = [path for path in (setup, lens, colours, settings) if path is not None]
        spared = [*camera.files, *inputs, *(parts_of(log) if log is not None else ())]
        played = {"game": rules.game.name, "variant": rules.variant, "options": dict(rules.options), "players": players}
        call = {"command": "watch", **played, "fps": fps}
        report = None
        if bundle is not None:
            report = Bundle(bundle, board.record(), spared, call, setup=setup, lens=lens, colours=colours)
            stack.enter_context(report)
        store = None if log is None else stack.enter_context(own_log(log))
        if store is not None and store.note:
            print(store.note, file=sys.stderr)
        paints = read_colours(colours)
        gear = Gear(NoLights(), Outbox(store), read_lens(lens), wall=wall_clock)
        gear.make_eye = lambda board, lens: make_eye(board, lens, paints)
        sitting = Sitting(gear, source)
        sitting.play(MatchPlan(rules, Seating.parse(str(players))), setup=begun)
        assert sitting.playing is not None
        events, table = _follow(camera, sitting, board, as_json, report), sitting.playing.table
    for flaw in flaws(camera, source):
        print(flaw, file=sys.stderr)
    if table is not None:
        if not events and _shows_more(table):
            print(
                f"nothing in {source} stayed still for 0.6 s or three pictures; for single photos"
                " put each in twice and use --fps 1",
                file=sys.stderr,
            )
        return 0
    # What is wrong with the set-up was said when it was seen.
    if not sitting.playing.beginning.survey.flaws:
        print(
            f"the board of {rules.game.name} is never fully visible in {source}: is it another game?", file=sys.stderr
        )
    return 1


def _check_speed(fps: float | None) -> None:
    if fps is not None and not SLOWEST <= fps <= FASTEST:
        raise UsageError(f"--fps must be {SLOWEST:g} to {FASTEST:g}, not {fps:g}")


def beginning_of(rules: Rules, players: int, setup: Path | None) -> Json | None:
    """How the match begins: as the file says, as it always does, or, if the table is to tell, not known yet."""
    start = dealt(rules, players, Random(0)) if setup is None else read_setup(setup)
    rules.start(players, start)
    return None if setup is None and rules.game.surveyed else start


def _flaws(sitting: Sitting) -> str:
    """What keeps the match from beginning, in words; empty if nothing, or if it has begun."""
    playing = sitting.playing
    if playing is None or playing.is_known:
        return ""
    game = playing.start.rules.game
    return " ".join(sentence(game, flaw) for flaw in playing.beginning.survey.flaws)


def _shows_more(table: Table) -> bool:
    """Whether the last picture showed something else than the last accepted position."""
    settling = table.watch.settling
    return settling is not None and settling.picture != table.stand


def _follow(camera: FrameSource, sitting: Sitting, board: Board, as_json: bool, report: Bundle | None) -> int:
    """Tell the events of a recording, and how many there were."""
    count, flaws = 0, ""
    for frame in camera.frames():
        if frame is None:
            continue
        events = [said.record() for said in sitting.attend(frame) if said.is_kept]
        if report is not None:
            seen = told(board, sitting.look) if sitting.look else {"found": False}
            report.add_frame(frame.bgr, {"t": frame.seconds, "events": events} | seen)
        for event in events:
            print(json.dumps(event) if as_json else in_words(event), flush=True)
        count += len(events)
        if (now := _flaws(sitting)) != flaws:
            flaws = now
            if now:
                print(f"the match cannot begin yet: {now}", file=sys.stderr, flush=True)
    return count
