"""What becomes of matches after they were played: other names, put away, exported and imported again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.core import GameError
from engine.registry import all_games, find_game
from engine.spoken import SpokenError
from firmware.log.exchange.export import as_json, export
from firmware.log.exchange.importing import import_match, read_match
from firmware.log.filing import is_removed, put_away, rename_players
from firmware.log.match.summary import summarise
from firmware.log.store import Player, Store
from firmware.page.archive import StoredArchive

WHEN = "2026-01-31T19:30:00.000+00:00"
LATER = "2026-02-01T10:00:00.000+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.sqlite") as opened:
        yield opened


def begin(store: Store, game: str = "rings", colours: tuple[str, ...] = ("blue", "red")) -> int:
    players = [Player(name, colour) for name, colour in zip(("Ada", "Бо"), colours, strict=True)]
    return store.begin_match(find_game(game).configure(), players, {}, started=WHEN)


def play(store: Store, match: int, *lines: tuple[str, dict[str, Any]]) -> None:
    for number, (kind, payload) in enumerate(lines):
        store.append(match, kind, payload, at=WHEN, seconds=number * 1.1)


def evening(store: Store) -> int:
    """Two actions, a try, one taken back, another played, a position set by hand, one more."""
    match = begin(store)
    play(
        store,
        match,
        ("action", {"ply": 0, "seat": 0, "action": "+a8"}),
        ("illegal", {"seat": 1, "rule": "place.taken", "sites": ["a8"], "refusals": []}),
        ("action", {"ply": 1, "seat": 1, "action": "+c3"}),
        ("undo", {"to_ply": 1}),
        ("correction", {"what": "answer", "ply": 1, "seat": 1, "action": "+c4"}),
        ("correction", {"what": "position", "setup": {"sites": {"a1": "red", "b1": "yellow"}, "seat": 1}, "turns": {}}),
        ("action", {"ply": 0, "seat": 1, "action": "+c1"}),
    )
    return match


def test_players_get_other_names_after_the_match(store: Store) -> None:
    match = evening(store)
    rename_players(store, match, ["Zoë", ""], LATER)
    assert [player.name for player in store.history(match).players] == ["Zoë", "red"]
    assert store.problems() == []
    with pytest.raises(GameError, match="3 names for 2 players"):
        rename_players(store, match, ["A", "B", "C"], LATER)
    with pytest.raises(GameError, match=r"^Two players are called zoë: "):
        rename_players(store, match, ["Zoë", "zoë"], LATER)


def test_a_match_is_put_away_and_taken_out_again(store: Store) -> None:
    match = evening(store)
    for removed in (True, True, False):
        put_away(store, match, removed, LATER)
        assert is_removed(store.events(match)) is removed
    assert [event.payload["removed"] for event in store.events(match) if event.kind == "removed"] == [True, False]


def test_what_was_put_away_is_in_no_list_and_no_statistic(store: Store) -> None:
    kept, away = evening(store), evening(store)
    put_away(store, away, True, LATER)
    archive = StoredArchive(store.path)
    assert {brief["id"]: brief["removed"] for brief in archive.matches()} == {kept: False, away: True}
    assert [brief["id"] for brief in archive.records()] == [kept]
    put_away(store, away, False, LATER)
    assert [brief["id"] for brief in archive.records()] == [kept, away]


def test_what_is_done_in_the_archive_does_not_change_which_match_goes_on(store: Store) -> None:
    early, late = evening(store), evening(store)
    rename_players(store, early, ["Eve", "Mo"], LATER)
    put_away(store, early, True, LATER)
    import_match(store, read_match(json.dumps(exported(store, early) | {"started": LATER})), LATER)
    assert store.unfinished_match() == late
    new = begin(store)
    rename_players(store, new, ["Eve", "Mo"], LATER)
    assert store.unfinished_match() == new, "nothing was played in it yet"


def test_an_imported_match_that_is_taken_up_goes_on(store: Store) -> None:
    evening(store)
    number = import_match(store, read_match(json.dumps(exported(store, 1) | {"started": LATER})), LATER)
    assert store.unfinished_match() == 1
    store.append(number, "correction", {"what": "reopen"}, at=LATER, seconds=9.0)
    assert store.unfinished_match() == number


def exported(store: Store, match: int) -> dict[str, Any]:
    return as_json(store.history(match), store.events(match))


def test_what_was_exported_as_json_comes_back_as_it_was(store: Store, tmp_path: Path) -> None:
    match = evening(store)
    store.append(match, "draw", {}, at=LATER, seconds=9.3)
    text = export(store.history(match), store.events(match), "json").decode()
    with Store(tmp_path / "other.sqlite") as other:
        number = import_match(other, read_match(text), LATER)
        told, again = exported(store, match), exported(other, number)
        assert again["events"].pop()["event"] == "imported"
        assert again == told
        assert [event.payload for event in other.events(number)][:-1] == [e.payload for e in store.events(match)]
        assert other.problems() == []


def test_what_was_exported_as_text_comes_back_as_it_can(store: Store, tmp_path: Path) -> None:
    match = evening(store)
    text = export(store.history(match), store.events(match), "text").decode()
    with Store(tmp_path / "other.sqlite") as other:
        number = import_match(other, read_match(text), LATER)
        one, two = store.history(match), other.history(number)
        assert two.actions == one.actions
        assert two.players == one.players
        assert [moment.faces for moment in two.moments()] == [moment.faces for moment in one.moments()]
        assert two.result == {"winner": None, "by": "abandon"}, "it was not over, and is not the one at this table"
        assert summarise(two.saved, other.events(number)).illegal == 1
        assert other.problems() == []


def test_the_same_match_is_not_taken_in_twice(store: Store) -> None:
    match = evening(store)
    for form in ("json", "text"):
        draft = read_match(export(store.history(match), store.events(match), form).decode())
        with pytest.raises(SpokenError, match=f"this is match {match}, which is already here"):
            import_match(store, draft, LATER)
    assert store.ids() == [match]


@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_a_match_of_every_game_is_exported_and_imported(game: str, store: Store, tmp_path: Path) -> None:
    from random import Random

    rules, dice = find_game(game).configure(), Random(3)
    setup = rules.deal(2, dice)
    players = [Player("Ada", "green"), Player("Bo", "red")]
    match = store.begin_match(rules, players, setup, started=WHEN)
    position = rules.start(2, setup)
    for ply in range(6):
        action = dice.choice(sorted(position.legal(), key=str))
        store.append(
            match, "action", {"ply": ply, "seat": position.seat, "action": str(action)}, at=WHEN, seconds=ply / 3
        )
        position = position.after(action)
    for form in ("json", "text"):
        draft = read_match(export(store.history(match), store.events(match), form).decode())
        assert draft.history.match.position == position


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "header"),
        ("{", "incomplete or damaged"),
        ("[" * 5000, "header"),
        ("{" + '"a":[' * 5000, "incomplete or damaged"),
        ("{}", "players is missing"),
        ('{"players": [{"name": "A"}]}', "colour is missing"),
    ],
)
def test_what_is_no_match_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(GameError, match=says) as refused:
        read_match(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"game": "chess"}, "chess"),
        ({"players": [{"name": "A", "colour": "red"}] * 2}, "same colour"),
        ({"players": [{"name": "A", "colour": "red", "level": "x"}]}, "level"),
        ({"setup": {"sites": {"zz": "red"}}}, "zz"),
        ({"events": [{"event": "action", "at": WHEN, "t": 0.0, "ply": 0, "action": "+zz"}]}, r"\+zz"),
        ({"events": [{"event": "party", "at": WHEN, "t": 0.0}]}, "unknown kind: party"),
        ({"events": [{"event": "action", "at": WHEN, "ply": 0, "action": "+a8"}]}, "t is missing"),
        ({"events": [{"event": "undo", "at": WHEN, "t": 0.0, "to_ply": 5}]}, "event 0"),
        ({"started": None}, "started is missing"),
    ],
)
def test_a_match_that_breaks_the_rules_is_refused_and_nothing_written(
    change: dict[str, Any], says: str, store: Store
) -> None:
    text = json.dumps(exported(store, evening(store)) | change)
    with pytest.raises(GameError, match=says):
        read_match(text)
    assert len(store.ids()) == 1
