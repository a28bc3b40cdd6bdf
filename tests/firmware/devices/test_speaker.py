"""A table with a loudspeaker: what is said, by which program, and what happens where there is none."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable
from pathlib import Path

from place import Place

from engine.core import Json
from firmware.devices.speaker import MISSING, RATE, Speaker, Tone, wave
from firmware.settings.config import AS_THE_TABLE
from firmware.table.requests.deeds import correct
from firmware.table.state import state_of
from firmware.table.voice import TableVoice
from webui.house import Update
from webui.words.telling import told_state
from webui.words.voice import SOUNDS, spoken

PATIENCE = 30.0


def programs(folder: Path, *names: str, slow: float = 0.0) -> Callable[[str], str | None]:
    """Stand-ins for the system's programs, which write down what they are called with."""
    for name in names:
        program = folder / name
        program.write_text(f'#!/bin/sh\nsleep {slow}\n{{ echo "{name} $*"; cat; echo; }} >> "{folder}/heard"\n')
        program.chmod(0o755)
    return lambda name: str(folder / name) if name in names else None


def heard(folder: Path, words: bytes) -> bytes:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        told = (folder / "heard").read_bytes() if (folder / "heard").exists() else b""
        if words in told:
            return told
        time.sleep(0.02)
    raise AssertionError(f"{words!r} was not said")


def test_a_sound_and_a_sentence_are_handed_to_the_programs_of_the_system(tmp_path: Path) -> None:
    speaker = Speaker(programs(tmp_path, "espeak-ng", "aplay"))
    assert speaker.problem == ""
    speaker.say("--version; Ada ist „dran“.", SOUNDS["accepted"], "de")
    told = heard(tmp_path, "Ada ist „dran“.".encode())
    assert b"espeak-ng -v de --stdin\n--version; Ada" in told, "a name is never an argument"
    assert told.index(b"aplay -q -t raw") < told.index(b"espeak-ng")
    speaker.close()
    speaker.close()


def test_the_newest_is_said_instead_of_what_nobody_has_begun(tmp_path: Path) -> None:
    speaker = Speaker(programs(tmp_path, "espeak-ng", slow=0.5))
    speaker.say("first", (), "en")
    time.sleep(0.2)
    for word in ("second", "third", "last"):
        speaker.say(word, (), "en")
    told = heard(tmp_path, b"last")
    assert b"second" not in told
    assert b"third" not in told
    speaker.close()


def test_without_the_programs_it_is_silent_and_says_what_to_install(tmp_path: Path) -> None:
    speaker = Speaker(programs(tmp_path))
    assert speaker.problem == MISSING
    assert "sudo apt install espeak-ng" in MISSING
    speaker.say("nobody hears this", SOUNDS["illegal"], "en")
    speaker.close()
    gone = Speaker(lambda name: str(tmp_path / "gone" / name))
    gone.say("nor this", SOUNDS["illegal"], "en")
    gone.say("nor that", (), "en")
    gone.close()


def test_whoever_closes_it_need_not_wait_for_a_long_sentence(tmp_path: Path) -> None:
    speaker = Speaker(programs(tmp_path, "espeak-ng", slow=60))
    speaker.say("a long story", (), "en")
    time.sleep(0.3)
    begun = time.monotonic()
    speaker.close()
    assert time.monotonic() - begun < 10


def test_tones_swell_and_fade_and_last_as_long_as_they_should() -> None:
    samples = struct.unpack(f"<{round(0.1 * RATE)}h", wave([(440.0, 0.1)]))
    assert samples[0] == 0
    assert max(samples) > 8000
    assert abs(samples[-1]) < 1000
    assert set(wave([(0.0, 0.05)])) == {0}


class Ear:
    def __init__(self) -> None:
        self.heard: list[tuple[str, tuple[Tone, ...]]] = []
        self.languages: list[str] = []

    def say(self, text: str, tones: tuple[Tone, ...], language: str) -> None:
        self.heard.append((text, tones))
        self.languages.append(language)


def verdict(place: Place) -> Json:
    told: Json = told_state(Update(0, state_of(place.sitting)), "en")["verdict"]
    return told


def test_the_table_says_each_verdict_once_and_nothing_but_the_verdict() -> None:
    place, ear = Place(computers=""), Ear()
    voice = TableVoice(ear, "en")

    def look(frames: int = 8) -> None:
        for _ in range(frames):
            place.look(1)
            voice.follow(place.sitting)

    look()
    ear.heard.clear()
    action = min(str(action) for action in place.match.position.legal())
    place.shown(action)
    look()
    now = verdict(place)
    assert ear.heard == [(f"{now['before']} {now['text']}", SOUNDS["accepted"])]
    stood = dict(place.eye.seen)
    place.eye.seen = stood | {"T7": "blue3"}
    look(20)
    assert ear.heard[1:] == [(verdict(place)["text"], SOUNDS["illegal"])], "what is half done is not said"
    place.eye.seen = stood
    look()
    place.eye.seen = stood | {"T7": "blue3"}
    look(20)
    assert [sound for _, sound in ear.heard[1:] if sound] == [SOUNDS["illegal"]] * 2, (
        "the same mistake again is said again"
    )
    place.eye.seen = stood
    look()
    correct(place.sitting, "take_back", {})
    look(1)
    assert ear.heard[-1][0].startswith("Taken back")


def test_a_voice_that_speaks_as_the_table_does_changes_its_language_with_it() -> None:
    place, ear = Place(computers=""), Ear()
    voice = TableVoice(ear, AS_THE_TABLE)
    said = []
    for language in ("", "de", "fr"):
        place.sitting.gear.speaks(language)
        place.look(8)
        place.shown(min(str(action) for action in place.match.position.legal()))
        for _ in range(8):
            place.look(1)
            voice.follow(place.sitting)
        said.append((ear.languages[-1], ear.heard[-1][0]))
    assert [language for language, _ in said] == ["en", "de", "fr"]
    assert "turn" in said[0][1]
    assert "am Zug" in said[1][1]
    assert "de jouer" in said[2][1]


def test_every_sound_has_a_rhythm_of_its_own() -> None:
    rhythms = {tuple(seconds for _, seconds in tones) for tones in SOUNDS.values()}
    assert len(rhythms) == len(SOUNDS)


def test_no_number_that_was_said_of_a_covered_die_is_said_again() -> None:
    recent = [
        {"event": "setup", "t": 0.0, "number": 1},
        {"event": "call", "t": 1.0, "number": 4, "seat": 0, "site": "g1", "said": 5},
        {"event": "peek", "t": 2.0, "number": 3, "site": "g1"},
    ]
    players = [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "blue"}]
    state = {"game": "dimenticato", "begun": True, "seat": 1, "players": players, "recent": recent}
    for status in ("quiet", "seen"):
        shown = state | {"lights": {"status": status, "since": 2.0}, "phase": "playing"}
        assert told_state(Update(1, shown), "en")["voice"]["text"] == "It is Ben’s turn."


def test_what_is_half_done_is_shown_but_not_said() -> None:
    verdict = {"status": "unfinished", "text": "Half done.", "before": ""}
    assert spoken(verdict, 1.0) == {"key": "unfinished 1.0", "text": "", "sound": None}
    assert spoken(verdict | {"status": "illegal"}, 1.0)["text"] == "Half done."
