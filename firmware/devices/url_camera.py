"""Cameras on the network: MJPEG over HTTP, and RTSP, read by OpenCV's FFmpeg.

FFmpeg only says that it could not open a stream. So an address is asked first (HTTP) or afterwards (RTSP) by ourselves:
people should hear what is wrong.
"""

from __future__ import annotations

import os
import socket
import ssl
import time
from base64 import b64encode
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPMessage, HTTPSConnection
from typing import Any, TypeVar

import cv2

from engine.spoken import SpokenError
from firmware.devices.address import Address
from firmware.devices.live_camera import Capture, LiveCamera
from firmware.devices.no_camera import NoCameraError
from firmware.devices.recorded import QUIET
from firmware.machine.clock import Clock, Sleep
from firmware.settings.config import CameraSettings

OPENING = 5.0
"""Seconds that a camera on the network gets to answer."""
DENIED = (401, 403)
PAGES = ("text/html", "application/xhtml+xml", "text/plain", "application/json")
Answer = TypeVar("Answer")


class UrlCamera(LiveCamera):
    """A stream by its address."""

    def __init__(
        self, address: Address, settings: CameraSettings, *, clock: Clock = time.monotonic, sleep: Sleep | None = None
    ) -> None:
        super().__init__(
            address.shown,
            partial(open_stream, address, settings.patience),
            SpokenError("The stream {address} has stopped; trying to open it again.", address=address.shown),
            settings,
            clock=clock,
            sleep=sleep,
        )


def open_stream(address: Address, patience: float, opening: float = OPENING) -> Capture:
    """The stream at this address, or one sentence about what is wrong with it. `patience`: seconds without a picture
    after which a read fails."""
    if address.scheme in ("http", "https"):
        _check_http(address, opening)
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", QUIET)
    # Its messages would show the address with the password, also later, while the stream is read.
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    device: Any = cv2.VideoCapture(
        address.url,
        cv2.CAP_FFMPEG,
        [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * opening)),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * patience)),
        ],
    )
    if not device.isOpened():
        device.release()
        raise _why_not(address, opening)
    found: Capture = device
    return found


def _why_not(address: Address, opening: float) -> NoCameraError:
    """Why FFmpeg could not open it."""
    if address.scheme == "rtsp":
        _check_rtsp(address, opening)
    elif address.login is not None and address.scheme.startswith("http") and _asked(address, opening)[0] in DENIED:
        return _denied(address)
    return NoCameraError(
        SpokenError("There is no picture at {address}: is it the address of the stream?", address=address.shown)
    )


# HTTP


def _check_http(address: Address, opening: float) -> None:
    status, headers = _asked(address, opening)
    if status in DENIED:
        # A password for which the camera wants a proof (Digest) is FFmpeg's to give.
        if address.login is not None and "digest" in headers.get("WWW-Authenticate", "").lower():
            return
        raise _denied(address)
    if status >= 400:
        raise _nothing(address, status)
    kind = headers.get_content_type() if "Content-Type" in headers else ""
    if status < 300 and kind in PAGES:
        raise NoCameraError(
            SpokenError(
                "At {address} there is a web page, not a stream: give the address of the picture itself.",
                address=address.shown,
            )
        )
    if kind.startswith("image/"):
        raise NoCameraError(
            SpokenError(
                "At {address} there is a single picture, not a stream: most cameras have both.", address=address.shown
            )
        )


def _asked(address: Address, opening: float) -> tuple[int, HTTPMessage]:
    """What the camera answers: status and headers."""
    headers = {"User-Agent": "Magister Ludi"}
    if address.login is not None:
        headers["Authorization"] = "Basic " + b64encode(":".join(address.login).encode()).decode()

    def ask() -> tuple[int, HTTPMessage]:
        with closing(_line(address, opening)) as line:
            line.request("GET", address.target, headers=headers)
            with line.getresponse() as answer:
                return answer.status, answer.headers

    return _over_the_network(address, ask)


def _line(address: Address, opening: float) -> HTTPConnection:
    if address.scheme == "http":
        return HTTPConnection(address.host, address.port, timeout=opening)
    # Cameras at home have certificates that they signed themselves; FFmpeg does not look at them, either.
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return HTTPSConnection(address.host, address.port, timeout=opening, context=context)


# RTSP


def _check_rtsp(address: Address, opening: float) -> None:
    """Ask for the stream's description: the answer says what is wrong."""
    status = _over_the_network(address, partial(_described, address, opening))
    if status in DENIED:
        raise _denied(address)
    if status >= 400:
        raise _nothing(address, status)


def _described(address: Address, opening: float) -> int:
    with socket.create_connection((address.host, address.port), opening) as line:
        line.settimeout(opening)
        line.sendall(f"DESCRIBE {address.open_url} RTSP/1.0\r\nCSeq: 1\r\nAccept: application/sdp\r\n\r\n".encode())
        words = line.makefile("rb").readline(200).split()
    if len(words) < 2 or not words[0].startswith(b"RTSP/") or not words[1].isdigit():
        raise HTTPException("no RTSP")
    return int(words[1])


# What is said


def _over_the_network(address: Address, ask: Callable[[], Answer]) -> Answer:
    try:
        return ask()
    except socket.gaierror as error:
        raise NoCameraError(
            SpokenError(
                "There is no {host} on the network: check the address {address}.",
                host=address.host,
                address=address.shown,
            )
        ) from error
    except TimeoutError as error:
        raise NoCameraError(
            SpokenError(
                "Nothing answers at {address}: is the camera switched on, and on the same network?",
                address=address.shown,
            )
        ) from error
    except (OSError, HTTPException) as error:
        raise NoCameraError(
            SpokenError(
                "No camera answers at {address}: check address and port, and whether it is switched on.",
                address=address.shown,
            )
        ) from error


def _denied(address: Address) -> NoCameraError:
    if address.login is None:
        return NoCameraError(
            SpokenError(
                "The camera at {address} wants a password: write user:password@ before its name.",
                address=address.shown,
            )
        )
    return NoCameraError(SpokenError("The camera at {address} does not accept this password.", address=address.shown))


def _nothing(address: Address, status: int) -> NoCameraError:
    return NoCameraError(
        SpokenError(
            "The camera answers, but has nothing at {address} (error {status}): check what comes after its name.",
            address=address.shown,
            status=status,
        )
    )
