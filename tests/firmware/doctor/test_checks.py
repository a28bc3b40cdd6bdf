"""The doctor: each check on facts of its own, then whole visits on a healthy mock, a laptop and a broken machine."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from gpiozero import Device as GpioDevice
from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

from firmware.commands.cli import main
from firmware.doctor import checks, gather
from firmware.doctor.facts import (
    CameraFacts,
    ChainFacts,
    DeviceFile,
    Disk,
    Gpio,
    LensFile,
    Matches,
    Port,
    Rights,
    Service,
    System,
    SystemClock,
)
from firmware.doctor.findings import Finding, Verdict, bad, doubtful, good, is_well, summary, told
from firmware.settings.config import CameraSettings, LightSettings
from firmware.settings.pins import Pins
from vision.frame import Frame

PI = System(
    name="Debian GNU/Linux 12 (bookworm)",
    codename="bookworm",
    machine="aarch64",
    bits=64,
    python=(3, 11, 2),
    model="Raspberry Pi 5 Model B Rev 1.0",
    versions={"numpy": "1.24.2", "cv2": "4.11.0", "picamera2": "0.3.30", "lgpio": "0.2.2"},
    throttled=0,
)
LAPTOP = replace(
    PI, machine="x86_64", model=None, throttled=None, versions=PI.versions | {"picamera2": None, "lgpio": None}
)
CAMERA = DeviceFile(path="/dev/video0", group="video", usable=True)
PINS = DeviceFile(path="/dev/gpiochip0", group="gpio", usable=True)
USER = Rights(user="ada", groups=frozenset({"ada", "video", "gpio"}), devices=(CAMERA, PINS))
IDLE, RUNNING = Service(installed=True, state="inactive"), Service(installed=True, state="active")
SHOT = CameraFacts(source="picamera2", wanted=CameraSettings(), size=(1280, 720), rate=10.0)
NOW = datetime(2026, 11, 15, tzinfo=UTC)
CLOCK = SystemClock(now=NOW, built=NOW - timedelta(days=30), newest=NOW - timedelta(days=1), synchronised=True)
DISK = Disk(folder=Path("/var/lib/magister"), free=9_000_000_000, total=32_000_000_000, syncs=(0.01, 0.012, 0.02))
LOG = Matches(path=Path("/m.sqlite"), exists=True, number=3)
LENS = LensFile(path=Path("lens.json"), size=(1280, 720), hfov=66.0)
CHAIN = ChainFacts(settings=LightSettings(chain=True), device=True, lights=28)

HEALTHY = [
    checks.check_system(PI),
    checks.check_python(PI),
    checks.check_power(PI),
    checks.check_rights(USER),
    checks.check_service(IDLE),
    checks.check_service(RUNNING),
    checks.check_camera(SHOT, IDLE),
    checks.check_lens(LENS, (1280, 720)),
    checks.check_lens(LENS, (1920, 1080)),
    checks.check_pins(Gpio(usable=True), IDLE),
    checks.check_chain(CHAIN),
    checks.check_chain(replace(CHAIN, settings=LightSettings(), device=False)),
    checks.check_disk(DISK),
    checks.check_card(DISK),
    checks.check_clock(CLOCK),
    checks.check_clock(replace(CLOCK, newest=None, synchronised=None)),
    checks.check_matches(LOG),
    checks.check_matches(replace(LOG, exists=False)),
    checks.check_port(Port(number=8000, free=True), IDLE),
    checks.check_port(Port(number=8000, free=False), RUNNING),
    checks.check_power(LAPTOP),
    checks.check_python(LAPTOP),
    checks.check_rights(replace(USER, devices=())),
    checks.check_rights(replace(USER, devices=(CAMERA, replace(PINS, group="root", usable=False)))),
]


@pytest.mark.parametrize("finding", HEALTHY, ids=lambda each: each.check)
def test_what_is_well_passes_and_asks_for_nothing(finding: Finding) -> None:
    assert (finding.verdict, finding.todo) == (Verdict.PASS, ""), finding
    assert finding.why


WARN, FAIL = Verdict.WARN, Verdict.FAIL
CLOSED = replace(USER, devices=(CAMERA, replace(PINS, usable=False)))
BROKEN = [
    (checks.check_system(replace(PI, bits=32)), FAIL, "64-bit"),
    (checks.check_system(replace(PI, codename="bullseye")), WARN, "bookworm and trixie"),
    (checks.check_python(replace(PI, python=(3, 9, 2))), FAIL, "Bookworm"),
    (checks.check_python(replace(PI, versions={"numpy": "1", "cv2": None})), FAIL, "install.sh"),
    (checks.check_python(replace(PI, versions=LAPTOP.versions)), WARN, "python3-picamera2 python3-lgpio"),
    (checks.check_power(replace(PI, throttled=0x50005)), FAIL, "supply"),
    (checks.check_power(replace(PI, throttled=0x50000)), WARN, "supply"),
    (checks.check_power(replace(PI, throttled=0x4)), WARN, "heat sink"),
    (checks.check_rights(replace(CLOSED, groups=frozenset({"video"}))), FAIL, "usermod -aG gpio ada"),
    (checks.check_rights(CLOSED), FAIL, "log in again"),
    (checks.check_service(Service(installed=True, state="failed")), FAIL, "journalctl"),
    (checks.check_camera(replace(SHOT, size=None, error="no cameras"), IDLE), FAIL, "cable"),
    (checks.check_camera(replace(SHOT, size=None, error="picamera2 is not available"), IDLE), FAIL, "that advice"),
    (checks.check_camera(replace(SHOT, size=None, source="usb:0"), IDLE), FAIL, "/dev/video"),
    (checks.check_camera(replace(SHOT, size=None, source="none"), IDLE), FAIL, "magister demo"),
    (checks.check_camera(replace(SHOT, size=None, error="busy"), RUNNING), WARN, "systemctl stop"),
    (checks.check_camera(replace(SHOT, size=(640, 480)), IDLE), WARN, "[camera] width"),
    (checks.check_camera(replace(SHOT, rate=3.0), IDLE), WARN, "light"),
    (checks.check_lens(LensFile(path=None), None), WARN, "calibrate lens"),
    (checks.check_lens(replace(LENS, error="lens.json is not a lens"), None), FAIL, "calibrate lens"),
    (checks.check_lens(LENS, (640, 480)), FAIL, "640x480"),
    (checks.check_pins(Gpio(usable=False, why="no chip"), IDLE), WARN, "page"),
    (checks.check_pins(Gpio(usable=True, busy={"undo": "GPIO busy"}), IDLE), FAIL, "[pins]"),
    (checks.check_pins(Gpio(usable=True, busy={"undo": "GPIO busy"}), RUNNING), WARN, "systemctl stop"),
    (checks.check_pins(Gpio(usable=True, down=("undo",)), IDLE), FAIL, "--wiring"),
    (checks.check_chain(replace(CHAIN, device=False)), FAIL, "do_spi 0"),
    (checks.check_disk(replace(DISK, error="Read-only file system")), FAIL, "docs/install.md"),
    (checks.check_disk(replace(DISK, free=10_000_000)), FAIL, "space"),
    (checks.check_disk(replace(DISK, free=300_000_000)), WARN, "space"),
    (checks.check_card(replace(DISK, syncs=(2.5, 3.0, 2.2))), FAIL, "replace it"),
    (checks.check_card(replace(DISK, syncs=(0.5, 0.6, 0.01))), WARN, "A1"),
    (checks.check_card(replace(DISK, syncs=())), WARN, "disk"),
    (checks.check_clock(replace(CLOCK, now=datetime(1970, 1, 1, tzinfo=UTC))), FAIL, "date -s"),
    (checks.check_clock(replace(CLOCK, newest=NOW + timedelta(days=2))), FAIL, "date -s"),
    (checks.check_clock(replace(CLOCK, synchronised=False)), WARN, "network"),
    (checks.check_matches(replace(LOG, problems=("match 2: hash", "match 3: hash"))), FAIL, "log verify"),
    (checks.check_port(Port(number=8000, free=False), IDLE), WARN, "--port"),
]


@pytest.mark.parametrize(("finding", "verdict", "todo"), BROKEN, ids=lambda each: getattr(each, "check", None))
def test_each_broken_thing_is_found_and_says_what_to_do(finding: Finding, verdict: Verdict, todo: str) -> None:
    assert finding.verdict is verdict, finding
    assert todo in finding.todo
    assert finding.why
    assert finding.why != finding.todo


def test_the_many_devices_of_a_pi_are_not_all_listed() -> None:
    devices = tuple(replace(CAMERA, path=f"/dev/video{number}") for number in range(30))
    assert checks.check_rights(replace(USER, devices=devices)).why.endswith("/dev/video5 and 24 more")


def test_one_slow_write_among_quick_ones_is_no_worn_card() -> None:
    assert checks.check_card(replace(DISK, syncs=(0.01, 3.0, 0.01))).verdict is Verdict.PASS


def test_findings_are_told_in_lines_that_fit() -> None:
    lines = told(bad("camera", "there is none " * 12, "plug one in " * 12))
    assert lines[0].startswith("fail  camera         there is none")
    assert all(len(line) <= 116 for line in lines)
    assert sum("→" in line for line in lines) == 1


def test_the_summary_counts_what_is_wrong() -> None:
    fine, odd, broken = good("a", "b"), doubtful("a", "b", "c"), bad("a", "b", "c")
    assert summary([fine]) == "Everything is fine."
    assert summary([fine, odd, broken, broken]) == "Of 4 checks: 2 failures, 1 warning."
    assert summary([fine, odd]) == "Of 2 checks: 1 warning."
    assert is_well([fine, odd])
    assert not is_well([fine, broken])


# Gathering


@pytest.mark.parametrize("soc", ["soc/soc:firmware", "soc@107c000000/soc@107c000000:firmware"], ids=["Pi 4", "Pi 5"])
def test_a_pi_is_told_by_its_files(tmp_path: Path, soc: str) -> None:
    for path, text in {
        "etc/os-release": 'PRETTY_NAME="Raspberry Pi OS"\nVERSION_CODENAME=trixie\n',
        "proc/device-tree/model": "Raspberry Pi Zero 2 W Rev 1.0\0",
        f"sys/devices/platform/{soc}/get_throttled": "50005\n",
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    found = gather.system(tmp_path)
    assert (found.name, found.codename, found.model) == ("Raspberry Pi OS", "trixie", "Raspberry Pi Zero 2 W Rev 1.0")
    assert found.throttled == 0x50005
    nothing = gather.system(tmp_path / "elsewhere")
    assert (nothing.model, nothing.throttled) == (None, None)
    assert nothing.versions["numpy"] == np.__version__


def test_a_device_that_is_closed_to_us_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("video0", "gpiochip4"):
        (tmp_path / name).touch()
    monkeypatch.setattr(gather.os, "access", lambda path, mode: path.name == "video0")
    usable = {Path(device.path).name: device.usable for device in gather.rights(tmp_path).devices}
    assert usable == {"video0": True, "gpiochip4": False}


@pytest.mark.parametrize(
    ("system", "devices", "camera"),
    [(PI, (), "picamera2"), (LAPTOP, (PINS, replace(CAMERA, path="/dev/video2")), "usb:2"), (LAPTOP, (), "none")],
)
def test_the_likely_camera(system: System, devices: tuple[DeviceFile, ...], camera: str) -> None:
    assert gather.likely_camera(system, devices) == camera


class Staged:
    """A camera that plays what it is given."""

    def __init__(self, *frames: Frame | Exception | None) -> None:
        self.script, self.closed = frames, False

    def frames(self) -> Iterator[Frame | None]:
        for each in self.script:
            if isinstance(each, Exception):
                raise each
            yield each

    def close(self) -> None:
        self.closed = True


GREY = Frame(np.full((720, 1280, 3), 90, np.uint8))


@pytest.mark.parametrize(
    ("script", "size", "error"),
    [
        ([None, GREY, GREY], (1280, 720), ""),
        ([None, None], None, "it is there, but delivers no pictures"),
        ([GREY, RuntimeError("it came off")], None, "it came off"),
    ],
)
def test_a_test_picture(script: list[Frame | Exception | None], size: tuple[int, int] | None, error: str) -> None:
    camera, ticks = Staged(*script), iter(range(99))
    shot, frame = gather.shot("usb:0", CameraSettings(), lambda: camera, clock=lambda: float(next(ticks)))
    assert (shot.size, shot.error, frame is not None) == (size, error, size is not None)
    assert camera.closed


class Grounded(MockPin):
    """A mock pin springs back when its pull-up is switched on; a wire to ground does not."""

    state = property(lambda self: False, lambda self, value: None)


def test_pins_that_are_taken_or_pressed_are_found() -> None:
    factory = MockFactory()
    with_pins = Pins()
    taken = factory.pin(with_pins.hint)
    factory.reserve_pins(gather, taken.info.name)
    factory.pin(with_pins.undo, pin_class=Grounded)
    found = gather.gpio(with_pins, factory)
    assert list(found.busy) == [f"hint (GPIO {with_pins.hint})"]
    assert found.down == ("undo",)


def test_a_disk_is_measured_and_left_as_it_was(tmp_path: Path) -> None:
    found = gather.disk(tmp_path / "not" / "yet")
    assert len(found.syncs) == gather.SYNCS
    assert found.free > 0
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_cannot_be_written_to_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(gather.os, "fsync", refuse)
    assert gather.disk(tmp_path).error == "Read-only file system"
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_log_is_a_problem_not_a_crash(tmp_path: Path) -> None:
    path = tmp_path / "matches.sqlite"
    path.write_bytes(b"this is no database, whatever its name says" * 200)
    found, newest = gather.matches(path)
    assert found.problems
    assert newest is None


def test_a_port_in_use_is_seen() -> None:
    with socket.socket() as other:
        other.bind(("", 0))
        other.listen()
        assert not gather.port(other.getsockname()[1]).free
    assert gather.port(0).free


# Whole visits


@pytest.fixture
def mock_pins(monkeypatch: pytest.MonkeyPatch) -> MockFactory:
    factory = MockFactory(pin_class=MockPWMPin)
    monkeypatch.setattr(GpioDevice, "pin_factory", factory)
    return factory


def visit(tmp_path: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, dict[str, str]]]:
    code = main(["doctor", "--json", "--log", str(tmp_path / "matches.sqlite"), "--port", "0", *words])
    printed = capsys.readouterr()
    assert printed.err == ""
    report = json.loads(printed.out)
    assert report["ok"] is (code == 0)
    return code, {each["check"]: each for each in report["checks"]}


def test_the_healthy_mock(tmp_path: Path, capsys: pytest.CaptureFixture[str], mock_pins: MockFactory) -> None:
    lens = tmp_path / "lens.json"
    lens.write_text('{"size": [1280, 720], "fx": 985.5, "fy": 985.5, "cx": 639.5, "cy": 359.5}')
    code, found = visit(tmp_path, capsys, "--camera", "sim", "--lens", str(lens))
    assert code == 0
    of_the_table = ("camera", "board", "place", "sharpness", "light", "colours", "lens", "pins", "log", "disk")
    assert {name: found[name]["verdict"] for name in of_the_table} == dict.fromkeys(of_the_table, "pass")
    assert "13 of 13 black squares" in found["board"]["why"]
    assert "690 mm" in found["place"]["why"]


def test_a_laptop_without_pins_or_camera_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware.doctor.gather.system", lambda: LAPTOP)
    monkeypatch.setattr("firmware.doctor.gather.rights", lambda: replace(USER, devices=()))
    monkeypatch.setattr("firmware.doctor.gather.gpio", lambda _: Gpio(usable=False, why="no GPIO"))
    code, found = visit(tmp_path, capsys)
    assert code == 1
    assert [name for name, each in found.items() if each["verdict"] == "fail"] == ["camera"]
    assert "demo" in found["camera"]["do"]
    assert found["pins"]["verdict"] == "warn"


def test_a_wrong_settings_file_fails_and_the_visit_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mock_pins: MockFactory
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[lights]\nbrightnes = 1\n")
    code, found = visit(tmp_path, capsys, "--camera", "sim", "--config", str(config))
    assert code == 1
    assert "lights.brightnes" in found["settings"]["why"]
    assert found["port"]["verdict"] == "pass"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--camera-plan", "--wiring"], "not both"),
        (["--drawing", "x.svg"], "--drawing needs --camera-plan"),
        (["--try", "--json"], "--try asks questions"),
        (["--game", "chess"], "unknown game 'chess'"),
        (["--camera", "telescope"], "'telescope' is not a camera"),
    ],
)
def test_wrong_use_is_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", *words]) == 2
    out, err = capsys.readouterr()
    assert complaint in err
    assert (out, err.count("\n")) == ("", 1)
