"""A log of version 1, written by the program as it was then, is brought up to date once and loses nothing.

It holds four matches: Memento with illegal tries, an undo, corrections, names and a resignation; Rings against the
program, abandoned; Rings to its end; Memento that goes on.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.core import Word
from engine.registry import find_game
from engine.spoken import read_refusal
from firmware.commands.cli import main
from firmware.log.disk import upgrade as upgrading
from firmware.log.disk.schema import TRIGGERS, VERSION
from firmware.log.disk.upgrade import upgraded
from firmware.log.exchange.export import FORMATS, export
from firmware.log.match.record import LogDamagedError, LogError
from firmware.log.store import Store
from firmware.page.archive import StoredArchive
from firmware.table.running import resume
from webui.archive.rows import rows_of

OLD = Path(__file__).with_name("version-1.sqlite")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return Path(shutil.copy(OLD, tmp_path / "matches.sqlite"))


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as db:
        return int(db.execute("PRAGMA user_version").fetchone()[0])


def rows(path: Path) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as db:
        return [*db.execute("SELECT * FROM matches"), *db.execute("SELECT * FROM events ORDER BY match, number")]


def tries(store: Store, match: int) -> list[dict[str, Any]]:
    return [event.payload for event in store.events(match) if event.kind == "illegal"]


def test_the_old_log_is_what_this_is_about() -> None:
    assert version(OLD) == 1
    kinds = {(row[4], json.loads(row[5]).get("what")) for row in rows(OLD)[4:]}
    assert {("action", None), ("illegal", None), ("undo", None), ("names", None), ("resign", None)} <= kinds
    assert {("correction", what) for what in ("answer", "take_back", "position")} <= kinds
    assert {("result", None), ("abandon", None)} <= kinds
    texts = [json.loads(row[5])["text"] for row in rows(OLD)[4:] if row[4] == "illegal"]
    assert len(texts) == 5, "an English sentence each"


def test_an_old_log_is_brought_up_to_date_when_it_is_opened(path: Path) -> None:
    with Store(path) as store:
        assert (store.note, store.problems()) == (None, [])
        assert version(path) == VERSION
        tried = [*tries(store, 1), *tries(store, 2)]
        refusals = [read_refusal(refusal) for each in tried for refusal in each["refusals"]]
        assert not any("text" in each for each in tried)
    assert [(refusal.rule, refusal.sites, dict(refusal.facts)) for refusal in refusals] == [
        ("not-your-turn", ("L1", "R1"), {"colour": "blue"}),
        ("enter.count", ("T4", "L3", "R6"), {"sites": "T4, L3, R6", "number": 3, "wanted": 2}),
        ("move.too-far", ("L1", "T5"), {"figure": "Single", "sites": "L1, T5"}),
        ("unknown", refusals[3].sites, {"colour": "green", "wanted": "+a2", "action": "a>"}),
        ("move.not-neighbour", ("a1", "c3"), {"sites": "a1, c3"}),
    ]
    words = [fact for refusal in refusals for fact in refusal.facts.values() if isinstance(fact, Word)]
    assert words == ["blue", "Single", "green"], "what is to be translated"


def test_it_is_written_anew_once_and_then_left_alone(path: Path) -> None:
    Store(path).close()
    once = rows(path)
    assert once != rows(OLD)
    Store(path).close()
    assert rows(path) == once
    with closing(sqlite3.connect(path)) as db:
        triggers = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
        assert triggers == set(TRIGGERS)
        with pytest.raises(sqlite3.IntegrityError):
            db.execute("UPDATE events SET payload = '{}'")


def test_all_else_is_as_it_was_written(path: Path) -> None:
    Store(path).close()
    for old, new in zip(rows(OLD), rows(path), strict=True):
        if len(old) == 7 and old[4] == "illegal":
            kept = {name: json.loads(old[5])[name] for name in ("seat", "rule", "sites")}
            assert json.loads(new[5]).items() >= kept.items()
        else:
            assert old[:-1] == new[:-1]


def test_every_match_is_told_exported_and_resumed_as_before(path: Path) -> None:
    with Store(path) as store:
        results = [store.history(number).result for number in store.ids()]
        assert [result and result["by"] for result in results] == ["resign", "abandon", "last", None]
        assert store.history(1).illegal == 3
        assert [player.name for player in store.history(1).players] == ["Ada", "Bo"]
        for number in store.ids():
            for form in FORMATS:
                if form not in ("gif", "svg"):
                    assert export(store.history(number), store.events(number), form)
        exported = json.loads(export(store.history(1), store.events(1), "json"))
        assert "The Single cannot go that far (L1, T5)." in [event.get("text") for event in exported["events"]]
        assert b"The Single cannot go that far (L1, T5)." in export(store.history(1), store.events(1), "text")
        found = resume(store, None, lambda _: None)
        assert found is not None
        plan, (number, table) = found
        assert (plan.rules.game.name, number, table.match.ply) == ("memento-ludis", 4, 1)
        store.append(4, "action", {"ply": 1, "seat": 1, "action": "+L1,R2"}, at="2026", seconds=99.0)
        assert store.problems() == []


def test_the_page_says_it_in_every_language(path: Path) -> None:
    """Also while the log is still an old one: whoever only reads does not change it."""
    for _ in range(2):
        archive = StoredArchive(path)
        told = {
            language: [row.text for row in rows_of(archive.match(1), language) if row.kind == "illegal"]
            for language in ("en", "de", "fr", "it", "uk")
        }
        assert told["en"][2] == "The Single cannot go that far (L1, T5)."
        assert "Einer" in told["de"][2]
        assert len({tuple(texts) for texts in told.values()}) == 5
        assert version(path) in (1, VERSION)
        Store(path).close()
    assert version(path) == VERSION


def test_whoever_only_reads_leaves_the_file_as_it_is(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = path.read_bytes()
    for words in (["list"], ["show", "1"], ["verify"], ["export", "1", "--format", "json", "--out", f"{path}.json"]):
        assert main(["log", *words, "--file", str(path)]) == 0, capsys.readouterr().err
    assert path.read_bytes() == before


class PowerCutError(Exception):
    pass


@pytest.mark.parametrize("after", [0, 1, 4])
def test_a_power_cut_in_the_middle_loses_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    whole: Callable[..., Any] = upgraded
    count = iter(range(100))

    def cut(*given: object) -> Any:  # noqa: ANN401 - as the function it stands for
        if next(count) == after:
            raise PowerCutError
        return whole(*given)

    with monkeypatch.context() as power:
        power.setattr(upgrading, "upgraded", cut)
        with pytest.raises(PowerCutError):
            Store(path)
    assert version(path) == 1
    assert rows(path) == rows(OLD)
    with Store(path) as store:
        assert store.problems() == []
    assert version(path) == VERSION


def test_a_newer_log_is_refused_in_one_line_and_left_alone(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(LogError, match=f"newer Magister Ludi .log version {VERSION + 1}.") as caught:
            Store(path, read_only=read_only)
        assert "\n" not in str(caught.value)
    assert main(["log", "list", "--file", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert path.read_bytes() == before


def test_a_match_that_was_changed_afterwards_is_not_made_sound(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER events_are_not_changed")
        db.execute("UPDATE events SET seconds = 7 WHERE match = 1 AND number = 1")
        db.commit()
    with Store(path, read_only=True) as store:
        assert "events_are_not_changed is missing" in store.problems()[0]
        with pytest.raises(LogDamagedError, match="match 1, event 1"):
            store.events(1)
    with Store(path) as store:
        assert store.note is not None
        assert "match 1, event 1: it was changed" in store.note
        assert [event.kind for event in store.events(1)][1] == "gap"
        assert len(tries(store, 2)[0]["refusals"]) == 1, "the others are"


def test_what_is_rescued_from_a_damaged_old_log_is_brought_up_to_date_too(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA application_id = 7")
    with Store(path) as store:
        assert store.note is not None
        assert "4 matches with 74 events" in store.note
        assert [each["rule"] for each in tries(store, 1)[2]["refusals"]] == ["move.too-far"]
        assert store.problems() == []


def test_several_broken_rules_are_told_apart() -> None:
    text = "It is the turn of red. A pawn is placed on a free cell only; a1 is taken."
    old = {"seat": 1, "rule": "not-your-turn", "rules": ["not-your-turn", "place.occupied"], "sites": [], "text": text}
    assert upgraded("rings", "illegal", old) == {
        "seat": 1,
        "rule": "not-your-turn",
        "sites": [],
        "refusals": [
            {"rule": "not-your-turn", "sites": [], "facts": {"colour": {"word": "red"}}},
            {"rule": "place.occupied", "sites": [], "facts": {"sites": "a1"}},
        ],
    }


@pytest.mark.parametrize(
    ("game", "payload"),
    [
        ("rings", {"rule": "place.two", "sites": [], "text": "Somebody sneezed."}),
        ("rings", {"rule": "no.such-rule", "sites": [], "text": "Somebody sneezed."}),
        ("no-such-game", {"rule": "place.two", "sites": [], "text": "Two."}),
        ("rings", {"rule": "place.two", "sites": []}),
    ],
)
def test_what_nobody_can_read_stays_as_it_is(game: str, payload: dict[str, Any]) -> None:
    assert upgraded(game, "illegal", payload) == payload
    assert upgraded(game, "action", payload) == payload


def test_every_sentence_of_then_is_of_a_rule_of_today() -> None:
    from firmware.log.disk.version_1 import SENTENCES

    for game, sentences in SENTENCES.items():
        assert sentences.keys() <= find_game(game).sentences.keys()
