"""The players' benchmarks, in small: what they measure is what they say."""

from __future__ import annotations

import pytest

from engine.players.levels import LEVELS
from engine.registry import find_game
from firmware.bench import crowd, players, spiel

RINGS = find_game("rings").configure()


def test_open_spiels_search_plays_our_positions() -> None:
    meeting = spiel.meet(RINGS, simulations=2, number=1)
    assert meeting.score in (0.0, 0.5, 1.0)
    assert len(meeting.theirs) - len(meeting.ours) in (0, 1), "it begins, being number 1"
    tally = spiel.Meetings()
    tally.add(meeting)
    score, seconds = tally.rows("rings")
    assert score.value == meeting.score
    assert seconds.reference == pytest.approx(sum(meeting.theirs) / len(meeting.theirs))


def test_a_state_for_open_spiel_is_our_position() -> None:
    state = spiel.State(RINGS.start(2, {}))
    twin = state.clone()
    assert list(state.legal_actions()) == list(range(30))
    state.apply_action(3)
    assert state.position == twin.position.after(twin.position.legal()[3])
    assert twin.position == RINGS.start(2, {}), "a clone is another state"
    assert (state.current_player(), state.is_terminal(), state.returns()) == (1, False, [0.0, 0.0])


def test_everybody_meets_a_neighbour() -> None:
    pairs = list(players.pairs())
    assert {(number, number + 1) for number in range(len(LEVELS))} <= set(pairs)
    assert len(set(pairs)) == len(pairs)


def test_the_strongest_plays_less_often() -> None:
    assert players.rounds((3, 4)) == players.ROUNDS
    assert players.rounds((4, 5)) == players.WITH_STRONGEST


def test_rows_of_the_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "PLAYERS", players.PLAYERS[:3])
    monkeypatch.setattr(players, "MIDDLE", 2)
    monkeypatch.setattr(players, "AGAINST_CHANCE", 1)
    assert players.chance_row(RINGS).value in (0.0, 0.5, 1.0)
    assert players.met(RINGS, 0, 1, 1) == tuple(reversed(players.met(RINGS, 1, 0, 1)))


def test_one_against_two_who_think_for_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "NODES", 40)
    score, matches = crowd.meet(find_game("memento-tuos").configure(), 1)
    assert matches == 3
    assert 0 <= score <= 3
