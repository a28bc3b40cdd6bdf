"""Every mistake that the rules pages list for a real table, made at one and called by its name."""

from __future__ import annotations

import pytest
from blunders import MEMENTO, RINGS
from tabletop import Tabletop

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
    assert table.show(table.faces) == []
    table.turns |= turns
    news = table.show(table.changed(**changes), 3.0)
    illegal = [each for each in news if each["event"] == "illegal"]
    assert [each["rule"] for each in illegal] == [rule]
    assert illegal[0]["text"].endswith(".")
    assert illegal[0]["sites"], "what is wrong must be shown where it is"
    assert not [each for each in news if each["event"] == "action"]
    table.turns = dict.fromkeys(table.turns, 0)
    assert table.show(table.faces) == [{"event": "restored"}]


def test_a_marker_too_many_is_named_too() -> None:
    nine = {f"{tile}{place}": "red1" for tile in "TLR" for place in (1, 2, 3)}
    table = Tabletop.of("memento-tuos", {**nine, "I4": "yellow1"})
    (illegal,) = (each for each in table.show(table.changed(T4="red1"), 3.0) if each["event"] == "illegal")
    assert illegal["rules"] == ["enter.count", "enter.no-markers", "markers.too-many"]
