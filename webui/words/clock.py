"""The clock on the page: what was left at a moment, and how long ago that was; a page counts on by itself."""

from __future__ import annotations

import time
from typing import Any

from flask import Blueprint

from engine.clock import on_clock
from engine.core import Json
from webui.words.texts import N_

blueprint = Blueprint("clock", __name__)

OUT = N_("%(name)s is out of time.")
WON = N_("%(name)s wins on time.")
UNDECIDED = N_("Time is up; the match ends undecided.")
TEXTS = {
    "clock_waits": N_("The clock starts with the first action."),
    "clock_paused": N_("The clock is paused."),
    "clock_stands": N_("The clock stands still."),
    "clock_pause": N_("Pause the clock"),
    "clock_go": N_("Let the clock run"),
    "light_clock": N_("three long white flashes"),
}


def aged(state: Json) -> Json:
    """A state as it is sent: how long ago its clock showed that. Both processes share the machine's clock."""
    clock = state.get("clock")
    if clock is None:
        return state
    age = max(0.0, time.monotonic() - clock["at"])
    return state | {"clock": {name: each for name, each in clock.items() if name != "at"} | {"age": round(age, 3)}}


@blueprint.app_template_filter("on_clock")
def told(seconds: float | None) -> str:
    """Time left, as clocks show it; a dash for the program, whose time is not counted."""
    return "–" if seconds is None else on_clock(seconds)


def shown_moments(moments: list[dict[str, Any]]) -> list[list[str]] | None:
    """What the clock showed at each moment of a replay; None where there was none."""
    if not any("left" in moment for moment in moments):
        return None
    return [[told(left) for left in moment.get("left", ())] for moment in moments]
