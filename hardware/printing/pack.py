"""Everything to make a board, written into a folder: all of it, or nothing."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from engine.board import Board
from hardware.printing.backlit import backlit
from hardware.printing.cover import NO_NOTES, CoverText
from hardware.printing.pages import print_pages
from hardware.printing.sheets import sheet_png


def write_pack(
    board: Board, title: str, folder: Path, paper: str, language: str, notes: CoverText = NO_NOTES
) -> list[Path]:
    """Write PDF, pictures and `board.json`, in the place of older ones; the files written. Raises `OSError`."""
    if folder.exists() and not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, "it is a file; name a folder")
    staging = _beside(folder) / f".{folder.name}.part-{os.getpid()}"
    staging.mkdir()
    try:
        names = []
        for name, content in pack_files(board, title, paper, language, notes):
            (staging / name).write_bytes(content)
            names.append(name)
        if folder.exists():
            _exchange(staging, folder, names)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
            staging.rename(folder)
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return [folder / name for name in names]


def pack_files(
    board: Board, title: str, paper: str, language: str, notes: CoverText = NO_NOTES
) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the files of a pack."""
    if notes.backlit:
        board = backlit(board)
    yield f"{board.game}-{paper}.pdf", print_pages(board, title, paper, language, notes)
    record = board.record() | ({"backlit": True} if notes.backlit else {})
    for sheet, told in zip(board.sheets, record["sheets"], strict=True):
        yield told["image"], sheet_png(sheet)
    yield "board.json", (json.dumps(record, indent=1, ensure_ascii=False) + "\n").encode()


def _beside(folder: Path) -> Path:
    """Where the pack is prepared: on the file system where it will lie, so that it can be moved in at once."""
    if folder.exists():
        return folder
    return next(parent for parent in folder.absolute().parents if parent.exists())


def _exchange(staging: Path, folder: Path, names: list[str]) -> None:
    """Move the new files in; when one cannot be moved, put the old ones back."""
    for name in names:
        if (folder / name).is_dir():
            raise IsADirectoryError(errno.EISDIR, f"{name} is a folder there")
    old = staging / "old"
    old.mkdir()
    moved: list[str] = []
    try:
        for name in names:
            moved.append(name)
            if os.path.lexists(folder / name):
                (folder / name).rename(old / name)
            (staging / name).replace(folder / name)
    except BaseException:
        for name in moved:
            if os.path.lexists(old / name):
                (old / name).replace(folder / name)
            elif not (staging / name).exists():
                (folder / name).unlink()
        raise
