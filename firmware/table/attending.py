"""Round the loop at a table: the camera before it; buttons, wishes and the page after every frame."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from engine.core import GameError, Json
from firmware.devices.panel import OFF
from firmware.hub.line import HubLine
from firmware.machine.errors import Say, UsageError
from firmware.machine.heartbeat import Heartbeat
from firmware.machine.poweroff import ask_for_poweroff
from firmware.page.desk import Desk, Wish
from firmware.page.glances import Glances
from firmware.page.photographer import Photographer
from firmware.table.cameras.chosen import Cameras
from firmware.table.events import Said
from firmware.table.loop import Sitting
from firmware.table.requests.deeds import press
from firmware.table.requests.wishes import grant, grant_arbiter, told_refusal
from firmware.table.state import shown_key, state_of, trace_of
from firmware.table.voice import TableVoice
from vision.frame import Frame, Image

Tell = Callable[[Said], None]


class Attendant:
    """Serves a sitting: gives it frames, presses and wishes, and tells what it says."""

    def __init__(
        self,
        sitting: Sitting,
        buttons: SimpleQueue[str],
        desk: Desk | None,
        tell: Tell,
        say: Say = lambda _: None,
        voice: TableVoice | None = None,
    ) -> None:
        """`tell` is given every event, `say` what else people at the machine should know."""
        self._sitting, self._buttons, self._desk, self._tell, self._say = sitting, buttons, desk, tell, say
        self._voice = voice
        self._photographer = Photographer(desk) if desk is not None else None
        self._glances = Glances(desk, self._glance) if desk is not None else None
        self._shown: object = None

    def follow(self, cameras: Cameras) -> None:
        """Frame after frame until the camera ends."""
        heart = Heartbeat.from_environment(os.environ, os.getpid())
        try:
            while True:
                for frame in cameras.now.frames():
                    heart.beat(time.monotonic())
                    cameras.tend()
                    self.serve(frame)
                    if self._sitting.wants_restart:
                        return
                    if self._sitting.wants_camera:
                        break
                if not self._sitting.wants_camera:
                    return
                cameras.change()
        finally:
            if not self._sitting.wants_restart:
                heart.stopping()
            self.close()

    def serve(self, frame: Frame | None) -> None:
        """One frame (None: it is missing), then buttons, wishes and the page."""
        sitting = self._sitting
        said = sitting.attend(frame)
        while (button := self._pressed()) is not None:
            if button == OFF:
                ask_for_poweroff(os.environ, self._say)
            else:
                said += press(sitting, button)
        for event in said:
            self._tell(event)
        if self._voice is not None:
            self._voice.follow(sitting)
        hub = sitting.gear.hub
        if hub is not None:
            self._heed(hub)
        if self._desk is None or self._photographer is None or self._glances is None:
            self._show()
            return
        if frame is not None or sitting.playing is None:
            self._desk.beat()
        self._carry_out(self._desk)
        board = sitting.playing.board if sitting.playing is not None else None
        self._photographer.serve(sitting.picture, board, sitting.look)
        self._glances.serve()

    def _glance(self, camera: str) -> Image | None:
        """Two programs, or two threads, cannot look through one webcam."""
        return None if camera == self._sitting.camera else self._sitting.gear.glance(camera)

    def _show(self) -> None:
        """Tell the page and the hub how things are, if that has changed."""
        sitting, hub = self._sitting, self._sitting.gear.hub
        if (self._desk is None and hub is None) or (now := shown_key(sitting)) == self._shown:
            return
        self._shown, state = now, state_of(sitting)
        if hub is not None:
            hub.show(state)
        if self._desk is not None:
            self._desk.publish(state, trace_of(sitting), sitting.events.fresh())

    def _heed(self, hub: HubLine) -> None:
        """Do what an arbiter has decided at the hub."""
        for wish in hub.wishes():
            try:
                told, said = grant_arbiter(self._sitting, hub, wish)
            except (GameError, UsageError) as error:
                hub.answer(wish, refused=told_refusal(error, wish.payload, self._sitting.playing))
                continue
            for event in said:
                self._tell(event)
            hub.answer(wish, told)

    def close(self) -> None:
        if self._photographer is not None:
            self._photographer.close()

    def _pressed(self) -> str | None:
        try:
            return self._buttons.get_nowait()
        except Empty:
            return None

    def _carry_out(self, desk: Desk) -> None:
        """Do what was wished, tell the page what is new, then answer: whoever asked sees it done."""
        sitting = self._sitting
        answers: list[tuple[Wish, Json | None, Json | None]] = []
        for wish in desk.wishes():
            try:
                done, said = grant(sitting, wish.kind, wish.payload)
            except (GameError, UsageError) as error:
                answers.append((wish, None, told_refusal(error, wish.payload, sitting.playing)))
                continue
            for event in said:
                self._tell(event)
            answers.append((wish, done, None))
        self._show()
        for wish, told, refused in answers:
            desk.answer(wish, told, refused)
