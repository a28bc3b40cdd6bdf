"""The camera in use: a real one, or a table that plays by itself. It may change between matches."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from math import inf
from pathlib import Path

from firmware.devices.live_camera import open_camera
from firmware.devices.recorded import FrameSource
from firmware.devices.simulated import EVENTFUL, Script, SimulatedCamera, at_random
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings
from firmware.table.loop import Sitting
from firmware.table.playing import Playing
from hardware.virtual.show import shown_deeds
from hardware.virtual.strewing import strewn
from vision.frame import Frame

SIMULATED_ACTIONS = 40
"""Where there is no page, and nobody can begin another match."""
ENDLESS = 1 << 30
GLIMPSE, EVERY = 0.1, 2.0
"""Seconds between two looks at nothing, and between two tries to find a camera."""
WEBCAMS = 4
"""How many of those that are plugged in may be chosen."""


class Cameras:
    """The camera that is chosen now; another one where another is wished for."""

    def __init__(self, sitting: Sitting, settings: CameraSettings, sim: Callable[[Sitting], FrameSource]) -> None:
        self._sitting, self._settings, self._sim = sitting, settings, sim
        self._source = sitting.camera
        self._camera = self._open()

    def _open(self) -> FrameSource:
        self._sitting.wants_camera = False
        return open_camera(self._sitting.camera, self._settings, sim=lambda: self._sim(self._sitting))

    @property
    def now(self) -> FrameSource:
        return self._camera

    def change(self) -> None:
        """Open the camera that the sitting wants; if it cannot be had, the one before stays, and that is told."""
        self._camera.close()
        self._sitting.has_another_camera()
        self._sitting.camera_problem, self._sitting.camera_refused = "", ""
        try:
            self._camera = self._open()
        except UsageError as error:
            self._sitting.camera_problem, self._sitting.camera_refused = str(error), self._sitting.camera
            self._sitting.camera = self._source
            self._camera = self._back()
        self._source = self._sitting.camera

    def _back(self) -> FrameSource:
        """The camera before; where that has gone too there is nothing to be seen until it is back."""
        try:
            return self._open()
        except UsageError:
            return Awaited(self._open)

    def close(self) -> None:
        self._camera.close()


class Awaited:
    """A camera that is not there: nothing, ten times a second, until it is."""

    def __init__(self, open_it: Callable[[], FrameSource], sleep: Callable[[float], object] = time.sleep) -> None:
        self._open, self._sleep = open_it, sleep
        self._camera: FrameSource | None = None

    def frames(self) -> Iterator[Frame | None]:
        while self._camera is None:
            for _ in range(round(EVERY / GLIMPSE)):
                self._sleep(GLIMPSE)
                yield None
            with suppress(UsageError):
                self._camera = self._open()
        yield from self._camera.frames()

    def close(self) -> None:
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


def cameras_here(chosen: str, known: Path = Path("/sys/class/video4linux")) -> list[str]:
    """What the page may choose from: what the call named, and what is plugged in."""
    return list(dict.fromkeys([chosen, *(f"usb:{number}" for number in _webcams(known)[:WEBCAMS]), "sim"]))


def _webcams(known: Path) -> list[int]:
    """The numbers of those that give pictures: the Pi's own camera, and what tells of a picture, have numbers too."""
    numbers = []
    for device in known.glob("video*"):
        number = device.name.removeprefix("video")
        driver, index = device / "device" / "driver", device / "index"
        with suppress(OSError):
            if number.isdecimal() and driver.resolve().name == "uvcvideo" and index.read_text().strip() == "0":
                numbers.append(int(number))
    return sorted(numbers)
