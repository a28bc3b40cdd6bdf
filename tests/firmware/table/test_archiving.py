"""What people do in the archive, while a match is played and without one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.core import GameError
from engine.registry import find_game
from engine.spoken import SpokenError
from firmware.devices.lights import NoLights
from firmware.log.exchange.export import export
from firmware.log.match.seating import Seating
from firmware.log.outbox import Outbox
from firmware.log.store import Player, Store
from firmware.machine.errors import UsageError
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.wishes import grant

WHEN = "2026-01-31T19:30:00.000+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "matches.sqlite") as opened:
        rules = find_game("rings").configure()
        opened.begin_match(rules, [Player("red", "red"), Player("blue", "blue")], {}, started=WHEN)
        opened.append(1, "action", {"ply": 0, "seat": 0, "action": "+a8"}, at=WHEN, seconds=1.0)
        yield opened


@pytest.fixture
def sitting(store: Store) -> Sitting:
    return Sitting(Gear(NoLights(), Outbox(store), wall=lambda: WHEN), "sim")


def names(store: Store, match: int = 1) -> list[str]:
    return [player.name for player in store.history(match).players]


def test_players_of_an_earlier_match_get_names(sitting: Sitting, store: Store) -> None:
    grant(sitting, "rename_match", {"match": 1, "names": [" Ada  L. ", ""]})
    assert names(store) == ["Ada L.", "blue"]


def test_the_match_at_the_table_is_renamed_there_too_and_not_removed(sitting: Sitting, store: Store) -> None:
    sitting.play(MatchPlan(find_game("rings").configure(), Seating.parse("red,blue")))
    assert sitting.playing is not None
    sitting.playing.log.number, sitting.playing.log.is_begun = 1, True
    grant(sitting, "rename_match", {"match": 1, "names": ["Ada", "Ben"]})
    assert [player.name for player in sitting.playing.seating.players] == ["Ada", "Ben"]
    with pytest.raises(SpokenError, match="match 1 is being played"):
        grant(sitting, "remove_match", {"match": 1, "removed": True})


def test_a_match_is_removed_and_put_back(sitting: Sitting, store: Store) -> None:
    grant(sitting, "remove_match", {"match": 1, "removed": True})
    grant(sitting, "remove_match", {"match": 1, "removed": False})
    assert [event.payload for event in store.events(1) if event.kind == "removed"] == [
        {"removed": True},
        {"removed": False},
    ]


def test_a_match_is_imported_and_told_by_its_number(sitting: Sitting, store: Store, tmp_path: Path) -> None:
    with Store(tmp_path / "other.sqlite") as other:
        other.begin_match(find_game("rings").configure(), [Player("A", "red"), Player("B", "green")], {}, started="x")
        text = export(other.history(1), other.events(1), "text").decode()
    assert grant(sitting, "import_match", {"text": text}) == ({"match": 2}, [])
    assert names(store, 2) == ["A", "B"]
    with pytest.raises(SpokenError, match="already here"):
        grant(sitting, "import_match", {"text": text})


@pytest.mark.parametrize(
    ("wish", "payload"),
    [
        ("rename_match", {"match": 9, "names": ["A", "B"]}),
        ("rename_match", {"match": 1, "names": ["A"]}),
        ("rename_match", {"match": 1, "names": "AB"}),
        ("remove_match", {"match": 9, "removed": True}),
        ("remove_match", {"match": "1", "removed": True}),
        ("import_match", {"text": "1. e4 e5"}),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    sitting: Sitting, store: Store, wish: str, payload: dict[str, object]
) -> None:
    with pytest.raises((GameError, UsageError)) as refused:
        grant(sitting, wish, payload)
    assert "\n" not in str(refused.value)
    assert (store.ids(), len(store.events(1))) == ([1], 1)


def test_where_nothing_can_be_written_that_is_said() -> None:
    sitting = Sitting(Gear(NoLights(), Outbox()), "sim")
    with pytest.raises(SpokenError, match="cannot be changed now"):
        grant(sitting, "remove_match", {"match": 1, "removed": True})
