"""What an arbiter at the hub decides is done at the table, for the position that the arbiter has seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from page_table import PageTable

from engine.core import Json
from firmware.hub.line import HubWish


class Line:
    """A line to a hub that is made of lists."""

    def __init__(self) -> None:
        self.waiting: list[HubWish] = []
        self.answers: list[tuple[str, Json | None]] = []
        self.states: list[Json] = []
        self.calling = False

    def show(self, state: Json) -> None:
        self.states.append(state)

    def call(self, is_calling: bool) -> None:
        self.calling = is_calling

    def record(self) -> Json:
        return {"table": "A", "online": True, "calling": self.calling}

    def wishes(self) -> Iterator[HubWish]:
        while self.waiting:
            yield self.waiting.pop(0)

    def answer(self, wish: HubWish, told: Json | None = None, refused: Json | None = None) -> None:
        self.answers.append((wish.id, refused))


def test_an_arbiter_decides_about_the_position_that_was_seen(tmp_path: Path) -> None:
    table, line = PageTable(tmp_path / "log.sqlite"), Line()
    try:
        table.sitting.gear.hub = line
        table.until(lambda: any(state.get("begun") for state in line.states))
        playing: Any = table.sitting.playing
        first = str(playing.match.position.legal()[0])
        table.play(first)
        # The log has it a moment later.
        table.until(lambda: playing.log.number is not None)
        number = playing.log.number
        line.waiting.append(HubWish("old", "take_back", {}, number, 0))
        line.waiting.append(HubWish("now", "take_back", {}, number, 1))
        table.until(lambda: len(line.answers) == 2)
        assert line.answers[0][1] is not None
        assert "moved on" in line.answers[0][1]["message"]
        assert line.answers[1] == ("now", None)
        assert playing.table.match.ply == 0
        table.wish("/arbiter", calling=True)
        table.until(lambda: line.states[-1]["hub"]["calling"])
        line.waiting.append(HubWish("calm", "calm", {}, None, None))
        table.until(lambda: not line.states[-1]["hub"]["calling"])
    finally:
        table.close()


def test_a_director_sends_players_to_a_table_that_is_free(tmp_path: Path) -> None:
    table, line = PageTable(tmp_path / "log.sqlite"), Line()
    players = [{"name": "Cem", "colour": "red"}, {"name": "Dan", "colour": "yellow"}]
    try:
        table.sitting.gear.hub = line
        table.until(lambda: any(state.get("begun") for state in line.states))
        playing: Any = table.sitting.playing
        table.play(str(playing.match.position.legal()[0]))
        line.waiting.append(HubWish("soon", "begin", {"game": "rings", "players": players}, None, None))
        table.until(lambda: line.answers)
        assert line.answers[0][1] is not None
        assert "still being played" in line.answers[0][1]["message"]
        assert table.sitting.playing is playing
        table.wish("/match/draw")
        line.waiting.append(HubWish("odd", "begin", {"game": "rings", "players": 3}, None, None))
        line.waiting.append(HubWish("now", "begin", {"game": "rings", "players": players}, None, None))
        table.until(lambda: len(line.answers) == 3)
        assert line.answers[1][1] is not None
        assert line.answers[2] == ("now", None)
        table.until(lambda: [each["name"] for each in line.states[-1].get("players", ())] == ["Cem", "Dan"])
    finally:
        table.close()
