"""One log takes the place of another, and the other is kept: also across a power cut in the middle of it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from firmware.log.disk.file import PARTS, part_of, sync_folder
from firmware.log.match.record import LogUnwritableError

KEPT = {"recovered": "damaged", "restored": "before-restore"}
"""Under what name the old log is kept, by what the new one is called until it takes the old one's name."""


def waiting(path: Path, kind: str, number: int) -> Path:
    """What a new log is called until it takes its place; once this file is there, it will."""
    return part_of(path, f".{kind}-{number}")


def aside(path: Path, kind: str, number: int) -> Mapping[Path, Path]:
    """Where each file of the old log is kept."""
    kept = part_of(path, f".{KEPT[kind]}-{number}")
    return {part_of(path, part): part_of(kept, part) for part in PARTS}


def change_places(path: Path, kind: str, number: int) -> None:
    """Keep every file of the old log under another name, and give its own to the new one, the last of all."""
    for file, kept in aside(path, kind, number).items():
        if not kept.exists():
            with suppress(FileNotFoundError):
                file.rename(kept)
    waiting(path, kind, number).rename(path)
    sync_folder(path.parent)


def finish(path: Path) -> None:
    """Finish what was interrupted when the new log was whole, for example by a power cut."""
    try:
        for kind in KEPT:
            for new in sorted(path.parent.glob(f"{path.name}.{kind}-*")):
                number = new.name.rpartition("-")[2]
                if number.isdecimal():
                    change_places(path, kind, int(number))
    except OSError as error:
        raise LogUnwritableError(f"cannot use the log {path}: {error.strerror}") from error
