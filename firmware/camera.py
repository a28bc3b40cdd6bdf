"""Where pictures come from. Every source is a camera: it yields frames, each with its moment, and can be closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from firmware.errors import UsageError
from firmware.pictures import PictureFileError, read_picture
from vision.frame import Frame, PictureError

PICTURES = (".png", ".jpg", ".jpeg")


class Camera(Protocol):
    """A source of frames."""

    def frames(self) -> Iterator[Frame | None]:
        """Frames in order; None where one is missing or cannot be read."""

    def close(self) -> None:
        """Let go of the device or file; may be called twice."""


class FrameFolder:
    """Pictures `frame-000000.png` … in a folder, so many a second. A number that is missing is a dropped frame."""

    def __init__(self, folder: Path, fps: float) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder with frames")
        self._paths: dict[int, Path] = {}
        for path in sorted(folder.iterdir()):
            number = path.stem.removeprefix("frame-")
            if path.suffix.lower() in PICTURES and number.isdigit():
                self._paths[int(number)] = path
        if not self._paths:
            raise UsageError(f"{folder} holds no frame-000000.png or .jpg")
        self._fps = fps

    def frames(self) -> Iterator[Frame | None]:
        for number in range(max(self._paths) + 1):
            path = self._paths.get(number)
            try:
                yield None if path is None else Frame(read_picture(path).bgr, number / self._fps)
            except (PictureFileError, PictureError):
                yield None

    def close(self) -> None:
        """There is nothing to let go of."""


class VideoFile:
    """A recording; `fps` overrides what the file says of itself."""

    def __init__(self, path: Path, fps: float | None) -> None:
        if not path.is_file():
            raise UsageError(f"there is no recording {path}")
        self._video = cv2.VideoCapture(str(path))
        if not self._video.isOpened():
            raise UsageError(f"{path} is not a recording that can be read")
        self._fps = fps or self._video.get(cv2.CAP_PROP_FPS) or 10.0

    def frames(self) -> Iterator[Frame | None]:
        number = 0
        while True:
            there, bgr = self._video.read()
            if not there:
                return
            yield Frame(np.asarray(bgr, dtype=np.uint8), number / self._fps)
            number += 1

    def close(self) -> None:
        self._video.release()


def open_recording(source: str, fps: float | None) -> Camera:
    """`frames:DIR` or `video:FILE`."""
    kind, colon, where = source.partition(":")
    if not colon or kind not in ("frames", "video"):
        raise UsageError(f"{source!r} is no recording; give frames:DIR or video:FILE")
    if kind == "frames":
        return FrameFolder(Path(where), fps or 10.0)
    return VideoFile(Path(where), fps)
