"""What holds for all tests."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Iterator

import pytest

from engine.board import Board
from engine.registry import all_games
from firmware.settings import eyes
from vision.find.lens import Lens
from vision.look import Eye
from vision.readers.paints import Paints

GARBAGE = 20_000
"""Objects between two searches for garbage: pictures are large, and few."""


def pytest_collection_finish() -> None:
    """The tests themselves, thousands of objects, live to the end: the search for garbage, which took a sixth of the
    time, passes them over."""
    gc.freeze()
    gc.set_threshold(GARBAGE)


@pytest.fixture(scope="session", autouse=True)
def _eyes_are_shared() -> Iterator[None]:
    """Making an eye takes longer than most tests that need one, and an eye never changes."""
    make = eyes.eye_for
    kept: deque[tuple[tuple[object, ...], Eye]] = deque(maxlen=6)

    def shared(board: Board, lens: Lens | None, paints: Paints) -> Eye:
        if paints:
            return make(board, lens, paints)
        # It tells the boards of other games by name: a test may have installed one more.
        key = board, lens, *all_games()
        for known, eye in kept:
            if known == key:
                return eye
        kept.append((key, make(board, lens, paints)))
        return kept[-1][1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(eyes, "eye_for", shared)
        yield
