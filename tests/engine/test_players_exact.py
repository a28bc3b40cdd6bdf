"""The search beside one without any shortcut, and levels, worlds and spots one by one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from midgames import ended, midgames

from engine.core import Position
from engine.players import hints, levels, search
from engine.players.facts import Reason
from engine.players.hidden import together
from engine.players.hints import reasons_in_all, spot_of
from engine.players.levels import LEVELS, decide
from engine.players.search import SHUNNED, WIN, Scored, Thought, think
from engine.registry import find_game

NEARLY = {"T4": "red1", "T5": "red1", "T7": "red2", "L3": "red1", "R2": "yellow1", "R1": "yellow2"}
"""Red wins on the top triangle with one step or one entry to T6."""


FEW = 16
"""Where there are fewer actions, one more is looked ahead."""


def plain(position: Position, seat: int, depth: int, ply: int = 1) -> int:
    """What a position is worth to a player who thinks against all others: everything looked at, nothing remembered."""
    if position.outcome is not None:
        winners = position.outcome.winners
        return WIN - ply if winners == (seat,) else 0 if seat in winners else ply - WIN
    if position.rules.winning(position) is not None:
        return WIN - ply - 1 if position.seat == seat else ply + 1 - WIN
    if depth == 0:
        worth = position.rules.worth(position)
        return sum(worth[seat] - each for each in worth)
    values = [plain(position.after(action), seat, depth - 1, ply + 1) for action in position.legal()]
    return max(values) if position.seat == seat else min(values)


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("name", ["memento-tuos", "rings", "triominos", "dimenticato"])
def test_nothing_is_lost_by_cutting_and_remembering(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no action looked at less deep than another, the search finds what looking at everything finds."""
    monkeypatch.setattr(search, "EARLY", 10**6)
    rules = find_game(name).configure()
    late = ended(rules, players, 114, 4) if name == "triominos" else []
    for *_, position in [*list(midgames(rules, players, 3, 60))[6::18], *late]:
        seat = position.seat
        assert seat is not None
        actions = sorted(position.legal(), key=str)
        for action in actions[:: len(actions) // 3 + 1]:
            for depth in (1, 2, 3, 4) if len(actions) < FEW else (1, 2, 3):
                found = think(position, random=Random(1), nodes=10**6, depth=depth, only=action).best.value
                assert found == plain(position.after(action), seat, depth - 1), (str(action), depth, position.setup())


@pytest.mark.parametrize(("name", "depth", "most"), [("memento-tuos", 2, 400), ("triominos", 5, 7)])
def test_the_best_of_all_is_what_looking_at_everything_finds(
    name: str, depth: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the same position comes about in more than one way, and is remembered."""
    monkeypatch.setattr(search, "EARLY", 10**6)
    rules, looked = find_game(name).configure(), 0
    for seed in range(6):
        for *_, position in list(midgames(rules, 2, seed, 60))[2::7]:
            if not 1 < len(position.legal()) <= most or looked > 5:
                continue
            looked += 1
            seat = position.seat or 0
            values = {str(action): plain(position.after(action), seat, depth - 1) for action in position.legal()}
            best = think(position, random=Random(1), nodes=10**6, depth=depth).best
            assert best.value == values[str(best.action)] == max(values.values())
    assert looked > 3


@dataclass(frozen=True)
class Knot:
    """A position of a made-up game in which many ways lead to the same place: six places a level, worths by chance."""

    seed: int
    level: int = 0
    place: int = 0
    outcome: None = None
    players: int = 2

    @property
    def seat(self) -> int:
        return self.level % 2

    @property
    def rules(self) -> Any:  # noqa: ANN401 - as much of rules as a search asks
        return SimpleNamespace(winning=lambda _: None, worth=lambda knot: (knot.worth, 0))

    @property
    def worth(self) -> int:
        return Random(f"{self.seed} {self.level} {self.place}").randrange(-100, 100)

    def key(self) -> tuple[int, int]:
        return self.level, self.place

    def legal(self) -> list[int]:
        return Random(f"{self.seed} {self.level} {self.place} legal").sample(range(6), 3)

    def after(self, action: int) -> Knot:
        return replace(self, level=self.level + 1, place=action)


@cache
def knotted(knot: Knot, depth: int) -> int:
    """What it is worth to the first player when everything is looked at."""
    if depth == 0:
        return knot.worth
    values = [knotted(knot.after(action), depth - 1) for action in knot.legal()]
    return min(values) if knot.seat else max(values)


@pytest.mark.parametrize("depth", [3, 5, 7])
def test_what_is_remembered_is_right_however_often_it_comes_back(depth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "EARLY", 10**6)
    for seed in range(60):
        start: Any = Knot(seed)
        best = think(start, random=Random(seed), nodes=10**6, depth=depth).best
        assert best.value == knotted(start, depth) == knotted(start.after(best.action), depth - 1), seed


def test_coming_back_costs_a_little() -> None:
    position = find_game("rings").configure().start(2, {"sites": {"a1": "red", "b5": "yellow"}, "seat": 0})
    free = {str(each.action): each.value for each in think(position, random=Random(0), nodes=1, depth=1).ranked}
    seen = position.after(position.rules.parse("a1-a2")).key()
    shunned = think(position, random=Random(0), nodes=1, depth=1, shun=[seen]).ranked
    dearer = {str(each.action): free[str(each.action)] - each.value for each in shunned}
    assert dearer == dict.fromkeys(free, 0) | {"a1-a2": SHUNNED}


def test_worlds_count_as_often_as_they_were_dealt() -> None:
    """An action that is not possible in a world is worth there what comes of trying it."""
    go, stay, wrong, bad = "go", "stay", "wrong", "bad"
    rules = SimpleNamespace(attempt=lambda world, action: wrong)
    world: Any = SimpleNamespace(rules=rules)
    often = Thought(0, (Scored(go, 90), Scored(stay, 10)), 3, 5)  # type: ignore[arg-type]
    once = Thought(0, (Scored(stay, 50), Scored(wrong, -30), Scored(bad, -70)), 2, 4)  # type: ignore[arg-type]
    both = together(0, [(world, 3, often), (world, 1, once)])
    told = {str(each.action): each.value for each in both.ranked}
    # Nobody could try the wrong number where the right one is known: it counts as the worst there.
    assert told == {"go": 60, "stay": 20, "wrong": 0, "bad": -10}
    assert (both.depth, both.nodes, str(both.best.action)) == (2, 9, "go")


def test_reasons_hold_in_every_world(monkeypatch: pytest.MonkeyPatch) -> None:
    one, two, three = (Reason(code, code) for code in ("one", "two", "three"))
    said = {"first": [one, two], "second": [two, three], "third": [three]}
    monkeypatch.setattr(hints, "reasons", lambda world, action, thought: said[world])
    thought: Any = SimpleNamespace(depth=4)
    action: Any = None
    assert reasons_in_all(["first", "second"], action, thought) == [two]  # type: ignore[list-item]
    (left,) = reasons_in_all(["first", "second", "third"], action, thought)  # type: ignore[list-item]
    assert (left.code, left.facts) == ("best", {"number": 4})


def test_who_follows_a_whim_does_anything() -> None:
    position = find_game("memento-tuos").configure().start(2, {"sites": NEARLY, "seat": 0})
    whims = {str(decide(replace(LEVELS[0], whim=1.0), position, (), Random(seed))[0]) for seed in range(30)}
    assert len(whims) > 15
    assert any(position.after(position.rules.parse(text)).outcome is None for text in whims)


def test_who_misjudges_takes_a_win_all_the_same() -> None:
    position = find_game("memento-tuos").configure().start(2, {"sites": NEARLY, "seat": 0})
    blurred = replace(LEVELS[1], blur=10**7)
    for seed in range(20):
        assert position.after(decide(blurred, position, (), Random(seed))[0]).outcome is not None


def test_memory_goes_back_from_now(monkeypatch: pytest.MonkeyPatch) -> None:
    *before, position = list(midgames(find_game("rings").configure(), 2, 1, 12))[-1]
    asked: list[Any] = []

    def ponder(position: Position, *, earlier: Any, **_: Any) -> Thought:  # noqa: ANN401 - as it is called
        asked.append(list(earlier))
        return Thought(0, (Scored(position.legal()[0], 0),), 1, 1)

    monkeypatch.setattr(levels, "ponder", ponder)
    for memory in (3, None):
        decide(replace(LEVELS[3], memory=memory), position, before, Random(0))
    assert asked == [before[-3:], before]


@pytest.mark.parametrize(
    ("site", "spot"),
    [("a1", "top left"), ("f1", "top right"), ("a6", "bottom left"), ("f6", "bottom right"), ("a3", "left")],
)
def test_spots_are_where_they_are_called(site: str, spot: str) -> None:
    rules = find_game("dimenticato").configure()
    assert spot_of(rules.start(2, rules.deal(2, Random(1))), (site,)) == spot
