"""The hub's ear: hears all tables at the broker, shows them, and takes what they tell into the database."""

from __future__ import annotations

import secrets
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Lock, Thread
from typing import Any

import paho.mqtt.client as mqtt

from engine.core import Json
from firmware.hub.address import BrokerAddress
from firmware.hub.contract import (
    ROOT,
    ForeignPayloadError,
    Lines,
    hub_topic,
    packed,
    read_counts,
    read_topic,
    topic,
    unpacked,
)
from firmware.hub.database import TROUBLE, reason
from firmware.hub.hall import Hall
from firmware.hub.intake import Intake
from firmware.machine.errors import Say

KEEPALIVE = 15
MOST_WAITING = 2000
"""Messages in memory; what does not fit is not confirmed, so that its table sends it again."""
TOGETHER = 200
"""Messages that are taken in by one transaction."""
AGAIN = 2.0
"""Seconds before the database is tried again."""
ANSWER = 8.0
"""Seconds that a table gets to answer a wish."""
MOST_COMPLAINTS = 500


class NoAnswerError(Exception):
    """A table has not answered in time."""


class Listener:
    def __init__(
        self,
        address: BrokerAddress,
        intake: Intake,
        hall: Hall,
        say: Say,
        user: str | None = None,
        password: str | None = None,
    ) -> None:
        self._address, self._intake, self._hall, self._say = address, intake, hall, say
        self.session = secrets.token_hex(8)
        self._queue: Queue[tuple[str, Json | Lines]] = Queue(MOST_WAITING)
        self._closing = Event()
        self._complaints: set[str] = set()
        self._problem = ""
        self._answers: dict[str, Json] = {}
        self._waiting: dict[str, Event] = {}
        self._lock = Lock()
        self._client = address.client(f"magister-hub-{self.session}", user, password)
        self._client.max_inflight_messages_set(200)
        self._client.max_queued_messages_set(MOST_WAITING)
        self._client.will_set(hub_topic(self.session), b"", qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = lambda _, __, message: self.hear(message)
        self._writer = Thread(target=self._write, name="hub-writer", daemon=True)

    def open(self) -> None:
        self._client.connect_async(self._address.host, self._address.port, KEEPALIVE)
        self._client.loop_start()
        self._writer.start()

    def close(self) -> None:
        if self._closing.is_set():
            return
        self._closing.set()
        self._writer.join(timeout=5)
        if self._client.is_connected():
            with suppress(RuntimeError, ValueError):
                # The line may have gone in the meantime: then the last will says it.
                self._client.publish(hub_topic(self.session), b"", qos=1, retain=True).wait_for_publish(1)
        self._client.disconnect()
        self._client.loop_stop()

    def send(self, table: str, kind: str, payload: bytes) -> None:
        """Say something to a table."""
        self._client.publish(topic(table, kind), payload, qos=1)

    def wish(self, table: str, kind: str, payload: Json, match: int | None, ply: int | None) -> Json:
        """Ask something of a table and wait for its answer; raises `NoAnswerError`."""
        id_, done = secrets.token_hex(8), Event()
        with self._lock:
            self._waiting[id_] = done
        try:
            self.send(table, "wish", packed(id=id_, kind=kind, payload=payload, match=match, ply=ply))
            if not done.wait(ANSWER):
                raise NoAnswerError
            with self._lock:
                return self._answers.pop(id_)
        finally:
            with self._lock:
                del self._waiting[id_]
                self._answers.pop(id_, None)

    # paho's thread

    def _on_connect(self, client: mqtt.Client, _: object, __: object, reason: Any, ___: object) -> None:  # noqa: ANN401
        if reason.is_failure:
            self._complain(f"the broker at {self._address} does not let this hub in ({str(reason).lower()})")
            return
        self._complaints.clear()
        self._hall.set_trouble(self._problem)
        client.subscribe(f"{ROOT}/tables/+/+", 1)
        client.publish(hub_topic(self.session), packed(session=self.session), qos=1, retain=True)

    def _on_connect_fail(self, *_: object) -> None:
        self._hall.set_trouble("broker")
        self._complain(f"the broker at {self._address} cannot be reached; it is tried again and again")

    def _on_disconnect(self, *_: object) -> None:
        # Nobody tells who has gone; who is there will say so again.
        self._hall.lose_all()
        if not self._closing.is_set():
            self._hall.set_trouble("broker")

    def hear(self, message: mqtt.MQTTMessage) -> None:
        """What the broker passes on."""
        try:
            table, kind = read_topic(message.topic)
            if not message.payload:
                if kind == "online":
                    self._hall.forget(table)
                return
            self._hear(table, kind, unpacked(bytes(message.payload)), is_kept=message.retain)
        except ForeignPayloadError as error:
            self._complain(f"{message.topic[:120]} {error}; it was left aside")

    def _hear(self, table: str, kind: str, told: Json, *, is_kept: bool) -> None:
        """`is_kept`: the broker has kept it, for how long nobody knows."""
        match kind:
            case "online":
                self._hall.hear_presence(table, told)
            case "state":
                self._hall.hear_state(table, told, is_kept=is_kept)
                if view := self._hall.view(table):
                    self._note_skew(table, view.skew)
            case "events":
                self._wait_for_writer(table, Lines.read(told))
            case "log":
                self._wait_for_writer(table, {"matches": read_counts(told)})
            case "answer":
                with self._lock:
                    if (done := self._waiting.get(str(told.get("id")))) is not None:
                        self._answers[str(told["id"])] = told
                        done.set()

    def _note_skew(self, table: str, skew: float) -> None:
        if skew:
            minutes = f"{abs(skew) / 60:.0f} minutes" if abs(skew) >= 90 else f"{abs(skew):.0f} seconds"
            self._complain(
                f"the clock of table {table} is {minutes} {'ahead' if skew > 0 else 'behind'}: set it right", table
            )

    def _wait_for_writer(self, table: str, told: Json | Lines) -> None:
        try:
            self._queue.put_nowait((table, told))
        except Full:
            # It is not confirmed, and so it comes again.
            return

    def _complain(self, text: str, key: str | None = None) -> None:
        """Say it, but each thing once."""
        if (key or text) not in self._complaints and len(self._complaints) < MOST_COMPLAINTS:
            self._complaints.add(key or text)
            self._say(text)

    # The thread that writes

    def _write(self) -> None:
        while not self._closing.is_set():
            try:
                together = [self._queue.get(timeout=0.2)]
            except Empty:
                continue
            while len(together) < TOGETHER:
                try:
                    together.append(self._queue.get_nowait())
                except Empty:
                    break
            try:
                self._take_in(together)
            except TROUBLE as error:
                self._suffer(reason(error))
                self._closing.wait(AGAIN)
            else:
                self._recover()

    def _take_in(self, together: list[tuple[str, Json | Lines]]) -> None:
        lines = [(table, told) for table, told in together if isinstance(told, Lines)]
        for table, have in self._intake.take(lines).items() if lines else ():
            self.send(table, "have", packed(matches=have))
        for table, told in together:
            if not isinstance(told, Lines):
                have = self._intake.have(table, told["matches"])
                self.send(table, "have", packed(matches=have))

    def _suffer(self, why: str) -> None:
        if not self._problem:
            self._say(f"the database cannot be written: {why}; tables keep their matches and send them again")
        self._problem = "database"
        self._hall.set_trouble(self._problem)

    def _recover(self) -> None:
        if self._problem:
            self._problem = ""
            self._hall.set_trouble("")
            self._say("the database can be written again; the tables send what is missing")
