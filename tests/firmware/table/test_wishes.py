"""Seats that the page gives to the program."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from place import Place

from engine.core import GameError
from engine.players.levels import LEVELS
from firmware.table.beginning.plans import read_plan
from firmware.table.cameras.chosen import KnownCameras
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of

RED, BLUE, GREEN = ({"name": "", "colour": colour} for colour in ("red", "blue", "green"))


def asked(*players: dict[str, Any], **more: object) -> dict[str, Any]:
    return {"game": "memento-tuos", "players": list(players), "first": 0} | more


def test_a_seat_with_a_level_is_the_programs() -> None:
    plan = read_plan(asked(RED | {"name": "Ada"}, BLUE | {"level": 4}, GREEN | {"level": None}), Random(1))
    assert plan.seating.levels == {1: LEVELS[3]}
    assert [player.name for player in plan.seating.players] == ["Ada", "Peritus", "green"]


def test_the_program_keeps_its_colour_whoever_begins() -> None:
    plan = read_plan(asked(RED, BLUE | {"level": 1, "name": "Bo"}, first=1), Random(1))
    assert plan.seating.levels == {0: LEVELS[0]}
    assert [(player.name, player.colour) for player in plan.seating.players] == [("Bo", "blue"), ("red", "red")]


def test_somebody_must_be_left_to_play() -> None:
    with pytest.raises(GameError, match="at least one player must be a person"):
        read_plan(asked(RED | {"level": 1}, BLUE | {"level": 2}), Random(1))


@pytest.mark.parametrize("level", [0, 6, True, "best", 2.5])
def test_there_are_five_levels(level: object) -> None:
    with pytest.raises(GameError, match="unknown level"):
        read_plan(asked(RED, BLUE | {"level": level}), Random(1))


def test_a_wish_seats_the_program_and_the_next_one_lets_it_go() -> None:
    place = Place(computers="")
    grant(place.sitting, "new", asked(RED, BLUE | {"level": 2}))
    assert state_of(place.sitting)["computers"] == [None, 2]
    grant(place.sitting, "begin", {})
    place.look(5)
    assert [event["event"] for event in place.shown("+T1")] == ["action", "advice"]
    place.sitting.play_again()
    assert state_of(place.sitting)["computers"] == [None, 2], "the same once more"
    grant(place.sitting, "new", asked(RED, BLUE))
    assert state_of(place.sitting)["computers"] == [None, None]
    place.sitting.close()


def test_the_simulated_table_needs_nobody() -> None:
    place = Place(computers="blue")
    place.sitting.gear.cameras = lambda: ["paper", "sim"]
    before = place.sitting.playing
    with pytest.raises(GameError, match="plays every seat itself"):
        grant(place.sitting, "new", asked(RED, BLUE | {"level": 2}, camera="sim"))
    assert place.sitting.playing is before, "the match goes on"
    assert (place.sitting.camera, place.sitting.wants_camera) == ("paper", False)
    place.sitting.close()


def test_another_camera_is_looked_through_at_any_time() -> None:
    sitting = Place(computers="").sitting
    known = KnownCameras("usb:3", Path("/nowhere"))
    sitting.gear.cameras, sitting.gear.know_camera = known, known.name
    assert grant(sitting, "camera", {"camera": "sim"})[0] == {"camera": "sim"}
    assert (sitting.camera, sitting.wants_camera) == ("sim", True)
    with pytest.raises(GameError, match="there is no camera usb:4"):
        grant(sitting, "camera", {"camera": "usb:4"})
    with pytest.raises(GameError, match="there is no camera video:/etc/passwd"):
        grant(sitting, "camera", {"camera": "video:/etc/passwd"})
    with pytest.raises(GameError, match="not the address of a camera"):
        grant(sitting, "camera", {"camera": "url:file:///etc/passwd"})
    grant(sitting, "camera", {"camera": "url:http://ada:hush@here/video"})
    assert sitting.camera == "url:http://here/video"
    assert known.source(sitting.camera) == "url:http://ada:hush@here/video"
    assert "hush" not in str(state_of(sitting))
    assert state_of(sitting)["cameras"] == ["usb:3", "url:http://here/video", "sim", "phone"]
    sitting.close()
