"""What the disk may do to a log, and what must be noticed and saved: the second copy, the journal, raw pages, gaps."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from stat import S_IMODE

import pytest
from logbook import write_match

from engine.match import Match
from engine.registry import find_game
from firmware.log.damage.carving import carved_rows
from firmware.log.damage.rescue import whole_chain
from firmware.log.damage.second_copy import WITNESS, SecondCopy, shorten
from firmware.log.disk.chain import linked
from firmware.log.disk.file import PARTS, part_of
from firmware.log.disk.journal import FRAME, HEADER, frames_of
from firmware.log.match.record import seated
from firmware.log.match.summary import summarise
from firmware.log.store import Event, LogDamagedError, LogError, Store
from firmware.table.requests.resuming import found_match

WHEN = "2026-01-31T19:30:00+01:00"
RINGS = find_game("rings").configure()
Told = dict[int, list[Event]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "matches.sqlite"


@pytest.fixture
def cut(path: Path) -> Iterator[Path]:
    """A log as it is found after a power cut: its last two matches are in the journal only."""
    with Store(path) as store:
        for seed in range(3):
            write_match(store, "rings", seed, 20)
        store.checkpoint()
        for seed in range(3, 5):
            begin_match(store, seed)
        yield copied(path, path.parent.parent / "cut")


def begin_match(store: Store, seed: int, plies: int = 12) -> int:
    """A match that is not over."""
    number = store.begin_match(RINGS, seated(["Ada", "Bo"]), {}, started=WHEN)
    match, dice = Match.begin(RINGS, 2, {}), Random(seed)
    while match.ply < plies:
        action = dice.choice(sorted(match.position.legal(), key=str))
        payload = {"ply": match.ply, "seat": match.position.seat, "action": str(action)}
        store.append(number, "action", payload, at=WHEN, seconds=float(match.ply))
        match = match.play(action)
    return number


def copied(path: Path, folder: Path) -> Path:
    """The files of a log in another folder, but for what SQLite makes anew."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for part in PARTS:
        if part != "-shm" and part_of(path, part).exists():
            shutil.copy(part_of(path, part), folder)
    return folder / path.name


def told(path: Path) -> Told:
    with Store(path, read_only=True) as store:
        return {match: store.events(match) for match in store.ids()}


def is_called_sound(path: Path) -> bool:
    try:
        with Store(path, read_only=True) as store:
            return store.problems() == []
    except LogError:
        return False


def flipped(path: Path, place: int, bit: int = 1) -> None:
    data = bytearray(path.read_bytes())
    data[place] ^= bit
    path.write_bytes(data)


def test_no_byte_of_the_journal_changes_unnoticed_and_all_is_recovered(path: Path, cut: Path) -> None:
    whole, dice, noticed = told(path), Random(3), 0
    assert told(cut) == whole
    journal = part_of(cut, "-wal").stat().st_size
    assert journal > 10 * (FRAME + 4096)
    for _ in range(40):
        place = dice.randrange(journal)
        victim = copied(cut, cut.parent.parent / "victim")
        flipped(part_of(victim, "-wal"), place, 1 << dice.randrange(8))
        if is_called_sound(victim):
            assert told(victim) == whole, f"byte {place} was changed, and nobody says so"
        else:
            noticed += 1
        with Store(victim) as store:
            assert {match: store.events(match) for match in store.ids()} == whole
            assert store.problems() == []
    assert noticed > 30


@pytest.mark.parametrize("left", [0.0, 0.3, 0.8])
def test_a_journal_that_was_cut_off_or_thrown_away_is_noticed_and_costs_nothing(
    path: Path, cut: Path, left: float
) -> None:
    whole, journal = told(path), part_of(cut, "-wal")
    os.truncate(journal, int(left * journal.stat().st_size))
    if not left:
        journal.unlink()
    assert not is_called_sound(cut)
    with Store(cut) as store:
        assert store.note is not None
        assert "were written are not in it" in store.note
        assert {match: store.events(match) for match in store.ids()} == whole


def test_without_a_second_copy_the_journal_speaks_for_itself(path: Path, cut: Path) -> None:
    whole, journal = told(path), part_of(cut, "-wal")
    part_of(cut, WITNESS).unlink()
    for place in (26, HEADER + 2, HEADER + 9, HEADER + FRAME + 7, HEADER + 5 * (FRAME + 4096) + 2000):
        victim = copied(cut, cut.parent.parent / "victim")
        flipped(part_of(victim, "-wal"), place)
        assert not is_called_sound(victim), place
    flipped(journal, HEADER + FRAME + 7)
    with Store(cut) as store:
        assert store.note is not None
        assert "its journal was changed after it was written" in store.note
        kept = {match: store.events(match) for match in store.ids()}
    events = sum(map(len, whole.values()))
    assert sum(map(len, kept.values())) >= 0.99 * events, "its pages can be read all the same"


def test_the_file_alone_holds_all_that_was_played_before_the_last_match(path: Path) -> None:
    with Store(path) as store:
        for seed in range(3):
            write_match(store, "rings", seed, 1000)
        alone = path.parent / "alone.sqlite"
        shutil.copy(path, alone)
        assert told(alone) == told(path), "a match that is over is in the file itself"
        number = begin_match(store, 7)
        shutil.copy(path, alone)
        assert number not in told(alone)
        store.checkpoint()
        shutil.copy(path, alone)
        assert told(alone) == told(path)


def test_what_another_log_has_said_is_not_held_against_this_one(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sqlite"
    for log, seeds in ((path, range(6)), (other, range(10, 12))):
        with Store(log) as store:
            for seed in seeds:
                write_match(store, "rings", seed, 10)
    whole = told(other)
    shutil.copy(other, path)
    assert is_called_sound(path)
    with Store(path) as store:
        assert store.note is None
        assert {match: store.events(match) for match in store.ids()} == whole


def test_lines_of_the_second_copy_that_are_torn_or_changed_say_nothing(path: Path) -> None:
    with Store(path) as store:
        match = write_match(store, "rings", 1, 10)
        witness = part_of(path, WITNESS)
        lines = [line for line in witness.read_text().splitlines() if line]
        assert len(SecondCopy.read(path).events) == len(store.events(match))
        witness.write_text("\n".join([*lines[:-2], lines[-2].replace("action", "auction"), lines[-1][:30]]))
        assert len(SecondCopy.read(path).events) == len(store.events(match)) - 2
        store.append(match, "clock", {}, at=WHEN, seconds=99.0)
        assert (match, len(store.events(match)) - 1) in SecondCopy.read(path).events, "a torn line spoils no other"


def test_a_second_copy_that_has_grown_long_keeps_the_last_evenings(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware.log.damage.second_copy.LARGEST", 4000)
    monkeypatch.setattr("firmware.log.damage.second_copy.KEPT", 8)
    with Store(path) as store:
        for seed in range(3):
            write_match(store, "rings", seed, 12)
        size = store.size()
    with Store(path) as store, closing(sqlite3.connect(path)) as db:
        found = SecondCopy.read(path)
        assert (found.counts, len(found.matches), len(found.events)) == (size, 3, 8)
        assert found.missing(db) == 0
        shorten(path, db)
        store.append(3, "clock", {}, at=WHEN, seconds=99.0)
        assert len(SecondCopy.read(path).events) == 9
    with closing(sqlite3.connect(path)) as db:
        for trigger in ("events_are_not_deleted",):
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute("DELETE FROM events WHERE match = 1 AND number > 5")
        db.commit()
        assert found.missing(db) > 0, "how many there were it knows for good"


def test_without_room_for_a_second_copy_the_match_goes_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with Store(path) as store:
        monkeypatch.setattr(os, "write", full)
        match = write_match(store, "rings", 1, 10)
        assert len(store.events(match)) > 5


def test_nobody_else_on_the_machine_may_read_a_log(path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Store(path) as store:
            write_match(store, "rings", 1, 10)
            modes = {file.name: S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        assert set(modes.values()) == {0o600}, modes
        path.chmod(0o644)
        Store(path).close()
        assert S_IMODE(path.stat().st_mode) == 0o640, "those who share a group with it may"
    finally:
        os.umask(before)


# Raw pages


def spoiled(path: Path, page: int) -> None:
    data = bytearray(path.read_bytes())
    data[page * 4096 : (page + 1) * 4096] = b"\xaa" * len(data[page * 4096 : (page + 1) * 4096])
    path.write_bytes(data)


def events_on(path: Path, page: int) -> set[tuple[int, int]]:
    """Which events a page holds, by match and number."""
    alone = path.with_name("page")
    data = path.read_bytes()
    alone.write_bytes(bytes(4096) + data[page * 4096 : (page + 1) * 4096])
    return {(row[0], row[1]) for row in carved_rows(alone) if len(row) == 7}


def test_of_a_damaged_file_every_event_is_rescued_whose_page_can_be_read(path: Path, tmp_path: Path) -> None:
    with Store(path) as store:
        for seed in range(12):
            write_match(store, "rings", seed, 30)
    whole = told(path)
    part_of(path, WITNESS).unlink()
    pages = path.stat().st_size // 4096
    readable = rescued = 0
    for page in range(pages):
        victim = copied(path, tmp_path / "victim")
        gone = events_on(victim, page)
        spoiled(victim, page)
        with Store(victim) as store:
            assert store.note is not None
            assert store.problems() == []
            kept = [event for match in store.ids() for event in store.events(match) if event.kind != "gap"]
            if store.ids() != list(whole):
                continue  # What began a match was on that page: then nothing tells what its events mean.
        readable += sum(map(len, whole.values())) - len(gone)
        rescued += len(kept)
    assert readable > 8 * sum(map(len, whole.values()))
    assert rescued >= 0.99 * readable


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-4096],
        lambda data: data.replace(b"CREATE TRIGGER events", b"CREATE TRIGGED events"),
        lambda data: data[:16] + b"\xff\xff" + data[18:],
        lambda data: bytes(100) + data[100:],
    ],
)
def test_a_file_that_sqlite_refuses_gives_up_all_the_same_what_is_on_its_pages(path: Path, spoil: object) -> None:
    with Store(path) as store:
        for seed in range(6):
            write_match(store, "rings", seed, 30)
    whole = told(path)
    part_of(path, WITNESS).unlink()
    path.write_bytes(spoil(path.read_bytes()))  # type: ignore[operator]
    assert not is_called_sound(path)
    with Store(path) as store:
        kept = sum(len(store.events(match)) for match in store.ids())
    assert kept >= sum(map(len, whole.values())) - 25


def test_a_long_row_goes_on_from_page_to_page(path: Path) -> None:
    with Store(path) as store:
        match = write_match(store, "rings", 1, 5)
        for length in (3000, 4061, 4062, 5000, 20_000):
            store.append(match, "clock", {"note": "x" * length}, at=WHEN, seconds=1.0)
        events = store.events(match)
    part_of(path, WITNESS).unlink()
    flipped(path, 70)
    with Store(path) as store:
        assert store.note is not None
        assert store.events(match) == events


# Gaps


def gapped(path: Path) -> tuple[int, list[Event]]:
    """A match of which three events in the middle are lost."""
    with Store(path) as store:
        match = write_match(store, "rings", 1, 12)
        events = store.events(match)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("DROP TRIGGER events_are_not_deleted")
        db.execute("DELETE FROM events WHERE number BETWEEN 4 AND 6")
        db.execute("PRAGMA application_id = 7")
    part_of(path, WITNESS).unlink()
    return match, events


def test_after_a_gap_the_events_are_kept_and_nothing_is_made_of_them(path: Path) -> None:
    match, events = gapped(path)
    with Store(path) as store:
        assert store.note is not None
        assert f"1 matches with {len(events) - 3} events were recovered from it (3 more are missing)" in store.note
        kept = store.events(match)
        assert [event.kind for event in kept[:6]] == [*(event.kind for event in events[:4]), "gap", events[7].kind]
        assert kept[4].payload == {"from": 4, "to": 6}
        assert [event.payload for event in kept[5:]] == [event.payload for event in events[7:]]
        history = store.history(match)
        played = [event.payload["action"] for event in events[:4] if event.kind == "action"]
        assert (history.actions, history.result) == (played, None)
        assert summarise(store.match(match), kept).actions == len(played)
        assert store.problems() == []


def test_after_a_gap_a_match_goes_on_once_its_position_was_set(path: Path) -> None:
    match, _ = gapped(path)
    with Store(path) as store:
        _, (_, table) = found_match(store, match)
        before = len(table.match.actions)
        setup = table.match.position.setup()
        store.append(match, "correction", {"what": "position", "setup": setup, "turns": {}}, at=WHEN, seconds=99.0)
        action = str(store.rebuild(match).position.legal()[0])
        store.append(match, "action", {"ply": 0, "seat": 0, "action": action}, at=WHEN, seconds=100.0)
        assert len(store.history(match).actions) == before + 1


def test_what_was_changed_is_left_out_and_what_follows_it_is_still_trusted() -> None:
    rows = [("a", 0.0, "clock", "{}")] * 6
    linked_rows, before = [], "start"
    for number, row in enumerate(rows):
        linked_rows.append(linked(before, number, *row))
        before = linked_rows[-1][-1]
    known = {row[0]: [row] for row in linked_rows}
    assert whole_chain("start", known) == (linked_rows, 0)
    known[2] = [(*linked_rows[2][:2], 7.0, *linked_rows[2][3:])]
    kept, lost = whole_chain("start", known)
    assert ([row[3] for row in kept], lost) == (["clock", "clock", "gap", "clock", "clock", "clock"], 1)
    known[4] = [(*linked_rows[4][:3], "danced", *linked_rows[4][4:])]
    assert whole_chain("start", known)[1] == 2


def test_a_frame_says_which_page_it_is_and_whether_it_is_sound(cut: Path) -> None:
    data = part_of(cut, "-wal").read_bytes()
    frames = frames_of(data)
    assert all(frame.is_sound for frame in frames[:20])
    assert {len(frame.data) for frame in frames} == {4096}
    assert frames_of(b"") == frames_of(data[:40]) == []


def test_a_reader_of_a_damaged_log_changes_nothing(path: Path) -> None:
    gapped(path)
    before = path.read_bytes()
    with pytest.raises(LogDamagedError):
        Store(path, read_only=True)
    assert path.read_bytes() == before
