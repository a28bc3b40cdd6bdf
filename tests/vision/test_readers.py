"""Readers as a board names them: which there are, and several on one board."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest

from engine.core import Game
from engine.face import EMPTY, Face
from engine.referee.reading import Loose, Print, guess
from engine.registry import all_games, find_game
from firmware.machine.errors import UsageError
from firmware.settings.eyes import can_follow, check_readable, check_refereed
from hardware.printing.raster import rasterise
from vision.readers.reader import Findings, merged
from vision.readers.registry import READERS, readers_of, unread

RED, CARD = Face("red", "red", pieces=("pawn-red",)), Face("134", "134", sheet="card-134")
SEEN, FREE = {EMPTY: log(0.1), RED: log(0.9)}, {EMPTY: log(0.9), RED: log(0.1)}


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_is_refereed_if_all_that_its_board_names_can_be_read(game: Game) -> None:
    board = game.board(max(game.seats))
    assert board.readers
    assert can_follow(game) == all(name in READERS for name in board.readers)
    assert list(readers_of(board, {sheet.name: rasterise(sheet) for sheet in board.sheets})) == [
        name for name in board.readers if name in READERS
    ]


def test_what_is_missing_is_said_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    check_refereed("triominos")
    monkeypatch.setattr("vision.readers.registry.READERS", ("chips",))
    with pytest.raises(UsageError, match=r"^triominos cannot be refereed yet: nothing reads its cards$"):
        check_refereed("triominos")
    check_readable(find_game("triominos").board(2))
    with pytest.raises(UsageError, match=r"^dimenticato cannot be read yet: nothing reads its"):
        check_readable(find_game("dimenticato").board(2))


def test_a_board_that_names_no_reader_cannot_be_read() -> None:
    board = replace(find_game("rings").board(2), readers=())
    assert unread(board) == ()
    assert readers_of(board, {}) == {}
    with pytest.raises(UsageError, match="nothing reads its board"):
        check_readable(board)


def test_a_reader_looks_for_what_the_faces_have_on_top_whatever_it_is_called() -> None:
    board = find_game("memento-tuos").board(2)
    names = {name: f"part{number}" for number, name in enumerate(board.pieces)}
    faces = [
        Face(face.name, face.kind, face.level, tuple(names[piece] for piece in face.pieces), lawful=face.lawful)
        for face in board.faces.values()
    ]
    pieces = {names[name]: replace(piece, name=names[name]) for name, piece in board.pieces.items()}
    renamed = replace(board, pieces=pieces, faces=type(board.faces)(faces))
    known, strange = (readers_of(each, {})["stacks"] for each in (board, renamed))
    assert strange.palette.names == known.palette.names == ("red", "yellow", "green", "blue")
    assert strange.stone.name == names["stone"]
    assert (strange.palette.colours == known.palette.colours).all()


def test_what_several_readers_find_is_one_reading() -> None:
    one = Findings({"a1": SEEN}, frozenset({"b1", "b2"}))
    other = Findings({}, frozenset({"c1"}), {"b1": {Print(3, "red"): 0.0}}, (Loose("134", (1.0, 2.0), 30.0, 0.9),))
    both = merged([one, other])
    assert both.sites == {"a1": SEEN}
    assert both.hidden == {"b2", "c1"}, "what one of them reads is not hidden"
    assert both.fields == other.fields
    assert both.loose == other.loose
    assert both.places == {"a1", "b1", "b2", "c1"}


def test_two_readers_of_one_site_are_heard_both() -> None:
    assert guess(merged([Findings({"a1": SEEN}), Findings({"a1": SEEN})]).sites["a1"]).p == pytest.approx(0.81 / 0.82)
    assert guess(merged([Findings({"a1": SEEN}), Findings({"a1": FREE})]).sites["a1"]).p == pytest.approx(0.5)
    cards = Findings({"a1": {EMPTY: log(0.02), CARD: log(0.98)}})
    assert guess(merged([Findings({"a1": FREE}), cards]).sites["a1"]).best == CARD


def test_no_reader_finds_nothing() -> None:
    assert merged([]).places == frozenset()
