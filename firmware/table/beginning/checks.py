"""Is the table ready? What the guided set-up checks before a match begins; the page has a sentence for every name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from engine.board import DICTIONARY, Board, CameraRange
from engine.core import Json
from engine.face import EMPTY, Face
from engine.referee.reading import Reading
from engine.spoken import refusal_record
from engine.survey import Survey
from vision.conditions import STONE, TABLE, Conditions, measure
from vision.find.fiducials import find_fiducials
from vision.find.lens import LensError
from vision.find.not_found import LensContradictedError, other_games, pose_ids, sought_ids
from vision.frame import Frame, Image
from vision.look import BoardNotFoundError, Eye, Look

DARK, BRIGHT = 80, 235
"""Of 255: what should be white, the lightest twentieth of the picture, is darker; or half of all is brighter."""
ENOUGH = 0.75
"""Share of the board's fiducials that should be in sight."""
SLACK = 1.05
"""Times what the board promises, before a camera counts as too far, too near or too tilted."""
SURE = 0.9
LEAST_CELL = 2.2
"""Width of a cell in pixels below which a black square is hardly read."""
SMEARED = 0.5
"""Width of an edge, in cells, from which neighbouring cells blend: wherever we promise to read it is below 0.4."""
GLARING = 0.5
"""Share of the white places that are overexposed from which on much of the board is hidden by it."""
ALIKE, SAME = 25.0, 8.0
"""CIELAB distance below which colours are hard to tell apart: in good light our paints are 45 and more from each other
and from wood. Wooden pieces may look like a wooden table, for they stand on print; not if nothing tells them apart."""
TINTED = 0.8
"""How coloured the light may be: here white has a fifth of one channel left."""
BRIGHT_ENOUGH = 120.0
"""Brightness of paper (of 255) from which on more light would not help."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at. `problem` is empty where all is well."""

    name: str
    problem: str = ""
    facts: Json = field(default_factory=dict)

    def record(self) -> Json:
        return {"name": self.name, "ok": not self.problem, "problem": self.problem} | self.facts


@dataclass(frozen=True)
class TableSurvey:
    """What a look at a table tells where nobody has dealt the match."""

    survey: Survey
    rows: Mapping[str, int | None]
    """For every player's colour how many pieces are in the row, if that can be seen; nothing in games without rows."""


Surveyed = Callable[[Reading], TableSurvey]


def check_table(
    eye: Eye, frame: Frame, start: Mapping[str, Face], surveyed: Surveyed | None = None
) -> tuple[list[Check], Look | None]:
    """Everything about the table in this picture that a match needs; `start` is what should stand on the board. Where
    the table itself tells how the match begins, `surveyed` says what it tells."""
    checks, look = check_sight(eye, frame)
    if look is None:
        return checks, None
    if surveyed is None:
        return [*checks, _pieces(eye, look, start)], look
    if look.reading.covered:
        return [*checks, Check("pieces", "hand")], look
    laid = surveyed(look.reading)
    return [*checks, *_rows(laid.rows), _survey(laid.survey)], look


def _rows(rows: Mapping[str, int | None]) -> Sequence[Check]:
    """How many pieces are seen in the rows; nothing of rows that are all empty."""
    unsure = [colour for colour, count in rows.items() if count is None]
    told = {"counts": dict(rows) if any(rows.values()) else {}, "unsure": unsure}
    return (Check("rows", "unsure" if unsure else "", told),) if rows else ()


def _survey(survey: Survey) -> Check:
    """What the table tells of how the match begins, what is wrong with it, and what people may have to tell."""
    told = {
        "flaws": [refusal_record(flaw) for flaw in survey.flaws],
        "doubts": {place: list(choices) for place, choices in survey.doubts.items()},
    }
    return Check("survey", "" if survey.setup is not None or survey.is_laid else "open", told)


def check_sight(eye: Eye, frame: Frame) -> tuple[list[Check], Look | None]:
    """Whether the board in this picture can be read well, whatever stands on it."""
    grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        look = eye.look(frame)
    except LensContradictedError as error:
        return [_light(grey), Check("board", "lens", {"given": round(error.given), "seen": round(error.seen)})], None
    except (BoardNotFoundError, LensError):
        return [_light(grey), _not_found(eye, grey)], None
    found = find_fiducials(grey, DICTIONARY, sought_ids(eye.board, eye.games)).corners
    own = {fiducial: four for fiducial, four in found.items() if fiducial in pose_ids(eye.board)}
    standing = [_light(grey), Check("board"), *_standing(eye, look, len(own))]
    if not own:
        return standing, look
    seen = measure(frame.bgr, own, eye.board, look.pose)
    return [*standing, _sharpness(seen), _glare(seen), _colours(seen)], look


def _sharpness(seen: Conditions) -> Check:
    problem = "small" if seen.cell < LEAST_CELL else "blurred" if seen.blur > SMEARED * seen.cell else ""
    return Check("sharpness", problem, {"pixels": round(seen.piece)})


def _glare(seen: Conditions) -> Check:
    return Check("glare", f"{seen.glaring}" if seen.glare > GLARING else "")


def _colours(seen: Conditions) -> Check:
    """Colours that look too much alike in this light, and what helps most."""
    wood = {STONE, TABLE}
    alike = [pair for pair in seen.alike(ALIKE) if set(pair) != wood or seen.distances[pair] < SAME]
    if not alike:
        return Check("colours")
    one, other = alike[0]
    if seen.tint > TINTED:
        remedy = "white"
    elif other == TABLE and seen.white >= BRIGHT_ENOUGH:
        remedy = "cloth"
    else:
        remedy = f"lamp_{seen.dim}"
    return Check("colours", remedy, {"one": one, "other": other})


def _light(grey: Image) -> Check:
    middle, light = np.percentile(grey, (50, 95))
    return Check("light", "dark" if light < DARK else "bright" if middle > BRIGHT else "")


def _not_found(eye: Eye, grey: Image) -> Check:
    """Why the board is not to be seen, as far as its fiducials tell."""
    found = find_fiducials(grey, DICTIONARY, sought_ids(eye.board, eye.games))
    own = pose_ids(eye.board)
    if not found.corners:
        return Check("board", "missing")
    if others := other_games(found, eye.board, eye.games):
        return Check("board", "seats" if eye.board.game in others else "other", {"game": others[0]})
    if not found.corners.keys() & own:
        return Check("board", "other", {"game": None})
    if found.twice & own:
        return Check("board", "twice")
    return Check("board", "covered", _counted(len(found.corners.keys() & own), len(own)))


def _standing(eye: Eye, look: Look, seen: int) -> Sequence[Check]:
    own, reach = pose_ids(eye.board), eye.board.camera
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
