"""A sleeve or a cup left lying on the board is said once; a hand is not."""

from __future__ import annotations

from tabletop import Tabletop

from engine.core import Json
from engine.registry import find_game
from firmware.table.seeing.covering import FORGOTTEN, Covering, LeftLying


def see(covering: Covering, table: Tabletop, seconds: float, *hidden: str) -> list[Json]:
    """The board for a while with some sites under something."""
    said: list[Json] = []
    for _ in range(round(seconds * 10)):
        now = table.seconds
        table.show(table.faces, 0.1, hand=bool(hidden), hidden=hidden)
        said += [{"t": round(now, 3)} | each.record(table.rules.game) for each in covering.follow(table.table, now)]
    return said


def test_what_stays_longer_than_a_hand_is_said_once_with_its_sites() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    patience = table.table.patience.lying
    assert see(covering, table, patience, "L3", "L4") == []
    assert covering.record() == {"lying": [], "hidden": ["L3", "L4"]}
    (said,) = see(covering, table, 20.0, "L3", "L4")
    assert (said["event"], said["sites"], said["t"]) == ("lying", ["L3", "L4"], patience)
    assert said["text"] == "something is lying on L3, L4: the referee cannot see what stands there"
    assert covering.record() == {"lying": ["L3", "L4"], "hidden": []}
    assert see(covering, table, 1.0) == []
    assert covering.record() == {"lying": [], "hidden": []}


def test_a_hand_that_moves_on_is_never_a_thing_left_lying() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    for site in ("T1", "T2", "T3", "T4"):
        assert see(covering, table, 1.0, site) == []
        assert covering.record() == {"lying": [], "hidden": [site]}


def test_a_hand_is_shown_no_oftener_than_eyes_follow() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    shown = [see(covering, table, 0.1, f"T{1 + x % 7}") or covering.hidden for x in range(12)]
    assert len(set(shown)) == 4
    see(covering, table, 0.1)
    assert covering.hidden == (), "once it is gone, it is gone at once"


def test_a_thing_seen_through_for_a_moment_is_not_said_again_but_one_that_returns_is() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    assert len(see(covering, table, 3.0, "R1")) == 1
    see(covering, table, 0.2)
    assert see(covering, table, 3.0, "R1") == []
    assert [event["sites"] for event in see(covering, table, 3.0, "R1", "R2")] == [["R2"]]
    see(covering, table, FORGOTTEN)
    assert [event["sites"] for event in see(covering, table, 3.0, "R1")] == [["R1"]]


def test_a_board_covered_beside_its_sites_hides_nothing() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    table.show({}, 3.0, hand=True)
    assert covering.follow(table.table, table.seconds) == []
    assert covering.record() == {"lying": [], "hidden": []}


def test_a_hand_that_stays_and_moves_is_no_thing_until_it_lies_still() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    said: list[Json] = []
    for moving in (("L3", "L4"),) * 60 + ((),) * 40:
        now = table.seconds
        table.show(table.faces, 0.1, hand=True, hidden=("L3", "L4"), moving=moving)
        said += [{"t": round(now, 3)} | each.record(table.rules.game) for each in covering.follow(table.table, now)]
    assert [(event["t"], event["sites"]) for event in said] == [(7.9, ["L3", "L4"])]


def test_a_thing_left_lying_stays_one_while_a_hand_moves_over_it() -> None:
    covering, table = Covering(), Tabletop.of("memento-tuos")
    assert len(see(covering, table, 3.0, "L3", "L4")) == 1
    for _ in range(30):
        now = table.seconds
        table.show(table.faces, 0.1, hand=True, hidden=("L3", "L4"), moving=("L3",))
        assert covering.follow(table.table, now) == []
        assert covering.record()["lying"] == ["L3", "L4"]


def test_what_lies_on_a_lattice_of_cards_is_no_card_of_the_set() -> None:
    game = find_game("triominos")
    assert "no card or chip of this set in what lies on 1,0: " in LeftLying(("1,0",)).record(game)["text"]
    sleeve = LeftLying(("1,0", "2,0")).record(game)
    assert sleeve["text"] == "something is lying on 1,0, 2,0: the referee cannot see what stands there"
