"""Pointing: every legal action can be said so, every other place is refused by name, and nothing hidden leaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest

from engine.core import Game, Position
from engine.games.dimenticato.rules import DimenticatoPosition
from engine.registry import all_games, find_game
from engine.targets import Reach, can_point, named, reach, spelling
from engine.words import LANGUAGES, sentence

GAMES = [pytest.param(game, players, id=f"{game.name}-{players}") for game in all_games() for players in (2, 4)]


HIDDEN = ("dimenticato", "triominos")
"""Games in which a spectator does not know all, so that what he supposes may be refused for another reason."""


def positions(game: Game, players: int, seed: int, plies: int = 24) -> Iterator[Position]:
    dice = Random(seed)
    rules = game.configure()
    position = rules.start(players, rules.deal(players, dice))
    for _ in range(plies):
        if position.outcome is not None:
            return
        yield position
        position = position.after(dice.choice(position.legal()))


def sites(position: Position) -> tuple[str, ...]:
    return _sites(position.rules.game.name, position.players)


@cache
def _sites(name: str, players: int) -> tuple[str, ...]:
    game = find_game(name)
    return tuple(game.board(players, game.configure().deal(players, Random(0))).sites)


def at(game: str, setup: dict[str, object], *picks: str, variant: str | None = None) -> Reach:
    position = find_game(game).configure(variant).start(2, setup)
    return reach(position, picks, sites(position), viewer=position.seat)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_game_says_how_it_is_pointed_out(game: Game) -> None:
    assert can_point(game.configure())


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_legal_action_can_be_pointed_out(game: Game, players: int) -> None:
    dice = Random(players)
    for position in positions(game, players, seed=players):
        for action in dice.sample(position.legal(), min(3, len(position.legal()))):
            picks: tuple[str, ...] = ()
            for stage in spelling(position, action):
                for pick in dice.sample(sorted(stage), len(stage)):
                    assert pick in reach(position, picks, (), viewer=position.seat).onward
                    picks = (*picks, pick)
            assert action in reach(position, picks, (), viewer=position.seat).done


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_other_place_is_refused_by_name(game: Game, players: int) -> None:
    refused = 0
    for position in positions(game, players, seed=3, plies=16):
        places = sites(position)
        first = reach(position, (), places)
        for origin in first.onward[:4]:
            said = reach(position, (origin,), places)
            assert not said.refused.keys() & set(said.onward)
            assert all(action in position.legal() for action in said.done)
            assert said.refused.keys() == said.tries.keys()
            for place, refusal in said.refused.items():
                refused += 1
                assert sentence(game, refusal)
                if game.name not in HIDDEN:
                    assert position.refusals(said.tries[place])[0] == refusal
    assert refused > 100


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_spectator_learns_nothing_hidden(game: Game, players: int) -> None:
    dice = Random(1)
    for position in positions(game, players, seed=9, plies=20):
        if [str(action) for action in position.legal()] == ["--"]:
            continue
        other = position.redeal(None, dice)
        if [str(action) for action in other.legal()] == ["--"]:
            continue
        places = sites(position)
        origins = [site for site in position.faces() if site in places][:4]
        for origin in origins:
            for picks in ((origin,), (origin, "3")):
                one, another = reach(position, picks, places), reach(other, picks, places)
                assert (set(one.onward), one.refused) == (set(another.onward), another.refused)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_what_can_be_pointed_at_has_a_name_in_every_language(game: Game) -> None:
    rules = game.configure()
    for position in positions(game, 2, seed=1, plies=12):
        for pick in reach(position, (), ()).onward:
            for language in LANGUAGES:
                assert named(rules, pick, language)
    assert [named(find_game(name).configure(), pick) for name, pick in NAMED] == list(NAMED.values())


NAMED = {
    ("memento-tuos", "T7/"): "Split T7",
    ("memento-tuos", "T7"): "T7",
    ("memento-tuos", "tile-T"): "Triangle T",
    ("rings", "ring-a"): "Ring a",
    ("rings", ">"): "clockwise",
    ("dimenticato", "?"): "a wrong number",
    ("dimenticato", "4"): "4",
    ("triominos", "134"): "Card 134",
    ("triominos", "J"): "Joker",
    ("triominos", "0,1"): "0,1",
}


def test_a_double_in_memento_slides_until_something_is_in_its_way() -> None:
    setup: dict[str, object] = {"sites": {"T1": "red2", "T3": "yellow1", "L3": "yellow1"}}
    said = at("memento-tuos", setup, "T1")
    # Along one side onto T3, along the axis to I1, along the other side to R2, and off the board to its neighbours.
    assert {"T5", "T3", "T6", "T2", "R1", "R6", "T7", "T4", "I4", "I7", "I1", "R2", "L3"} <= set(said.onward)
    assert said.refused["L5"].rule == "move.blocked"
    assert said.refused["L5"].sites == ("T3", "L3")
    assert said.refused["R5"].rule == "move.bend"
    assert "T1" not in said.refused


def test_two_singles_enter_in_any_order_and_never_on_a_middle() -> None:
    setup: dict[str, object] = {"sites": {"T1": "red1", "L3": "yellow1"}}
    first = at("memento-tuos", setup, "supply")
    assert len(first.onward) == 16
    assert first.done == ()
    assert {first.refused[site].rule for site in ("T7", "L7", "R7")} == {"enter.middle"}
    assert first.refused["I2"].rule == "enter.inner"
    assert first.refused["L3"].rule == "enter.occupied"
    assert "L3" in str(first.tries["L3"])
    assert [str(action) for action in at("memento-tuos", setup, "supply", "R2", "T2").done] == ["+T2,R2"]


def test_the_same_point_cannot_be_pointed_at_twice() -> None:
    said = at("memento-tuos", {"sites": {"T1": "red1", "L3": "yellow1"}}, "supply", "R2", "R2")
    assert (said.done, said.onward) == ((), ())


def test_a_tripple_splits_in_two_ways_onto_the_same_two_points() -> None:
    setup: dict[str, object] = {"sites": {"T7": "red3", "L3": "yellow1"}}
    said = at("memento-tuos", setup, "T7/", "T1", "T4")
    assert {str(action) for action in said.done} == {"T7/2T1,T4", "T7/T1,2T4"}
    assert "T5" in said.onward
    assert said.refused["L3"].rule == "split.occupied"
    assert at("memento-tuos", setup).refused["L3/"].rule == "move.foreign"


def test_a_triangle_that_may_not_be_turned_says_why() -> None:
    barred = at("memento-tuos", {"sites": {"T1": "red1", "L3": "yellow1"}, "just_turned": True})
    assert barred.refused["tile-T"].rule == "turn.previous-turned"
    assert at("memento-tuos", {"sites": {"T1": "red1", "L3": "yellow1"}}, "tile-T").onward == (">", "<")


def test_who_makes_a_line_points_at_the_pawn_he_takes() -> None:
    setup: dict[str, object] = {"sites": {"b1": "red", "b2": "red", "a5": "yellow", "c6": "yellow"}}
    assert "b3" in at("rings", setup, "reserve").onward
    line = at("rings", setup, "reserve", "b3")
    assert (line.done, set(line.onward)) == ((), {"a5", "c6"})
    assert line.refused["b1"].rule == "capture.own"
    assert [str(action) for action in at("rings", setup, "reserve", "b3", "a5").done] == ["+b3xa5"]
    assert at("rings", setup, "b1").refused["c2"].rule == "move.not-neighbour"


def test_a_covered_number_may_be_any_as_long_as_nobody_knows_it() -> None:
    rules = find_game("dimenticato").configure()
    position = rules.start(2, rules.deal(2, Random(5)))
    while not any("?" in str(action) for action in position.legal()):
        position = position.after(position.legal()[0])
    assert isinstance(position, DimenticatoPosition)
    figure = str(next(action for action in position.legal() if "?" in str(action))).partition(":")[0]
    assert len({"1", "2", "3", "4", "5", "6"} & set(reach(position, (figure,), ()).onward)) > 3
    assert len({"1", "2", "3", "4", "5", "6"} & set(reach(position, (figure,), (), viewer=position.seat).onward)) > 3
    told = replace(position, known=1 << position.site(figure))
    number = str(position.dice.pips[position.site(figure)])
    assert set(reach(told, (figure,), (), viewer=position.seat).onward) <= {number, "?"}
    assert reach(told, (figure,), ()) == reach(position, (figure,), ()), "whoever watches is not reminded of it"


def test_a_card_says_which_corners_a_cell_wants() -> None:
    rules = find_game("triominos").configure()
    setup = rules.deal(2, Random(2))
    position = rules.start(2, setup)
    card = next(card for card in setup["racks"][0] if card != "J")
    said = reach(position, (card,), sites(position), viewer=0)
    assert said.refused["0,0"].rule == "place.taken"
    assert said.refused["5,0"].rule == "place.side"
    own = set(reach(position, (), (), viewer=0).onward)
    assert own <= {*setup["racks"][0], "buy"}
    assert len(reach(position, (), (), viewer=None).onward) > len(own)
