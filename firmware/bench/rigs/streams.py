"""The far ends of cameras: a webcam's driver, MJPEG over HTTP, RTSP, and a phone, each sending what a shutter takes."""

from __future__ import annotations

import json
import socket
import ssl
import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread

import cv2
import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from firmware.bench.rigs.shutter import Shutter
from firmware.devices.phone.link import PhoneLink
from vision.frame import Image

PACKET = 1400
"""Bytes of a picture in one RTP packet."""
START, END, TABLES, SCAN = 0xD8, 0xD9, 0xDB, 0xDA
"""Markers in a JPEG."""
CLOCK = 90_000


class Driver:
    """A webcam that sends MJPG, as OpenCV shows it."""

    def __init__(self, shutter: Shutter) -> None:
        self._shutter = shutter
        self._jpeg: bytes | None = None

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return True

    def set(self, _name: int, _value: float) -> bool:
        return False

    def get(self, _name: int) -> float:
        return -1.0

    def grab(self) -> bool:
        self._jpeg = self._shutter.take()
        return self._jpeg is not None

    def retrieve(self) -> tuple[bool, Image | None]:
        bgr = cv2.imdecode(np.frombuffer(self._jpeg or b"", np.uint8), cv2.IMREAD_COLOR)
        return bgr is not None, None if bgr is None else np.asarray(bgr, dtype=np.uint8)

    def release(self) -> None:
        """Nothing to release."""


@contextmanager
def mjpeg_server(shutter: Shutter) -> Iterator[str]:
    """MJPEG over HTTP; its address. Whoever asks a second time gets the pictures: the first only looks what it is."""

    def answer(line: socket.socket) -> None:
        line.recv(1 << 16)
        line.sendall(b"HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=next\r\n\r\n")
        with suppress(OSError):
            # What only looked what this is has gone by now.
            line.settimeout(0.2)
            with suppress(TimeoutError):
                if not line.recv(1):
                    return
            line.settimeout(None)
            while (jpeg := shutter.take()) is not None:
                head = b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg)
                line.sendall(head + jpeg + b"\r\n")

    with _served(answer) as port:
        yield f"http://127.0.0.1:{port}/video"


@contextmanager
def rtsp_server(shutter: Shutter) -> Iterator[str]:
    """RTSP with JPEG over RTP, interleaved over TCP (RFC 2326, RFC 2435); its address."""

    def answer(line: socket.socket) -> None:
        asked = line.makefile("rb")
        while head := _request(asked.readline):
            verb, url = head[0].split()[:2]
            number = next(row.split(":")[1].strip() for row in head if row.lower().startswith("cseq"))
            more, body = "", ""
            if verb == "DESCRIBE":
                body = "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\nm=video 0 RTP/AVP 26\r\na=control:track\r\n"
                more = f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\nContent-Length: {len(body)}\r\n"
            elif verb == "SETUP":
                more = "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n"
            elif verb == "OPTIONS":
                more = "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n"
            line.sendall(f"RTSP/1.0 200 OK\r\nCSeq: {number}\r\n{more}\r\n{body}".encode())
            if verb == "PLAY":
                _send_rtp(line, shutter)
                return

    with _served(answer) as port:
        yield f"rtsp://127.0.0.1:{port}/table"


@contextmanager
def phone(shutter: Shutter, link: PhoneLink, certificate: Path) -> Iterator[None]:
    """A phone that has scanned the link: one picture on its way at a time."""
    trusting = ssl.create_default_context(cafile=str(certificate))

    def send() -> None:
        with suppress(ConnectionClosed), connect(link.page.replace("https:", "wss:") + "/frames", ssl=trusting) as line:
            line.send(json.dumps({"code": link.address.partition("#")[2]}))
            while (jpeg := shutter.take()) is not None:
                line.send(jpeg)
                while "got" not in str(line.recv()):
                    pass

    thread = Thread(target=send, daemon=True)
    thread.start()
    yield
    thread.join()


def rtp_payloads(jpeg: bytes) -> Iterator[tuple[bytes, bool]]:
    """What RFC 2435 sends of a JPEG, and whether it is the last of it: its tables and its scan, in pieces."""
    tables, place = b"", 2
    size = (0, 0)
    while jpeg[place + 1] != SCAN:
        marker, length = jpeg[place + 1], int.from_bytes(jpeg[place + 2 : place + 4])
        part = jpeg[place + 4 : place + 2 + length]
        if marker == TABLES:
            tables += b"".join(part[at + 1 : at + 65] for at in range(0, len(part), 65))
        elif marker == 0xC0:
            size = (int.from_bytes(part[3:5]) // 8, int.from_bytes(part[1:3]) // 8)
        place += 2 + length
    scan = jpeg[place + 2 + int.from_bytes(jpeg[place + 2 : place + 4]) : -2]
    for at in range(0, len(scan), PACKET):
        # 4:2:0, with tables of its own.
        head = struct.pack(">IBBBB", at, 1, 255, *size)
        if at == 0:
            head += struct.pack(">BBH", 0, 0, len(tables)) + tables
        yield head + scan[at : at + PACKET], at + PACKET >= len(scan)


def _send_rtp(line: socket.socket, shutter: Shutter) -> None:
    count = 0
    with suppress(OSError):
        while (jpeg := shutter.take()) is not None:
            stamp = int(max(shutter.taken.values()) * CLOCK) & 0xFFFFFFFF
            packets = []
            for payload, is_last in rtp_payloads(jpeg):
                head = struct.pack(">BBHII", 0x80, 26 | is_last << 7, count & 0xFFFF, stamp, 1)
                packets.append(struct.pack(">BBH", 0x24, 0, len(head) + len(payload)) + head + payload)
                count += 1
            line.sendall(b"".join(packets))


def _request(read: Callable[[], bytes]) -> list[str]:
    head: list[str] = []
    while (row := read()) not in (b"\r\n", b""):
        head.append(row.decode().strip())
    return head


@contextmanager
def _served(answer: Callable[[socket.socket], None]) -> Iterator[int]:
    """A port at which each call is answered in a thread of its own."""
    listening = socket.create_server(("127.0.0.1", 0))

    def attend(line: socket.socket) -> None:
        with line, suppress(OSError):
            answer(line)

    def listen() -> None:
        with suppress(OSError):
            while True:
                Thread(target=attend, args=(listening.accept()[0],), daemon=True).start()

    Thread(target=listen, daemon=True).start()
    with listening:
        yield int(listening.getsockname()[1])
        with suppress(OSError):
            listening.shutdown(socket.SHUT_RDWR)
