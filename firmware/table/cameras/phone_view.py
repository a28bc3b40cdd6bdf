"""What the phone that is the camera is told: how it lies, and what is read in its picture."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.board import Board
from engine.core import Json
from engine.face import BARE, EMPTY
from firmware.devices.signals import Status
from firmware.table.beginning.checks import standing_problem
from firmware.table.loop import Sitting
from vision.drawing import SURE
from vision.find.not_found import LensContradictedError
from vision.look import BoardNotFoundError, Look

Place = tuple[float, float]
CALM = (Status.QUIET, Status.SEEN, Status.UNDONE, Status.RESULT)
GUIDING = ("light", "board", "fiducials", "distance", "tilt")
"""Checks of the set-up that a phone can do something about."""
MANY = "board_covered"


def phone_view(sitting: Sitting, place: Callable[[Place], Place]) -> Json:
    """`place` tells where a place of the frame is in the phone's picture."""
    playing = sitting.playing
    if playing is None:
        return {"advice": ["idle", {}], "busy": False, "outline": [], "marks": []}
    look = sitting.readiness.look if sitting.phase == "setup" else playing.sight.look
    is_calm = sitting.phase == "playing" and playing.table is not None and look is not None
    return {
        "advice": _advice(sitting, look),
        "busy": not is_calm or playing.mood.status not in CALM,
        "outline": [] if look is None else _outline(playing.board, look, place),
        "marks": [] if look is None else _marks(playing.board, look, place),
    }


def _advice(sitting: Sitting, look: Look | None) -> list[str | Json]:
    """The one thing that should be done now, and its facts."""
    playing, readiness = sitting.playing, sitting.readiness
    assert playing is not None
    if sitting.phase == "setup":
        wrong = [check for check in readiness.checks if check["name"] in GUIDING and not check["ok"]]
        if wrong:
            check = wrong[0]
            name = MANY if check["name"] == "fiducials" else f"{check['name']}_{check['problem']}"
            return [name, _facts(check.get("millimetres", 0), check.get("degrees", 0))]
        return ["fits" if readiness.checks else "look", {}]
    if look is None:
        found = playing.sight.not_found
        return [_not_found(found, playing.board) if found is not None else "look", {}]
    problem = standing_problem(playing.board, look.pose.distance, look.pose.tilt)
    return [problem or "fits", _facts(look.pose.distance, look.pose.tilt)]


def _not_found(why: BoardNotFoundError, board: Board) -> str:
    if isinstance(why, LensContradictedError):
        return "board_lens"
    if board.game in why.others:
        return "board_seats"
    return "board_other" if why.others else "board_missing"


def _facts(millimetres: float, degrees: float) -> Json:
    return {"centimetres": round(millimetres / 10), "degrees": round(degrees)}


def _outline(board: Board, look: Look, place: Callable[[Place], Place]) -> list[Place]:
    """The board's edge in the picture."""
    base = board.sheets[0]
    (x, y), (width, height) = base.at, base.size
    corners = [(x + i * width / 2, y + j * height / 2, base.z) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    return [_rounded(place((float(u), float(v)))) for u, v in look.pose.project(np.array(corners))]


def _marks(board: Board, look: Look, place: Callable[[Place], Place]) -> list[Json]:
    """What stands where."""
    standing = [(name, guess) for name, guess in look.reading.guesses().items() if guess.best != EMPTY]
    places = [(*board.sites[name].at, board.sites[name].z) for name, _ in standing if name in board.sites]
    shown = [guess for name, guess in standing if name in board.sites]
    if not shown:
        return []
    return [
        {
            "at": _rounded(place((float(u), float(v)))),
            "kind": "" if guess.best.kind == BARE else guess.best.kind,
            "level": guess.best.level,
            "sure": bool(guess.p >= SURE),
        }
        for guess, (u, v) in zip(shown, look.pose.project(np.array(places)), strict=True)
    ]


def _rounded(at: Place) -> Place:
    return round(at[0], 4), round(at[1], 4)
