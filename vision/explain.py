"""Why a picture was read the way it was: the intermediate result of every stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.board import DICTIONARY
from engine.face import Face
from engine.referee.reading import guess
from vision.drawing import in_words
from vision.find.fiducials import find_fiducials
from vision.frame import Frame, Image
from vision.look import Eye, Look
from vision.readers.reader import Candidate, Findings, Notes
from vision.stage_pictures import Sketch, draw_even, draw_fiducials, draw_light, draw_rectified, draw_squares

NOTICEABLE = 0.01
"""A witness that changes a probability by less than this has changed nothing."""

FIDUCIALS = "The black squares on the photo: green where they were found, amber where they should be."
SQUARES = "The board was not found. The squares that were, with their numbers."
RECTIFIED = "The board laid flat: the photo as seen from straight above the plane of its sheets."
LIGHT = "The light that was estimated: white paper would look like this. Lines of equal brightness."
EVEN_LIGHT = "The board as if white light fell on it evenly: its colours can now be compared with the print."
CANDIDATES = "What may be a piece, ringed in its colour, and how the sheets that can be turned lie."
VERDICT = "What stands on each site, and what the reader believed after each witness that changed its mind."


@dataclass(frozen=True, slots=True)
class Belief:
    """What was believed about a site after hearing a witness."""

    reader: str
    witness: str
    best: Face | None
    """None if the site was taken to be hidden."""
    p: float = 1.0


@dataclass(frozen=True, eq=False)
class Stage:
    """One step of a look, with a picture of what came out of it."""

    name: str
    title: str
    """What the picture shows, in a sentence."""
    picture: Image


@dataclass(frozen=True, eq=False)
class ExplainedLook:
    """A look, stage by stage."""

    stages: Sequence[Stage]
    heard: Mapping[str, Sequence[Belief]]
    """For every site, what changed the reader's mind, in this order."""


def explain(eye: Eye, frame: Frame, look: Look) -> ExplainedLook:
    """The stages of a look at a picture."""
    view = eye.view(look)
    heard: dict[str, list[Belief]] = {site: [] for site in eye.board.sites}
    candidates: list[Candidate] = []
    for name, reader in eye.readers.items():
        notes = Notes()
        reader.read(view, notes=notes)
        candidates += notes.candidates
        for witness, findings in notes.heard:
            _listen(heard, name, witness, findings)
    part = eye.flattener.rectifier.laid(look.pose)
    even = draw_even(look, part)
    sketch = Sketch(eye.board, view, look.reading, part, even)
    stages = [
        Stage("fiducials", FIDUCIALS, draw_fiducials(frame.bgr, eye.board, look)),
        Stage("rectified", RECTIFIED, draw_rectified(eye, frame, look)),
        Stage("light", LIGHT, draw_light(eye, look)),
        Stage("even-light", EVEN_LIGHT, even),
        Stage("candidates", CANDIDATES, sketch.candidates(candidates)),
        Stage("verdict", VERDICT, sketch.verdict(_trails(heard))),
    ]
    return ExplainedLook(stages, heard)


def explain_not_found(frame: Frame) -> ExplainedLook:
    """What there is to show when the board was not found: the squares that were."""
    grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    found = find_fiducials(grey, DICTIONARY)
    return ExplainedLook([Stage("fiducials", SQUARES, draw_squares(frame.bgr, found.corners))], {})


def _listen(heard: Mapping[str, list[Belief]], reader: str, witness: str, findings: Findings) -> None:
    """Add what this witness changed."""
    for site, trail in heard.items():
        if site in findings.hidden:
            now = Belief(reader, witness, None)
        elif site in findings.sites:
            best = guess(findings.sites[site])
            now = Belief(reader, witness, best.best, round(best.p, 3))
        else:
            continue
        if not trail or trail[-1].best != now.best or abs(trail[-1].p - now.p) >= NOTICEABLE:
            trail.append(now)


def _trails(heard: Mapping[str, Sequence[Belief]]) -> dict[str, list[str]]:
    """The same in words."""
    return {
        site: [
            f"{each.witness}: " + ("hidden" if each.best is None else f"{in_words(each.best)}, {100 * each.p:.0f} %")
            for each in trail
        ]
        for site, trail in heard.items()
    }
