"""Mistakes and hands at the virtual table: what is drawn at random is what it is meant to be."""

from __future__ import annotations

from random import Random

import pytest

from engine.core import Position
from engine.match import Match
from engine.registry import all_games, find_game
from engine.slips import makers_of, slips
from hardware.virtual.acting.reach import over_board
from hardware.virtual.acting.script import Layout, apply, plan
from hardware.virtual.acting.slipping import is_explained, legal_looks, passes_by, random_mistake, stands_of
from hardware.virtual.camera import Camera, Pose
from hardware.virtual.scene import Arm

CAMERA = Camera.at(Pose(distance=680, tilt=25, direction=180, hfov=68))


def middle(game: str, plies: int, seed: int = 3) -> Match:
    rules, dice = find_game(game).configure(), Random(seed)
    match = Match.begin(rules, 2, {})
    for _ in range(plies):
        match = match.play(dice.choice(match.position.legal()))
    return match


@pytest.mark.parametrize("game", ["memento-tuos", "rings"])
def test_every_kind_of_mistake_can_be_laid_out_and_breaks_a_rule(game: str) -> None:
    board, codes = find_game(game).board(2, {}), set(find_game(game).sentences)
    kinds = set()
    for plies in (6, 14, 22):
        position: Position = middle(game, plies).position
        for slip in slips(position, Random(plies)):
            assert slip.rules
            assert set(slip.rules) <= codes
            steps = plan(board, position.faces(), slip.faces, slip.turns)
            assert apply(Layout.showing(board, position.faces()), steps).faces() == slip.faces
            kinds.add(slip.rules[0])
    assert len(kinds) >= 10


def test_games_that_a_camera_follows_have_mistakes_of_their_own() -> None:
    for game in all_games():
        rules = game.configure()
        assert makers_of(rules.start(2, rules.deal(2, Random(1)))), game.name


def test_a_legal_action_explains_its_own_picture_and_nothing_else_does() -> None:
    match = middle("rings", 6)
    board, stands = find_game("rings").board(2, {}), stands_of(match)
    action = next(action for action in match.position.legal() if "+" in str(action))
    after = match.position.after(action).faces()
    assert is_explained(match.position, stands, board, after, {})
    assert is_explained(match.position, stands, board, stands[2].faces, _turns_back(match, 2))
    assert not is_explained(match.position, stands, board, board.faces.read({"a1": "blue"}), {})


def _turns_back(match: Match, ply: int) -> dict[str, int]:
    turns: dict[str, int] = {}
    for action in match.actions[ply:]:
        for name, steps in action.turns.items():
            turns[name] = turns.get(name, 0) - steps
    return turns


def test_a_mistake_that_a_legal_action_precedes_is_told_by_its_steps() -> None:
    """Three entered one by one: after the second they are two, and that is legal."""
    match = Match.replay(find_game("memento-tuos").configure(), 2, {}, ["+T1"])
    board, before = find_game("memento-tuos").board(2, {}), match.position.faces()
    legal = legal_looks(match.position, board)
    yellow = board.faces["yellow1"]
    three = {**before, "L1": yellow, "L2": yellow, "L3": yellow}
    assert passes_by(board, before, three, {}, legal)
    assert not passes_by(board, before, {**before, "L1": yellow, "L7": yellow}, {}, legal)


def test_drawn_mistakes_pass_by_nothing_legal() -> None:
    match = middle("memento-tuos", 8)
    board = find_game("memento-tuos").board(2, {})
    mistake = random_mistake(match, board, (), Random(5))
    assert mistake is not None
    legal = legal_looks(match.position, board)
    assert not passes_by(board, match.position.faces(), mistake.faces, mistake.turns, legal)


@pytest.mark.parametrize(("south", "over"), [(0.0, True), (180.0, True), (330.0, False), (600.0, False)])
def test_a_hand_is_over_the_board_as_far_as_it_hides_it(south: float, over: bool) -> None:
    arm = Arm((0.0, south, 60.0), comes_from=180.0)
    assert over_board(arm, find_game("rings").board(2, {}), CAMERA) is over
