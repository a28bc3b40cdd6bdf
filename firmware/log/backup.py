"""Everything that took work, in one file: the matches, the settings, the lens and the colours.

A backup is a zip file. Its log is SQLite's own copy, whole even while a match is being written; its `backup.json` says
what it holds and the hash of each file, so that a damaged one is refused and not restored.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from hashlib import sha256
from io import BytesIO
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from firmware.log.claim import claimed
from firmware.log.damage.soundness import journal_problems
from firmware.log.disk.changing import aside, change_places, waiting
from firmware.log.disk.file import TROUBLE, connect, holds_anything, sync_folder, told
from firmware.log.match.record import LogDamagedError, LogError
from firmware.log.store import Store
from firmware.machine.errors import UsageError
from firmware.machine.files import write_whole
from firmware.machine.versions import OURS, version_of

FORMAT = 1
"""Counted up when a backup can no longer be read by an older program."""
LOG = "matches.sqlite"
ABOUT = "backup.json"
KINDS = ("settings", "page", "lens", "colours")
"""What may be in it beside the log."""
_NAMES = {"settings": "config.toml", "page": "settings.toml", "lens": "lens.json", "colours": "colours.json"}
_KIND = "restored"
_LARGEST = 1 << 32
_SPOILT = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, TypeError, ValueError, NotImplementedError, RuntimeError)
"""What reading a damaged zip file may raise."""


def make_backup(log: Path, files: Mapping[str, Path | None], made: str) -> bytes:
    """A backup as it is now; a program that is writing the log is not held up. What was chosen on the page lies beside
    the log, and is always in it."""
    files = _beside(log) | {kind: file for kind, file in files.items() if file is not None}
    with TemporaryDirectory(prefix="magister-") as folder:
        contents = {}
        if holds_anything(log):
            contents[LOG] = _copied(log, Path(folder) / LOG)
        for kind, file in files.items():
            if file.is_file():
                contents[_NAMES[kind]] = file.read_bytes()
    if not contents:
        raise LogError(f"there is nothing to back up: no log {log}, no settings, lens or colours")
    about = {
        "format": FORMAT,
        "made": made,
        "program": version_of(OURS),
        "files": {name: sha256(data).hexdigest() for name, data in contents.items()},
    }
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as zipped:
        zipped.writestr(ABOUT, json.dumps(about, indent=1))
        for name, data in contents.items():
            zipped.writestr(name, data)
    return out.getvalue()


def _beside(log: Path) -> dict[str, Path]:
    """What the page keeps beside the log, by kind."""
    return {kind: log.with_name(_NAMES[kind]) for kind in ("page", "lens", "colours")}


def keep_backup(folder: Path, name: str, data: bytes, most: int) -> Path:
    """Put a backup into a folder and leave only the newest there."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}; choose another folder") from error
    path = folder / name
    write_backup(path, data)
    for old in sorted(folder.glob("magister-*.zip"))[:-most]:
        with suppress(OSError):
            old.unlink()
    return path


def write_backup(path: Path, data: bytes) -> None:
    """Write it whole or not at all; nobody else may read it."""
    write_whole(path, data)
    with suppress(OSError):
        path.chmod(0o600)


def name_of(made: str) -> str:
    """What a backup of this time is called; newer names come after older ones."""
    return f"magister-{datetime.fromisoformat(made):%Y%m%dT%H%M%SZ}.zip"


def restore(backup: Path, log: Path, places: Mapping[str, Path | None]) -> list[str]:
    """Put back what a backup holds, all or nothing, and say what was done. What was there is kept elsewhere."""
    contents, places = read_backup(backup), {"page": _beside(log)["page"], **places}
    with claimed(log), TemporaryDirectory(prefix=".magister-", dir=_made(log.parent)) as folder:
        wanted = _unpacked(contents, {LOG: log, **{_NAMES[kind]: place for kind, place in places.items()}}, folder)
        done = []
        if log in wanted:
            matches, events = _checked(wanted[log], backup)
            done.append(f"{matches} matches with {events} events are in {log} now")
        with _changing_places(log, wanted) as kept:
            done += [f"{old} was kept as {new.name}" for old, new in kept if old == log or old in wanted]
        done += [f"{place} was restored" for place in wanted if place != log]
    left = [kind for kind in KINDS if _NAMES[kind] in contents and places.get(kind) is None]
    if left:
        done.append(f"not restored, name a file with --{', --'.join(left)}: {', '.join(_NAMES[kind] for kind in left)}")
    return done


def _unpacked(contents: Mapping[str, bytes], places: Mapping[str, Path | None], folder: str) -> dict[Path, Path]:
    """The files of a backup in a folder, each by the place where it belongs."""
    wanted: dict[Path, Path] = {}
    for name, place in places.items():
        if name in contents and place is not None:
            wanted[place] = Path(folder) / name
            wanted[place].write_bytes(contents[name])
            wanted[place].chmod(0o600 if name == LOG else 0o644)
    return wanted


def read_backup(backup: Path) -> dict[str, bytes]:
    """The files of a backup; one that is damaged or newer than this program is refused."""
    if backup.exists() and not backup.is_file():
        raise UsageError(f"cannot read {backup}: it is not a file; choose another file")
    try:
        with zipfile.ZipFile(backup) as file:
            about: dict[str, Any] = json.loads(file.read(ABOUT))
            if about["format"] > FORMAT:
                raise UsageError(f"{backup} was made by a newer Magister Ludi: update this installation")
            names = {LOG, *_NAMES.values()} & about["files"].keys()
            if sum(file.getinfo(name).file_size for name in names) > _LARGEST:
                raise UsageError(f"{backup} is too large to be a backup of ours: nothing was changed")
            contents = {name: file.read(name) for name in names}
    except OSError as error:
        raise UsageError(f"cannot read {backup}: {error.strerror}; choose another file") from error
    except _SPOILT as error:
        raise UsageError(f"{backup} is damaged or not a backup of Magister Ludi: nothing was changed") from error
    for name, data in contents.items():
        if sha256(data).hexdigest() != about["files"][name]:
            raise UsageError(f"{backup} is damaged: its {name} is not as it was written; nothing was changed")
    return contents


def _copied(log: Path, copy: Path) -> bytes:
    try:
        # A backup of a damaged log would in time take the place of the good ones.
        with Store(log, read_only=True), closing(connect(log, read_only=True)) as old:
            for problem in journal_problems(log, old):
                raise LogDamagedError(f"{log} is damaged: {problem}; the next `magister run` saves what can be read")
            with closing(sqlite3.connect(copy)) as new:
                old.backup(new)
                # In a backup there is nothing beside the file.
                new.execute("PRAGMA journal_mode = DELETE").fetchall()
    except TROUBLE as error:
        raise told(log, error) from error
    return copy.read_bytes()


def _checked(log: Path, backup: Path) -> tuple[int, int]:
    """How much is in a log that is to be restored; it must be whole, and none that only a newer program can read."""
    try:
        with Store(log, read_only=True) as store:
            if problems := store.problems():
                raise LogError(f"the log in the backup is damaged: {problems[0]}; nothing was changed")
            return store.size()
    except LogError as error:
        # Where it was unpacked means nothing to anybody, and is gone.
        raise LogError(str(error).replace(str(log), f"the log in {backup}")) from error


def _made(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write to {folder}: {error.strerror}") from error
    return folder


@contextmanager
def _changing_places(log: Path, wanted: Mapping[Path, Path]) -> Iterator[list[tuple[Path, Path]]]:
    """Keep what is there and put the new in its place; if anything fails, all is as it was. What a power cut interrupts
    has either not begun, or the next program that opens the log finishes it."""
    others = {place: draft for place, draft in wanted.items() if place != log}
    number = next(n for n in count(1) if not any(kept.exists() for kept in _kept(log, wanted, n).values()))
    kept = {old: new for old, new in _kept(log, wanted, number).items() if old.exists()}
    undo: list[Callable[[], object]] = []
    try:
        for place, draft in others.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            if place in kept:
                shutil.copy2(place, kept[place])
            undo.append(partial(_put_back, place, kept.get(place)))
            # The folder of the draft may be on another disk than a settings file.
            write_whole(place, draft.read_bytes())
            place.chmod(draft.stat().st_mode & 0o777)
        if log in wanted:
            undo.append(partial(_put_log_back, log, number))
            with wanted[log].open("rb") as file:
                os.fsync(file.fileno())
            wanted[log].rename(waiting(log, _KIND, number))
            sync_folder(log.parent)
            change_places(log, _KIND, number)
    except (OSError, UsageError) as error:
        for step in reversed(undo):
            with suppress(OSError):
                step()
        why = error.strerror if isinstance(error, OSError) else error
        raise UsageError(f"cannot restore the backup, nothing was changed: {why}") from error
    yield list(kept.items())


def _put_back(place: Path, kept: Path | None) -> None:
    if kept is None:
        place.unlink(missing_ok=True)
    else:
        kept.replace(place)


def _put_log_back(log: Path, number: int) -> None:
    waiting(log, _KIND, number).unlink(missing_ok=True)
    for old, new in aside(log, _KIND, number).items():
        with suppress(FileNotFoundError):
            new.rename(old)


def _kept(log: Path, wanted: Mapping[Path, Path], number: int) -> dict[Path, Path]:
    """Where everything that is replaced is kept."""
    others = {place: place.with_name(f"{place.name}.before-restore-{number}") for place in wanted if place != log}
    return {**(aside(log, _KIND, number) if log in wanted else {}), **others}
