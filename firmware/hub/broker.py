"""The broker that a hub brings along: amqtt, with the hub's own tables and what each may say."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

from amqtt.broker import Broker
from amqtt.contexts import Action, BaseContext
from amqtt.errors import AMQTTError
from amqtt.plugins.base import BaseAuthPlugin, BaseTopicPlugin
from amqtt.session import Session

from firmware.hub.contract import FROM_TABLE, ROOT, TO_TABLE, topic
from firmware.machine.errors import UsageError

LetIn = Callable[[str, str], bool]
"""Whether a table of this name, with this password, may come in."""
START = 20.0
"""Seconds in which the broker has to listen …"""
FAREWELL = 2.0
"""… and in which clients are told that it closes, before their lines are cut."""
HUB = "hub"
"""The user that is the hub itself: no table can have that name while its password is the hub's own."""


@dataclass(frozen=True)
class Listening:
    """Where the broker listens, and with which certificate, if with any."""

    host: str
    port: int
    certificate: Path | None = None
    key: Path | None = None


def may(user: str, name: str, action: str) -> bool:
    """Whether a table may publish to a topic, or hear it."""
    if action == Action.PUBLISH:
        return name in {topic(user, kind) for kind in FROM_TABLE}
    allowed = {topic(user, kind) for kind in (*TO_TABLE, "online")}
    return name in allowed or name == f"{ROOT}/hubs/+" or name.startswith(f"{ROOT}/hubs/")


class InnerBroker:
    """Runs in a thread of its own."""

    def __init__(self, listening: Listening, let_in: LetIn, password: str) -> None:
        self._listening, self._let_in, self._password = listening, let_in, password
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._ready, self._failed = Event(), ""
        self._thread = Thread(target=self._run, name="broker", daemon=True)
        # It would print what every client does.
        logging.getLogger("amqtt").setLevel(logging.CRITICAL)
        logging.getLogger("transitions").setLevel(logging.CRITICAL)

    def open(self) -> None:
        self._thread.start()
        if not self._ready.wait(START) or self._failed:
            where = f"{self._listening.host}:{self._listening.port}"
            raise UsageError(
                f"the broker cannot listen at {where}: choose another port with --mqtt-port {self._failed}"
            )

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join(timeout=10)

    def check(self, user: str, password: str) -> bool:
        """Whether someone may come in; tables, and the hub itself."""
        if user == HUB and password == self._password:
            return True
        return self._let_in(user, password)

    def is_hub(self, session: Session) -> bool:
        return bool(session.username == HUB and session.password == self._password)

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._serve())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
        finally:
            self._loop.close()

    async def _serve(self) -> None:
        try:
            broker = DiscreetBroker(self._config())
            await broker.start()
        except (AMQTTError, OSError, ValueError) as error:
            self._failed = f"({error})"
            self._ready.set()
            return
        self._ready.set()
        await self._stop.wait()
        await broker.shutdown()

    def _config(self) -> dict[str, Any]:
        host = f"[{self._listening.host}]" if ":" in self._listening.host else self._listening.host
        listener: dict[str, Any] = {"type": "tcp", "bind": f"{host}:{self._listening.port}"}
        if self._listening.certificate is not None:
            certificate, key = self._listening.certificate, self._listening.key or self._listening.certificate
            listener |= {"ssl": True, "certfile": str(certificate), "keyfile": str(key)}
        here = f"{__name__}."
        return {
            "listeners": {"default": listener},
            "plugins": {f"{here}WhoComesIn": {"broker": self}, f"{here}WhoSaysWhat": {"broker": self}},
        }


class DiscreetBroker(Broker):  # type: ignore[misc] # amqtt tells no types
    """amqtt gives a client that connects all that is retained for anybody's subscriptions. This one gives what the
    client itself has subscribed to."""

    def __init__(self, config: dict[str, Any]) -> None:
        super().__init__(config)
        self._lines: set[asyncio.StreamWriter] = set()

    async def stream_connected(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, listener_name: str
    ) -> None:
        self._lines.add(writer)
        try:
            await super().stream_connected(reader, writer, listener_name)
        finally:
            self._lines.discard(writer)
            # amqtt leaves some open.
            writer.close()

    async def shutdown(self) -> None:
        for server in self._servers.values():
            if server.instance is not None:
                server.instance.close()
        # A message on its way to somebody who does not answer would hold it up for ever.
        with suppress(TimeoutError):
            await asyncio.wait_for(super().shutdown(), FAREWELL)
        for line in self._lines:
            line.transport.abort()
        here = asyncio.current_task()
        others = [task for task in asyncio.all_tasks() if task is not here]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _publish_retained_messages_for_subscription(
        self, subscription: tuple[str, int], session: Session
    ) -> None:
        subscribers = self._subscriptions.get(subscription[0], ())
        if any(each.client_id == session.client_id for each, _ in subscribers):
            await super()._publish_retained_messages_for_subscription(subscription, session)


class WhoComesIn(BaseAuthPlugin):  # type: ignore[misc]
    """Asks the hub's database about every table."""

    @dataclass
    class Config:
        broker: InnerBroker

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        self._broker: InnerBroker = self.config.broker

    async def authenticate(self, *, session: Session) -> bool:
        if not session.username or not session.password:
            return False
        user, password = str(session.username), str(session.password)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, self._broker.check, user, password)


class WhoSaysWhat(BaseTopicPlugin):  # type: ignore[misc]
    """A table speaks under its own name only, and hears what is meant for it."""

    @dataclass
    class Config:
        broker: InnerBroker

    def __init__(self, context: BaseContext) -> None:
        super().__init__(context)
        self._broker: InnerBroker = self.config.broker

    async def topic_filtering(
        self, *, session: Session | None = None, topic: str | None = None, action: Action | None = None
    ) -> bool:
        if session is None or topic is None or action is None or not session.username:
            return False
        return self._broker.is_hub(session) or may(str(session.username), topic, action)
