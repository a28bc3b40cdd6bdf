"""The program plays a seat at the rendered table: lights and words show its action, a hand makes it, the eye sees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from quick_thinker import QuickThinker

from engine.match import Match
from engine.players.levels import LEVELS
from engine.registry import find_game
from firmware.coaching.computers import named
from firmware.devices.chain import OWN
from firmware.devices.lights import NoLights
from firmware.devices.signals import Rgb
from firmware.log.match.seating import Seating
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.state import state_of
from hardware.virtual.acting.deeds import Deed, Pause, Play, Undo
from hardware.virtual.acting.player import Style, TablePlayer
from hardware.virtual.camera import Pose
from hardware.virtual.scene import Scene
from vision.frame import Frame

RULES = find_game("rings").configure()


class ShownChain:
    """Lights under the sites that only remember what they show."""

    def __init__(self) -> None:
        self.value: Mapping[str, Rgb] = {}

    def show(self, colours: Mapping[str, Rgb]) -> None:
        self.value = dict(colours)

    def close(self) -> None:
        """There is nothing to let go of."""


class Room:
    """A sitting with the real eye in front of the virtual table; the program plays red, who begins."""

    def __init__(self) -> None:
        self.chain, self.seconds = ShownChain(), 0.0
        gear = Gear(NoLights(), random=Random(4), thinker=QuickThinker())
        gear.open_chain = lambda _: self.chain  # type: ignore[assignment,return-value]  # shows what a chain would
        self.sitting = Sitting(gear, "sim")
        self.sitting.play(MatchPlan(RULES, named(Seating.parse("red,yellow=Ada"), {0: LEVELS[1]})))
        scene = replace(Scene(RULES.game.board(2, {})), pose=Pose(650, 24, 190, hfov=68))
        style = Style(fps=5.0, speed=1200.0, pause=0.4)
        self._hand = TablePlayer(Match.begin(RULES, 2, {}), scene, style, seed=2)

    def watch(self, *deeds: Deed) -> list[dict[str, Any]]:
        """What is said while a hand does this."""
        news: list[dict[str, Any]] = []
        start = self.seconds
        for shot in self._hand.frames(deeds):
            assert shot.bgr is not None
            self.seconds = start + shot.t
            news += [said.record() for said in self.sitting.attend(Frame(shot.bgr, self.seconds))]
        self.seconds += 0.2
        return [event for event in news if event["event"] != "unfinished"]

    @property
    def wanted(self) -> str:
        return str(self.sitting.playing.coach.wanted)

    @property
    def lit(self) -> set[str]:
        """The sites whose lights point at something."""
        return {site for site, colour in self.chain.value.items() if colour != OWN}


@pytest.fixture
def room() -> Iterator[Room]:
    room = Room()
    yield room
    room.sitting.close()


def test_a_hand_makes_what_the_program_wants(room: Room) -> None:
    (said,) = room.watch()
    wanted, site = room.wanted, room.wanted.removeprefix("+")
    assert said["text"] == f"Red plays {wanted}. Please make this move on the board."
    assert room.lit == {site}
    news = room.watch(Play(wanted))
    assert [(event["event"], event.get("action")) for event in news] == [("action", wanted)]
    assert state_of(room.sitting)["advice"] is None
    assert state_of(room.sitting)["faces"] == {site: "red"}
    assert not room.lit - {site}, "nothing points anywhere in Ada's turn"


def test_a_hand_that_makes_something_else_is_told_what_differs(room: Room) -> None:
    room.watch()
    wanted = room.wanted
    other = next(text for text in ("+a1", "+c5") if text != wanted)
    wrong, back = room.watch(Play(other), Pause(1.0), Undo(0))
    assert wrong["event"] == "illegal"
    assert wrong["text"] == f"Red plays {wanted}, not {other}. Please undo that on the board and play {wanted}."
    assert back["event"] == "restored"
    assert state_of(room.sitting)["ply"] == 0
    assert room.wanted == wanted, "it does not change its mind"
