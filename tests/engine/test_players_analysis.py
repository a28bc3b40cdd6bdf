"""Looking back at a match, and ratings from many."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from proving import Claim

from engine.core import Outcome
from engine.match import Match
from engine.players.analysis import LARGE, analyse, chance, graph
from engine.players.arena import Result, at_random, elo, of_level, play_match, wilson
from engine.players.levels import LEVELS
from engine.players.search import WIN, Thought, think
from engine.registry import all_games, find_game

NEARLY = {"T4": "red1", "T5": "red1", "T7": "red2", "L3": "red1", "R2": "yellow1", "R1": "yellow2"}
"""Red, whose turn it is, wins on the top triangle with one step or one entry to T6."""


def memento(sites: dict[str, str], *texts: str) -> Match:
    rules = find_game("memento-tuos").configure()
    return Match.replay(rules, 2, {"sites": sites, "seat": 0}, texts)


def test_a_missed_win_is_told() -> None:
    first, *_ = analyse(memento(NEARLY, "L>"), nodes=200)
    assert first.kind == "missed-win"
    before = memento(NEARLY).position
    assert before.play(before.rules.parse(first.best)).outcome is not None
    assert first.comment() == f"Here {first.best} would have won."
    assert first.comment("de") == f"Hier hätte {first.best} gewonnen."
    assert first.best_chance > 0.99 > first.chance


def test_an_action_that_lets_the_other_win_is_told() -> None:
    first, second = analyse(memento(NEARLY, "L3-L4", "R2-R7"), nodes=200)
    assert first.kind == "missed-win"
    assert second.kind == "missed-stop"
    assert second.rival == 0
    assert second.comment().startswith("This let red win; ")


def test_what_nothing_could_stop_was_not_missed() -> None:
    """Yellow threatens two triangles at once: whatever red does, nobody says that he let it happen."""
    triangle = {f"{tile}{point}": "yellow1" for tile in "TL" for point in "457"}
    match = memento({**triangle, "T1": "yellow1", "L1": "yellow1", "R2": "red3"}, "R2-R6")
    assert not any(match.rules.winning(match.positions[0].after(a)) is None for a in match.positions[0].legal())
    (only,) = analyse(match, nodes=200)
    assert only.kind is None


def test_a_better_action_is_told_with_its_reason() -> None:
    sites = {"T1": "red1", "L3": "red2", "L1": "red1", "T5": "yellow3", "R2": "yellow3"}
    match = memento(sites, "L3-L4")
    (only,) = analyse(match, nodes=400)
    assert (only.kind, only.rival) == ("better", None)
    assert only.best != "L3-L4"
    assert only.loss >= LARGE
    assert only.comment().startswith(f"{only.best} was better. It threatens to win next with ")
    start = match.positions[0]
    for reason in only.reasons:
        assert Claim(start, start.rules.parse(only.best), reason, Thought(0, (), 0, 0)).is_true()


def test_a_good_action_needs_no_comment() -> None:
    match = memento(NEARLY)
    winning = str(match.rules.winning(match.position))
    (only,) = analyse(match.play(match.rules.parse(winning)), nodes=200)
    assert (only.kind, only.comment(), only.loss) == (None, "", 0.0)
    assert graph([only]) == [{"ply": 0, "seat": 0, "chance": 1.0, "loss": 0.0}]
    assert only.record()["best"] == winning


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_match_can_be_looked_at_again(game: object) -> None:
    rules = find_game(game.name).configure()  # type: ignore[attr-defined]
    dice = Random(3)
    match = Match.begin(rules, 3, rules.deal(3, dice))
    for _ in range(12):
        match = match.play(dice.choice(match.position.legal()))
    judged = list(analyse(match, nodes=150))
    assert [each.action for each in judged] == [str(action) for action in match.actions]
    assert all(0 <= each.chance <= each.best_chance <= 1 for each in judged)
    assert judged == list(analyse(match, nodes=150))


def test_a_single_action_can_be_weighed_alone() -> None:
    match = memento(NEARLY)
    for action in match.position.legal()[::9]:
        alone = think(match.position, random=Random(0), nodes=2_000, depth=2, only=action)
        assert [scored.action for scored in alone.ranked] == [action]


def test_chances() -> None:
    assert chance(0, 2) == 0.5
    assert chance(0, 4) == 0.25
    assert chance(WIN, 3) > 0.999 > 0.001 > chance(-WIN, 3)
    assert chance(150, 2) == pytest.approx(1 - chance(-150, 2))


def test_the_same_seed_gives_the_same_match() -> None:
    rules = find_game("rings").configure()
    seats = (of_level(LEVELS[1]), at_random)
    assert play_match(rules, seats, 4) == play_match(rules, seats, 4)
    assert play_match(rules, seats, 4, cap=3) == Result(None, 3)


def test_scores() -> None:
    won = Result(Outcome((1,), "last"), 9)
    assert [won.score(seat, 2) for seat in (0, 1)] == [0.0, 1.0]
    assert Result(None, 9).score(0, 3) == pytest.approx(1 / 3)
    assert Result(replace(won.outcome or Outcome((), ""), winners=(0, 1)), 9).score(0, 2) == 0.5


def test_elo_knows_what_a_score_means() -> None:
    """200 points are a score of about 76 of 100; with many matches the added half win does not matter."""
    first, second, third = elo({(0, 1): (2400, 7600), (1, 2): (5000, 5000)}, 3)
    assert first.points == 0
    assert second.points == pytest.approx(200, abs=2)
    assert third.points == pytest.approx(200, abs=2)
    assert third.within > second.within > 0
    few = elo({(0, 1): (24, 76)}, 2)[1]
    assert few.within == pytest.approx(10 * elo({(0, 1): (2400, 7600)}, 2)[1].within, rel=0.05)


def test_the_interval_of_a_share() -> None:
    """Wilson's own example: nothing of ten is not nothing for sure."""
    low, high = wilson(0, 10)
    assert (low, round(high, 3)) == (0.0, 0.278)
    assert wilson(50, 100) == pytest.approx((0.404, 0.596), abs=0.001)


@pytest.mark.parametrize("name", ["memento-tuos", "rings", "dimenticato"])
def test_the_middle_level_beats_chance(name: str) -> None:
    rules = find_game(name).configure()
    for seed in range(3):
        seats = [of_level(LEVELS[2]), at_random]
        assert play_match(rules, seats[:: 1 if seed % 2 else -1], seed).score(0 if seed % 2 else 1, 2) == 1.0
