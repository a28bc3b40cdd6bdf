"""`magister log` from outside."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from engine.registry import find_game
from firmware.commands import log
from firmware.commands.cli import main
from firmware.log.disk.place import default_log
from firmware.log.exchange.notation_reading import parse_notation
from firmware.log.match.record import seated
from firmware.log.store import Store

WHEN = "2026-01-31T19:30:00+01:00"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with two matches in its log: one lost by resignation, one just begun."""
    monkeypatch.setattr("firmware.commands.cli.COMMANDS", (log,))
    monkeypatch.setenv("MAGISTER_DATA", str(tmp_path))
    path = tmp_path / "matches.sqlite"
    with Store(path) as store:
        rings = store.begin_match(find_game("rings").configure(), seated(["Ada", ""]), {}, started=WHEN)
        for kind, payload in (
            ("action", {"ply": 0, "seat": 0, "action": "+a8"}),
            ("illegal", {"seat": 1, "rule": "place.taken", "sites": ["a8"], "text": "There is a pawn on a8."}),
            ("action", {"ply": 1, "seat": 1, "action": "+c4"}),
            ("resign", {"seat": 0}),
        ):
            store.append(rings, kind, payload, at=WHEN, seconds=1)
        memento = find_game("memento-tuos").configure("simple")
        store.begin_match(memento, seated(["A", "B", "C"]), {}, started=WHEN)
    return path


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        code = main(["log", *map(str, words)])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    said = capsys.readouterr()
    return code, said.out, said.err


def test_list(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "list")
    assert code == 0
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "1 2026-01-31 19:30 rings Ada (red), yellow: 2 actions, 1 illegal, yellow won by resign",
        "2 2026-01-31 19:30 memento-tuos simple A (red), B (yellow), C (green): 0 actions, unfinished",
    ]


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "list", "--json")
    first, second = json.loads(out)
    assert code == 0
    assert first["result"] == {"winner": 1, "by": "resign"}
    assert (first["id"], first["actions"], first["illegal"]) == (1, 2, 1)
    assert second["result"] is None


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "show", 1)
    assert code == 0
    assert [str(action) for action in parse_notation(out).replay().actions] == ["+a8", "+c4"]
    code, out, _ = told(capsys, "show", 1, "--json")
    assert code == 0
    assert len(json.loads(out)["events"]) == 4


@pytest.mark.parametrize(
    ("form", "start"),
    [("text", b"[Game"), ("json", b"{"), ("csv", b"number,"), ("svg", b"<svg"), ("gif", b"GIF89a")],
)
def test_export(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str, start: bytes) -> None:
    out = tmp_path / "match"
    assert told(capsys, "export", 1, "--format", form, "--out", out) == (0, "", "")
    assert out.read_bytes().startswith(start)
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    "out",
    [
        "matches.sqlite",
        "./folder/../matches.sqlite",
        "link",
        "hard",
        "folder-link/matches.sqlite",
        "matches.sqlite-wal",
        "matches.sqlite-shm",
        "matches.sqlite-journal",
    ],
)
@pytest.mark.parametrize("named", ["matches.sqlite", "link"])
def test_no_export_takes_the_place_of_the_log(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, at_home: Path, named: str, out: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder-link").symlink_to(tmp_path)
    (tmp_path / "link").symlink_to(at_home)
    (tmp_path / "hard").hardlink_to(at_home)
    before = at_home.read_bytes()
    words = ["export", 1, "--file", tmp_path / named, "--format", "json", "--out", f"{tmp_path}/{out}"]
    code, _, err = told(capsys, *words)
    assert (code, err.count("\n")) == (2, 1)
    assert "choose another file" in err
    assert at_home.read_bytes() == before
    assert (tmp_path / "link").is_symlink()
    assert not list(tmp_path.glob(".*"))
    assert told(capsys, "verify") == (0, "2 matches with 4 events, no problems found\n", "")


def test_verify(capsys: pytest.CaptureFixture[str], at_home: Path) -> None:
    assert told(capsys, "verify") == (0, "2 matches with 4 events, no problems found\n", "")
    with sqlite3.connect(at_home) as db:
        db.execute("DROP TRIGGER events_are_not_changed")
        db.execute("""UPDATE events SET payload = '{"ply":0,"seat":0,"action":"+a7"}' WHERE number = 0""")
    db.close()
    code, out, err = told(capsys, "verify")
    assert (code, err) == (1, "")
    assert "match 1, event 0: it was changed after it was written" in out
    code, out, _ = told(capsys, "verify", "--json")
    assert code == 1
    assert json.loads(out)["ok"] is False
    assert len(json.loads(out)["problems"]) == 2
    code, out, _ = told(capsys, "list")
    assert code == 0
    assert "match 1, event 0: it was changed" in out


def test_a_damaged_file_is_told_and_left_alone(capsys: pytest.CaptureFixture[str], at_home: Path) -> None:
    at_home.write_bytes(b"no log at all")
    code, out, _ = told(capsys, "verify")
    assert code == 1
    assert "is damaged or not a match log" in out
    for deed in (["list"], ["show", 1], ["export", 1, "--format", "text", "--out", at_home.with_name("x")]):
        code, out, err = told(capsys, *deed)
        assert (code, out) == (2, "")
        assert err.startswith("magister log: ")
        assert err.count("\n") == 1
    assert at_home.read_bytes() == b"no log at all"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ([], "required"),
        (["show", 9], "there is no match 9"),
        (["show", 10**30], "there is no match"),
        (["show", "one"], "is not a whole number"),
        (["list", "--file", "/nowhere/at/all"], "there is no log"),
        (["export", 1, "--format", "pdf", "--out", "x"], "invalid choice"),
        (["export", 1, "--format", "text", "--out", "/nowhere/at/all"], "cannot write"),
        (["export", 1, "--format", "text", "--out", ""], "cannot write"),
    ],
)
def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str], words: list[object], why: str) -> None:
    code, out, err = told(capsys, *words)
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1


def test_the_log_is_where_the_machine_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAGISTER_DATA", "data/evening.sqlite")
    assert default_log() == Path("data/evening.sqlite")
    monkeypatch.setenv("MAGISTER_DATA", "data")
    assert default_log() == Path("data/matches.sqlite")
    monkeypatch.delenv("MAGISTER_DATA")
    assert default_log() == Path.home() / ".local/share/magister/matches.sqlite"


def test_without_a_home_a_log_must_be_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(_: int) -> None:
        raise KeyError

    monkeypatch.delenv("MAGISTER_DATA")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    complaint = "magister log: this user has no home folder: name a log with --log, or its folder in MAGISTER_DATA\n"
    assert told(capsys, "list") == (2, "", complaint)


def test_a_match_is_exported_and_imported_elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, elsewhere = tmp_path / "match.json", tmp_path / "elsewhere.sqlite"
    assert told(capsys, "export", 1, "--format", "json", "--out", out)[0] == 0
    code, said, _ = told(capsys, "import", out, "--file", elsewhere)
    assert (code, said) == (0, f"{out} is now match 1\n")
    assert told(capsys, "list", "--file", elsewhere)[1].count("Ada (red)") == 1
    code, _, err = told(capsys, "import", out, "--file", elsewhere)
    assert (code, err.count("\n")) == (2, 1)
    assert "already here" in err
    assert told(capsys, "verify", "--file", elsewhere)[0] == 0


@pytest.mark.parametrize("data", [b"", b"{}", b"\xff\xfe\x00", b"1. e4 e5", None])
def test_what_is_no_match_is_not_imported(
    data: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, elsewhere = tmp_path / "match.txt", tmp_path / "elsewhere.sqlite"
    if data is not None:
        file.write_bytes(data)
    code, out, err = told(capsys, "import", file, "--file", elsewhere)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert not elsewhere.exists()


def test_a_match_is_renamed_removed_and_put_back(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "rename", 2, "Ada, Ben,")[0] == 0
    assert "Ada (red), Ben (yellow), green" in told(capsys, "list")[1]
    assert told(capsys, "remove", 2)[0] == 0
    assert "Ben" not in told(capsys, "list")[1]
    assert "Ben" in told(capsys, "list", "--removed")[1]
    assert told(capsys, "put-back", 2)[0] == 0
    assert "Ben" in told(capsys, "list")[1]
    assert told(capsys, "list", "--removed")[1] == ""


@pytest.mark.parametrize("words", [("rename", 9, "A,B"), ("rename", 1, "A"), ("remove", 9), ("put-back", 9)])
def test_what_cannot_be_done_in_the_archive_gets_one_line(
    words: tuple[object, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = told(capsys, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_no_log_is_made_by_renaming_a_match_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys, "rename", 1, "A,B", "--file", tmp_path / "typo.sqlite")
    assert (code, err.count("\n")) == (2, 1)
    assert not (tmp_path / "typo.sqlite").exists()
