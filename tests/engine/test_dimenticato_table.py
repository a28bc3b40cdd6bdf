"""Dimenticato at a table: the set-up from sight, figures lifted and put back, mistakes and their names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tabletop import SURE, Tabletop, look, named, read

from engine.board import Print
from engine.core import COLOURS, Json
from engine.face import EMPTY
from engine.games.dimenticato import slips as slips_of_dimenticato
from engine.games.dimenticato.plan import Plan
from engine.match import Match
from engine.referee.reading import Loose, Reading
from engine.registry import find_game
from engine.slips import Maker
from engine.survey import Survey

GAME = find_game("dimenticato")
RULES = GAME.configure()
FACES = GAME.faces
HOME = {f"{colour}@{number}": colour for colour in COLOURS[:2] for number in range(1, 5)}


def setup_of(players: int = 2, seed: int = 3) -> Json:
    return RULES.deal(players, Random(seed))


def in_progress(sites: Mapping[str, str], dice: Mapping[str, str] | None = None, seat: int = 0) -> Json:
    """A match of two in which nobody has to come out any more; all dice blue ones, unless given as `4 red`."""
    plan = Plan(3, 3, (1, 5))
    fields: dict[str, Json] = {name: {"pips": 1, "colour": "blue"} for name in plan.names[: plan.size]}
    for name, die in (dice or {}).items():
        pips, _, colour = die.partition(" ")
        fields[name] = {"pips": int(pips), "colour": colour or "blue"}
    position = {"sites": dict(sites), "unopened": [], "known": [], "seat": seat}
    return {"width": 3, "height": 3, "big": [1, 5], "fields": fields, "position": position}


MIDDLE = {
    "e1": "red",
    "f4": "red",
    "red@3": "red",
    "red@4": "red",
    "b5": "yellow",
    "a3": "yellow",
    "yellow@3": "yellow",
    "yellow@4": "yellow",
}
NEAR_HOME = {"c1": "red", "red@1": "red", "red@3": "red", "b2": "red", "a5": "yellow"} | {
    f"yellow@{number}": "yellow" for number in range(2, 5)
}
DICE = {"e1": "2", "f4": "3", "b5": "1", "a3": "2"}


@pytest.fixture
def middle() -> Tabletop:
    return Tabletop(RULES, 2, in_progress(MIDDLE, DICE))


# The set-up from sight


def sight(setup: Json, faces: Mapping[str, str] | None = None, **dice: Mapping[Print, float]) -> Reading:
    """What the eye reads of a table as it is set up, but for some dice."""
    board = GAME.board(2, None)
    fields = {name: {Print(die["pips"], die["colour"]): 0.0} for name, die in setup["fields"].items()}
    every = [Print(pips, colour) for pips in range(1, 7) for colour in COLOURS]
    whole = {name: {die: 0.0 if die in known else SURE for die in every} for name, known in fields.items()}
    return replace(read(board, HOME if faces is None else faces, {}), fields={**whole, **dice})


def told(reading: Reading, **by_people: Json | bool) -> Survey:
    return RULES.survey(2, (reading,), by_people)


def flaws(reading: Reading, **by_people: Json | bool) -> dict[str, tuple[str, ...]]:
    return {flaw.rule: flaw.sites for flaw in told(reading, **by_people).flaws}


def test_the_table_tells_the_set_up() -> None:
    setup = setup_of()
    survey = told(sight(setup))
    assert survey.setup == setup
    assert survey.told == {"setup": setup}
    assert not survey.flaws
    RULES.start(2, setup)


def test_a_die_in_doubt_is_asked_for_and_may_be_told() -> None:
    setup = setup_of()
    one, other = Print(2, "red"), Print(3, "red")
    reading = sight(setup, a1={one: 0.0, other: -0.5})
    survey = told(reading)
    assert survey.setup is None
    assert {flaw.rule: flaw.sites for flaw in survey.flaws} == {"setup.unsure": ("a1",)}
    assert survey.doubts["a1"][:2] == ({"pips": 2, "colour": "red"}, {"pips": 3, "colour": "red"})
    answered = told(reading, a1={"pips": 3, "colour": "red"})
    assert answered.setup is not None
    assert answered.setup["fields"]["a1"] == {"pips": 3, "colour": "red"}
    assert told(reading, a1={"pips": 9, "colour": "red"}).setup is None, "no such die"


def test_several_looks_tell_more_than_one() -> None:
    setup = setup_of()
    one, other = Print(2, "red"), Print(3, "red")
    first, second = sight(setup, a1={one: 0.0, other: -0.5}), sight(setup, a1={one: -8.0, other: 0.0})
    survey = RULES.survey(2, (first, second), {})
    assert survey.setup is not None
    assert survey.setup["fields"]["a1"] == {"pips": 3, "colour": "red"}


def test_a_card_that_cannot_be_seen_is_named_with_its_place() -> None:
    reading = sight(setup_of())
    gone = ("a1", "b1", "b2", "a2")
    hidden = replace(
        reading,
        sites={site: likely for site, likely in reading.sites.items() if site not in gone},
        hidden=frozenset(gone),
        fields={name: dice for name, dice in reading.fields.items() if name not in gone},
    )
    assert flaws(hidden) == {"setup.card": gone}


def test_figures_out_of_place_are_named_with_their_place() -> None:
    standing = {site: colour for site, colour in HOME.items() if site != "red@2"} | {"f4": "red"}
    assert flaws(sight(setup_of(), standing)) == {"setup.figure": ("f4",), "setup.home": ("red@2",)}


def test_a_figure_on_no_field_is_named_with_the_fields_beside_it() -> None:
    standing = {site: colour for site, colour in HOME.items() if site != "red@2"}
    sites = GAME.board(2, None).sites
    (x, y), (farther, _) = sites["c1"].at, sites["d1"].at
    stray = Loose("figure-red", ((x + farther) / 2, y), 0.0, 0.9)
    told_flaws = flaws(replace(sight(setup_of(), standing), loose=(stray,)))
    assert told_flaws == {"setup.home": ("red@2",), "setup.stray": ("c1", "d1")}
    in_the_hole = replace(stray, at=(0.0, 0.0))
    (nearest,) = flaws(replace(sight(setup_of(), standing), loose=(in_the_hole,)))["setup.stray"]
    assert nearest in {"c2", "d2", "b3", "b4", "e3", "e4", "c5", "d5"}


def test_two_cards_alike_are_named_until_people_say_that_they_are_right() -> None:
    setup = setup_of()
    quartets = Plan(3, 3, (1, 5)).quartets
    six = [{"pips": 6, "colour": colour} for colour in COLOURS]
    fields = setup["fields"] | {
        name: die for names in (quartets[0], quartets[2], quartets[3]) for name, die in zip(names, six, strict=True)
    }
    reading = sight(setup | {"fields": fields})
    assert set(flaws(reading)) == {"setup.alike"}
    assert set(flaws(reading)["setup.alike"]) <= {*quartets[0], *quartets[2], *quartets[3]}
    assert told(reading, alike=True).setup is not None


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_no_deal_is_taken_for_one_with_a_card_too_many(players: int, seed: int) -> None:
    setup = RULES.deal(players, Random(seed))
    board = GAME.board(players, None)
    home = {name: name.partition("@")[0] for name in board.sites if "@" in name}
    every = [Print(pips, colour) for pips in range(1, 7) for colour in COLOURS]
    fields = {
        name: {each: 0.0 if each == Print(die["pips"], die["colour"]) else SURE for each in every}
        for name, die in setup["fields"].items()
    }
    reading = replace(read(board, home, {}), fields=fields)
    assert RULES.survey(players, (reading,), {}).setup == setup


# Lifted and put back


def lift(table: Tabletop, site: str, seconds: float = 0.5) -> list[dict[str, Any]]:
    """A hand takes up a figure, holds it aside, puts it back and goes."""
    news = table.show(table.faces, 0.2, hand=True)
    news += table.show(table.changed(**{site: None}), seconds, hand=True)
    faces = table.faces
    return news + table.show(faces, 0.2, hand=True) + table.show(faces, 0.6)


def test_an_own_figure_lifted_and_put_back_is_a_wrong_call(middle: Tabletop) -> None:
    assert named(lift(middle, "e1")) == ["e1:?"]
    assert middle.table.match.position.seat == 1


def test_another_figure_lifted_is_a_peek(middle: Tabletop) -> None:
    assert lift(middle, "b5") == [{"event": "peek", "site": "b5"}]
    assert middle.table.match.ply == 0


def test_during_the_opening_lifting_is_a_peek() -> None:
    table = Tabletop(RULES, 2, setup_of())
    assert [each["event"] for each in lift(table, "red@1")] == ["peek"]


def test_one_look_at_a_gap_is_no_lift(middle: Tabletop) -> None:
    assert lift(middle, "e1", seconds=0.1) == []


def test_a_lift_is_seen_though_the_hand_hides_half_of_the_field(middle: Tabletop) -> None:
    """Then the eye is fairly sure that nobody stands there, no more."""
    bare = read(middle.board, middle.changed(e1=None), {})
    unsure = {face: max(value, -4.0) for face, value in bare.sites["e1"].items()}
    middle.show(middle.faces, 0.2, hand=True)
    look(middle, replace(bare, sites={**bare.sites, "e1": unsure}, covered=True), frames=2)
    assert named(middle.show(middle.faces, 0.8)) == ["e1:?"]


def test_who_moves_the_figure_has_called_right(middle: Tabletop) -> None:
    middle.show(middle.changed(e1=None), 0.6, hand=True)
    assert named(middle.show(middle.changed(e1=None, f2="red"), 0.6)) == ["e1:2-f2"]


def test_while_a_figure_is_lifted_nothing_is_illegal(middle: Tabletop) -> None:
    news = middle.show(middle.changed(e1=None), 6.0)
    assert named(news) == ["unfinished"]
    assert named(middle.show(middle.faces, 0.6)) == ["e1:?"]


def test_a_mistake_put_right_is_no_call(middle: Tabletop) -> None:
    assert named(middle.show(middle.changed(e1=None, f3="red"), 2.5)) == ["move.count"]
    middle.show(middle.changed(e1=None), 0.5, hand=True)
    assert named(middle.show(middle.faces, 0.6)) == ["restored"]
    assert named(lift(middle, "e1")) == ["e1:?"], "but then it is"


def test_a_call_that_nobody_showed_is_inferred_from_who_acts_next(middle: Tabletop) -> None:
    news = middle.show(middle.changed(b5=None, a5="yellow"), 0.8)
    assert [(each["action"], each.get("inferred", False)) for each in news] == [("e1:?", True), ("b5:1-a5", False)]


def test_a_call_inferred_wrongly_is_taken_back_with_the_next_legal_action(middle: Tabletop) -> None:
    """It was no call, but a figure moved out of turn: it goes back, and its place in the turn is played in one go."""
    before = dict(middle.faces)
    middle.show(middle.changed(b5=None, a5="yellow"), 0.8)
    news = middle.show({site: face for site, face in before.items() if site != "e1"} | {"f2": before["e1"]}, 0.8)
    assert [each["event"] for each in news] == ["undo", "action"]
    assert named(news)[1:] == ["e1:2-f2"]
    assert middle.table.match.ply == 1


def test_who_is_set_back_wrongly_has_not_walked_on_from_where_he_should_be() -> None:
    sites = {site: colour for site, colour in MIDDLE.items() if site != "a3"} | {"f2": "yellow"}
    table = Tabletop(RULES, 2, in_progress(sites, DICE | {"b1": "2"}))
    legal = {str(action) for action in table.table.position.legal()}
    capture = next(text for text in sorted(legal) if text.startswith("e1:2xf2>"))
    then = table.table.position.after(RULES.parse(capture))
    walks = [str(action) for action in then.legal() if str(action).startswith(capture.partition(">")[2])]
    onto = next(text.partition("-")[2] for text in walks if "-" in text and "@" not in text)
    seen = [
        rule
        for each in table.show(table.changed(e1=None, f2="red", **{onto: "yellow"}), 2.5)
        if (rule := each.get("rule"))
    ]
    assert seen[:1] == ["setback.wrong"]


def test_who_came_and_was_captured_back_to_where_he_was_has_not_moved() -> None:
    """All that shows is that somebody else's figure was moved."""
    sites = {site: colour for site, colour in MIDDLE.items() if site not in ("e1", "a3")}
    dice = {"b1": "3", "c1": "2", "f4": "3", "b5": "1"}
    table = Tabletop(RULES, 2, in_progress(sites | {"b1": "yellow", "c1": "red"}, dice, seat=1))
    then = table.table.position.after(RULES.parse("b1:3-e1"))
    assert "c1:2xe1>b1" in {str(action) for action in then.legal()}
    assert "b1:3-e1" not in named(table.show(table.changed(c1=None, e1="red"), 2.5))


# Mistakes and their names


def wrong(table: Tabletop, **changes: str | None) -> object:
    news = [each for each in table.show(table.changed(**changes), 2.5) if each["event"] == "illegal"]
    return [news[0]["rule"], *news[0].get("rules", [])[1:]] if news else None


@pytest.mark.parametrize(
    ("changes", "rules"),
    [
        ({"e1": None, "f3": "red"}, "move.count"),
        ({"e1": None, "c1": "red"}, "move.backward"),
        ({"e1": None, "yellow@1": "red"}, "start.foreign"),
        ({"a3": None, "c6": "yellow"}, "move.foreign"),
        ({"b5": None, "a5": "yellow", "a3": None, "c6": "yellow"}, "move.foreign"),
        ({"e1": None, "f2": "red", "f4": None, "e6": "red"}, "two-actions"),
    ],
)
def test_a_mistake_has_its_name(middle: Tabletop, changes: dict[str, str | None], rules: str) -> None:
    named_so = wrong(middle, **changes)
    assert isinstance(named_so, list)
    assert rules in named_so


def test_somebody_elses_start_field_is_told_before_that_it_was_too_early() -> None:
    position = RULES.start(2, setup_of())
    position = position.after(next(iter(position.legal())))
    position = position.after(next(iter(position.legal())))
    out = next(site for site, face in position.faces().items() if face == FACES["red"] and "@" not in site)
    free = next(f"yellow@{number}" for number in range(1, 5) if f"yellow@{number}" not in position.faces())
    seen = {site: face for site, face in position.faces().items() if site != out} | {free: FACES["red"]}
    assert [each.rule for each in RULES.diagnose(position, seen, {})][:1] == ["start.foreign"]


def test_who_went_backward_hears_that_first() -> None:
    """Two fields back with a six under the figure, with turns enough that might even be the count."""
    table = Tabletop(RULES, 2, in_progress(MIDDLE, DICE | {"e1": "6"}))
    assert named_rules(table, e1=None, c1="red")[0] == "move.backward"


def test_who_captures_his_own_figure_hears_that_it_was_his_own() -> None:
    sites = {site: colour for site, colour in MIDDLE.items() if site != "red@3"} | {"e3": "red"}
    table = Tabletop(RULES, 2, in_progress(sites, DICE))
    assert named_rules(table, e1=None, f1="red") == ["move.count", "move.own"], "f1 is three fields behind e3"
    assert "move.own" not in named_rules(table, e1=None, c1="red"), "that is the figure's own big card"


def test_who_comes_home_onto_a_figure_hears_that_the_field_is_taken() -> None:
    table = Tabletop(RULES, 2, in_progress(NEAR_HOME, {"c1": "3"}))
    assert "goal.occupied" in named_rules(table, **{"c1": None, "red@4": "red"})


def named_rules(table: Tabletop, **changes: str | None) -> list[str]:
    seen = {site: FACES[face] for site, face in table.changed(**changes).items()}
    return [each.rule for each in RULES.diagnose(table.table.position, seen, {})]


def test_what_the_next_player_may_do_is_out_of_turn() -> None:
    table = Tabletop(RULES, 2, setup_of())
    assert wrong(table, **{"yellow@3": None, "b5": "yellow"}) in (["not-your-turn", "move.foreign"], ["move.foreign"])


@pytest.mark.parametrize("maker", slips_of_dimenticato.MAKERS, ids=lambda maker: maker.__name__)
def test_every_mistake_can_be_acted_and_is_named(maker: Maker) -> None:
    """At a table without doubt every mistake is noticed, and mostly called by a name that fits."""
    made, right = 0, 0
    for seed in range(-1, 60):
        dice = Random(seed)
        position = RULES.start(2 + seed % 3, RULES.deal(2 + seed % 3, dice))
        if seed < 0:
            position = RULES.start(2, in_progress(NEAR_HOME, {"c1": "3"}))
        for _ in range(dice.choice((0, 6, 30, 60)) if seed >= 0 else 0):
            after = position.after(dice.choice(list(position.legal())))
            if after.outcome is not None:
                break
            position = after
        slip = maker(position, dice)
        if slip is None or any(dict(position.after(action).faces()) == dict(slip.faces) for action in position.legal()):
            continue
        made += 1
        told_rules = [refusal.rule for refusal in RULES.diagnose(position, slip.faces, {})]
        right += bool(told_rules) and told_rules[0] in slip.rules
        if made == 8:
            break
    assert made, "it never happens"
    assert right >= 0.7 * made


def test_a_slip_changes_the_table_and_breaks_no_face() -> None:
    position = RULES.start(2, in_progress(MIDDLE, DICE))
    for maker in slips_of_dimenticato.MAKERS:
        slip = maker(position, Random(1))
        if slip is not None:
            assert slip.faces != position.faces()
            assert EMPTY not in slip.faces.values()
            assert set(slip.faces.values()) <= set(FACES.values())


# How well the players remembered


def test_who_remembered_how_well() -> None:
    match = Match.begin(RULES, 2, in_progress(MIDDLE, DICE))
    for text in ("e1:?", "b5:1-a5", "e1:2-f2", "a5:?"):
        match = match.play(RULES.parse(text))
    told = [
        (each.seat, each.site, each.right, each.ago) for each in RULES.recollections(match.positions, match.actions)
    ]
    assert told == [
        (0, "e1", False, 1),
        (1, "b5", True, 2),
        (0, "e1", True, 1),
        (1, "a5", False, 2),
    ], "before the match nobody knows; a wrong call tells everybody; where a figure came to was seen before it came"
