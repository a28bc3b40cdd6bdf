"""One table, match after match: set-up, buttons, lessons, the next match, and when the page is told anew."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from place import Place

from engine.board import Board
from engine.core import GameError
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.devices.lights import NoLights
from firmware.devices.signals import Picture
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Store
from firmware.machine.errors import UsageError
from firmware.table.beginning.plans import MatchPlan
from firmware.table.playing import resumed_table
from firmware.table.requests.deeds import correct, rename
from firmware.table.requests.wishes import grant
from firmware.table.state import state_of
from vision.look import BoardNotFoundError

RULES = find_game("memento-tuos").configure()
PLAN = MatchPlan(RULES, Seating.parse("red=Ada,blue=Ben"))
LESSON: dict[str, Any] = {"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 0}


class Witness(NoLights):
    """Remembers all that was shown."""

    def __init__(self) -> None:
        self.shown: list[Picture] = []

    def show(self, shown: Picture) -> None:
        super().show(shown)
        self.shown.append(shown)


class PaperChain:
    """As much of a light chain as is used."""

    def __init__(self) -> None:
        self.is_open, self.shown = True, dict[str, object]()

    def show(self, colours: Mapping[str, object]) -> None:
        assert self.is_open
        self.shown = dict(colours)

    def close(self) -> None:
        self.is_open = False


class Room(Place):
    """A place with a log, lights and a chain; nothing is played yet."""

    def __init__(self, log: Path) -> None:
        self.store, self.lights, self.chains = Store(log), Witness(), list[PaperChain]()
        super().__init__(computers="")
        self.sitting.gear.outbox, self.sitting.gear.lights = Outbox(self.store), self.lights
        self.sitting.gear.open_chain = self._open_chain  # type: ignore[assignment] # as much of a chain as is used
        self.sitting.gear.cameras = lambda: ["paper", "sim"]

    def _open_chain(self, board: Board) -> PaperChain:
        self.chains.append(PaperChain())
        return self.chains[-1]

    def play(self, text: str) -> None:
        assert [event["event"] for event in self.shown(text)] == ["action"]

    @property
    def lit(self) -> dict[str, object]:
        return self.chains[-1].shown

    @property
    def phase(self) -> object:
        return state_of(self.sitting)["phase"]


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path / "log.sqlite")
    yield room
    room.sitting.close()
    room.store.close()


# Set-up


def problems(room: Room) -> list[str]:
    return [check["name"] for check in state_of(room.sitting)["checks"] if not check["ok"]]


def test_while_a_table_is_set_up_nobody_is_refereed_and_only_confirm_begins(room: Room) -> None:
    room.sitting.play(PLAN, guided=True)
    room.lights.shown.clear()
    room.eye.seen = {"T1": "red1", "T2": "red1"}
    assert room.look(20) == []
    assert "pieces" in problems(room)
    room.eye.seen = {}
    assert room.look(20) == []
    assert "pieces" not in problems(room)
    assert room.lights.shown, "a light tells whether the table is ready"
    before = room.sitting.playing
    for word in ("undo", "hint", "new"):
        assert room.press(word) == []
    assert (room.phase, room.sitting.playing) == ("setup", before)
    room.press("confirm")
    assert room.phase == "playing"
    with pytest.raises(GameError, match="already begun"):
        room.sitting.begin()
    room.look(5)
    room.play("+T1")


def test_what_the_eye_cannot_follow_is_refused_and_the_match_goes_on(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T1")
    monkeypatch.setattr("vision.readers.registry.READERS", ())
    triominos = find_game("triominos").configure()
    with pytest.raises(UsageError, match="triominos cannot be refereed yet: nothing reads its cards and chips"):
        room.sitting.play(MatchPlan(triominos, PLAN.seating))
    for kind, payload in (
        ("lesson", {"game": "triominos", "players": 2, "setup": {}, "name": "one"}),
        ("new", {"game": "triominos", "players": [{"colour": "red"}, {"colour": "blue"}]}),
    ):
        with pytest.raises(UsageError, match="triominos cannot be refereed yet: nothing reads its cards and chips"):
            grant(room.sitting, kind, payload)
    room.play("+L1,R2")
    assert room.store.unfinished_match() == 1


# The next match


def test_the_button_for_a_new_match_ends_this_one_and_sets_up_the_same_again(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T1")
    room.eye.hidden = {"L4"}
    room.look(20)
    assert state_of(room.sitting)["lying"] == ["L4"]
    assert room.press("new") == []
    assert room.store.history(1).result == {"winner": None, "by": "abandon"}
    state = state_of(room.sitting)
    assert (state["phase"], state["recent"], state["lying"], state["checks"]) == ("setup", [], [], [])
    assert [player["name"] for player in state["players"]] == ["Ada", "Ben"]
    assert not room.sitting.wants_camera, "the camera still looks at the same table"
    assert [chain.is_open for chain in room.chains] == [False, True]
    room.sitting.close()
    assert not room.chains[-1].is_open


def test_a_match_has_a_time_of_its_own(room: Room) -> None:
    room.play("+T7")
    room.seconds = 86400.0
    room.sitting.play_again()
    room.look(1)
    assert room.sitting.seconds == 0.0, "whatever the camera's clock says"
    room.look(1)
    assert room.sitting.seconds == pytest.approx(0.2)
    room.seconds = 5.0
    room.sitting.has_another_camera()
    room.look(2)
    assert room.sitting.seconds == pytest.approx(0.4)


def test_a_match_that_is_resumed_goes_on_from_its_last_moment(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T7")
    last = room.store.events(1)[-1].seconds
    assert last > 0.0
    history = room.store.history(1)
    room.seconds = 3.0
    room.sitting.play(PLAN, (1, resumed_table(history.match, history.turns[0])))
    room.look(2)
    assert room.sitting.seconds == pytest.approx(last + 0.2)


def resumed(room: Room, *texts: str) -> None:
    """A match of the log goes on; the table is bare."""
    room.sitting.play(PLAN)
    room.look(5)
    for text in texts:
        room.play(text)
    history = room.store.history(1)
    room.sitting.play(PLAN, (1, resumed_table(history.match, history.turns[0])))
    assert room.eye.seen == {}


def test_a_board_that_was_cleared_meanwhile_ends_no_match(room: Room) -> None:
    resumed(room, "+T7", "+L1,L2")
    written = room.store.size()
    assert [event["event"] for event in room.look(40)] == ["rebuild"], "it is said once, and no more"
    state = state_of(room.sitting)
    assert (state["ply"], state["lights"]["status"]) == (2, "rebuild")
    assert state["seen"]["faces"] == dict.fromkeys(("T7", "L1", "L2"), ""), "the page shows what is missing where"
    assert set(room.lit) == {"T7", "L1", "L2"}, "and so do the lights"
    assert room.store.size() == written
    assert room.store.unfinished_match() == 1


def test_while_it_is_rebuilt_nothing_is_taken_back_or_played_and_then_it_goes_on(room: Room) -> None:
    resumed(room, "+T7", "+L1,L2")
    whole = dict(state_of(room.sitting)["faces"])
    written = room.store.size()
    room.look(10)
    room.eye.seen = {"T7": "red1"}
    assert room.look(20) == [], "this looks like the match after its first action"
    room.eye.seen = {"T7": "red1", "R1": "blue1"}
    assert room.look(20) == [], "and this like another action"
    assert set(room.lit) == {"L1", "L2"}
    assert room.store.size() == written
    room.eye.seen = whole
    assert [event["event"] for event in room.look(10)] == ["restored"]
    assert state_of(room.sitting)["lights"]["status"] == "quiet"
    third = str(room.match.position.legal()[0])
    room.play(third)
    assert (room.store.ids(), room.store.history(1).actions) == ([1], ["+T7", "+L1,L2", third])


def test_an_earlier_position_is_not_believed_either_until_the_match_was_seen(room: Room) -> None:
    resumed(room, "+T7", "+L1,L2")
    room.eye.seen = {"T7": "red1"}
    assert [event["event"] for event in room.look(20)] == ["rebuild"]
    assert room.store.history(1).actions == ["+T7", "+L1,L2"]
    correct(room.sitting, "take_back", {})
    room.look(10)
    assert state_of(room.sitting)["lights"]["status"] == "quiet", "who took it back has said so"
    room.play("+L3,L4")


def test_a_hand_before_a_board_that_is_to_be_rebuilt_answers_nothing(room: Room) -> None:
    resumed(room, "+T7")
    room.look(10)
    room.sitting.gear.monotonic = lambda: 1e9
    assert [said.record()["event"] for said in room.sitting.attend(None)] == ["lost"]
    room.sitting.gear.monotonic = time.monotonic
    room.seconds += 60.0
    assert [event["event"] for event in room.look(10)] == ["found"]
    assert state_of(room.sitting)["lights"]["status"] == "rebuild"


def test_a_position_that_was_set_by_hand_is_kept_too_when_the_board_is_bare(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    correct(room.sitting, "position", {"setup": LESSON, "turns": {}})
    history = room.store.history(1)
    room.sitting.play(PLAN, (1, resumed_table(history.match, history.turns[0])))
    assert [event["event"] for event in room.look(20)] == ["rebuild"]
    assert "illegal" not in {event.kind for event in room.store.events(1)}


def test_whoever_takes_all_back_at_a_table_that_was_seen_goes_on_with_his_match(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T7")
    history = room.store.history(1)
    room.sitting.play(PLAN, (1, resumed_table(history.match, history.turns[0])))
    room.eye.seen = {"T7": "red1"}
    room.look(10)
    room.eye.seen = {}
    assert [event["event"] for event in room.look(10)] == ["undo"]
    assert room.store.ids() == [1]


def test_where_no_frame_comes_the_lights_tell_that_nothing_is_seen(room: Room) -> None:
    now = 100.0
    room.sitting.gear.monotonic = lambda: now
    assert room.sitting.attend(None) == []
    room.sitting.play(PLAN)
    room.look(5)
    now += 0.2
    assert room.sitting.attend(None) == [], "one frame may be missing"
    now += 2.0
    assert [said.record()["event"] for said in room.sitting.attend(None)] == ["lost"]
    lit = room.lights.shown[-1]
    now += 1.0
    assert room.sitting.attend(None) == []
    assert room.lights.shown[-1] != lit, "it breathes"
    room.seconds += 3.2
    assert [event["event"] for event in room.look(1)] == ["found"]
    room.play("+T7")


def test_the_simulated_table_is_laid_anew(room: Room) -> None:
    room.sitting.play(PLAN)
    room.sitting.camera = "sim"
    room.sitting.play_again()
    assert room.sitting.wants_camera


def test_who_advises_goes_home_with_the_others(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    gone: list[bool] = []
    monkeypatch.setattr(room.thinker, "close", lambda: gone.append(True))
    room.sitting.close()
    assert gone == [True]


# A match that was put aside goes on


def test_a_match_that_was_abandoned_is_taken_up_again_and_is_the_one_to_resume(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T7")
    room.press("new")
    room.press("confirm")
    room.eye.seen = {}
    room.look(5)
    room.play("+R7")
    assert room.store.history(1).result == {"winner": None, "by": "abandon"}
    assert grant(room.sitting, "resume", {"match": 1}) == ({"match": 1}, [])
    assert (room.store.history(1).result, room.store.history(2).result) == (None, {"winner": None, "by": "abandon"})
    assert room.store.unfinished_match() == 1, "after a power cut too"
    room.eye.seen = {"R7": "red1"}
    assert [event["event"] for event in room.look(20)] in (["rebuild"], ["illegal"]), "the other one still stands there"
    room.eye.seen = {"T7": "red1"}
    room.look(10)
    room.play("+L1,L2")
    assert room.store.history(1).actions == ["+T7", "+L1,L2"]


def test_what_cannot_be_taken_up_is_refused_in_one_line_and_nothing_changes(room: Room) -> None:
    room.sitting.play(PLAN)
    room.look(5)
    room.play("+T7")
    written = room.store.size()
    for number, why in ((1, "match 1 is being played"), (7, "there is no match 7"), ("1", "must be a number")):
        with pytest.raises((GameError, UsageError), match=why):
            grant(room.sitting, "resume", {"match": number})
    assert room.store.size() == written
    room.sitting.gear.outbox = Outbox()
    with pytest.raises(GameError, match="no matches are recorded"):
        grant(room.sitting, "resume", {"match": 1})


def test_whoever_lays_another_board_is_told_of_which_game_it_is(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    room.sitting.play(PLAN)
    look, why = room.eye.look, BoardNotFoundError("the board in the picture is for rings, not memento-tuos", ("rings",))

    def elsewhere(*_: object) -> None:
        raise why

    monkeypatch.setattr(room.eye, "look", elsewhere)
    assert room.look(10) == [], "somebody may still be laying it out"
    assert [event["text"] for event in room.look(40)] == [str(why)], "once"
    assert state_of(room.sitting)["other_boards"] == ["rings"]
    assert room.changed()
    why = BoardNotFoundError("no black squares found")
    assert [event["text"] for event in room.look(40)] == ["waiting for the board: no black squares found"]
    assert state_of(room.sitting)["other_boards"] == []
    monkeypatch.setattr(room.eye, "look", look)
    room.look(5)
    room.play("+T7")
    assert {event.kind for event in room.store.events(1)} == {"action"}, "the log need not know"


# Lessons


def test_a_lesson_begins_when_it_lies_there_and_is_not_written_down(room: Room) -> None:
    room.sitting.play(PLAN, guided=True, setup=LESSON, lesson="memento-tuos/first")
    room.look(10)
    assert room.phase == "setup", "nothing lies there yet"
    room.eye.seen = PLAN.seating.shown(LESSON, RULES.game.faces)["sites"]
    room.look(10)
    assert room.phase == "playing"
    room.play("T1-T2")
    assert room.store.ids() == []
    room.sitting.play(PLAN)
    assert state_of(room.sitting)["lesson"] is None


def test_whoever_has_agreed_to_help_is_shown_where_a_figure_may_go(room: Room) -> None:
    room.sitting.play(PLAN)
    grant(room.sitting, "assist", {"seat": 0, "level": "off"})
    grant(room.sitting, "assist", {"seat": 1, "level": "targets"})
    assert [room.coach.agreed.shows(seat) for seat in (0, 1)] == [False, True]


# What the page is told


def test_a_match_that_was_given_up_is_over_and_cameras_can_be_chosen_at_any_time(room: Room) -> None:
    room.sitting.play(PLAN, guided=True)
    assert state_of(room.sitting)["cameras"] == ["paper", "sim"]
    room.sitting.begin()
    room.look(5)
    room.play("+T1")
    assert state_of(room.sitting)["cameras"] == ["paper", "sim"], "a camera may break in the middle of a match"
    correct(room.sitting, "resign", {"seat": 0})
    state = state_of(room.sitting)
    assert (state["phase"], state["cameras"]) == ("over", ["paper", "sim"])


def test_the_page_is_told_anew_when_something_is_new_and_only_then(room: Room) -> None:
    sitting = room.sitting

    def is_new() -> bool:
        first, second = room.changed(), room.changed()
        assert not second
        return first

    sitting.play(PLAN, guided=True)
    assert is_new()
    room.look(3)
    assert is_new(), "the table was looked at"
    room.eye.seen = {"T1": "red1"}
    room.look(3)
    assert is_new(), "something is in the way"
    room.eye.seen = {}
    sitting.begin()
    assert is_new()
    room.look(5)
    assert is_new(), "the match has begun"
    room.look(20)
    assert not is_new()
    room.eye.hidden = {"L4"}
    room.look(2)
    assert is_new(), "a hand"
    room.look(20)
    assert is_new(), "no hand"
    room.eye.hidden = set()
    room.look(20)
    assert is_new(), "nothing"
    room.play("+T1")
    assert is_new()
    rename(sitting, ["Eve", "Ben"])
    assert is_new()
    sitting.camera_trouble = SpokenError("It is gone.")
    assert is_new()
    for wish, payload in (("draw", {}), ("take_back", {})):
        correct(sitting, wish, payload)
        assert is_new()
