"""A disk that takes nothing ends no match: what is played is said to be in memory only, and written when it can be."""

from __future__ import annotations

import resource
from collections import namedtuple
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path

import pytest
from logbook import write_match
from place import Place

from firmware.commands.cli import build_parser
from firmware.devices.signals import Mood, picture
from firmware.log.claim import claimed
from firmware.log.match.record import LogDamagedError, LogError, LogUnwritableError
from firmware.log.outbox import AGAIN, CHECKPOINT, Outbox, patient_log
from firmware.log.store import Store
from firmware.machine.errors import UsageError
from firmware.table.requests.deeds import correct
from firmware.table.running import taken_up
from firmware.table.state import state_of

Usage = namedtuple("Usage", ["total", "used", "free"])


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def outbox(tmp_path: Path, said: list[str]) -> Iterator[Outbox]:
    with patient_log(tmp_path / "log.sqlite", said.append) as outbox:
        yield outbox


@pytest.fixture
def place(outbox: Outbox) -> Place:
    """A table with this log; the match goes on from a first action."""
    place = Place(computers="")
    place.sitting.gear.outbox = outbox
    assert place.sitting.playing is not None
    place.sitting.play_again()
    place.sitting.begin()
    place.look(5)
    return place


def test_on_a_full_disk_play_goes_on_and_all_is_written_when_there_is_room(
    place: Place, outbox: Outbox, said: list[str]
) -> None:
    assert outbox.store is not None
    now = 0.0
    place.sitting.gear.monotonic = lambda: now
    place.shown("+T7")
    with full_disk():
        for _ in range(2):
            text = str(place.match.position.legal()[0])
            assert [event["event"] for event in place.shown(text)] == ["action"]
        assert (outbox.waiting, len(outbox.store.events(1))) == (2, 1)
        state = state_of(place.sitting)["log"]
        assert state["waiting"] == 2
        assert "cannot use the log" in state["problem"]
        now += AGAIN
        place.look(1)
        assert outbox.waiting == 2
    assert place.changed(), "the page is told"
    now += AGAIN / 2
    place.look(1)
    assert outbox.waiting == 2, "not at every frame"
    now += AGAIN
    place.look(1)
    assert (outbox.waiting, outbox.problem) == (0, "")
    assert place.changed()
    assert outbox.store.history(1).actions == list(map(str, place.match.actions))
    assert outbox.store.problems() == []
    problem, end = said
    assert problem.endswith("is written as soon as that is possible")
    assert end == "the match log can be written again: nothing is missing"


def test_a_match_that_began_in_memory_is_written_from_its_beginning(place: Place, outbox: Outbox) -> None:
    assert outbox.store is not None
    with full_disk():
        place.shown("+T7")
        correct(place.sitting, "resign", {"seat": 0})
        place.sitting.play_again()
        place.sitting.begin()
        place.eye.seen = {}
        place.look(5)
        place.shown("+R7")
        place.sitting.abandon()
        assert outbox.store.ids() == []
    outbox.tend(1e9)
    assert [outbox.store.history(match).actions for match in outbox.store.ids()] == [["+T7"], ["+R7"]]
    assert [match.result and match.result["by"] for match in map(outbox.store.history, outbox.store.ids())] == [
        *("resign", "abandon")
    ]


def test_a_log_that_cannot_be_opened_at_the_start_is_opened_when_it_can_be(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "log.sqlite"
    with full_disk(), patient_log(path, said.append) as outbox:
        assert outbox.store is None
        assert "matches are kept in memory" in said[0]
        place = Place(computers="")
        place.sitting.gear.outbox = outbox
        place.sitting.play_again()
        place.sitting.begin()
        place.look(5)
        place.shown("+T7")
        assert outbox.waiting == 1
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        outbox.tend(1e9)
        assert (outbox.waiting, outbox.problem) == (0, "")
    with Store(path, read_only=True) as store:
        assert store.history(1).actions == ["+T7"]


def test_a_program_that_starts_on_a_full_disk_plays_in_memory(tmp_path: Path, said: list[str]) -> None:
    path = tmp_path / "log.sqlite"
    path.touch()
    args = build_parser().parse_args(["run", "--game", "rings", "--log", str(path)])
    with full_disk(), patient_log(path, said.append) as outbox:
        assert outbox.store is None
        assert taken_up(outbox, path, None, args, said.append) is None
        args.match = 1
        with pytest.raises(UsageError, match="holds no match yet"):
            taken_up(outbox, path, None, args, said.append)


def test_what_could_not_be_written_to_the_end_is_said(tmp_path: Path, said: list[str]) -> None:
    with full_disk(), patient_log(tmp_path / "log.sqlite", said.append) as outbox:
        outbox.put(lambda store: None)
    assert said[-1].startswith("1 entries of the match log could not be written: cannot use the log")


@pytest.mark.parametrize("error", [LogDamagedError("broken"), LogError("moved"), UsageError("in use")])
def test_what_is_no_passing_trouble_is_an_error_at_the_start(
    tmp_path: Path, said: list[str], monkeypatch: pytest.MonkeyPatch, error: UsageError
) -> None:
    def fail(_: Path) -> Iterator[Store]:
        raise error

    monkeypatch.setattr("firmware.log.outbox.own_log", contextmanager(fail))
    with pytest.raises(type(error)), patient_log(tmp_path / "log.sqlite", said.append):
        pass


def test_who_is_not_patient_is_told_at_once(tmp_path: Path) -> None:
    with Store(tmp_path / "log.sqlite") as store, full_disk(), pytest.raises(LogUnwritableError):
        Outbox(store).put(lambda store: write_match(store, "rings", 1, 5))


def test_little_room_is_told_before_there_is_none(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    free = 7 << 20
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(0, 0, free))
    outbox.tend(0.0)
    assert outbox.room == 7
    free = 1 << 40
    outbox.tend(1.0)
    assert outbox.room == 7, "it is looked at now and then only"
    outbox.tend(1000.0)
    assert outbox.room is None


def test_now_and_then_the_file_takes_in_its_journal(place: Place, outbox: Outbox, tmp_path: Path) -> None:
    place.shown("+T7")
    alone = tmp_path / "alone.sqlite"
    outbox.tend(1e6)
    alone.write_bytes((tmp_path / "log.sqlite").read_bytes())
    with Store(alone, read_only=True) as store:
        assert store.history(1).actions == ["+T7"]
    assert CHECKPOINT <= 300


def test_the_light_tells_that_nothing_is_written(place: Place) -> None:
    times = [tick / 10 for tick in range(60)]
    plain, unsaved = ([picture(Mood(), now, 2, told).status for now in times] for told in (False, True))
    flashes = [now for now, one, other in zip(times, plain, unsaved, strict=True) if one != other]
    assert 0 < len(flashes) < 10


# A log belongs to one program


def test_a_lock_that_is_given_back_while_another_waits_for_it_is_not_held_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other has opened the file before its name was taken away."""
    import fcntl

    lock, taken = fcntl.lockf, []

    def late(file: object, how: int) -> None:
        if not taken:
            taken.append(True)
            (tmp_path / "log.sqlite.lock").unlink()
        lock(file, how)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "lockf", late)
    with claimed(tmp_path / "log.sqlite"):
        held = get_context("spawn").Process(target=_claim, args=(tmp_path / "log.sqlite",))
        held.start()
        held.join(60)
        assert held.exitcode == 3, "nobody else can hold it now"
    assert not list(tmp_path.glob("*.lock"))


def _claim(log: Path) -> None:
    try:
        with claimed(log):
            raise SystemExit(0)
    except UsageError:
        raise SystemExit(3) from None
