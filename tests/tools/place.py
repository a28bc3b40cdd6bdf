"""A sitting in front of a paper eye, for tests of what the program says and accepts at the table."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
from page_table import PaperEye
from quick_thinker import QuickThinker

from engine.board import Board
from engine.face import spelled
from engine.match import Match
from engine.players.levels import LEVELS
from engine.referee.table import Table
from engine.registry import find_game
from firmware.coaching.coach import Coach
from firmware.coaching.computers import named
from firmware.devices.lights import NoLights
from firmware.log.match.seating import Seating
from firmware.table.beginning.plans import MatchPlan
from firmware.table.gear import Gear
from firmware.table.loop import Sitting
from firmware.table.requests.deeds import press
from firmware.table.state import shown_key
from vision.frame import Frame

PICTURE = np.full((180, 320, 3), 120, np.uint8)


class Place:
    """A sitting in front of a paper eye; time passes when it is looked at."""

    def __init__(self, players: str = "red=Ada,blue=Ben", computers: str = "blue", game: str = "memento-tuos") -> None:
        self.thinker, self.seconds = QuickThinker(), 0.0
        self.eye: PaperEye
        self._shown: object = None
        gear = Gear(NoLights(), random=Random(4), thinker=self.thinker)
        gear.make_eye = self._make_eye
        self.sitting = Sitting(gear, "paper")
        seating = Seating.parse(players)
        levels = {seating.colours.index(colour): LEVELS[2] for colour in computers.split(",") if colour}
        self.sitting.play(MatchPlan(find_game(game).configure(), named(seating, levels)))
        self.look(5)

    def _make_eye(self, board: Board, _: object) -> Any:  # noqa: ANN401 - stands in for an eye
        self.eye = PaperEye(board)
        return self.eye

    def look(self, frames: int = 8) -> list[dict[str, Any]]:
        news: list[dict[str, Any]] = []
        for _ in range(frames):
            news += [said.record() for said in self.sitting.attend(Frame(PICTURE, self.seconds))]
            self.seconds += 0.2
        return news

    def press(self, button: str) -> list[dict[str, Any]]:
        return [said.record() for said in press(self.sitting, button)]

    def changed(self) -> bool:
        """Whether the page would be told anew since this was last asked."""
        before, self._shown = self._shown, shown_key(self.sitting)
        return before != self._shown

    @property
    def coach(self) -> Coach:
        assert self.sitting.playing is not None
        return self.sitting.playing.coach

    @property
    def table(self) -> Table:
        playing = self.sitting.playing
        assert playing is not None
        assert playing.table is not None
        return playing.table

    @property
    def match(self) -> Match:
        return self.table.match

    def shown(self, *texts: str) -> list[dict[str, Any]]:
        """The table after these actions, one after the other, whether anybody likes them or not."""
        position = self.match.position
        for text in texts:
            action = position.rules.parse(text)
            for name, steps in action.turns.items():
                self.eye.turns = {**self.eye.turns, name: self.eye.turns.get(name, 0) + steps}
            position = position.play(action)
        assert self.sitting.playing is not None
        self.eye.seen = spelled(self.sitting.playing.seating.on_table(position.faces(), position.rules.game.faces))
        return self.look()

    @property
    def wanted(self) -> str:
        return str(self.coach.wanted)

    def other(self, test: Callable[[str], bool] = lambda text: text.startswith("+")) -> str:
        """A legal action that the program does not want."""
        texts = sorted(str(action) for action in self.match.position.legal())
        return next(text for text in texts if text != self.wanted and test(text))
