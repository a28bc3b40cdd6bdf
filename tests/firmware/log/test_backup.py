"""A backup holds all that took work; restoring one is all or nothing, and keeps what was there."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from contextlib import closing, suppress
from hashlib import sha256
from pathlib import Path
from stat import S_IMODE
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from logbook import write_match
from page_table import PIN, PageTable
from place import Place

from engine.core import GameError
from firmware.commands.cli import main
from firmware.log.backup import ABOUT, LOG, make_backup, read_backup, restore
from firmware.log.claim import own_log
from firmware.log.disk.file import part_of
from firmware.log.disk.schema import VERSION
from firmware.log.outbox import Outbox, patient_log
from firmware.log.store import LogError, Store
from firmware.machine.errors import UsageError
from firmware.table.requests.deeds import restore_log
from firmware.table.state import state_of

MADE = "2026-01-02T20:00:00+00:00"
NOTHING: dict[str, Path | None] = {}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "matches.sqlite"
    with Store(path) as store:
        for seed in range(3):
            write_match(store, "rings", seed, 12)
    return path


def told(path: Path) -> dict[int, int]:
    with Store(path, read_only=True) as store:
        assert store.problems() == []
        return {match: store.length(match) for match in store.ids()}


def saved(log: Path, name: str = "backup.zip") -> Path:
    path = log.parent.parent / name
    path.write_bytes(make_backup(log, NOTHING, MADE))
    return path


def test_matches_settings_lens_and_colours_come_back_and_what_was_there_is_kept(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = told(log)
    files = {"config": "[page]\non = false\n", "lens": "{}", "colours": '{"red": 1}'}
    words = []
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        words += [f"--{name}", str(tmp_path / name)]
    out = tmp_path / "all.zip"
    assert main(["backup", "--out", str(out), "--log", str(log), *words]) == 0
    assert S_IMODE(out.stat().st_mode) == 0o600
    with Store(log) as store:
        write_match(store, "rings", 7, 12)
    later = told(log)
    (tmp_path / "config").write_text("changed")
    (tmp_path / "lens").unlink()
    assert main(["restore", str(out), "--log", str(log), *words]) == 0
    said = capsys.readouterr().out
    assert "matches.sqlite was kept as matches.sqlite.before-restore-1" in said
    assert told(log) == before
    assert told(log.with_name("matches.sqlite.before-restore-1")) == later
    assert {name: (tmp_path / name).read_text() for name in files} == files
    assert (tmp_path / "config.before-restore-1").read_text() == "changed"
    with Store(log) as store:
        assert store.note is None
        write_match(store, "rings", 9, 12)
    assert main(["restore", str(out), "--log", str(log)]) == 0
    assert "not restored, name a file with --settings, --lens, --colours" in capsys.readouterr().out.replace(
        "--config", "--settings"
    )
    assert log.with_name("matches.sqlite.before-restore-2").exists()


def test_a_backup_is_whole_while_a_match_is_being_written(log: Path, tmp_path: Path) -> None:
    with Store(log) as store:
        match = write_match(store, "rings", 5, 12)
        backup = saved(log)
        write_match(store, "rings", 6, 12)
        target = tmp_path / "other" / "matches.sqlite"
        restore(backup, target, NOTHING)
        assert told(target)[match] == len(store.events(match))
        assert match + 1 not in told(target)


def test_of_many_backups_the_newest_are_kept(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"magister-2025010{day}T040000Z.zip").write_bytes(b"")
    (folder / "holiday.zip").write_bytes(b"")
    words = ["--run-options", f"--camera usb:0 --log {log} --lens '{tmp_path}/my lens.json'", "--into", str(folder)]
    (tmp_path / "my lens.json").write_text("{}")
    assert main(["backup", *words, "--keep", "3"]) == 0
    names = sorted(file.name for file in folder.iterdir())
    assert names[:3] == ["holiday.zip", "magister-20250104T040000Z.zip", "magister-20250105T040000Z.zip"]
    assert len(names) == 4
    assert set(read_backup(folder / names[3])) == {LOG, "lens.json"}
    assert names[3] in capsys.readouterr().out


def rewritten(backup: Path, **changes: bytes) -> Path:
    """The same backup with some of its files changed."""
    with zipfile.ZipFile(backup) as old:
        contents = {name: old.read(name) for name in old.namelist()} | changes
    with zipfile.ZipFile(backup, "w") as new:
        for name, data in contents.items():
            new.writestr(name, data)
    return backup


def newer_log(log: Path) -> bytes:
    with closing(sqlite3.connect(log)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    data = log.read_bytes()
    with closing(sqlite3.connect(log)) as db:
        db.execute(f"PRAGMA user_version = {VERSION}")
    return data


def vouched(data: bytes, number: int = 1) -> bytes:
    return json.dumps({"format": number, "files": {LOG: sha256(data).hexdigest()}}).encode()


def piped(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)
    # Held open, so that whoever reads it does not wait for ever.
    os.open(file, os.O_RDWR)


def test_what_is_newer_or_damaged_is_refused_in_one_line_and_nothing_changes(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before, data = told(log), log.read_bytes()
    newer, torn = newer_log(log), data[:-4096]
    flaws = {
        "made by a newer": lambda file: rewritten(file, **{ABOUT: vouched(data, 2)}),
        "is not as it was written": lambda file: rewritten(file, **{LOG: torn}),
        "newer Magister Ludi": lambda file: rewritten(file, **{LOG: newer, ABOUT: vouched(newer)}),
        "is damaged": lambda file: rewritten(file, **{LOG: torn, ABOUT: vouched(torn)}),
        "not a backup": lambda file: file.write_bytes(b"Dear diary"),
        "damaged or not": lambda file: file.write_bytes(file.read_bytes()[:-300]),
        "no such file": lambda file: file.unlink(),
        "not a backup of": lambda file: rewritten(file, **{ABOUT: b"[]"}),
        "it is not a file": piped,
    }
    for why, spoil in flaws.items():
        file = saved(log)
        spoil(file)
        assert main(["restore", str(file), "--log", str(log)]) == 2, why
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert why in said.lower() or why in said
        assert str(file) in said
        assert ".magister-" not in said, "a folder that is gone tells nobody anything"
        assert told(log) == before
        assert not list(log.parent.glob("*before-restore*"))
        assert not list(log.parent.glob(".magister-*"))


class PowerCut(BaseException):
    """Nothing tidies up after it."""


@pytest.mark.parametrize("step", range(1, 7))
def test_a_power_cut_while_restoring_leaves_the_old_log_or_the_new_one(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    backup, old = saved(log), told(log)
    with Store(log) as store:
        write_match(store, "rings", 7, 4)
        new = told(log)
        # As after a crash: the journal is there.
        for part in ("", "-wal", ".witness"):
            shutil.copyfile(f"{log}{part}", tmp_path / f"cut{part}")
    for part in ("", "-wal", ".witness"):
        (tmp_path / f"cut{part}").replace(f"{log}{part}")
    steps, rename = iter(range(1, 99)), Path.rename

    def cut(file: Path, target: Path) -> Path:
        if next(steps) == step:
            raise PowerCut
        return rename(file, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", cut)
        with suppress(PowerCut):
            restore(backup, log, NOTHING)
    assert next(steps) >= step, "there are so many steps, or all is done"
    with Store(log) as store:
        assert store.note is None
    assert told(log) in (old, new)
    assert told(log) == new or told(log.with_name(f"{log.name}.before-restore-1")) == new


def test_a_log_that_is_in_use_is_not_restored_and_one_that_is_damaged_not_backed_up(log: Path) -> None:
    backup = saved(log)
    with own_log(log):
        done = subprocess.run(
            [sys.executable, "-m", "firmware", "restore", str(backup), "--log", str(log)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert "another magister run is using the log" in done.stderr
    with closing(sqlite3.connect(log)) as db:
        db.execute("DROP TRIGGER events_are_not_deleted")
        db.execute("DELETE FROM events WHERE match = 3 AND number > 3")
        db.commit()
    with pytest.raises(LogError, match=r"damaged.*saves what can be read"):
        make_backup(log, NOTHING, MADE)


def test_where_there_is_nothing_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="nothing to back up"):
        make_backup(tmp_path / "log.sqlite", {"lens": tmp_path / "lens.json"}, MADE)


def test_if_one_file_cannot_be_put_back_none_is(log: Path, tmp_path: Path) -> None:
    (tmp_path / "lens.json").write_text("{}")
    file = tmp_path / "both.zip"
    file.write_bytes(make_backup(log, {"lens": tmp_path / "lens.json"}, MADE))
    with Store(log) as store:
        write_match(store, "rings", 7, 12)
    later = told(log)
    (tmp_path / "in the way").write_text("")
    with pytest.raises(UsageError, match="nothing was changed"):
        restore(file, log, {"lens": tmp_path / "in the way" / "lens.json"})
    assert told(log) == later
    assert part_of(log, ".witness").exists()


# At a table


def test_a_log_is_changed_under_a_running_program_only_when_all_of_it_is_written(log: Path) -> None:
    backup = saved(log)
    with patient_log(log, lambda _: None) as outbox:
        assert outbox.store is not None
        write_match(outbox.store, "rings", 8, 12)
        outbox.exchange(lambda path: restore(backup, path, NOTHING))
        assert outbox.store is not None
        assert len(outbox.store.ids()) == 3
        write_match(outbox.store, "rings", 8, 12)
    with Store(log) as store, pytest.raises(LogError, match="cannot be changed now"):
        Outbox(store).exchange(lambda path: [])


@pytest.fixture
def table(log: Path) -> Iterator[PageTable]:
    table = PageTable(log)
    yield table
    table.close()


def test_the_page_gives_a_backup_that_can_be_restored(table: PageTable, log: Path, tmp_path: Path) -> None:
    def asked(path: str, body: bytes, kind: str, pin: str | None = PIN) -> bytes:
        headers = {"Content-Type": kind} | ({"X-Magister-Pin": pin} if pin else {})
        with urlopen(Request(f"{table.address}/api/v1{path}", body, headers), timeout=60) as answer:
            data: bytes = answer.read()
            return data

    for path, body in (("/backup", b"{}"), ("/restore", b"PK")):
        with pytest.raises(HTTPError) as refused:
            asked(path, body, "application/zip", pin=None)
        assert refused.value.code == 401
        refused.value.close()
    data = asked("/backup", b"{}", "application/json")
    file = tmp_path / "sent.zip"
    file.write_bytes(data)
    assert LOG in read_backup(file)
    with pytest.raises(HTTPError) as refused:
        asked("/restore", data[:-200], "application/zip")
    assert refused.value.code == 400
    refused.value.close()
    with pytest.raises(HTTPError) as refused:
        # This table's log is not patient: it cannot be changed while it is open.
        asked("/restore", data, "application/zip")
    assert refused.value.code == 409
    refused.value.close()
    assert not list(log.parent.glob("*.uploaded"))


def test_a_table_whose_log_was_restored_rests_and_plays_on(log: Path, tmp_path: Path) -> None:
    place = Place(computers="")
    with patient_log(log, lambda _: None) as outbox:
        place.sitting.gear.outbox = outbox
        place.sitting.play_again()
        place.sitting.begin()
        place.look(5)
        place.shown("+T7")
        with pytest.raises(GameError, match="no backup"):
            restore_log(place.sitting, tmp_path / "other.zip")
        file = saved(log, "b.uploaded")
        assert any("3 matches" in line or "4 matches" in line for line in restore_log(place.sitting, file))
        assert state_of(place.sitting)["phase"] == "idle"
        assert not file.exists()
        assert place.look(3) == []
