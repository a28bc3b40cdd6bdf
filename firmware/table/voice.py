"""The table's own voice: what the page says, through a loudspeaker."""

from __future__ import annotations

from typing import Protocol

from firmware.devices.speaker import Tone
from firmware.settings.config import AS_THE_TABLE
from firmware.table.loop import Sitting
from firmware.table.state import state_of
from webui.house import Update
from webui.words.telling import told_state
from webui.words.voice import SOUNDS


class Says(Protocol):
    def say(self, text: str, tones: tuple[Tone, ...], language: str) -> None: ...


class TableVoice:
    """Follows a sitting, and says what is new."""

    def __init__(self, speaker: Says, language: str) -> None:
        """`language` may be `table`: then it is that of the table, which may be changed while it speaks."""
        self._speaker, self._language = speaker, language
        self._said: object = None

    def follow(self, sitting: Sitting) -> None:
        playing = sitting.playing
        if playing is None or playing.table is None or sitting.phase != "playing":
            return
        now = (id(playing), playing.mood.status, playing.mood.since)
        if now == self._said:
            return
        self._said = now
        language = (sitting.gear.language or "en") if self._language == AS_THE_TABLE else self._language
        told = told_state(Update(0, state_of(sitting)), language)["voice"]
        if told["text"] or told["sound"]:
            self._speaker.say(told["text"], tuple(SOUNDS.get(told["sound"], ())), language)
