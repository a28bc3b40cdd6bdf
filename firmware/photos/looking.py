"""Reads photos and prints what was seen, as JSON or in words."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter

import cv2

from engine.board import Board
from engine.core import Json
from engine.face import BARE, EMPTY, Face
from engine.registry import find_game
from firmware.machine.errors import UsageError
from firmware.machine.files import places_of, write_whole
from firmware.machine.pictures import PictureFileError, read_picture
from firmware.photos.bundle import Bundle
from firmware.settings.arguments import dealt
from firmware.settings.eyes import check_readable, make_eye, read_colours, read_lens
from vision.find.lens import LensError
from vision.frame import Frame, PictureError
from vision.look import BoardNotFoundError, Eye, Look
from vision.overlay import SURE, annotate

NOT_FOUND, UNUSABLE = 1, 2
"""Exit codes: the board is not in the picture; the file cannot be used."""


def look_at(
    images: Sequence[Path],
    game: str,
    players: int | None,
    as_json: bool,
    overlay: Path | None,
    lens: Path | None,
    colours: Path | None,
    bundle: Path | None,
) -> int:
    """Read photos and print what they show: exit code 0, 1 if a board was not found, 2 if a file is unusable.

    Without a number of players, boards for any number are tried.
    """
    boards = _boards(game, players)
    check_readable(boards[0])
    inputs = [*images, *(path for path in (lens, colours) if path is not None)]
    if overlay is not None:
        places_of(overlay, inputs)
    spared = inputs if overlay is None else [*inputs, overlay]
    codes = []
    call = {"command": "look", "game": game, "players": players}
    with (
        Bundle(bundle, boards[0].record(), spared, call, lens=lens, colours=colours) if bundle else nullcontext()
    ) as report:
        known = read_lens(lens), read_colours(colours)
        eye_for = cache(lambda number: make_eye(boards[number], *known))
        for path in images:
            found, code, board = _look_for_any(path, boards, eye_for, overlay)
            codes.append(code)
            if report is not None:
                report.add(path, found)
                if found["found"]:
                    report.board = board.record()
            if len(images) > 1:
                found = {"image": str(path)} | found
            if code == UNUSABLE:
                print(f"magister look: {found['why']}", file=sys.stderr, flush=True)
            if as_json:
                print(json.dumps(found), flush=True)
            elif code != UNUSABLE:
                print(in_words(found), flush=True)
        if report is not None and min(codes) == UNUSABLE:
            report.discard()
    return max(codes)


def _boards(game: str, players: int | None) -> list[Board]:
    """The boards a photo may show: usually one, whatever the number of players."""
    rules = find_game(game).configure()
    counts = rules.game.seats if players is None else [players]
    boards = [rules.game.board(count, dealt(rules, count, Random(0))) for count in counts]
    return [board for number, board in enumerate(boards) if board not in boards[:number]]


def _look_for_any(
    path: Path, boards: Sequence[Board], eye_for: Callable[[int], Eye], overlay: Path | None
) -> tuple[Json, int, Board]:
    """The reading of the first board found, and which one it is; if none, why not the first."""
    start = perf_counter()
    try:
        frame = read_picture(path)
    except (PictureFileError, PictureError) as error:
        return _unusable(path, boards[0], error)
    reading = perf_counter() - start
    looks = (_look_at_one(path, frame, eye_for(number), reading, overlay) for number in range(len(boards)))
    first = next(looks)
    return first if first[1] != NOT_FOUND else next((look for look in looks if look[1] != NOT_FOUND), first)


def _look_at_one(path: Path, frame: Frame, eye: Eye, reading: float, overlay: Path | None) -> tuple[Json, int, Board]:
    """`reading`: seconds it took to read the file."""
    start = perf_counter()
    try:
        look = eye.look(frame)
    except LensError as error:
        return _unusable(path, eye.board, error)
    except BoardNotFoundError as error:
        return {"game": eye.board.game, "found": False, "why": str(error)}, NOT_FOUND, eye.board
    found = told(eye.board, look) | {"millis": round(1000 * (perf_counter() - start + reading), 1)}
    if overlay is not None:
        _write_overlay(overlay, frame, eye.board, look)
    return found, 0, eye.board


def _unusable(path: Path, board: Board, error: Exception) -> tuple[Json, int, Board]:
    return {"game": board.game, "found": False, "why": f"{path}: {error}"}, UNUSABLE, board


def told(board: Board, look: Look) -> Json:
    """A reading as `look --json` prints it."""
    guesses = look.reading.guesses()
    sheets = {}
    for sheet in board.turnable:
        if sheet.name in look.reading.sheets:
            turn, p = look.reading.turn(sheet.name)
            sheets[sheet.name] = {"turn": turn, "p": round(p, 4)}
    return {
        "game": board.game,
        "found": True,
        "pose": {"distance": round(look.pose.distance, 1), "tilt": round(look.pose.tilt, 1)},
        "sites": {
            name: _piece(guess.best) | {"p": round(guess.p, 4)}
            for name, guess in guesses.items()
            if guess.best != EMPTY
        },
        "sheets": sheets,
        "unsure": sorted(name for name, guess in guesses.items() if guess.p < SURE),
        "hidden": sorted(look.reading.hidden),
    }


def _piece(face: Face) -> Json:
    colour = None if face.kind == BARE else face.kind
    return {"colour": colour} | ({"height": face.level} if face.level else {})


def in_words(found: Json) -> str:
    """The same for people."""
    head = f"{found['image']}: " if "image" in found else ""
    if not found["found"]:
        return f"{head}the board of {found['game']} was not found: {found['why']}"
    pose = found["pose"]
    rows = [f"{head}{found['game']}, seen from {pose['distance']:.0f} mm at {pose['tilt']:.0f}°"]
    for name, piece in found["sites"].items():
        what = " ".join(str(piece[key]) for key in ("colour", "height") if piece.get(key) is not None)
        rows.append(f"  {name}: {what} ({100 * piece['p']:.0f} %)")
    for name, sheet in found["sheets"].items():
        rows.append(f"  {name}: position {sheet['turn']} ({100 * sheet['p']:.0f} %)")
    rows += [f"  {word}: {', '.join(found[word])}" for word in ("unsure", "hidden") if found[word]]
    return "\n".join(rows)


def _write_overlay(path: Path, frame: Frame, board: Board, look: Look) -> None:
    try:
        done, data = cv2.imencode(path.suffix or ".png", annotate(frame.bgr, board, look))
    except cv2.error:
        done = False
    if not done:
        raise UsageError(f"cannot draw a '{path.suffix}' picture; use .png or .jpg")
    write_whole(path, data.tobytes())
