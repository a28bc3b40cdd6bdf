"""A card that is shown beside the board: when the eye looks for one."""

from __future__ import annotations

from functools import cache

import pytest

from engine.board import Board
from engine.referee.reading import Loose
from engine.referee.table import Seen
from engine.registry import find_game
from firmware.settings.eyes import make_eye
from firmware.table.seeing.holding import Holding
from hardware.virtual.camera import Pose
from hardware.virtual.painting.render import Renderer
from hardware.virtual.scene import LooseCard, Scene
from vision.find.pose import BoardPose
from vision.flatten.light import Illumination
from vision.frame import Frame, Image
from vision.look import Eye
from vision.readers.cards.held_cards import HeldCards

FIRST, SECOND = LooseCard("card-123", (0.0, -9.24), 0.0), LooseCard("card-244", (16.0, 9.24), 180.0)
SHOWN = LooseCard("card-135", (245.0, 40.0), 20.0)
"""Beside the mat, 32 mm from its edge."""


@cache
def board() -> Board:
    return find_game("triominos").board(2)


@cache
def eye() -> Eye:
    return make_eye(board())


@cache
def picture(*cards: LooseCard) -> Frame:
    scene = Scene(board(), loose=cards, pose=Pose(distance=700, tilt=12, direction=0, hfov=70))
    return Frame(Renderer(board()).render(scene).bgr)


class Glances:
    """Counts how often the eye looks beside the board."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number, self.holding, find = 0, Holding(eye()), HeldCards.find

        def counted(finder: HeldCards, bgr: Image, pose: BoardPose, light: Illumination) -> Loose | None:
            self.number += 1
            return find(finder, bgr, pose, light)

        monkeypatch.setattr(HeldCards, "find", counted)

    def at(self, *cards: LooseCard) -> str | None:
        frame = picture(*cards)
        look = eye().look(frame)
        seen = Seen(0.0, look.reading, False)
        return self.holding.card(frame, look, seen)


def test_a_card_beside_the_board_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    glances = Glances(monkeypatch)
    assert glances.at(FIRST) is None
    assert glances.at(FIRST, SHOWN) == "135"
    assert glances.at(FIRST, SHOWN) == "135"
    assert glances.number == 2
    assert glances.at(FIRST) is None


def test_what_is_laid_on_the_board_is_no_reason_to_look_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    glances = Glances(monkeypatch)
    glances.at(FIRST)
    glances.at(FIRST, SECOND)
    assert glances.number == 1
