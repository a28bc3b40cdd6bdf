"""Every mistake that the rules pages list for a real table, made at one and called by its name."""

from __future__ import annotations

import pytest
from tabletop import Tabletop

MEMENTO = {
    "entered only one figure": ({"T1": "red1", "L1": "yellow1"}, {}, {"R1": "red1"}, {}, "enter.count"),
    "entered three": ({"T1": "red1"}, {}, {"R1": "red1", "R2": "red1", "R3": "red1"}, {}, "enter.count"),
    "entered on a middle": ({"T1": "red1"}, {}, {"R7": "red1", "R2": "red1"}, {}, "enter.middle"),
    "entered on the inner triangle": ({"T1": "red1"}, {}, {"I1": "red1", "R2": "red1"}, {}, "enter.inner"),
    "entered on an occupied point": ({"T1": "red1", "L1": "yellow1"}, {}, {"L1": "red2"}, {}, "enter.occupied"),
    "entered a Double": ({"T1": "red1"}, {}, {"R1": "red2", "R2": "red1"}, {}, "enter.height"),
    "turned though the previous player turned": (
        {"T1": "red1", "L1": "yellow1"},
        {"just_turned": True},
        {"T1": None, "T2": "red1"},
        {"tile-T": 1},
        "turn.previous-turned",
    ),
    "turned twice in a row": (
        {"T1": "red1", "L1": "yellow1"},
        {"turned": [0]},
        {"T1": None, "T3": "red1"},
        {"tile-T": -1},
        "turn.twice",
    ),
    "turned without a change": ({"T1": "red1", "L1": "yellow1"}, {}, {}, {"tile-R": 1}, "turn.no-change"),
    "turned two triangles": (
        {"T1": "red1", "L1": "yellow1"},
        {},
        {"T1": None, "T2": "red1", "L1": None, "L2": "yellow1"},
        {"tile-T": 1, "tile-L": 1},
        "turn.two",
    ),
    "moved a foreign figure": (
        {"T1": "red1", "L1": "yellow1"},
        {},
        {"L1": None, "L5": "yellow1"},
        {},
        "move.foreign",
    ),
    "moved too far": ({"T1": "red1", "L1": "yellow1"}, {}, {"T1": None, "L5": "red1"}, {}, "move.too-far"),
    "moved round a bend": ({"T1": "red2", "L1": "yellow1"}, {}, {"T1": None, "L6": "red2"}, {}, "move.bend"),
    "moved through a figure": (
        {"T1": "red2", "T5": "yellow1", "L3": "yellow1"},
        {},
        {"T1": None, "L1": "red2"},
        {},
        "move.blocked",
    ),
    "forgot to take three stones off": (
        {"T1": "red2", "T5": "yellow2"},
        {},
        {"T1": None, "T5": "red4"},
        {},
        "capture.height",
    ),
    "took a wrong number of stones off": (
        {"T1": "red2", "T5": "yellow2"},
        {},
        {"T1": None, "T5": "red2"},
        {},
        "capture.height",
    ),
    "left the beaten marker on top": (
        {"T1": "red1", "T5": "yellow1", "L3": "yellow1"},
        {},
        {"T1": None, "T5": "yellow2"},
        {},
        "capture.marker",
    ),
    "split onto an occupied point": (
        {"T7": "red2", "T1": "yellow1", "L3": "yellow1"},
        {},
        {"T7": None, "T1": "red2", "T4": "red1"},
        {},
        "split.occupied",
    ),
    "left a part behind": (
        {"T7": "red3", "L3": "yellow1"},
        {},
        {"T7": "red1", "T1": "red1", "T4": "red1"},
        {},
        "split.origin",
    ),
    "split out of reach": (
        {"T7": "red2", "L3": "yellow1"},
        {},
        {"T7": None, "T1": "red1", "R3": "red1"},
        {},
        "split.unreachable",
    ),
    "two actions in one turn": (
        {"T1": "red1", "R7": "red1", "L1": "yellow1"},
        {},
        {"T1": None, "T5": "red1", "R7": None, "R4": "red1"},
        {},
        "two-actions",
    ),
    "played out of turn": (
        {"T1": "red1", "L1": "yellow1"},
        {},
        {"R1": "yellow1", "R2": "yellow1"},
        {},
        "not-your-turn",
    ),
    "a stone too many": (
        {"T1": "red3", "T2": "red3", "L1": "yellow3", "L2": "yellow2"},
        {},
        {"L2": "yellow3"},
        {},
        "stones.too-many",
    ),
    "something nobody can name": (
        {"T1": "red1", "L1": "yellow1", "R1": "red2"},
        {},
        {"T1": None, "L1": None},
        {},
        "unknown",
    ),
}
RINGS = {
    "placed on an occupied cell": ({"a1": "yellow"}, {}, {"a1": "red"}, {}, "place.occupied"),
    "placed two at once": ({"a1": "yellow"}, {}, {"b1": "red", "b2": "red"}, {}, "place.two"),
    "turned by more than one radius": ({"a1": "red"}, {}, {"a1": None, "a3": "red"}, {"ring-a": 2}, "turn.too-far"),
    "turned the ring turned last": (
        {"a1": "red"},
        {"last_turned": "a"},
        {"a1": None, "a2": "red"},
        {"ring-a": 1},
        "turn.same-ring",
    ),
    # The next player flies and cannot have turned the second ring.
    "turned two rings": (
        {"a1": "red", "b1": "yellow", "b3": "yellow", "b5": "yellow"},
        {"reserve": [5, 0]},
        {"a1": None, "a2": "red"},
        {"ring-a": 1, "ring-c": 1},
        "turn.two",
    ),
    "moved to no neighbour": ({"a1": "red"}, {}, {"a1": None, "b3": "red"}, {}, "move.not-neighbour"),
    "moved onto a pawn": ({"a1": "red", "a2": "yellow"}, {}, {"a1": None, "a2": "red"}, {}, "move.occupied"),
    "moved a foreign pawn": ({"a1": "yellow"}, {}, {"a1": None, "a3": "yellow"}, {}, "move.foreign"),
    "made a line and took nothing": (
        {"a1": "red", "a2": "red", "c5": "yellow"},
        {},
        {"a3": "red"},
        {},
        "capture.missing",
    ),
    "made a line and took too many": (
        {"a1": "red", "a2": "red", "c5": "yellow", "c7": "yellow"},
        {},
        {"a3": "red", "c5": None, "c7": None},
        {},
        "capture.too-many",
    ),
    "took a pawn without a line": (
        {"a1": "red", "c5": "yellow", "c7": "yellow"},
        {},
        {"a3": "red", "c5": None},
        {},
        "capture.no-line",
    ),
    "claimed a line with spent ends": (
        {"a1": "red", "a2": "red", "c5": "yellow", "c7": "yellow"},
        {"spent": ["a1"]},
        {"a3": "red", "c5": None},
        {},
        "capture.spent",
    ),
    "played out of turn": ({"a1": "red"}, {}, {"b5": "yellow"}, {}, "not-your-turn"),
    "two actions in one turn": (
        {"a1": "red", "b5": "red"},
        {},
        {"a1": None, "a2": "red", "b5": None, "b6": "red"},
        {},
        "two-actions",
    ),
    "a flying player turned a ring": (
        {"a1": "red", "a5": "red", "b3": "red", "c7": "yellow"},
        {"reserve": [0, 5]},
        {"c7": None, "c8": "yellow"},
        {"ring-c": 1},
        "turn.flying",
    ),
}
CASES = [
    pytest.param(game, *case, id=f"{game}: {name}")
    for game, cases in (("memento-tuos", MEMENTO), ("rings", RINGS))
    for name, case in cases.items()
]


@pytest.mark.parametrize(("game", "sites", "more", "changes", "turns", "rule"), CASES)
def test_a_mistake_is_called_by_its_name(
    game: str,
    sites: dict[str, str],
    more: dict[str, object],
    changes: dict[str, str | None],
    turns: dict[str, int],
    rule: str,
) -> None:
    table = Tabletop.of(game, sites, **more)
    table.turns |= turns
    news = table.show(table.changed(**changes), 3.0)
    illegal = [each for each in news if each["event"] == "illegal"]
    assert [each["rule"] for each in illegal] == [rule]
    assert illegal[0]["text"].endswith(".")
    assert not [each for each in news if each["event"] == "action"]
    table.turns = dict.fromkeys(table.turns, 0)
    assert table.show(table.faces) == [{"event": "restored"}]


def test_a_marker_too_many_is_named_too() -> None:
    nine = {f"{tile}{place}": "red1" for tile in "TLR" for place in (1, 2, 3)}
    table = Tabletop.of("memento-tuos", {**nine, "I4": "yellow1"})
    (illegal,) = (each for each in table.show(table.changed(T4="red1"), 3.0) if each["event"] == "illegal")
    assert illegal["rules"] == ["enter.count", "enter.no-markers", "markers.too-many"]
