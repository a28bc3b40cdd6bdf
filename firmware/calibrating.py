"""Measuring the lens from files, and writing what was found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import UsageError
from firmware.files import write_whole
from firmware.pictures import PictureFileError, read_picture
from hardware.printing.chart import CHART_DICTIONARY, COLUMNS, MARKER, ROWS, SQUARE
from vision.calibrate import CalibrationError, Chart, calibrate_lens

CHART = Chart(COLUMNS, ROWS, SQUARE, MARKER, CHART_DICTIONARY)


def calibrate_from(photos: Sequence[Path], out: Path) -> int:
    """The lens of these photos, written as JSON; exit code 1 if they do not tell it."""
    frames = []
    for path in photos:
        try:
            frames.append(read_picture(path, grey_is_fine=True))
        except PictureFileError as error:
            raise UsageError(f"{path}: {error}") from error
    try:
        found = calibrate_lens(frames, CHART)
    except CalibrationError as error:
        print(f"no lens: {error}")
        return 1
    lens = found.lens
    record = {"size": list(lens.size)} | {
        name: round(getattr(lens, name), 6) for name in ("fx", "fy", "cx", "cy", "k1", "k2")
    }
    write_whole(out, json.dumps(record, indent=1) + "\n")
    print(f"{out}: from {found.photos} photos, within {found.fit:.2f} pixels")
    return 0
