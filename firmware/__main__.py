"""`python -m firmware` is `magister`."""

from __future__ import annotations

import signal
import sys


def start() -> int:
    """Run the command; Ctrl-C ends it silently, even while it is still loading."""
    try:
        _end_as_by_ctrl_c()
        from firmware.commands.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


def _end_as_by_ctrl_c() -> None:
    """Other ways of ending the program, or closing its terminal, must also turn off the lights and close the log."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    sys.exit(start())
