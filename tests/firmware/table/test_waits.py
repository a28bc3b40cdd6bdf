"""Nothing holds a match up for more than two seconds unless light and page say what is waited for, and where."""

from __future__ import annotations

import pytest
from place import Place

from firmware.devices.chain import board_lights
from firmware.devices.lights import NoLights
from firmware.devices.signals import BLACK, WHITE, Picture, Status
from firmware.table.requests.deeds import correct
from firmware.table.state import state_of
from vision.look import BoardNotFoundError
from webui.house import Update
from webui.words.telling import told_state


class Witness(NoLights):
    """Remembers what was shown last."""

    shown = Picture()
    was_white = False

    def show(self, shown: Picture) -> None:
        self.was_white |= shown.status == WHITE


@pytest.fixture
def place() -> Place:
    place = Place(computers="")
    place.sitting.gear.lights = Witness()
    return place


def busy(place: Place, seconds: float) -> None:
    """A hand moves about over the board."""
    for step in range(round(seconds / 0.2)):
        place.eye.hidden = {"L1", "L2"} if step % 2 else {"L4", "L5"}
        place.look(1)


def headline(place: Place, language: str = "en") -> str:
    return str(told_state(Update(1, state_of(place.sitting)), language)["verdict"]["text"])


def test_a_hand_that_stays_over_the_board_is_waited_for_aloud(place: Place) -> None:
    place.shown("+T1")
    witness = place.sitting.gear.lights
    assert isinstance(witness, Witness)
    busy(place, 1.8)
    assert state_of(place.sitting)["wait"] is None
    assert not witness.was_white, "a hand is no news at first"
    busy(place, 1.0)
    state = state_of(place.sitting)
    assert state["wait"] is not None
    assert state["wait"]["why"] == "hand"
    assert state["wait"]["sites"] in (["L1", "L2"], ["L4", "L5"])
    assert state["lights"]["status"] == "waiting"
    assert witness.was_white
    assert headline(place) == f"Waiting: something is over {', '.join(state['wait']['sites'])}."
    told = {headline(place, language) for language in ("en", "de", "fr", "it", "uk")}
    assert len(told) == 5, "in every language"
    place.eye.hidden = set()
    place.look(5)
    assert state_of(place.sitting)["wait"] is None
    assert headline(place) == "It is Ben’s turn."


def test_the_lights_of_the_sites_blink_where_it_waits(place: Place) -> None:
    busy(place, 3.0)
    playing = place.sitting.playing
    assert playing is not None
    mood = playing.mood
    assert mood.status is Status.WAITING
    lit = [board_lights(mood, mood.since + tick / 10) for tick in range(20)]
    assert all(set(mood.sites) <= each.keys() for each in lit)
    assert {each[mood.sites[0]] for each in lit} == {WHITE, BLACK}


def test_a_mistake_is_shown_rather_than_that_a_hand_puts_it_right(place: Place) -> None:
    place.eye.seen = {"T1": "red1", "T2": "red1"}
    assert [event["event"] for event in place.look(12)] == ["illegal"]
    busy(place, 3.0)
    assert state_of(place.sitting)["lights"]["status"] == "illegal"


def test_before_a_match_begins_the_light_says_that_the_board_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    place = Place(computers="")
    playing = place.sitting.playing
    assert playing is not None
    place.sitting.play_again()
    place.sitting.begin()

    def nothing(*_: object) -> None:
        raise BoardNotFoundError("no black square is in the picture")

    monkeypatch.setattr(place.eye, "look", nothing)
    place.look(5)
    assert state_of(place.sitting)["lights"]["status"] == "quiet"
    place.look(8)
    assert state_of(place.sitting)["lights"]["status"] == "waiting"
    assert headline(place) == "Waiting until the whole board is visible."


def test_what_may_have_happened_instead_of_a_mistake_can_be_said_on_the_page(place: Place) -> None:
    place.shown("+T1")
    place.shown("+L1,L2")
    place.eye.seen = {"T1": "red1", "L1": "blue1", "L5": "blue1"}
    assert [event["event"] for event in place.look(12)] == ["illegal"]
    told = told_state(Update(1, state_of(place.sitting)), "de")
    assert [option["text"] for option in told["asking"]] == ["Zurück zu Zug 1, dann +L1,L5"]
    assert told["asking"][0]["faces"] == {"T1": "red1", "L1": "blue1", "L5": "blue1"}
    news = correct(place.sitting, "answer", {"action": told["asking"][0]["action"]})
    assert [said.record()["event"] for said in news] == ["undo", "action"]
    assert headline(place) == "It is Ada’s turn."
    assert state_of(place.sitting)["asking"] == []
