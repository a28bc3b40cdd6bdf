"""Tells systemd that the program is ready and alive. Without systemd, nothing is sent."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from contextlib import suppress

OFTEN = 3
"""How many heartbeats are sent within the watchdog time."""


class Heartbeat:
    """The program's side of `Type=notify` and `WatchdogSec=`."""

    def __init__(self, address: str | None, span: float | None) -> None:
        """`span`: seconds of silence after which systemd restarts the program; None: never."""
        # A name in the abstract space is written with @ and begins with a zero byte.
        self._address = "\0" + address[1:] if address and address.startswith("@") else address
        self._span = span
        self._due = float("-inf")
        self._ready = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str], pid: int) -> Heartbeat:
        span = environment.get("WATCHDOG_USEC", "")
        for_us = environment.get("WATCHDOG_PID", str(pid)) == str(pid)
        return cls(
            environment.get("NOTIFY_SOCKET"), int(span) / 1e6 if span.isdecimal() and int(span) and for_us else None
        )

    def beat(self, now: float) -> None:
        """Report that the program is alive at this time; the first beat reports that it is ready."""
        if not self._ready:
            self._ready = True
            self._send("READY=1")
        if self._span is not None and now >= self._due:
            self._due = now + self._span / OFTEN
            self._send("WATCHDOG=1")

    def stopping(self) -> None:
        self._send("STOPPING=1")

    def _send(self, text: str) -> None:
        if not self._address:
            return
        # A missing listener must not end the program.
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect(self._address)
            line.sendall(text.encode())
