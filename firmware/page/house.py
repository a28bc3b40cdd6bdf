"""The table as the page process sees it: news arrives through one pipe, requests leave through another."""

from __future__ import annotations

import json
import time
from base64 import b64decode
from collections import deque
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from random import Random
from secrets import randbits
from threading import Condition, Lock
from typing import BinaryIO

from engine.core import Json
from engine.registry import find_game
from firmware.coaching.classroom import Classroom
from firmware.machine.versions import OURS, version_of
from firmware.page.analysis import StoredAnalysis
from firmware.page.archive import StoredArchive
from firmware.page.updates import PackageUpdates
from webui.house import Archive, HouseClosedError, Update, WishRefusedError

PATIENCE = 20.0
"""Seconds to wait for an answer: a frame takes a tenth, but a different game needs a new eye first."""
SILENCE = 5.0
"""Seconds without a heartbeat or a frame after which the state counts as out of date."""
KEPT = 256
"""Events kept for listeners that reconnect."""


class RemoteHouse:
    """Thread-safe: one thread listens to the program, many serve the page."""

    def __init__(
        self,
        out: BinaryIO,
        log: Path | None,
        files: Mapping[str, Path] | None = None,
        clock: Callable[[], float] = time.monotonic,
        index: str = "",
    ) -> None:
        self._out, self._clock = out, clock
        self._writing, self._changed = Lock(), Condition()
        self._update: Update | None = None
        self._news: deque[tuple[int, Json]] = deque(maxlen=KEPT)
        self._answers: dict[int, Json] = {}
        self._waiting: set[int] = set()
        # Not from 1: an answer meant for a previous page must not be taken for ours.
        self._ids = count(randbits(48))
        self._heard, self._frame_age = clock(), 0.0
        self._archive = StoredArchive(log, files) if log is not None else None
        running = version_of(OURS)
        self.version = running or "from source"
        self.updates = PackageUpdates(running, index)
        self.school = Classroom()
        self.analyst = StoredAnalysis(log) if log is not None else None

    @property
    def archive(self) -> Archive | None:
        return self._archive

    # What the program says

    def hear(self, message: Json) -> None:
        with self._changed:
            self._heard = self._clock()
            match message["type"]:
                case "update":
                    number = message["number"]
                    self._news.extend((number, event) for event in message["news"])
                    self._update = Update(number, message["state"], (), message.get("trace"))
                case "tick":
                    self._frame_age = message["age"]
                    return
                case "answer" | "picture" if message["id"] in self._waiting:
                    self._answers[message["id"]] = message
            self._changed.notify_all()

    # What the page asks

    def state(self) -> Update:
        with self._changed:
            self._changed.wait_for(lambda: self._update is not None, PATIENCE)
            if self._update is None:
                raise HouseClosedError
            return self._update

    def wait(self, since: int, timeout: float) -> Update | None:
        with self._changed:
            self._changed.wait_for(lambda: self._update is not None and self._update.number != since, timeout)
            now = self._update
            if now is None or now.number == since:
                return None
            news = tuple(event for number, event in self._news if number > since) if since <= now.number else ()
            return Update(now.number, now.state, news, now.trace)

    def alive(self) -> bool:
        return self._clock() - self._heard < SILENCE and self._frame_age < SILENCE

    def wish(self, kind: str, payload: Json) -> Json:
        until = self._clock() + PATIENCE
        answer = self._ask({"type": "wish", "kind": kind, "payload": payload, "until": until})
        if answer["refused"] is not None:
            raise WishRefusedError(answer["refused"]["message"], answer["refused"])
        told: Json = answer["told"]
        return told

    def picture(self, overlay: bool) -> bytes | None:
        jpeg = self._ask({"type": "picture", "overlay": overlay})["jpeg"]
        return b64decode(jpeg) if jpeg else None

    def glance(self, camera: str) -> bytes | None:
        jpeg = self._ask({"type": "glance", "camera": camera})["jpeg"]
        return b64decode(jpeg) if jpeg else None

    def board_to_print(self, game: str, players: int, paper: str, language: str, address: str) -> bytes:
        # What draws, and what reads pictures, is large.
        from firmware.settings.eyes import can_follow
        from hardware.printing.cover import CoverText
        from hardware.printing.pages import print_pages

        rules = find_game(game).configure()
        board = rules.game.board(players, rules.deal(players, Random(0)))
        return print_pages(board, rules.game.title, paper, language, CoverText(can_follow(rules.game), address))

    def say(self, message: Json) -> None:
        with self._writing:
            self._out.write(json.dumps(message).encode() + b"\n")
            self._out.flush()

    def _ask(self, question: Json) -> Json:
        number = next(self._ids)
        with self._changed:
            self._waiting.add(number)
        try:
            self.say(question | {"id": number})
            with self._changed:
                if not self._changed.wait_for(lambda: number in self._answers, PATIENCE):
                    raise HouseClosedError
                return self._answers.pop(number)
        finally:
            with self._changed:
                self._waiting.discard(number)
                self._answers.pop(number, None)
