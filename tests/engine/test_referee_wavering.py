"""The referee when the eye wavers: heights it reads now so, now otherwise, pieces it half sees."""

from __future__ import annotations

from typing import Any

from tabletop import Tabletop, doubted, look, named, read

from engine.face import spelled


def events_of(news: list[dict[str, Any]]) -> list[str]:
    return [each["event"] for each in news if each["event"] != "unfinished"]


def test_a_stack_that_looks_too_high_for_its_stones_is_no_half_done_action() -> None:
    """A Double divided: with a Single on one point there is only one stone left for the other."""
    table = Tabletop.of("memento-tuos", {"T7": "red2", "L1": "yellow1"})
    table.show(table.faces)
    split = doubted(read(table.board, {"T1": "red1", "T6": "red1", "L1": "yellow1"}, {}), T6={"red2": 3.3})
    assert named(look(table, split)) == ["T7/T1,T6"]


def test_a_capture_whose_stones_are_still_on_the_stack_is_waited_for() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red3", "T5": "yellow3", "L1": "yellow1"})
    table.show(table.faces)
    news = table.show(table.changed(T1=None, T5="red6"), 1.0)
    assert named(news) == ["unfinished"]
    assert named(table.show(table.changed(T1=None, T5="red3"), 0.5)) == ["T1xT5"]


def test_what_is_explained_in_one_picture_of_many_is_not_accepted() -> None:
    """A figure entered two stones high: one frame in four in which it might be a Single proves nothing."""
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    table.show(table.faces)
    tall = read(table.board, table.changed(T2="yellow2", L4="yellow1"), {})
    clear, vague = doubted(tall, T2={"yellow1": -6.0}), doubted(tall, T2={"yellow1": -3.0})
    said = []
    for frame in range(24):
        said += look(table, vague if frame % 4 == 3 else clear, 1)
    assert named(said) == ["enter.height"] or named(said) == ["unfinished", "enter.height"]


def test_what_is_explained_in_most_pictures_is_not_illegal() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1"}, seat=1)
    table.show(table.faces)
    single = read(table.board, table.changed(T2="yellow1", L4="yellow1"), {})
    clear, vague = doubted(single, T2={"yellow2": 6.0}), doubted(single, T2={"yellow2": 3.0})
    said = []
    for frame in range(24):
        said += look(table, clear if frame % 3 == 2 else vague, 1)
    assert [name for name in named(said) if name != "unfinished"] == ["+T2,L4"]


def test_a_height_misread_where_nobody_played_is_no_mistake() -> None:
    """The eye was sure of a Single and now reads a Double there; what was played elsewhere is plain to see."""
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L6": "red1", "R3": "yellow1"})
    table.show(table.faces)
    after = doubted(read(table.board, table.changed(T1=None, T6="red1"), {}), R3={"yellow2": 0.5})
    assert named(look(table, after)) == ["T1-T6"]


def test_a_part_left_behind_is_not_taken_for_a_misread_height() -> None:
    """Two figures entered would be legal, but the third stone is missing where the figure stood."""
    table = Tabletop.of("memento-tuos", {"T7": "red3", "L3": "yellow1"})
    table.show(table.faces)
    news = table.show(table.changed(T7="red1", T1="red1", T4="red1"), 2.0)
    assert [each.get("rule") for each in news if each["event"] != "unfinished"] == ["split.origin"]


def test_a_stone_put_on_a_figure_and_nothing_else_is_a_mistake() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L6": "red1", "R3": "yellow1"})
    table.show(table.faces)
    assert events_of(table.show(table.changed(R3="yellow2"), 2.0)) == ["illegal"]


def test_an_undo_that_hardly_shows_is_seen_when_it_does() -> None:
    """A pawn taken back that the eye half sees: that is not how an empty cell looks from now on."""
    table = Tabletop.of("rings")
    table.show({}, 1.0)
    table.play("+c7")
    half = doubted(read(table.board, {}, {}), c7={"red": -0.2})
    assert look(table, half, 20) == []
    assert look(table, read(table.board, {}, {}), 6) == [{"event": "undo", "to_ply": 0}]


def test_an_empty_cell_that_looks_a_little_like_a_pawn_is_seen_when_one_stands_there() -> None:
    table = Tabletop.of("rings")
    look(table, doubted(read(table.board, {}, {}), c6={"red": 0.3}), 10)
    assert named(look(table, read(table.board, {"c6": "red"}, {}))) == ["+c6"]


def test_a_pawn_that_is_hardly_seen_beside_another_such_is_the_one_that_is_new() -> None:
    """Far away a dark pawn looks almost like an empty cell: c5 changed its look, c4 did not."""
    table = Tabletop.of("rings", {"c4": "red", "a1": "yellow"})
    look(table, doubted(read(table.board, table.faces, {}), c4={"": -0.4}), 10)
    faint = doubted(read(table.board, table.changed(c5="red"), {}), c4={"": -0.4}, c5={"": -0.5})
    assert named(look(table, faint)) == ["+c5"]


def test_an_undo_that_may_be_to_one_position_or_another_waits_until_the_eye_is_sure() -> None:
    table = Tabletop.of("rings")
    table.show({}, 1.0)
    for action in ("+b8", "+b3", "+a6", "+b4"):
        table.play(action)
    vague = doubted(read(table.board, {"b8": "red", "b3": "yellow"}, {}), a6={"red": 0.05})
    assert look(table, vague, 20) == []
    assert look(table, read(table.board, {"b8": "red", "b3": "yellow"}, {}), 6) == [{"event": "undo", "to_ply": 2}]


def test_two_doubtful_heights_at_once_are_not_excused() -> None:
    """Beside the action a height looks unlike before, and that of the figure played is doubtful, too."""
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L6": "red1", "R3": "yellow1"})
    table.show(table.faces)
    after = read(table.board, table.changed(T1=None, T6="red1"), {})
    assert look(table, doubted(after, R3={"yellow2": 0.5}, T6={"red2": 3.0}), 8) == []


def test_a_figure_that_was_surely_lower_and_now_looks_higher_has_grown() -> None:
    table = Tabletop.of("memento-tuos", {"T1": "red1", "L6": "red1", "R3": "yellow1"})
    table.show(table.faces)
    grown = doubted(read(table.board, table.faces, {}), R3={"yellow2": 2.0})
    assert events_of(look(table, grown, 20)) == ["illegal"]


def test_a_figure_put_down_that_is_clearly_too_high_is_not_taken_for_a_misread_one() -> None:
    for doubt, said in ((3.3, ["action"]), (4.0, ["illegal"])):
        table = Tabletop.of("memento-tuos")
        table.play("+T1")
        entered = read(table.board, {**table.faces, "L1": "yellow1", "R2": "yellow1"}, {})
        news = look(table, doubted(entered, L1={"yellow2": doubt}), 20)
        assert events_of(news) == said
        assert [each["rule"] for each in news if "rule" in each] == ["enter.height"] * (said == ["illegal"])


def test_a_figure_that_a_turned_triangle_carried_is_as_high_as_it_was() -> None:
    """The eye takes it for a Double: a little beyond doubt it is mistaken, far beyond the figure has grown."""
    for doubt, said in ((5.0, ["action"]), (9.0, ["illegal"])):
        table = Tabletop.of("memento-tuos", {"T2": "yellow1", "I1": "red1"})
        table.show(table.faces)
        turned = table.table.match.position.play(table.rules.parse("T>"))
        (carried,) = (site for site, face in turned.faces().items() if face.name == "yellow1")
        after = read(table.board, spelled(turned.faces()), {"tile-T": 1})
        assert events_of(look(table, doubted(after, **{carried: {"yellow2": doubt}}), 20)) == said
