"""The demo goes on: match after match, and what visitors may ask for."""

from __future__ import annotations

import pytest

from engine.core import GameError
from engine.registry import find_game
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.settings.eyes import refereed
from firmware.table.beginning.plans import MatchPlan
from firmware.table.cameras.chosen import SettingUp
from firmware.table.demonstration import REST, Programme
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of


@pytest.fixture
def sitting() -> Sitting:
    sitting = Sitting(Gear(NoLights()), "sim")
    sitting.play(MatchPlan(find_game("rings").configure(), Seating.parse("2")))
    return sitting


def test_after_a_match_comes_another_game_and_at_last_the_first_again(sitting: Sitting) -> None:
    programme = Programme(sitting, "rings", 1)
    assert programme.goes_on(REST / 2), "first everybody looks at the end of this one"
    played = []
    for _ in refereed():
        sitting.wants_camera = False
        assert not programme.goes_on(REST)
        assert sitting.wants_camera, "another table is to be filmed"
        assert sitting.playing is not None
        played.append(sitting.playing.start.rules.game.name)
    assert set(played) == set(refereed())
    assert played[-1] == "rings"
    assert programme.next_seed() != programme.next_seed()


def test_a_match_that_nobody_begins_begins_by_itself(sitting: Sitting) -> None:
    sitting.play_again()
    held = SettingUp(sitting, patience=0.95)
    assert [held() for _ in range(11)] == [True] * 9 + [False] * 2
    assert sitting.phase == "playing"


def test_a_trick_waits_for_the_hand_and_a_few_are_enough(sitting: Sitting) -> None:
    for trick in ("cup", "lamp", "cheat", "bump"):
        grant(sitting, "trick", {"what": trick})
    assert state_of(sitting)["stage"]["asked"] == ["cup", "lamp", "cheat"]
    assert sitting.stage.next() == "cup"
    assert state_of(sitting)["stage"]["cup"]
    sitting.stage.clear()
    assert (sitting.stage.next(), sitting.stage.has_cup) == (None, False)


def test_a_real_table_does_no_tricks(sitting: Sitting) -> None:
    sitting.camera = "usb:0"
    with pytest.raises(GameError, match="simulated table"):
        grant(sitting, "trick", {"what": "bump"})
    assert "stage" not in state_of(sitting)
