"""What a voice says of a state, and the short sound before it: the sentence of the referee, nothing beyond it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.core import Json
from webui.words.texts import N_

Tone = tuple[float, float]
"""Hertz (0: silence) and seconds."""

SOUNDS: Mapping[str, Sequence[Tone]] = {
    "accepted": ((880.0, 0.07), (1175.0, 0.11)),
    "illegal": ((196.0, 0.16), (0.0, 0.06), (185.0, 0.24)),
    "asked": ((587.0, 0.12), (0.0, 0.04), (784.0, 0.18)),
    "time": ((440.0, 0.35), (0.0, 0.12), (440.0, 0.35), (0.0, 0.12), (440.0, 0.35)),
    "ended": ((523.0, 0.12), (659.0, 0.12), (784.0, 0.12), (1047.0, 0.3)),
}
"""Each is told from the others by its rhythm, too."""
_SOUND = {
    "seen": "accepted",
    "illegal": "illegal",
    "unclear": "asked",
    "rebuild": "asked",
    "clock": "time",
    "result": "ended",
}
SILENT = ("unfinished",)
"""Said of every hand that moves, it would be a nuisance."""
TEXTS = {
    "voice_on": N_("Speak what the referee says"),
    "voice_off": N_("Stop speaking"),
    "voice_none": N_("This device has no voice for this language: you will hear sounds only."),
}


def spoken(verdict: Json, since: float) -> Json:
    """What to say of a verdict, its sound, and a key that differs from the one before if it is to be said anew."""
    status = verdict["status"]
    told = "" if status in SILENT else " ".join(part for part in (verdict["before"], verdict["text"]) if part)
    return {"key": f"{status} {since}", "text": told, "sound": _SOUND.get(status)}
