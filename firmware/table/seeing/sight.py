"""What the eye makes of each frame, and when it has seen enough of the board for a match to begin."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from statistics import fmean

from engine.core import Json
from engine.match import Match
from engine.referee.evidence import is_certain
from engine.referee.news import Dealt
from engine.referee.reading import Reading
from engine.referee.table import Patience, Seen, Table
from engine.survey import Survey
from firmware.machine.errors import UsageError
from vision.find.lens import LensError
from vision.frame import Frame
from vision.look import BoardNotFoundError, Eye, Look
from vision.motion import Motion

FIRST_FRAMES = 4
"""A match begins with the first picture that makes certain how all sheets lie, or with so many that do not."""
MOST_READINGS = 8
"""So many of the last readings are weighed together."""


class Sight:
    """The eye on one table: what it saw last, and what moves there."""

    def __init__(self, eye: Eye) -> None:
        self.eye = eye
        self.look: Look | None = None
        """What was last seen; None where the board was not found."""
        self.not_found: BoardNotFoundError | None = None
        """Why it was not."""
        self._motion: Motion | None = None

    def read(self, frame: Frame, is_first: bool) -> Seen:
        """What this frame shows, in the colours on the table."""
        self._motion = motion = Motion.of(frame, self._motion)
        try:
            self.look = None if frame.colourless else self.eye.look(frame, self.look, motion)
            self.not_found = None
        except BoardNotFoundError as error:
            # Its traceback would hold on to all of this.
            self.look, self.not_found = None, error.with_traceback(None)
        except LensError as error:
            # One picture on its side may come among others; if it is the first, so will be all.
            if is_first:
                raise UsageError(str(error)) from error
            self.look = None
        return Seen(frame.seconds, None if self.look is None else self.look.reading, motion.restless)

    def set_up(self, readers: Collection[str]) -> None:
        """The set-up is known: what only told that need not be read any more."""
        if readers:
            self.eye = self.eye.without(readers)

    def miss(self, seconds: float) -> Seen:
        """No picture has come until now."""
        self.look = None
        return Seen(seconds, None)


class Beginning:
    """Looks at the board until the positions of all sheets are clear, or as clear as some frames together make them,
    in which nothing covers the board that has not lain there for a while. Where nobody has dealt the match, it also
    waits until the table shows how it begins, and shows it for as long as any position that counts."""

    def __init__(self, match: Match, surveys: bool = False) -> None:
        """`surveys`: whether the table is to tell the set-up; what the match was begun with is then no more than a
        guess."""
        self._match, self._surveys = match, surveys
        self._readings: deque[Reading] = deque(maxlen=MOST_READINGS)
        self._covered: float | None = None
        """Since when something lies on the board unmoved."""
        self._settling: tuple[Json, float, int] | None = None
        """The set-up that was surveyed last, since when, and in how many pictures in a row."""
        self.survey = Survey()
        """What the last look told of the set-up."""
        self.told: Json = {}
        """What people have said about it."""

    def table(self, seen: Seen) -> Table | None:
        """The match as it begins with this look, each sheet lying as it lies; None where it cannot begin yet."""
        reading = seen.reading
        if reading is None or reading.moving:
            self._covered = None
            self._start_again()
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
        if not self._surveys:
            return Table.begin(self._match, lie, unsure=unsure)
        if may_be_a_hand:
            self._start_again()
            return None
        match = self._surveyed(seen.seconds)
        return None if match is None else Table.begin(match, lie, unsure=unsure).saying(Dealt(self.survey.told))

    def hear(self, told: Json) -> None:
        """What people say about places where the eye is not sure; nothing takes back what they said."""
        both = self.told | told
        self.told = {place: what for place, what in both.items() if what is not None}

    def _surveyed(self, seconds: float) -> Match | None:
        """The match as the table shows that it begins, once it has stood so for long enough."""
        rules, players = self._match.rules, self._match.position.players
        self.survey = rules.survey(players, tuple(self._readings), self.told)
        setup, patience = self.survey.setup, Patience()
        if setup is None:
            self._settling = None
            return None
        before = self._settling
        since, frames = (before[1], before[2] + 1) if before is not None and before[0] == setup else (seconds, 1)
        self._settling = setup, since, frames
        if frames < patience.frames and seconds - since < patience.seconds:
            return None
        return Match.begin(rules, players, setup)

    def _start_again(self) -> None:
        """Something moved, or a hand is over the board: what lay there counts no more."""
        if self._surveys:
            self._readings.clear()
            self._settling = None

    def _may_be_a_hand(self, reading: Reading, seconds: float) -> bool:
        """Whether something is over the board that has not lain there for a while."""
        if not reading.covered:
            self._covered = None
            return False
        if self._covered is None:
            self._covered = seconds
        return seconds - self._covered < Patience().lying
