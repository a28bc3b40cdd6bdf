"""A table for the page's tests: the real sitting, desk and server process; only the eye is told what it sees."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Thread
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import numpy as np
import pytest
from page_nursery import start_page
from tabletop import read

from engine.board import Board, Print
from engine.core import Position
from engine.face import spelled
from engine.referee.reading import Reading
from engine.registry import find_game
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.machine.clock import wall_clock
from firmware.page.desk import Desk, Opening
from firmware.table.attending import Attendant
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.playing import Playing
from firmware.table.state import state_of, trace_of
from vision.frame import Frame

PIN = "4711"
RATE = 25.0
PATIENCE = 60.0
"""Seconds to wait for what is right in the end: machines that run all tests at once stand still at times."""


@dataclass
class PaperEye:
    """Reads what it is told stands on the table, without doubt."""

    board: Board
    seen: dict[str, str] = field(default_factory=dict)
    turns: dict[str, int] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    games: Mapping[str, frozenset[int]] = field(default_factory=dict)
    paints: Mapping[str, Any] = field(default_factory=dict)
    dice: Mapping[str, Mapping[Print, float]] = field(default_factory=dict)
    _read: tuple[object, Reading] | None = None

    def without(self, readers: Collection[str]) -> PaperEye:
        """It is told what it sees, whoever reads it."""
        return self

    def look(self, frame: Frame, before: object = None, motion: object = None) -> Any:  # noqa: ANN401 - as much of a look as is looked at
        told = dict(self.seen), dict(self.turns), frozenset(self.hidden)
        if self._read is None or self._read[0] != told:
            self._read = told, read(self.board, *told)
        reading = replace(self._read[1], fields=self.dice)
        pose = SimpleNamespace(distance=650.0, tilt=20.0, project=lambda points: points[:, :2] * 0.8 + (320, 180))
        return SimpleNamespace(reading=reading, pose=pose)

    def card_size(self, *_: object) -> None:
        """Nothing was printed."""

    def view(self, look: object) -> Any:  # noqa: ANN401 - as much of a view as is looked at
        """From above all is dark: there are no colours to learn."""
        sites = [site.at for site in self.board.sites.values()]
        return SimpleNamespace(
            sites=sites, appear=lambda places, _: places, looks=lambda places: np.full((len(places), 3), 1e-6)
        )


def shown(playing: Playing, position: Position) -> dict[str, str]:
    """The faces of a position by name, in the colours that are played with."""
    return spelled(playing.on_table(position.faces()))


class PageTable:
    """A table with a page. Its loop runs in a thread, as the program's does."""

    def __init__(self, log: Path, game: str | None = "memento-tuos", players: str = "red=Ada,blue=Ben") -> None:
        self.eye: PaperEye | None = None
        self.said: list[dict[str, Any]] = []
        self.words: SimpleQueue[str] = SimpleQueue()
        self._stop, self._log, self._game, self._players = Event(), log, game, players
        self.desk = Desk(Opening(port=0, pin=PIN, secret="00" * 32, log=str(log)), lambda _: None, start_page)
        self.address = ""
        self.sitting: Sitting
        ready = Event()
        # Whoever opens the log writes it: all of the table is made where it is run.
        self._thread = Thread(target=self._run, args=(ready,), daemon=True)
        self._thread.start()
        assert ready.wait(PATIENCE), "the page did not open"

    def _make_eye(self, board: Board, lens: object) -> Any:  # noqa: ANN401 - stands in for an eye
        self.eye = PaperEye(board)
        return self.eye

    def _run(self, ready: Event) -> None:
        picture, start = np.full((360, 640, 3), 120, np.uint8), time.monotonic()
        with Store(self._log) as store:
            gear = Gear(NoLights(), Outbox(store), wall=wall_clock, random=Random(1), cameras=lambda: ["paper"])
            gear.make_eye = self._make_eye
            self.sitting = Sitting(gear, "paper")
            if self._game is not None:
                self.sitting.play(MatchPlan(find_game(self._game).configure(), Seating.parse(self._players)))
            self.address = self.desk.open(state_of(self.sitting), trace_of(self.sitting)).rstrip("/")
            attendant = Attendant(self.sitting, self.words, self.desk, lambda said: self.said.append(said.record()))
            while not self._stop.wait(1 / RATE):
                frame = Frame(picture, time.monotonic() - start)
                attendant.serve(frame)
                ready.set()
            attendant.close()

    # What happens on the table

    @property
    def faces(self) -> dict[str, str]:
        """What should stand there by the match, in the colours on the table."""
        assert self.sitting.playing is not None
        assert self.sitting.playing.table is not None
        return shown(self.sitting.playing, self.sitting.playing.table.match.position)

    def put(self, **sites: str | None) -> None:
        """Change what stands on some sites; None empties one."""
        assert self.eye is not None
        seen = {**self.eye.seen, **sites}
        self.eye.seen = {site: face for site, face in seen.items() if face is not None}

    def play(self, text: str) -> None:
        """Carry out a legal action and wait until it is seen."""
        assert self.sitting.playing is not None
        assert self.eye is not None
        self.until(lambda: self.sitting.playing.table is not None)  # type: ignore[union-attr]
        playing = self.sitting.playing
        match = playing.table.match  # type: ignore[union-attr]
        action = match.rules.parse(text)
        for name, steps in action.turns.items():
            self.eye.turns = {**self.eye.turns, name: self.eye.turns.get(name, 0) + steps}
        self.eye.seen = shown(playing, match.position.play(action))
        self.until(lambda: playing.table.match.ply > match.ply)  # type: ignore[union-attr]

    def wish(self, path: str, **body: object) -> None:
        """Tell the referee something by the API, as another program would."""
        request = Request(
            f"{self.address}/api/v1{path}",
            json.dumps(body).encode(),
            {"Content-Type": "application/json", "X-Magister-Pin": PIN},
        )
        with urlopen(request, timeout=PATIENCE) as answer:
            assert answer.status == 200

    def refused(self, path: str, language: str, body: Mapping[str, object]) -> str:
        """What another program is told that may not wish for this."""
        headers = {"Content-Type": "application/json", "X-Magister-Pin": PIN, "Accept-Language": language}
        with pytest.raises(HTTPError) as caught:
            urlopen(Request(f"{self.address}/api/v1{path}", json.dumps(body).encode(), headers), timeout=PATIENCE)
        with caught.value as error:
            assert error.code == 409
            return str(json.load(error)["message"])

    def set(self, seat: int = 0, **sites: str) -> None:
        """A position, both on the table and in the match."""
        assert self.eye is not None
        self.until(lambda: self.sitting.playing.table is not None)  # type: ignore[union-attr]
        self.eye.seen = dict(sites)
        self.wish("/match/position", sites=sites, seat=seat)

    def archived(self, number: int) -> dict[str, Any]:
        """A match as the API tells it."""
        with urlopen(f"{self.address}/api/v1/matches/{number}", timeout=PATIENCE) as answer:
            told: dict[str, Any] = json.load(answer)
        return told

    def told(self) -> dict[str, Any]:
        """The state as the API tells it."""
        with urlopen(f"{self.address}/api/v1/state", timeout=PATIENCE) as answer:
            state: dict[str, Any] = json.load(answer)
        return state

    def until(self, done: Callable[[], object], seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not done():
            assert time.monotonic() < end, f"waited for nothing; said so far: {self.said}"
            time.sleep(0.01)

    def close(self) -> None:
        self._stop.set()
        self._thread.join(timeout=5)
        self.desk.close()
