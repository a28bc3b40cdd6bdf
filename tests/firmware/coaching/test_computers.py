"""Seats that the program plays, in the terminal."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from engine.face import spelled
from engine.players.levels import LEVELS
from engine.registry import find_game
from firmware.coaching.computers import computer_seats, named
from firmware.commands.cli import main
from firmware.log.match.seating import Seating
from firmware.machine.errors import UsageError


def test_a_seat_names_its_level() -> None:
    colours = ("red", "blue")
    assert computer_seats(["blue=computer:4"], colours) == {1: LEVELS[3]}
    assert computer_seats(["red=computer:tiro"], colours) == {0: LEVELS[1]}
    assert computer_seats(["red=computer"], colours) == {0: LEVELS[2]}
    assert computer_seats([], colours) == {}


@pytest.mark.parametrize("text", ["green=computer:1", "red=robot", "red", "computer:3"])
def test_what_is_no_seat_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(UsageError, match="--seat must be COLOUR=computer:LEVEL"):
        computer_seats([text], ("red", "blue"))


def test_a_seat_without_a_name_has_that_of_its_level() -> None:
    seating = Seating.parse("red=Ada,blue,green=Bo")
    names = [player.name for player in named(seating, {1: LEVELS[4], 2: LEVELS[0]}).players]
    assert names == ["Ada", "Magister", "Bo"]


@pytest.mark.parametrize("number", [2, 3, 4])
def test_so_many_seats_have_the_first_colours(number: int) -> None:
    assert [player.colour for player in Seating.parse(str(number)).players] == ["red", "yellow", "green", "blue"][
        :number
    ]


def test_colours_of_the_table_are_those_of_the_rules_and_back() -> None:
    seating = Seating.parse("red,blue,yellow")
    table = {"T1": "blue2", "T2": "yellow1", "T3": "red3", "T4": "green1", "T5": "2"}
    rules = {"T1": "yellow2", "T2": "green1", "T3": "red3", "T4": "blue1", "T5": "2"}
    faces = find_game("memento-tuos").faces
    assert spelled(seating.by_rules(faces.read(table), faces)) == rules
    assert spelled(seating.on_table(faces.read(rules), faces)) == table


def test_somebody_must_be_left_to_play() -> None:
    with pytest.raises(UsageError, match="leave at least one seat"):
        computer_seats(["red=computer", "blue=computer:1"], ("red", "blue"))


def test_a_match_against_the_program_with_hints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("hint\nhint\nhint\nhint\n+T1\nundo\nquit\n"))
    assert main(["play", "memento-tuos", "--seat", "yellow=computer:2", "--lang", "en"]) == 0
    out = capsys.readouterr().out
    told = [line.removeprefix("red> ") for line in out.splitlines() if line.startswith("red> ")]
    assert told[0].startswith("Look at the ")
    assert told[1].startswith("It is about ")
    assert told[2].startswith("Play ")
    assert told[3] == told[2]
    assert "yellow plays +" in out


def test_an_unknown_level_is_said_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "rings", "--seat", "yellow=computer:9"]) == 2
    assert capsys.readouterr().err == (
        "magister play: unknown level '9'; there are: 1 Parvulus, 2 Tiro, 3 Discipulus, 4 Peritus, 5 Magister\n"
    )


def test_the_simulated_table_plays_by_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "run",
        "--game",
        "rings",
        "--camera",
        "sim",
        "--seat",
        "red=computer",
        "--log",
        str(tmp_path / "log.sqlite"),
    ]
    assert main(words) == 2
    assert capsys.readouterr().err == (
        "magister run: the simulated table plays every seat itself: --seat needs a real table\n"
    )
