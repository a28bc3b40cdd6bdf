"""Checks of machine, camera and disk, each a function of facts. Checks of a picture are in `picture`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from statistics import median

from firmware.doctor.facts import (
    CameraFacts,
    ChainFacts,
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
from firmware.doctor.findings import Finding, bad, doubtful, good

OLDEST_PYTHON = (3, 11)
TRIED = ("bookworm", "trixie")
LOW_NOW, LOW_BEFORE = 0x1, 0x10000
"""Bits of the Pi's power status: the voltage is too low, or has been since the start."""
HOT_NOW = 0x6
LITTLE_ROOM, NO_ROOM = 500, 50
"""Megabytes that should, and must, be free: a match takes a few hundred kilobytes."""
SLOW_SYNC, STUCK_SYNC = 0.25, 2.0
"""Seconds: a good card takes a hundredth, a worn one a second, and the lights wait for it."""
MOST_LISTED = 6
SLOW_RATE = 0.5
"""Share of the requested frame rate."""


def check_system(facts: System) -> Finding:
    machine = facts.model or facts.machine
    told = f"{facts.name} on {machine}, {facts.bits} bit"
    if facts.bits != 64:
        return bad("system", told, "OpenCV needs a 64-bit system: install the 64-bit Raspberry Pi OS.")
    if facts.codename not in TRIED:
        return doubtful("system", told, f"Tested on {' and '.join(TRIED)} only; it may well work, please tell us.")
    return good("system", told)


def check_python(facts: System) -> Finding:
    told = f"Python {'.'.join(map(str, facts.python))}"
    if facts.python[:2] < OLDEST_PYTHON:
        return bad("python", told, "Python 3.11 or newer is needed: use Raspberry Pi OS Bookworm or later.")
    missing = [name for name in ("numpy", "cv2") if facts.versions.get(name) is None]
    if missing:
        return bad("python", f"{told} without {', '.join(missing)}", "Reinstall: firmware/system/install.sh")
    told += "".join(f", {name} {version}" for name, version in facts.versions.items() if version)
    pi_only = [name for name in ("picamera2", "lgpio") if facts.model and facts.versions.get(name) is None]
    if pi_only:
        packages = " ".join(f"python3-{name}" for name in pi_only)
        todo = f"sudo apt install {packages}, then reinstall: the program must see the system's packages."
        return doubtful("python", f"{told}; {', '.join(pi_only)} not available", todo)
    return good("python", told)


def check_power(facts: System) -> Finding:
    if facts.throttled is None:
        return good("power", "not measured: only a Pi reports it")
    if facts.throttled & LOW_NOW:
        return bad("power", "the voltage is too low now", "Use the official Pi power supply and a short, thick cable.")
    if facts.throttled & LOW_BEFORE:
        return doubtful(
            "power",
            "the voltage has been too low since the start",
            "Use the official Pi power supply; the Pi may crash in mid-match.",
        )
    if facts.throttled & HOT_NOW:
        return doubtful("power", "the Pi is slowing down because it is too hot", "Give it ventilation or a heat sink.")
    return good("power", "the voltage is good")


def check_rights(facts: Rights) -> Finding:
    # Devices reserved for root (a laptop's own chips) are not meant for users.
    shared = [device for device in facts.devices if device.usable or device.group != "root"]
    closed = [device for device in shared if not device.usable]
    if not shared:
        return good("rights", f"{facts.user}: there are no cameras or pins to use")
    if not closed:
        return good("rights", f"{facts.user} may use {_listed([device.path for device in shared])}")
    groups = sorted({device.group for device in closed})
    todo = f"sudo usermod -aG {','.join(groups)} {facts.user}, then log in again."
    if set(groups) <= facts.groups:
        todo = "You are already in the right groups: log in again, or restart the service."
    return bad("rights", f"{facts.user} may not use {_listed([device.path for device in closed])}", todo)


def _listed(paths: Sequence[str]) -> str:
    """The first few paths: a Pi has some thirty of them."""
    return ", ".join(paths[:MOST_LISTED]) + (
        f" and {len(paths) - MOST_LISTED} more" if len(paths) > MOST_LISTED else ""
    )


def check_service(facts: Service) -> Finding:
    if not facts.installed:
        return good("service", "not installed; start the program by hand")
    if facts.state == "failed":
        return bad("service", "it has failed", "journalctl -u magister -n 30 says why.")
    if facts.state == "active":
        return good("service", "it is running and using the camera and the pins (stop it first for a full check)")
    return good("service", f"installed, {facts.state or 'not running'}")


def check_camera(facts: CameraFacts, service: Service) -> Finding:
    if facts.size is None:
        if service.state == "active":
            return doubtful(
                "camera", "the service is using it", "sudo systemctl stop magister, then run the doctor again."
            )
        return bad("camera", f"{facts.source}: {facts.error}", _camera_help(facts))
    width, height = facts.size
    told = f"{facts.source}: {width}x{height}"
    if facts.rate is not None:
        told += f", {facts.rate:.1f} frames per second"
    wanted = facts.wanted
    if (width, height) != (wanted.width, wanted.height):
        todo = "The camera does not support this size: set [camera] width and height to one it has."
        if width * height < wanted.width * wanted.height:
            return doubtful("camera", f"{told} instead of {wanted.width}x{wanted.height}", todo)
    if facts.rate is not None and facts.rate < SLOW_RATE * wanted.fps:
        return doubtful(
            "camera", f"{told} instead of {wanted.fps:g}", "Add light, use a USB port of its own, or lower the fps."
        )
    return good("camera", told)


def _camera_help(facts: CameraFacts) -> str:
    source = facts.source
    if "not available" in facts.error:
        return "Follow that advice, or try a webcam: magister doctor --camera usb:0"
    if source == "picamera2":
        return "Check the cable (contacts facing the right way at both ends), then try rpicam-hello --list-cameras."
    if source == "none":
        return "Plug in a webcam and name it (--camera usb:0), or try magister demo: it needs no camera."
    return "Is it plugged in, and not used by another program? ls /dev/video* shows what is there."


def check_lens(facts: LensFile, picture: tuple[int, int] | None) -> Finding:
    if facts.error:
        return bad("lens", facts.error, "Calibrate it again: magister calibrate lens PHOTOS --out lens.json")
    if facts.size is None:
        todo = "Optional: magister calibrate lens with the printed chart, above all if the camera looks straight down."
        return doubtful("lens", "not calibrated; it is estimated from each picture", todo)
    told = f"{facts.path}: calibrated for {facts.size[0]}x{facts.size[1]}, {facts.hfov:.0f} degrees wide"
    if picture is not None and abs(picture[0] * facts.size[1] / (picture[1] * facts.size[0]) - 1) > 0.01:
        todo = f"Calibrate again with {picture[0]}x{picture[1]} pictures: other shapes use other parts of the sensor."
        return bad("lens", f"{told}; the camera's pictures have a different shape", todo)
    return good("lens", told)


def check_pins(facts: Gpio, service: Service) -> Finding:
    if not facts.usable:
        return doubtful("pins", f"no lights or buttons here: {facts.why}", "That is fine: the page shows everything.")
    if facts.busy:
        told = "; ".join(f"{name}: {why}" for name, why in facts.busy.items())
        if service.state == "active":
            return doubtful(
                "pins", "the service is using them", "sudo systemctl stop magister, then run the doctor again."
            )
        return bad(
            "pins",
            told,
            "Another program is using them (see `gpioinfo` or `pinctrl`): stop it, or choose other pins in [pins].",
        )
    if facts.down:
        todo = "If nobody is pressing it, it is shorted or on the wrong pins: see magister doctor --wiring."
        return bad("pins", f"reads as pressed: {', '.join(facts.down)}", todo)
    return good("pins", "all pins are free, no button is stuck")


def check_chain(facts: ChainFacts) -> Finding:
    if not facts.settings.chain:
        return good("chain", "not in the settings")
    if not facts.device:
        todo = "sudo raspi-config nonint do_spi 0 (or dtparam=spi=on in /boot/firmware/config.txt), then reboot."
        return bad("chain", "there is no /dev/spidev0.0: SPI is off", todo)
    told = f"SPI is on; {facts.lights} lights, one at every site, within {facts.settings.budget_ma:g} mA"
    return good("chain", f"{told}. Only you can see whether they all work: magister doctor --try")


def check_disk(facts: Disk) -> Finding:
    megabytes = facts.free // 1_000_000
    if facts.error:
        return bad(
            "disk",
            f"{facts.folder}: {facts.error}",
            "Matches cannot be saved. Is the root file system read-only? See docs/install.md.",
        )
    told = f"{megabytes} MB free in {facts.folder}"
    if megabytes < NO_ROOM:
        return bad("disk", told, "Free some space: the next match may not fit.")
    if megabytes < LITTLE_ROOM:
        return doubtful("disk", told, "Free some space soon.")
    return good("disk", told)


def check_card(facts: Disk) -> Finding:
    if not facts.syncs:
        return doubtful("card", "not measured", "See the disk check.")
    usual, worst = median(facts.syncs), max(facts.syncs)
    told = f"a small write takes {1000 * usual:.0f} ms, at worst {1000 * worst:.0f} ms"
    if usual > STUCK_SYNC:
        return bad("card", told, "The card is worn out or failing: back up the matches and replace it.")
    if usual > SLOW_SYNC:
        return doubtful("card", told, "The card is slow or worn, so lights come late: use one of class A1 or better.")
    return good("card", told)


def check_clock(facts: SystemClock) -> Finding:
    told = f"{facts.now:%Y-%m-%d %H:%M} UTC"
    todo = "Connect it to a network once, or set it: sudo date -s '2026-12-31 20:00'. On a Pi 5 a battery keeps it."
    if facts.now < facts.built - timedelta(days=1):
        return bad("clock", f"{told}: earlier than this program", todo)
    if facts.newest is not None and facts.now < facts.newest - timedelta(minutes=5):
        return bad("clock", f"{told}: earlier than the last match in the log", todo)
    if facts.synchronised is False:
        return doubtful("clock", f"{told}, not synchronised with a time server since the start", todo)
    return good("clock", told)


def check_matches(facts: Matches) -> Finding:
    if not facts.exists:
        return good("log", f"no matches yet; they will be saved in {facts.path}")
    if facts.problems:
        more = f" (and {len(facts.problems) - 1} more)" if len(facts.problems) > 1 else ""
        return bad(
            "log",
            f"{facts.path}: {facts.problems[0]}{more}",
            "magister log verify lists all problems. For backups see docs/install.md",
        )
    return good("log", f"{facts.path}: sound, {facts.number} match{'' if facts.number == 1 else 'es'}")


def check_port(facts: Port, service: Service) -> Finding:
    if facts.free:
        return good("port", f"{facts.number} is free for the page")
    if service.state == "active":
        return good("port", f"{facts.number} is used by the service")
    todo = "Stop the other program, or choose another port with --port."
    return doubtful("port", f"{facts.number} is used by another program", todo)
