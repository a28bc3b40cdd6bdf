"""Recordings as cameras: like every camera they yield frames, each with its time, and can be closed."""

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
"""FFmpeg's log level for silence: we report problems with a file ourselves, in one line."""
FRAME_NAME = re.compile(r"(?:frame-)?([0-9]{1,12})")
FRAMES = "frame-000000.png (or .jpg), frame-000001.png …"
OTHERWISE = "use another, or its pictures as frames:DIR"


GIVEN_UP = 50
"""So many pictures in a row that cannot be read are the end, where a file does not tell how many it holds."""
NEARLY = 0.98
"""Files are not exact about it: what ends earlier than this share of them was cut off."""


class FrameSource(Protocol):
    """A source of frames."""

    def frames(self) -> Iterator[Frame | None]:
        """Frames in order; None for one that is missing or cannot be read."""

    def close(self) -> None:
        """Release the device or file; may be called twice."""


class Recording(FrameSource, Protocol):
    """A camera that plays back a recording."""

    spoilt: int
    """Number of pictures left out so far because they could not be read."""
    cut: bool
    """Whether it ended earlier than it says of itself."""

    @property
    def files(self) -> Collection[Path]:
        """The files it is read from."""


class FrameFolder:
    """Pictures `frame-000000.png` … in a folder, at a fixed rate. Missing numbers are dropped frames."""

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
        self.spoilt, self.cut = 0, False

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
        """Nothing to release."""


class VideoFile:
    """A video file; `fps` overrides the rate in the file."""

    def __init__(self, path: Path, fps: float | None) -> None:
        if not path.is_file():
            raise UsageError(f"{path} does not exist: check the file name")
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", QUIET)
        # Other backends would print messages of their own about an invalid file.
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_ERROR)
        has_ffmpeg = cv2.CAP_FFMPEG in cv2.videoio_registry.getStreamBackends()
        self._video = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG if has_ffmpeg else cv2.CAP_ANY)
        if not self._video.isOpened():
            raise UsageError(f"{path} is not a video that can be read: {OTHERWISE}")
        self._path = path
        self.spoilt, self.cut = 0, False
        self._fps = fps or self._video.get(cv2.CAP_PROP_FPS) or 10.0

    @property
    def files(self) -> Collection[Path]:
        return (self._path,)

    def frames(self) -> Iterator[Frame | None]:
        number = last = seen = 0
        expected = int(self._video.get(cv2.CAP_PROP_FRAME_COUNT))
        while number < max(expected, last + GIVEN_UP):
            there, bgr = self._video.read()
            number += 1
            if not there:
                # Time goes on: others may follow.
                if number <= expected:
                    yield None
                continue
            try:
                frame = Frame(np.asarray(bgr, dtype=np.uint8), (number - 1) / self._fps)
            except PictureError as error:
                raise UsageError(f"{self._path} cannot be used: {error}") from error
            seen, last = seen + 1, number
            self.spoilt = last - seen
            yield frame
        if not seen:
            raise UsageError(f"no picture in {self._path} can be read: {OTHERWISE}")
        self.cut = last < expected * NEARLY

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


def flaws(recording: object, source: str) -> list[str]:
    """What was wrong with a recording that was played back, a line each; nothing of a live camera."""
    spoilt, cut = getattr(recording, "spoilt", 0), getattr(recording, "cut", False)
    told = [f"pictures of {source} that could not be read and were left out: {spoilt}"] if spoilt else []
    return told + ([f"{source} is cut off: it ends before it should"] if cut else [])
