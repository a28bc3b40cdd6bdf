"""Many tables in one process: `python -m firmware.bench.rigs.hub_crowd PORT TABLES SECONDS EVERY`.

Each is a connection of its own and speaks as a table does: its state retained, its events at QoS 1.
"""

from __future__ import annotations

import json
import select
import sys
import time
from random import Random
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from engine.registry import find_game
from firmware.hub.contract import EventLine, Lines, Started, match_id, packed, topic

BOARD = {"game": "rings", "title": "Rings", "phase": "playing", "begun": True, "turns": {}, "recent": []}


class CrowdTable:
    def __init__(self, number: int, port: int) -> None:
        self.name = f"Table {number}"
        start = Started(
            1,
            "2026-01-01T00:00:00",
            "rings",
            None,
            _players(0.0),
            {},
            find_game("rings").configure().deal(2, Random(1)),
            {},
        )
        self.match, self._start, self.sent = match_id(self.name, 1, str(time.time())), start, 0
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=self.name)
        self._lines: list[EventLine] = []
        self.client.max_inflight_messages_set(100)
        self.client.on_message = self._hear
        self.client.connect("127.0.0.1", port, 120)

    def _hear(self, _: object, __: object, message: mqtt.MQTTMessage) -> None:
        told = json.loads(message.payload)["matches"].get(self.match, {})
        if told.get("again"):
            # As a table does: from there on once more.
            self._send("events", Lines(self.match, self._start, self._lines[told["next"] :]).pack())

    def join(self) -> None:
        self.client.subscribe(topic(self.name, "have"), 1)
        self._send("online", packed(online=True, session=self.name, uid=self.name), retain=True)

    def act(self) -> None:
        line = EventLine(self.sent, "2026-01-01T00:00:00", 0.0, "peek", {"site": "a1"})
        self._lines.append(line)
        self._send("events", Lines(self.match, self._start, [line]).pack())
        state = BOARD | {
            "players": _players(time.time()),
            "seat": self.sent % 2,
            "ply": self.sent,
            "faces": {"a1": "red"},
        }
        self._send("state", packed(now="", calling=False, state=state), retain=True)
        self.sent += 1

    def _send(self, kind: str, payload: bytes, retain: bool = False) -> None:
        self.client.publish(topic(self.name, kind), payload, qos=1, retain=retain)


def _players(sent: float) -> list[dict[str, Any]]:
    """A name carries the time at which it was sent."""
    return [{"name": f"@{sent:.4f}@", "colour": "red"}, {"name": "Ben", "colour": "yellow"}]


def speak(port: int, number: int, seconds: float, every: float) -> None:
    crowd = [CrowdTable(each, port) for each in range(number)]
    waiting = select.poll()
    by_file = {}
    for speaker in crowd:
        file = speaker.client.socket()
        assert file is not None
        waiting.register(file, select.POLLIN)
        by_file[file.fileno()] = speaker

    def serve(seconds: float) -> None:
        end = time.monotonic() + seconds
        while True:
            for file, _ in waiting.poll(max(0.0, min(0.02, end - time.monotonic())) * 1000):
                by_file[file].client.loop_read()
            for speaker in crowd:
                if speaker.client.want_write():
                    speaker.client.loop_write()
            if time.monotonic() >= end:
                return

    serve(1)
    for speaker in crowd:
        speaker.join()
    serve(2)
    begun = time.monotonic()
    due = [(begun + every * place / number, speaker) for place, speaker in enumerate(crowd)]
    while time.monotonic() < begun + seconds:
        now = time.monotonic()
        for place, (at, speaker) in enumerate(due):
            if at <= now:
                speaker.act()
                due[place] = at + every, speaker
        serve(0.01)
    serve(3)
    print(json.dumps({"sent": sum(speaker.sent for speaker in crowd), "seconds": time.monotonic() - begun}), flush=True)


if __name__ == "__main__":
    speak(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]))
