"""What the doctor goes by: facts of a machine as plain values. Checks are functions of these and of nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from firmware.settings.config import CameraSettings, LightSettings


@dataclass(frozen=True, kw_only=True)
class System:
    name: str
    """As the system calls itself: `Debian GNU/Linux 12 (bookworm)`."""
    codename: str
    machine: str
    """`aarch64`, `x86_64`."""
    bits: int
    python: tuple[int, int, int]
    model: str | None = None
    """`Raspberry Pi 5 Model B Rev 1.0`; None where it is no Pi."""
    versions: Mapping[str, str | None] = field(default_factory=dict)
    """Of the libraries that count; None where one cannot be had."""
    throttled: int | None = None
    """The Pi's own word on its power: bits of what is and what was."""


@dataclass(frozen=True, kw_only=True)
class Device:
    path: str
    group: str
    usable: bool
    """Whether this user may read and write it."""


@dataclass(frozen=True, kw_only=True)
class Rights:
    user: str
    groups: frozenset[str]
    devices: tuple[Device, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Service:
    installed: bool
    state: str = ""
    """`active`, `failed`, `inactive`, as systemd has it; nothing where it does not run."""


@dataclass(frozen=True, kw_only=True)
class Shot:
    """One try of a camera."""

    source: str
    wanted: CameraSettings
    size: tuple[int, int] | None = None
    """Of the picture; None where there was none."""
    error: str = ""
    rate: float | None = None
    """Frames a second, where several came."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What a test picture shows; see `doctor_picture`."""

    game: str | None = None
    """Whose board it is; None where no board was found."""
    why: str = ""
    fiducials: tuple[int, int] = (0, 0)
    """Found, of all."""
    pose: tuple[float, float] | None = None
    """Distance and tilt."""
    promised: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 0.0), (0.0, 0.0))
    """Distances and tilts at which the eye is promised to work."""
    whole: bool = False
    """Whether every sheet is whole in the picture."""
    cell: float = 0.0
    """Pixels that the smallest fiducial's cell is wide."""
    blur: float = 0.0
    """Pixels in which an edge between black and white rises."""
    white: float = 0.0
    black: float = 0.0
    """How bright paper and ink are, of 255."""
    glare: float = 0.0
    """Share of the paper that is as bright as the picture can show."""
    confused: tuple[tuple[str, str], ...] = ()
    """Printed reference colours that look more like another one: (which, like which)."""
    references: int = 0
    """Reference colours that were seen."""


@dataclass(frozen=True, kw_only=True)
class Gpio:
    usable: bool
    why: str = ""
    busy: Mapping[str, str] = field(default_factory=dict)
    """Pins that cannot be had: name in the plan, and what the system says."""
    down: tuple[str, ...] = ()
    """Buttons that read as pressed though nobody was asked to press."""


@dataclass(frozen=True, kw_only=True)
class Chain:
    settings: LightSettings
    device: bool
    """Whether there is an SPI device."""
    lights: int
    """Of the board that was named or seen."""


@dataclass(frozen=True, kw_only=True)
class Disk:
    folder: Path
    free: int = 0
    total: int = 0
    error: str = ""
    """Why it cannot be written to."""
    syncs: tuple[float, ...] = ()
    """Seconds until each of a few small writes was on the disk."""


@dataclass(frozen=True, kw_only=True)
class Clock:
    now: datetime
    built: datetime
    """When the program was made: it cannot be earlier."""
    newest: datetime | None = None
    """The last entry of the log."""
    synchronised: bool | None = None
    """Whether a time server has been heard since the start; None where nobody knows."""


@dataclass(frozen=True, kw_only=True)
class Matches:
    path: Path
    exists: bool
    number: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Port:
    number: int
    free: bool


@dataclass(frozen=True, kw_only=True)
class LensFile:
    path: Path | None
    size: tuple[int, int] | None = None
    hfov: float = 0.0
    error: str = ""
