"""Where pictures come from. Every source is a camera: it yields frames, each with its moment, and can be closed."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from firmware.machine.errors import UsageError
from firmware.machine.pictures import COLOURLESS, PictureFileError, read_picture
from vision.frame import Frame, PictureError

PICTURES = (".png", ".jpg", ".jpeg")
QUIET = "-8"
"""FFmpeg's level of saying nothing: what is wrong with a file we say ourselves, in one line."""
FRAME_NAME = re.compile(r"(?:frame-)?([0-9]{1,12})")
FRAMES = "frame-000000.png (or .jpg), frame-000001.png …"
OTHERWISE = "use another, or its pictures as frames:DIR"


class Camera(Protocol):
    """A source of frames."""

    def frames(self) -> Iterator[Frame | None]:
        """Frames in order; None where some are missing or one cannot be read."""

    def close(self) -> None:
        """Let go of the device or file; may be called twice."""


class Recording(Camera, Protocol):
    """A camera of what was seen once."""

    spoilt: int
    """Pictures that could not be read so far: they are left out."""

    @property
    def files(self) -> Collection[Path]:
        """What it is read from."""


class FrameFolder:
    """Pictures `frame-000000.png` … in a folder, so many a second. Numbers that are missing are dropped frames."""

    def __init__(self, folder: Path, fps: float) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder} is not a folder: name the one that holds {FRAMES}")
        self._paths: dict[int, Path] = {}
        try:
            paths = sorted(folder.iterdir())
        except OSError as error:
            raise UsageError(f"cannot read {folder}: {error.strerror}") from error
        for path in paths:
            if path.suffix.lower() in PICTURES and (name := FRAME_NAME.fullmatch(path.stem)):
                self._paths[int(name[1])] = path
        if not self._paths:
            raise UsageError(f"{folder} holds no frames: the pictures must be named {FRAMES}")
        self._folder, self._fps = folder, fps
        self.spoilt = 0

    @property
    def files(self) -> Collection[Path]:
        return self._paths.values()

    def frames(self) -> Iterator[Frame | None]:
        due, seen, why = 0, False, ""
        for number, path in sorted(self._paths.items()):
            if number > due:
                yield None
            due = number + 1
            try:
                frame = read_picture(path, grey_is_fine=True)
            except (PictureFileError, PictureError) as error:
                why = why or f"{path.name}: {error}"
                self.spoilt += 1
                yield None
                continue
            if frame.colourless:
                why = why or f"{path.name}: {COLOURLESS}"
            seen = seen or not frame.colourless
            yield replace(frame, seconds=number / self._fps)
        if not seen:
            raise UsageError(f"none of the pictures in {self._folder} can be used; {why}")

    def close(self) -> None:
        """There is nothing to let go of."""


class VideoFile:
    """A recording; `fps` overrides what the file says of itself."""

    def __init__(self, path: Path, fps: float | None) -> None:
        if not path.is_file():
            raise UsageError(f"{path} does not exist: check the file name")
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", QUIET)
        # Others, tried in turn, would have words of their own for a file that is none.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
        self._video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG if has_ffmpeg else cv2.CAP_ANY)
        if not self._video.isOpened():
            raise UsageError(f"{path} is not a video that can be read: {OTHERWISE}")
        self._path = path
        self.spoilt = 0
        self._fps = fps or self._video.get(cv2.CAP_PROP_FPS) or 10.0

    @property
    def files(self) -> Collection[Path]:
        return (self._path,)

    def frames(self) -> Iterator[Frame | None]:
        number = 0
        while True:
            there, bgr = self._video.read()
            if not there:
                break
            try:
                frame = Frame(np.asarray(bgr, dtype=np.uint8), number / self._fps)
            except PictureError as error:
                raise UsageError(f"{self._path} cannot be used: {error}") from error
            yield frame
            number += 1
        if number == 0:
            raise UsageError(f"no picture in {self._path} can be read: {OTHERWISE}")

    def close(self) -> None:
        self._video.release()


def open_recording(source: str, fps: float | None) -> Recording:
    """`frames:DIR` or `video:FILE`."""
    kind, colon, where = source.partition(":")
    if not colon or kind not in ("frames", "video"):
        raise UsageError(f"{source!r} is not a recording; use frames:DIR or video:FILE")
    if kind == "frames":
        return FrameFolder(Path(where), fps or 10.0)
    return VideoFile(Path(where), fps)
