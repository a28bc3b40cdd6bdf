"""Long evenings, killed programs, matches by the hundred: each here in small, `magister bench match` in full."""

from __future__ import annotations

import gc
import importlib
import json
import pkgutil
import weakref
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import firmware.bench
from engine.match import Match
from engine.registry import find_game
from firmware.bench import match, vision
from firmware.bench.match import kept_records
from firmware.bench.rigs import kills as match_kills
from firmware.bench.rigs.evening import soak, undo_trials
from firmware.bench.rigs.match_after_match import BUDGET, match_after_match
from firmware.bench.rigs.score import score
from firmware.bench.rigs.trial import LEFT_LYING, Account, Trial, play_unseen
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.machine.errors import UsageError
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from hardware.virtual.acting.deeds import Interrupted, Leave, Mistake
from hardware.virtual.acting.player import Shot, Truth
from hardware.virtual.scene import Scene
from vision.frame import Frame


def test_an_evening_goes_by_and_memory_stays_flat() -> None:
    told = soak(hours=0.06, seed=4)
    assert told.wrong == 0
    assert told.actions > 10
    assert told.grown < 1.05


def test_match_after_match_leaves_nothing_in_memory() -> None:
    told = match_after_match(8, seed=1, boards=2)
    assert told.grown < 1.1
    assert told.most < BUDGET


def test_a_match_that_is_over_is_forgotten_at_once() -> None:
    """Without waiting for the garbage collector, which does not know how much there is in a picture."""
    sitting = Sitting(Gear(NoLights()), "sim")
    plan = MatchPlan(find_game("memento-tuos").configure(), Seating.parse("2"))
    sitting.play(plan)
    picture = np.random.default_rng(1).integers(0, 255, (360, 640, 3), dtype=np.uint8)
    for number in range(3):
        sitting.attend(Frame(picture, number / 10))
    kept = weakref.ref(sitting.playing)
    gc.collect()
    gc.disable()
    try:
        sitting.play(plan)
        assert kept() is None
    finally:
        gc.enable()


def test_a_match_is_taken_back_to_any_earlier_position() -> None:
    told = undo_trials(20, seed=8)
    assert (told.followed, told.tried, told.unknown) == (20, 20, 0)


@pytest.mark.parametrize("seed", [3, 6])
def test_a_match_with_hands_and_mishaps_is_followed(seed: int) -> None:
    assert any(isinstance(deed, Mistake | Interrupted) for deed in Trial.drawn(seed).deeds)
    told = score([play_unseen(seed)])
    assert (told.wrong, told.alarms) == (0, 0)
    assert told.actions.all >= 4
    assert told.actions.share == 1.0
    assert told.wait(0.5) <= 0.35


def test_what_a_killed_program_has_said_is_in_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_kills, "LINES", 3)
    told = match_kills.kill_runs(tmp_path / "run.sqlite", 2, Random(5))
    assert told.kills == 2
    assert told.confirmed > 0
    assert told.lost == []


@pytest.mark.parametrize("seed", [14, 20])
def test_things_are_left_lying_in_such_matches_only(seed: int) -> None:
    tidy, littered = (Trial.drawn(seed, often) for often in (0.0, LEFT_LYING))
    assert not any(isinstance(deed, Leave) for deed in tidy.deeds)
    assert any(isinstance(deed, Leave) and deed.thing is not None for deed in littered.deeds)


def test_kept_matches_are_not_played_again_and_not_mixed_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records = [{"seed": 14001, "left_lying": often} for often in (0.0, LEFT_LYING)]
    kept = tmp_path / "matches.jsonl"
    kept.write_text("".join(json.dumps(record) + "\n" for record in records))
    monkeypatch.setenv("MAGISTER_FIRST", "14000")
    for record in records:
        assert list(kept_records(1, record["left_lying"], kept)) == [record]


@pytest.mark.parametrize(
    "name", sorted(each.name for each in pkgutil.iter_modules(firmware.bench.__path__) if not each.ispkg)
)
def test_every_benchmark_measures(name: str) -> None:
    assert callable(importlib.import_module(f"firmware.bench.{name}").measure)


@pytest.mark.parametrize("told", ["many", "-3", "2.5", "²", ""])
def test_a_benchmark_wants_a_number(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAGISTER_SCENES", told)
    with pytest.raises(UsageError, match=r"MAGISTER_SCENES must be .*such as 500"):
        vision.measure()


def record(**got: object) -> dict[str, Any]:
    times = {"gone": 0.3, "stood": 0.3, "half": False}
    return {
        "expected": [{"t": 1.0, "event": "action", "ply": 0, "seat": 0, "action": "+a1"}],
        "got": [{"t": 1.0, "event": "action", "ply": 0, "seat": 0, "action": "+a1"} | times | got],
        "frames": 10,
    }


def test_the_count_counts() -> None:
    """A comparison that could not fail would be worth nothing."""
    right = score([record()])
    assert (right.actions.right, right.wrong, right.matches.right, right.waits) == (1, 0, 1, [0.3])
    wrong = score([record(action="+a2")])
    assert (wrong.actions.right, wrong.wrong, wrong.matches.right) == (0, 1, 0)
    alarm = score([record(event="illegal", rule="place.two")])
    assert (alarm.actions.right, alarm.alarms, alarm.matches.right) == (0, 1, 0)
    half = record(event="illegal", rule="enter.count", half=True, stood=1.6)
    half["expected"] = []
    assert (score([half]).alarms, score([half]).matches.right) == (0, 1)
    hidden = record(event="unclear", actions=["+a1", "+a2"])
    hidden["expected"][0]["unseen"] = True
    told = score([hidden])
    assert (told.actions.all, told.unseen, told.asked, told.matches.right) == (0, 1, 1, 1)


def shot(
    faces: dict[str, str], over: bool = False, hidden: tuple[str, ...] = (), events: tuple[dict[str, Any], ...] = ()
) -> Shot:
    truth = Truth(find_game("rings").faces.read(faces), {}, over, over, 0, events, hidden)
    return Shot(0.0, Scene(find_game("rings").board(2, {})), truth, np.zeros((1, 1, 3), np.uint8))


@pytest.mark.parametrize(("hidden", "unseen"), [(("a1",), True), (("a2",), False), ((), False)])
def test_what_happens_behind_a_cup_is_told_apart(hidden: tuple[str, ...], unseen: bool) -> None:
    match, account = Match.begin(find_game("rings").configure(), 2, {}), Account()
    done = {"event": "action", "ply": 0, "seat": 0, "action": "+a1"}
    account.happens(shot({}, hidden=hidden), match)
    account.happens(shot({"a1": "red"}, over=True, hidden=("a1",), events=(done,)), match)
    account.happens(shot({"a1": "red"}, hidden=hidden), match)
    assert account.expected == [done | ({"unseen": True} if unseen else {})]


def test_what_is_not_wanted_is_left_out_and_loses_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "setting", lambda _name, _default: 0)
    for name in ("UNDOS", "TIMED", "STORE_KILLS"):
        monkeypatch.setattr(match, name, 2)
    told = [row.what.partition(",")[0] for row in match.measure()]
    assert told[:3] == ["undo to any earlier position", "explain and step", "explain and step"]
    assert told[3].startswith("2 writers of the log killed")
    assert told[5].startswith("0 whole programs killed")


@pytest.mark.parametrize("name", ["FIRST", "JOBS", "EVENING", "KILLS"])
def test_settings_are_refused_before_any_match_is_played(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"MAGISTER_{name}", "many")
    monkeypatch.setattr(match, "undo_trials", lambda *_, **__: pytest.fail("it was begun"))
    monkeypatch.setattr(match, "ProcessPoolExecutor", lambda *_, **__: pytest.fail("a match was played"))
    with pytest.raises(UsageError, match=name):
        match.measure()
