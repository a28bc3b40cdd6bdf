"""Live cameras against fakes of the devices: picamera2's package and OpenCV's capture."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any, ClassVar
from zipfile import ZipFile

import cv2
import numpy as np
import pytest

from firmware.devices import pi_camera
from firmware.devices.live_camera import BLINK, TRIES
from firmware.devices.pi_camera import PiCamera, whole_view
from firmware.devices.recorded import FrameFolder
from firmware.devices.sources import open_camera
from firmware.devices.webcam import UsbCamera
from firmware.devices.webcam import Webcam as SteadyWebcam
from firmware.machine.clock import pauses
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from vision.frame import Frame, Image

SETTINGS = CameraSettings(width=320, height=240, settle=0.35, patience=0.01)
MODES = [
    {"size": (1536, 864), "bit_depth": 10, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "bit_depth": 10, "crop_limits": (0, 0, 4608, 2592)},
]
METADATA = {"ExposureTime": 9000, "AnalogueGain": 1.5, "ColourGains": (2.1, 1.7), "LensPosition": 1.6, "Lux": 300.0}


def image(level: int) -> Image:
    return np.full((240, 320, 3), level, dtype=np.uint8)


def brightness(frame: Frame | None) -> int | None:
    return None if frame is None else int(frame.bgr[0, 0, 0])


# picamera2


class Request:
    """A frame in the camera's own memory, which is used again as soon as it is released."""

    def __init__(self, memory: Image) -> None:
        self.memory = memory
        self.released = False

    def make_array(self, name: str) -> Image:
        assert not self.released
        assert name == "main"
        return np.copy(self.memory)

    def get_metadata(self) -> dict[str, Any]:
        assert not self.released
        return METADATA

    def release(self) -> None:
        self.memory[:] = 0
        self.released = True


class Picamera2:
    """Does what a test's script says: a number is a picture of that brightness, an error is raised."""

    now: ClassVar[float] = 0.0
    script: ClassVar[list[Any]] = []
    """What happens at each opening (None: all is well) and at each capture."""
    calls: ClassVar[list[Any]] = []
    connected: ClassVar[int] = 1

    @staticmethod
    def global_camera_info() -> list[Any]:
        return [{"Num": number} for number in range(Picamera2.connected)]

    def __init__(self, camera_num=0, verbose_console=None, tuning=None, allocator=None) -> None:  # noqa: ANN001
        self.camera_controls = {"AfMode": (0, 2, 0), "ExposureTime": (1, 10**6, 20000)}
        self.sensor_modes = MODES
        self._happen("open")

    def _happen(self, what: str) -> Any:  # noqa: ANN401
        self.calls.append(what)
        event = self.script.pop(0) if self.script else 99
        if isinstance(event, Exception):
            raise event
        return event

    def create_video_configuration(  # noqa: ANN201
        self, main={}, lores=None, raw={}, transform=None, colour_space=None, buffer_count=6, controls={},  # noqa: ANN001, B006
        display="main", encode="main", queue=True, sensor={},  # noqa: ANN001, B006
    ):  # fmt: skip
        return {"main": main, "controls": controls, "queue": queue, "sensor": sensor}

    def configure(self, camera_config=None) -> None:  # noqa: ANN001
        self.calls.append(camera_config)

    def start(self, config=None, show_preview=False) -> None:  # noqa: ANN001
        self.calls.append("start")

    def set_controls(self, controls) -> None:  # noqa: ANN001
        self.calls.append(controls)

    @contextmanager
    def captured_request(self, wait=None, flush=None) -> Iterator[Request]:  # noqa: ANN001
        assert wait == SETTINGS.patience, "an unplugged camera would be waited for without end"
        Picamera2.now += 0.1
        request = Request(image(self._happen("capture")))
        try:
            yield request
        finally:
            request.release()

    def close(self) -> None:
        self.calls.append("close")


@pytest.fixture
def pi(monkeypatch: pytest.MonkeyPatch) -> type[Picamera2]:
    package = ModuleType("picamera2")
    package.Picamera2 = Picamera2  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", package)
    Picamera2.now, Picamera2.script, Picamera2.calls, Picamera2.connected = 0.0, [], [], 1
    return Picamera2


def opened(pi: type[Picamera2], sleep: Callable[[float], object] | None = None) -> PiCamera:
    return PiCamera(SETTINGS, clock=lambda: pi.now, sleep=sleep)


CONFIGURED = [
    "open",
    {
        "main": {"size": (320, 240), "format": "RGB888"},
        "controls": {"FrameRate": 10.0, "AfMode": 2},
        "queue": False,
        "sensor": {"output_size": (2304, 1296), "bit_depth": 10},
    },
    "start",
]
LOCK = {
    "AeEnable": False,
    "AwbEnable": False,
    "ExposureTime": 9000,
    "AnalogueGain": 1.5,
    "ColourGains": (2.1, 1.7),
    "AfMode": 0,
    "LensPosition": 1.6,
}


def test_the_picture_settles_and_is_locked_once_with_one_capture_a_frame(pi: type[Picamera2]) -> None:
    pi.script = [None, 10, 20, 30, 40, 50, 60]
    camera = opened(pi)
    frames = list(islice(camera.frames(), 6))
    assert list(map(brightness, frames)) == [None, None, None, 40, 50, 60], "copied before the memory was used again"
    assert [round(frame.seconds, 3) for frame in frames if frame] == [0.4, 0.5, 0.6]
    camera.close()
    camera.close()
    assert pi.calls == [*CONFIGURED, *["capture"] * 4, LOCK, "capture", "capture", "close"]
    assert list(camera.frames()) == []


FREE = {"AeEnable": True, "AwbEnable": True, "AfMode": 2}


def test_the_picture_settles_anew_when_the_light_is_another_one(pi: type[Picamera2]) -> None:
    """A lamp that doubles the light; the shadow of a hand before it changed nothing."""
    day, shade, lamp = [100] * 45, [60] * 25, [140] * 60
    pi.script = [None, *day, *shade, *day, *lamp]
    frames = list(islice(opened(pi).frames(), 45 + 25 + 45 + 60))
    assert all(frames[3:]), "the match goes on meanwhile"
    changes = [number for number, call in enumerate(pi.calls) if call in (LOCK, FREE)]
    assert [pi.calls[number] for number in changes] == [LOCK, FREE, LOCK]
    captures = [pi.calls[: number + 1].count("capture") for number in changes]
    assert captures[0] == 4
    assert 115 < captures[1] <= 115 + 33, "the light must have been another one for a while"
    assert captures[2] == captures[1] + 4, "half the settings' settling time at ten pictures a second"


def test_between_matches_the_picture_settles_anew(pi: type[Picamera2]) -> None:
    camera = opened(pi)
    frames = camera.frames()
    assert list(map(brightness, islice(frames, 5)))[3:] == [99, 99]
    camera.adjust()
    assert all(islice(frames, 8))
    assert [call for call in pi.calls if call in (LOCK, FREE)] == [LOCK, FREE, LOCK]


def test_an_unplugged_camera_is_picked_up_again_and_settles_anew(pi: type[Picamera2]) -> None:
    gone = RuntimeError("No camera number 0 found")
    pi.script = [None, 1, 2, 3, 4, TimeoutError(), gone, gone, IndexError(), None, 5, 6, 7, 8, OSError(), None, 9]
    waits = list[float]()
    frames = opened(pi, waits.append).frames()
    assert [brightness(frame) for frame in islice(frames, 13)] == [*[None] * 3, 4, *[None] * 7, 8, None]
    assert waits == [0.5, 1.0, 2.0, 4.0, 0.5], "back-off grows while it is gone, and starts again after a picture"
    dead = ["capture", "close", "open", "open", "open"]
    assert pi.calls == [
        *CONFIGURED,
        *["capture"] * 4,
        LOCK,
        *dead,
        *CONFIGURED,
        *["capture"] * 4,
        LOCK,
        "capture",
        "close",
    ]


def test_a_camera_that_hangs_when_closed_is_no_endless_wait(
    pi: type[Picamera2], monkeypatch: pytest.MonkeyPatch
) -> None:
    release = Event()
    monkeypatch.setattr(pi, "close", lambda _: release.wait(10))
    monkeypatch.setattr(pi_camera, "STOP_SECONDS", 0.005)
    pi.script = [None, TimeoutError()]
    camera = opened(pi)
    with pytest.raises(UsageError, match="not responding: check its cable"):
        next(camera.frames())
    release.set()


def test_a_camera_that_is_not_connected_is_not_made(pi: type[Picamera2]) -> None:
    pi.script = [None, TimeoutError()]
    frames = opened(pi, lambda _: None).frames()
    pi.connected = 0
    assert list(islice(frames, 5)) == [None] * 5
    assert pi.calls.count("open") == 1, "every one that is made leaves a pipe open"
    pi.connected = 1
    assert next(frames) is None
    assert pi.calls.count("open") == 2


def test_no_camera_at_the_start_is_one_clear_line(pi: type[Picamera2]) -> None:
    pi.script = [RuntimeError("No camera number 0 found")]
    with pytest.raises(UsageError, match=r"no Raspberry Pi camera \(No camera number 0 found\): check the cable"):
        open_camera("picamera2", SETTINGS)


def test_without_picamera2_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(UsageError, match="apt install python3-picamera2"):
        open_camera("picamera2", SETTINGS)


def test_the_sensor_is_read_whole_though_smaller_modes_crop() -> None:
    assert whole_view(MODES, (1280, 720)) == MODES[1]
    assert whole_view(MODES, (3000, 2000)) == MODES[2]
    assert whole_view([{"format": "YUYV"}], (1280, 720)) is None, "a USB camera under libcamera"
    coarse = {**MODES[1], "bit_depth": 8}
    assert whole_view([coarse, *MODES], (1280, 720)) == MODES[1], "more bits show more in the shade"


def source(name: str) -> str:
    """A file of the real picamera2: installed (never imported: that needs libcamera), or the wheel that is named."""
    if wheel := os.environ.get("PICAMERA2_WHEEL"):
        with ZipFile(wheel) as package:
            return package.read(f"picamera2/{name}").decode()
    spec = importlib.util.find_spec("picamera2")
    if spec is None or spec.origin is None:
        pytest.fail("picamera2's source is not here: pip install --no-deps picamera2, or name PICAMERA2_WHEEL")
    return (Path(spec.origin).parent / name).read_text()


@pytest.mark.parametrize(
    ("file", "real_name", "fake"),
    [("picamera2.py", "Picamera2", Picamera2), ("request.py", "CompletedRequest", Request)],
)
def test_the_fake_takes_what_the_real_package_takes(file: str, real_name: str, fake: type) -> None:
    real = next(
        each for each in ast.parse(source(file)).body if isinstance(each, ast.ClassDef) and each.name == real_name
    )
    # The last definition of a name counts; those before are overloads.
    methods = {each.name: each.args for each in real.body if isinstance(each, ast.FunctionDef)}
    for name, method in inspect.getmembers(fake, inspect.isfunction):
        if name.startswith("_") and not (fake is Picamera2 and name == "__init__"):
            continue
        ours = list(inspect.signature(method).parameters)
        theirs = [each.arg for each in methods[name].args]
        assert ours == theirs[: len(ours)], name
        assert len(theirs) - len(ours) <= len(methods[name].defaults), f"{name} needs more than the fake asks for"
    if fake is Picamera2:
        assert {"camera_controls", "sensor_modes"} <= methods.keys()


if importlib.util.find_spec("libcamera") is not None:  # on a Raspberry Pi only

    def test_the_real_camera_gives_a_picture() -> None:
        camera = PiCamera(CameraSettings(settle=0.5))
        try:
            assert any(frame is not None and frame.size == (1280, 720) for frame in islice(camera.frames(), 100))
        finally:
            camera.close()


# A webcam


EMPTY = -1
"""A buffer without anything in it: OpenCV raises."""


class Device:
    """What one opening of a webcam gives: pictures; None, an error; then it stalls until let go."""

    def __init__(self, script: list[int | None] | None) -> None:
        self.opens, self.script = script is not None, script or []
        self.held = False
        self.tick: Callable[[], None] = lambda: None
        self.stalled, self.let_go = Event(), Event()
        self.properties: dict[int, float] = {}
        self.released = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return self.opens

    def set(self, name: int, value: float) -> bool:
        self.properties[name] = value
        return True

    def get(self, name: int) -> float:
        return self.properties.get(name, -1.0)

    def grab(self) -> bool:
        if self.held:
            # It was not wanted.
            self.script.pop(0)
        if not self.script:
            self.stalled.set()
            self.let_go.wait(10)
            return False
        self.held = self.script[0] is not None
        if not self.held:
            self.script.pop(0)
        elif self.script[0] != EMPTY:
            self.tick()
        return self.held

    def retrieve(self) -> tuple[bool, Image | None]:
        self.held = False
        level = self.script.pop(0)
        if level == EMPTY:
            cv2.imdecode(np.empty(0, np.uint8), cv2.IMREAD_COLOR)
        return True, image(level)

    def release(self) -> None:
        self.released += 1


class Webcam:
    """A webcam that is opened again and again, on a clock that never waits."""

    def __init__(self, *scripts: list[int | None] | None) -> None:
        self.devices = [Device(script) for script in scripts]
        self.waits = list[float]()
        openings = iter(self.devices)
        self.now = 7.0
        for device in self.devices:
            device.tick = self._tick
        self.camera = UsbCamera(
            3, SETTINGS, clock=lambda: self.now, sleep=self.waits.append, capture=lambda number: next(openings)
        )
        self.frames = self.camera.frames()

    def _tick(self) -> None:
        """Pictures come a little slower than they are wanted."""
        self.now += 0.11

    def __enter__(self) -> Webcam:
        return self

    def __exit__(self, *_: object) -> None:
        for device in self.devices:
            device.let_go.set()
        self.camera.close()


class Auto:
    """A webcam that exposes by itself until it is told: its pictures are as bright as light and exposure make them. One
    that `fibs` tells another exposure than the one in use."""

    def __init__(self, backend: int = cv2.CAP_V4L2, fibs: float = 1.0) -> None:
        self.light, self.now, self.grabbed, self.retrieved = 1.0, 0.0, 0, 0
        self.backend, self.fibs = backend, fibs
        self.exposure = 100.0
        self.switches = dict[int, float]()

    @property
    def by_itself(self) -> bool:
        return self.switches[cv2.CAP_PROP_AUTO_EXPOSURE] == (3 if self.backend == cv2.CAP_V4L2 else 1)

    def get(self, name: int) -> float:
        if name == cv2.CAP_PROP_EXPOSURE:
            return (100 / self.light if self.by_itself else self.exposure) * self.fibs
        return float(self.backend) if name == cv2.CAP_PROP_BACKEND else -1.0

    def set(self, name: int, value: float) -> bool:
        if name == cv2.CAP_PROP_EXPOSURE:
            self.exposure = value
        else:
            self.switches[name] = value
        return True

    def grab(self) -> bool:
        self.now += 1 / 30
        self.grabbed += 1
        return True

    def retrieve(self) -> tuple[bool, Image]:
        self.retrieved += 1
        shown = 1.0 if self.by_itself else self.light * self.exposure / 100
        return True, image(round(255 * min(1.0, 0.2 * shown) ** (1 / 2.2)))

    def release(self) -> None:
        """Nothing to release."""


def watched(device: Auto, webcam: SteadyWebcam, seconds: float) -> list[int]:
    """How bright the pictures are for so long."""
    end, levels = device.now + seconds, list[int]()
    while device.now < end:
        _, bgr = webcam.read()
        assert bgr is not None
        levels.append(int(bgr[0, 0, 0]))
    return levels


def steady(device: Auto, asked: Event | None = None) -> SteadyWebcam:
    return SteadyWebcam(device, CameraSettings(), lambda: device.now, asked or Event())


def test_no_more_pictures_are_unpacked_than_are_wanted() -> None:
    device = Auto()
    watched(device, steady(device), 10.0)
    assert 298 <= device.grabbed <= 303, "none is left to grow old in the driver"
    assert 100 <= device.retrieved <= 102


@pytest.mark.parametrize("backend", [cv2.CAP_V4L2, cv2.CAP_MSMF])
def test_a_webcam_is_locked_once_it_has_settled_and_a_hand_changes_nothing(backend: int) -> None:
    device = Auto(backend)
    webcam = steady(device)
    watched(device, webcam, 1.8)
    assert device.by_itself
    watched(device, webcam, 5.0)
    assert not device.by_itself
    assert (device.switches[cv2.CAP_PROP_AUTO_WB], device.switches[cv2.CAP_PROP_AUTOFOCUS]) == (0, 0)
    device.light = 0.5
    watched(device, webcam, 2.5)
    device.light = 1.0
    watched(device, webcam, 5.0)
    assert not device.by_itself
    webcam.release()
    assert device.by_itself
    assert device.switches[cv2.CAP_PROP_AUTOFOCUS] == 1


@pytest.mark.parametrize("factor", [1 / 4, 1 / 1.6, 1.6, 4])
def test_a_webcam_is_locked_anew_when_the_light_is_another_one(factor: float) -> None:
    device = Auto()
    webcam = steady(device)
    usual = watched(device, webcam, 8.0)[-1]
    device.light = factor
    levels = watched(device, webcam, 12.0)
    assert abs(levels[5] - usual) > 20
    assert levels[-1] == usual
    assert not device.by_itself


def test_a_driver_that_tells_another_exposure_than_it_uses_keeps_its_own() -> None:
    device = Auto(fibs=4.0)
    webcam = steady(device)
    usual = watched(device, webcam, 1.5)[-1]
    assert watched(device, webcam, 10.0)[-1] == usual
    assert device.by_itself


def test_between_matches_a_webcam_settles_anew() -> None:
    device, asked = Auto(), Event()
    webcam = steady(device, asked)
    watched(device, webcam, 4.0)
    device.light = 1.2
    asked.set()
    watched(device, webcam, 1.0)
    assert device.by_itself
    watched(device, webcam, 4.0)
    assert not device.by_itself
    assert device.exposure == pytest.approx(100 / 1.2)


def test_only_the_newest_frame_is_kept_and_given_once() -> None:
    with Webcam([1, 2, 3, 4, 5]) as webcam:
        assert webcam.devices[0].stalled.wait(5)
        newest = next(webcam.frames)
        assert newest is not None
        assert brightness(newest) == 5
        assert newest.seconds == pytest.approx(0.55), "seconds from when it was opened"
        assert next(webcam.frames) is None, "a stalled camera is told, not waited for"
        assert webcam.devices[0].properties[cv2.CAP_PROP_FRAME_WIDTH] == 320
    assert webcam.devices[0].released == 1
    webcam.camera.close()
    assert list(webcam.frames) == []


@pytest.mark.parametrize("spoilt", [None, EMPTY])
def test_a_picture_or_two_that_are_spoilt_are_no_unplugged_webcam(spoilt: int | None) -> None:
    with Webcam([1, spoilt, 2, *[spoilt] * (TRIES - 1), 3]) as webcam:
        assert webcam.devices[0].stalled.wait(5)
        assert brightness(next(webcam.frames)) == 3
        assert webcam.devices[0].released == 0
        assert set(webcam.waits) == {BLINK}


def test_an_unplugged_webcam_is_opened_again_with_back_off() -> None:
    gone = [None] * TRIES
    with Webcam([1, *gone], None, None, gone, None, [2, *gone], [3]) as webcam:
        assert webcam.devices[-1].stalled.wait(5)
        assert brightness(next(webcam.frames)) == 3
        assert [wait for wait in webcam.waits if wait != BLINK] == [0.5, 1.0, 2.0, 4.0, 8.0, 0.5]
        assert [device.released for device in webcam.devices] == [1, 1, 1, 1, 1, 1, 0]


def test_a_webcam_says_why_it_gives_nothing() -> None:
    with Webcam([1, *[None] * TRIES], []) as webcam:
        assert webcam.devices[1].stalled.wait(5)
        assert str(webcam.camera.trouble) == "Camera usb:3 sends no pictures: check its cable."
    with Webcam([1, *[None] * TRIES], None, [2]) as webcam:
        assert webcam.devices[2].stalled.wait(5)
        assert webcam.camera.trouble is None, "it is back"


def test_a_frame_from_before_the_cable_came_off_is_not_given_later() -> None:
    with Webcam([1, *[None] * TRIES], []) as webcam:
        assert webcam.devices[1].stalled.wait(5)
        assert next(webcam.frames) is None


def test_a_webcam_that_hangs_keeps_nobody_from_leaving() -> None:
    with Webcam([]) as webcam:
        assert webcam.devices[0].stalled.wait(5)
        webcam.camera.close(timeout=0.005)
        assert list(webcam.frames) == []


def test_no_webcam_at_the_start_is_one_clear_line() -> None:
    with pytest.raises(UsageError, match="Camera usb:3 cannot be opened"):
        Webcam(None)


def test_back_off_doubles_up_to_a_limit() -> None:
    assert list(islice(pauses(), 7)) == [0.5, 1, 2, 4, 8, 8, 8]


# By name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "usb",
        "usb:",
        "usb:x",
        "usb:-1",
        "usb:100",
        "usb:99999999999",
        "video:",
        "picamera",
        "sim",
        "webcam:0",
        "url:",
    ],
)
def test_what_is_no_camera_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(UsageError, match="is not a camera; use picamera2, usb:0"):
        open_camera(name, SETTINGS)


def test_recordings_and_the_simulator_are_cameras_too(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "frame-000000.png"), image(8))
    folder = open_camera(f"frames:{tmp_path}", SETTINGS, fps=5.0)
    assert isinstance(folder, FrameFolder)
    assert open_camera("sim", SETTINGS, sim=lambda: folder) is folder
