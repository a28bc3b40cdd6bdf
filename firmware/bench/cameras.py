"""From the moment a picture is taken until the referee has judged it, over each kind of camera, beside `frames:`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from engine.registry import find_game
from firmware.bench import Row
from firmware.bench.rigs.shutter import Shutter, number_of
from firmware.bench.rigs.streams import Driver, mjpeg_server, phone, rtsp_server
from firmware.devices.lights import NoLights
from firmware.devices.phone.camera import PhoneCamera
from firmware.devices.phone.link import PhoneLink
from firmware.devices.phone.server import PhoneServer
from firmware.devices.recorded import FrameSource
from firmware.devices.sources import open_camera
from firmware.devices.webcam import UsbCamera
from firmware.log.match.seating import Seating
from firmware.machine.clock import wall_clock
from firmware.settings.arguments import USUAL_GAME
from firmware.settings.config import CameraSettings
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import simulated
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from vision.frame import Image

FRAMES, LEAD, FPS = 40, 15, 5.0
"""Pictures of the film; those of its first one before, while a stream begins to flow; and how many come a second: so
few that the referee has always finished with the one before."""
ROUNDS = 2
GOAL = 1.5
"""A camera may add half of what it takes to read and judge a picture."""


def measure() -> list[Row]:
    film = _filmed()
    spent: dict[str, list[float]] = {}
    with TemporaryDirectory(prefix="magister-") as name:
        folder = Path(name)
        kinds: dict[str, Callable[[Shutter], Lane]] = {
            "usb": _webcam,
            "url, MJPEG": partial(_url, serve=mjpeg_server),
            "url, RTSP": partial(_url, serve=rtsp_server),
            "phone": partial(_phone, place=folder / "phone.pem"),
        }
        for round_ in range(ROUNDS):
            recording = folder / str(round_)
            recording.mkdir()
            spent.setdefault("frames", []).extend(_from_disk(film, recording))
            for kind, lane in kinds.items():
                spent.setdefault(kind, []).extend(_live(Shutter(film, FPS, LEAD), lane))
    reference = 1000 * median(spent.pop("frames"))
    return [
        Row(
            what=f"from the picture to the verdict over {kind}, median",
            value=1000 * median(times),
            unit="ms",
            reference=reference,
            of="frames:DIR",
            goal=GOAL,
            at_most=True,
        )
        for kind, times in spent.items()
    ]


def _from_disk(film: Sequence[Image], folder: Path) -> list[float]:
    """Each picture is taken at the moment when it is asked for."""
    shutter = Shutter(film, 1e6, 0)
    for number in range(len(film)):
        (folder / f"frame-{number:06}.jpg").write_bytes(shutter.take() or b"")
    sitting = _table()
    spent: list[float] = []
    frames = open_camera(f"frames:{folder}", CameraSettings(), fps=FPS).frames()
    while True:
        before = time.monotonic()
        frame = next(frames, None)
        if frame is None:
            return spent
        sitting.attend(frame)
        spent.append(time.monotonic() - before)


Lane = Callable[[ExitStack], FrameSource]


def _live(shutter: Shutter, lane_of: Callable[[Shutter], Lane]) -> list[float]:
    """The time from the shutter to the verdict of each picture that was judged."""
    sitting = _table()
    spent: list[float] = []
    with ExitStack() as stack:
        camera = lane_of(shutter)(stack)
        stack.callback(camera.close)
        for frame in camera.frames():
            sitting.attend(frame)
            if frame is None:
                if shutter.is_over:
                    break
                continue
            number = number_of(frame.bgr)
            if shutter.counts(number):
                spent.append(time.monotonic() - shutter.taken[number])
            if number == max(shutter.taken) and shutter.is_over:
                break
    if len(spent) < FRAMES / 2:
        raise RuntimeError(f"of {FRAMES} pictures only {len(spent)} came")
    return spent


def _webcam(shutter: Shutter) -> Lane:
    return lambda _: UsbCamera(0, CameraSettings(), capture=lambda _: Driver(shutter))


def _url(shutter: Shutter, serve: Callable[[Shutter], AbstractContextManager[str]]) -> Lane:
    return lambda stack: open_camera(f"url:{stack.enter_context(serve(shutter))}", CameraSettings())


def _phone(shutter: Shutter, place: Path) -> Lane:
    def opened(stack: ExitStack) -> FrameSource:
        link = PhoneLink(b"bench" * 7)
        camera = PhoneCamera(
            CameraSettings(), link, partial(PhoneServer, link=link, place=place, host="127.0.0.1", port=0)
        )
        stack.enter_context(phone(shutter, link, place))
        return camera

    return opened


def _table() -> Sitting:
    sitting = Sitting(Gear(NoLights(), wall=wall_clock), "sim")
    sitting.play(MatchPlan(find_game(USUAL_GAME).configure(), Seating.parse("2")))
    return sitting


def _filmed() -> list[Image]:
    """A few seconds at the virtual table, rendered once."""
    film = []
    for frame in simulated(_table(), in_time=False, actions=3).frames():
        if frame is not None:
            film.append(frame.bgr)
        if len(film) == FRAMES:
            break
    return film
