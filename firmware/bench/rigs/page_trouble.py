"""The page: killed, and held by somebody who opens connections by the thousand. Only addresses of this machine."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from engine.core import Json
from firmware.devices.lights import NoLights
from firmware.page.connections import make_room_for
from firmware.page.desk import Desk, Opening
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.state import state_of

GREEDY, OTHER = "127.0.0.1", "127.0.0.2"
PATIENCE = 30.0


@dataclass(frozen=True)
class Crowded:
    """What others saw of the page meanwhile."""

    idle: int
    streaming: int
    answered: int
    asked: int
    seconds: list[float]


@contextmanager
def _page(log: Path) -> Iterator[tuple[Desk, int]]:
    state: Json = state_of(Sitting(Gear(NoLights()), "sim"))
    desk = Desk(Opening(port=0, pin="1", secret="00" * 32, log=str(log)), lambda _: None)
    try:
        yield desk, int(desk.open(state, None).rstrip("/").rpartition(":")[2])
    finally:
        desk.close()


def killed_pages(log: Path, kills: int) -> list[float]:
    """Seconds until a page that was killed answers again; as long as the patience if it never does."""
    seconds = []
    with _page(log) as (desk, port):
        for _ in range(kills):
            assert desk.process is not None
            os.kill(desk.process, signal.SIGKILL)
            begun = time.monotonic()
            while not (answered := _ask(port)) and time.monotonic() - begun < PATIENCE:
                time.sleep(0.05)
            seconds.append(time.monotonic() - begun if answered else PATIENCE)
    return seconds


def crowded(log: Path, idle: int, streaming: int, asked: int) -> Crowded:
    """One address opens connections that ask nothing, and others that listen; another address asks for the state."""
    make_room_for(idle + streaming + 200)
    seconds: list[float] = []
    answered = 0
    with _page(log) as (_, port), ExitStack() as stack:
        for number in range(idle + streaming):
            # One that is sent away is opened again: nobody gives up at once.
            with suppress(OSError):
                line = stack.enter_context(socket.create_connection(("127.0.0.1", port), 10, (GREEDY, 0)))
                line.setblocking(False)
                if number % (1 + idle // streaming) == 0:
                    line.send(b"GET /api/v1/events HTTP/1.1\r\nHost: here\r\n\r\n")
            if number % ((idle + streaming) // asked + 1) == 0:
                begun = time.monotonic()
                answered += _ask(port, OTHER)
                seconds.append(time.monotonic() - begun)
        while len(seconds) < asked:
            begun = time.monotonic()
            answered += _ask(port, OTHER)
            seconds.append(time.monotonic() - begun)
    return Crowded(idle, streaming, answered, len(seconds), sorted(seconds))


def _ask(port: int, source: str = GREEDY) -> bool:
    """Whether the page tells its state to this address."""
    try:
        with socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0)) as line:
            line.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            return line.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        return False
