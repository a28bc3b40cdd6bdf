"""Reads photos and prints what was seen, as JSON or in words."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter

import cv2

from engine.board import Board
from engine.core import Json, Rules
from engine.face import BARE, EMPTY, Face
from engine.referee.reading import Reading
from engine.registry import find_game
from firmware.machine.errors import UsageError
from firmware.machine.files import check_folder, places_of, write_whole
from firmware.machine.pictures import PictureFileError, read_picture
from firmware.photos.bundle import Bundle
from firmware.photos.explaining import FILES, folders_for, write_explanation
from firmware.settings.arguments import dealt
from firmware.settings.eyes import check_readable, make_eye, read_colours, read_lens
from vision.drawing import SURE
from vision.explain import explain, explain_not_found
from vision.find.lens import LensError
from vision.frame import Frame, PictureError
from vision.look import BoardNotFoundError, Eye, Look
from vision.overlay import annotate

NOT_FOUND, UNUSABLE = 1, 2
"""Exit codes: the board is not in the picture; the file cannot be used."""


@dataclass(frozen=True)
class Outputs:
    """What `look` writes beside what it prints."""

    overlay: Path | None = None
    explain: Path | None = None
    bundle: Path | None = None


@dataclass(frozen=True, eq=False)
class Photo:
    """A photo, looked at."""

    found: Json
    """As `--json` prints it."""
    code: int
    board: Board
    frame: Frame | None = None
    """None if the file is unusable."""
    eye: Eye | None = None
    look: Look | None = None
    """With the eye that saw it; None if the board was not found."""


def look_at(
    images: Sequence[Path],
    game: str,
    players: int | None,
    as_json: bool,
    lens: Path | None,
    colours: Path | None,
    outputs: Outputs,
) -> int:
    """Read photos and print what they show: exit code 0, 1 if a board was not found, 2 if a file is unusable.

    Without a number of players, boards for any number are tried.
    """
    boards = _boards(game, players)
    check_readable(boards[0])
    inputs = [*images, *(path for path in (lens, colours) if path is not None)]
    spared = _spared(inputs, images, outputs)
    folders = folders_for(outputs.explain, images) if outputs.explain is not None else [None] * len(images)
    codes = []
    call = {"command": "look", "game": game, "players": players}
    with (
        Bundle(outputs.bundle, boards[0].record(), spared, call, lens=lens, colours=colours)
        if outputs.bundle
        else nullcontext()
    ) as report:
        known = read_lens(lens), read_colours(colours)
        eye_for = cache(lambda number: make_eye(boards[number], *known))
        for path, folder in zip(images, folders, strict=True):
            photo = _look_for_any(path, boards, eye_for)
            codes.append(photo.code)
            if report is not None:
                report.add(path, photo.found)
                if photo.look is not None:
                    report.board = photo.board.record()
            _write(photo, outputs.overlay, folder, spared)
            _tell(photo, path if len(images) > 1 else None, as_json)
        if report is not None and min(codes) == UNUSABLE:
            report.discard()
    return max(codes)


def _spared(inputs: Sequence[Path], images: Sequence[Path], outputs: Outputs) -> list[Path]:
    """The files that no output may overwrite; refuses outputs that would."""
    spared = list(inputs)
    if outputs.overlay is not None:
        places_of(outputs.overlay, spared)
        spared.append(outputs.overlay)
    if outputs.explain is not None:
        others = spared if outputs.bundle is None else [*spared, outputs.bundle]
        for folder in folders_for(outputs.explain, images):
            check_folder(folder, FILES, others)
    return spared


def _write(photo: Photo, overlay: Path | None, folder: Path | None, spared: Sequence[Path]) -> None:
    """The pictures that were asked for."""
    if photo.frame is None:
        return
    if overlay is not None and photo.look is not None:
        _write_overlay(overlay, photo.frame, photo.board, photo.look)
    if folder is not None:
        if photo.eye is not None and photo.look is not None:
            explanation = explain(photo.eye, photo.frame, photo.look)
        else:
            explanation = explain_not_found(photo.frame)
        write_explanation(folder, explanation, photo.found, spared)


def _tell(photo: Photo, image: Path | None, as_json: bool) -> None:
    """Print what was seen, with the name of its file if there are several."""
    found = photo.found if image is None else {"image": str(image)} | photo.found
    if photo.code == UNUSABLE:
        print(f"magister look: {found['why']}", file=sys.stderr, flush=True)
    if as_json:
        print(json.dumps(found), flush=True)
    elif photo.code != UNUSABLE:
        print(in_words(found), flush=True)


def _boards(game: str, players: int | None) -> list[Board]:
    """The boards a photo may show: usually one, whatever the number of players."""
    rules = find_game(game).configure()
    counts = rules.game.seats if players is None else [players]
    boards = [_board(rules, count) for count in counts]
    return [board for number, board in enumerate(boards) if board not in boards[:number]]


def _board(rules: Rules, players: int) -> Board:
    """The board that a photo may show, with what always lies on it."""
    start = dealt(rules, players, Random(0))
    return rules.game.board(players, None if rules.game.surveyed else start)


def _look_for_any(path: Path, boards: Sequence[Board], eye_for: Callable[[int], Eye]) -> Photo:
    """The reading of the first board found; if none, why not the first."""
    start = perf_counter()
    try:
        frame = read_picture(path)
    except (PictureFileError, PictureError) as error:
        return _unusable(path, boards[0], error)
    reading = perf_counter() - start
    looks = (_look_at_one(path, frame, eye_for(number), reading) for number in range(len(boards)))
    first = next(looks)
    return first if first.code != NOT_FOUND else next((look for look in looks if look.code != NOT_FOUND), first)


def _look_at_one(path: Path, frame: Frame, eye: Eye, reading: float) -> Photo:
    """`reading`: seconds it took to read the file."""
    start = perf_counter()
    try:
        look = eye.look(frame)
    except LensError as error:
        return _unusable(path, eye.board, error)
    except BoardNotFoundError as error:
        return Photo({"game": eye.board.game, "found": False, "why": str(error)}, NOT_FOUND, eye.board, frame)
    found = told(eye.board, look) | {"millis": round(1000 * (perf_counter() - start + reading), 1)}
    return Photo(found, 0, eye.board, frame, eye, look)


def _unusable(path: Path, board: Board, error: Exception) -> Photo:
    return Photo({"game": board.game, "found": False, "why": f"{path}: {error}"}, UNUSABLE, board)


def told(board: Board, look: Look) -> Json:
    """A reading as `look --json` prints it."""
    guesses, dice = look.reading.guesses(), look.reading.prints()
    unsure = {name for name, guess in guesses.items() if guess.p < SURE}
    unsure |= {name for name, (_, p) in dice.items() if p < SURE}
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
            if guess.best != EMPTY and not guess.best.sheet
        },
        **(_cards(look.reading) if board.cards else {}),
        "sheets": sheets,
        **_fields(board, look.reading),
        "unsure": sorted(unsure),
        "hidden": sorted(look.reading.hidden),
    }


def _cards(reading: Reading) -> Json:
    """The cards that lie on the board's sites, and those that lie on none."""
    return {
        "cards": {
            f"{guess.best}@{site}": {"p": round(guess.p, 4)}
            for site, guess in reading.guesses().items()
            if guess.best.sheet and guess.best.lawful
        },
        "loose": [
            {"card": _card(each.card), "at": [round(x, 1) for x in each.at], "angle": round(each.angle, 1)}
            for each in reading.loose
        ],
    }


def _card(sheet: str) -> str:
    """A card as it is called: its sheet is `card-` and that."""
    return sheet.partition("-")[2]


def _fields(board: Board, reading: Reading) -> Json:
    """The dice in sight, on a board that has such."""
    if not board.fields:
        return {}
    dice = {
        name: {"pips": die.pips, "colour": die.colour, "p": round(p, 4)} for name, (die, p) in reading.prints().items()
    }
    return {"fields": dice}


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
    rows += [f"  {name} ({100 * card['p']:.0f} %)" for name, card in found.get("cards", {}).items()]
    rows += [
        f"  loose: {card['card']} at {card['at'][0]:.0f}, {card['at'][1]:.0f} mm" for card in found.get("loose", ())
    ]
    for name, sheet in found["sheets"].items():
        rows.append(f"  {name}: position {sheet['turn']} ({100 * sheet['p']:.0f} %)")
    rows += [
        f"  {name}: {die['pips']} on {die['colour']} ({100 * die['p']:.0f} %)"
        for name, die in found.get("fields", {}).items()
    ]
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
