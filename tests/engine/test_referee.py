"""The referee: what it accepts, asks, waits for, and calls illegal, picture by picture."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tabletop import Tabletop, doubted, look, named, read

from engine.core import Game, GameError, IllegalActionError, InvalidActionError
from engine.face import spelled
from engine.match import Match
from engine.referee.evidence import UNTAUGHT
from engine.referee.explain import Evidence, Explanation, Stand, explain
from engine.referee.table import Seen, choose, step
from engine.referee.wishes import agree_draw, declare, deny, resign, set_position, take_back
from engine.registry import all_games, find_game

OPEN = [game for game in all_games() if game.configure().deal(2, Random(0)) == {}]


def events(news: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in news]


@pytest.mark.parametrize("game", OPEN, ids=lambda game: game.name)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_random_match_is_followed_action_by_action(game: Game, players: int) -> None:
    table = Tabletop(game.configure(), players)
    dice = Random(players)
    played = []
    for _ in range(40):
        position = table.table.match.position
        if position.outcome is not None:
            break
        action = str(dice.choice(position.legal()))
        news = table.play(action)
        assert news[0] == {"event": "action", "ply": len(played), "seat": position.seat, "action": action}
        played.append(action)
    assert Match.replay(table.rules, players, {}, played).position == table.table.match.position


def test_a_picture_counts_after_three_frames() -> None:
    table = Tabletop.of("memento-tuos")
    assert table.show({"T1": "red1"}, 0.2) == []
    assert events(table.show({"T1": "red1"}, 0.1)) == ["action"]
    assert table.show({"T1": "red1"}, 2.0) == [], "nothing is said twice"


def test_a_flicker_starts_the_count_again() -> None:
    table = Tabletop.of("memento-tuos")
    for _ in range(4):
        assert table.show({"T1": "red1"}, 0.2) == []
        assert table.show({}, 0.1) == []


def test_nothing_counts_under_a_hand() -> None:
    table = Tabletop.of("memento-tuos")
    for x in range(40):
        there = ["L1" if x % 2 else "L2"]
        assert table.show({"T1": "red1"}, 0.1, hand=True, hidden=there, restless=True) == []
    assert events(table.show({"T1": "red1"}, 0.3)) == ["action"]


def test_a_thing_left_lying_does_not_stop_the_match() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    news = table.show({"T1": "red1", "L1": "yellow1", "L2": "yellow1"}, 4.0, hand=True, hidden=["R1", "R2"])
    assert [each.get("action") for each in news] == ["+L1,L2"]


def test_a_site_at_the_rim_of_a_thing_left_lying_may_come_and_go() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    shown = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
    news = []
    for x in range(30):
        news += table.show(shown, 0.1, hand=True, hidden=["R1", "R2"] if x % 4 else ["R1"])
    assert [each.get("action") for each in news] == ["+L1,L2"]


def test_a_thing_that_covers_its_sites_now_and_then_is_no_hand_unless_something_moved() -> None:
    for lay, hand_came, told in ((3.0, False, ["action"]), (3.0, True, []), (1.5, False, [])):
        table = Tabletop.of("memento-tuos")
        table.show({}, lay, hidden=["L5", "L6"])
        table.show({}, 0.5)
        table.show({}, 0.1, restless=hand_came)
        assert events(table.show({"T7": "red1"}, 0.6, hidden=["L5", "L6"])) == told


def test_one_site_more_beside_a_thing_left_lying_is_soon_taken_for_its_rim() -> None:
    table = Tabletop.of("rings")
    table.show({}, 3.0, hidden=["a1", "a8"])
    assert table.show({"c3": "red"}, 1.0, hidden=["a1", "a8", "b1"]) == []
    news = table.show({"c3": "red"}, 0.5, hidden=["a1", "a8", "b1"])
    assert [each.get("action") for each in news] == ["+c3"]
    two_more = ["a1", "a8", "b1", "b2", "c1"]
    assert table.show({"c3": "red", "c5": "yellow"}, 1.9, hidden=two_more) == [], "it may be a hand"


def test_what_seems_free_for_a_blink_under_a_thing_left_lying_is_not() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.show({"T1": "red1"}, 3.0, hand=True, hidden=["R1", "R2"])
    table.show({"T1": "red1"}, 0.2, hand=True, hidden=["R1", "L1"], restless=True)
    table.show({"T1": "red1"}, 0.1, hand=True, hidden=["R1", "R2"], restless=True)
    shown = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
    assert [each.get("action") for each in table.show(shown, 0.6, hand=True, hidden=["R1", "R2"])] == ["+L1,L2"]


def test_a_hand_that_comes_back_is_a_hand() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.show({"T1": "red1"}, 1.5, hand=True, hidden=["R2", "R3"])
    table.show({"T1": "red1"}, 0.8)
    shown = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
    assert table.show(shown, 0.1, hand=True, hidden=["R2", "R3"], restless=True) == []
    assert table.show(shown, 1.5, hand=True, hidden=["R2", "R3"]) == []


def test_what_was_covered_long_ago_is_forgotten() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.show({"T1": "red1"}, 3.0, hand=True, hidden=["R2", "R3"])
    table.show({"T1": "red1"}, 2.5)
    shown = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
    assert table.show(shown, 1.5, hand=True, hidden=["R2", "R3"]) == []


def test_a_single_covered_site_is_a_hand_only_while_something_moves() -> None:
    """A hand covers more than one site, and does not come unseen: a site that seems to be covered silences nobody."""
    for moving, told in ((False, ["+L1,L2"]), (True, [])):
        table = Tabletop.of("memento-tuos")
        table.play("+T1")
        shown = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
        assert named(table.show(shown, 1.0, hidden=["R2"], restless=moving)) == told


def test_sites_that_waver_silence_nobody() -> None:
    """Another one in every picture, and never twice the same; nothing moves."""
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    shown = read(table.board, {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}, table.turns)
    said = look(table, shown, 1)
    for site in ("R2", "R5", "I3"):
        table.table = step(table.table, Seen(table.seconds, doubted(shown, **{site: {"blue1": 9.0}})))
        said += table.table.records()
        table.seconds += 0.1
    assert named(said) == ["+L1,L2"]


def test_what_was_touched_must_be_seen_in_every_picture() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    entered = {"T1": "red1", "L1": "yellow1", "L2": "yellow1"}
    shown, gone = (read(table.board, faces, table.turns) for faces in (entered, {"T1": "red1", "L1": "yellow1"}))
    for _ in range(4):
        for reading in (shown, shown, gone):
            table.table = step(table.table, Seen(table.seconds, reading))
            assert [each for each in table.table.records() if each["event"] == "action"] == []
            table.seconds += 0.1


def test_a_hasty_first_look_counts_though_it_measured_no_levels() -> None:
    """While the hand leaves, the eye takes a Single that stood there before for a Double: no news."""
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    table.show(table.faces)
    entered = read(table.board, table.changed(L1="yellow1", L2="yellow1"), table.turns)
    hasty = doubted(entered, T1={"red1": -0.5, "red2": 0.0})
    said = []
    for reading in (replace(hasty, moving=frozenset({"L1", "L2"})), entered, entered):
        table.table = step(table.table, Seen(table.seconds, reading))
        said += table.table.records()
        table.seconds += 0.1
    assert named(said) == ["+L1,L2"]


def test_two_quick_actions_are_both_found() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    news = table.show({"T5": "red1", "L1": "yellow1", "L2": "yellow1"})
    assert [(each["ply"], each["seat"], each["action"]) for each in news] == [(1, 1, "+L1,L2"), (2, 0, "T1-T5")]


def test_what_looks_like_two_actions_waits_while_somebody_is_busy_beside_the_board() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    both = {"T5": "red1", "L1": "yellow1", "L2": "yellow1"}
    assert table.show(both, 1.0, restless=True) == []
    assert [each["action"] for each in table.show(both)] == ["+L1,L2", "T1-T5"]


@pytest.mark.parametrize(
    ("sites", "actions"),
    [({"c5": "yellow"}, ("+b1", "a>")), ({"c5": "yellow"}, ("+b2", "b<")), ({"b3": "red"}, ("b3-b4", "b<"))],
)
def test_a_quick_action_and_a_turn_are_both_found(sites: dict[str, str], actions: tuple[str, str]) -> None:
    """Also where the turn carries on what has just been put down, and where it turns an empty ring."""
    table = Tabletop.of("rings", sites)
    table.show(table.faces)
    position = table.table.match.position
    for text in actions:
        action = table.rules.parse(text)
        position = position.play(action)
        for name, steps in action.turns.items():
            table.turns[name] += steps
    assert [each.get("action") for each in table.show(spelled(position.faces()))] == list(actions)


def test_a_turn_and_a_walk_back_on_it_are_both_found() -> None:
    """Together they change nothing but how the triangle lies."""
    table = Tabletop.of("memento-tuos", {"T2": "yellow1", "I1": "red1"})
    table.turns["tile-T"] = 1
    after = table.table.match.position.play(table.rules.parse("T>"))
    (walked,) = (site for site, face in after.faces().items() if face.name == "yellow1")
    assert walked != "T2"
    news = table.show({"T2": "yellow1", "I1": "red1"})
    assert [(each["seat"], each["action"]) for each in news] == [(0, "T>"), (1, f"{walked}-T2")]


def test_an_undo_to_any_earlier_position() -> None:
    rules = find_game("rings").configure()
    table = Tabletop(rules)
    dice = Random(5)
    shown = [({}, dict(table.turns))]
    for _ in range(12):
        table.play(str(dice.choice([action for action in table.table.match.position.legal() if "+" in str(action)])))
        shown.append((table.faces, dict(table.turns)))
    for ply in (11, 7, 3, 0):
        faces, table.turns = shown[ply]
        assert table.show(faces) == [{"event": "undo", "to_ply": ply}]
        assert table.table.match.ply == ply


def test_a_turn_and_a_walk_that_look_alike_are_asked_about() -> None:
    """With the mark of T hidden, T> and the step over the edge from T2 to T3 show the same."""
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    table.turns["tile-T"] = 1
    after = table.changed(T2=None, T3="red1")
    assert table.show(after, 5.0, hidden=["tile-T"]) == [{"event": "unclear", "actions": ["T2-T3", "T>"]}]
    assert [each.get("action") for each in table.show(after)] == ["T>"], "the mark decides once it is seen"


def test_the_mark_tells_a_turn_from_a_walk() -> None:
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    assert [each.get("action") for each in table.show(table.changed(T2=None, T3="red1"))] == ["T2-T3"]


def test_one_of_two_like_actions_is_asked_for_and_a_later_picture_decides() -> None:
    table = Tabletop.of("memento-tuos", {"T7": "red3", "T1": "red1", "L1": "yellow1"})
    seen = table.changed(T1=None)
    news = table.show(seen, 4.0, hidden=["T5", "T6"])
    assert news == [{"event": "unclear", "actions": ["T1-T5", "T1-T6"]}]
    assert table.table.match.ply == 0
    assert [each.get("action") for each in table.show({**seen, "T6": "red1"})] == ["T1-T6"]


def test_lost_and_found_are_said_once() -> None:
    table = Tabletop.of("rings")
    assert events(table.show(None, 1.0)) == ["lost"]
    assert events(table.show({}, 1.0)) == ["found"]


def test_the_result_follows_the_last_action() -> None:
    table = Tabletop.of(
        "memento-tuos", {"T7": "red1", "L7": "red1", "R7": "red1", "I4": "red1", "L1": "yellow1"}, seat=0
    )
    news = table.play("I4-I7")
    assert events(news) == ["action", "result"]
    assert news[1] == {"event": "result", "winner": 0, "by": "middles"}
    late = table.show(table.changed(L1=None, L5="yellow1"), 3.0)
    assert [each["rule"] for each in late] == ["game-over"]


def test_half_an_action_is_waited_for_and_then_named() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    one = table.changed(L1="yellow1")
    assert table.show(one, 0.5) == [{"event": "unfinished", "sites": ["L1"]}]
    news = table.show(one, 2.0)
    assert [(each["event"], each.get("rule")) for each in news] == [("illegal", "enter.count")]
    assert table.show(one, 5.0) == [], "once per position"
    news = table.show(table.changed(L1="yellow1", L3="yellow1"))
    assert [each.get("action") for each in news] == ["+L1,L3"], "put right by a legal action, that alone is said"


def test_a_mistake_put_back_is_restored() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    assert events(table.show(table.changed(T1=None, L3="red1", T7="yellow1"), 3.0)) == ["illegal"]
    assert table.show(table.faces) == [{"event": "restored"}]
    assert table.show(table.faces, 3.0) == []


def test_a_sheet_seen_first_in_another_position_is_no_turn() -> None:
    table = Tabletop.of("memento-tuos")
    table.table = type(table.table).begin(table.table.match, {"tile-T": 2})
    table.turns["tile-T"] = 2
    assert table.show({}, 3.0) == []


def test_doubt_is_weighed_not_counted() -> None:
    """A site that may be red or yellow, and a site that is surely so, are not the same witness."""
    rules = find_game("rings").configure()
    position = rules.start(2, {})
    board = rules.game.board(2, {})
    reading = read(board, {"b3": "red"}, {})
    sites = {site: dict(values) for site, values in reading.sites.items()}
    sites["b3"][board.faces["yellow"]] = -0.2
    sites["c5"] = {face: value / 20 for face, value in sites["c5"].items()}
    best = explain(position, Stand({}, {}), Evidence(type(reading)(sites, reading.sheets)))[0]
    assert str(best.actions[0]) == "+b3"


def test_a_piece_on_its_way_is_waited_for() -> None:
    table = Tabletop.of("memento-tuos")
    assert table.show({"T1": "red1"}, 3.0, moving=["T1"]) == []
    assert events(table.show({"T1": "red1"}, 0.3)) == ["action"]


def test_a_hand_beside_the_board_holds_up_no_legal_action() -> None:
    table = Tabletop.of("memento-tuos")
    assert table.show({"T1": "red1"}, 0.2, restless=True) == []
    assert events(table.show({"T1": "red1"}, 0.1, restless=True)) == ["action"]


def test_nothing_is_taken_back_until_two_frames_after_the_last_motion_in_the_picture() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    assert table.show({}, 2.0, restless=True) == []
    assert table.show({}, 0.1) == []
    assert table.show({}, 0.1) == [{"event": "undo", "to_ply": 0}]


def test_nothing_is_called_illegal_while_somebody_is_busy() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    half = table.changed(L1="yellow1")
    assert "illegal" not in events(table.show(half, 6.0, restless=True))
    assert table.show(half, 0.1) == []
    assert events(table.show(half, 0.2)) == ["illegal"]


def test_an_action_that_brings_back_an_earlier_picture_is_that_action_not_an_undo() -> None:
    table = Tabletop.of("rings", {"a1": "red", "b1": "yellow"})
    for text in ("a1-a2", "b1-b2", "a2-a1"):
        table.play(text)
    assert [each.get("action") for each in table.play("b2-b1")] == ["b2-b1"]


@pytest.mark.parametrize("doubt", [-0.6, -1.0, -2.0])
def test_where_an_undo_is_hardly_better_than_an_action_people_are_asked(doubt: float) -> None:
    table = Tabletop.of("rings", {"a1": "red", "b1": "yellow"})
    table.show(table.faces)
    table.play("a1-a2")
    table.play("b1-b2")
    table.table = replace(table.table, accepted=replace(table.table.accepted, habit=UNTAUGHT))
    seen = read(table.board, {"a1": "red", "b1": "yellow"}, table.turns)
    seen = doubted(seen, b1={"": doubt / 2}, b2={"yellow": doubt / 2})
    assert look(table, seen, 40) == [{"event": "unclear", "actions": ["a2-a1"]}]
    table.table = deny(table.table)
    assert look(table, seen, 20) == [{"event": "undo", "to_ply": 0}]


def test_sums_that_differ_by_rounding_are_alike() -> None:
    """The same picture explained by an action or by an undo: the action it is; of two undos, the later one."""
    action = Explanation(1.0 + 1e-12, (find_game("rings").configure().parse("+a1"),))
    assert choose([Explanation(1.0, to_ply=0), action]) is action
    assert choose([Explanation(1.0, to_ply=0), Explanation(1.0, to_ply=4)]).to_ply == 4


# What people tell the referee


def test_a_wrong_acceptance_taken_back_is_not_accepted_again_from_the_same_picture() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.table = take_back(table.table)
    assert table.table.records() == [{"event": "undo", "to_ply": 0}]
    assert table.show({"T1": "red1"}, 3.0) == []
    assert events(table.show({"T2": "red1"})) == ["action"]


def test_two_quick_actions_taken_back_one_by_one_do_not_come_in_again() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    both = {"T5": "red1", "L1": "yellow1", "L2": "yellow1"}
    assert events(table.show(both)) == ["action", "action"]
    for to_ply in (2, 1):
        table.table = take_back(table.table)
        assert table.table.records() == [{"event": "undo", "to_ply": to_ply}]
        assert table.show(both, 3.0) == []
    table.play("+L1,L2")
    assert events(table.show(both)) == ["action"], "another action has been played since"


@pytest.mark.parametrize(("answer", "other"), [("T>", "T2-T3"), ("T2-T3", "T>")])
def test_whoever_takes_an_answer_back_is_asked_about_the_others(answer: str, other: str) -> None:
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    after = table.changed(T2=None, T3="red1")
    table.show(after, 4.0, hidden=["tile-T"])
    table.table = declare(table.table, answer)
    table.show(after, 2.0, hidden=["tile-T"])
    table.table = take_back(table.table)
    asked = table.show(after, 3.0, hidden=["tile-T"])
    assert asked == [{"event": "unclear", "actions": [other]}]


def test_after_a_take_back_a_stone_that_is_missing_is_said_and_a_height_in_doubt_is_not() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "T5": "yellow2", "L3": "yellow1"})
    before = table.faces
    table.play("T1xT5")
    taken_back = table.table = take_back(table.table)
    wrong = read(table.board, {**before, "T5": "yellow1"}, table.turns)
    assert look(table, doubted(wrong, T5={"yellow2": -6.0}), 30) == []
    table.table = taken_back
    assert [(each["event"], each["sites"]) for each in look(table, wrong, 30)][-1] == ("illegal", ["T5"])


def test_after_a_take_back_the_same_action_counts_once_the_table_was_put_back() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.table = take_back(table.table)
    table.show({}, 1.0)
    assert [each.get("action") for each in table.show({"T1": "red1"})] == ["+T1"]


def test_an_unclear_picture_is_answered() -> None:
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    after = table.changed(T2=None, T3="red1")
    assert events(table.show(after, 4.0, hidden=["tile-T"])) == ["unclear"]
    table.table = declare(table.table, "T2-T3")
    assert [each.get("action") for each in table.table.records()] == ["T2-T3"]
    assert table.show(after, 3.0, hidden=["tile-T"]) == []


def test_if_it_was_none_of_these_it_is_called_what_else_it_is() -> None:
    """Somebody has played out of turn, or a pawn was put on the cell under the cup before."""
    table = Tabletop.of("rings", {"a3": "red", "c4": "yellow"})
    table.show(table.faces, 3.0, hand=True, hidden=["c8"])
    after = table.changed(b1="yellow")
    assert table.show(after, 3.0, hand=True, hidden=["c8"]) == [{"event": "unclear", "actions": ["+c8"]}]
    table.table = deny(table.table)
    news = table.show(after, 0.2, hand=True, hidden=["c8"], restless=True)
    assert [each.get("rule") for each in news] == ["not-your-turn"], "at once: a hand beside the board finishes nothing"
    with pytest.raises(GameError, match="there is no open question"):
        deny(table.table)


def test_what_was_denied_counts_when_it_happens_after_all() -> None:
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    before, after = table.faces, table.changed(T2=None, T3="red1")
    table.show(after, 4.0, hidden=["tile-T"])
    table.table = deny(table.table)
    assert events(table.show(after, 2.0, hidden=["tile-T"])) == ["illegal"]
    assert events(table.show(before)) == ["restored"]
    assert [each.get("action") for each in table.show(after)] == ["T2-T3"]


def test_what_was_denied_is_forgotten_with_the_next_action() -> None:
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1"})
    table.show(table.changed(T2=None, T3="red1"), 4.0, hidden=["tile-T"])
    table.table = deny(table.table)
    assert table.table.heard.denied
    assert not declare(table.table, "L>").heard.denied


def test_an_answer_must_be_legal() -> None:
    table = Tabletop.of("memento-tuos")
    with pytest.raises(IllegalActionError):
        declare(table.table, "+T1,L3")
    with pytest.raises(InvalidActionError):
        declare(table.table, "castle")


def test_a_position_set_by_hand_tells_nothing_of_how_a_sheet_lies() -> None:
    table = Tabletop.of("rings")
    table.table = type(table.table).begin(table.table.match, {}, unsure=["ring-b"])
    table.turns["ring-b"] = 1
    table.table = set_position(table.table, {"sites": {"a1": "red", "c5": "yellow"}})
    assert table.show({"a1": "red", "c5": "yellow"}, 2.0) == []


def test_a_position_set_by_hand_goes_on_from_there() -> None:
    table = Tabletop.of("memento-tuos")
    table.play("+T1")
    table.table = set_position(table.table, {"sites": {"T7": "red2", "L1": "yellow1"}, "seat": 1})
    assert events(table.table.records()) == ["correction"]
    assert table.show({"T7": "red2", "L1": "yellow1"}, 2.0) == []
    assert [each.get("action") for each in table.show({"T7": "red2", "L5": "yellow1"})] == ["L1-L5"]


def test_resigning_and_agreeing_a_draw_end_the_match() -> None:
    table = Tabletop.of("rings")
    ended = resign(table.table, 1)
    assert ended.records() == [{"event": "resign", "seat": 1}]
    table.table = ended
    assert table.show({"a1": "red"}, 3.0) == []
    for wish in (lambda: declare(ended, "+a1"), lambda: agree_draw(ended), lambda: resign(ended, 0)):
        with pytest.raises(GameError, match="over"):
            wish()
    assert agree_draw(Tabletop.of("rings").table).records() == [{"event": "draw"}]
    with pytest.raises(GameError, match="no seat 5; the seats are: 0, 1"):
        resign(Tabletop.of("rings").table, 5)
    with pytest.raises(GameError, match="no action"):
        take_back(Tabletop.of("rings").table)
