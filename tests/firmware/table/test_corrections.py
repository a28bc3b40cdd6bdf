"""What people correct is in the log, whole, and the match is told, rebuilt and resumed from it as it then stood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_table import PaperEye, shown

from engine.core import GameError
from engine.face import spelled
from engine.match import Match
from engine.players.levels import LEVELS
from engine.referee.table import Seen, step
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.coaching.computers import named
from firmware.devices.lights import NoLights
from firmware.devices.signals import Picture, Status
from firmware.log.exchange.export import FORMATS, export, parse_notation
from firmware.log.match.seating import LONGEST_NAME, Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Event, LogError, Store
from firmware.machine.errors import UsageError
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.playing import resumed_table
from firmware.table.requests.corrections import WISHES, corrected
from firmware.table.requests.deeds import correct, press, rename
from firmware.table.requests.resuming import resume
from firmware.table.requests.wishes import grant
from vision.frame import Frame
from vision.look import BoardNotFoundError

RULES = find_game("memento-tuos").configure()
PICTURE = np.full((120, 160, 3), 120, np.uint8)


def sitting_before(eye: PaperEye, store: Store) -> Sitting:
    gear = Gear(NoLights(), Outbox(store), wall=lambda: "2026-01-01T20:00:00+00:00")
    gear.make_eye = lambda board, lens: eye  # type: ignore[assignment,return-value] # as much of an eye as is looked with
    return Sitting(gear, "paper")


class Evening:
    """A sitting with an eye that is told what it sees, and time that is counted."""

    def __init__(self, log: Path, players: str = "red=Ada,blue=Ben", eye: PaperEye | None = None) -> None:
        """With an eye: the match in the log goes on."""
        self.store = Store(log)
        self.eye = eye or PaperEye(RULES.game.board(2, {}))
        self.now = 0.0
        found = resume(self.store, None, print)
        self.sitting = sitting_before(self.eye, self.store)
        self.sitting.play(MatchPlan(RULES, Seating.parse(players)), found[1] if found is not None else None)
        assert self.sitting.playing is not None
        self.playing = self.sitting.playing
        self.said = self.watch()

    def watch(self, seconds: float = 1.0) -> list[dict[str, Any]]:
        news = []
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            news += [said.record() for said in self.sitting.attend(Frame(PICTURE, self.now))]
        return news

    def play(self, text: str) -> None:
        table = self.playing.table
        assert table is not None
        action = RULES.parse(text)
        for name, steps in action.turns.items():
            self.eye.turns = {**self.eye.turns, name: self.eye.turns.get(name, 0) + steps}
        self.eye.seen = shown(self.playing, table.match.position.play(action))
        assert [event["event"] for event in self.watch()] == ["action"]

    def correct(self, wish: str, **payload: object) -> None:
        correct(self.sitting, wish, payload)

    def press(self, button: str) -> list[object]:
        return [said.record()["event"] for said in press(self.sitting, button)]

    @property
    def shown(self) -> Picture:
        return self.sitting.gear.lights.value

    @property
    def actions(self) -> list[str]:
        table = self.playing.table
        assert table is not None
        return [str(action) for action in table.match.actions]


@pytest.fixture
def evening(tmp_path: Path) -> Any:  # noqa: ANN401 - closed afterwards
    evening = Evening(tmp_path / "log.sqlite")
    yield evening
    evening.store.close()


def kinds(evening: Evening) -> list[tuple[str, str | None]]:
    return [(event.kind, event.payload.get("what")) for event in evening.store.events(1)]


def test_a_position_overwrites_nothing_that_its_setter_has_not_seen(evening: Evening) -> None:
    started = {"ply": 0, "faces": dict[str, str]()}
    wish = {"sites": {"T1": "red2", "L1": "blue1"}, "seat": 0}
    evening.play("+T7")
    with pytest.raises(SpokenError, match="gone on"):
        grant(evening.sitting, "position", wish | {"since": started})
    assert evening.actions == ["+T7"]
    grant(evening.sitting, "position", wish | {"since": {"ply": 1, "faces": {"T7": "red1"}}})
    assert evening.actions == []
    # Plies are counted anew, yet it is not the position that was seen first.
    with pytest.raises(SpokenError, match="gone on"):
        grant(evening.sitting, "position", wish | {"since": started})
    grant(evening.sitting, "position", wish | {"since": {"ply": 0, "faces": {"T1": "red2", "L1": "blue1"}}})
    grant(evening.sitting, "position", wish)


def test_an_answer_a_taking_back_and_a_position_are_corrections(evening: Evening) -> None:
    evening.play("+T7")
    evening.correct("answer", action="+L1,R2")
    evening.correct("take_back")
    evening.correct("position", setup={"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 1}, turns={"tile-T": 2})
    assert kinds(evening) == [
        ("action", None),
        ("correction", "answer"),
        ("correction", "take_back"),
        ("correction", "position"),
    ]
    history = evening.store.history(1)
    assert spelled(history.match.position.faces()) == {"T1": "red2", "L1": "yellow1"}
    assert history.match.position.seat == 1
    assert history.turns[0]["tile-T"] == 2
    assert evening.store.problems() == []


def test_a_match_goes_on_from_a_position_that_was_set(evening: Evening) -> None:
    evening.play("+T7")
    evening.correct("position", setup={"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 0}, turns={"tile-T": 1})
    evening.eye.seen, evening.eye.turns = {"T1": "red2", "L1": "blue1"}, {"tile-T": 1}
    evening.play("T1-T2")
    history = evening.store.history(1)
    again = resumed_table(history.match, history.turns[0])
    assert again.stands == evening.playing.table.stands  # type: ignore[union-attr]
    reading = evening.playing.reading
    for frame in range(20):
        again = step(again, Seen(frame / 10, reading))
        assert again.news == (), "the table shows the position: there is nothing to say"


@dataclass
class DimEye(PaperEye):
    """One that cannot make out how a triangle lies, and takes it for lying otherwise."""

    dim: bool = True

    def look(self, frame: Frame, before: object = None, motion: object = None) -> Any:  # noqa: ANN401 - as much of a look as is looked at
        look = super().look(frame, before)
        if self.dim:
            look.reading = replace(look.reading, sheets={**look.reading.sheets, "tile-T": (0.0, -0.5, -0.6)})
        return look


@pytest.mark.parametrize("is_seen_before", [True, False])
def test_how_a_sheet_lies_that_nobody_could_make_out_is_no_action_after_a_restart(
    tmp_path: Path, is_seen_before: bool
) -> None:
    eye = DimEye(RULES.game.board(2, {}), turns={"tile-T": 1})
    evening = Evening(tmp_path / "log.sqlite", eye=eye)
    evening.play("+L1")
    eye.dim = not is_seen_before
    assert evening.watch(2.0) == []
    evening.store.close()
    eye.dim = False
    again = Evening(tmp_path / "log.sqlite", eye=eye)
    assert (again.said, again.watch(3.0), again.actions) == ([], [], ["+L1"])
    again.play("+T1,R2")
    again.store.close()


def test_a_match_that_was_changed_in_the_log_goes_on_from_the_second_copy(
    tmp_path: Path, evening: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    evening.play("+L1")
    evening.play("+T1,R2")
    evening.store.close()
    log = tmp_path / "log.sqlite"
    whole = log.read_bytes()
    assert whole.count(b"+T1,R2") == 1
    log.write_bytes(whole.replace(b"+T1,R2", b"+T1,R3"))
    with Store(log) as store:
        assert store.note is not None
        assert "match 1, event 1: it was changed after it was written" in store.note
        assert resume(store, None, print) is not None
        assert store.history(1).actions == ["+L1", "+T1,R2"]


def test_a_match_against_the_rules_is_said_not_to_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        match = store.begin_match(RULES, Seating.parse("2").players, {}, started="2026-01-01T20:00:00+00:00")
        store.append(match, "action", {"action": "+T1,T2,T3,T4"}, at="", seconds=0.0)
        assert resume(store, None, print) is None
    said = capsys.readouterr().out
    assert said.startswith("match 1, event 0: +T1,T2,T3,T4 is not legal")
    assert "that match cannot be resumed" in said
    assert "log verify" in said
    assert said.count("\n") == 1


def test_what_is_said_names_the_colours_that_are_played_with(evening: Evening) -> None:
    evening.play("+T7")
    evening.eye.seen = {**evening.eye.seen, "L1": "red1", "L2": "red1"}
    illegal = evening.watch(3.0)[-1]
    assert (illegal["rule"], illegal["text"]) == ("not-your-turn", "It is blue's turn.")
    payload = evening.store.events(1)[-1].payload
    assert payload["refusals"] == [
        {"rule": "not-your-turn", "sites": ["L1", "L2"], "facts": {"colour": {"word": "blue"}}}
    ]
    assert "text" not in payload, "readers get it in their own language"


def test_a_position_is_told_in_the_colours_that_are_played_with(evening: Evening) -> None:
    evening.play("+T7")
    setup = evening.playing.seating.known({"sites": {"T1": "red2", "L1": "blue1"}, "seat": 1}, RULES.game.faces)
    assert setup["sites"] == {"T1": "red2", "L1": "yellow1"}
    told = correct(evening.sitting, "position", {"setup": setup})[0].record()
    assert told["setup"]["sites"] == {"T1": "red2", "L1": "blue1"}
    history, events = evening.store.history(1), evening.store.events(1)
    for form in FORMATS:
        exported = export(history, events, form)
        assert b"yellow" not in exported, form
    text = export(history, events, "text").decode()
    assert '"L1": "blue1"' in text
    assert parse_notation(text).replay().position == history.match.position


@pytest.mark.parametrize("sites", [{"T1": "yellow1"}, {"T1": "green2"}])
def test_what_nobody_plays_cannot_stand_anywhere(evening: Evening, sites: dict[str, str]) -> None:
    with pytest.raises(GameError, match=f"nobody plays {sites['T1'][:-1]}"):
        evening.playing.seating.known({"sites": sites}, RULES.game.faces)


@pytest.mark.parametrize("setup", [{}, {"sites": None}, {"sites": {"T1": 5}}, {"sites": {"T1": "7"}}])
def test_what_is_no_set_up_is_left_to_the_rules(evening: Evening, setup: dict[str, Any]) -> None:
    seating, faces = evening.playing.seating, RULES.game.faces
    assert seating.known(setup, faces) == seating.shown(setup, faces) == setup


def test_whoever_gets_a_name_plays_as_before(evening: Evening) -> None:
    evening.playing.seating = named(evening.playing.seating, {1: LEVELS[0]})
    rename(evening.sitting, ["Eve", "Ida"])
    assert evening.playing.seating.levels == {1: LEVELS[0]}
    assert [player.name for player in evening.playing.seating.players] == ["Eve", "Ida"]


def test_what_ends_a_match_is_taken_back_without_the_last_action(evening: Evening) -> None:
    evening.play("+T7")
    evening.correct("resign", seat=1)
    assert evening.playing.mood.status is Status.RESULT
    assert evening.store.history(1).result == {"winner": 0, "by": "resign"}
    evening.correct("take_back")
    assert evening.actions == ["+T7"]
    assert evening.playing.mood.status is Status.QUIET
    assert evening.store.history(1).result is None
    assert evening.store.unfinished_match() == 1
    evening.correct("draw")
    assert evening.store.history(1).result == {"winner": None, "by": "draw"}


def test_names_are_written_down_and_told(evening: Evening) -> None:
    evening.play("+T7")
    rename(evening.sitting, ["  Zoë  Z ", ""])
    assert [player.name for player in evening.store.history(1).players] == ["Zoë Z", "blue"]
    with pytest.raises(GameError):
        rename(evening.sitting, ["one"])


def test_names_given_before_anything_is_played_begin_no_match(evening: Evening) -> None:
    rename(evening.sitting, ["Ada " * 20, "Bo"])
    assert evening.store.ids() == []
    evening.play("+T7")
    assert kinds(evening) == [("action", None)]
    assert [len(player.name) for player in evening.store.history(1).players] == [LONGEST_NAME, 2]


def test_sheets_that_lie_strangely_are_left_as_they_lie(evening: Evening) -> None:
    evening.correct("position", setup={"sites": {}}, turns={"tile-T": "two", "tile-L": True, "tile-R": 2, "moon": 1})
    history = evening.store.history(1)
    assert history.turns[0] == {"tile-T": 0, "tile-L": 0, "tile-R": 2, "tile-I": 0}


def test_a_match_begun_from_a_position_is_told_from_there(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store:
        match = Match.begin(RULES, 2, {"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 1})
        eye = PaperEye(RULES.game.board(2, {}), {"T1": "red2", "L1": "yellow1"})
        sitting = sitting_before(eye, store)
        sitting.play(MatchPlan(RULES, Seating.parse("2")), setup={"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 1})
        sitting.attend(Frame(PICTURE, 0.0))
        correct(sitting, "answer", {"action": "L1-L2"})
        history = store.history(1)
    assert history.match.positions[0] == match.position
    assert history.actions == ["L1-L2"]


# On the disk before a light says so


def full(*_: object, **__: object) -> Event:
    raise LogError("the disk is full")


def test_no_light_says_seen_before_it_is_in_the_log(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.play("+T7")
    evening.watch(3)
    shown = evening.shown
    monkeypatch.setattr(evening.store, "append", full)
    evening.eye.seen = {**evening.eye.seen, "L1": "blue1", "R2": "blue1"}
    with pytest.raises(LogError):
        evening.watch()
    assert evening.shown == shown


@pytest.mark.parametrize(
    ("wish", "payload"), [("resign", {"seat": 0}), ("take_back", {}), ("answer", {"action": "+L1,R2"})]
)
def test_what_the_log_does_not_take_has_not_been_corrected(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, wish: str, payload: dict[str, Any]
) -> None:
    evening.play("+T7")
    evening.watch(3)
    playing, before = evening.playing, evening.playing.table
    shown, seating = evening.shown, playing.seating
    with monkeypatch.context() as disk:
        disk.setattr(evening.store, "append", full)
        with pytest.raises(LogError):
            evening.correct(wish, **payload)
        with pytest.raises(LogError):
            rename(evening.sitting, ["Eve", "Bo"])
    assert playing.table is before
    assert (evening.shown, playing.seating) == (shown, seating)
    evening.play("+L1,R2")
    assert evening.store.problems() == [], "the match goes on as if nobody had asked"


def lost(frame: Frame, before: object = None, motion: object = None) -> None:
    raise BoardNotFoundError("somebody leans over it")


def test_the_panel_takes_back_and_confirms_the_likeliest(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    evening.correct("position", setup={"sites": {"T1": "red2", "L1": "yellow1"}, "seat": 0}, turns={})
    evening.eye.hidden = {"tile-T"}
    evening.eye.seen = {"T2": "red2", "L1": "blue1"}
    assert [event["event"] for event in evening.watch(3)] == ["unclear"]
    assert evening.playing.asked is not None
    likeliest = str(evening.playing.asked.actions[0])
    with monkeypatch.context() as covered:
        covered.setattr(evening.eye, "look", lost)
        assert [event["event"] for event in evening.watch(1)] == ["lost"]
    assert [event["event"] for event in evening.watch(0.1)] == ["found"], "whoever leans over it has not answered"
    assert evening.press("confirm") == ["action"]
    assert evening.actions == [likeliest]
    assert evening.press("confirm") == [], "there is no question any more"
    assert evening.press("undo") == ["undo"]
    assert evening.press("undo") == [], "there is nothing to take back"
    assert kinds(evening)[-2:] == [("correction", "answer"), ("correction", "take_back")]


@pytest.mark.parametrize(
    ("wish", "payload"),
    [
        ("answer", {"action": "T>"}),
        ("answer", {"action": "nonsense"}),
        ("answer", {}),
        ("take_back", {}),
        ("position", {"setup": {"sites": {"T1": "pink"}}}),
        ("position", {"setup": []}),
        ("resign", {"seat": 9}),
        ("resign", {"seat": "red"}),
        ("resign", {"seat": True}),
        ("answer", {"action": ["+T1"]}),
        ("dance", {}),
    ],
)
def test_what_cannot_be_leaves_everything_as_it_was(evening: Evening, wish: str, payload: dict[str, Any]) -> None:
    before = evening.playing.table
    assert before is not None
    with pytest.raises(GameError) as caught:
        evening.correct(wish, **payload)
    assert "\n" not in str(caught.value)
    assert evening.playing.table is before
    assert evening.store.ids() == []
    assert wish in {*WISHES, "dance"}


def test_nothing_is_changed_that_was_wished_of_a_value(evening: Evening) -> None:
    evening.play("+T7")
    table = evening.playing.table
    assert table is not None
    other, _ = corrected(table, "take_back", {})
    assert table.match.ply == 1
    assert other.match.ply == 0


def test_a_match_that_will_not_go_on_is_written_down_as_abandoned_once(evening: Evening) -> None:
    evening.sitting.abandon()
    assert evening.store.ids() == [], "nothing was played yet"
    evening.play("+T7")
    evening.sitting.abandon()
    assert evening.store.history(1).result == {"winner": None, "by": "abandon"}
    assert evening.store.unfinished_match() is None


def test_a_match_that_is_over_is_not_abandoned(evening: Evening) -> None:
    evening.play("+T7")
    evening.correct("resign", seat=1)
    evening.sitting.abandon()
    assert evening.store.history(1).result == {"winner": 0, "by": "resign"}


@pytest.mark.parametrize("name", ["A\udcff", "\x07", "a\u200bb\u202e"])
def test_a_name_that_cannot_be_shown_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="cannot be displayed"):
        Seating.parse(f"red={name},blue")
