"""Refereeing a recording: frames in, events out."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import numpy.typing as npt

from engine.core import COLOURS, Json, Rules
from engine.match import Match
from engine.referee.news import Accepted
from engine.referee.reading import Reading
from engine.referee.table import Patience, Seen, Table, step
from firmware.bundle import Bundle
from firmware.camera import Camera, open_recording
from firmware.errors import UsageError
from firmware.eyes import check_refereed, make_eye, read_colours, read_lens
from firmware.learning import PaintLearner
from firmware.looking import told
from firmware.table_args import dealt
from vision.frame import Frame
from vision.look import BoardNotFoundError, Eye, Look

SMALL = (160, 90)
"""A picture made so small, noise averages out."""
STIRRED, SHARE = 8, 0.003
"""Steps of 255 by which a small pixel must change, and the share of pixels that must, for something to have moved."""

FIRST_FRAMES, SURE = 4, 5.0
"""A match begins with the first picture whose sheets are all sure by so much, or with so many that are not."""


class Watcher:
    """One match seen frame by frame. It starts when the board is first seen whole, each sheet lying as it lies then."""

    def __init__(self, eye: Eye, match: Match, translate: Callable[[Reading], Reading] | None = None) -> None:
        """`translate` gives a reading the colours that the rules know."""
        self.eye = eye
        self._translate = translate
        self.match = match
        self.table: Table | None = None
        self.hold: Callable[[Table, Table], Table] | None = None
        """Has the last word about a step: what a table was before it, what it would be, what it is to be."""
        self.before: Look | None = None
        self._small: npt.NDArray[np.int16] | None = None
        self._first: list[Reading] = []
        self._covered: float | None = None
        """Since when something lies on the board unmoved before the match has begun."""
        self._learner = PaintLearner()

    def see(self, frame: Frame) -> list[Json]:
        """What there is to say after this frame, as the event log writes it."""
        restless = self._restless(frame)
        try:
            self.before = self.eye.look(frame, self.before)
        except BoardNotFoundError:
            self.before = None
        reading = self.before.reading if self.before else None
        if reading is not None and self._translate is not None:
            reading = self._translate(reading)
        if reading is not None and not restless:
            # Noise stirs a few cells of the board; what really moves there stirs the whole picture.
            reading = replace(reading, moving=frozenset())
        if self.table is None and not self._begin(reading, frame.seconds):
            return []
        assert self.table is not None
        after = step(self.table, Seen(frame.seconds, reading, restless))
        self.table = after if self.hold is None else self.hold(self.table, after)
        if self.before is not None and any(isinstance(news, Accepted) for news in self.table.news):
            self.eye = self._learner.learn(self.eye, frame, self.before)
        return [{"t": round(frame.seconds, 3)} | record for record in self.table.records()]

    def _begin(self, reading: Reading | None, seconds: float) -> bool:
        """Whether the match can begin with this reading: the positions of all sheets must be clear, or as clear as
        some frames together make them, and what covers the board must have lain there for a while."""
        if reading is None or reading.moving or not reading.covered:
            self._covered = None
        elif self._covered is None:
            self._covered = seconds
        if reading is None or reading.moving:
            return False
        if self._covered is not None and seconds - self._covered < Patience().lying:
            return False
        self._first.append(reading)
        turns = {
            name: [sum(values) for values in zip(*(first.sheets[name] for first in self._first), strict=True)]
            for name in reading.sheets
        }
        if len(self._first) < FIRST_FRAMES and not all(_is_sure(values) for values in turns.values()):
            return False
        self.table = Table.begin(self.match, {name: values.index(max(values)) for name, values in turns.items()})
        self._first.clear()
        return True

    def _restless(self, frame: Frame) -> bool:
        """Whether something moves anywhere in the picture."""
        small = cv2.resize(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), SMALL, interpolation=cv2.INTER_AREA)
        before, self._small = self._small, np.asarray(small, dtype=np.int16)
        if before is None:
            return False
        change = self._small - before
        return bool((np.abs(change - np.median(change)) > STIRRED).mean() > SHARE)


def _is_sure(values: Sequence[float]) -> bool:
    """Whether one position of a sheet is far likelier than the next."""
    *_, second, best = sorted(values)
    return best - second > SURE


def watch(
    rules: Rules,
    source: str,
    players: int,
    fps: float | None,
    as_json: bool,
    lens: Path | None,
    colours: Path | None,
    bundle: Path | None,
) -> int:
    """Print the events of a recording."""
    if fps is not None and not 0 < fps <= 1000:
        raise UsageError(f"--fps must be above 0 and at most 1000, not {fps:g}")
    check_refereed(rules.game.name)
    setup = dealt(rules, players, Random(0))
    match = Match.begin(rules, players, setup)
    board = rules.game.board(players, setup)
    camera = open_recording(source, fps)
    report = Bundle(bundle, board.record()) if bundle else None
    watcher = Watcher(make_eye(board, read_lens(lens), read_colours(colours)), match)
    try:
        _follow(camera, watcher, as_json, report)
    finally:
        camera.close()
    if report is not None:
        report.close()
    return 0


def _follow(camera: Camera, watcher: Watcher, as_json: bool, report: Bundle | None) -> None:
    for frame in camera.frames():
        if frame is None:
            continue
        news = watcher.see(frame)
        if report is not None:
            seen = told(watcher.eye.board, watcher.before) if watcher.before else {"found": False}
            report.add_frame(frame.bgr, {"t": frame.seconds, "events": news} | seen)
        for event in news:
            print(json.dumps(event) if as_json else in_words(event), flush=True)


def in_words(event: Json) -> str:
    """An event for people."""
    match event["event"]:
        case "action":
            said = f"{event['ply'] + 1}. {COLOURS[event['seat']]} {event['action']}"
        case "undo":
            said = f"{event['to_ply']} actions stand"
        case "unclear":
            said = " or ".join(event["actions"])
        case "result":
            winners = event["winner"] if isinstance(event["winner"], list) else [event["winner"]]
            said = f"{', '.join(COLOURS[seat] for seat in winners)} by {event['by']}"
        case "resign":
            said = COLOURS[event["seat"]]
        case _:
            said = event.get("text") or ", ".join(event.get("sites", ()))
    return f"{event['t']:8.1f} s  {event['event']:<10} {said}".rstrip()
