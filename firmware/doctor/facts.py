"""The facts about a machine as plain values. Checks depend on these and on nothing else."""

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
    """`Raspberry Pi 5 Model B Rev 1.0`; None if it is not a Pi."""
    versions: Mapping[str, str | None] = field(default_factory=dict)
    """Versions of the libraries that matter; None if one is missing."""
    throttled: int | None = None
    """The Pi's power status bits: now, and since the start."""


@dataclass(frozen=True, kw_only=True)
class DeviceFile:
    path: str
    group: str
    usable: bool
    """Whether this user may read and write it."""


@dataclass(frozen=True, kw_only=True)
class Rights:
    user: str
    groups: frozenset[str]
    devices: tuple[DeviceFile, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Service:
    installed: bool
    state: str = ""
    """`active`, `failed`, `inactive`, as systemd calls it; empty if systemd does not run."""


@dataclass(frozen=True, kw_only=True)
class CameraFacts:
    """One test of a camera."""

    source: str
    wanted: CameraSettings
    size: tuple[int, int] | None = None
    """Size of the picture; None if there was none."""
    error: str = ""
    rate: float | None = None
    """Frames per second, if several came."""


@dataclass(frozen=True, kw_only=True)
class PictureFacts:
    """What a test picture shows; see `picture`."""

    game: str | None = None
    """The game of the board; None if no board was found."""
    why: str = ""
    fiducials: tuple[int, int] = (0, 0)
    """Printed squares found, and their total number."""
    pose: tuple[float, float] | None = None
    """Distance and tilt."""
    promised: tuple[tuple[float, float], tuple[float, float]] = ((0.0, 0.0), (0.0, 0.0))
    """Distances and tilts at which reading is promised to work."""
    whole: bool = False
    """Whether every sheet is completely in the picture."""
    cell: float = 0.0
    """Width of a cell of the smallest black square, in pixels."""
    blur: float = 0.0
    """Width of an edge between black and white, in pixels."""
    white: float = 0.0
    black: float = 0.0
    """Brightness of paper and ink, out of 255."""
    glare: float = 0.0
    """Share of the paper that is overexposed."""
    confused: tuple[tuple[str, str], ...] = ()
    """Printed reference colours that look more like another: (which, like which)."""
    references: int = 0
    """Reference colours that were seen."""


@dataclass(frozen=True, kw_only=True)
class Gpio:
    usable: bool
    why: str = ""
    busy: Mapping[str, str] = field(default_factory=dict)
    """Pins that are not available: name in the plan, and the error."""
    down: tuple[str, ...] = ()
    """Buttons that read as pressed although nobody presses them."""


@dataclass(frozen=True, kw_only=True)
class ChainFacts:
    settings: LightSettings
    device: bool
    """Whether there is an SPI device."""
    lights: int
    """Number of lights for the board that was named or seen."""


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
class SystemClock:
    now: datetime
    built: datetime
    """When the program was built: it cannot be earlier now."""
    newest: datetime | None = None
    """The last entry of the log."""
    synchronised: bool | None = None
    """Whether the clock has been synchronised since the start; None if unknown."""


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
