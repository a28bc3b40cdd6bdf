"""Where the log is stored on this machine."""

from __future__ import annotations

import os
from pathlib import Path

from firmware.machine.errors import UsageError

_FILE = "matches.sqlite"


def default_log() -> Path:
    """The log of this machine: in the folder (or the `.sqlite` file) of MAGISTER_DATA, else in the user's folder."""
    named = os.environ.get("MAGISTER_DATA")
    if not named:
        try:
            home = Path.home()
        except RuntimeError as error:
            raise UsageError(
                "this user has no home folder: name a log with --log, or its folder in MAGISTER_DATA"
            ) from error
        return home / ".local" / "share" / "magister" / _FILE
    return Path(named) if named.endswith(".sqlite") else Path(named) / _FILE
