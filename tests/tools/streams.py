"""Cameras on the network for tests: MJPEG over HTTP with whatever may go wrong, and a plain RTSP server."""

from __future__ import annotations

import socket
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import ClassVar

import cv2
import numpy as np

from vision.frame import Image

LOGIN = "Basic " + b64encode(b"ada:se cret").decode()


class MjpegCamera:
    """Streams what `picture` gives, at a rate, until it is told to freeze or to hang up."""

    def __init__(self, picture: Callable[[], Image], fps: float = 20.0) -> None:
        self.picture, self.fps = picture, fps
        self.frozen, self.gone = threading.Event(), threading.Event()
        self.visits = 0
        camera = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def log_message(self, *_: object) -> None:
                """Nothing."""

            def do_GET(self) -> None:
                camera.answer(self)

        ThreadingHTTPServer.daemon_threads = True
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    @property
    def place(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def answer(self, call: BaseHTTPRequestHandler) -> None:
        path = call.path.partition("?")[0]
        if path == "/page":
            self._send(call, "text/html", b"<html><h1>My camera</h1></html>")
        elif path == "/shot.jpg":
            self._send(call, "image/jpeg", self._jpeg())
        elif path == "/locked" and call.headers.get("Authorization") != LOGIN:
            call.send_response(401)
            call.send_header("WWW-Authenticate", 'Basic realm="camera"')
            call.end_headers()
        elif path in ("/video", "/locked"):
            with suppress(OSError):
                self._stream(call)
        else:
            call.send_error(404)

    def _send(self, call: BaseHTTPRequestHandler, kind: str, body: bytes) -> None:
        call.send_response(200)
        call.send_header("Content-Type", kind)
        call.end_headers()
        call.wfile.write(body)

    def _jpeg(self) -> bytes:
        return bytes(cv2.imencode(".jpg", self.picture())[1])

    def _stream(self, call: BaseHTTPRequestHandler) -> None:
        self.visits += 1
        self._send(call, "multipart/x-mixed-replace; boundary=next", b"")
        while not self.gone.is_set():
            jpeg = self._jpeg()
            call.wfile.write(b"--next\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg))
            call.wfile.write(jpeg + b"\r\n")
            while self.frozen.is_set() and not self.gone.is_set():
                time.sleep(0.02)
            time.sleep(1 / self.fps)

    def close(self) -> None:
        self.gone.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def rtsp_camera(film: Path, *, locked: bool = False) -> Iterator[str]:
    """Serves an MPEG transport stream by RTSP, interleaved over TCP, again and again (RFC 2326, RFC 2250)."""
    data = film.read_bytes()
    ending = threading.Event()

    class Handler(StreamRequestHandler):
        answers: ClassVar[Mapping[str, str]] = {
            "OPTIONS": "Public: OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN\r\n",
            "SETUP": "Transport: RTP/AVP/TCP;unicast;interleaved=0-1\r\nSession: 7\r\n",
            "PLAY": "Session: 7\r\n",
            "TEARDOWN": "Session: 7\r\n",
        }

        def handle(self) -> None:
            with suppress(OSError):
                while self._answer():
                    pass

        def _answer(self) -> bool:
            head: list[str] = []
            while (line := self.rfile.readline()) not in (b"\r\n", b""):
                head.append(line.decode().strip())
            if not head:
                return False
            verb, url, _ = head[0].split()
            fields = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in head[1:])}
            if not url.rstrip("/").endswith(("/table", "/table/track")):
                return self._say(fields, "404 Not Found")
            if locked and fields.get("authorization") != LOGIN:
                return self._say(fields, "401 Unauthorized", 'WWW-Authenticate: Basic realm="camera"\r\n')
            if verb == "DESCRIBE":
                sdp = (
                    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=table\r\nt=0 0\r\nm=video 0 RTP/AVP 33\r\na=control:track\r\n"
                )
                more = f"Content-Base: {url}/\r\nContent-Type: application/sdp\r\nContent-Length: {len(sdp)}\r\n"
                return self._say(fields, "200 OK", more, sdp)
            self._say(fields, "200 OK", self.answers.get(verb, ""))
            if verb == "PLAY":
                self._play()
            return verb not in ("PLAY", "TEARDOWN")

        def _say(self, fields: Mapping[str, str], status: str, more: str = "", body: str = "") -> bool:
            self.wfile.write(f"RTSP/1.0 {status}\r\nCSeq: {fields.get('cseq', 0)}\r\n{more}\r\n{body}".encode())
            return True

        def _play(self) -> None:
            number, start = 0, time.monotonic()
            while not ending.is_set():
                for place in range(0, len(data), 7 * 188):
                    if ending.is_set():
                        return
                    stamp = int((time.monotonic() - start) * 90_000) & 0xFFFFFFFF
                    packet = b"\x80\x21" + (number & 0xFFFF).to_bytes(2) + stamp.to_bytes(4) + b"\0\0\0\1"
                    packet += data[place : place + 7 * 188]
                    self.wfile.write(b"$\0" + len(packet).to_bytes(2) + packet)
                    number += 1
                    time.sleep(0.002)

    ThreadingTCPServer.daemon_threads = True
    ThreadingTCPServer.allow_reuse_address = True
    with ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        ending.set()
        server.shutdown()


def film_of(path: Path, levels: list[int], fps: float = 20.0) -> Path:
    """A short film, a picture of each brightness."""
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"mp4v"), fps, (320, 240))
    assert film.isOpened()
    for level in levels:
        film.write(np.full((240, 320, 3), level, np.uint8))
    film.release()
    return path


def silent_port() -> tuple[socket.socket, int]:
    """A port at which somebody listens and says nothing."""
    line = socket.create_server(("127.0.0.1", 0))
    return line, int(line.getsockname()[1])


def closed_port() -> int:
    """A port at which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as line:
        return int(line.getsockname()[1])
