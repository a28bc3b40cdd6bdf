"""`magister print` from outside: what it writes, and that it writes all or nothing."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from firmware.commands import cli, print_pack
from hardware.printing import pack
from hardware.printing.layout import PAPERS


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command in the program, with small stand-ins for what takes long and is measured elsewhere."""
    monkeypatch.setattr(cli, "COMMANDS", (*(one for one in cli.COMMANDS if one is not print_pack), print_pack))
    monkeypatch.setattr(pack, "sheet_png", lambda sheet: repr(sheet).encode())
    monkeypatch.setattr(
        pack, "print_pages", lambda board, title, paper, language, notes: f"{title} {language}".encode()
    )


def told(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    try:
        code = cli.main(["print", *map(str, words)])
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 1
    said = capsys.readouterr()
    return code, said.out, said.err


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    code, out, err = told(capsys, *words)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert err.startswith("magister print: ")
    return err


def test_the_papers_offered_are_those_there_are() -> None:
    assert set(print_pack.PAPERS) == set(PAPERS)


def test_it_tells_what_it_wrote(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "new" / "pack"
    code, out, err = told(capsys, "rings", "--out", folder, "--paper", "A3", "--lang", "de")
    names = ["rings-a3.pdf", "base.png", "ring-a.png", "ring-b.png", "ring-c.png", "board.json"]
    assert (code, err) == (0, "")
    assert out.splitlines() == [str(folder / name) for name in names]
    assert sorted(file.name for file in folder.iterdir()) == sorted(names)
    assert (folder / "rings-a3.pdf").read_text() == "Trois Anneaux de"
    assert [file.name for file in folder.parent.iterdir()] == ["pack"]


def test_a_random_set_up_comes_from_the_seed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        assert told(capsys, "dimenticato", "--players", 3, "--seed", seed, "--out", tmp_path / name)[0] == 0
    cards = {
        folder.name: [card.read_bytes() for card in sorted(folder.glob("card-*.png"))] for folder in tmp_path.iterdir()
    }
    assert cards["one"] == cards["same"] != cards["other"]


def test_an_older_pack_is_replaced_and_other_files_stay(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text("old")
    (tmp_path / "diary.txt").write_text("mine")
    assert told(capsys, "rings", "--out", tmp_path)[0] == 0
    assert (tmp_path / "board.json").read_text().startswith("{")
    assert (tmp_path / "diary.txt").read_text() == "mine"
    assert not [file for file in tmp_path.iterdir() if file.name.startswith(".")]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rings", "--paper", "a5"], "a4"),
        (["chess"], "unknown game 'chess'"),
        (["rings", "--lang", "xx"], "en"),
        (["rings", "--players", 9], "players"),
        (["memento-tuos", "--variant", "none"], "none"),
        (["dimenticato", "--setup", "/no/such/file"], "cannot read"),
    ],
)
def test_wrong_words_are_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[object], says: str
) -> None:
    assert says in refused(capsys, *words, "--out", tmp_path / "pack")
    assert not list(tmp_path.iterdir())


def test_a_folder_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--out" in refused(capsys, "rings")
    assert "it is empty" in refused(capsys, "rings", "--out", "")


def test_what_is_no_folder_or_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine")
    assert "it is a file" in refused(capsys, "rings", "--out", file)
    assert "cannot write" in refused(capsys, "rings", "--out", file / "pack")
    assert "cannot write" in refused(capsys, "rings", "--out", "/proc/magister/pack")
    assert "cannot write" in refused(capsys, "rings", "--out", tmp_path / ("long" * 100))
    assert file.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [file]


def test_a_folder_in_the_place_of_a_file_is_left_alone(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "ring-c.png").mkdir()
    (tmp_path / "ring-c.png" / "mine").touch()
    assert "ring-c.png is a folder" in refused(capsys, "rings", "--out", tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["ring-c.png"]
    assert (tmp_path / "ring-c.png" / "mine").exists()


@pytest.mark.parametrize("existing", [False, True])
def test_a_full_disk_leaves_nothing_behind(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool
) -> None:
    folder = tmp_path / "pack"
    if existing:
        folder.mkdir()
        (folder / "base.png").write_text("old")
    write = Path.write_bytes

    def fail(path: Path, data: bytes) -> int:
        if path.name == "ring-b.png":
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(path, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    assert "No space left on device" in refused(capsys, "rings", "--out", folder)
    assert [file.name for file in tmp_path.rglob("*")] == (["pack", "base.png"] if existing else [])
    assert not existing or (folder / "base.png").read_text() == "old"


def test_a_move_that_fails_half_way_is_taken_back(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = {"base.png": "old base", "ring-b.png": "old ring"}
    for name, text in old.items():
        (tmp_path / name).write_text(text)
    replace = Path.replace

    def fail(path: Path, target: Path) -> Path:
        if path.name == "ring-b.png" and target.parent == tmp_path and "old" not in path.parts:
            raise OSError(errno.EIO, "Input/output error")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fail)
    assert "Input/output error" in refused(capsys, "rings", "--out", tmp_path)
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == old
