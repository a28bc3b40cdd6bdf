"""Cameras by the names that people write: `--camera` and the page."""

from __future__ import annotations

from collections.abc import Callable

from firmware.devices.address import Address
from firmware.devices.pi_camera import PiCamera
from firmware.devices.recorded import FrameSource, open_recording
from firmware.devices.url_camera import UrlCamera
from firmware.devices.webcam import UsbCamera
from firmware.machine.errors import UsageError
from firmware.settings.config import CameraSettings

WRITTEN = "picamera2, usb:0, phone, url:ADDRESS, video:FILE, frames:DIR or sim"
RECORDED = ("video", "frames")
MOST_NUMBERED = 100
"""OpenCV gives numbers from here on other meanings."""

Make = Callable[[], FrameSource]


def open_camera(
    source: str,
    settings: CameraSettings,
    *,
    fps: float | None = None,
    sim: Make | None = None,
    phone: Make | None = None,
) -> FrameSource:
    """The camera of this name; raises `NoCameraError` where it is not there now. The caller makes `sim` and `phone`."""
    check_source(source)
    kind, _, where = source.partition(":")
    if source == "picamera2":
        return PiCamera(settings)
    if kind == "usb":
        return UsbCamera(int(where), settings)
    if kind == "url":
        return UrlCamera(Address.parse(where), settings)
    if kind in RECORDED:
        return open_recording(source, fps)
    if source == "phone" and phone is None:
        raise UsageError("only `magister run` can use a phone as its camera: name another camera here")
    make = phone if source == "phone" else sim
    if make is None:
        raise _unknown(source)
    return make()


def check_source(source: str) -> None:
    """Raise unless this is how a camera is written, be it there or not."""
    kind, _, where = source.partition(":")
    if kind == "url" and where:
        Address.parse(where)
    elif not (
        source in ("picamera2", "phone", "sim")
        or (kind == "usb" and where.isdecimal() and int(where) < MOST_NUMBERED)
        or (kind in RECORDED and where)
    ):
        raise _unknown(source)


def shown_source(source: str) -> str:
    """The name as it may be shown and written down: without a password."""
    kind, _, where = source.partition(":")
    return f"url:{Address.parse(where).shown}" if kind == "url" else source


def _unknown(source: str) -> UsageError:
    return UsageError(f"{source!r} is not a camera; use {WRITTEN}")
