"""The page's process and the program's desk: told, asked, lost and found again; its PIN and its greeting."""

from __future__ import annotations

import errno
import gc
import io
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
import weakref
from argparse import Namespace
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import cv2
import numpy as np
import pytest
from page_table import PATIENCE, PageTable
from pypdf import PdfReader

from engine.core import Json
from engine.spoken import SpokenError
from firmware.commands.cli import main
from firmware.devices.lights import NoLights
from firmware.devices.recorded import FrameFolder
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.machine.errors import UsageError
from firmware.page.desk import Desk, Opening, Wish
from firmware.page.greeting import greeting, here, show_in_browser
from firmware.page.house import KEPT, RemoteHouse
from firmware.page.house import PATIENCE as PATIENCE_OF_PAGE
from firmware.page.keys import Keys
from firmware.page.server import listen_at
from firmware.settings.config import CameraSettings, PageSettings
from firmware.table.cameras.chosen import Awaited, Cameras, EmptyRoom, cameras_here
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.running import open_page
from firmware.table.state import state_of, trace_of
from webui.house import HouseClosedError, WishRefusedError


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def house() -> RemoteHouse:
    return RemoteHouse(io.BytesIO(), None)


def update(number: int, *news: Json) -> Json:
    return {"type": "update", "number": number, "state": {"phase": "idle", "of": number}, "trace": None, "news": news}


def test_who_comes_back_hears_what_was_missed(house: RemoteHouse) -> None:
    house.hear(update(1, {"number": 1}))
    house.hear(update(2, {"number": 2}))
    missed = house.wait(1, 0)
    assert missed is not None
    assert (missed.number, missed.news, missed.state["of"]) == (2, ({"number": 2},), 2)
    assert house.wait(2, 0) is None
    restarted = house.wait(900, 0)
    assert restarted is not None, "a number that was never given is that of a program before"
    assert restarted.news == ()


def test_old_news_are_forgotten(house: RemoteHouse) -> None:
    for number in range(3 * KEPT):
        house.hear(update(number, {"number": number}))
    everything = house.wait(0, 0)
    assert everything is not None
    assert len(everything.news) == KEPT


def test_a_house_is_alive_as_long_as_frames_come() -> None:
    now = 0.0
    house = RemoteHouse(io.BytesIO(), None, clock=lambda: now)
    house.hear({"type": "tick", "age": 0.1})
    assert house.alive()
    house.hear({"type": "tick", "age": 60.0})
    assert not house.alive(), "the program lives, but its camera gives nothing"
    house.hear({"type": "tick", "age": 0.1})
    now = 60.0
    assert not house.alive()


def answering(house: RemoteHouse, out: io.BytesIO, answer: Json) -> None:
    """Plays the program: answers the first question."""
    while not out.getvalue():
        time.sleep(0.005)
    house.hear(answer | {"id": json.loads(out.getvalue())["id"]})


def test_wishes_are_answered_or_refused() -> None:
    for answer in ({"told": {"done": 1}, "refused": None}, {"told": {}, "refused": {"message": "no"}}):
        out = io.BytesIO()
        house = RemoteHouse(out, None)
        Thread(target=answering, args=(house, out, {"type": "answer"} | answer), daemon=True).start()
        if answer["refused"]:
            with pytest.raises(WishRefusedError, match="no"):
                house.wish("draw", {})
        else:
            assert house.wish("draw", {}) == {"done": 1}


def test_an_answer_to_the_page_before_is_none_to_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    before, out = io.BytesIO(), io.BytesIO()
    monkeypatch.setattr("firmware.page.house.PATIENCE", 0.01)
    with pytest.raises(HouseClosedError):
        RemoteHouse(before, None).wish("draw", {})
    monkeypatch.setattr("firmware.page.house.PATIENCE", 0.2)
    house = RemoteHouse(out, None)
    late = {"type": "answer", "id": json.loads(before.getvalue())["id"], "told": {}, "refused": None}
    Thread(target=lambda: (time.sleep(0.05), house.hear(late)), daemon=True).start()
    with pytest.raises(HouseClosedError):
        house.wish("take_back", {})


class Message(dict[str, object]):
    """One of which it can be told whether anybody still has it."""


def test_a_program_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.page.house.PATIENCE", 0.01)
    out = io.BytesIO()
    house = RemoteHouse(out, None)
    with pytest.raises(HouseClosedError):
        house.wish("draw", {})
    late = Message(type="answer", id=json.loads(out.getvalue())["id"], told={}, refused=None)
    house.hear(late)
    kept = weakref.ref(late)
    del late
    gc.collect()
    assert kept() is None, "an answer that comes too late is not kept for ever"


def test_who_comes_before_the_program_has_spoken_waits(monkeypatch: pytest.MonkeyPatch, house: RemoteHouse) -> None:
    assert house.wait(0, 0) is None
    Thread(target=lambda: (time.sleep(0.05), house.hear(update(1))), daemon=True).start()
    assert house.state().number == 1
    monkeypatch.setattr("firmware.page.house.PATIENCE", 0.01)
    with pytest.raises(HouseClosedError):
        RemoteHouse(io.BytesIO(), None).state()


def test_the_page_knows_its_house_before_a_frame_has_come(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        sitting = Sitting(Gear(NoLights(), Outbox(store), wall=wall_clock, cameras=lambda: ["usb:0"]), "usb:0")
        desk = Desk(Opening(port=0, pin="1", secret="00"), print)
        try:
            address = desk.open(state_of(sitting), trace_of(sitting))
            with urlopen(f"{address}new", timeout=PATIENCE) as answer:
                assert b"usb:0" in answer.read()
        finally:
            desk.close()
            sitting.close()


def test_whoever_is_told_that_it_is_done_finds_it_done() -> None:
    desk = Desk(Opening(port=0, pin="1", secret="00"), print)
    desk.publish({"phase": "playing"}, None, [])
    desk.answer(Wish(7, "draw", {}), {})
    desk.publish({"phase": "idle"}, None, [])
    assert [message["type"] for message in desk.next_messages()] == ["update", "answer", "tick"]


def test_a_port_that_is_taken_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        desk = Desk(Opening(port=port, pin="1", secret="00"), print)
        with pytest.raises(UsageError, match="--port"):
            desk.open({"phase": "idle"}, None)
        words = ["run", "--game", "rings", "--camera", "sim", "--lights", "none"]
        assert main([*words, "--log", str(tmp_path / "log.sqlite"), "--port", str(port)]) == 2
        assert "--port" in capsys.readouterr().err


def test_two_programs_that_start_at_once_do_not_share_a_port() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    opening: Json = {"host": "127.0.0.1", "port": port, "tries": 50}
    first, second = listen_at(opening), listen_at(opening)
    assert isinstance(first, socket.socket)
    assert isinstance(second, socket.socket)
    with first, second:
        assert first.getsockname() != second.getsockname()


def test_without_the_page_a_game_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--camera", "sim", "--no-page", "--log", str(tmp_path / "log.sqlite")]) == 2
    assert "--game" in capsys.readouterr().err


def test_the_page_starts_without_what_only_pictures_need() -> None:
    """Else it takes twice as long until there is one."""
    script = """if True:
        import sys
        import firmware.page.server
        print(*(name for name in ("numpy", "cv2", "PIL", "reportlab", "vision", "hardware") if name in sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "\n"


def test_the_page_ends_with_the_program() -> None:
    script = (
        "import os, sys\n"
        "from firmware.page.desk import Desk, Opening\n"
        "desk = Desk(Opening(port=0, pin='1', secret='00'), print)\n"
        "print(desk.open({'phase': 'idle'}, None), desk.process, flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as program:
        assert program.stdout is not None
        _, process = program.stdout.readline().split()
        program.kill()
        program.communicate()
    end = time.monotonic() + 10
    while Path(f"/proc/{process}").exists() and "State:\tZ" not in Path(f"/proc/{process}/status").read_text():
        assert time.monotonic() < end, "the page outlived its program"
        time.sleep(0.02)


def test_the_page_ends_with_a_program_that_was_cut_off_in_the_middle_of_a_word() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "firmware.page.server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as page:
        assert page.stdin is not None
        assert page.stdout is not None
        opening = {"type": "open", "host": "127.0.0.1", "port": 0, "tries": 1, "pin": "1", "secret": "00", "log": None}
        page.stdin.write(json.dumps(opening).encode() + b"\n" + json.dumps(update(1)).encode() + b"\n")
        page.stdin.flush()
        assert json.loads(page.stdout.readline())["type"] == "ready"
        page.stdin.write(b'{"type": "upd')
        page.stdin.close()
        try:
            assert page.wait(10) == 0
        finally:
            page.kill()


def test_a_wish_says_until_when_it_is_waited_for() -> None:
    out = io.BytesIO()
    house = RemoteHouse(out, None, clock=lambda: 100.0)
    Thread(target=answering, args=(house, out, {"type": "answer", "told": {}, "refused": None}), daemon=True).start()
    house.wish("draw", {})
    assert json.loads(out.getvalue())["until"] == 100.0 + PATIENCE_OF_PAGE


def test_what_nobody_waits_for_any_more_is_not_carried_out() -> None:
    desk = Desk(Opening(port=0, pin="1", secret="00"), print)
    now = time.monotonic()
    wishes = [Wish(1, "draw", {}, now - 1.0), Wish(2, "take_back", {}, now + 60.0), Wish(3, "none", {})]
    for wish in wishes:
        desk.take_in(wish)
    assert list(desk.wishes()) == wishes[1:]


def test_a_pin_file_that_is_none_gets_one_line(tmp_path: Path) -> None:
    (tmp_path / "page.json").mkdir()
    said: list[str] = []
    keys = Keys.kept(tmp_path / "page.json", said.append)
    assert len(keys.pin) == 6, "whoever plays tonight can use the page all the same"
    assert [line.endswith("; there will be another after the next start") for line in said] == [True]
    with pytest.raises(UsageError, match="it is not a file"):
        keys.change_pin(tmp_path / "page.json", "1234")


def test_a_disk_that_is_full_leaves_no_half_a_pin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("firmware.page.keys.json.dump", full)
    said: list[str] = []
    Keys.kept(tmp_path / "page.json", said.append)
    assert "cannot save the page's PIN" in said[0]
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_while_the_page_is_loaded_is_for_the_program(tmp_path: Path) -> None:
    interrupting = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nos._exit(0)\n"
    (tmp_path / "waitress.py").write_text(interrupting)
    path = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-m", "firmware.page.server"],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_picture_too_many_and_a_strange_address(tmp_path: Path) -> None:
    table = PageTable(tmp_path / "log.sqlite")
    try:
        with urlopen(f"{table.address}/api/v1/picture.jpg?overlay=1", timeout=PATIENCE) as answer:
            assert answer.headers["Content-Type"] == "image/jpeg"
            assert answer.read(2) == b"\xff\xd8"
        assert urlsplit(table.address).hostname == "127.0.0.1", "nobody else is let in unless told otherwise"
        with pytest.raises(HTTPError) as caught:
            urlopen(f"{table.address}/static/..%2f..%2fpyproject.toml", timeout=PATIENCE)
        caught.value.close()
        assert caught.value.code == 404
    finally:
        table.close()


def test_the_pin_is_kept_for_the_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "page.json"
    keys = Keys.kept(path, print)
    assert Keys.kept(path, print) == keys
    assert len(keys.pin) == 6
    assert keys.pin.isdecimal()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.write_text("{")
    assert Keys.kept(path, print) != keys, "what cannot be read is made anew"


def test_a_qr_code_only_where_a_phone_could_use_it() -> None:
    told = greeting("http://192.168.1.7:8000/", "123456", Terminal())
    assert "123456" in told
    assert told.count("\n") > 10
    assert greeting("http://192.168.1.7:8000/", "123456", io.StringIO()).count("\n") == 1
    assert greeting("http://127.0.0.1:8000/", "123456", Terminal()).count("\n") == 1


def test_a_browser_is_opened_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(sys, "platform", "linux")
    for screen in ("", ":0"):
        monkeypatch.setenv("DISPLAY", screen)
        monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
        show_in_browser(f"{here('http://0.0.0.0:8000/')}start")
    assert opened == ["http://localhost:8000/start"], "none in a terminal"


def test_what_is_printed_on_the_page_is_what_the_command_prints(tmp_path: Path) -> None:
    pdf = RemoteHouse(io.BytesIO(), None).board_to_print("rings", 2, "a3", "de", "http://magister.local:8000/")
    assert main(["print", "rings", "--out", str(tmp_path), "--paper", "a3", "--lang", "de"]) == 0
    assert len(PdfReader(io.BytesIO(pdf)).pages) == len(PdfReader(tmp_path / "rings-a3.pdf").pages)


def test_a_camera_that_cannot_be_had_leaves_the_one_there_is() -> None:
    sitting = Sitting(Gear(NoLights()), "sim")
    opened: list[str] = []

    def sim(_: Sitting) -> EmptyRoom:
        opened.append("sim")
        return EmptyRoom()

    cameras = Cameras(sitting, CameraSettings(), sim)
    sitting.camera, sitting.wants_camera = "frames:/nowhere", True
    cameras.change()
    assert opened == ["sim", "sim"]
    assert sitting.camera == "sim"
    assert "/nowhere" in state_of(sitting)["camera"]["problem"]
    assert not sitting.wants_camera


def test_where_no_camera_is_left_there_is_nothing_to_see(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.zeros((200, 300, 3), np.uint8))
    sitting = Sitting(Gear(NoLights()), f"frames:{tmp_path}")
    cameras = Cameras(sitting, CameraSettings(), lambda _: EmptyRoom())
    (tmp_path / "frame-000000.png").unlink()
    sitting.camera = "frames:/nowhere"
    cameras.change()
    assert next(iter(cameras.now.frames())) is None
    assert isinstance(cameras.now, Awaited), "until it is back"
    assert sitting.camera == f"frames:{tmp_path}"
    cameras.close()


def test_a_camera_that_was_never_there_is_awaited_and_may_be_tried_again_or_changed() -> None:
    sitting = Sitting(Gear(NoLights()), "url:http://127.0.0.1:9/video")
    cameras = Cameras(sitting, CameraSettings(), lambda _: EmptyRoom())
    cameras.tend()
    told = state_of(sitting)["camera"]
    assert told["problem"].startswith("No camera answers at http://127.0.0.1:9/video")
    assert told["refused"] == ""
    cameras.change()
    assert (isinstance(cameras.now, Awaited), sitting.camera) == (True, "url:http://127.0.0.1:9/video")
    assert state_of(sitting)["camera"] == told, "tried again"
    sitting.camera = "sim"
    cameras.change()
    assert isinstance(cameras.now, EmptyRoom)
    assert state_of(sitting)["camera"]["problem"] == ""


def test_the_camera_settles_anew_whenever_a_table_is_set_up() -> None:
    class Settling(EmptyRoom):
        adjusted = 0

        def adjust(self) -> None:
            self.adjusted += 1

    sitting, room = Sitting(Gear(NoLights()), "sim"), Settling()
    cameras = Cameras(sitting, CameraSettings(), lambda _: room)
    counts = []
    for phase in ("idle", "setup", "setup", "playing", "playing", "setup", "playing"):
        sitting.phase = phase
        cameras.tend()
        counts.append(room.adjusted)
    assert counts == [0, 1, 1, 1, 1, 2, 2]


def test_a_camera_that_is_found_too_late_is_let_go() -> None:
    closed, opening = Event(), Event()

    class Late(EmptyRoom):
        def close(self) -> None:
            closed.set()

    def open_it() -> Late:
        opening.wait(20)
        return Late()

    room = Awaited(open_it, SpokenError("It is not there."), lambda _: None)
    list(islice(room.frames(), 50))
    room.close()
    opening.set()
    assert closed.wait(20)


def test_a_camera_that_had_gone_is_seen_when_it_is_back(tmp_path: Path) -> None:
    tries: list[str] = []

    def open_it() -> FrameFolder:
        tries.append("try")
        return FrameFolder(tmp_path, 10.0)

    room = Awaited(open_it, SpokenError("It is not there."), lambda _: time.sleep(0.001))
    frames = room.frames()
    assert [next(frames) for _ in range(50)] == [None] * 50
    assert len(tries) == 2
    assert str(room.trouble) == "It is not there."
    cv2.imwrite(str(tmp_path / "frame-000000.png"), np.zeros((200, 300, 3), np.uint8))
    assert any(frame is not None for frame in islice(frames, 500))
    room.close()


def test_webcams_are_told_from_what_else_has_a_number(tmp_path: Path) -> None:
    for number, driver, index in ((0, "unicam", 0), (8, "uvcvideo", 0), (9, "uvcvideo", 1), (10, "uvcvideo", 0)):
        device = tmp_path / f"video{number}"
        (device / "device").mkdir(parents=True)
        (tmp_path / driver).mkdir(exist_ok=True)
        (device / "device" / "driver").symlink_to(tmp_path / driver)
        (device / "index").write_text(f"{index}\n")
    assert cameras_here("picamera2", tmp_path) == ["picamera2", "usb:8", "usb:10", "sim"]
    assert cameras_here("usb:8", tmp_path / "nowhere") == ["usb:8", "sim"]


def test_a_page_whose_port_was_taken_meanwhile_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.page.desk.PAUSE", 0.3)
    said: list[str] = []

    def say(text: str) -> None:
        said.append(text)
        raise OSError("the terminal is closed")

    desk = Desk(Opening(port=0, pin="1", secret="00"), say)
    try:
        address = urlsplit(desk.open({"phase": "idle"}, None))
        assert desk.process is not None
        os.kill(desk.process, signal.SIGKILL)
        with socket.socket() as other:
            other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            _until(lambda: _is_bound(other, address.port))
            first = desk.process
            _until(lambda: desk.process != first)
            second = desk.process
            _until(lambda: desk.process != second)
        _until(lambda: _answers(address.geturl()))
    finally:
        desk.close()
    assert len(said) == 1


def _is_bound(other: socket.socket, port: int | None) -> bool:
    try:
        other.bind(("127.0.0.1", port))
        other.listen()
    except OSError:
        return False
    return True


def _answers(address: str) -> bool:
    try:
        with urlopen(address, timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_the_page_is_where_the_settings_or_the_call_say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, Store(tmp_path / "log.sqlite") as store:
        port = taken.getsockname()[1]
        keys, sitting = Keys("1", "00"), Sitting(Gear(NoLights(), Outbox(store), wall=wall_clock), "sim")

        def open_at(settings: PageSettings, host: str | None = None, port: int | None = None) -> Desk:
            return open_page(sitting, Namespace(host=host, port=port), settings, keys, tmp_path / "log.sqlite")

        open_at(PageSettings(port=port)).close()
        address = urlsplit(capsys.readouterr().out.split()[2])
        assert address.hostname == "127.0.0.1"
        assert address.port is not None
        assert port < address.port <= port + 50, "a port of the settings that is taken gives way to the next"
        with pytest.raises(UsageError, match="--port"):
            open_at(PageSettings(host="192.0.2.1"), host="127.0.0.1", port=port)


def test_without_the_page_by_the_settings_a_game_must_be_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[page]\non = false\n")
    words = ["run", "--camera", "sim", "--log", str(tmp_path / "log.sqlite"), "--config", str(config)]
    assert main(words) == 2
    assert "--game" in capsys.readouterr().err
