"""Gathers the facts for the checks: the only part of the doctor that touches the machine."""

from __future__ import annotations

import grp
import os
import platform
import pwd
import shutil
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from math import atan, degrees
from pathlib import Path
from typing import Any

import firmware
from firmware.devices.gpio import find_gpio, gpio_errors
from firmware.devices.recorded import FrameSource
from firmware.doctor import facts
from firmware.log.store import LogDamagedError, LogError, Store
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings, LightSettings
from firmware.settings.eyes import read_lens
from firmware.settings.pins import Pins
from vision.frame import Frame

LIBRARIES = {"numpy": "numpy", "cv2": "opencv-python-headless", "picamera2": "picamera2", "lgpio": "lgpio"}
BUTTONS = ("confirm", "undo", "hint", "new")
DEVICES = ("video[0-9]*", "media[0-9]*", "gpiochip[0-9]*", "spidev*", "dma_heap/*")
SYNCS, SYNC_BYTES = 8, 4096
FRAMES = 12
TOO_LONG = 12.0
"""Seconds to wait for a camera."""
UNIT = Path("/etc/systemd/system/magister.service")


def system(root: Path = Path("/")) -> facts.System:
    release = dict(
        line.split("=", 1) for line in _read(root / "etc/os-release").splitlines() if "=" in line and line[0] != "#"
    )
    model = _read(root / "proc/device-tree/model").rstrip("\0\n")
    # On a Pi 4 it is soc/soc:firmware, on a Pi 5 both have an address in their names.
    power = [_read(path).strip() for path in (root / "sys/devices/platform").glob("soc*/soc*firmware/get_throttled")]
    return facts.System(
        name=release.get("PRETTY_NAME", platform.system()).strip('"'),
        codename=release.get("VERSION_CODENAME", "").strip('"'),
        machine=platform.machine(),
        bits=struct.calcsize("P") * 8,
        python=sys.version_info[:3],
        model=model or None,
        versions={name: _version(name, package) for name, package in LIBRARIES.items()},
        throttled=int(power[0], 16) if power and power[0] else None,
    )


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _version(module: str, package: str) -> str | None:
    """The version of an importable library; None if it cannot be imported."""
    try:
        found = import_module(module)
    except (ImportError, OSError):
        return None
    try:
        return str(getattr(found, "__version__", None) or version(package))
    except PackageNotFoundError:
        return "of the system"


def rights(devices: Path = Path("/dev")) -> facts.Rights:
    """Whether this user may use the cameras and pins of this machine."""
    user = pwd.getpwuid(os.geteuid()).pw_name
    groups = {_group(gid) for gid in os.getgroups()} | {each.gr_name for each in grp.getgrall() if user in each.gr_mem}
    found = sorted(path for pattern in DEVICES for path in devices.glob(pattern))
    return facts.Rights(
        user=user,
        groups=frozenset(groups),
        devices=tuple(
            facts.DeviceFile(
                path=str(path), group=_group(path.stat().st_gid), usable=os.access(path, os.R_OK | os.W_OK)
            )
            for path in found
        ),
    )


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def service(unit: Path = UNIT) -> facts.Service:
    if not unit.exists():
        return facts.Service(installed=False)
    systemctl = shutil.which("systemctl")
    if systemctl is None or not Path("/run/systemd/system").exists():
        return facts.Service(installed=True)
    done = subprocess.run([systemctl, "is-active", unit.name], capture_output=True, text=True, check=False)  # noqa: S603
    return facts.Service(installed=True, state=done.stdout.strip())


def shot(
    source: str,
    settings: CameraSettings,
    opened: Callable[[], FrameSource],
    clock: Callable[[], float] = time.monotonic,
) -> tuple[facts.CameraFacts, Frame | None]:
    """A test picture: the last of a few, once exposure and focus have settled."""
    about = partial(facts.CameraFacts, source=source, wanted=settings)
    try:
        camera = opened()
    except UsageError as error:
        return about(error=str(error)), None
    frames: list[tuple[float, Frame]] = []
    try:
        begun = clock()
        for frame in camera.frames():
            if frame is not None:
                frames.append((clock(), frame))
            if len(frames) >= FRAMES or clock() - begun > TOO_LONG:
                break
    except (UsageError, RuntimeError) as error:
        return about(error=str(error)), None
    finally:
        camera.close()
    if not frames:
        return about(error="it is there, but delivers no pictures"), None
    (first, _), (last, newest) = frames[0], frames[-1]
    rate = (len(frames) - 1) / (last - first) if last > first else None
    return about(size=newest.size, rate=rate), newest


def gpio(pins: Pins, factory: Any = None, find: Callable[..., Any] = find_gpio) -> facts.Gpio:  # noqa: ANN401
    """Whether every pin of the plan is available, tested by opening it briefly."""
    from gpiozero import DigitalInputDevice  # type: ignore[import-untyped]

    said: list[str] = []
    factory = factory or find("gpio", said.append)
    if factory is None:
        return facts.Gpio(usable=False, why=said[0].partition("(")[2].partition(")")[0] if said else "no GPIO")
    busy, down = {}, []
    for name, number in pins:
        try:
            with DigitalInputDevice(number, pull_up=True, pin_factory=factory) as pin:
                if name in BUTTONS and pin.value:
                    down.append(name)
        except gpio_errors() as error:
            busy[f"{name} (GPIO {number})"] = " ".join(str(error).split())
    return facts.Gpio(usable=True, busy=busy, down=tuple(down))


def chain(settings: LightSettings, lights: int, devices: Path = Path("/dev")) -> facts.ChainFacts:
    return facts.ChainFacts(settings=settings, device=(devices / "spidev0.0").exists(), lights=lights)


def disk(folder: Path, clock: Callable[[], float] = time.perf_counter) -> facts.Disk:
    """Free space, and how long it takes until a small write is safe, measured in the folder of the log."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    room = shutil.disk_usage(there)
    probe = there / f".magister-doctor-{os.getpid()}"
    syncs = []
    try:
        with probe.open("wb", buffering=0) as file:
            for _ in range(SYNCS):
                begun = clock()
                file.write(bytes(SYNC_BYTES))
                os.fsync(file.fileno())
                syncs.append(clock() - begun)
    except OSError as error:
        return facts.Disk(folder=folder, free=room.free, total=room.total, error=error.strerror or str(error))
    finally:
        if probe.exists():
            probe.unlink()
    return facts.Disk(folder=folder, free=room.free, total=room.total, syncs=tuple(syncs))


def matches(path: Path) -> tuple[facts.Matches, datetime | None]:
    """The state of the log, and when it was last written to."""
    if not path.exists():
        return facts.Matches(path=path, exists=False), None
    newest = None
    try:
        with Store(path, read_only=True) as store:
            problems, numbers = store.problems(), store.ids()
            if numbers:
                events = store.events(numbers[-1])
                newest = datetime.fromisoformat(events[-1].at if events else store.match(numbers[-1]).started)
    except (LogDamagedError, LogError) as error:
        return facts.Matches(path=path, exists=True, problems=(str(error),)), None
    return facts.Matches(path=path, exists=True, number=len(numbers), problems=tuple(problems)), newest


def clock(newest: datetime | None, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> facts.SystemClock:
    synchronised = None
    if Path("/run/systemd/timesync").exists():
        synchronised = Path("/run/systemd/timesync/synchronized").exists()
    built = datetime.fromtimestamp(Path(firmware.__file__).stat().st_mtime, UTC)
    return facts.SystemClock(now=now(), built=built, newest=newest, synchronised=synchronised)


def port(number: int) -> facts.Port:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            line.bind(("", number))
        except OSError:
            return facts.Port(number=number, free=False)
    return facts.Port(number=number, free=True)


def lens_file(path: Path | None) -> facts.LensFile:
    try:
        lens = read_lens(path)
    except UsageError as error:
        return facts.LensFile(path=path, error=str(error))
    if lens is None:
        return facts.LensFile(path=None)
    return facts.LensFile(path=path, size=lens.size, hfov=2 * degrees(atan(lens.size[0] / 2 / lens.fx)))


def likely_camera(found: facts.System, devices: Iterable[facts.DeviceFile]) -> str:
    """The camera to test if none was named: the Pi's own, else the first webcam, else `none`."""
    if found.model and found.versions.get("picamera2"):
        return "picamera2"
    videos = [device.path for device in devices if device.path.startswith("/dev/video")]
    return f"usb:{videos[0].removeprefix('/dev/video')}" if videos else "none"
