"""The match log: nothing confirmed is ever lost, nothing written is ever changed."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from engine.core import Rules
from engine.match import Match
from engine.registry import find_game
from firmware.bench.rigs.log_trial import survive
from firmware.log.disk.chain import linked
from firmware.log.disk.file import open_log, told
from firmware.log.disk.schema import ADD_EVENT, APPLICATION, VERSION
from firmware.log.match.record import KINDS, Event, HistoryError, LogError, Played, Tried, seated
from firmware.log.match.summary import summarise
from firmware.log.store import LogDamagedError, Store

WHEN = "2026-01-31T19:30:00+01:00"
RULES = find_game("rings").configure()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store(path) as store:
        yield store


def begin(store: Store, rules: Rules = RULES) -> int:
    return store.begin_match(rules, seated(["Ada", "Bo"]), {}, started=WHEN)


def note(store: Store, match: int, kind: str, **payload: object) -> Event:
    return store.append(match, kind, payload, at=WHEN, seconds=1.5)


def play(store: Store, match: int, *actions: str) -> None:
    for action in actions:
        note(store, match, "action", action=action)


def play_at_random(store: Store, seed: int, plies: int = 1000) -> int:
    """A random match, until it ends or has so many plies."""
    number, match, dice = begin(store), Match.begin(RULES, 2, {}), Random(seed)
    while match.position.outcome is None and match.ply < plies:
        action = dice.choice(sorted(match.position.legal(), key=str))
        note(store, number, "action", ply=match.ply, seat=match.position.seat, action=str(action))
        match = match.play(action)
    if match.position.outcome is not None:
        note(store, number, "result", **match.position.outcome.record())
    return number


def texts(match: Match) -> list[str]:
    return [str(action) for action in match.actions]


def tamper(path: Path, query: str, *values: object) -> None:
    """Change a log by force."""
    with sqlite3.connect(path) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            db.execute(f"DROP TRIGGER {name}")
        db.execute(query, values)
    db.close()


# What is written is there


def test_a_match_is_there_as_it_was_written(path: Path) -> None:
    rules = find_game("memento-tuos").configure("complex", {"facing_medians": False})
    with Store(path) as store:
        players = seated(["Ada", "Бо \ud800"])
        match = store.begin_match(rules, players, {}, {"tile-T": 2}, started=WHEN)
        note(store, match, "action", ply=0, seat=0, action="+T1")
        note(store, match, "illegal", seat=1, rule="enter.middle", sites=["T7"], text="…")
    with Store(path) as store:
        assert store.note is None
        (saved,) = store.matches()
        assert (saved.id, saved.started, saved.game, saved.variant) == (match, WHEN, "memento-tuos", "complex")
        assert saved.rules() == rules
        assert saved.players == players
        assert saved.turns == {"tile-T": 2}
        assert store.events(match) == [
            Event(0, WHEN, 1.5, "action", {"ply": 0, "seat": 0, "action": "+T1"}),
            Event(1, WHEN, 1.5, "illegal", {"seat": 1, "rule": "enter.middle", "sites": ["T7"], "text": "…"}),
        ]
        assert texts(store.rebuild(match)) == ["+T1"]
        assert store.size() == (1, 2)
        assert store.problems() == []


def test_every_kind_of_event_can_be_written_and_no_other(store: Store) -> None:
    match = begin(store)
    for kind in KINDS:
        note(store, match, kind)
    assert [event.kind for event in store.events(match)] == list(KINDS)
    with pytest.raises(ValueError, match="unknown kind of event 'moved'"):
        note(store, match, "moved")
    with pytest.raises(LogError, match="there is no match 7"):
        note(store, 7, "action")
    with pytest.raises(ValueError, match="JSON"):
        note(store, match, "clock", seats=[float("nan")])


def test_a_commit_is_synced(path: Path) -> None:
    with closing(open_log(path, read_only=False)) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert db.execute("PRAGMA synchronous").fetchone()[0] >= 2


# What stands


def test_undone_actions_do_not_stand(store: Store) -> None:
    match = begin(store)
    play(store, match, "+a8", "+c4", "+c3")
    note(store, match, "undo", to_ply=1)
    play(store, match, "+b1")
    rebuilt = store.rebuild(match)
    assert texts(rebuilt) == ["+a8", "+b1"]
    assert [texts for branch in rebuilt.undone for texts in map(str, branch.actions)] == ["+c4", "+c3"]


def test_corrections_count(store: Store) -> None:
    match = begin(store)
    play(store, match, "+a8")
    note(store, match, "unclear", actions=["+c4", "+c3"])
    note(store, match, "correction", what="answer", ply=1, seat=1, action="+c4")
    play(store, match, "+c3")
    note(store, match, "correction", what="take_back", to_ply=2)
    assert texts(store.rebuild(match)) == ["+a8", "+c4"]
    position = store.rebuild(match).position
    note(store, match, "correction", what="position", setup=position.setup(), turns={"ring-a": 3})
    play(store, match, "a>")
    history = store.history(match)
    assert texts(history.match) == ["a>"]
    assert history.match.positions[0] == position
    assert history.actions == ["+a8", "+c4", "a>"]
    assert summarise(store.match(match), store.events(match)).actions == 3
    assert [moment.caption for moment in history.moments()] == [
        *("start", "1. Ada +a8", "2. Bo +c4", "position set by hand", "1. Ada a>")
    ]
    assert [moment.turns.get("ring-a", 0) for moment in history.moments()] == [0, 0, 0, 3, 4]


def test_an_ending_holds_until_it_is_taken_back(store: Store) -> None:
    first = play_at_random(store, seed=3)
    result, plies = store.history(first).result, store.rebuild(first).ply
    assert result == store.rebuild(first).position.outcome.record()  # type: ignore[union-attr]
    assert store.unfinished_match() is None
    note(store, first, "undo", to_ply=plies - 1)
    assert store.history(first).result is None
    assert store.unfinished_match() == first
    second = begin(store)
    assert store.unfinished_match() == second
    note(store, second, "draw")
    assert store.history(second).result == {"winner": None, "by": "draw"}
    assert store.unfinished_match() is None, "the table of the first has been cleared since"


@pytest.mark.parametrize("ending", [("draw", {}), ("abandon", {}), ("resign", {"seat": 1})])
@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("undo", {"to_ply": 1}),
        ("correction", {"what": "take_back", "to_ply": 1}),
        ("correction", {"what": "position", "setup": {}}),
        ("correction", {"what": "reopen"}),
    ],
)
def test_whatever_takes_an_ending_back_lets_the_match_go_on(
    store: Store, ending: tuple[str, dict[str, object]], kind: str, payload: dict[str, object]
) -> None:
    match = begin(store)
    play(store, match, "+a8", "+c4")
    note(store, match, ending[0], **ending[1])
    assert store.unfinished_match() is None
    note(store, match, kind, **payload)
    assert store.unfinished_match() == match
    assert summarise(store.match(match), store.events(match)).result is None


def test_a_resignation_by_mistake_leaves_no_trace_on_the_score_sheet(store: Store) -> None:
    match = begin(store)
    play(store, match, "+a8")
    note(store, match, "resign", seat=1)
    note(store, match, "correction", what="reopen")
    assert store.history(match).entries == (Played("+a8"),)
    assert len(store.events(match)) == 3, "the log has it all the same"


def test_that_it_was_none_of_what_was_asked_changes_nothing_that_stands(store: Store) -> None:
    match = begin(store)
    play(store, match, "+a8")
    note(store, match, "correction", what="none")
    assert store.history(match).entries == (Played("+a8"),)
    assert summarise(store.match(match), store.events(match)).actions == 1


def test_a_result_that_is_not_the_one_by_the_rules_is_found(store: Store) -> None:
    match = play_at_random(store, seed=3)
    outcome = store.history(match).result
    assert outcome is not None
    note(store, match, "result", **outcome | {"winner": 1 - outcome["winner"]})
    (problem,) = store.problems()
    assert "but it is" in problem


def test_an_illegal_try_is_told_in_one_line(store: Store) -> None:
    match = begin(store)
    note(store, match, "illegal", seat=0, rule="place.taken", sites=["a8"], text="There is\n a pawn")
    assert store.history(match).entries == (Tried(0, "place.taken", ("a8",), "There is a pawn"),)


def test_who_is_left_when_the_others_resign_has_won(store: Store) -> None:
    match = store.begin_match(RULES, seated(["Ada", "Bo", "Cy"]), {}, started=WHEN)
    note(store, match, "resign", seat=0)
    assert store.history(match).result == {"winner": None, "by": "resign"}, "with two left it ends undecided"
    assert store.unfinished_match() is None
    note(store, match, "resign", seat=2)
    assert store.history(match).result == {"winner": 1, "by": "resign"}
    assert store.unfinished_match() is None


def test_a_match_over_by_the_rules_is_over_although_the_power_went_before_the_result_was_written(store: Store) -> None:
    match = play_at_random(store, seed=3)
    actions = [event for event in store.events(match) if event.kind == "action"]
    copy = begin(store)
    for event in actions:
        note(store, copy, "action", **event.payload)
    assert store.history(copy).result == store.history(match).result
    assert store.unfinished_match() is None


def test_names_can_change(store: Store) -> None:
    match = begin(store)
    note(store, match, "names", names=["Eve", "Bo"])
    assert [player.name for player in store.history(match).players] == ["Eve", "Bo"]


@pytest.mark.parametrize(
    ("kind", "payload", "why"),
    [
        ("action", {"action": "+z9"}, "z9"),
        ("action", {"action": "+a8"}, "not legal"),
        ("action", {"action": "+c4", "ply": 2}, "ply 1"),
        ("action", {"action": "+c4", "seat": 0}, "seat 1"),
        ("action", {}, "'action' is missing"),
        ("undo", {"to_ply": 4}, "cannot go back"),
        ("correction", {"what": "magic"}, "magic"),
        ("correction", {"what": "position", "setup": {"moon": 1}}, "event 1"),
        ("result", {"winner": 0, "by": "last"}, "not over"),
        ("names", {"names": ["Ada"]}, "1 names for 2 players"),
        ("resign", {"seat": 5}, "seat 5"),
        ("resign", {"seat": True}, "'seat' is missing"),
        ("undo", {"to_ply": False}, "'to_ply' is missing"),
    ],
)
def test_what_no_match_can_hold_is_found(store: Store, kind: str, payload: dict[str, object], why: str) -> None:
    match = begin(store)
    play(store, match, "+a8")
    store.append(match, kind, payload, at=WHEN, seconds=0)
    with pytest.raises(HistoryError, match=why):
        store.rebuild(match)
    (problem,) = store.problems()
    assert f"match {match}, event 1: " in problem
    assert store.unfinished_match() is None


# Only ever added to


@pytest.mark.parametrize(
    "query",
    [
        "UPDATE events SET payload = '{}'",
        "UPDATE matches SET game = 'chess'",
        "DELETE FROM events",
        "DELETE FROM matches",
        "INSERT OR REPLACE INTO events SELECT match, number, at, 9, kind, payload, hash FROM events",
        "INSERT OR REPLACE INTO matches SELECT id, '', '', '', '', '', '', '', '' FROM matches",
        "INSERT INTO events SELECT match, number + 5, at, seconds, kind, payload, hash FROM events",
    ],
)
def test_nothing_written_can_be_changed(path: Path, store: Store, query: str) -> None:
    match = begin(store)
    play(store, match, "+a8", "+c4")
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="only ever added to"):
        db.execute(query)
    db.close()
    assert store.problems() == []
    assert len(store.events(match)) == 2


@pytest.mark.parametrize(
    ("query", "value", "problem"),
    [
        ("UPDATE events SET payload = ? WHERE number = 1", '{"action":"+c3"}', "event 1: it was changed"),
        ("UPDATE events SET at = ? WHERE number = 1", "2030", "event 1: it was changed"),
        ("UPDATE events SET payload = ? WHERE number = 1", b"\xff\x00", "event 1: it was changed"),
        ("DELETE FROM events WHERE number = 1 AND ?", 1, "event 1: it is missing"),
        ("UPDATE matches SET players = ?", "[]", "its start was changed"),
    ],
)
def test_verify_finds_what_was_changed_by_force(path: Path, query: str, value: object, problem: str) -> None:
    with Store(path) as store:
        match = begin(store)
        play(store, match, "+a8", "+c4", "+b1")
    tamper(path, query, value)
    with Store(path, read_only=True) as store:
        *unprotected, found = store.problems()
        assert len(unprotected) == 6
        assert problem in found


def test_verify_finds_an_illegal_action_whose_hashes_are_right(path: Path) -> None:
    with Store(path) as store:
        match = begin(store)
        play(store, match, "+a8", "+c4")
    with sqlite3.connect(path) as db:
        (before,) = db.execute("SELECT hash FROM events WHERE number = 1").fetchone()
        db.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?)",
            (match, *linked(before, 2, WHEN, 3.0, "action", '{"action":"+a8"}')),
        )
    db.close()
    with Store(path) as store:
        (problem,) = store.problems()
        assert problem.startswith(f"match {match}, event 2: +a8 is not legal")


def test_verify_finds_an_event_that_is_none(path: Path) -> None:
    with Store(path) as store:
        match = begin(store)
        with closing(open_log(path, read_only=False)) as db:
            (begun,) = db.execute("SELECT hash FROM matches").fetchone()
            db.execute(ADD_EVENT, (match, *linked(begun, 0, WHEN, 3.0, "moved", "{}")))
        assert store.problems() == [f"match {match}, event 0: unknown kind moved"]


def test_what_was_changed_by_force_is_set_aside_and_taken_from_the_second_copy(path: Path) -> None:
    with Store(path) as store:
        play(store, begin(store), "+a8", "+c4")
        events = store.events(1)
    for second_copy in (True, False):
        tamper(path, "UPDATE events SET seconds = 9 WHERE number = 0")
        if not second_copy:
            path.with_name("matches.sqlite.witness").unlink()
        with Store(path) as store:
            assert store.note is not None
            assert "event 0: it was changed after it was written" in store.note
            assert store.problems() == []
            kinds = [event.kind for event in store.events(1)]
            assert kinds == (["action", "action"] if second_copy else ["gap", "action"])
            assert (store.events(1) == events) == second_copy
            assert begin(store) > 1


# Files that are none


def test_what_is_no_log_is_set_aside_and_kept(path: Path) -> None:
    path.parent.mkdir()
    for number, content in enumerate([b"Dear diary", b"\0" * 5000, b"SQLite format 3\0" + b"x" * 4096], start=1):
        path.write_bytes(content)
        with Store(path) as store:
            assert store.note is not None
            assert (
                f"it was kept as matches.sqlite.damaged-{number}, and {number - 1} matches with 0 events" in store.note
            )
            assert "\n" not in store.note
            begin(store)
        assert path.with_name(f"matches.sqlite.damaged-{number}").read_bytes() == content


def test_a_database_of_another_program_is_left_alone(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE matches (id, phosphorus)")
    db.close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(LogError, match="belongs to another program and was left untouched"):
            Store(path, read_only=read_only)
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"\xff\xd8\xff\xe0 a photo", b"Dear diary", b"%PDF-1.7"])
def test_a_file_that_nobody_called_a_log_is_left_alone(tmp_path: Path, content: bytes) -> None:
    photo = tmp_path / "holiday.jpg"
    photo.write_bytes(content)
    for read_only in (False, True):
        with pytest.raises(LogError, match="is not a match log and was left untouched: choose another file"):
            Store(photo, read_only=read_only)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("holiday.jpg", content)]


def test_a_log_under_any_name_is_set_aside_if_it_is_damaged(tmp_path: Path) -> None:
    log = tmp_path / "evening.log"
    with Store(log) as store:
        play(store, begin(store), "+a8")
    data = bytearray(log.read_bytes())
    for spoiled in (bytes(16) + data[16:], data[:1000], bytes(5000)):
        log.write_bytes(spoiled)
        with Store(log) as store:
            assert store.note is not None
            assert "it was kept as evening.log.damaged" in store.note


def test_a_log_that_forgot_whose_it_is_is_damaged(path: Path) -> None:
    with Store(path) as store:
        begin(store)
    tamper(path, "PRAGMA application_id = 7")
    with Store(path) as store:
        assert store.note is not None
        assert "it no longer identifies itself as a match log; it was kept as" in store.note
        assert store.ids() == [1]


def test_a_log_of_a_newer_program_is_left_alone(path: Path) -> None:
    with Store(path) as store:
        begin(store)
    tamper(path, f"PRAGMA user_version = {VERSION + 1}")
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(LogError, match="newer Magister Ludi"):
            Store(path, read_only=read_only)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.damaged*"))


def test_a_journal_without_its_file_is_kept(path: Path) -> None:
    with Store(path) as store:
        begin(store)
        journal = path.with_name("matches.sqlite-wal").read_bytes()
    path.write_bytes(b"")
    path.with_name("matches.sqlite-wal").write_bytes(journal)
    with Store(path) as store:
        assert store.note is not None
        begin(store)
    assert path.with_name("matches.sqlite.damaged-1-wal").read_bytes() == journal


def test_journals_without_any_file_are_kept_each_under_its_own_name(path: Path) -> None:
    path.parent.mkdir()
    for number in (1, 2):
        path.unlink(missing_ok=True)
        path.with_name("matches.sqlite-wal").write_bytes(b"journal" * number)
        with Store(path) as store:
            assert store.note is not None
            assert f"it was kept as matches.sqlite.damaged-{number}" in store.note
            begin(store)
    kept = {file.name: file.read_bytes() for file in path.parent.glob("*.damaged*-wal")}
    assert kept == {"matches.sqlite.damaged-1-wal": b"journal", "matches.sqlite.damaged-2-wal": b"journal" * 2}


@pytest.mark.parametrize("replaced", [False, True])
def test_a_log_that_is_taken_away_is_not_written_on(path: Path, replaced: bool) -> None:
    with Store(path) as store:
        match = begin(store)
        path.rename(path.with_name("elsewhere"))
        if replaced:
            path.write_bytes(b"")
        with pytest.raises(LogError, match="was moved or deleted"):
            note(store, match, "action", action="+b3", ply=0, seat=0)


def test_what_cannot_be_used_is_said_in_one_line(tmp_path: Path, path: Path) -> None:
    with pytest.raises(LogError, match="there is no log"):
        Store(path, read_only=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError, match="holds no match yet"):
        Store(tmp_path / "file", read_only=True)
    os.mkfifo(tmp_path / "pipe.sqlite")
    for wrong, why in (
        (tmp_path / "file" / "log.sqlite", "file is not a folder"),
        (tmp_path, "it is a folder"),
        (tmp_path / "pipe.sqlite", "it is not a file"),
    ):
        with pytest.raises(LogError, match="cannot use the log") as caught:
            Store(wrong)
        assert why in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "damaged"),
    [
        (sqlite3.SQLITE_IOERR_READ, True),
        (sqlite3.SQLITE_IOERR_SHORT_READ, True),
        (sqlite3.SQLITE_CORRUPT_INDEX, True),
        (sqlite3.SQLITE_ERROR, True),
        (sqlite3.SQLITE_FULL, False),
        (sqlite3.SQLITE_IOERR_WRITE, False),
        (sqlite3.SQLITE_BUSY, False),
        (sqlite3.SQLITE_CANTOPEN, False),
    ],
)
def test_only_what_cannot_be_read_is_damaged(path: Path, code: int, damaged: bool) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert isinstance(told(path, error), LogDamagedError) == damaged


def test_a_full_disk_is_said_in_one_line_and_nothing_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = open_log(path, read_only=False)
    monkeypatch.setattr("firmware.log.store.open_log", lambda *_: db)
    with Store(path) as store:
        match = begin(store)
        play(store, match, "+a8")
        pages = db.execute("PRAGMA page_count").fetchone()[0]
        db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(LogError, match="full"):
            note(store, match, "clock", much="x" * 100_000)
        db.execute("PRAGMA max_page_count = 100000")
        play(store, match, "+c4")
        assert texts(store.rebuild(match)) == ["+a8", "+c4"]


@pytest.fixture
def no_room() -> Iterator[None]:
    """A disk on which no file can grow."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_on_a_full_disk_a_healthy_log_is_healthy(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    path = tmp_path / "matches.sqlite"
    with Store(path) as store:
        play(store, begin(store), "+a8")
    request.getfixturevalue("no_room")
    with Store(path, read_only=True) as store:
        assert store.problems() == []
        assert texts(store.rebuild(1)) == ["+a8"]
    with pytest.raises(LogError, match="the disk is full"):
        Store(path)
    assert not list(tmp_path.glob("*damaged*"))


def test_on_a_full_disk_nobody_is_shown_a_log_without_its_last_events(
    path: Path, tmp_path: Path, store: Store, request: pytest.FixtureRequest
) -> None:
    play(store, begin(store), "+a8")
    left = copy(path, tmp_path, "left")
    request.getfixturevalue("no_room")
    with pytest.raises(LogError, match="the disk is full"):
        Store(left, read_only=True)


# Power cuts


def test_the_name_of_a_new_log_is_on_the_disk_before_anything_is_confirmed(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[Path] = []
    for module in ("disk.file", "damage.rescue", "disk.changing"):
        monkeypatch.setattr(f"firmware.log.{module}.sync_folder", synced.append)
    Store(path).close()
    assert synced == [path.parent]
    Store(path).close()
    assert synced == [path.parent], "once is enough"
    path.write_bytes(b"Dear diary")
    Store(path).close()
    assert synced[1:] == [path.parent] * 3, "the new one, what was set aside, and the change of places"


def test_nothing_confirmed_is_lost_when_the_writer_is_killed(path: Path) -> None:
    told = survive(path, kills=50, random=Random(7))
    assert told.lost == []
    assert told.kills == 50
    assert len(told.confirmed) > 10, "few writers live long enough: nothing was tried"
    assert told.slowest < 10


def copy(path: Path, folder: Path, name: str) -> Path:
    """A log as it would be found if the power went now."""
    target = folder / name / path.name
    target.parent.mkdir()
    for part in ("", "-wal", "-journal"):
        if path.with_name(path.name + part).exists():
            shutil.copy(path.with_name(path.name + part), target.with_name(path.name + part))
    return target


def test_a_torn_last_write_costs_no_more_than_itself(path: Path, tmp_path: Path, store: Store) -> None:
    wal, dice, match = path.with_name("matches.sqlite-wal"), Random(5), play_at_random(store, seed=1, plies=20)
    confirmed, safe = store.events(match), wal.stat().st_size
    note(store, match, "clock", seats=[1, 2])
    end = wal.stat().st_size
    assert end > safe > 0
    for turn in range(40):
        torn = copy(path, tmp_path, str(turn))
        journal = torn.with_name("matches.sqlite-wal")
        data = bytearray(journal.read_bytes())
        cut = dice.randrange(safe, end)
        data[cut:] = dice.randbytes(end - cut) if turn % 2 else b""
        journal.write_bytes(data)
        with Store(torn) as found:
            assert found.note is None
            assert found.events(match) == confirmed
            assert note(found, match, "clock").number == len(confirmed)
            assert found.problems() == []


def test_what_was_left_half_done_outside_the_write_ahead_log_is_undone(path: Path, tmp_path: Path) -> None:
    """A file is made before it has a write-ahead log; and not every disk can have one."""
    with Store(path) as store:
        match = play_at_random(store, seed=1, plies=5)
    db = sqlite3.connect(path, isolation_level=None)
    for words in ("PRAGMA journal_mode = DELETE", "PRAGMA cache_size = 2", "BEGIN"):
        db.execute(words).fetchall()
    for number in range(5, 300):
        db.execute("INSERT INTO events VALUES (?, ?, ?, 0, 'clock', ?, '')", (match, number, WHEN, "x" * 500))
    torn = copy(path, tmp_path, "torn")
    db.close()
    assert torn.with_name("matches.sqlite-journal").stat().st_size > 0
    assert torn.stat().st_size > 100_000
    # Of this page the journal has what stood on it; the power went while it was written.
    page = int.from_bytes(torn.with_name("matches.sqlite-journal").read_bytes()[512:516], "big") - 1
    data = bytearray(torn.read_bytes())
    data[page * 4096 + 2048 : page * 4096 + 4096] = b"\xaa" * 2048
    torn.write_bytes(data)
    with Store(torn) as store:
        assert store.note is None
        assert len(store.events(match)) == 5
        assert store.problems() == []
        note(store, match, "clock")


def broken(data: bytes, dice: Random) -> bytes:
    """The same bytes after an accident: cut off, a stretch overwritten, or a few of them flipped."""
    spoiled, place = bytearray(data), dice.randrange(len(data))
    match dice.randrange(3):
        case 0:
            del spoiled[place:]
        case 1:
            spoiled[place : place + 4096] = dice.randbytes(len(spoiled[place : place + 4096]))
        case _:
            for _ in range(20):
                spoiled[dice.randrange(len(spoiled))] ^= 1 << dice.randrange(8)
    return bytes(spoiled)


def test_whatever_becomes_of_the_file_play_goes_on_and_no_byte_is_thrown_away(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        early = {match: store.events(match) for match in [play_at_random(store, seed, plies=40) for seed in range(4)]}
    dice, notes, whole = Random(11), 0, 0
    with Store(path) as store:
        late = early | {match: store.events(match) for match in [play_at_random(store, seed, 25) for seed in (5, 6)]}
        found_after_a_power_cut = [copy(path, tmp_path, str(turn)) for turn in range(60)]
    for turn, target in enumerate(found_after_a_power_cut):
        victim = target if turn % 3 else target.with_name("matches.sqlite-wal")
        spoiled = broken(victim.read_bytes(), dice)
        victim.write_bytes(spoiled)
        with Store(target) as store:
            for match in store.ids():
                try:
                    events = store.events(match)
                except LogDamagedError:
                    continue
                kinds = [event.kind for event in events]
                until = kinds.index("gap") if "gap" in kinds else len(events)
                assert events[:until] == late[match][:until]
                left = [event.payload for event in late[match]]
                assert all(event.payload in left for event in events if event.kind != "gap")
                whole += events == late[match]
            if victim != target:
                assert all(store.events(match) == events for match, events in early.items())
            if store.note:
                notes += 1
                aside = target.with_name(victim.name.replace(target.name, "matches.sqlite.damaged-1"))
                assert aside.read_bytes() == spoiled
                assert store.problems() == []
            fresh = begin(store)
            play(store, fresh, "+a8")
            assert texts(store.rebuild(fresh)) == ["+a8"]
    assert notes > 10
    assert whole > 100


@pytest.mark.parametrize("words", [b"KEY", b"TABLE", b"BEFORE", b"NULL"])
def test_a_description_that_is_no_text_is_damage_like_any_other(path: Path, words: bytes) -> None:
    with Store(path) as store:
        play(store, begin(store), "+T1")
    path.write_bytes(path.read_bytes().replace(words, b"\xe4" + words[1:]))
    with pytest.raises(LogDamagedError):
        Store(path, read_only=True)
    with Store(path) as store:
        assert store.note is not None
        assert "it was kept as matches.sqlite.damaged-1" in store.note
        begin(store)


def test_a_column_that_has_lost_its_name_is_found_before_anything_is_played(path: Path) -> None:
    with Store(path) as store:
        play(store, begin(store), "+a8")
    path.write_bytes(path.read_bytes().replace(b"payload TEXT", b"paxload TEXT"))
    with Store(path) as store:
        assert store.note is not None
        assert "1 matches with 1 events were recovered" in store.note
        play(store, begin(store), "+a8")


def test_a_damaged_index_costs_no_event(path: Path) -> None:
    with Store(path) as store:
        match = play_at_random(store, 3, plies=8)
        events = store.events(match)
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE type = 'index'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    data[(page - 1) * size : page * size] = bytes(size)
    path.write_bytes(data)
    with Store(path) as store:
        assert store.note is not None
        assert f"1 matches with {len(events)} events were recovered" in store.note
        assert store.events(match) == events


def test_what_can_be_read_of_a_damaged_file_is_taken_over(path: Path) -> None:
    with Store(path) as store:
        matches = [play_at_random(store, seed, plies=30) for seed in range(10)]
        note(store, matches[7], "clock", mark="seven")
        events = {match: store.events(match) for match in matches}
    data = bytearray(path.read_bytes())
    page = data.index(b'"seven"') // 4096 * 4096
    data[page : page + 4096] = b"\xaa" * 4096
    path.write_bytes(data)
    path.with_name("matches.sqlite.witness").unlink()
    with Store(path) as store:
        assert store.note is not None
        kept = {match: store.events(match) for match in store.ids()}
        assert f"{len(kept)} matches with {sum(map(len, kept.values()))} events" in store.note
        assert all(kept[match] == events[match] for match in matches[:6])
        assert len(kept[matches[7]]) < len(events[matches[7]])
        assert store.problems() == []
        assert begin(store) == matches[-1] + 1
    with Store(path) as store:
        assert store.note is None


def test_matches_on_both_sides_of_a_damaged_page_are_taken_over(path: Path) -> None:
    with Store(path) as store:
        for number in range(12):
            match = store.begin_match(RULES, seated([f"{number:02d}" * 400, "Bo"]), {}, started=WHEN)
            play(store, match, "+a8")
    data = bytearray(path.read_bytes())
    page = data.index(b"050505") // 4096 * 4096
    data[page : page + 4096] = b"\xaa" * 4096
    path.write_bytes(data)
    path.with_name("matches.sqlite.witness").unlink()
    with Store(path) as store:
        kept = store.ids()
        assert {1, 12} <= set(kept) < set(range(1, 13))
        assert all(texts(store.rebuild(match)) == ["+a8"] for match in kept)


def test_a_rescue_that_was_cut_short_is_begun_anew(path: Path) -> None:
    with Store(path) as store:
        play(store, begin(store), "+a8")
    shutil.copy(path, path.with_name("matches.sqlite.recovering"))
    path.write_bytes(path.read_bytes().replace(b"payload TEXT", b"paxload TEXT"))
    with Store(path) as store:
        assert store.ids() == [1]
    assert not list(path.parent.glob("*.recovering*"))


def failing(name: str, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on a file with such a name can no longer be given another."""
    rename = Path.rename

    def fail(file: Path, target: Path) -> Path:
        if file.name.endswith(name):
            raise error
        return rename(file, target)

    monkeypatch.setattr(Path, "rename", fail)


def test_at_whatever_moment_of_a_rescue_the_power_goes_what_can_be_read_is_there(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(path) as store:
        play(store, begin(store), "+a8")
    tamper(path, "PRAGMA application_id = 7")
    for moment in (".recovering", ".witness", ".sqlite", ".recovered-1"):
        with monkeypatch.context() as power:
            failing(moment, KeyboardInterrupt(), power)
            with pytest.raises(KeyboardInterrupt):
                Store(path)
    assert not path.exists()
    with Store(path) as store:
        assert texts(store.rebuild(1)) == ["+a8"]
    assert len(list(path.parent.glob("*.damaged-?"))) == 1


def test_a_damaged_log_that_cannot_be_set_aside_gets_one_line_and_stays(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary")
    failing(".sqlite", PermissionError(13, "Permission denied"), monkeypatch)
    with pytest.raises(LogError, match="it could not be moved aside") as caught:
        Store(path)
    assert "\n" not in str(caught.value)
    assert path.read_bytes() == b"Dear diary"


# Others at the same file


def test_a_reader_sees_what_is_written_meanwhile_and_holds_up_nobody(path: Path, store: Store) -> None:
    match = begin(store)
    with Store(path, read_only=True) as page:
        assert page.events(match) == []
        play(store, match, "+a8")
        assert texts(page.rebuild(match)) == ["+a8"]
        with pytest.raises(LogError, match="readonly"):
            note(page, match, "clock")
        play(store, match, "+c4")
        assert len(page.events(match)) == 2


WRITER = """
import sys
from pathlib import Path
from firmware.log.store import Store
with Store(Path(sys.argv[1])) as store:
    for number in range(40):
        store.append(int(sys.argv[2]), "clock", {"by": sys.argv[3]}, at="2026", seconds=number)
"""


def test_two_writers_do_not_lose_each_others_events(path: Path, store: Store) -> None:
    match = begin(store)
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(match), name]) for name in "ab"]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    events = store.events(match)
    assert [event.number for event in events] == list(range(80))
    for name in "ab":
        assert [event.seconds for event in events if event.payload["by"] == name] == list(range(40))
    assert store.problems() == []


def test_the_file_says_whose_it_is(path: Path, store: Store) -> None:
    assert path.read_bytes()[68:72] == APPLICATION.to_bytes(4, "big") == b"MLud"
