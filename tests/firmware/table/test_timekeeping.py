"""The clock at a table: what the camera sees starts and stops it, and the log brings it back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from place import Place

from engine.clock import TimeControl
from engine.core import GameError
from engine.registry import find_game
from engine.statistics import by_game
from firmware.devices.signals import Status
from firmware.log.exchange.export import as_csv, as_json, as_text, parse_notation
from firmware.log.match.clocks import moments_left
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.page.archive import StoredArchive
from firmware.table.beginning.plans import MatchPlan, clock_for, read_plan
from firmware.table.playing import Playing
from firmware.table.requests.deeds import correct, pause_clock, take_up
from firmware.table.requests.resuming import found_match
from firmware.table.state import state_of
from firmware.table.timekeeping import KEPT_EVERY

RULES = find_game("memento-tuos").configure()
SEATING = Seating.parse("red=Ada,blue=Ben")
FRAME = 0.2


class Timed(Place):
    """A place with a log, and a clock on its table."""

    def __init__(self, log: Path) -> None:
        self.store = Store(log)
        super().__init__(computers="")
        self.sitting.gear.outbox = Outbox(self.store)

    def begin(self, control: str) -> None:
        self.eye.seen = {}
        self.sitting.play(MatchPlan(RULES, SEATING, clock_for(TimeControl.parse(control), SEATING)))
        self.look(5)

    @property
    def playing(self) -> Playing:
        assert self.sitting.playing is not None
        return self.sitting.playing

    @property
    def left(self) -> tuple[float, ...]:
        assert self.playing.time is not None
        return self.playing.time.clock.hands.left

    @property
    def running(self) -> int | None:
        assert self.playing.time is not None
        return self.playing.time.running

    def think(self, seconds: float) -> list[dict[str, Any]]:
        return self.look(round(seconds / FRAME))

    def any_action(self) -> str:
        return min(str(action) for action in self.match.position.legal())

    def play(self) -> None:
        assert [event["event"] for event in self.shown(self.any_action())] == ["action"]

    @property
    def events(self) -> list[Any]:
        assert self.playing.log.number is not None
        return self.store.events(self.playing.log.number)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Timed]:
    place = Timed(tmp_path / "log.sqlite")
    yield place
    place.sitting.close()
    place.store.close()


def test_time_is_charged_from_the_accepted_action_on(place: Timed) -> None:
    place.begin("10+5")
    place.think(30)
    assert (place.left, place.running) == ((600, 600), None), "whoever begins may set up at leisure"
    place.play()
    accepted = place.events[-1].seconds
    place.think(20)
    assert place.running == 1
    assert place.left[1] == pytest.approx(600 - (place.sitting.seconds - accepted))
    assert place.left[0] == 600
    place.play()
    charged = place.events[-1].seconds - accepted
    assert place.events[-1].payload["clock"]["left"] == pytest.approx([600, 605 - charged], abs=0.01)
    assert place.running == 0


def test_it_stands_still_while_something_is_illegal_the_board_is_away_or_somebody_paused_it(place: Timed) -> None:
    place.begin("10")
    place.play()
    stood = dict(place.eye.seen)
    place.eye.seen = stood | {"T7": "blue3"}
    place.look(15)
    assert place.playing.mood.status is Status.ILLEGAL
    before = place.left
    place.think(40)
    assert (place.left, place.running) == (before, None)
    place.eye.seen = stood
    place.look(8)
    assert place.running == 1
    pause_clock(place.sitting, True)
    before = place.left
    place.think(40)
    assert (place.left, place.running) == (before, None)
    pause_clock(place.sitting, False)
    place.think(4)
    assert place.left[1] == pytest.approx(before[1] - 4, abs=2 * FRAME)
    look, place.eye.look = place.eye.look, _nothing_seen  # type: ignore[method-assign]
    place.look(8)
    assert place.playing.mood.status is Status.LOST
    before = place.left
    place.think(40)
    assert (place.left, place.running) == (before, None)
    place.eye.look = look  # type: ignore[method-assign]
    place.look(8)
    assert place.running == 1


def _nothing_seen(*_: object, **__: object) -> object:
    from vision.look import BoardNotFoundError

    raise BoardNotFoundError("nothing there")


def test_running_out_is_said_once_by_everything_and_ends_nothing_by_itself(place: Timed) -> None:
    place.begin("0.1")
    place.play()
    said = place.think(20)
    assert [event for event in said if event["event"] == "clock"] == [
        {"t": pytest.approx(place.events[-2].seconds, abs=30), "event": "clock", "what": "out", "seat": 1}
    ]
    assert place.left[1] < 0
    assert state_of(place.sitting)["phase"] == "playing"
    assert place.playing.mood.status is Status.QUIET, "the lights have said it and went back"
    place.play()
    assert [event.kind for event in place.events if event.payload.get("what") == "out"] == ["clock"]


def test_lights_and_buzzer_say_that_time_is_up(place: Timed) -> None:
    place.begin("0.1")
    place.play()
    while not any(event["event"] == "clock" for event in place.look(1)):
        assert place.seconds < 60
    assert place.playing.mood.status is Status.TIME
    assert place.sitting.gear.lights.value.buzz


def test_where_time_decides_it_ends_the_match_and_taking_that_back_goes_on(place: Timed) -> None:
    place.begin("0.1,ends")
    place.play()
    place.think(20)
    assert [event.kind for event in place.events[-2:]] == ["clock", "result"]
    assert place.events[-1].payload | {"clock": None} == {"winner": 0, "by": "time", "clock": None}
    assert state_of(place.sitting)["phase"] == "over"
    assert place.playing.mood.status is Status.RESULT
    before = place.left
    place.think(5)
    assert place.left == before
    correct(place.sitting, "take_back", {})
    place.think(5)
    assert state_of(place.sitting)["phase"] == "playing"
    assert place.running == 1
    assert [event.kind for event in place.events if event.kind == "result"] == ["result"], "nobody loses twice"


def test_of_three_players_nobody_wins_on_time(place: Timed) -> None:
    seating = Seating.parse("3")
    place.eye.seen = {}
    place.sitting.play(MatchPlan(RULES, seating, clock_for(TimeControl.parse("0.1,ends"), seating)))
    place.look(5)
    place.play()
    place.think(20)
    assert place.events[-1].payload["winner"] is None
    assert place.store.history(place.playing.log.number or 0).result is not None


def test_taking_back_an_action_gives_the_time_back(place: Timed) -> None:
    place.begin("10+5")
    place.play()
    place.think(20)
    then = place.events[-1].payload["clock"]["left"]
    place.play()
    place.think(20)
    correct(place.sitting, "take_back", {})
    assert list(place.left) == then
    assert place.events[-1].payload["clock"]["left"] == then


def test_the_log_takes_it_in_every_minute_so_that_a_power_cut_loses_no_more(place: Timed) -> None:
    place.begin("10")
    place.play()
    place.think(2.5 * KEPT_EVERY)
    kept = [event for event in place.events if event.payload.get("what") == "kept"]
    assert len(kept) == 2
    assert kept[1].seconds - kept[0].seconds == pytest.approx(KEPT_EVERY, abs=2 * FRAME)


def test_after_a_restart_it_shows_what_it_showed_and_waits_for_the_table(place: Timed) -> None:
    place.begin("10d5")
    for _ in range(3):
        place.play()
        place.think(17)
    pause_clock(place.sitting, True)
    number, before = place.playing.log.number, place.playing.time
    assert number is not None
    assert before is not None
    plan, _ = found_match(place.store, number)
    assert plan.clock is not None
    assert plan.clock.is_paused
    assert plan.clock.hands.left == pytest.approx(before.clock.hands.left, abs=0.01)
    for then, now in zip(before.clock.past, plan.clock.past, strict=True):
        assert now.left == pytest.approx(then.left, abs=0.01)
        assert now.free == pytest.approx(then.free, abs=0.01)
    pause_clock(place.sitting, False)
    stood = dict(place.eye.seen)
    correct(place.sitting, "draw", {})
    take_up(place.sitting, number)
    left = place.left
    place.eye.seen = {}
    place.look(20)
    assert place.playing.mood.status is Status.REBUILD
    place.think(30)
    assert (place.left, place.running) == (left, None), "putting the pieces back costs nobody time"
    place.eye.seen = stood
    place.look(10)
    assert place.running == place.match.position.seat


def test_the_clock_is_in_every_export_in_the_replay_and_in_the_statistics(place: Timed, tmp_path: Path) -> None:
    place.begin("0.3+5")
    place.play()
    place.think(8)
    stood = dict(place.eye.seen)
    place.play()
    correct(place.sitting, "take_back", {})
    place.eye.seen = stood
    place.think(40)
    number = place.playing.log.number or 0
    history, events = place.store.history(number), place.store.events(number)
    told = as_json(history, events)
    assert told["clock"]["set"] == "0.3+5"
    text = as_text(history)
    assert '[Clock "0.3+5"]' in text
    assert "{left 0:18}" in text
    assert parse_notation(text).clock == "0.3+5"
    assert ",0:18," in as_csv(history, events)
    shown = moments_left(events, len(history.moments()))
    assert len(shown) == len(history.moments())
    archive = StoredArchive(tmp_path / "log.sqlite")
    assert [moment["left"] for moment in archive.match(number)["moments"]] == shown
    tally = by_game(archive.records())["memento-tuos"]
    assert tally.overruns == sum(event.payload.get("what") == "out" for event in events)


def test_without_a_clock_nothing_of_it_is_anywhere(place: Timed) -> None:
    place.eye.seen = {}
    place.sitting.play(MatchPlan(RULES, SEATING))
    place.look(5)
    place.play()
    number = place.playing.log.number or 0
    history, events = place.store.history(number), place.store.events(number)
    assert state_of(place.sitting)["clock"] is None
    assert "clock" not in as_json(history, events)
    assert "Clock" not in as_text(history)
    assert all("clock" not in event.payload for event in events)
    with pytest.raises(GameError, match="no clock"):
        pause_clock(place.sitting, True)


def test_the_page_is_told_anew_when_it_starts_or_stops_and_not_while_it_runs(place: Timed) -> None:
    place.begin("10")
    place.play()
    place.look(10)
    place.changed()
    place.think(5)
    assert not place.changed()
    pause_clock(place.sitting, True)
    assert place.changed()


def test_a_plan_has_the_clock_that_was_chosen_else_the_usual_one(place: Timed) -> None:
    payload: dict[str, Any] = {"game": "rings", "players": [{"colour": "red"}, {"colour": "blue", "level": 1}]}
    usual = TimeControl.parse("7")
    chosen = read_plan(payload | {"clock": "3+2"}, place.sitting.gear.random, usual).clock
    assert chosen is not None
    assert str(chosen.control) == "3+2"
    assert chosen.untimed == {1}, "the program's time is not counted"
    assert read_plan(payload, place.sitting.gear.random, usual).clock is not None
    assert read_plan(payload | {"clock": None}, place.sitting.gear.random, usual).clock is None
    with pytest.raises(GameError):
        read_plan(payload | {"clock": "soon"}, place.sitting.gear.random, usual)
