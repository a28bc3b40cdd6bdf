"""What is sent next: as much as the hub can confirm, nothing twice without need, and all of it in the end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.registry import find_game
from firmware.hub.contract import Lines
from firmware.hub.deliveries import AT_ONCE, PATIENCE, Deliveries
from firmware.hub.pages_of_log import BATCH, LogPages
from firmware.log.store import Player, Store

PLAYERS = [Player("Ada", "red"), Player("Ben", "yellow")]


class Bench:
    """A log, a clock, and a hub that confirms when it is told to."""

    def __init__(self, folder: Path) -> None:
        self.now = 0.0
        self.store = Store(folder / "log.sqlite")
        self.pages = LogPages(folder / "log.sqlite", "ab")
        self.deliveries = Deliveries(self.pages, lambda: self.now)

    def match(self, events: int) -> int:
        rules = find_game("rings").configure()
        setup = rules.deal(2, Random(1))
        number = self.store.begin_match(rules, PLAYERS, setup, started=f"day {len(self.store.ids())}")
        self.add(number, events)
        return number

    def add(self, number: int, events: int) -> None:
        for _ in range(events):
            self.store.append(number, "restored", {}, at="", seconds=0.0)

    def ask(self, have: int = 0) -> None:
        for asked in self.deliveries.questions():
            self.deliveries.hear({id_: {"next": have, "covered": False} for id_ in asked})

    def sent(self) -> list[tuple[int, int, int]]:
        """What is sent now: the match, the first event, and how many."""
        return [(each.start.number, each.lines[0].seq, len(each.lines)) for each in self.deliveries.next()]

    def confirm(self, number: int, count: int, **more: bool) -> None:
        match = self.pages.match(number)
        assert match is not None
        self.deliveries.hear({match.id: {"next": count, "covered": False} | more})


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.pages.close()
    made.store.close()


def test_nothing_is_sent_before_the_hub_has_told_what_it_has(bench: Bench) -> None:
    number = bench.match(5)
    list(bench.deliveries.questions())
    assert bench.sent() == []
    bench.confirm(number, 2)
    assert bench.sent() == [(number, 2, 3)]
    assert bench.sent() == []


def test_what_is_new_is_sent_alone(bench: Bench) -> None:
    number = bench.match(3)
    bench.ask()
    assert bench.sent() == [(number, 0, 3)]
    bench.confirm(number, 3)
    bench.add(number, 2)
    bench.deliveries.note_changes()
    assert bench.sent() == [(number, 3, 2)]


def test_one_confirmation_may_be_for_many_messages(bench: Bench) -> None:
    number = bench.match((AT_ONCE + 3) * BATCH)
    bench.ask()
    assert len(bench.sent()) == AT_ONCE
    assert bench.sent() == []
    bench.confirm(number, AT_ONCE * BATCH)
    assert len(bench.sent()) == 3


def test_what_is_not_confirmed_is_sent_again_and_ever_more_rarely(bench: Bench) -> None:
    number = bench.match(3)
    bench.ask()
    assert bench.sent() == [(number, 0, 3)]
    bench.now = PATIENCE + 1
    assert bench.sent() == [(number, 0, 3)]
    bench.now += PATIENCE + 1
    assert bench.sent() == []
    bench.now += PATIENCE
    assert bench.sent() == [(number, 0, 3)]
    bench.confirm(number, 3)
    bench.now += 1000
    assert bench.sent() == []


def test_a_hub_that_misses_something_gets_it(bench: Bench) -> None:
    number = bench.match(9)
    bench.ask()
    bench.sent()
    bench.confirm(number, 4, again=True)
    assert bench.sent() == [(number, 4, 5)]
    bench.confirm(number, 9)
    # Its database was restored from a backup.
    bench.confirm(number, 6)
    assert bench.sent() == [(number, 6, 3)]


def test_a_match_that_begins_in_the_meantime_needs_no_question(bench: Bench) -> None:
    bench.ask()
    number = bench.match(2)
    bench.deliveries.note_changes()
    assert bench.sent() == [(number, 0, 2)]


def test_lines_come_back_as_they_were(bench: Bench) -> None:
    number = bench.match(2)
    match = bench.pages.match(number)
    assert match is not None
    lines = bench.pages.lines(match, 0)
    from firmware.hub.contract import unpacked

    assert Lines.read(unpacked(lines.pack())) == lines


def test_a_question_without_an_answer_is_asked_again(bench: Bench) -> None:
    bench.match(3)
    (asked,) = bench.deliveries.questions()
    assert list(bench.deliveries.reminders()) == []
    bench.now += PATIENCE + 0.1
    assert list(bench.deliveries.reminders()) == [asked]
    assert list(bench.deliveries.reminders()) == [], "it is patient for longer now"
    bench.now += 2 * PATIENCE + 0.1
    bench.deliveries.hear({id_: {"next": 0, "covered": False} for id_ in asked})
    assert list(bench.deliveries.reminders()) == []
