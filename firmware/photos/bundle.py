"""A bug report that can be replayed: the pictures as they were, the board, the settings and what was read."""

from __future__ import annotations

import json
import platform
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

import cv2
import numpy as np
import numpy.typing as npt

from engine.core import Json
from firmware.machine.errors import UsageError
from firmware.machine.files import places_of
from firmware.machine.versions import OURS, version_of


class Bundle:
    """A zip file being written; it gets its name only when complete, and is deleted if interrupted."""

    def __init__(
        self, path: Path, board: Json, spared: Iterable[Path] = (), call: Json | None = None, **files: Path | None
    ) -> None:
        """`spared` are files that it may not take the place of, `call` is what was asked for, `files` are those that
        were read beside the pictures: what makes a reading again."""
        self.board = board
        """The board looked for; replaced if another one of the same game is found in the pictures."""
        self._path = path
        self._place, self._draft = places_of(path, spared)
        self._readings: list[Json] = []
        try:
            self._zip = zipfile.ZipFile(self._draft, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False)
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}; choose another location") from error
        with self._writing():
            self._zip.writestr("settings.json", json.dumps({"call": call or {}} | _settings(), indent=1))
            for name, file in files.items():
                if file is not None and file.is_file():
                    self._zip.write(file, f"{name}.json")

    def add(self, picture: Path, reading: Json) -> None:
        """Add a picture from disk with its reading."""
        name = f"frame-{len(self._readings):06d}{picture.suffix.lower()}"
        if picture.is_file():
            with self._writing():
                self._zip.write(picture, name)
        self._readings.append({"frame": name} | reading)

    def add_frame(self, bgr: npt.NDArray[np.uint8], reading: Json) -> None:
        """Add a frame that is not on disk."""
        _, data = cv2.imencode(".png", bgr)
        name = f"frame-{len(self._readings):06d}.png"
        with self._writing():
            self._zip.writestr(name, data.tobytes(), zipfile.ZIP_STORED)
        self._readings.append({"frame": name} | reading)

    def close(self) -> None:
        lines = "".join(json.dumps(reading) + "\n" for reading in self._readings)
        with self._writing():
            self._zip.writestr("board.json", json.dumps(self.board, indent=1))
            self._zip.writestr("readings.jsonl", lines)
            self._zip.close()
            self._draft.replace(self._place)

    def discard(self) -> None:
        """Delete it; may be called twice."""
        # Otherwise the ZipFile would try to write its end again when it is garbage-collected.
        file, self._zip.fp = self._zip.fp, None
        with suppress(OSError):
            self._draft.unlink()
        with suppress(OSError):
            if file is not None:
                file.close()

    def __enter__(self) -> Bundle:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self.discard()
        elif self._zip.fp is not None:
            self.close()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Report a full or missing disk in one line."""
        try:
            yield
        except OSError as error:
            self.discard()
            raise UsageError(
                f"cannot write {self._path}: {error.strerror or error}; choose another location"
            ) from error
        except KeyboardInterrupt:
            self.discard()
            raise


def _settings() -> Json:
    versions = {package: version_of(package) for package in (OURS, "numpy", "opencv-python-headless")}
    return {"python": platform.python_version(), "machine": platform.machine(), "versions": versions}
