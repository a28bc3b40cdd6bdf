"""Learns the colours of the pieces in play from every position the referee has confirmed."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

import numpy as np

from engine.face import EMPTY, Face
from vision.flatten.colour import chroma
from vision.frame import Floats, Frame
from vision.look import Eye, Look
from vision.readers.paints import Paints, alike, samples_of_faces

SURE = 0.95
"""How sure a face must be for its colour to be learned."""
MEMORY, FEWEST = 30, 6
"""Looks at pieces of one kind that are remembered, and how many there must be."""
DEEPEST = 3
"""One in so many looks, the deepest, tells the paint."""
NEWS = 0.03
"""How far, in shares of blue, green and red, a colour must be off the one that is looked for to be worth learning."""


class PaintLearner:
    """Remembers how the pieces looked and, when their colours are others than those looked for, corrects the eye."""

    def __init__(self) -> None:
        self._seen: dict[str, deque[Floats]] = {}
        self._refused: Paints = {}
        """With these some piece was not seen: not to be tried again after every action, before its light."""

    def learn(self, eye: Eye, frame: Frame, look: Look) -> Eye:
        """The eye to go on with after a confirmed position was seen."""
        sure = {
            site: guess.best
            for site, guess in look.reading.guesses().items()
            if guess.best != EMPTY and guess.p >= SURE and site not in look.reading.moving
        }
        for sample in samples_of_faces(eye.view(look), eye.board, sure):
            self._seen.setdefault(sample.piece, deque(maxlen=MEMORY)).append(sample.colour)
        usual = {name: _paint(np.array(seen)) for name, seen in self._seen.items() if len(seen) >= FEWEST}
        learned: Paints = dict(eye.paints) | usual
        if not _differ(learned, eye.paints) or not _differ(learned, self._refused) or alike(eye.board, learned):
            return eye
        taught = eye.with_paints(learned)
        if _sees(taught, frame, look, sure):
            return taught
        self._refused = learned
        return eye


def _sees(eye: Eye, frame: Frame, look: Look, faces: Mapping[str, Face]) -> bool:
    """Whether an eye sees what is known to stand there: what it learned from some pieces must not hide others, that a
    lamp mirrors in or that have another light."""
    guesses = eye.read(frame, look.pose).reading.guesses()
    return all(site in guesses and guesses[site].best.kind == face.kind for site, face in faces.items())


def _paint(seen: Floats) -> Floats:
    """The colour under the gloss: a lamp's reflection only makes a piece paler, so the deepest looks tell its paint."""
    depth = np.linalg.norm(chroma(seen) - 1 / 3, axis=1)
    return np.asarray(np.median(seen[np.argsort(-depth)[: len(seen) // DEEPEST]], axis=0))


def _differ(some: Paints, others: Paints) -> bool:
    return any(
        name not in others or np.linalg.norm(chroma(colour) - chroma(others[name])) > NEWS
        for name, colour in some.items()
    )
