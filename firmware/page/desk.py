"""The program's side of the page: news goes out, requests come in, and neither side waits for the other.

The page is served by a process of its own, so that two hundred listeners or the export of a film cannot hold up a
frame; if it dies it is started again, and the referee does not notice.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from base64 import b64encode
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from math import inf
from queue import Empty, SimpleQueue
from threading import Condition, Event, Thread
from typing import TypeVar

from engine.core import Json
from firmware.machine.ctrl_c import deaf_to_ctrl_c
from firmware.machine.errors import UsageError

Thing = TypeVar("Thing")

TICK = 1.0
"""Seconds between heartbeats."""
START = 30.0
"""Seconds the page gets to open its port."""
PAUSE = 1.0
"""Seconds before a crashed page is restarted …"""
LONGEST_PAUSE = 30.0
"""… and at most, while another program has its port."""
MOST_WAITING = 2000
"""Events kept for a page that falls behind: older ones are in the log."""


@dataclass(frozen=True, kw_only=True)
class Opening:
    """How the page is opened."""

    host: str = "127.0.0.1"
    port: int = 8000
    tries: int = 1
    """How many ports to try from there on."""
    pin: str
    secret: str
    log: str | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    """Settings, lens and colours, which a backup holds beside the log."""
    names: tuple[str, ...] = ()
    """Further names under which the page may be opened."""
    screen: bool = False
    """Whether a browser at the machine itself sees address and PIN."""
    index: str = ""
    """The package index in which newer versions are looked for."""


@dataclass(frozen=True)
class Wish:
    id: int
    kind: str
    payload: Json
    until: float = inf
    """When the person who asked is told that nobody answers, by the machine's clock."""


def start_page() -> subprocess.Popen[bytes]:
    """A separate interpreter: it shares neither lock nor memory with the referee."""
    return subprocess.Popen(
        [sys.executable, "-m", "firmware.page.server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


class Desk:
    """Holds the page's requests until the thread that owns the match picks them up."""

    def __init__(
        self,
        opening: Opening,
        say: Callable[[str], None],
        start: Callable[[], subprocess.Popen[bytes]] = start_page,
    ) -> None:
        self._opening, self._say, self._start = opening, say, start
        self._changed = Condition()
        self._outbox: deque[Json] = deque()
        self._update: Json | None = None
        self._news: deque[Json] = deque(maxlen=MOST_WAITING)
        self._is_new = False
        self._number = 0
        self._frame_at = time.monotonic()
        self._wishes: SimpleQueue[Wish] = SimpleQueue()
        self._pictures: SimpleQueue[tuple[int, bool]] = SimpleQueue()
        self._glances: SimpleQueue[tuple[int, str]] = SimpleQueue()
        self._closing = Event()
        self._opened: SimpleQueue[Json] = SimpleQueue()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_open = False
        """Whether it has ever been open: one that stops then is started again."""
        self._keeper = Thread(target=self._keep_open, name="page", daemon=True)

    def open(self, state: Json, trace: Json | None) -> str:
        """Start the page with the current state; returns its address once it can be reached."""
        self.publish(state, trace, [])
        self._keeper.start()
        try:
            told = self._opened.get(timeout=START)
        except Empty:
            self.close()
            raise UsageError("the page did not start: try again, or play without it (--no-page)") from None
        if told["type"] == "failed":
            self.close()
            raise UsageError(told["message"])
        return f"http://{_spoken_host(self._opening.host)}:{self._opening.port}/"

    @property
    def process(self) -> int | None:
        """The page's process id."""
        return self._process.pid if self._process is not None else None

    def publish(self, state: Json, trace: Json | None, news: list[Json]) -> None:
        """Send the page the current state and the latest events."""
        with self._changed:
            self._number += 1
            self._update = {"type": "update", "number": self._number, "state": state, "trace": trace}
            self._news.extend(news)
            self._is_new = True
            self._changed.notify()

    def knows_pin(self, pin: str) -> None:
        """Another PIN is in force: a page that has to be started anew asks for that one."""
        self._opening = replace(self._opening, pin=pin)

    def beat(self) -> None:
        """A frame has come."""
        self._frame_at = time.monotonic()

    def take_in(self, wish: Wish) -> None:
        self._wishes.put(wish)

    def wishes(self) -> Iterator[Wish]:
        """The requests since the last call; those nobody waits for any more are dropped."""
        while True:
            try:
                wish = self._wishes.get_nowait()
            except Empty:
                return
            if time.monotonic() < wish.until:
                yield wish

    def answer(self, wish: Wish, told: Json | None = None, refused: Json | None = None) -> None:
        self._post({"type": "answer", "id": wish.id, "told": told or {}, "refused": refused})

    def wanted_pictures(self) -> list[tuple[int, bool]]:
        """Numbers of the requested pictures, and whether to draw the reading on them."""
        return _drained(self._pictures)

    def wanted_glances(self) -> list[tuple[int, str]]:
        """Numbers of the requested pictures of cameras that are not in use, and which camera."""
        return _drained(self._glances)

    def send_picture(self, number: int, jpeg: bytes | None) -> None:
        self._post({"type": "picture", "id": number, "jpeg": b64encode(jpeg).decode() if jpeg else None})

    def close(self) -> None:
        """End the page; may be called twice."""
        self._closing.set()
        with self._changed:
            self._changed.notify()
        process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
        if self._keeper.is_alive():
            self._keeper.join(timeout=5)

    def _post(self, message: Json) -> None:
        with self._changed:
            self._outbox.append(message)
            self._changed.notify()

    # The page's own thread

    def _keep_open(self) -> None:
        was_open, pause = False, PAUSE
        while not self._closing.is_set():
            with deaf_to_ctrl_c():
                started = self._start()
            with started as process:
                self._process = process
                sender = Thread(target=self._send, args=(process,), name="page-out", daemon=True)
                sender.start()
                failed = self._listen(process)
                process.terminate()
                with self._changed:
                    self._changed.notify()
                sender.join(timeout=TICK * 3)
                # Messages for a page that has crashed are dropped.
                with suppress(OSError):
                    process.stdin.close()  # type: ignore[union-attr]
            if self._closing.is_set() or (failed and not was_open):
                return
            if not self._is_open:
                self._opened.put({"type": "failed", "message": "the page does not start (its own words are above)"})
                return
            if not failed:
                was_open, pause = True, PAUSE
                # The terminal may have been closed.
                with suppress(OSError):
                    self._say("the page stopped and is being restarted")
            self._closing.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _listen(self, process: subprocess.Popen[bytes]) -> bool:
        """Read from the page until it ends; returns whether it could not be opened at all."""
        assert process.stdout is not None
        for line in process.stdout:
            try:
                told = json.loads(line)
            except ValueError:
                # It crashed in the middle of a line.
                return False
            match told["type"]:
                case "wish":
                    self.take_in(Wish(told["id"], told["kind"], told["payload"], told["until"]))
                case "picture":
                    self._pictures.put((told["id"], told["overlay"]))
                case "glance":
                    self._glances.put((told["id"], told["camera"]))
                case "ready":
                    self._is_open = True
                    # Use the same port again if the page has to be restarted.
                    self._opening = Opening(**asdict(self._opening) | {"port": told["port"], "tries": 1})
                    self._opened.put(told)
                case "failed":
                    self._opened.put(told)
                    return True
        return False

    def _send(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        try:
            self._write(process, {"type": "open"} | asdict(self._opening))
            if self._update is not None:
                self._write(process, self._update | {"news": []})
            while process.poll() is None and not self._closing.is_set():
                for message in self.next_messages():
                    self._write(process, message)
        except (BrokenPipeError, OSError):
            return

    def next_messages(self) -> list[Json]:
        """What the page has not been told yet; where there is nothing, a sign of life after a while."""
        with self._changed:
            if not self._outbox and not self._is_new:
                self._changed.wait(TICK)
            messages: list[Json] = []
            if self._is_new and self._update is not None:
                messages.append(self._update | {"news": list(self._news)})
                self._news.clear()
                self._is_new = False
            # Answers last: when a request is confirmed, its effect must be visible.
            messages.extend(self._outbox)
            self._outbox.clear()
        return [*messages, {"type": "tick", "age": time.monotonic() - self._frame_at}]

    @staticmethod
    def _write(process: subprocess.Popen[bytes], message: Json) -> None:
        assert process.stdin is not None
        process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()


def _drained(queue: SimpleQueue[Thing]) -> list[Thing]:
    things = []
    while True:
        try:
            things.append(queue.get_nowait())
        except Empty:
            return things


def _spoken_host(host: str) -> str:
    return f"[{host}]" if ":" in host else host
