"""Sheets as the eye expects them, held against the printed ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.board import Sheet, Text
from engine.registry import find_game
from hardware.printing.raster import SCALE, rasterise
from hardware.printing.sheets import sheet_pixels

BOARDS = {name: find_game(name).board(2) for name in ("memento-tuos", "rings")}
SHEETS = [pytest.param(sheet, id=f"{name}-{sheet.name}") for name, board in BOARDS.items() for sheet in board.sheets]


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_is_drawn_as_it_is_printed_but_for_the_lettering(sheet: Sheet) -> None:
    mute = replace(sheet, art=tuple(shape for shape in sheet.art if not isinstance(shape, Text)))
    quick = rasterise(mute)
    printed = sheet_pixels(mute, SCALE)[: quick.shape[0], : quick.shape[1], [2, 1, 0, 3]]
    quick = quick[: printed.shape[0], : printed.shape[1]]
    both = (quick[..., 3] == 255) & (printed[..., 3] == 255)
    apart = np.abs(quick.astype(int) - printed)[..., :3].max(axis=-1)[both]
    assert (np.abs(quick[..., 3].astype(int) - printed[..., 3]) > 64).mean() < 0.004
    assert apart.mean() < 3
    assert (apart > 64).mean() < 0.02
