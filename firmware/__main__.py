"""`python -m firmware` is `magister`."""

from __future__ import annotations

import signal
import sys


def start() -> int:
    """The command; Ctrl-C ends it without a word even while it is being loaded."""
    try:
        _end_as_by_ctrl_c()
        from firmware.commands.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


def _end_as_by_ctrl_c() -> None:
    """Whoever ends the program otherwise, or closes its terminal, also wants the lights out and the log closed."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    sys.exit(start())
