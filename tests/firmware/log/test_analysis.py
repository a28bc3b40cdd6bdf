"""`magister log analyse`, and comments in exported notation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.registry import find_game
from firmware.commands.cli import main
from firmware.log.analysis import annotate, chances, judged
from firmware.log.exchange.notation import score_of
from firmware.log.exchange.notation_reading import parse_notation
from firmware.log.match.record import Comment, seated
from firmware.log.store import Store
from firmware.page.analysis import StoredAnalysis
from webui.house import NoSuchMatchError

WHEN = "2026-01-31T19:30:00+01:00"
NEARLY = {"T4": "red1", "T5": "red1", "T7": "red2", "L3": "red1", "R2": "yellow1", "R1": "yellow2"}


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A match in which red misses a win, is let win, and wins."""
    monkeypatch.setenv("MAGISTER_DATA", str(tmp_path))
    path = tmp_path / "matches.sqlite"
    with Store(path) as store:
        rules = find_game("memento-tuos").configure()
        number = store.begin_match(rules, seated(["Ada", "Ben"]), {"sites": NEARLY, "seat": 0}, started=WHEN)
        for ply, action in enumerate(("L3-L4", "R2-R7", "L4-L7")):
            store.append(number, "action", {"ply": ply, "seat": ply % 2, "action": action}, at=WHEN, seconds=ply)
    return path


def test_each_action_with_what_there_is_to_say(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "analyse", "1", "--lang", "en"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [" ".join(line.split()[:3]) for line in lines] == ["1. red L3-L4??", "2. yellow R2-R7??", "3. red L4-L7??"]
    assert "would have won." in lines[0]
    assert "This let red win" in lines[1]


def test_as_json_with_a_graph(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "analyse", "1", "--json", "--lang", "it"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["kind"] for each in told["actions"]] == ["missed-win", "missed-stop", "missed-win"]
    assert told["actions"][0]["comment"].startswith("Qui ")
    assert [point["ply"] for point in told["graph"]] == [0, 1, 2]


def test_comments_in_the_notation_can_be_read_again(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.txt"
    assert main(["log", "export", "1", "--format", "text", "--comments", "--lang", "de", "--out", str(out)]) == 0
    score = parse_notation(out.read_text())
    remarks = [entry.text for entry in score.entries if isinstance(entry, Comment)]
    assert len(remarks) == 3
    assert remarks[0].startswith("Hier hätte ")
    assert [str(action) for action in score.replay().actions] == ["L3-L4", "R2-R7", "L4-L7"]


def test_only_notation_has_comments(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["log", "export", "1", "--format", "csv", "--comments", "--out", str(tmp_path / "x")]) == 2
    assert "use --format text" in capsys.readouterr().err


def test_chances_for_every_moment(log: Path) -> None:
    with Store(log, read_only=True) as store:
        history = store.history(1)
    judgements = judged(history)
    told = chances(history, judgements)
    assert len(told) == len(history.moments())
    assert told[0] == [0.5, 0.5]
    assert all(sum(shares) == pytest.approx(1, abs=0.01) for shares in told)
    assert told[1][0] == round(judgements[0].chance, 3)
    assert len(annotate(score_of(history), [], "en").entries) == 3


def test_the_page_gets_the_chances_of_a_match(log: Path) -> None:
    advice = StoredAnalysis(log)
    told = advice.evaluations(1)
    assert told is advice.evaluations(1), "judged once"
    assert [len(shares) for shares in told] == [2, 2, 2, 2]
    with Store(log) as store:
        store.append(1, "action", {"ply": 3, "seat": 1, "action": "R7-R4"}, at=WHEN, seconds=9)
    assert len(advice.evaluations(1)) == 5
    with pytest.raises(NoSuchMatchError):
        advice.evaluations(7)


def test_the_page_is_told_what_each_action_was_worth_and_what_was_best(log: Path) -> None:
    told = StoredAnalysis(log).judgements(1, "de")
    assert [each["moment"] for each in told] == [0, 1, 2]
    assert [each["action"] for each in told] == ["L3-L4", "R2-R7", "L4-L7"]
    for each in told:
        assert (each["mark"] == "") == (each["comment"] == "")
        assert each["best_chance"] >= each["chance"]
        assert set(each["arrow"]) <= set(each["sites"])


def test_what_could_have_been_played_is_tried_out(log: Path) -> None:
    advice = StoredAnalysis(log)
    with Store(log, read_only=True) as store:
        positions = store.history(1).match.positions
    start = advice.what_if(1, 0, [], "en")
    assert start["legal"] == sorted(map(str, positions[0].legal()))
    assert start["best"] in start["legal"]
    there = advice.what_if(1, 0, ["L3-L4", "R2-R7"], "en")
    assert there["legal"] == sorted(map(str, positions[2].legal()))
    assert there["refusal"] == ""
    refused = advice.what_if(1, 1, ["L3-L4"], "en")
    assert list(refused) == ["refusal"]
    assert refused["refusal"]
    assert advice.what_if(1, 0, ["nonsense"], "en")["refusal"]
    for moment, tried in ((9, []), (-1, []), (0, ["L3-L4"] * 41)):
        with pytest.raises(NoSuchMatchError):
            advice.what_if(1, moment, tried, "en")
