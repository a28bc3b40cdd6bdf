"""What systemd hears of the program, at a socket of its kind."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.machine.heartbeat import Heartbeat

PID = 4711


class Listener:
    def __init__(self, address: str) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.line.bind(address)
        self.line.setblocking(False)

    def heard(self) -> list[str]:
        said = []
        while True:
            try:
                said.append(self.line.recv(100).decode())
            except BlockingIOError:
                return said


@pytest.fixture
def listener(tmp_path: Path) -> Iterator[Listener]:
    each = Listener(str(tmp_path / "notify"))
    yield each
    each.line.close()


def heart(listener: Listener, **more: str) -> Heartbeat:
    return Heartbeat.from_environment({"NOTIFY_SOCKET": listener.line.getsockname(), **more}, PID)


def test_ready_is_said_once_and_alive_three_times_a_span(listener: Listener) -> None:
    beating = heart(listener, WATCHDOG_USEC="60000000", WATCHDOG_PID=str(PID))
    beating.beat(100.0)
    assert listener.heard() == ["READY=1", "WATCHDOG=1"]
    beating.beat(119.9)
    assert listener.heard() == [], "not with every frame"
    beating.beat(120.0)
    assert listener.heard() == ["WATCHDOG=1"]


@pytest.mark.parametrize("more", [{}, {"WATCHDOG_USEC": "0"}, {"WATCHDOG_USEC": "5", "WATCHDOG_PID": "1"}])
def test_without_a_watchdog_of_ours_only_ready_is_said(listener: Listener, more: dict[str, str]) -> None:
    beating = heart(listener, **more)
    beating.beat(0.0)
    beating.beat(1000.0)
    beating.stopping()
    assert listener.heard() == ["READY=1", "STOPPING=1"]


def test_where_nobody_listens_nothing_happens(tmp_path: Path) -> None:
    for address in (None, "", str(tmp_path / "nobody")):
        beating = Heartbeat(address, 1.0)
        beating.beat(0.0)
        beating.stopping()


def test_a_name_in_the_abstract_space_is_heard() -> None:
    listener = Listener("\0magister-heartbeat-test")
    Heartbeat("@magister-heartbeat-test", None).beat(0.0)
    assert listener.heard() == ["READY=1"]
    listener.line.close()
