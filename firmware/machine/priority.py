"""Which process comes first."""

from __future__ import annotations

import os


def stand_back(by: int) -> None:
    """Let others come before this process, where the system knows such a thing (Windows calls it otherwise)."""
    if hasattr(os, "nice"):
        os.nice(by)
