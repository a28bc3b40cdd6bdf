"""Hints: every claim is derived again by trying everything, without search or shortcut (see `proving`)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from midgames import ended, midgames
from proving import PROOFS, Claim, holding

from engine.players.facts import Reason, reasons
from engine.players.hidden import worlds
from engine.players.hints import Hint, advise
from engine.players.levels import LEVELS
from engine.players.search import WIN, Scored, Thought, think
from engine.players.words import REASONS
from engine.registry import all_games, find_game
from engine.words import LANGUAGES

TABLES = [
    (game.name, players) for game in all_games() for players in ((2, 3) if game.name != "memento-ludis" else (4,))
]
RARE = {"rings": {"lines"}, "memento-ludis": {"out", "stones"}, "memento-tuos": {"out"}, "dimenticato": {"home"}}
"""What does not come up in a few matches played at random."""


def hints(name: str, players: int, seeds: int = 3) -> Iterator[Hint]:
    rules = find_game(name).configure()
    for seed in range(seeds):
        for *before, position in list(midgames(rules, players, seed, 90))[3 + seed :: 9]:
            yield advise(position, before, Random(seed), level=LEVELS[2])


def prove(claim: Claim) -> str:
    assert claim.is_true(), (claim.reason.say(), str(claim.action), claim.position.setup())
    return claim.reason.code


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_reason_of_a_hint_is_true(name: str, players: int) -> None:
    """In what the player takes for the position, and in the true one."""
    rules = find_game(name).configure()
    codes: Counter[str] = Counter()
    for seed in range(2):
        match = list(midgames(rules, players, seed, 90))
        for *before, position in [*match[3 + seed :: 12], *ended(rules, players, seed, 2)]:
            hint = advise(position, before, Random(seed), level=LEVELS[2])
            dealt = worlds(position, before, position.seat or 0, Random(Random(seed).random()))
            fits = sum(times for world, times in dealt if hint.action in world.legal())
            deals = fits, sum(times for _, times in dealt)
            assert hint.reasons
            for where in {hint.position, position} if hint.action in position.legal() else {hint.position}:
                for reason in hint.reasons:
                    codes[prove(Claim(where, hint.action, reason, hint.thought, deals))] += 1
    assert len(codes) >= 2, codes


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_reason_for_any_action_is_true(name: str, players: int) -> None:
    """Not only of what a search likes: of whatever may be played."""
    rules, dice = find_game(name).configure(), Random(11)
    for seed in range(2):
        match = list(midgames(rules, players, seed + 20, 90))
        for *_, position in [*match[4 + seed :: 11], *ended(rules, players, seed + 5, 2)]:
            thought = think(position, random=Random(seed), nodes=100)
            legal = list(position.legal())
            for action in dice.sample(legal, min(3, len(legal))):
                for reason in reasons(position, action, thought):
                    # These two are said of the best action only.
                    if reason.code not in ("best", "hopeless"):
                        prove(Claim(position, action, reason, thought))


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_what_a_game_remarks_of_its_actions_is_true(name: str, players: int) -> None:
    game = find_game(name)
    rules, codes = game.configure(), set[str]()
    nothing = Thought(0, (), 0, 0)
    seeds, stride = (8, 1) if name == "triominos" else (4, 6)
    for seed in range(seeds):
        for *_, position in list(midgames(rules, players, seed + 40, 120))[seed::stride]:
            for action in position.legal():
                for remark in rules.remarks(position, action):
                    reason = Reason(remark.code, game.remarks[remark.code], remark.facts, remark.sites)
                    codes.add(prove(Claim(position, action, reason, nothing)))
    assert codes >= game.remarks.keys() - RARE.get(name, set()), game.remarks.keys() - codes


def test_every_sentence_has_a_proof() -> None:
    said = {*REASONS, "wins"}.union(*(game.remarks for game in all_games()))
    assert said == set(PROOFS)


def told(name: str, players: int, setup: dict[str, object], action: str) -> dict[str, Reason]:
    """What is said for an action."""
    rules = find_game(name).configure()
    position = rules.start(players, setup)
    thought = think(position, random=Random(1), nodes=1)
    return {reason.code: reason for reason in reasons(position, rules.parse(action), thought)}


def test_two_lines_at_once_are_counted() -> None:
    sites = {"b2": "red", "c2": "red", "a1": "red", "a3": "red", "b5": "yellow", "b6": "yellow", "c8": "yellow"}
    setup: dict[str, object] = {"sites": sites, "reserve": [3, 3], "seat": 0}
    reason = told("rings", 2, setup, "+a2xb5,b6")["lines"]
    position = find_game("rings").configure().start(2, setup)
    assert reason.facts == {"number": 2}
    prove(Claim(position, position.rules.parse("+a2xb5,b6"), reason, Thought(0, (), 0, 0)))


def test_a_pawn_at_the_end_of_its_new_line_is_spent_again() -> None:
    sites = {"a1": "red", "a8": "red", "b4": "yellow", "b5": "yellow", "c6": "yellow", "c2": "yellow"}
    setup = {"sites": sites, "reserve": [2, 2], "spent": ["c6"], "seat": 1}
    assert "unspent" not in told("rings", 2, setup, "c6-b6xa8")
    assert "unspent" in told("rings", 2, setup, "c6-c7")


def test_a_pawn_that_a_ring_carries_is_counted_once() -> None:
    """Yellow may take green's only pawn where it stands, placing one on a2, or where it comes to when a turns."""
    sites = {"a1": "yellow", "b2": "yellow", "c2": "yellow", "a5": "green", "c6": "red"}
    setup: dict[str, object] = {"sites": sites, "reserve": [5, 5, 5], "seat": 2}
    assert {"guards", "saves"}.isdisjoint(told("rings", 3, setup, "a<")), "one of the two ways is left"
    assert told("rings", 3, setup, "a>")["guards"].sites == ("a5",)


def test_who_wins_does_not_lose_at_once() -> None:
    """Red has a win at once; what is said of another action counts the win among what does not lose."""
    sites = {"T4": "red1", "T5": "red1", "T7": "red1", "L4": "yellow1", "L5": "yellow1", "L7": "yellow1"}
    setup: dict[str, object] = {"sites": sites, "seat": 0}
    position = find_game("memento-tuos").configure().start(2, setup)
    kept = holding(position)
    assert position.rules.winning(position) in kept
    other = next(action for action in kept if position.after(action).outcome is None)
    found = told("memento-tuos", 2, setup, str(other))
    assert found["few"].facts == {"number": len(kept), "count": len(position.legal())}


def test_a_shared_win_is_called_one() -> None:
    rules, said = find_game("triominos").configure(), set[str]()
    for seed in (102, 114, 121):
        for *_, position in ended(rules, 2, seed, 3):
            thought = think(position, random=Random(0), nodes=1)
            for action in position.legal() if len(position.legal()) > 1 else ():
                outcome = position.after(action).outcome
                if outcome is not None and position.seat in outcome.winners:
                    codes = {reason.code for reason in reasons(position, action, thought)}
                    assert codes & {"wins", "shares"} == {"shares" if len(outcome.winners) > 1 else "wins"}
                    said |= codes
    assert "shares" in said


@pytest.mark.parametrize(
    ("players", "value", "code"), [(2, 9 - WIN, "hopeless"), (3, 9 - WIN, "best"), (3, 2 - WIN, "hopeless")]
)
def test_hopeless_is_what_nobody_at_the_table_can_help(players: int, value: int, code: str) -> None:
    """Of three, the two others need not work together; only what the next one can do at once is sure."""
    rules = find_game("memento-tuos").configure()
    position = rules.start(players, {})
    action = rules.parse("+T1")
    lost = Thought(0, (Scored(action, value),), 3, 1)
    assert [reason.code for reason in reasons(position, action, lost)] == [code]


def test_a_nudge_points_to_where_the_figure_goes() -> None:
    rules = find_game("memento-tuos").configure()
    position = rules.start(2, {"sites": {"T4": "red1", "R2": "yellow1"}, "seat": 0})
    hint = Hint(position, rules.parse("T4-I4"), Thought(0, (), 0, 0), ())
    assert hint.nudge() == "Look at the inner triangle."


def test_a_threat_that_was_there_before_is_not_told() -> None:
    setup: dict[str, object] = {"sites": {"T1": "red1", "T5": "yellow1", "R4": "red1"}, "seat": 0}
    assert "attacks" not in told("memento-tuos", 2, setup, "R4-R7")
    assert told("memento-tuos", 2, setup | {"sites": {"T1": "red1", "T4": "yellow1"}}, "T1-T7")["attacks"].facts == {
        "action": "T7xT4"
    }


def test_a_stopped_win_is_told_with_its_place() -> None:
    rules = find_game("memento-tuos").configure()
    sites = {"L4": "yellow1", "L5": "yellow1", "L7": "yellow2", "T1": "red2", "T5": "red1", "R2": "yellow1"}
    position = rules.start(2, {"sites": sites, "seat": 0})
    hint = advise(position, (), Random(0))
    told = hint.text()
    assert re.search(r"It stops yellow, who could win next with \S+ \(the left triangle\)\.", told), told


def test_a_hint_says_more_step_by_step() -> None:
    rules = find_game("memento-tuos").configure()
    sites = {"T4": "red1", "T5": "red1", "T7": "red2", "L3": "red1", "R2": "yellow1", "R1": "yellow2"}
    hint = advise(rules.start(2, {"sites": sites, "seat": 0}), (), Random(0))
    assert hint.nudge() == "Look at the top triangle."
    assert str(hint.action) not in hint.nudge()
    assert hint.text().startswith(f"Play {hint.action}. Red wins with the medians")
    assert hint.sheet == "tile-T"
    assert [hint.told(step) for step in range(3)] == [hint.nudge(), hint.figure(), hint.text()]
    assert hint.pointed(0) == (("T1", "T2", "T3", "T4", "T5", "T6", "T7"), ())
    assert hint.pointed(2) == (hint.sites, ())
    quiet = advise(rules.start(2, {"sites": {"T1": "red2", "L3": "yellow1"}, "seat": 0}), (), Random(0))
    origin = str(quiet.action)[:2]
    assert quiet.pointed(1) == ((origin,), ()), "what to play with, and not yet where to"
    assert origin in quiet.figure()
    assert "Blue wins" in hint.text("en", {"red": "blue"})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_hints_speak_five_languages(game: object, language: str) -> None:
    found = next(hints(game.name, 2, 1))  # type: ignore[attr-defined]
    for told in (found.nudge(language), found.figure(language), found.text(language)):
        assert told
        assert "{" not in told
    if language != "en":
        assert found.text(language) != found.text("en")


def test_all_remarks_of_the_games_have_sentences() -> None:
    for game in all_games():
        rules = game.configure()
        for *_, position in midgames(rules, 2, 3, 60):
            for action in position.legal()[::7]:
                assert {remark.code for remark in rules.remarks(position, action)} <= set(game.remarks)
    assert REASONS.keys().isdisjoint(game.remarks.keys())
