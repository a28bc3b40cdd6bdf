"""What is worked out once is kept for a while, and no longer than whoever keeps it."""

import gc
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.board import Board
from hardware.printing.raster import rasterise
from hardware.virtual.scene import Scene
from vision.frame import Frame
from vision.look import Eye
from vision.readers.stacks.settings import RULER
from vision.recent import Recent


def test_only_the_last_few_are_kept() -> None:
    made: list[int] = []
    recent: Recent[int] = Recent(2)

    def square(number: int) -> int:
        def make() -> int:
            made.append(number)
            return number**2

        return recent.get(number, make)

    assert [square(number) for number in (3, 4, 3, 5, 3, 4)] == [9, 16, 9, 25, 9, 16]
    assert made == [3, 4, 5, 4]


def test_an_eye_leaves_nothing_behind(
    board: Board, photograph: Callable[[Scene], Frame], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.readers.stacks.heights.RULER", replace(RULER, clear=1.0))  # Shadows are asked, too.
    frame = photograph(Scene.showing(board, {"T7": board.faces["red2"], "L3": board.faces["blue1"]}))
    eye = Eye(board, {sheet.name: rasterise(sheet) for sheet in board.sheets})
    eye.look(frame)
    kept = weakref.ref(eye.plane)
    gc.disable()
    try:
        del eye
        assert kept() is None, "it goes at once, not when cycles are collected"
    finally:
        gc.enable()
