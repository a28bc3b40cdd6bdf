"""`python -m firmware` is `magister`."""

from __future__ import annotations

import sys


def start() -> int:
    """The command; Ctrl-C ends it without a word even while it is being loaded."""
    try:
        from firmware.cli import main

        return main()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(start())
