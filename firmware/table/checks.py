"""Is the table ready? What the guided set-up checks before a match begins; the page has a sentence for every name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.board import DICTIONARY, Board, CameraRange
from engine.core import Json
from engine.face import EMPTY, Face
from vision.find.fiducials import find_fiducials
from vision.find.lens import LensError
from vision.find.not_found import pose_ids, sought_ids
from vision.frame import Frame, Image
from vision.look import BoardNotFoundError, Eye, Look

DARK, BRIGHT = 80, 235
"""Of 255: what should be white, the lightest twentieth of the picture, is darker; or half of all is brighter."""
ENOUGH = 0.75
"""Share of the board's fiducials that should be in sight."""
SLACK = 1.05
"""Times what the board promises, before a camera counts as too far, too near or too tilted."""
SURE = 0.9


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `problem` is empty where all is well."""

    name: str
    problem: str = ""
    facts: Json = field(default_factory=dict)

    def record(self) -> Json:
        return {"name": self.name, "ok": not self.problem, "problem": self.problem} | self.facts


def check_table(eye: Eye, frame: Frame, start: Mapping[str, Face]) -> tuple[list[Check], Look | None]:
    """Everything about the table in this picture that a match needs; `start` is what should stand on the board."""
    grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        look = eye.look(frame)
    except (BoardNotFoundError, LensError):
        return [_light(grey), _not_found(eye, grey)], None
    return [_light(grey), Check("board"), *_standing(eye, look, grey), _pieces(eye, look, start)], look


def _light(grey: Image) -> Check:
    middle, light = np.percentile(grey, (50, 95))
    return Check("light", "dark" if light < DARK else "bright" if middle > BRIGHT else "")


def _not_found(eye: Eye, grey: Image) -> Check:
    """Why the board is not to be seen, as far as its fiducials tell."""
    found = find_fiducials(grey, DICTIONARY, sought_ids(eye.board, eye.games))
    own = pose_ids(eye.board)
    if not found.corners:
        return Check("board", "missing")
    if not found.corners.keys() & own:
        others = [game for game, ids in eye.games.items() if ids & found.corners.keys()]
        return Check("board", "other", {"game": others[0] if others else None})
    if found.twice & own:
        return Check("board", "twice")
    return Check("board", "covered", _counted(len(found.corners.keys() & own), len(own)))


def _standing(eye: Eye, look: Look, grey: Image) -> Sequence[Check]:
    own, reach = pose_ids(eye.board), eye.board.camera
    seen = len(find_fiducials(grey, DICTIONARY, sought_ids(eye.board, eye.games)).corners.keys() & own)
    distance, tilt = look.pose.distance, look.pose.tilt
    return (
        Check("fiducials", "" if seen >= ENOUGH * len(own) else "covered", _counted(seen, len(own))),
        Check("distance", _distance_problem(reach, distance), {"millimetres": round(distance)}),
        Check("tilt", _tilt_problem(reach, tilt), {"degrees": round(tilt)}),
    )


def standing_problem(board: Board, distance: float, tilt: float) -> str:
    """What is wrong with where the camera is, as `distance_far`; empty if nothing is."""
    if problem := _distance_problem(board.camera, distance):
        return f"distance_{problem}"
    problem = _tilt_problem(board.camera, tilt)
    return f"tilt_{problem}" if problem else ""


def _distance_problem(reach: CameraRange, distance: float) -> str:
    nearest, furthest = reach.distance
    return "far" if distance > furthest * SLACK else "near" if distance < nearest / SLACK else ""


def _tilt_problem(reach: CameraRange, tilt: float) -> str:
    return "tilted" if tilt > reach.tilt[1] * SLACK else ""


def _pieces(eye: Eye, look: Look, start: Mapping[str, Face]) -> Check:
    reading = look.reading
    if reading.covered:
        return Check("pieces", "hand")
    wrong = [
        site
        for site, guess in reading.guesses().items()
        if guess.best != start.get(site, EMPTY) and guess.p >= SURE and site in eye.board.sites
    ]
    return Check("pieces", "occupied" if wrong else "", {"sites": wrong})


def _counted(seen: int, of: int) -> Json:
    return {"seen": seen, "of": of}
