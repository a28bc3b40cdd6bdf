"""What holds for all tests."""

from __future__ import annotations

import gc

GARBAGE = 20_000
"""Objects between two searches for garbage: pictures are large, and few."""


def pytest_collection_finish() -> None:
    """The tests themselves, thousands of objects, live to the end: the search for garbage, which took a sixth of the
    time, passes them over."""
    gc.freeze()
    gc.set_threshold(GARBAGE)
