"""A hub and tables for tests: the real broker, database and links, in one process and a temporary folder."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from firmware.hub.address import BrokerAddress
from firmware.hub.assembly import Hub, HubPlan
from firmware.hub.broker import Listening
from firmware.hub.key import FILE, TableKey
from firmware.hub.link import Link
from firmware.log.store import Store

PATIENCE = 30.0
PASSWORD = "correct horse"
Call = Callable[..., FlaskClient]
"""Somebody with a role, at a browser of their own."""


def send(client: FlaskClient, path: str, **body: object) -> Any:  # noqa: ANN401 - flask's answer
    token = client.get("/api/v1/session").get_json()["token"]
    return client.post(path, json=body, headers={"X-Magister-Token": token})


def until(done: Callable[[], object], seconds: float = PATIENCE) -> None:
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "waited for nothing"
        time.sleep(0.02)


def lasting_port() -> int:
    """A free port below those that systems hand out: nobody gets it by chance while a hub is away for a moment."""
    for port in count(20000 + 37 * os.getpid() % 10000):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError


class HubRoom:
    def __init__(self, folder: Path, port: int = 0) -> None:
        self.folder, self.said = folder, list[str]()
        self._stack = ExitStack()
        self._port = port or lasting_port()
        self.hub: Hub
        self.open_hub()

    def open_hub(self) -> None:
        plan = HubPlan(f"sqlite:///{self.folder / 'hub.sqlite'}", listening=Listening("127.0.0.1", self._port))
        self.hub = Hub(plan, self.said.append)
        self._port = self.hub.address.port

    def close(self) -> None:
        self._stack.close()
        self.hub.close()

    def log(self, name: str) -> Store:
        """The log of a table, for whoever plays there."""
        return self._stack.enter_context(Store(self.folder / name / "matches.sqlite"))

    def table(self, name: str, folder: str | None = None, said: Callable[[str], object] = lambda _: None) -> Link:
        """A table that joins."""
        path = self.folder / (folder or name) / "matches.sqlite"
        path.parent.mkdir(exist_ok=True)
        address = BrokerAddress("127.0.0.1", self._port)
        token = self.hub.people.invite_table(name)
        link = Link(address, name, TableKey.kept(path.with_name(FILE)), path, said, token=token)
        self._stack.callback(link.close)
        link.open()
        return link
