"""What a table is equipped with: lights, log, lens, cameras, random numbers, and who thinks for the coach."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from engine.board import Board
from engine.clock import TimeControl
from firmware.coaching.thinker import Thinker
from firmware.devices.chain import Chain
from firmware.devices.lights import Lights, NoLights
from firmware.devices.phone.link import PhoneLink
from firmware.hub.line import HubLine
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.settings.config import HouseRules
from firmware.settings.eyes import make_eye
from firmware.settings.own import OwnSettings
from vision.find.lens import Lens
from vision.frame import Image
from vision.look import Eye


@dataclass
class Gear:
    """What a sitting works with."""

    lights: Lights | NoLights
    outbox: Outbox = field(default_factory=Outbox)
    """The way to the log; by itself, no log is kept."""
    lens: Lens | None = None
    open_chain: Callable[[Board], Chain | None] = lambda board: None
    wall: Callable[[], str] = lambda: ""
    random: Random = field(default_factory=Random)
    cameras: Callable[[], list[str]] = list
    """What the page may choose from."""
    know_camera: Callable[[str], str] = str
    """Makes a camera known that is written as for `--camera`; the name by which the page may choose it."""
    glance: Callable[[str], Image | None] = lambda camera: None
    """What a camera sees that is not in use; None if it gives nothing."""
    phone: PhoneLink | None = None
    """The way in for a phone that is to be the camera."""
    make_eye: Callable[[Board, Lens | None], Eye] = make_eye
    control: TimeControl | None = None
    """The clock that is usual at this table."""
    language: str = ""
    """The table's own, if it has one."""
    rules: Mapping[str, HouseRules] = field(default_factory=dict)
    """How each game is usually played here."""
    own: OwnSettings | None = None
    """What people choose on the page, where that is kept …"""
    change_pin: Callable[[str], None] | None = None
    """… and how the page gets another PIN."""
    thinker: Thinker = field(default_factory=Thinker)
    hub: HubLine | None = None
    """The line to the hub that this table has joined."""
    monotonic: Callable[[], float] = time.monotonic
    """The machine's own clock: tells that no frame comes."""

    def speaks(self, language: str) -> None:
        """This is the table's own language from now on."""
        self.language = language
        if self.phone is not None:
            self.phone.language = language

    @property
    def store(self) -> Store | None:
        """The log, where there is one and it can be opened."""
        return self.outbox.store
