"""Pictures from files: every kind of unusable file gets its own message, and none can fill the memory."""

from __future__ import annotations

from pathlib import Path
from stat import S_ISDIR, S_ISREG

import numpy as np
from PIL import Image, ImageOps, UnidentifiedImageError

from vision.frame import LARGEST, SMALLEST, Frame

MOST_PIXELS = 50_000_000
COLOURLESS = "it has no colours, so the pieces cannot be told apart: use a colour photo"


class PictureFileError(Exception):
    """The file cannot be used as a picture; the text says why."""


def read_picture(path: Path, grey_is_fine: bool = False) -> Frame:
    """The picture in a file, rotated as its camera recorded."""
    try:
        if not S_ISREG(mode := path.stat().st_mode) and not S_ISDIR(mode):
            # Whoever opens a pipe waits for somebody to write to it.
            raise PictureFileError("it is not a file: use a JPEG or PNG")
        with Image.open(path) as file:
            _check(file)
            upright = ImageOps.exif_transpose(file)
            rgb = np.asarray(upright.convert("RGB"))
    except FileNotFoundError as error:
        raise PictureFileError("there is no such file: check the name") from error
    except IsADirectoryError as error:
        raise PictureFileError("it is a folder: name the pictures in it") from error
    except UnidentifiedImageError as error:
        raise PictureFileError("it is not a picture: use a JPEG or PNG") from error
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise PictureFileError(f"it cannot be read, use another: {error}") from error
    colourless = _is_grey(rgb)
    if colourless and not grey_is_fine:
        raise PictureFileError(COLOURLESS)
    return Frame(np.ascontiguousarray(rgb[..., ::-1]), colourless=colourless)


def _check(file: Image.Image) -> None:
    width, height = file.size
    if min(width, height) < SMALLEST:
        raise PictureFileError(f"it is too small ({width}x{height}); both sides must be {SMALLEST} pixels or more")
    if max(width, height) > LARGEST or width * height > MOST_PIXELS:
        raise PictureFileError(f"it is too large ({width}x{height}); 1280x720 is enough")
    if file.mode.startswith(("I", "F")):
        raise PictureFileError("it has 16 bits per pixel and no colours; use an ordinary colour photo")


def _is_grey(rgb: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bool:
    small = rgb[::7, ::7].astype(int)
    return bool(np.ptp(small, axis=2).max() <= 2)
