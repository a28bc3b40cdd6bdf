"""Why a camera gives no pictures: one sentence, which the page says in its own languages."""

from __future__ import annotations

from engine.core import Json
from engine.spoken import SpokenError, facts_record
from firmware.machine.errors import UsageError


class NoCameraError(UsageError):
    """A camera that cannot be used now, but perhaps later: it may be plugged in, switched on or let go."""

    def __init__(self, why: SpokenError) -> None:
        super().__init__(str(why))
        self.why = why


def why_record(why: SpokenError | None) -> Json | None:
    """The reason as plain values."""
    return None if why is None else {"text": why.text, "facts": facts_record(why.facts)}
