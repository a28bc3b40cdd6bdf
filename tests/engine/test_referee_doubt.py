"""The referee when the eye is in doubt: heights it cannot tell, marks it cannot see, things that cover the board."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tabletop import Tabletop, doubted, look, named, read

from engine.face import spelled
from engine.referee.evidence import Evidence
from engine.referee.explain import explain
from engine.referee.reading import Reading
from engine.referee.table import Seen, Table, step
from engine.registry import find_game
from engine.slips import slips

# Times, as the contract has them


@pytest.mark.parametrize(("fps", "frame"), [(30, 3), (10, 3), (5, 3), (1.5, 2)])
def test_a_position_counts_after_three_frames_or_six_tenths_of_a_second(fps: float, frame: int) -> None:
    table = Tabletop.of("memento-tuos")
    said = []
    for number in range(1, 6):
        table.table = step(table.table, Seen(number / fps, read(table.board, {"T1": "red1"}, {})))
        said += [number for _ in table.table.news]
    assert said == [frame]


@pytest.mark.parametrize("fps", [10, 30, 4])
def test_illegal_is_said_when_it_has_stood_for_one_and_a_half_seconds(fps: int) -> None:
    table = Tabletop.of("memento-tuos")
    reading = read(table.board, {"T1": "red1", "T2": "red1"}, {})
    said = []
    for number in range(4 * fps):
        table.table = step(table.table, Seen(number / fps, reading))
        said += [number / fps for news in table.table.records() if news["event"] == "illegal"]
    assert said == [1.5], "and once only"


def test_an_illegal_position_is_told_once_whatever_hovers_over_it() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L1": "yellow1"})
    wrong = table.changed(T1=None, L5="red1")
    assert named(table.show(wrong, 2.0)) == ["move.too-far"]
    table.show(wrong, 0.5, hand=True, hidden=["L5"])
    assert table.show(wrong, 3.0) == []
    assert named(table.show(table.changed(T1=None, R7="red1"), 2.0)) == ["move.too-far"], "another position"
    assert table.show(wrong, 3.0) == [], "it was told of this one"


def test_the_board_out_of_sight_for_a_blink_is_no_event() -> None:
    table = Tabletop.of("rings")
    table.show({}, 1.0)
    assert table.show(None, 0.3) == []
    assert named(table.show({"a1": "red"}, 0.3)) == ["+a1"]
    assert named(table.show(None, 0.6)) == ["lost"]


# Doubt


def test_many_unsure_heights_are_no_mistake() -> None:
    sites = {"T1": "red2", "T5": "yellow1", "L3": "red1", "L6": "yellow2", "R2": "red1"}
    table = Tabletop.of("memento-tuos", sites)
    other = {site: f"{face[:-1]}{3 - int(face[-1])}" for site, face in sites.items()}
    reading = read(table.board, sites, {})
    assert look(table, doubted(reading, **{site: {face: -1.0} for site, face in other.items()})) == []
    assert look(table, doubted(reading, **{site: {face: 1.5} for site, face in other.items()}), 30) == []


def test_a_capture_that_does_not_show_is_asked_about() -> None:
    """From above the eye cannot tell a Single from a Double: a figure that is gone may be in somebody's hand."""
    table = Tabletop.of("memento-tuos", {"T1": "red1", "T5": "red1", "L3": "yellow1"})
    flat = {"T5": {"red2": -0.1}}
    look(table, doubted(read(table.board, table.faces, {}), **flat))
    gone = doubted(read(table.board, table.changed(T1=None), {}), **flat)
    assert look(table, gone, 12) == []
    assert named(look(table, gone, 6)) == ["unclear"]


def test_a_height_that_is_always_misread_is_no_news() -> None:
    """The eye takes a Single for a Double in every picture; what is played beside it is accepted all the same."""
    sites = {"T1": "red1", "T5": "yellow1", "L3": "red1"}
    table = Tabletop.of("memento-tuos", sites)
    wrong = {"L3": {"red2": 6.0}}
    assert look(table, doubted(read(table.board, sites, {}), **wrong), 30) == []
    after = table.changed(T1=None, T6="red1")
    assert named(look(table, doubted(read(table.board, after, {}), **wrong))) == ["T1-T6"]


SPLIT = {"R3": "red2", "T1": "yellow1"}


@pytest.mark.parametrize(("sure", "said"), [(-2.0, True), (-5.3, True), (-8.0, False)])
def test_who_plays_on_has_seen_nothing_wrong_in_what_was_played_before(sure: float, said: bool) -> None:
    """Half of a split figure looks one stone too high; alone that is a mistake, but the next player goes on."""
    table = Tabletop.of("memento-tuos", SPLIT)
    table.show(table.faces)
    wrong = {"I3": {"red2": 0.0, "red1": sure}}
    halves = {"T1": "yellow1", "L2": "red1", "I3": "red1"}
    look(table, doubted(read(table.board, halves, {}), **wrong), 8)
    after = {"T5": "yellow1", "L2": "red1", "I3": "red1"}
    assert (named(look(table, doubted(read(table.board, after, {}), **wrong), 8))[-1:] == ["T1-T5"]) is said


def test_one_figure_put_down_too_high_is_a_mistake_while_nobody_plays_on() -> None:
    table = Tabletop.of("memento-tuos", SPLIT)
    table.show(table.faces)
    halves = doubted(
        read(table.board, {"T1": "yellow1", "L2": "red1", "I3": "red1"}, {}), I3={"red2": 0.0, "red1": -5.3}
    )
    assert named(look(table, halves, 20)) == ["stones.too-many"]


def test_a_pawn_that_is_hardly_told_from_an_empty_cell_still_counts_when_it_is_new() -> None:
    table = Tabletop.of("rings", {"a1": "red", "c5": "yellow"})
    table.show(table.faces)
    faint = doubted(read(table.board, table.changed(b3="red"), {}), b3={"": -1.5}, a1={"": -1.5})
    assert named(look(table, faint)) == ["+b3"]


def test_a_bare_stone_the_eye_half_sees_is_waited_for() -> None:
    """R3/L2,I3 before its second marker: what looks most like R3-L2 is rather that, half done."""
    table = Tabletop.of("memento-tuos", {"R3": "red2", "T1": "yellow1"})
    table.show(table.faces)
    half = read(table.board, {"T1": "yellow1", "L2": "red1"}, {})
    half = doubted(half, L2={"red2": -0.8}, I3={"1": 0.6})
    assert look(table, half, 10) == []
    assert named(look(table, read(table.board, {"T1": "yellow1", "L2": "red1", "I3": "red1"}, {}))) == ["R3/L2,I3"]


def test_what_may_as_well_be_nothing_is_asked_about_after_a_while() -> None:
    table = Tabletop.of("rings")
    table.show({})
    reading = read(table.board, {}, {})
    faint = replace(reading, sheets={**reading.sheets, "ring-b": (-1.0, 0.0, *(-12.0,) * 6)})
    assert look(table, faint, 12) == []
    assert look(table, faint, 10) == [{"event": "unclear", "actions": ["b>"]}]


def test_an_unclear_picture_stays_open_until_a_later_one_decides_it() -> None:
    """Turn or walk? Two more actions are played before the mark is seen again."""
    table = Tabletop.of("memento-tuos", {"T2": "red1", "L1": "yellow1", "R4": "red1"})
    table.turns["tile-T"] = 1
    faces = table.changed(T2=None, T3="red1")
    assert named(table.show(faces, hidden=["tile-T"])) == ["unclear"]
    faces = {**faces, "L5": "yellow1"}
    del faces["L1"]
    assert table.show(faces, hidden=["tile-T"]) == []
    faces = {**faces, "R7": "red1"}
    del faces["R4"]
    assert table.show(faces, hidden=["tile-T"]) == []
    assert named(table.show(faces)) == ["T>", "L1-L5", "R4-R7"]
    assert table.table.match.ply == 3


def test_what_a_picture_left_open_comes_before_anything_fresh() -> None:
    """An action under a cup and one beside it, then a turn, before anybody was asked: the turn came last."""
    table = Tabletop.of("rings")
    table.show({}, 1.0)
    table.play("+c4")
    covered = ["a3", "a4", "c4"]
    faces = {"c4": "red", "a3": "yellow"}
    table.show(faces, 3.0, hidden=covered)
    faces["a2"] = "red"
    assert table.show(faces, 0.6, hidden=covered) == []
    table.turns["ring-c"] = -1
    faces["c3"] = faces.pop("c4")
    evidence = Evidence(read(table.board, faces, table.turns, covered), table.table.stand)
    leads = table.table.said.leads
    ranked = explain(table.table.match.position, table.table.stand, evidence, leads=leads)
    fresh = {each.actions for each in ranked if len(each.actions) == 2} - set(leads)
    assert not fresh, "the turn and then +a2 would show the same"
    assert table.show(faces, 0.6, hidden=covered) == []
    assert [each["event"] for each in table.show(faces, 1.0, hidden=covered)] == ["unclear"]
    assert named(table.show(faces)) == ["+a3", "+a2", "c<"]


# Things that cover the board


def test_a_cup_set_down_while_somebody_plays_does_not_hold_up_the_match() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L1": "yellow1"})
    for number in range(30):
        table.show(table.faces, 0.1, hand=True, hidden=["R1", "R2", "L1" if number % 2 else "L2"])
    after = table.changed(T1=None, T5="red1")
    assert named(table.show(after, 0.5, hand=True, hidden=["R1", "R2"])) == ["T1-T5"], "the cup has long been there"
    assert table.show(after, 1.0) == [], "nobody has touched what stood under it"


def test_half_an_action_is_not_made_whole_by_what_lies_under_a_thing() -> None:
    """One of two figures is entered; the other may be under the cup, but rather it is still in the hand."""
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    table.show(table.faces, 4.0, hidden=["R4"])
    half, whole = table.changed(T2="yellow1"), table.changed(T2="yellow1", L4="yellow1")
    assert table.show(half, 1.4, hidden=["R4"]) == []
    assert named(table.show(whole, 0.5, hidden=["R4"])) == ["+T2,L4"]


def test_an_action_of_which_a_part_is_hidden_is_asked_about() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    table.show(table.faces, 4.0, hidden=["R4"])
    half = table.changed(T2="yellow1")
    assert table.show(half, 2.0, hidden=["R4"]) == [{"event": "unclear", "actions": ["+T2,R4"]}]
    assert named(table.show({**half, "R4": "yellow1"}, 0.5)) == ["+T2,R4"]


def test_a_capture_from_under_a_thing_is_accepted_if_no_other_figure_can_have_made_it() -> None:
    """Another one may go there too, but stands where it stood: half of its capture would be one figure too many."""
    table = Tabletop.of("memento-tuos", {"R7": "red1", "R4": "red1", "R3": "yellow1", "L1": "yellow1"})
    captures = {str(action) for action in table.table.match.position.legal() if str(action).endswith("xR3")}
    assert "R4xR3" in captures
    assert len(captures) > 1
    table.show(table.faces, 3.0, hand=True, hidden=["R4"])
    assert named(table.show(table.changed(R4=None, R3="red2"), 0.5, hand=True, hidden=["R4"])) == ["R4xR3"]


def test_a_line_whose_pawn_is_not_taken_yet_is_half_done() -> None:
    """The pawn that makes it comes from the reserve, so there may be one more on the board for a while."""
    table = Tabletop.of("rings", {"a1": "red", "a2": "red", "c6": "yellow"})
    table.show(table.faces)
    half = next(str(action) for action in table.table.match.position.legal() if str(action).startswith("+a3x"))
    assert half == "+a3xc6"
    assert [each["event"] for each in table.show(table.changed(a3="red"), 1.0)] == ["unfinished"]


def test_what_was_done_in_sight_or_from_under_a_thing_is_asked_about_at_once() -> None:
    """All of it is to be seen, or another action is done as well: it is not half of anything, and play goes on soon."""
    table = Tabletop.of("rings", {"a7": "red", "b3": "yellow"})
    table.show(table.faces, 3.0, hand=True, hidden=["a7"])
    news = table.show({"a6": "red", "b3": "yellow"}, 0.5, hand=True, hidden=["a7"])
    assert [sorted(each.get("actions", ())) for each in news] == [["+a6", "a7-a6"]]


def test_what_happened_under_a_thing_is_seen_when_it_is_gone() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L1": "yellow1"})
    table.show(table.faces, 3.0, hidden=["T1", "T5"])
    after = table.changed(T1=None, T5="red1")
    assert table.show(after, 3.0, hidden=["T1", "T5"]) == []
    assert named(table.show(after)) == ["T1-T5"]


# Every game


@pytest.mark.parametrize("game", ["dimenticato", "triominos"])
def test_the_referee_follows_the_other_games_on_readings(game: str) -> None:
    """What the eye can see of them: figures that move, cards that are laid. The rest is declared by people."""
    rules, dice = find_game(game).configure(), Random(4)
    table = Tabletop(rules, setup=rules.deal(2, dice))
    table.show(table.faces)
    played = 0
    for _ in range(12):
        position = table.table.match.position
        visible = [action for action in position.legal() if position.after(action).faces() != position.faces()]
        if not visible:
            break
        action = dice.choice(visible)
        looks = [other for other in visible if position.after(other).faces() == position.after(action).faces()]
        news = table.show(spelled(position.after(action).faces()))
        assert news[0]["event"] == ("action" if len(looks) == 1 else "unclear")
        if len(looks) > 1:
            break
        assert news[0]["action"] == str(action)
        played += 1
    assert played > 2


@pytest.mark.parametrize("game", ["memento-tuos", "rings"])
def test_mistakes_drawn_at_random_are_called_by_name(game: str) -> None:
    rules, met = find_game(game).configure(), set()
    for seed in range(4):
        dice = Random(seed)
        position = rules.start(2 + seed % 3, {})
        for _ in range(6 + 6 * seed):
            position = position.after(dice.choice(position.legal()))
        if position.outcome is not None:
            continue
        for slip in slips(position, dice):
            table = Tabletop(rules, position.players, position.setup())
            table.show(table.faces)
            table.turns |= slip.turns
            news = [each for each in table.show(spelled(slip.faces), 1.8) if each["event"] != "unfinished"]
            if news and news[0]["event"] == "illegal":
                assert news[0]["rule"] in slip.rules
                met.add(news[0]["rule"])
            else:
                # It so happens that two legal actions in a row, or an earlier position, look the same.
                assert [each["event"] for each in news][:1] in (["action"], ["undo"], ["unclear"])
    assert len(met) >= 8


# Sheets of which it was not certain at the start how they lie

RINGS = {"a1": "red", "a4": "yellow", "b3": "red", "b6": "yellow"}


def begun_in_the_dark() -> Tabletop:
    """A match that began when ring a was taken to lie one step further than it does."""
    table = Tabletop.of("rings", RINGS)
    table.table = Table.begin(table.table.match, {"ring-a": 1, "ring-b": 0, "ring-c": 0}, unsure={"ring-a"})
    return table


def dim(reading: Reading, name: str) -> Reading:
    """The same, but two positions of a sheet are as likely, and another one is likelier than both."""
    values = [-9.0] * len(reading.sheets[name])
    values[0], values[1] = -2.0, 0.0
    return replace(reading, sheets={**reading.sheets, name: tuple(values)})


def test_what_stands_on_a_sheet_tells_its_turn_if_nobody_knew_how_it_lay() -> None:
    table = begun_in_the_dark()
    assert look(table, dim(read(table.board, table.faces, {}), "ring-a")) == []
    assert table.table.accepted.unsure == {"ring-a"}, "two in three is not certain"
    assert named(table.play("a>")) == ["a>"], "its mark is now where it was taken to be before"
    table.show(table.faces)
    assert table.table.accepted.unsure == set(), "now its mark is clear"
    assert table.table.stand.turns["ring-a"] == 1


def test_a_sheet_once_certain_is_looked_at_again() -> None:
    table = begun_in_the_dark()
    table.show(table.faces)
    assert table.table.accepted.unsure == set()
    assert table.table.stand.turns == {"ring-a": 0, "ring-b": 0, "ring-c": 0}
    empty = Tabletop.of("rings", {"b3": "red", "b6": "yellow"})
    empty.table = Table.begin(empty.table.match, {"ring-a": 3}, unsure={"ring-a"})
    empty.show(empty.faces)
    assert named(empty.play("a>")) == ["a>"], "nothing stands on it: its mark alone tells"


def test_an_undo_knows_how_a_sheet_lay_that_was_made_out_later() -> None:
    table = begun_in_the_dark()
    before = table.faces
    table.play("a>")
    table.show(table.faces)
    table.turns["ring-a"] = 0
    assert table.show(before)[-1:] == [{"event": "undo", "to_ply": 0}]


# What happens quickly, or out of sight


SPINS = {"a2": "red", "c6": "yellow", "b4": "red"}


LINED = {"a1": "red", "b1": "red", "c8": "red", "b5": "yellow", "c3": "green", "a4": "yellow", "a6": "green"}


def quick_turns(table: Tabletop, *turns: str, seen: bool = True) -> list[dict[str, object]]:
    """Rings turned one after the other by hands that never leave; what the referee says afterwards."""
    position = table.table.match.position
    for text in turns:
        position = position.play(table.rules.parse(text))
        table.turns[f"ring-{text[0]}"] += 1 if text[1] == ">" else -1
        hidden = ["b1", "b2"] if seen else ["b1", "b2", "ring-a", "ring-c"]
        table.show(spelled(position.faces()), 0.4, hand=True, hidden=hidden)
    return table.show(spelled(position.faces()), 2.5)


@pytest.mark.parametrize("order", [("a>", "c<"), ("c<", "a>")], ids=["a first", "c first"])
def test_which_of_two_rings_was_turned_first_is_seen_under_the_hand(order: tuple[str, str]) -> None:
    table = Tabletop.of("rings", SPINS)
    table.show(table.faces)
    assert named(quick_turns(table, *order)) == [*order]


def test_if_nobody_could_see_which_ring_was_turned_first_it_is_asked() -> None:
    table = Tabletop.of("rings", SPINS)
    table.show(table.faces)
    assert named(quick_turns(table, "a>", "c<", seen=False)) == ["unclear"]


def test_a_ring_that_was_turned_to_and_fro_was_not_turned_first() -> None:
    table = Tabletop.of("rings", SPINS)
    table.show(table.faces)
    table.turns["ring-a"] += 1
    table.show(table.faces, 0.4, hand=True, hidden=["b1", "b2"])
    table.turns["ring-a"] -= 1
    table.show(table.faces)
    assert named(quick_turns(table, "c<", "a>", seen=False)) == ["unclear"]


def test_a_ring_that_seems_to_be_turned_under_a_hand_was_not_turned_first() -> None:
    table = Tabletop.of("rings", SPINS)
    table.show(table.faces)
    reading = read(table.board, table.faces, {}, ["b1"])
    look(table, replace(reading, sheets={**reading.sheets, "ring-a": (-1.0, 0.0, *(-12.0,) * 6)}))
    assert table.table.watch.glimpsed is None
    # With the board free between, nobody can say that what follows is still the same hand.
    table.show(table.faces, 0.2)
    assert named(quick_turns(table, "c<", "a>", seen=False)) == ["unclear"]


def test_what_was_glimpsed_is_forgotten_with_the_action() -> None:
    table = Tabletop.of("rings", SPINS)
    table.show(table.faces)
    assert named(quick_turns(table, "a>")) == ["a>"]
    assert table.table.watch.glimpsed is None


def test_an_action_that_nothing_shows_excuses_no_turn() -> None:
    """Under the cup might be a figure that was entered before the triangle was turned; nothing speaks for it."""
    table = Tabletop.of("memento-tuos")
    cup = ["I2", "L1", "T3"]
    table.show(table.faces, 3.0, hidden=cup)
    table.show(table.faces, 0.5, hand=True, hidden=[*cup, "T1", "T2"])
    table.turns["tile-T"] += 1
    assert named(table.show(table.faces, 3.0, hidden=cup)) == ["turn.no-change"]


@pytest.mark.parametrize(("to", "seconds"), [("b1", 0.6), ("a2", 1.5)], ids=["walked", "walked or carried"])
def test_what_was_played_under_a_cup_is_asked_about_before_the_next_hand_comes(to: str, seconds: float) -> None:
    """Red is seen to move on yellow's turn: yellow has played under the cup, unless a turn is half done."""
    table = Tabletop.of("rings", {"a1": "red", "b4": "yellow", "c5": "red"}, seat=1)
    cup = ["c8", "b8"]
    table.show(table.faces, 3.0, hidden=cup)
    after = table.changed(a1=None) | {to: "red"}
    assert table.show(after, seconds, hidden=cup) == []
    assert named(table.show(after, 0.6, hidden=cup)) == ["unclear"]


@pytest.mark.parametrize(("hand", "said"), [(False, []), (True, ["unclear"])], ids=["nobody", "a hand"])
def test_who_came_again_and_changed_nothing_in_sight_has_played_under_the_cup(hand: bool, said: list[str]) -> None:
    """One of two figures that enter together is seen: the other one may be under the cup by now."""
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    cup = ["L1", "L5"]
    table.show(table.faces, 3.0, hidden=cup)
    entered = table.changed(T6="yellow1")
    assert named(table.show(entered, 0.5, hidden=cup)) == []
    if hand:
        table.show(entered, 0.5, hand=True, hidden=[*cup, "L4"])
    assert named(table.show(entered, 0.9, hidden=cup)) == said


def test_a_mistake_put_right_by_a_legal_action_is_that_action_at_once() -> None:
    """A line, and one pawn too many taken: with one of them back it is a capture."""
    table = Tabletop.of("rings", {"a1": "red", "a2": "red", "b5": "yellow", "c5": "yellow", "b7": "yellow"})
    table.show(table.faces)
    legal = "+a3xb5"
    after = spelled(table.table.match.position.play(table.rules.parse(legal)).faces())
    wrong = {site: face for site, face in after.items() if site != "c5"}
    before = table.faces
    assert named(table.show(wrong, 2.0))[-1] == "capture.too-many"
    assert named(table.show(after, 0.6)) == [legal]
    assert [event["event"] for event in table.show(before, 1.0)] == ["undo"], "it was only on the way back"


def test_a_pawn_not_taken_yet_was_not_entered_again() -> None:
    """A ring is turned and makes a line: of the pawns to be taken, one goes a moment before the other."""
    table = Tabletop(find_game("rings").configure(), 3, {"sites": LINED, "seat": 0})
    table.show(table.faces)
    before, then = table.faces, spelled(table.table.match.position.play(table.rules.parse("c>xb5,c4")).faces())
    table.turns["ring-c"] += 1
    half = dict(then) | {"b5": before["b5"]}
    assert named(table.show(half, 1.0)) == ["unfinished"]
    assert named(table.show(then, 1.0)) == ["c>xb5,c4"]


def test_a_pawn_carried_to_where_it_is_to_be_taken_was_not_entered_there() -> None:
    sites = LINED | {"c3": "yellow", "b5": "green"}
    table = Tabletop(find_game("rings").configure(), 3, {"sites": sites, "seat": 0})
    table.show(table.faces)
    then = spelled(table.table.match.position.play(table.rules.parse("c>xb5,c4")).faces())
    table.turns["ring-c"] += 1
    assert named(table.show(dict(then) | {"c4": "yellow"}, 1.0)) == ["unfinished"]
    assert named(table.show(then, 1.0)) == ["c>xb5,c4"]


def test_a_turn_and_a_pawn_entered_where_it_carried_one_away_are_both_found() -> None:
    table = Tabletop.of("rings", {"a1": "red", "b3": "yellow"})
    table.show(table.faces)
    position = table.table.match.position.play(table.rules.parse("b>")).play(table.rules.parse("+b3"))
    table.turns["ring-b"] += 1
    assert named(table.show(spelled(position.faces()), 2.0)) == ["b>", "+b3"]


def test_a_turned_ring_that_is_empty_undoes_nothing() -> None:
    table = Tabletop.of("rings", {"a1": "red", "c5": "yellow"})
    assert named(quick_turns(table, "a>", "b>")) == ["a>", "b>"]
