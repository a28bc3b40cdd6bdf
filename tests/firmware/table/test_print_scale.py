"""Cards that were printed at another scale than the mat they lie on are noticed as they are laid."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import cast

import pytest

from engine.board import Board
from engine.face import Face
from engine.match import Match
from engine.referee.news import Accepted
from engine.referee.stands import Stand
from engine.referee.state import Course
from engine.referee.table import Table
from engine.registry import find_game
from firmware.settings.eyes import make_eye
from firmware.table.seeing.print_scale import AT_ONCE, FEW, OtherScale, PrintScale, percent_off
from hardware.virtual.acting.strewing import laid_loosely
from hardware.virtual.misprint import mat_printed_at
from hardware.virtual.painting.render import Renderer
from hardware.virtual.sample import random_scene
from vision.frame import Frame
from vision.look import Eye, Look
from webui.words.telling import notice

GAME = find_game("triominos")
BOARD = GAME.board(2)
NAMES = {"0,0": "123", "1,0": "211", "0,1": "223", "-1,0": "313", "2,0": "JJJ", "1,1": "555", "-1,1": "244"}
CARDS = {site: GAME.faces[name] for site, name in NAMES.items()}


@cache
def eye() -> Eye:
    return make_eye(BOARD)


def lying(board: Board) -> Look:
    """The cards as people lay them, under a random camera and lamp."""
    return eye().look(Frame(Renderer(board).render(random_scene(board, CARDS, seed=6, hand=False)).bgr))


@cache
def look(share: float) -> Look:
    return lying(mat_printed_at(laid_loosely(BOARD, CARDS, seed=6), share))


def table() -> Table:
    """All of these cards lie there, and an action was accepted just now."""
    match = Match.begin(GAME.configure(), 2, GAME.configure().deal(2, Random(1)))
    played = Accepted(0, 0, next(iter(match.position.legal())))
    return Table(Course(match, (Stand(CARDS, {}),)), news=(played,))


def told(share: float, actions: int = 3) -> list[OtherScale]:
    scale = PrintScale()
    return [each for _ in range(actions) for each in scale.follow(table(), eye(), look(share))]


@pytest.mark.parametrize(("share", "percent"), [(0.97, 3), (1.03, -3)], ids=["a small mat", "small cards"])
def test_cards_of_another_scale_are_told_once(share: float, percent: int) -> None:
    assert told(share, actions=6) == [OtherScale(percent)]


def test_cards_and_mat_of_one_print_are_not_complained_about() -> None:
    assert told(1.0) == []


def test_a_few_cards_tell_nothing_and_no_action_takes_long() -> None:
    assert AT_ONCE < FEW
    assert told(0.97, actions=1) == []
    assert percent_off([1.03] * (FEW - 1)) is None
    assert percent_off([1.03] * FEW) == 3
    assert percent_off([1.01] * FEW) is None


def test_cards_that_are_never_clearly_in_sight_keep_no_others_waiting() -> None:
    scale, unclear = PrintScale(), list(CARDS)[:AT_ONCE]

    class Eyes:
        def card_size(self, _: Look, site: str, __: Face) -> float | None:
            return None if site in unclear else 1.03

    few = Stand({**CARDS, "3,0": GAME.faces["333"], "4,0": GAME.faces["444"]}, {})
    shown = replace(table(), accepted=replace(table().accepted, stands=(few,)))
    assert [said for _ in range(4) for said in scale.follow(shown, cast(Eye, Eyes()), look(0.97))] == [OtherScale(3)]


def test_nothing_is_measured_under_a_hand_nor_between_actions() -> None:
    scale, seen = PrintScale(), look(0.97)
    under = replace(seen, reading=replace(seen.reading, covered=True))
    quiet = replace(table(), news=())
    rushed = replace(seen, rough=True)
    said = [scale.follow(*each) for _ in range(3) for each in ((table(), eye(), under), (quiet, eye(), seen))]
    said += [scale.follow(table(), eye(), rushed) for _ in range(3)]
    assert said == [[]] * 9
    assert scale.follow(table(), eye(), None) == []


def test_a_game_without_cards_has_no_scale() -> None:
    other = make_eye(find_game("rings").board(2))
    assert PrintScale().follow(table(), other, look(0.97)) == []


def test_both_say_what_is_wrong_and_what_to_do() -> None:
    large, small = (OtherScale(percent).record(GAME)["text"] for percent in (3, -3))
    assert large == "the cards are about 3 % too large for this board: print both at 100 %"
    assert small == "the cards are about 3 % too small for this board: print both at 100 %"
    assert notice({"scale": 3}, "en").startswith("The cards are about 3 % too large for this board.")
    assert notice({"scale": -3}, "de").startswith("Die Karten sind etwa 3 % zu klein für dieses Brett.")
    assert notice({"scale": None}, "en") == ""
