"""When a match begins, seen frame by frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tabletop import read

from engine.board import Board
from engine.core import Refusal
from engine.face import EMPTY
from engine.games.rings.rules import Rings
from engine.match import Match
from engine.referee.news import Dealt
from engine.referee.reading import Reading
from engine.referee.table import Seen, Table
from engine.registry import find_game
from engine.survey import Survey
from firmware.table.seeing.sight import Beginning, Sight
from vision.frame import Frame

STILL = np.full((360, 640, 3), 90, np.uint8)
NO_IDEA = -0.1


class ToldEye:
    """Sees what it is told."""

    def __init__(self, board: Board) -> None:
        self.board, self.reading = board, read(board, {}, {})

    def look(self, frame: Frame, before: object = None, motion: object = None) -> Any:  # noqa: ANN401 - as much of a look as is looked at
        pose = SimpleNamespace(project=lambda points: points[:, :2] * 0.8 + (320, 180))
        return SimpleNamespace(reading=self.reading, pose=pose)


def unsure(reading: Reading) -> Reading:
    """The same, but of the first sheet it is hardly known how it lies."""
    name, values = next(iter(reading.sheets.items()))
    return replace(reading, sheets={**reading.sheets, name: [0.0, *[NO_IDEA] * (len(values) - 1)]})


def begun(reading: Reading) -> tuple[int, Table]:
    """How many frames, a tenth of a second apart, it takes for a match to begin, and how it begins."""
    eye = ToldEye(find_game("rings").board(2, {}))
    eye.reading = reading
    sight = Sight(eye)  # type: ignore[arg-type] # as much of an eye as is looked with
    beginning = Beginning(Match.begin(find_game("rings").configure(), 2, {}))
    for frame in range(40):
        table = beginning.table(sight.read(Frame(STILL, frame / 10), is_first=True))
        if table is not None:
            return frame + 1, table
    raise AssertionError("it does not begin")


def begins_after(reading: Reading) -> int:
    return begun(reading)[0]


@pytest.fixture
def plain() -> Reading:
    return read(find_game("rings").board(2, {}), {}, {})


def test_a_match_begins_at_once_where_all_sheets_are_sure(plain: Reading) -> None:
    assert begins_after(plain) == 1
    assert begins_after(replace(plain, hidden=frozenset({"c1"}), covered=True)) == 1, (
        "a cell in doubt keeps nobody from playing"
    )


def test_a_sheet_in_doubt_is_looked_at_longer(plain: Reading) -> None:
    assert begins_after(unsure(plain)) == 4


def test_a_sheet_in_doubt_under_something_waits_until_that_is_no_hand(plain: Reading) -> None:
    assert begins_after(replace(unsure(plain), hidden=frozenset({"c1"}), covered=True)) == 21


@pytest.mark.parametrize(("other", "certain"), [(-6.0, True), (-4.0, False), (NO_IDEA, False)])
def test_many_like_pictures_make_nothing_more_certain(plain: Reading, other: float, certain: bool) -> None:
    name, values = next(iter(plain.sheets.items()))
    sheets = {**plain.sheets, name: (0.0, *[other] * (len(values) - 1))}
    _, table = begun(replace(plain, sheets=sheets))
    assert table.accepted.unsure == (set() if certain else {name})


class Surveyed(Rings):
    """Rings as a game whose beginning the table tells: with the number of pieces that stand there."""

    def survey(self, players: int, readings: Sequence[Reading], told: Mapping[str, Any]) -> Survey:
        standing = [site for site, each in readings[-1].guesses().items() if each.best != EMPTY]
        if told.get("wait"):
            return Survey(flaws=(Refusal("unknown"),))
        return Survey({"seat": len(standing) % 2}, {"seen": len(readings)})


def surveying() -> Beginning:
    rings = find_game("rings")
    rules = Surveyed(rings, None, rings.defaults(None))
    return Beginning(Match.begin(rules, 2, {}), surveys=True)


def at(seconds: float, reading: Reading | None) -> Seen:
    return Seen(seconds, reading)


def test_a_table_tells_its_set_up_once_it_has_stood_so_for_three_frames(plain: Reading) -> None:
    beginning = surveying()
    found = [beginning.table(at(frame / 10, plain)) for frame in range(3)]
    assert found[:2] == [None, None]
    assert found[2] is not None
    assert found[2].news == (Dealt({"seen": 3}),)
    assert found[2].position.seat == 0


def test_what_lay_there_before_a_hand_came_counts_no_more(plain: Reading) -> None:
    beginning = surveying()
    hand = replace(plain, covered=True)
    looks = [plain, plain, hand, plain, plain, plain]
    found = [beginning.table(at(frame / 10, reading)) for frame, reading in enumerate(looks)]
    assert [table is not None for table in found] == [False] * 5 + [True]


def test_people_may_tell_what_the_table_does_not(plain: Reading) -> None:
    beginning = surveying()
    beginning.hear({"wait": True})
    assert all(beginning.table(at(frame / 10, plain)) is None for frame in range(9))
    assert beginning.survey.flaws == (Refusal("unknown"),)
    beginning.hear({"wait": None})
    assert [beginning.table(at(2 + frame / 10, plain)) is None for frame in range(3)] == [True, True, False]
