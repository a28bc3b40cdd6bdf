"""Statistics, by examples worked out by hand."""

from __future__ import annotations

from typing import Any

from engine.statistics import by_game, by_player, histogram, round_width, turn_times, undos


def event(kind: str, t: float, **payload: object) -> dict[str, Any]:
    return {"event": kind, "t": t, **payload}


FIRST: dict[str, Any] = {
    "id": 1,
    "game": "rings",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "yellow"}],
    "result": {"winner": 0, "by": "last"},
    "actions": 3,
    "events": [
        event("action", 4.0, ply=0, seat=0, action="+a1"),
        event("illegal", 6.0, seat=1, rule="place.occupied"),
        event("restored", 7.0),
        event("action", 10.0, ply=1, seat=1, action="+b2"),
        event("undo", 12.0, to_ply=1),
        event("action", 15.0, ply=1, seat=1, action="+a2"),
        event("correction", 21.0, what="answer", ply=2, seat=0, action="+a3"),
        event("result", 21.0, winner=0, by="last"),
    ],
}
SECOND: dict[str, Any] = {
    "id": 2,
    "game": "rings",
    "players": [{"name": "Ben", "colour": "red"}, {"name": "yellow", "colour": "yellow"}],
    "result": {"winner": None, "by": "draw"},
    "actions": 1,
    "events": [
        event("illegal", 1.0, seat=0, rule="place.two"),
        event("illegal", 2.0, seat=0, rule="place.two"),
        event("action", 8.0, ply=0, seat=0, action="+a1"),
        event("draw", 9.0),
    ],
}
SHARED: dict[str, Any] = {
    "id": 3,
    "game": "triominos",
    "players": [{"name": "Ada", "colour": "red"}, {"name": "Ben", "colour": "yellow"}],
    "result": {"winner": [0, 1], "by": "chips", "chips": [9, 9]},
    "actions": 0,
    "events": [],
}
MATCHES = [FIRST, SECOND, SHARED]


def test_times_run_from_the_action_or_correction_before() -> None:
    assert turn_times(FIRST) == [(0, 4.0), (1, 6.0), (1, 3.0), (0, 6.0)]


def test_an_undo_counts_for_whose_action_was_taken_back() -> None:
    assert undos(FIRST) == {1: 1}
    assert undos(SECOND) == {}
    taken = [event("action", 1.0, seat=0, action="+a1"), event("undo", 2.0, to_ply=0)]
    again = [event("action", 3.0, seat=2, action="+a1"), event("undo", 4.0, to_ply=0)]
    assert undos({"events": [*taken, *again]}) == {0: 1, 2: 1}, "what was taken back is gone"


def test_plies_count_anew_after_the_position_was_set_by_hand() -> None:
    events = [
        event("action", 1.0, seat=0, action="+a1"),
        event("correction", 2.0, what="position", setup={}, turns={}),
        event("action", 3.0, seat=1, action="+a1"),
        event("correction", 4.0, what="take_back", to_ply=0),
    ]
    assert undos({"events": events}) == {1: 1}


def test_games() -> None:
    rings = by_game(MATCHES)["rings"]
    assert list(by_game(MATCHES)) == ["rings", "triominos"]
    assert (rings.matches, rings.finished, rings.undone) == (2, 1, 1)
    assert rings.kinds == {"last": 1}
    assert rings.lengths == (3, 1)
    assert rings.typical_length == 2
    assert sorted(rings.times) == [3.0, 4.0, 6.0, 6.0, 8.0]
    assert rings.typical_time == 6.0
    assert list(rings.mistakes.items()) == [("place.two", 2), ("place.occupied", 1)]
    assert rings.illegal == 3


def test_players() -> None:
    players = by_player(MATCHES)
    assert list(players) == ["Ben", "Ada"], "who played most comes first"
    ada, ben = players["Ada"], players["Ben"]
    assert (ada.matches, ada.finished, ada.wins, ada.undone) == (2, 2, 2, 0)
    assert (ben.matches, ben.finished, ben.wins, ben.undone) == (3, 2, 1, 1)
    assert ada.kinds == {"chips": 1, "last": 1}
    assert ben.kinds == {"chips": 1}
    assert ada.times == (4.0, 6.0)
    assert ben.times == (6.0, 3.0, 8.0)
    assert ben.mistakes == {"place.two": 2, "place.occupied": 1}


def test_nothing_played_is_no_number() -> None:
    assert by_game([]) == {}
    shared = by_game([SHARED])["triominos"]
    assert shared.typical_time is None
    assert shared.typical_length == 0


def test_classes() -> None:
    assert histogram([], 5) == []
    assert histogram([1, 4.9, 5, 17], 5) == [(0, 2), (5, 1), (10, 0), (15, 1)]
    assert round_width([]) == 1
    assert round_width([3, 12]) == 1
    assert round_width([0, 18]) == 2
    assert round_width([0, 430]) == 50
