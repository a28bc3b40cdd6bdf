"""A recording refereed from outside: pictures in a folder, events as JSON Lines."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import zipfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from page_table import PaperEye

from engine.match import Match
from engine.registry import find_game
from firmware.commands.cli import main
from firmware.devices.recorded import open_recording
from firmware.log.store import Store
from firmware.table.events import in_words
from hardware.virtual.acting.deeds import Drop, Mistake, Play, Undo
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import Scene, stand
from vision.frame import Image

FPS = 5.0
SOME_PICTURE = np.arange(200 * 300 * 3, dtype=np.uint8).reshape(200, 300, 3)
FACES = find_game("rings").faces
DEEDS = (Play("+b3"), Drop(2), Mistake(FACES.read({"c7": "red"}), rules=("move.foreign",)), Play("+c1"), Undo(1))


@dataclass(frozen=True)
class Recording:
    folder: Path
    over: tuple[bool, ...]
    """For each frame whether a hand was over the board."""


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A short match of the rings with a mistake, an undo and dropped frames."""
    folder, over = tmp_path_factory.mktemp("frames"), []
    match = Match.begin(find_game("rings").configure(), 2, {})
    scene = replace(Scene(find_game("rings").board(2, {})), pose=Pose(650, 24, 190, hfov=68, size=(960, 540)))
    style = Style(fps=FPS, speed=900.0, pause=0.7)
    for number, shot in enumerate(TablePlayer(match, scene, style, seed=2).frames(DEEDS)):
        over.append(shot.truth.over)
        if shot.bgr is not None:
            cv2.imwrite(str(folder / f"frame-{number:06d}.jpg"), shot.bgr)
    return Recording(folder, tuple(over))


@pytest.fixture(scope="module")
def recording(film: Recording) -> Path:
    return film.folder


def frames_without_hand(film: Recording, seconds: float) -> int:
    """How many frames in a row, up to this moment, had no hand over the board."""
    over = film.over[: round(seconds * FPS) + 1]
    return next((count for count, hand in enumerate(reversed(over)) if hand), len(over))


def watched(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[dict[str, Any]], str]:
    code = main(["watch", *map(str, words)])
    said = capsys.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


def test_a_recording_of_pictures_too_small_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    film = cv2.VideoWriter(str(tmp_path / "small.avi"), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (96, 96))
    film.write(np.zeros((96, 96, 3), np.uint8))
    film.release()
    code, events, err = watched(capsys, f"video:{tmp_path / 'small.avi'}", "--game", "rings", "--players", 2, "--json")
    assert (code, events, err.count("\n")) == (2, [], 1)
    assert "small.avi" in err


def test_a_recording_becomes_events(film: Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle, log = tmp_path / "report.zip", tmp_path / "evening.sqlite"
    words = [f"frames:{film.folder}", "--game", "rings", "--players", 2, "--fps", FPS, "--json"]
    code, events, err = watched(capsys, *words, "--bundle", bundle, "--log", log)
    assert (code, err) == (0, "")
    with Store(log, read_only=True) as store:
        assert [event.kind for event in store.events(1)] == [event["event"] for event in events]
        assert [str(action) for action in store.rebuild(1).actions] == ["+b3"]
        assert store.problems() == []
    for event in events:
        if event["event"] in ("action", "illegal", "undo"):
            free = frames_without_hand(film, event["t"])
            assert free >= 3, event
            assert event["event"] != "illegal" or (free - 1) / FPS >= 1.5, event
    told = [{name: value for name, value in event.items() if name not in ("t", "text")} for event in events]
    told = [event for event in told if event["event"] != "unfinished"]
    assert told == [
        {"event": "action", "ply": 0, "seat": 0, "action": "+b3"},
        {
            "event": "illegal",
            "seat": 1,
            "rule": "move.foreign",
            "sites": ["b3"],
            "rules": ["move.foreign", "move.not-neighbour"],
        },
        {"event": "restored"},
        {"event": "action", "ply": 1, "seat": 1, "action": "+c1"},
        {"event": "undo", "to_ply": 1},
    ]
    assert [event["t"] for event in events] == sorted(event["t"] for event in events)
    with zipfile.ZipFile(bundle) as report:
        names = report.namelist()
        readings = [json.loads(line) for line in report.read("readings.jsonl").splitlines()]
    assert {"board.json", "settings.json", "readings.jsonl"} <= set(names)
    assert len(readings) == len([name for name in names if name.startswith("frame-")])


@pytest.mark.parametrize("source", ["frames:/nowhere", "video:/nowhere.mp4", "camera", "frames:", "usb:0"])
def test_no_such_recording_gets_one_line(capsys: pytest.CaptureFixture[str], source: str) -> None:
    code, events, err = watched(capsys, source, "--game", "rings", "--players", 2, "--json")
    assert (code, events, err.count("\n")) == (2, [], 1)


def test_files_that_are_no_frames_are_dropped_frames(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "frame-000000.png").write_bytes(b"not a picture")
    (tmp_path / "frame-²².png").write_bytes(b"not a number")
    cv2.imwrite(str(tmp_path / "frame-000001.png"), SOME_PICTURE)
    code, events, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--json")
    assert (code, events, err.count("\n")) == (1, [], 2)
    assert "could not be read and were left out: 1\n" in err
    assert "never fully visible" in err, "of the frame that is one"


@pytest.mark.parametrize(
    ("picture", "why"),
    [
        (None, "frame-000000.png: it is not a picture"),
        (np.full((200, 300), 90, np.uint8), "frame-000000.png: it has no colours"),
        (np.full((200, 300), 9000, np.uint16), "frame-000000.png: it has 16 bits per pixel"),
        (SOME_PICTURE[:50], "frame-000000.png: it is too small"),
    ],
)
def test_a_recording_without_one_usable_frame_gets_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], picture: Image | None, why: str
) -> None:
    (tmp_path / "frame-000000.png").write_bytes(b"not a picture")
    (tmp_path / "frame-000001.png").write_bytes(b"nor this")
    if picture is not None:
        cv2.imwrite(str(tmp_path / "frame-000000.png"), picture)
    code, events, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--json")
    assert (code, events, err.count("\n")) == (2, [], 1)
    assert why in err


@pytest.mark.parametrize("kind", ["jpg", "png"])
@pytest.mark.parametrize("dark", [np.zeros((200, 300), np.uint8), np.arange(60000, dtype=np.uint8).reshape(200, 300)])
def test_in_frames_without_colours_the_board_is_not_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str, dark: Image
) -> None:
    monkeypatch.setattr("firmware.table.recordings.make_eye", lambda board, *_: PaperEye(board))
    for number in range(60):
        covered = 20 <= number < 40
        cv2.imwrite(str(tmp_path / f"frame-{number:06d}.{kind}"), dark if covered else SOME_PICTURE)
    code, events, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--json")
    assert (code, err) == (0, "")
    assert [event["event"] for event in events] == ["lost", "found"]
    assert 2.0 < events[0]["t"] < 4.0 <= events[1]["t"]


def test_a_gap_of_any_length_is_passed_at_once(tmp_path: Path) -> None:
    for number in (0, 1, 999_999_999_999):
        cv2.imwrite(str(tmp_path / f"frame-{number:06d}.png"), SOME_PICTURE)
    frames = list(open_recording(f"frames:{tmp_path}", 10.0).frames())
    assert [frame and frame.seconds for frame in frames] == [0.0, 0.1, None, 99_999_999_999.9]


@pytest.mark.parametrize(
    "data", [b"", b"no film at all", b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom", b"RIFF\xe8\x03\0\0AVI junk" + bytes(600)]
)
def test_a_film_that_is_none_gets_one_line(tmp_path: Path, data: bytes) -> None:
    """In a process of its own: FFmpeg is told only once to keep silent, and another test may have used it before."""
    (tmp_path / "film.mp4").write_bytes(data)
    words = ["watch", f"video:{tmp_path / 'film.mp4'}", "--game", "rings", "--players", "2", "--json"]
    done = subprocess.run([sys.executable, "-m", "firmware", *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr


def test_a_report_that_finds_no_room_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, report = tmp_path / "frames", tmp_path / "report.zip"
    folder.mkdir()
    noise = np.random.default_rng(1).integers(0, 255, (720, 1280, 3), dtype=np.uint8)
    cv2.imwrite(str(folder / "frame-000000.png"), noise)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        code, _, err = watched(capsys, f"frames:{folder}", "--game", "rings", "--players", 2, "--bundle", report)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (code, err) == (2, f"magister watch: cannot write {report}: File too large; choose another location\n")
    assert [path.name for path in tmp_path.iterdir()] == ["frames"], "no half report stays"


def test_a_report_does_not_take_the_place_of_a_device(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--bundle", tmp_path]
    cv2.imwrite(str(tmp_path / "frame-000000.png"), SOME_PICTURE)
    code, _, err = watched(capsys, *words)
    assert (code, err) == (2, f"magister watch: cannot write {tmp_path}: it is not a file; choose another name\n")


@cache
def photo(standing: tuple[tuple[str, str], ...]) -> bytes:
    board = find_game("rings").board(2, {})
    scene = Scene(board, stand(board, FACES.read(dict(standing)), 0.3, 1), pose=Pose(650, 24, 190, hfov=68))
    return cv2.imencode(".png", Renderer(board).render(scene).bgr)[1].tobytes()


@pytest.mark.parametrize(
    ("faces", "fps", "actions", "note"),
    [
        (({}, {"b3": "red"}), 10, [], "nothing in "),
        (({}, {"b3": "red"}, {"b3": "red"}), 1, ["+b3"], ""),
        (({}, {}), 10, [], ""),
        (({}, {"b3": "red"}, {"b3": "red"}, {"b3": "red", "c1": "yellow"}), 1, ["+b3"], ""),
    ],
    ids=["photos", "each photo twice", "nothing happens", "cut off"],
)
def test_photos_of_which_none_stands_still_are_told_from_a_table_where_nothing_happens(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    faces: tuple[dict[str, str], ...],
    fps: float,
    actions: list[str],
    note: str,
) -> None:
    for number, standing in enumerate(faces):
        (tmp_path / f"frame-{number:06d}.png").write_bytes(photo(tuple(standing.items())))
    code, events, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--fps", fps, "--json")
    assert (code, [event["action"] for event in events]) == (0, actions)
    assert err.startswith(note)
    assert err.count("\n") == bool(note)


def test_a_lens_for_other_pictures_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    lens = {"size": [300, 200], "fx": 250.0, "fy": 250.0, "cx": 150.0, "cy": 100.0}
    (tmp_path / "lens.json").write_text(json.dumps(lens))
    cv2.imwrite(str(tmp_path / "frame-000000.png"), SOME_PICTURE.transpose(1, 0, 2))
    words = [f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--lens", tmp_path / "lens.json"]
    code, _, err = watched(capsys, *words)
    assert (code, err.count("\n")) == (2, 1)
    assert "the lens is for 300x200 pictures, not 200x300" in err


@pytest.mark.parametrize("fps", [0, -1, 1e9, 1e-308, float("nan")])
def test_a_strange_pace_gets_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path, fps: float) -> None:
    code, _, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--fps", fps)
    assert (code, err.count("\n")) == (2, 1)
    assert "--fps must be" in err


@pytest.mark.parametrize(
    ("event", "words"),
    [
        ({"event": "action", "ply": 2, "seat": 1, "action": "+b3"}, "action     3. yellow +b3"),
        ({"event": "undo", "to_ply": 2}, "undo       back to move 2"),
        ({"event": "undo", "to_ply": 1}, "undo       back to move 1"),
        ({"event": "unclear", "actions": ["T2-T3", "T>"]}, "unclear    T2-T3 or T>"),
        ({"event": "unfinished", "sites": ["T4", "L1"]}, "unfinished T4, L1"),
        ({"event": "illegal", "sites": ["T4"], "text": "The match is over."}, "illegal    The match is over."),
        ({"event": "restored"}, "restored"),
        ({"event": "result", "winner": 1, "by": "last"}, "result     yellow by last"),
        ({"event": "result", "winner": [0, 2], "by": "chips"}, "result     red, green by chips"),
        ({"event": "resign", "seat": 0}, "resign     red"),
    ],
)
def test_an_event_is_told_in_words(event: dict[str, Any], words: str) -> None:
    assert in_words({"t": 12.34} | event) == f"    12.3 s  {words}"


def test_an_event_names_who_plays() -> None:
    event = {"t": 1.0, "event": "action", "ply": 1, "seat": 1, "action": "+T1"}
    assert in_words(event, ["Ada", "Ben"]).endswith("2. Ben +T1")
    assert in_words({"t": 1.0, "event": "result", "winner": 0, "by": "last"}, ["Ada", "Ben"]).endswith("Ada by last")


@pytest.mark.parametrize("option", ["--lens", "--colours"])
def test_what_was_measured_is_used(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    cv2.imwrite(str(tmp_path / "frame-000000.png"), SOME_PICTURE)
    code, _, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, option, tmp_path / "none")
    assert (code, err.count("\n")) == (2, 1)
    assert "cannot read" in err


def test_a_damaged_log_is_said_and_the_recording_watched(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.table.recordings.make_eye", lambda board, *_: PaperEye(board))
    cv2.imwrite(str(tmp_path / "frame-000000.png"), SOME_PICTURE)
    log = tmp_path / "evening.sqlite"
    log.write_bytes(b"Dear diary")
    code, _, err = watched(capsys, f"frames:{tmp_path}", "--game", "rings", "--players", 2, "--log", log)
    assert code == 0
    assert "it was kept as evening.sqlite.damaged-1" in err


def test_a_recording_of_something_else_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.full((360, 640, 3), (90, 128, 150), np.uint8))
    assert main(["watch", f"frames:{tmp_path}", "--game", "rings", "--players", "2", "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "never fully visible" in said.err
