"""A table's line to its hub, in threads of its own: whatever the network does, no frame waits for it.

The log is the truth. Nothing is queued here: what the hub lacks is read from the log when the hub can be reached.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

import paho.mqtt.client as mqtt

from engine.core import Json
from firmware.hub.address import BrokerAddress
from firmware.hub.contract import ROOT, ForeignPayloadError, packed, topic, unpacked
from firmware.hub.deliveries import Deliveries
from firmware.hub.home_assistant import PRESSED, TAKE_BACK, announcements
from firmware.hub.key import TableKey
from firmware.hub.line import HubWish
from firmware.hub.pages_of_log import LogPages
from firmware.log.match.record import LogError
from firmware.machine.clock import Clock, wall_clock
from firmware.machine.errors import Say
from firmware.machine.versions import OURS, version_of

LOOK = 0.5
"""Seconds between two looks at the log where nobody says that something is new …"""
STATES = 0.1
"""… and at least between two states."""
RECENT = 12
"""Events that the state tells."""
KEEPALIVE = 15
HEARSAY = 1.0
"""Seconds to wait for word of another table of this name."""
WISHES = ("answer", "none", "take_back", "calm", "begin")
"""What a hub may ask of a table."""
MOST_WAITING = 64
SILENT = ("cameras", "usual_rules", "checks", "log", "assist", "advice", "computers", "lesson", "hub")
"""Parts of the state that are only for the table itself."""


class Link:
    def __init__(
        self,
        address: BrokerAddress,
        table: str,
        key: TableKey,
        log: Path,
        say: Say,
        *,
        token: str = "",
        home_assistant: str = "",
        clock: Clock = time.monotonic,
        wall: Callable[[], str] = wall_clock,
    ) -> None:
        self.table = table
        self._address, self._key, self._say, self._clock, self._wall = address, key, say, clock, wall
        self._home_assistant = home_assistant
        self._session = secrets.token_hex(8)
        self._pages = LogPages(log, key.uid)
        self._deliveries = Deliveries(self._pages, clock)
        self._lock, self._wake, self._closing = Lock(), Event(), Event()
        self._state: Json | None = None
        self._is_new = False
        self._calls = False
        self._heard: SimpleQueue[tuple[str, bytes]] = SimpleQueue()
        self._wishes: SimpleQueue[HubWish] = SimpleQueue()
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._answered: deque[str] = deque(maxlen=MOST_WAITING)
        self._connected = False
        self._joined_at: float | None = None
        self._announced = False
        self._asks = False
        self._rival = ""
        self._hubs: set[str] = set()
        self._told: set[str] = set()
        self._published = float("-inf")
        password = f"{token}:{key.secret}" if token else key.secret
        self._client = address.client(f"magister-{key.uid}", table, password)
        self._client.max_queued_messages_set(2 * MOST_WAITING)
        self._client.will_set(topic(table, "online"), self._presence(is_online=False), qos=1, retain=True)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = lambda _, __, message: self.hear(message)
        self._worker = Thread(target=self._work, name="hub", daemon=True)

    # For the thread that owns the match: nothing here waits

    def open(self) -> None:
        self._client.connect_async(self._address.host, self._address.port, KEEPALIVE)
        self._client.loop_start()
        self._worker.start()

    def show(self, state: Json) -> None:
        """The table has changed."""
        with self._lock:
            self._state, self._is_new = state, True
        self._wake.set()

    def call(self, is_calling: bool) -> None:
        """Somebody at the table wants the arbiter, or no longer."""
        with self._lock:
            self._calls, self._is_new = is_calling, True
        self._wake.set()

    def record(self) -> Json:
        """How things are with the hub, for the page."""
        return {"table": self.table, "online": self._announced and bool(self._hubs), "calling": self._calls}

    def wishes(self) -> Iterator[HubWish]:
        while True:
            try:
                yield self._wishes.get_nowait()
            except Empty:
                return

    def answer(self, wish: HubWish, told: Json | None = None, refused: Json | None = None) -> None:
        self._answers.put(packed(id=wish.id, told=told or {}, refused=refused))
        self._wake.set()

    def close(self) -> None:
        """Say goodbye; may be called twice."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._wake.set()
        self._worker.join(timeout=2)
        if self._announced:
            with suppress(RuntimeError, ValueError):
                # The line may have gone in the meantime: then the last will says it.
                self._publish("online", self._presence(is_online=False), retain=True).wait_for_publish(1)
        self._client.disconnect()
        self._client.loop_stop()

    # paho's thread

    def _on_connect(self, client: mqtt.Client, _: object, __: object, reason: Any, ___: object) -> None:  # noqa: ANN401
        if reason.is_failure:
            refused = str(reason).lower()
            self._once(f"the hub at {self._address} does not let this table in ({refused}): join it with a new token")
            return
        self._told.clear()
        client.subscribe(
            [(topic(self.table, kind), 1) for kind in ("online", "have", "wish")] + [(f"{ROOT}/hubs/+", 1)]
        )
        if self._home_assistant == TAKE_BACK:
            client.subscribe(topic(self.table, "press"), 1)
        self._announced, self._rival, self._joined_at = False, "", self._clock()
        self._connected = True
        self._wake.set()

    def _on_connect_fail(self, *_: object) -> None:
        self._once(f"the hub at {self._address} cannot be reached; matches are kept and sent as soon as it can be")

    def _on_disconnect(self, *_: object) -> None:
        self._connected = self._announced = False
        self._hubs.clear()

    def hear(self, message: mqtt.MQTTMessage) -> None:
        """What the broker passes on."""
        if message.retain and message.topic == topic(self.table, "press"):
            # Pressed some time ago, for another match.
            return
        if message.retain and message.topic == topic(self.table, "online") and self._is_own(bytes(message.payload)):
            # It was we, before the power went; on a slow line it comes late.
            return
        if self._heard.qsize() < 10 * MOST_WAITING:
            self._heard.put((message.topic, bytes(message.payload)))
        self._wake.set()

    def _is_own(self, payload: bytes) -> bool:
        try:
            return unpacked(payload).get("uid") == self._key.uid
        except ForeignPayloadError:
            return False

    # The thread that reads the log and speaks

    def _work(self) -> None:
        while not self._closing.is_set():
            self._wake.wait(LOOK)
            self._wake.clear()
            try:
                self._take_in()
                if self._connected and self._is_alone():
                    self._speak()
            except LogError as error:
                self._once(f"the hub cannot be told of matches: {error}")
        self._pages.close()

    def _take_in(self) -> None:
        while True:
            try:
                name, payload = self._heard.get_nowait()
            except Empty:
                return
            try:
                self._hear(name, payload)
            except ForeignPayloadError as error:
                self._once(f"{name} {error}; it was left aside")

    def _hear(self, name: str, payload: bytes) -> None:
        if name.startswith(f"{ROOT}/hubs/"):
            session = name.rpartition("/")[2]
            if not payload:
                self._hubs.discard(session)
            elif session not in self._hubs:
                unpacked(payload)
                self._hubs.add(session)
                self._asks = True
            return
        if not payload:
            return
        if name == topic(self.table, "press"):
            self._take_press(payload)
            return
        told, kind = unpacked(payload), name.rpartition("/")[2]
        if name != topic(self.table, kind):
            return
        if kind == "online":
            self._see_presence(told)
        elif kind == "have" and isinstance(told.get("matches"), dict):
            self._deliveries.hear({id_: each for id_, each in told["matches"].items() if isinstance(each, dict)})
        elif kind == "wish":
            self._take_wish(told)

    def _see_presence(self, told: Json) -> None:
        """Another table of this name may be there; or our own last will comes after us."""
        uid, session = str(told.get("uid")), str(told.get("session"))
        if session == self._session and told.get("online") is True:
            return
        if not told.get("online"):
            self._rival = "" if uid == self._rival else self._rival
            if self._announced and not self._rival:
                self._announce()
            return
        if uid == self._key.uid and not self._announced:
            # It was we, before the power went.
            return
        if not self._announced or (uid, session) < (self._key.uid, self._session):
            self._rival, self._announced = uid, False
            copied = uid == self._key.uid
            self._once(
                f"another table is called {self.table!r} and uses the same key (was its disk copied?): delete hub.json "
                "next to the log here, and join with a new token"
                if copied
                else f"another table called {self.table!r} is at the hub: choose another name with --table"
            )

    def _take_press(self, payload: bytes) -> None:
        """The button of Home Assistant: it takes back the last action of the position that was shown last."""
        if payload != PRESSED.encode():
            raise ForeignPayloadError("is no button of this table")
        with self._lock:
            state = self._state or {}
        if self._wishes.qsize() < MOST_WAITING:
            self._wishes.put(HubWish(secrets.token_hex(8), "take_back", {}, state.get("match"), state.get("ply")))

    def _take_wish(self, told: Json) -> None:
        wish = told.get("id"), told.get("kind"), told.get("payload"), told.get("match"), told.get("ply")
        if not isinstance(wish[0], str) or wish[1] not in WISHES or not isinstance(wish[2], dict):
            raise ForeignPayloadError("is no wish that a table grants")
        # The broker may bring one twice.
        if wish[0] not in self._answered and self._wishes.qsize() < MOST_WAITING:
            self._answered.append(wish[0])
            self._wishes.put(HubWish(*wish))  # type: ignore[arg-type] # looked at above, and where it is granted

    def _is_alone(self) -> bool:
        """Whether this table may speak under its name."""
        if self._announced:
            return True
        if self._rival or self._joined_at is None or self._clock() - self._joined_at < HEARSAY:
            return False
        self._announce()
        self._asks = True
        return True

    def _announce(self) -> None:
        self._publish("online", self._presence(is_online=True), retain=True)
        self._announced = self._is_new = True
        if self._home_assistant:
            program = version_of(OURS) or "from source"
            for place, told in announcements(self.table, self._key.uid, program, self._home_assistant).items():
                payload = json.dumps(told, ensure_ascii=False).encode() if told is not None else b""
                self._client.publish(place, payload, qos=1, retain=True)

    def _presence(self, *, is_online: bool) -> bytes:
        about = {"uid": self._key.uid, "session": self._session, "program": version_of(OURS) or "from source"}
        return packed(online=is_online, **about)

    def _speak(self) -> None:
        now = self._clock()
        while not self._answers.empty():
            self._publish("answer", self._answers.get_nowait())
        with self._lock:
            state = self._state if self._is_new and now - self._published >= STATES else None
            if state is not None:
                self._is_new = False
        if state is not None:
            self._published = now
            shown = {name: value for name, value in state.items() if name not in SILENT}
            shown["recent"] = state.get("recent", [])[-RECENT:]
            self._publish("state", packed(now=self._wall(), calling=self._calls, state=shown), retain=True)
        elif self._is_new and self._state is not None:
            self._wake.set()
            time.sleep(STATES / 4)
        if not self._hubs:
            return
        if self._asks or self._pages.is_another():
            self._asks = False
            if self._pages.is_another():
                self._pages.close()
            for matches in self._deliveries.questions():
                self._publish("log", packed(matches=matches))
        for matches in self._deliveries.reminders():
            self._publish("log", packed(matches=matches))
        self._deliveries.note_changes()
        for lines in self._deliveries.next():
            self._publish("events", lines.pack())

    def _publish(self, kind: str, payload: bytes, retain: bool = False) -> mqtt.MQTTMessageInfo:
        return self._client.publish(topic(self.table, kind), payload, qos=1, retain=retain)

    def _once(self, text: str) -> None:
        if text not in self._told:
            self._told.add(text)
            self._say(text)
