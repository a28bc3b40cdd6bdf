"""Cameras on the network, over real sockets: what is wrong is said in one sentence, without a password."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from streams import MjpegCamera, closed_port, film_of, rtsp_camera, silent_port

from engine.spoken import SpokenError
from firmware.devices import url_camera
from firmware.devices.address import Address
from firmware.devices.no_camera import NoCameraError
from firmware.devices.sources import open_camera, shown_source
from firmware.devices.url_camera import UrlCamera
from firmware.settings.config import CameraSettings
from vision.frame import Frame

SETTINGS = CameraSettings(patience=0.3)
PATIENCE = 20.0


def level(frame: Frame | None) -> int | None:
    return None if frame is None else round(float(frame.bgr.mean()))


@pytest.fixture
def camera() -> Iterator[MjpegCamera]:
    shown = MjpegCamera(lambda: np.full((240, 320, 3), 90, np.uint8))
    yield shown
    shown.close()


def opened(address: str) -> UrlCamera:
    found = open_camera(f"url:{address}", SETTINGS)
    assert isinstance(found, UrlCamera)
    return found


def until(frames: Iterator[Frame | None], wanted: Callable[[Frame | None], bool]) -> Frame | None:
    end = time.monotonic() + PATIENCE
    for frame in frames:
        if wanted(frame):
            return frame
        assert time.monotonic() < end, "waited for nothing"
    raise AssertionError("the camera ended")


def test_a_stream_is_seen_and_never_late(camera: MjpegCamera) -> None:
    start = time.monotonic()
    # Every picture shows how late it is, in steps of a tenth of a second.
    camera.picture = lambda: np.full((240, 320, 3), min(int((time.monotonic() - start) * 10), 255), np.uint8)
    camera.fps = 60.0
    stream = opened(f"http://{camera.place}/video")
    frames = stream.frames()
    until(frames, lambda frame: frame is not None)
    # A slow table: pictures that came meanwhile are left out.
    for _ in range(3):
        time.sleep(0.5)
        frame = next(frames)
        assert frame is not None
        assert (time.monotonic() - start) * 10 - (level(frame) or 0) < 4.5
    assert stream.trouble is None
    stream.close()
    assert list(islice(frames, 1)) == []


def test_a_stream_that_freezes_is_told_and_comes_back(camera: MjpegCamera) -> None:
    stream = opened(f"http://{camera.place}/video")
    frames = stream.frames()
    until(frames, lambda frame: level(frame) == 90)
    camera.frozen.set()
    until(frames, lambda frame: frame is None and stream.trouble is not None)
    assert str(stream.trouble) == f"The stream http://{camera.place}/video has stopped; trying to open it again."
    camera.picture = lambda: np.full((240, 320, 3), 160, np.uint8)
    camera.frozen.clear()
    until(frames, lambda frame: level(frame) == 160)
    assert stream.trouble is None
    assert camera.visits > 1
    stream.close()


def test_a_stream_behind_a_password(camera: MjpegCamera) -> None:
    stream = opened(f"http://ada:se%20cret@{camera.place}/locked?token=hidden")
    assert level(until(stream.frames(), lambda frame: frame is not None)) == 90
    stream.close()


WRONG = [
    ("http://{place}/page", "At http://{place}/page there is a web page, not a stream"),
    ("http://{place}/shot.jpg", "At http://{place}/shot.jpg there is a single picture, not a stream"),
    ("http://{place}/nowhere", "The camera answers, but has nothing at http://{place}/nowhere (error 404)"),
    ("http://{place}/locked", "The camera at http://{place}/locked wants a password"),
    ("http://ada:hushhush@{place}/locked?pwd=hushhush", "The camera at http://{place}/locked does not accept"),
    ("rtsp://ada:hushhush@{place}/video", "No camera answers at rtsp://{place}/video"),
    ("http://127.0.0.1:{closed}/video", "No camera answers at http://127.0.0.1:{closed}/video"),
    ("rtsp://127.0.0.1:{closed}/video", "No camera answers at rtsp://127.0.0.1:{closed}/video"),
    ("http://127.0.0.1:{silent}/video", "Nothing answers at http://127.0.0.1:{silent}/video"),
    ("rtsp://127.0.0.1:{silent}/video", "Nothing answers at rtsp://127.0.0.1:{silent}/video"),
    ("http://nowhere.invalid/video", "There is no nowhere.invalid on the network"),
]


@pytest.mark.parametrize(("address", "said"), WRONG, ids=[said for _, said in WRONG])
def test_what_is_wrong_is_one_sentence_without_a_password(
    camera: MjpegCamera, address: str, said: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(url_camera.open_stream, "__defaults__", (0.4,))
    line, silent = silent_port()
    facts = {"place": camera.place, "closed": closed_port(), "silent": silent}
    with line, pytest.raises(NoCameraError) as caught:
        opened(address.format(**facts))
    assert str(caught.value).startswith(said.format(**facts))
    assert "\n" not in str(caught.value)
    assert "hushhush" not in repr(caught.value) + str(caught.value.why.facts) + "".join(capfd.readouterr())


def test_rtsp(tmp_path: Path) -> None:
    film = film_of(tmp_path / "film.ts", [120] * 40)
    with rtsp_camera(film) as place:
        stream = opened(f"rtsp://{place}/table")
        frame = until(stream.frames(), lambda frame: frame is not None)
        assert abs((level(frame) or 0) - 120) < 4
        stream.close()
        with pytest.raises(NoCameraError, match=r"has nothing at rtsp://.*/cellar \(error 404"):
            opened(f"rtsp://{place}/cellar")
    with rtsp_camera(film, locked=True) as place:
        with pytest.raises(NoCameraError, match="wants a password"):
            opened(f"rtsp://{place}/table")
        with pytest.raises(NoCameraError, match="does not accept this password"):
            opened(f"rtsp://ada:wrong@{place}/table")
        stream = opened(f"rtsp://ada:se%20cret@{place}/table")
        assert until(stream.frames(), lambda frame: frame is not None)
        stream.close()


@pytest.mark.parametrize(
    "address",
    [
        "example",
        "http://",
        "ftp://here/video",
        "http://here:port/video",
        "http://here:0/",
        "http://a b/",
        "file:///etc",
    ],
)
def test_what_is_no_address_is_said(address: str) -> None:
    with pytest.raises(SpokenError, match="not the address of a camera"):
        open_camera(f"url:{address}", SETTINGS)


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://ada:pw@here:81/video?user=ada&pwd=pw", "http://here:81/video"),
        ("rtsp://[fe80::1]:554/live/1", "rtsp://[fe80::1]:554/live/1"),
        ("rtsp://here/user=ada_password=pw_channel=1.sdp", "rtsp://here/…"),
        ("https://here", "https://here"),
    ],
)
def test_no_password_is_shown(address: str, shown: str) -> None:
    assert shown_source(f"url:{address}") == f"url:{shown}"
    assert f"{Address.parse(address)}" == f"Address({shown})"
