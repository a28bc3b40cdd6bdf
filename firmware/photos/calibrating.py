"""Calibrates the lens and the pieces' colours from files, and writes the results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np

from engine.board import Board
from engine.face import Face
from engine.registry import find_game
from firmware.machine.errors import UsageError
from firmware.machine.files import places_of, write_whole
from firmware.machine.pictures import PictureFileError, read_picture
from firmware.settings.arguments import dealt
from firmware.settings.eyes import make_eye, read_lens
from hardware.printing.chart import CHART_DICTIONARY, COLUMNS, FIDUCIAL, ROWS, SQUARE
from vision.find.lens import LensError
from vision.find.lens_calibration import CalibrationError, LensChart, calibrate_lens
from vision.frame import Floats, Frame
from vision.look import BoardNotFoundError, Eye
from vision.readers.paints import PaintSample, alike, paints_of, samples_of_faces, samples_of_spots, settle

CHART = LensChart(COLUMNS, ROWS, SQUARE, FIDUCIAL, CHART_DICTIONARY)


def calibrate_from(photos: Sequence[Path], out: Path) -> int:
    """Write the lens found in these photos as JSON; exit code 1 if it cannot be found."""
    places_of(out, photos)
    return lens_from((_read(path, grey_is_fine=True) for path in photos), out)


def lens_from(frames: Iterable[Frame], out: Path) -> int:
    """Write the lens that took these pictures as JSON; exit code 1 if it cannot be found."""
    try:
        found = calibrate_lens(frames, CHART)
    except CalibrationError as error:
        print(f"cannot calibrate the lens: {error}")
        return 1
    lens = found.lens
    record = {"size": list(lens.size)} | {
        name: round(getattr(lens, name), 6) for name in ("fx", "fy", "cx", "cy", "k1", "k2")
    }
    write_whole(out, json.dumps(record, indent=1) + "\n")
    print(f"{out}: from {found.photos} photos, accurate to {found.fit:.2f} pixels")
    return 0


def colours_from(photos: Sequence[Path], game: str, faces: str | None, lens: Path | None, out: Path) -> int:
    """Write the colours of the pieces in these photos as JSON; exit code 1 if they cannot be found."""
    places_of(out, [*photos, *([lens] if lens is not None else [])])
    rules = find_game(game).configure()
    board = rules.game.board(2, dealt(rules, 2, Random(0)))
    standing = _faces(faces, board) if faces is not None else None
    eye = make_eye(board, read_lens(lens))
    samples: list[PaintSample] = []
    for path in photos:
        try:
            samples += _samples(eye, _read(path), standing)
        except (BoardNotFoundError, LensError) as error:
            print(f"cannot calibrate the colours: {path}: {error}")
            return 1
    measured = settle(samples)
    coloured = [name for name in board.pieces if "-" in name]
    if missing := [name for name in coloured if name not in measured]:
        place = "on the printed spots" if standing is None else "on these sites"
        print(f"not found {place}: {', '.join(missing)}")
    if not measured:
        print("no pieces found: put one of each colour on the printed spot of its colour, or name sites with --faces")
        return 1
    if pair := alike(board, paints_of(board, measured)):
        print(f"{pair[0]} and {pair[1]} look the same: is each piece on the spot of its own colour?")
        return 1
    told = {name: _hex(colour) for name, colour in measured.items()}
    write_whole(out, json.dumps({"game": board.game, "colours": told}, indent=1) + "\n")
    print(f"{out}: " + ", ".join(f"{name} {colour}" for name, colour in told.items()))
    return 0


def _samples(eye: Eye, frame: Frame, standing: Mapping[str, Face] | None) -> Iterator[PaintSample]:
    """The colours in one photo: of pieces on their printed spots, or on these sites."""
    view = eye.view(eye.look(frame))
    return samples_of_spots(view, eye.board) if standing is None else samples_of_faces(view, eye.board, standing)


def _read(path: Path, grey_is_fine: bool = False) -> Frame:
    try:
        return read_picture(path, grey_is_fine=grey_is_fine)
    except PictureFileError as error:
        raise UsageError(f"{path}: {error}") from error


def _faces(text: str, board: Board) -> dict[str, Face]:
    names = dict(part.strip().partition("=")[::2] for part in text.split(",") if part.strip())
    for site, name in names.items():
        if site not in board.sites or board.faces.get(name) not in board.faces.lawful:
            example = f"{next(iter(board.sites))}={board.faces.lawful[0]}"
            raise UsageError(f"--faces: {site}={name} is not a site with a piece; write for example {example}")
    return board.faces.read(names)


def _hex(colour: Floats) -> str:
    """A linear colour as #rrggbb."""
    values = np.clip(colour[::-1], 0.0, 1.0)
    coded = np.where(values <= 0.0031308, 12.92 * values, 1.055 * values ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * float(value)):02x}" for value in coded)
