"""Runs the doctor: gathers facts, makes the checks, prints findings as they come."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np

from engine.board import Board
from engine.registry import all_games, find_game
from firmware.devices.chain import open_chain
from firmware.devices.gpio import find_gpio
from firmware.devices.lights import NoLights, open_lights
from firmware.devices.panel import HELD, PRESSED, open_panel
from firmware.devices.recorded import FrameSource
from firmware.devices.sources import check_source, open_camera, shown_source
from firmware.doctor import checks, gather
from firmware.doctor.findings import Finding, bad, good, is_well, record, summary, told
from firmware.doctor.looking import look_findings
from firmware.doctor.picture import judge, picture_findings
from firmware.doctor.trial import try_buttons, try_buzzer, try_chain, try_lights
from firmware.log.disk.place import default_log
from firmware.machine.errors import UsageError
from firmware.machine.pictures import PictureFileError, read_picture
from firmware.settings.arguments import USUAL_GAME
from firmware.settings.config import Config
from firmware.settings.eyes import read_lens
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene
from vision.frame import Frame

PATIENCE = 20.0
"""Seconds to wait for a button."""
SYSTEM_CONFIG = Path("/etc/magister/config.toml")


def visit(args: argparse.Namespace) -> int:
    """Run every check and print it at once; exit code 1 if one fails."""
    findings = []
    for finding in _findings(args):
        findings.append(finding)
        if not args.json:
            print("\n".join(told(finding)), flush=True)
    print(json.dumps(record(findings)) if args.json else f"\n{summary(findings)}", flush=True)
    return 0 if is_well(findings) else 1


def look(args: argparse.Namespace, photo: Path | None) -> int:
    """Check only what can be seen, in a photo or through the camera; exit code 1 if there is no board to be seen."""
    _check_names(args)
    boards, lens = _boards(args.game), read_lens(args.lens)
    frame = _picture(args, boards[0]) if photo is None else _photo(photo)
    findings = look_findings(frame, boards, lens, args.lang)
    lines = [line for finding in findings for line in told(finding)]
    print(json.dumps(record(findings)) if args.json else "\n".join(lines), flush=True)
    return 0 if is_well(findings) else 1


def _photo(path: Path) -> Frame:
    try:
        return read_picture(path)
    except PictureFileError as error:
        raise UsageError(f"{path}: {error}") from error


def _picture(args: argparse.Namespace, board: Board) -> Frame:
    """What the camera sees now."""
    path = args.config or (SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None)
    config = Config.load(path)
    source = args.camera or gather.likely_camera(gather.system(), gather.rights().devices)
    shot, frame = gather.shot(source, config.camera, lambda: _camera(source, config, board))
    if frame is None:
        raise UsageError(f"{shot.error}; give a photo: magister doctor --look PHOTO")
    return frame


def _check_names(args: argparse.Namespace) -> None:
    if args.camera:
        check_source(args.camera)
    if args.game:
        find_game(args.game)


def _findings(args: argparse.Namespace) -> Iterator[Finding]:
    _check_names(args)
    system, rights, service = gather.system(), gather.rights(), gather.service()
    yield checks.check_system(system)
    yield checks.check_python(system)
    yield checks.check_power(system)
    yield checks.check_rights(rights)
    yield checks.check_service(service)
    path = args.config or (SYSTEM_CONFIG if SYSTEM_CONFIG.exists() else None)
    config, finding = _settings(path)
    yield finding
    boards = _boards(args.game)
    source = args.camera or gather.likely_camera(system, rights.devices)
    shot, frame = gather.shot(shown_source(source), config.camera, lambda: _camera(source, config, boards[0]))
    yield checks.check_camera(shot, service)
    lens = gather.lens_file(args.lens)
    if frame is not None:
        yield from picture_findings(judge(frame, boards, None if lens.error else read_lens(args.lens)))
    yield checks.check_lens(lens, shot.size)
    yield checks.check_pins(gather.gpio(config.pins), service)
    yield checks.check_chain(gather.chain(config.lights, len(boards[0].sites)))
    log = args.log or default_log()
    disk = gather.disk(log.parent)
    yield checks.check_disk(disk)
    yield checks.check_card(disk)
    matches, newest = gather.matches(log)
    yield checks.check_clock(gather.clock(newest))
    yield checks.check_matches(matches)
    yield checks.check_port(gather.port(args.port), service)
    if args.trial:
        yield from _trial(config, boards[0])


def _settings(path: Path | None) -> tuple[Config, Finding]:
    """The settings in force; the defaults if the file is invalid, so that the checks can go on."""
    try:
        config = Config.load(path)
    except UsageError as error:
        return Config(), bad("settings", str(error), "Correct it; until then the program will not start.")
    return config, good("settings", f"{path} is valid" if path else "no file: using the defaults")


def _boards(game: str | None) -> list[Board]:
    """The board that was named, or those of all games: the black squares in the picture tell which."""
    games = [find_game(game)] if game else list(all_games())
    games.sort(key=lambda each: each.name != USUAL_GAME)
    return [each.board(2) for each in games]


class OneTable:
    """An empty virtual table, for testing the doctor itself."""

    def __init__(self, board: Board, size: tuple[int, int]) -> None:
        scene = Scene(board, pose=Pose(distance=690, tilt=27, size=size))
        self._frame = Frame(np.asarray(Renderer(board).render(scene).bgr, dtype=np.uint8))

    def frames(self) -> Iterator[Frame | None]:
        yield self._frame

    def close(self) -> None:
        """Nothing to release."""


def _camera(source: str, config: Config, board: Board) -> FrameSource:
    if source == "none":
        raise UsageError("there is no camera on this machine")
    size = (config.camera.width, config.camera.height)
    return open_camera(source, config.camera, sim=lambda: OneTable(board, size))


def _trial(config: Config, board: Board) -> Iterator[Finding]:
    """Lights, buttons and chain, one by one with the person."""
    said: list[str] = []
    gpio = find_gpio("gpio", said.append)
    if gpio is None:
        yield bad("trial", said[0], "Test lights and buttons on the Pi itself.")
        return
    words: SimpleQueue[str] = SimpleQueue()

    def press() -> str | None:
        while not words.empty():
            words.get_nowait()
        try:
            return words.get(timeout=PATIENCE)
        except Empty:
            return None

    with ExitStack() as stack:
        lights = open_lights(config.pins, config.lights, gpio, said.append)
        stack.callback(lights.close)
        panel = open_panel(words, config.pins, config.panel, gpio, said.append)
        chain = open_chain(board.sites, config.lights, gpio, said.append)
        for device in (panel, chain):
            if device is not None:
                stack.callback(device.close)
        yield from (bad("trial", text, "See the pins check.") for text in said)
        if not isinstance(lights, NoLights):
            yield from try_lights(lights, len(config.pins.players), _ask)
            if config.pins.buzzer:
                yield from try_buzzer(lights, len(config.pins.players), _ask)
        if panel is not None:
            yield from try_buttons((*PRESSED, HELD), press, print)
        if chain is not None:
            yield from try_chain(chain, tuple(board.sites), _ask)


def _ask(question: str) -> bool:
    print(f"{question} [y/n] ", end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes", "j", "ja")
