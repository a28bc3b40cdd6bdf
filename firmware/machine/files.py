"""Reads and writes files named on the command line: every failure is one clear line."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from stat import S_ISDIR, S_ISFIFO, S_ISREG
from typing import Any

from firmware.machine.errors import UsageError

LARGEST = 2**28
"""Largest text file in bytes: nobody writes more by hand, and it would fill the memory."""


def read_text(path: Path) -> str:
    """A text file."""
    try:
        with open(path, "rb", opener=at_once) as file:
            data = file.read(LARGEST + 1)
            if not data and S_ISFIFO(os.fstat(file.fileno()).st_mode):
                raise UsageError(f"cannot read {path}: nobody writes to this pipe; choose another file")
        if len(data) > LARGEST:
            raise UsageError(f"cannot read {path}: it is larger than {LARGEST >> 20} MB; choose another file")
        return TextIOWrapper(BytesIO(data), encoding="utf-8-sig").read()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}; choose another file") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"cannot read {path}: it is not a text file; choose another") from error


def at_once(path: str, flags: int) -> int:
    """Opens a pipe without waiting for somebody to write to it; what `<(…)` of a shell writes is waited for."""
    file = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if hasattr(os, "O_NONBLOCK"):
        os.set_blocking(file, True)
    return file


def read_first_object(path: Path) -> dict[str, Any]:
    """A JSON object, or the first one of a JSON Lines file."""
    text = read_text(path)
    try:
        value, _ = json.JSONDecoder().raw_decode(text.lstrip())
    except RecursionError as error:
        raise UsageError(f"{path} is JSON nested too deeply; choose another file") from error
    except ValueError as error:
        raise UsageError(f"{path} is not JSON: {error}") from error
    if not isinstance(value, dict):
        raise UsageError(f"{path} does not hold a JSON object; choose another file")
    return value


def write_whole(path: Path, content: str | bytes, spared: Iterable[Path] = ()) -> None:
    """Write a file completely or not at all, and never over one of those to be spared."""
    place, draft = places_of(path, spared)
    try:
        draft.write_bytes(content.encode() if isinstance(content, str) else content)
        draft.replace(place)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another location") from error
    finally:
        with suppress(OSError):
            draft.unlink()


def write_folder(folder: Path, files: Mapping[str, bytes], spared: Iterable[Path] = ()) -> None:
    """Write files into a folder, which is made if need be: all of them or none, and none over those to be spared."""
    check_folder(folder, files, spared)
    places = {name: places_of(folder / name) for name in files}
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, (_, draft) in places.items():
            draft.write_bytes(files[name])
        for place, draft in places.values():
            draft.replace(place)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}; choose another folder") from error
    finally:
        for _, draft in places.values():
            with suppress(OSError):
                draft.unlink()
        for each in new:
            # Only those that stayed empty can be removed.
            with suppress(OSError):
                each.rmdir()


def check_folder(folder: Path, names: Iterable[str], spared: Iterable[Path] = ()) -> None:
    """Refuse a folder that is none, or in which files of these names would overwrite others that are needed."""
    try:
        is_folder = S_ISDIR(folder.stat().st_mode)
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}; choose another folder") from error
    if not is_folder:
        raise UsageError(f"cannot write to {folder}: it is not a folder; choose another")
    for name in names:
        places_of(folder / name, spared)


def places_of(path: Path, spared: Iterable[Path] = ()) -> tuple[Path, Path]:
    """Where a file is written (the target of a link), and the draft next to it.

    Refuses anything that is not a file, such as a device, and the files to be spared: inputs and other outputs.
    """
    try:
        there = path.stat()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another location") from error
    else:
        if not S_ISREG(there.st_mode):
            raise UsageError(f"cannot write {path}: it is not a file; choose another name")
    place = Path(os.path.realpath(path))
    draft = place.with_name(f".{place.name}.part")
    for other in spared:
        if _is_same(place, other) or _is_same(draft, other):
            raise UsageError(f"cannot write {path}: that would overwrite {other}; choose another file")
    return place, draft


def _is_same(one: Path, other: Path) -> bool:
    """Whether both names mean the same file, which need not exist."""
    try:
        return one.samefile(other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)
