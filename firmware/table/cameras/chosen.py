"""The camera in use: a real one, or a table that plays by itself. It may change between matches."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from threading import Lock, Thread

from engine.spoken import SpokenError
from firmware.devices.no_camera import NoCameraError
from firmware.devices.phone.camera import PhoneCamera
from firmware.devices.pi_camera import pi_cameras
from firmware.devices.plugged_in import look_through
from firmware.devices.recorded import FrameSource
from firmware.devices.simulated import EVENTFUL, Script, SimulatedCamera, at_random
from firmware.devices.sources import open_camera, shown_source
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from firmware.table.cameras.phone_view import phone_view
from firmware.table.loop import RefusedCamera, Sitting
from firmware.table.playing import Playing
from hardware.virtual.acting.show import shown_deeds
from hardware.virtual.acting.strewing import strewn
from vision.frame import Frame, Image

SIMULATED_ACTIONS = 40
"""Where there is no page, and nobody can begin another match."""
ENDLESS = 1 << 30
GLIMPSE, EVERY = 0.1, 2.0
"""Seconds between two looks at nothing, and between two tries to find a camera."""
PLUGGED_IN = Path("/sys/class/video4linux")
WEBCAMS = 4
"""How many of those that are plugged in may be chosen."""


class KnownCameras:
    """What the page may choose from. It knows each by a name without a password; here lies what belongs to the name."""

    def __init__(self, chosen: str, plugged_in: Path = PLUGGED_IN) -> None:
        self._sources: dict[str, str] = {}
        self._plugged_in = plugged_in
        self.chosen = self.name(chosen)

    def name(self, source: str) -> str:
        """Make a camera known; its name."""
        shown = shown_source(source)
        self._sources[shown] = source
        return shown

    def source(self, name: str) -> str:
        return self._sources.get(name, name)

    def __call__(self) -> list[str]:
        return list(dict.fromkeys([*self._sources, *cameras_here(self.chosen, self._plugged_in), "phone"]))


class Cameras:
    """The camera that is chosen now; another one where another is wished for."""

    def __init__(
        self,
        sitting: Sitting,
        settings: CameraSettings,
        sim: Callable[[Sitting], FrameSource],
        source_of: Callable[[str], str] = str,
        phone: Callable[[], FrameSource] | None = None,
    ) -> None:
        """`source_of` tells what a camera's name stands for; `phone` waits for a phone."""
        self._sitting, self._settings, self._sim, self._source_of = sitting, settings, sim, source_of
        self._phone = phone
        self._name = sitting.camera
        self._phase = sitting.phase
        self._camera = self._open_or_await()
        self.tend()

    def _open(self) -> FrameSource:
        name = self._sitting.camera
        return open_camera(
            self._source_of(name), self._settings, sim=lambda: self._sim(self._sitting), phone=self._phone
        )

    def _open_or_await(self) -> FrameSource:
        self._sitting.wants_camera = False
        try:
            return self._open()
        except NoCameraError as error:
            return Awaited(self._open, error.why)

    @property
    def now(self) -> FrameSource:
        return self._camera

    def tend(self) -> None:
        """After every frame: what the camera has to say for itself is known at the table."""
        self._sitting.camera_trouble = getattr(self._camera, "trouble", None)
        before, self._phase = self._phase, self._sitting.phase
        if self._phase == "setup" and before != "setup" and (adjust := getattr(self._camera, "adjust", None)):
            # The best time for it: nobody plays.
            adjust()
        if isinstance(self._camera, PhoneCamera):
            self._camera.show(partial(phone_view, self._sitting))

    def change(self) -> None:
        """Open the camera that the sitting wants; if it cannot be had, the one before stays, and that is told. If that
        has gone too there is nothing to be seen until it is back."""
        self._camera.close()
        sitting, wished = self._sitting, self._sitting.camera
        sitting.has_another_camera()
        sitting.camera_refused, sitting.wants_camera = None, False
        try:
            self._camera = self._open()
        except UsageError as error:
            if wished == self._name and isinstance(error, NoCameraError):
                self._camera = Awaited(self._open, error.why)
            else:
                sitting.camera, sitting.camera_refused = self._name, RefusedCamera(wished, error)
                self._camera = self._back()
        self._name = self._sitting.camera
        self.tend()

    def _back(self) -> FrameSource:
        """The camera before."""
        try:
            return self._open_or_await()
        except UsageError as error:
            # A recording that is not there any more.
            return Awaited(self._open, SpokenError("There is nothing to see: {why}", why=str(error)))

    def close(self) -> None:
        self._camera.close()


class Awaited:
    """A camera that is not there: nothing, ten times a second, until it is. Another thread looks for it, because that
    may take a while."""

    def __init__(
        self,
        open_it: Callable[[], FrameSource],
        trouble: SpokenError,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._open, self._sleep = open_it, sleep
        self._trouble: SpokenError | None = trouble
        self._camera: FrameSource | None = None
        self._closing, self._closed = Lock(), False

    @property
    def trouble(self) -> SpokenError | None:
        return self._trouble if self._camera is None else getattr(self._camera, "trouble", None)

    def adjust(self) -> None:
        """The camera that has come may settle anew."""
        if adjust := getattr(self._camera, "adjust", None):
            adjust()

    def frames(self) -> Iterator[Frame | None]:
        seeker: Thread | None = None
        while self._camera is None:
            for _ in range(round(EVERY / GLIMPSE)):
                self._sleep(GLIMPSE)
                yield None
            if seeker is None or not seeker.is_alive():
                seeker = Thread(target=self._seek, daemon=True, name="looking for a camera")
                seeker.start()
        yield from self._camera.frames()

    def _seek(self) -> None:
        try:
            camera = self._open()
        except NoCameraError as error:
            self._trouble = error.why
            return
        except UsageError:
            return
        with self._closing:
            if not self._closed:
                self._camera = camera
                return
        camera.close()

    def close(self) -> None:
        with self._closing:
            self._closed = True
        if self._camera is not None:
            self._camera.close()


class EmptyRoom:
    """What is seen while no game is chosen for the simulated table: nothing, ten times a second."""

    def frames(self) -> Iterator[Frame | None]:
        while True:
            time.sleep(GLIMPSE)
            yield None

    def close(self) -> None:
        """Nothing to release."""


def simulated(
    sitting: Sitting,
    in_time: bool,
    seed: int = 1,
    actions: int | None = None,
    stays: Callable[[float], bool] = lambda _: True,
    longest: int = ENDLESS,
    patience: float = inf,
) -> FrameSource:
    """A table that plays by itself once the match has begun: so many actions and no more, or before visitors, who ask
    for tricks; then it stays as it is, as long as it `stays`. `in_time`, at the pace of people.
    A match that is set up and that nobody begins for so long a `patience` begins by itself."""
    playing = sitting.playing
    if playing is None:
        return EmptyRoom()
    sitting.stage.clear()
    script = at_random(seed, actions) if actions is not None else _before_visitors(sitting, playing, seed, longest)
    pace = paced(time.monotonic()) if in_time else (lambda _: None)
    held = SettingUp(sitting, patience)
    # What nobody has dealt lies on the simulated table as the match was begun with it: the eye is to find it out.
    game, start = playing.start.rules.game, playing.match.positions[0]
    dressed = game.board(start.players, start.setup()) if game.surveyed else playing.board
    board, colours = strewn(dressed, seed), playing.seating.to_table_colours
    # The simulated hand plays by the seats' colours; on the table lie those that are played with.
    played = {
        mine: board.pieces[theirs]
        for face in board.faces.lawful
        for mine, theirs in zip(face.pieces, board.faces.recoloured(face, colours).pieces, strict=True)
    }
    # A match that goes on finds its pieces where they were left.
    turns = {} if playing.table is None else playing.table.stand.turns
    board = replace(board, pieces={**board.pieces, **played})
    ends = (lambda _: False) if actions is not None else stays
    return SimulatedCamera(playing.match, board, seed, script, pace, held, turns, ends)


def _before_visitors(sitting: Sitting, playing: Playing, seed: int, longest: int) -> Script:
    """What a hand does where somebody may be watching."""

    def put_back() -> int | None:
        return playing.match.ply if playing.is_to_be_put_back else None

    return lambda match, scene: shown_deeds(match, scene, seed, sitting.stage.next, put_back, EVENTFUL, longest)


class SettingUp:
    """Whether a table is still being set up; asked once a frame."""

    def __init__(self, sitting: Sitting, patience: float) -> None:
        self._sitting, self._patience, self._waited = sitting, patience, 0.0

    def __call__(self) -> bool:
        if self._sitting.phase != "setup":
            return False
        self._waited += GLIMPSE
        if self._waited >= self._patience:
            self._sitting.begin()
        return self._sitting.phase == "setup"


def paced(start: float) -> Callable[[float], None]:
    """Waits until it is as late here as at the table."""

    def wait(seconds: float) -> None:
        time.sleep(max(0.0, start + seconds - time.monotonic()))

    return wait


def cameras_here(chosen: str, known: Path = PLUGGED_IN) -> list[str]:
    """What the page may choose from: what the call named, and what is plugged in."""
    return list(dict.fromkeys([chosen, *(f"usb:{number}" for number, _ in webcams(known)[:WEBCAMS]), "sim"]))


def camera_at_hand(known: Path = PLUGGED_IN) -> str:
    """What people mean who name none: the Pi's own, a webcam, or else their phone."""
    if pi_cameras():
        return "picamera2"
    return next((f"usb:{number}" for number, _ in webcams(known)), "phone")


def webcams(known: Path = PLUGGED_IN) -> list[tuple[int, str]]:
    """Numbers and names of those that give pictures: the Pi's own camera, and what tells of a picture, have numbers
    too. Where the system keeps no such list (macOS, Windows), the first few numbers are as good as any."""
    if not known.is_dir() and sys.platform != "linux":
        return [(number, "") for number in range(WEBCAMS)]
    found = []
    for device in known.glob("video*"):
        number = device.name.removeprefix("video")
        driver, index = device / "device" / "driver", device / "index"
        with suppress(OSError):
            if number.isdecimal() and driver.resolve().name == "uvcvideo" and index.read_text().strip() == "0":
                found.append((int(number), _name(device)))
    return sorted(found)


def glance(camera: str, settings: CameraSettings, known: Path = PLUGGED_IN) -> Image | None:
    """What a webcam sees that is plugged in; None if it gives nothing, or another program has it."""
    for number, name in webcams(known)[:WEBCAMS]:
        if camera == f"usb:{number}":
            return look_through(number, name, settings).picture
    return None


def _name(device: Path) -> str:
    try:
        return (device / "name").read_text().strip()
    except OSError:
        return ""
