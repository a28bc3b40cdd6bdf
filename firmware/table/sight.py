"""What the eye makes of each frame, and when it has seen enough of the board for a match to begin."""

from __future__ import annotations

from statistics import fmean

from engine.match import Match
from engine.referee.evidence import is_certain
from engine.referee.reading import Reading
from engine.referee.table import Patience, Seen, Table
from firmware.machine.errors import UsageError
from vision.find.lens import LensError
from vision.frame import Frame
from vision.look import BoardNotFoundError, Eye, Look
from vision.motion import Motion

FIRST_FRAMES = 4
"""A match begins with the first picture that makes certain how all sheets lie, or with so many that do not."""


class Sight:
    """The eye on one table: what it saw last, and what moves there."""

    def __init__(self, eye: Eye) -> None:
        self.eye = eye
        self.look: Look | None = None
        """What was last seen; None where the board was not found."""
        self._motion: Motion | None = None

    def read(self, frame: Frame, is_first: bool) -> Seen:
        """What this frame shows, in the colours on the table."""
        self._motion = motion = Motion.of(frame, self._motion)
        try:
            self.look = None if frame.colourless else self.eye.look(frame, self.look, motion)
        except BoardNotFoundError:
            self.look = None
        except LensError as error:
            # One picture on its side may come among others; if it is the first, so will be all.
            if is_first:
                raise UsageError(str(error)) from error
            self.look = None
        return Seen(frame.seconds, None if self.look is None else self.look.reading, motion.restless)

    def miss(self, seconds: float) -> Seen:
        """No picture has come until now."""
        self.look = None
        return Seen(seconds, None)


class Beginning:
    """Looks at the board until the positions of all sheets are clear, or as clear as some frames together make them,
    in which nothing covers the board that has not lain there for a while."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._readings: list[Reading] = []
        self._covered: float | None = None
        """Since when something lies on the board unmoved."""

    def table(self, seen: Seen) -> Table | None:
        """The match as it begins with this look, each sheet lying as it lies; None where it cannot begin yet."""
        reading = seen.reading
        if reading is None or reading.moving:
            self._covered = None
            return None
        may_be_a_hand = self._may_be_a_hand(reading, seen.seconds)
        self._readings.append(reading)
        # Like pictures are mistaken alike: many of them make nothing more certain than one.
        turns = {
            name: [fmean(values) for values in zip(*(first.sheets[name] for first in self._readings), strict=True)]
            for name in reading.sheets
        }
        unsure = {name for name, values in turns.items() if not is_certain(values)}
        if unsure and (may_be_a_hand or len(self._readings) < FIRST_FRAMES):
            return None
        lie = {name: values.index(max(values)) for name, values in turns.items()}
        return Table.begin(self._match, lie, unsure=unsure)

    def _may_be_a_hand(self, reading: Reading, seconds: float) -> bool:
        """Whether something is over the board that has not lain there for a while."""
        if not reading.covered:
            self._covered = None
            return False
        if self._covered is None:
            self._covered = seconds
        return seconds - self._covered < Patience().lying
