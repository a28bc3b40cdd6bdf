"""Whether the table is ready for a match, checked repeatedly while it is being set up."""

from __future__ import annotations

from collections.abc import Mapping

from engine.core import Json
from engine.face import Face
from firmware.devices.signals import Mood, Status
from firmware.table.beginning.checks import Surveyed, check_table
from vision.frame import Frame
from vision.look import Eye, Look

LOOK_AGAIN = 0.4
"""Seconds between two looks."""


class Readiness:
    """What the last look at a table that is being set up has found."""

    def __init__(self) -> None:
        self.checks: list[Json] = []
        self.look: Look | None = None
        self.is_laid = False
        """Whether everything lies where the match begins."""
        self._looked = float("-inf")

    @property
    def is_ready(self) -> bool:
        return bool(self.checks) and all(check["ok"] for check in self.checks)

    @property
    def mood(self) -> Mood:
        return Mood() if self.is_ready else Mood(Status.LOST)

    def check(self, eye: Eye, frame: Frame, start: Mapping[str, Face], surveyed: Surveyed | None = None) -> bool:
        """Look at the table, where `start` should stand, or which tells by itself how the match begins; False where
        the last look is fresh enough."""
        if 0 <= frame.seconds - self._looked < LOOK_AGAIN:
            return False
        self._looked = frame.seconds
        checks, self.look = check_table(eye, frame, start, surveyed)
        self.checks = [check.record() for check in checks]
        self.is_laid = any(check.name in ("pieces", "survey") and not check.problem for check in checks)
        return True
