"""Switching the machine off. The program may not do so itself: it leaves a note for a system service."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from firmware.machine.errors import Say

NOTE = "poweroff"
"""In the service's own folder under /run; `magister-poweroff.path` waits for it."""


def ask_for_poweroff(environment: Mapping[str, str], say: Say) -> bool:
    """Leave the note in the folder of the service; returns whether there is one."""
    folder = environment.get("RUNTIME_DIRECTORY")
    if not folder:
        say("cannot switch off: only the installed service can (see docs/install.md)")
        return False
    try:
        # Several folders may be listed, separated by colons.
        Path(folder.split(":")[0], NOTE).touch()
    except OSError as error:
        say(f"cannot switch off: {error.strerror}")
        return False
    say("switching off; pull the plug once the green light on the Pi has gone out")
    return True
