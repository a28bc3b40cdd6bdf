"""Files that commands write: never in the place of what they read, nor of what is no file."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from tempfile import TemporaryFile

import cv2
import numpy as np
import pytest

from engine.registry import find_game
from firmware.commands.cli import main
from firmware.log.disk.file import holds_anything
from firmware.log.match.record import seated
from firmware.log.store import Store
from firmware.machine.errors import UsageError
from firmware.machine.files import write_whole

PICTURE = np.arange(200 * 300 * 3, dtype=np.uint8).reshape(200, 300, 3)
ROOT = str(Path(__file__).parents[3])
LENS = '{"size": [300, 200], "fx": 300, "fy": 300, "cx": 150, "cy": 100}'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a picture, a film, a lens, settings and a log in it."""
    monkeypatch.chdir(tmp_path)
    cv2.imwrite("frame-000000.png", PICTURE)
    # Not by FFmpeg: it would keep the loudness that it is first used with.
    film = cv2.VideoWriter("film.avi", cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (300, 200))
    film.write(PICTURE)
    film.release()
    Path("lens.json").write_text(LENS)
    Path("colours.json").write_text('{"colours": {}}')
    Path("settings.toml").write_text("[lights]\nbrightness = 0.5\n")
    with Store(Path("log.sqlite")) as store:
        store.begin_match(find_game("rings").configure(), seated(["", ""]), {}, started="2026-01-31T19:30:00+01:00")
    return tmp_path


def kinds(folder: Path) -> dict[str, tuple[int, bytes]]:
    """What lies in a folder: of each thing its kind and, of a file, what it holds."""
    found = {}
    for path in folder.iterdir():
        if path.name.startswith("log.sqlite-"):
            # Whoever reads a log keeps files of its own beside it.
            continue
        kind = stat.S_IFMT(path.lstat().st_mode)
        found[path.name] = (kind, path.read_bytes() if kind == stat.S_IFREG else b"")
    return found


LOOK = "look frame-000000.png --game rings --lens lens.json --colours colours.json"
WATCH = "--game rings --players 2 --lens lens.json --colours colours.json --config settings.toml"
OUTPUTS = {
    "overlay": f"{LOOK} --overlay",
    "bundle of a look": f"{LOOK} --bundle",
    "bundle of a folder": f"watch frames:. {WATCH} --bundle",
    "bundle of a film": f"watch video:film.avi {WATCH} --log log.sqlite --bundle",
    "lens": "calibrate lens frame-000000.png --out",
    "colours": "calibrate colours frame-000000.png --game rings --lens lens.json --out",
    "plan": "doctor --camera-plan --lens lens.json --config settings.toml --drawing",
    "wiring": "doctor --wiring --config settings.toml --drawing",
    "export": "log export 1 --file log.sqlite --format text --out",
}


def refused(capsys: pytest.CaptureFixture[str], words: str, out: str) -> str:
    """What is said when nothing is written, and nothing is changed."""
    before = kinds(Path())
    code = main([*words.split(), out])
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (2, "", 1), said.err
    assert kinds(Path()) == before
    return said.err


@pytest.mark.parametrize(
    ("output", "read"),
    [
        ("overlay", "frame-000000.png"),
        ("overlay", "lens.json"),
        ("overlay", "colours.json"),
        ("bundle of a look", "frame-000000.png"),
        ("bundle of a look", "lens.json"),
        ("bundle of a look", "colours.json"),
        ("bundle of a folder", "frame-000000.png"),
        ("bundle of a film", "film.avi"),
        ("bundle of a film", "lens.json"),
        ("bundle of a film", "colours.json"),
        ("bundle of a film", "settings.toml"),
        ("bundle of a film", "log.sqlite"),
        ("lens", "frame-000000.png"),
        ("colours", "frame-000000.png"),
        ("colours", "lens.json"),
        ("plan", "lens.json"),
        ("plan", "settings.toml"),
        ("wiring", "settings.toml"),
        ("export", "log.sqlite"),
    ],
)
def test_no_output_takes_the_place_of_what_is_read(capsys: pytest.CaptureFixture[str], output: str, read: str) -> None:
    Path("link").symlink_to(read)
    Path("hard").hardlink_to(read)
    for name in (read, "link", "hard"):
        assert "choose another file" in refused(capsys, OUTPUTS[output], name)


@pytest.mark.parametrize(
    ("trouble", "code"),
    [(KeyboardInterrupt(), 130), (BrokenPipeError(32, "Broken pipe"), 0), (OSError(28, "No space left on device"), 2)],
)
@pytest.mark.parametrize("of", ["look", "film"])
def test_a_report_that_is_broken_off_leaves_nothing(
    here: Path, monkeypatch: pytest.MonkeyPatch, of: str, trouble: BaseException, code: int
) -> None:
    def fail(*_: object, **__: object) -> None:
        assert (here / ".report.zip.part").exists()
        raise trouble

    before = kinds(here)
    monkeypatch.setattr(f"firmware.{'photos.looking' if of == 'look' else 'table.recordings'}.make_eye", fail)
    # Where the reader of the output has gone, the program lets go of it: so it gets one of its own.
    with TemporaryFile("w") as output:
        monkeypatch.setattr("sys.stdout", output)
        assert main([*OUTPUTS[f"bundle of a {of}"].split(), "report.zip"]) == code
    assert kinds(here) == before


def heed_interrupts() -> None:
    """What is started in the background is deaf to Ctrl-C, and so is all that it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_half_report(here: Path, number: signal.Signals) -> None:
    for copy in range(1, 200):
        Path(f"frame-{copy:06d}.png").hardlink_to("frame-000000.png")
    before = kinds(here)
    words = [sys.executable, "-m", "firmware", *OUTPUTS["bundle of a folder"].split(), "report.zip"]
    with subprocess.Popen(
        words,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": ROOT},
        preexec_fn=heed_interrupts,
    ) as program:
        while not holds_anything(Path(".report.zip.part")):
            assert program.poll() is None
            time.sleep(0.01)
        program.send_signal(number)
        _, err = program.communicate(timeout=60)
    assert (program.returncode, err) == (130, "")
    assert kinds(here) == before


def test_a_report_holds_what_makes_its_readings_again(here: Path) -> None:
    os.utime("frame-000000.png", (0, 0))
    words = ["look", "frame-000000.png", "--game", "rings", "--players", "2", "--lens", "lens.json"]
    assert main([*words, "--colours", "colours.json", "--bundle", "report.zip"]) == 1, "there is no board in it"
    with zipfile.ZipFile("report.zip") as report:
        assert json.loads(report.read("settings.json"))["call"] == {"command": "look", "game": "rings", "players": 2}
        for name in ("lens.json", "colours.json"):
            assert report.read(name) == Path(name).read_bytes()
        assert report.read("frame-000000.png") == Path("frame-000000.png").read_bytes()


def test_there_is_no_report_where_no_picture_can_be_read(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("noise.png").write_bytes(b"not a picture")
    before = kinds(here)
    words = ["look", "--game", "rings", "--bundle", "report.zip"]
    assert main([*words, "noise.png", "missing.png"]) == 2
    assert kinds(here) == before
    assert main([*words, "noise.png", "frame-000000.png"]) == 2
    with zipfile.ZipFile("report.zip") as report:
        assert len(report.read("readings.jsonl").splitlines()) == 2, "one that can be read is enough"
    assert capsys.readouterr().err.count("\n") == 3


def test_two_outputs_do_not_share_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert "would overwrite" in refused(capsys, f"{LOOK} --overlay both.png --bundle", "both.png")


@pytest.mark.parametrize("words", OUTPUTS.values(), ids=OUTPUTS)
def test_no_output_takes_the_place_of_what_is_no_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    # It is told at once: a plan takes a second to make.
    monkeypatch.delattr("firmware.doctor.plan.best_distance")
    os.mkfifo("pipe")
    Path("folder").mkdir()
    Path("loop").symlink_to("loop")
    Path("full").symlink_to("/dev/full")
    for out in ("pipe", "folder", "full", ""):
        assert "it is not a file" in refused(capsys, words, out)
    assert "Too many levels of symbolic links" in refused(capsys, words, "loop")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


@pytest.mark.parametrize("is_there", [True, False])
def test_what_is_written_to_a_link_comes_to_lie_where_it_points(is_there: bool) -> None:
    Path("far").mkdir()
    if is_there:
        Path("far/drawing.svg").write_text("an older one")
    Path("link").symlink_to("far/drawing.svg")
    assert main([*OUTPUTS["wiring"].split(), "link"]) == 0
    assert Path("link").is_symlink()
    assert Path("far/drawing.svg").read_text().startswith("<svg")
    assert [path.name for path in Path("far").iterdir()] == ["drawing.svg"]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [(OSError(28, "No space left on device"), UsageError), (KeyboardInterrupt(), KeyboardInterrupt)],
)
def test_a_file_that_cannot_be_written_leaves_no_draft(
    here: Path, monkeypatch: pytest.MonkeyPatch, trouble: BaseException, told: type[BaseException]
) -> None:
    def fail(*_: object) -> None:
        raise trouble

    before = kinds(here)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(told):
        write_whole(Path("lens.json"), "another one")
    assert kinds(here) == before
