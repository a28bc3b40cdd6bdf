"""A loudspeaker at the table: a voice by `espeak-ng` and short sounds by `aplay`, as far as they are installed."""

from __future__ import annotations

import math
import shutil
import subprocess
from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Condition, Thread

Tone = tuple[float, float]
"""Hertz (0: silence) and seconds."""

RATE = 22050
LOUD = 9000
"""Of 32767."""
EDGE = 0.01
"""Seconds in which a tone swells and fades: without, it clicks."""
LONGEST = 30.0
"""Seconds after which a sentence is broken off."""
VOICE, PLAYER = "espeak-ng", "aplay"
MISSING = f"nothing can speak: install it with `sudo apt install {VOICE}`"


class Speaker:
    """Says one thing after the other, and the newest instead of those that nobody has begun to say."""

    def __init__(self, find: Callable[[str], str | None] = shutil.which) -> None:
        self._voice, self._player = find(VOICE), find(PLAYER)
        self._changed = Condition()
        self._next: tuple[str, Sequence[Tone], str] | None = None
        self._is_closing = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = Thread(target=self._speak, name="speaker", daemon=True)
        self._thread.start()

    @property
    def problem(self) -> str:
        """Why it stays silent, if it does."""
        return "" if self._voice else MISSING

    def say(self, text: str, tones: Sequence[Tone], language: str) -> None:
        """Returns at once."""
        with self._changed:
            self._next = (text, tones, language)
            self._changed.notify()

    def close(self) -> None:
        """Fall silent; may be called twice."""
        with self._changed:
            self._is_closing = True
            if self._process is not None:
                self._process.kill()
            self._changed.notify()
        self._thread.join(timeout=5)

    def _speak(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._next is not None or self._is_closing)
                if self._is_closing or self._next is None:
                    return
                (text, tones, language), self._next = self._next, None
            if self._player and tones:
                raw = ("-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", str(RATE))
                self._run([self._player, *raw], wave(tones))
            if self._voice and text:
                self._run([self._voice, "-v", language, "--stdin"], text.encode())

    def _run(self, words: list[str], told: bytes) -> None:
        """What cannot be heard holds nothing up."""
        with suppress(OSError):
            with self._changed:
                if self._is_closing:
                    return
                self._process = subprocess.Popen(  # noqa: S603 - programs of the system, found by name
                    words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
            try:
                self._process.communicate(told, timeout=LONGEST)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.communicate()


def wave(tones: Sequence[Tone]) -> bytes:
    """Tones as 16-bit samples, lowest byte first."""
    samples = array("h")
    for hertz, seconds in tones:
        number = round(RATE * seconds)
        for place in range(number):
            edge = min(1.0, place / (RATE * EDGE), (number - place) / (RATE * EDGE))
            samples.append(round(LOUD * edge * math.sin(2 * math.pi * hertz * place / RATE)))
    return samples.tobytes()
