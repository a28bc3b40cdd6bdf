"""A hub, put together: broker, database, and those who listen and show."""

from __future__ import annotations

import secrets
import socket
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from firmware.hub.address import BrokerAddress
from firmware.hub.broker import HUB, InnerBroker, Listening
from firmware.hub.database import get_setting, open_database, set_setting
from firmware.hub.hall import Hall
from firmware.hub.intake import Intake
from firmware.hub.library import Library
from firmware.hub.listener import Listener
from firmware.hub.people import People
from firmware.hub.tournaments.keeping import Tournaments
from firmware.machine.errors import Say, UsageError


@dataclass(frozen=True)
class HubPlan:
    """What a hub is made of."""

    database: str
    broker: str = ""
    """The address of a broker that runs elsewhere; nothing: the hub brings its own."""
    ca: Path | None = None
    listening: Listening = field(default_factory=lambda: Listening("127.0.0.1", 1883))


class Hub:
    def __init__(self, plan: HubPlan, say: Say, wall: Callable[[], float] = time.time) -> None:
        self._stack = ExitStack()
        with ExitStack() as half_made:
            self.engine = open_database(plan.database)
            half_made.callback(self.engine.dispose)
            self.wall = wall
            self.people, self.library, self.hall = People(self.engine, wall), Library(self.engine), Hall(wall)
            self.tournaments = Tournaments(self.engine, wall)
            address, password = _inner(plan, self.people, half_made) if not plan.broker else (None, None)
            self.address = address or BrokerAddress.parse(plan.broker, plan.ca)
            """The broker's."""
            self.has_own_broker = not plan.broker
            intake = Intake(self.engine, wall)
            self.listener = Listener(self.address, intake, self.hall, say, HUB if password else None, password)
            self.listener.open()
            half_made.callback(self.listener.close)
            self._stack = half_made.pop_all()

    def secret(self) -> bytes:
        """Signs the cookies of all hubs at this database."""
        if not (kept := get_setting(self.engine, "secret")):
            set_setting(self.engine, "secret", secrets.token_hex(32))
            kept = get_setting(self.engine, "secret")
        return bytes.fromhex(kept)

    def close(self) -> None:
        """May be called twice."""
        self._stack.close()

    def __enter__(self) -> Hub:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _inner(plan: HubPlan, people: People, stack: ExitStack) -> tuple[BrokerAddress, str]:
    listening, password = plan.listening, secrets.token_hex(24)
    port = listening.port or _free_port(listening.host)
    listening = Listening(listening.host, port, listening.certificate, listening.key)
    broker = InnerBroker(listening, people.let_in, password)
    stack.callback(broker.close)
    broker.open()
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(listening.host, listening.host)  # noqa: S104 - looked up
    is_tls = listening.certificate is not None
    return BrokerAddress(host, port, is_tls, ca=listening.certificate, is_own=is_tls), password


def _free_port(host: str) -> int:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        try:
            probe.bind((host, 0))
        except (OSError, ValueError) as error:
            raise UsageError(f"{host} is not an address of this machine: choose another with --host") from error
        return int(probe.getsockname()[1])
